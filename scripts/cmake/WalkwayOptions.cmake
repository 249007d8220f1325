# SPDX-License-Identifier: MIT
# Warnings, sanitizers and coverage as interface targets: link ww_c_flags or ww_cxx_flags privately.
add_library(ww_c_flags INTERFACE)
target_compile_options(ww_c_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wcast-qual -Wswitch-enum -Wimplicit-fallthrough -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror)
add_library(ww_cxx_flags INTERFACE)
target_compile_options(ww_cxx_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# Of C++ Clang's -Wconversion takes in signs, GCC's does not; and Clang takes test << "a" in a sum for an overloaded shift.
target_compile_options(ww_cxx_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion;-Wno-overloaded-shift-op-parentheses>)

# GCC frees memory while it compiles, by default long before any is short: a fifth of its time.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=500000>")

# ww_optimise(<target>): also under the sanitizers, where C++ is compiled in a hurry: for what tests spend their time in
function(ww_optimise target)
    if(WALKWAY_SANITIZE)
        target_compile_options(${target} PRIVATE -O1)
    endif()
endfunction()
# ww_quick_to_compile(<target>): for what no simulation spends its time in; -O3 takes a third longer to compile
function(ww_quick_to_compile target)
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()
if(WALKWAY_SANITIZE)
    add_compile_definitions(WALKWAY_SANITIZED)
    add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
    # Of C++ every pointer would be checked for null, alignment and size at each use: half of the time it takes to compile, three
    # quarters of the program. The address sanitizer sees wild ones; the kernels, in C, are checked for all of it.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size>)
endif()
if(WALKWAY_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
endif()
if(WALKWAY_COVERAGE)
    add_compile_options(--coverage -O0)
    add_link_options(--coverage)
endif()

# ww_list_kinds(<file>.inc <first> <regex> <text>...): X(NAME) of each text in which the regex finds a NAME, in a file of the build
# folder; <first> is first, unless it is ""
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
