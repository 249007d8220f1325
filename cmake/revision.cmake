# SPDX-License-Identifier: MIT
# cmake -D SOURCE=DIR -D FILE=HEADER -P revision.cmake: writes the revision of the source, of a changed one with a digest of the
# changes; the file keeps its time when that is as it was.
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
file(CONFIGURE OUTPUT ${FILE} CONTENT "#define WALKWAY_GIT \"@revision@\"\n" @ONLY)
