# SPDX-License-Identifier: MIT
# cmake -D SOURCE=DIR -D FILE=HEADER -P revision.cmake: writes the revision of the source (with a digest of uncommitted changes), and a
# digest of the model, which covers the sources that decide the results of a run, without comments. Kept results are looked up by the
# model's digest, so changes of other sources keep them valid. If neither changes, the file keeps its time. (The compiler is not in the digest: the gate
# checks that two compilers give equal results.)
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
list(JOIN files "\n" names)
file(WRITE ${FILE}.sources "${names}\n")
execute_process(COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/model_digest.py ${SOURCE} INPUT_FILE ${FILE}.sources
    OUTPUT_VARIABLE model OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

file(CONFIGURE OUTPUT ${FILE} CONTENT "#define WALKWAY_GIT \"${revision}\"\n#define WALKWAY_MODEL \"${model}\"\n" @ONLY)
