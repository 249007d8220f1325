# SPDX-License-Identifier: MIT
# Warnings as interface targets (link ww_c_flags or ww_cxx_flags privately); flags of sanitizers and coverage for all targets.
add_library(ww_c_flags INTERFACE)
target_compile_options(ww_c_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wcast-qual -Wswitch-enum -Wimplicit-fallthrough -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror)
add_library(ww_cxx_flags INTERFACE)
target_compile_options(ww_cxx_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# In C++, Clang's -Wconversion includes signs, GCC's does not; and Clang warns of << in a sum as an overloaded shift.
target_compile_options(ww_cxx_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion;-Wno-overloaded-shift-op-parentheses>)

# By default GCC's garbage collection takes a fifth of the compile time, although memory is not short; these limits avoid most of it.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=500000>")

# ww_optimise(<target>): optimises code in which tests spend their time, even in C++ with the sanitizers, which else is not optimised.
function(ww_optimise target)
    if(WALKWAY_SANITIZE)
        target_compile_options(${target} PRIVATE -O1)
    endif()
endfunction()
# ww_quick_to_compile(<target>): for code in which simulations spend no time; -O3 takes a third longer to compile.
function(ww_quick_to_compile target)
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()
if(WALKWAY_SANITIZE)
    add_compile_definitions(WALKWAY_SANITIZED)
    add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
    # In C++, the checks of each use of a pointer (null, alignment, size) would take half of the compile time and three quarters of
    # the program's size. The address sanitizer finds wild pointers; the kernels, in C, have all checks.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size>)
endif()
# ww_count_lines(<target>...): counts what tests take of it in the sanitizers' build, if clang builds it. Without $LLVM_PROFILE_FILE,
# which the tests in C++ get below tb/, the counts go nowhere.
function(ww_count_lines)
    if(WALKWAY_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        foreach(target ${ARGN})
            target_compile_options(${target} PRIVATE
                $<$<COMPILE_LANGUAGE:CXX>:-fprofile-instr-generate=/dev/null;-fcoverage-mapping>)
            target_link_options(${target} PUBLIC -fprofile-instr-generate)
        endforeach()
    endif()
endfunction()
if(WALKWAY_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
endif()
if(WALKWAY_COVERAGE)
    add_compile_options(--coverage -O0)
    add_link_options(--coverage)
endif()

# ww_list_kinds(<file>.inc <first> <regex> <text>...): writes X(NAME) for each text in which the regex finds a NAME to a file of the
# build folder, <first> first unless it is "".
function(ww_list_kinds file first regex)
    set(all "")
    if(NOT "${first}" STREQUAL "")
        set(all "X(${first})\n")
    endif()
    foreach(one ${ARGN})
        if("${one}" MATCHES "${regex}" AND NOT CMAKE_MATCH_1 STREQUAL "${first}")
            string(APPEND all "X(${CMAKE_MATCH_1})\n")
        endif()
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${file} CONTENT "${all}" @ONLY)
endfunction()
