# SPDX-License-Identifier: MIT
# cmake -D SOURCE=DIR -D FILE=HEADER -P revision.cmake: writes the revision of the source, of a changed one with a digest of the
# changes, and a digest of the model: of the sources that decide what a run of a trace on a configuration finds. Results kept for
# later are looked up by that digest, so that a change of anything else does not cost them. The file keeps its time when both are
# as they were. (The compiler is not part of it: the gate has two of them find the same.)
function(ask_git result)
    execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
        set(said "")
    endif()
    set(${result} "${said}" PARENT_SCOPE)
endfunction()

ask_git(revision describe --always --tags)
ask_git(changes diff HEAD)
if(revision STREQUAL "")
    set(revision unknown)
elseif(NOT changes STREQUAL "")
    string(SHA1 digest "${changes}")
    string(SUBSTRING ${digest} 0 7 digest)
    string(APPEND revision "-dirty-${digest}")
endif()

set(decisive tool/run/headline tool/run/parameters tool/run/sample tool/run/sample_estimate tool/run/sample_windows tool/run/simulate
    tool/run/statistics)
list(TRANSFORM decisive PREPEND ${SOURCE}/)
list(TRANSFORM decisive APPEND .[ch]pp)
foreach(layer kernels inputs/sample inputs/trace model platforms)
    list(APPEND decisive ${SOURCE}/${layer}/*.c ${SOURCE}/${layer}/*.h ${SOURCE}/${layer}/*.cpp ${SOURCE}/${layer}/*.hpp)
endforeach()
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${decisive})
list(SORT files)
set(all "")
foreach(file ${files})
    file(SHA1 ${SOURCE}/${file} digest)
    string(APPEND all "${file} ${digest}\n")
endforeach()
string(SHA1 model "${all}")
string(SUBSTRING ${model} 0 12 model)

file(CONFIGURE OUTPUT ${FILE} CONTENT "#define WALKWAY_GIT \"${revision}\"\n#define WALKWAY_MODEL \"${model}\"\n" @ONLY)
