# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=<program> -DOUT=<file> [-DTOOL=ON] -P describe.cmake: writes the program's description of itself, with the
# bytes of its buffers at each preset, so that 'walkway list workloads' need not start it. A tool's states only that it is one.
set(ENV{ASAN_OPTIONS} detect_leaks=0)

function(ww_ask result) # <words of the command>
    execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE wrong RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${PROGRAM} ${ARGN}: ${code}: ${wrong}")
    endif()
    set(${result} "${said}" PARENT_SCOPE)
endfunction()

if(TOOL)
    file(WRITE ${OUT} "{\"tool\": true}\n")
    return()
endif()
ww_ask(description --describe)
string(JSON presets LENGTH "${description}" presets)
math(EXPR last "${presets} - 1")
foreach(i RANGE ${last})
    string(JSON preset GET "${description}" presets ${i} name)
    ww_ask(at_preset --describe --preset ${preset})
    string(JSON bytes GET "${at_preset}" footprint_bytes)
    string(JSON description SET "${description}" presets ${i} footprint_bytes ${bytes})
endforeach()
file(WRITE ${OUT} "${description}\n")
