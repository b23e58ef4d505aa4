# SPDX-License-Identifier: Apache-2.0
#
# Writes a C file that holds the rule pages, as `jg_rule_pages` of rule.c.
#
#   cmake -D LIST=pages.txt -D OUTPUT=rule_pages.c -P embed_pages.cmake
#
# LIST names the pages, one path a line; `local-ref-escape.md` is the page of
# JG_RULE_LOCAL_REF_ESCAPE, and a page without a rule does not compile. Bytes, not string literals:
# compilers need not take a literal of more than 4095 characters, and a page may be longer.

cmake_minimum_required(VERSION 3.18)

file(STRINGS "${LIST}" pages ENCODING UTF-8)

set(arrays "")
set(rows "")
foreach(page IN LISTS pages)
    get_filename_component(id "${page}" NAME_WE)
    string(TOUPPER "${id}" symbol)
    string(REPLACE "-" "_" symbol "${symbol}")
    file(READ "${page}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REPEAT "....," 16 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "\nstatic const unsigned char ${symbol}[] = {\n${bytes}0\n};\n")
    string(APPEND rows "    [JG_RULE_${symbol}] = (const char *)${symbol},\n")
endforeach()
if(rows STREQUAL "")
    set(rows "    0\n") # C11 has no empty initialiser
endif()

file(WRITE "${OUTPUT}" "// Made by rules/embed_pages.cmake from rules/docs. Do not edit.

#include \"rules/rule.h\"

extern const char *const jg_rule_pages[JG_RULE_COUNT];
${arrays}
const char *const jg_rule_pages[JG_RULE_COUNT] = {
${rows}};
")
