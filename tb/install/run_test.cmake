# SPDX-License-Identifier: MIT
# cmake -DBUILD=<build> -DSOURCE=<this folder> -DSCRATCH=<dir> -P run_test.cmake: installs the build into a fresh prefix and
# builds and runs the outside project against it.
set(prefix ${SCRATCH}/prefix)
set(outside ${SCRATCH}/outside)
file(REMOVE_RECURSE ${SCRATCH})

function(must)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT code STREQUAL 0)
        message(FATAL_ERROR "${ARGN}\nended with ${code}:\n${text}")
    endif()
    message(STATUS "${text}")
endfunction()

must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${outside} -G Ninja -DCMAKE_PREFIX_PATH=${prefix})
must(${CMAKE_COMMAND} --build ${outside})
must(${outside}/use_kernel)
if(EXISTS ${outside}/use_block)
    must(${outside}/use_block)
endif()

# nothing installed may point back to where it was built
get_filename_component(root ${SOURCE}/../.. ABSOLUTE)
file(GLOB_RECURSE files ${prefix}/lib/cmake/*.cmake ${prefix}/include/*)
foreach(file ${files})
    file(READ ${file} text)
    string(FIND "${text}" "${root}/" at)
    if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} names ${root}")
    endif()
endforeach()
if(EXISTS ${prefix}/bin/walkway)
    must(${prefix}/bin/walkway list platforms)
endif()
