// SPDX-License-Identifier: Apache-2.0
//
// Suppression comments: where they are recognised, which lines they hold for, what is an error.

#include "analyzer/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

// "rule first-last" of each suppression, joined by "; ", then "! line:column text" of each error.
static const char *read_all(const char *text)
{
    static char result[4096];
    struct jg_sources sources = {0};
    struct jg_suppressions all = {0};
    jg_suppressions_read(&all, jg_sources_put(&sources, "/x.c", text, strlen(text)));
    size_t n = 0;
    result[0] = '\0';
    for (uint32_t i = 0; i < all.list.count; i++) {
        const struct jg_suppression *s = &all.list.data[i];
        n += (size_t)snprintf(result + n, sizeof result - n, "%s%s %u-", i ? "; " : "",
                              jg_rule_info(s->rule)->id, s->first);
        n += s->last == UINT32_MAX ? (size_t)snprintf(result + n, sizeof result - n, "end")
                                   : (size_t)snprintf(result + n, sizeof result - n, "%u", s->last);
    }
    for (uint32_t i = 0; i < all.errors.count; i++)
        n += (size_t)snprintf(result + n, sizeof result - n, "! %u:%u %s", all.errors.data[i].line,
                              all.errors.data[i].column, all.errors.data[i].text);
    jg_suppressions_fini(&all);
    jg_sources_fini(&sources);
    return result;
}

#define ESCAPE "local-ref-escape"
#define WRONG "ref-delete-wrong-kind"

static void suppressions_hold_for_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        // behind code: this line
        {"f(); // jniguard-ignore: " ESCAPE "\ng();\n", ESCAPE " 1-1"},
        {"f(); /* jniguard-ignore: " ESCAPE " */\ng();\n", ESCAPE " 1-1"},
        // before code, on its line
        {"/* jniguard-ignore: " ESCAPE " */ f();\ng();\n", ESCAPE " 1-1"},
        // alone: the next line of code
        {"// jniguard-ignore: " ESCAPE "\nf();\ng();\n", ESCAPE " 1-2"},
        {"/*\n * jniguard-ignore: " ESCAPE " -- why\n */\nf();\n", ESCAPE " 1-4"},
        {"// jniguard-ignore: " ESCAPE "\n// more\nf();\n", ESCAPE " 1-3"},
        {"// jniguard-ignore: " ESCAPE "\n// jniguard-ignore: " WRONG "\nf();\n",
         ESCAPE " 1-3; " WRONG " 2-3"},
        {"// jniguard-ignore: " ESCAPE "\n\nf();\n", ESCAPE " 1-1"},
        // lists and reasons
        {"f(); //jniguard-ignore:" ESCAPE "," WRONG "--x\n", ESCAPE " 1-1; " WRONG " 1-1"},
        {"f(); // jniguard-ignore: " ESCAPE " , " WRONG " -- a, b: c\n",
         ESCAPE " 1-1; " WRONG " 1-1"},
        // ranges
        {"// jniguard-ignore-begin: " ESCAPE " -- x\nf();\n// jniguard-ignore-end\n",
         ESCAPE " 1-3"},
        {"// jniguard-ignore-begin: " ESCAPE ", " WRONG "\n// jniguard-ignore-end: " WRONG
         "\n// jniguard-ignore-end: " ESCAPE "\n",
         ESCAPE " 1-3; " WRONG " 1-2"},
        {"f();\n/* jniguard-ignore-file: " ESCAPE " */\n", ESCAPE " 1-end"},
        // the body of a macro
        {"#define M(x) \\\n    f(x) /* jniguard-ignore: " ESCAPE " */ \\\n    g(x)\n",
         ESCAPE " 2-2"},
        // C++ and Windows line ends
        {"f(R\"(// jniguard-ignore: " WRONG ")\"); // jniguard-ignore: " ESCAPE "\r\n",
         ESCAPE " 1-1"},
        // what only looks like one
        {"f(\"// jniguard-ignore: " ESCAPE "\");\n", ""},
        {"f('\"'); // see jniguard-ignore: " ESCAPE "\n", ""},
        {"/* Prose.\n * jniguard-ignore: " ESCAPE "\n */\nf();\n", ""},
        {"/* jniguard-ignore: " ESCAPE " -- why,\n * and more\n * jniguard-ignore: " WRONG
         "\n */\nf();\n",
         ESCAPE " 1-5"},
        {"// jniguard-annotations: none\n", ""},
        {"// jniguard is a tool\n", ""},
        // several in one comment, one a line
        {"/* jniguard-ignore: " ESCAPE "\n *\n * jniguard-ignore: " WRONG "\n */\nf();\n",
         ESCAPE " 1-5; " WRONG " 1-5"},
        {"int x; // no marker\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_all(cases[i].text), cases[i].expected);
}

static void mistakes_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"f(); // jniguard-ignore: local-ref-escap\n",
         "! 1:26 no rule is called 'local-ref-escap'; did you mean 'local-ref-escape'?"},
        {"// jniguard-ignore: zzzzzz\n",
         "! 1:21 no rule is called 'zzzzzz'; 'jniguard rules' lists them"},
        {"// jniguard-ignore: *\n", "! 1:21 no rule is called '*'; 'jniguard rules' lists them"},
        {"// jniguard-ignore\n",
         "! 1:4 jniguard-ignore names no rule: jniguard-ignore: RULE -- why"},
        {"// jniguard-ignore: -- because\n",
         "! 1:4 jniguard-ignore names no rule: jniguard-ignore: RULE -- why"},
        {"// jniguard-ignore-next-line: " ESCAPE "\n",
         "! 1:4 unknown form of jniguard-ignore; there are -begin, -end and -file"},
        {"// jniguard-ingore: " ESCAPE "\n",
         "! 1:4 no directive is called 'jniguard-ingore'; did you mean 'jniguard-ignore'?"},
        {"f(); /* jniguard-ignore-fil: " ESCAPE " */\n",
         "! 1:9 no directive is called 'jniguard-ignore-fil'; did you mean "
         "'jniguard-ignore-file'?"},
        {"// jniguard-ingore-begn: " ESCAPE "\n", ""}, // three edits away
        {"// jniguard-ignore-begin: " ESCAPE "\n", ESCAPE
         " 1-end! 1:27 jniguard-ignore-begin of 'local-ref-escape' has no jniguard-ignore-end"},
        {"// jniguard-ignore-end\n", "! 1:4 jniguard-ignore-end without a jniguard-ignore-begin"},
        {"// jniguard-ignore-end: " ESCAPE "\n", "! 1:25 jniguard-ignore-end without a "
                                                 "jniguard-ignore-begin of 'local-ref-escape'"},
        {"f(); // jniguard-ignore: " ESCAPE " because\n",
         ESCAPE " 1-1! 1:43 a comma, or ' -- ' and the reason, belongs here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_all(cases[i].text), cases[i].expected);
}

static void any_bytes_are_read_without_harm(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "/*", "*/",       "//",   "\"",   "'", "\\",   "\n",   "\r\n", "R\"x(", "jniguard-ignore",
        ":",  "-begin: ", "-end", ESCAPE, ",", " -- ", "\xff", "#",    "(",     "a"};
    unsigned seed = 1;
    for (unsigned round = 0; round < 3000; round++) {
        char text[512] = "jniguard-ignore ";
        for (unsigned i = 0; i < 20; i++) {
            seed = seed * 1103515245u + 12345u;
            strcat(text, pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
        }
        (void)read_all(text); // the sanitizers judge
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppressions_hold_for_lines),
        cmocka_unit_test(mistakes_are_errors),
        cmocka_unit_test(any_bytes_are_read_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
