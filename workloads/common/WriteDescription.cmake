# SPDX-License-Identifier: MIT
# ww_write_description(<target> [TOOL]): writes the description beside the program after each link, so that it is never older.
function(ww_write_description target)
    if(CMAKE_CROSSCOMPILING)
        return()
    endif()
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/describe.cmake)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DOUT=$<TARGET_FILE:${target}>.json
                $<$<STREQUAL:${ARGN},TOOL>:-DTOOL=ON> -P ${script} COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
