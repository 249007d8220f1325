# SPDX-License-Identifier: MIT
# cmake -DBUILD=<build> -DSOURCE=<this folder> -DSCRATCH=<dir> -P run_test.cmake: installs the build into a fresh prefix, and
# builds and runs the outside project with it.
cmake_policy(VERSION 3.25)
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
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${outside} -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON) # only the program needs them
must(${CMAKE_COMMAND} --build ${outside})
must(${outside}/use_kernel)
if(EXISTS ${outside}/use_block)
    must(${outside}/use_block)
endif()
foreach(name iommu_lt iommu_at iommu_ats remote_port dram_at tlb_at)
    if(EXISTS ${outside}/${name})
        must(${outside}/${name})
    endif()
endforeach()

if(EXISTS ${outside}/gpu_trace)
    must(${outside}/gpu_trace ${prefix}/share/walkway/waveforms/atax-512.wkt 50 ${prefix}/share/walkway/platforms/apu-micro18.cfg)
endif()

if(EXISTS ${outside}/iommu_lt AND NOT EXISTS ${outside}/remote_port)
    message(FATAL_ERROR "the component remote_port is not installed, or its example")
endif()
if(EXISTS ${outside}/iommu_lt AND NOT EXISTS ${prefix}/share/walkway/ipxact/iommu_device.xml)
    message(FATAL_ERROR "the IOMMU's memory map (IP-XACT) is not installed")
endif()

# The C library: by its CMake target, and by pkg-config with the command of its example.
if(EXISTS ${outside}/use_library)
    must(${outside}/use_library)
    file(GLOB_RECURSE pc ${prefix}/*/walkway.pc)
    get_filename_component(pc ${pc} DIRECTORY)
    must(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc} LD_LIBRARY_PATH=${pc}/.. sh -ec
        "cc -std=c11 ${prefix}/share/walkway/examples/c-api/translate.c $(pkg-config --cflags --libs walkway) -o ${outside}/by_pkg_config
         ${outside}/by_pkg_config")
endif()

# No installed file may name the source folder.
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
    must(${prefix}/bin/walkway list machines)
    foreach(file walkers.ipynb walkway/__init__.py walkway/figure.py walkway/searcher.py)
        if(NOT EXISTS ${prefix}/share/walkway/python/${file})
            message(FATAL_ERROR "python/${file} is not installed")
        endif()
    endforeach()

    # Made from the program's declarations: man pages, and completion for shells.
    foreach(file man/man1/walkway.1 man/man1/walkway-run.1 bash-completion/completions/walkway zsh/site-functions/_walkway)
        if(NOT EXISTS ${prefix}/share/${file})
            message(FATAL_ERROR "${file} is not installed")
        endif()
    endforeach()

    # Sweeps on a cluster need these.
    foreach(file Snakefile slurm/config.yaml)
        if(NOT EXISTS ${prefix}/share/walkway/workbench/cluster/${file})
            message(FATAL_ERROR "${file} of sweeps on a cluster is not installed")
        endif()
    endforeach()
    must(${prefix}/share/walkway/workbench/cluster/slurm/status none) # it is executable

    # Pages of docs/ and waveforms/ that help texts name must be installed, and the help must name their installed folder.
    foreach(words "" run compare capture trace list reproduce workloads)
        execute_process(COMMAND ${CMAKE_COMMAND} -E env COLUMNS=400 ${prefix}/bin/walkway ${words} --help OUTPUT_VARIABLE text
            COMMAND_ERROR_IS_FATAL ANY)
        string(REGEX MATCHALL "(docs|waveforms)/([a-z]+/)?[A-Za-z0-9-]+[.]md" pages "${text}")
        foreach(page ${pages})
            if(NOT EXISTS ${prefix}/share/doc/walkway/${page})
                message(FATAL_ERROR "walkway ${words} --help names ${page}, which is not installed")
            endif()
        endforeach()
        string(FIND "${text}" "are in ${prefix}/share/doc/walkway" said)
        if(pages AND said EQUAL -1)
            message(FATAL_ERROR "walkway ${words} --help names ${pages}, but not ${prefix}/share/doc/walkway:\n${text}")
        endif()
        list(APPEND named ${pages})
    endforeach()
    list(LENGTH named count)
    if(count LESS 6 OR NOT "docs/README.md" IN_LIST named OR NOT "waveforms/README.md" IN_LIST named)
        message(FATAL_ERROR "the helps name only: ${named}")
    endif()
endif()

# Links between installed pages must be valid, too.
file(GLOB pages ${prefix}/share/doc/walkway/*.md ${prefix}/share/doc/walkway/*/*.md
     ${prefix}/share/doc/walkway/*/*/*.md)
set(followed 0)
foreach(page ${pages})
    get_filename_component(folder ${page} DIRECTORY)
    file(READ ${page} text)
    string(REPLACE "](" "\n<" text "${text}")
    string(REGEX MATCHALL "<[^<)#:; \n]+[.](md|svg|png|json)" links "${text}")
    foreach(link ${links})
        string(SUBSTRING ${link} 1 -1 link)
        math(EXPR followed "${followed} + 1")
        if(NOT EXISTS ${folder}/${link})
            message(FATAL_ERROR "${page} links to ${link}, which is not installed")
        endif()
    endforeach()
endforeach()
if(followed LESS 50)
    message(FATAL_ERROR "only ${followed} links between the pages were found")
endif()
