# SPDX-License-Identifier: MIT
# cmake -DIN=<text file> -DOUT=<c file> -DSYMBOL=<name> -P embed.cmake: writes a text file as a char array.
# Bytes, not a string literal: C11 compilers need not take literals of more than 4095 characters.
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
get_filename_component(name ${IN} NAME)
file(WRITE ${OUT} "/* Made from ${name} by embed.cmake: do not edit. */\n"
    "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n    ${bytes}0x00};\n")
