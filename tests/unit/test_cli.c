// SPDX-License-Identifier: Apache-2.0
//
// The option parser, and names that are near.

#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static char *parse(struct jg_options *o, const char *line)
{
    static char copy[256];
    static char *argv[32];
    int argc = 0;
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return jg_options_parse(JG_COMMAND_CHECK, argc, argv, o);
}

static void options_are_parsed(void **state)
{
    (void)state;
    struct jg_options o;
    assert_null(
        parse(&o, "a.c -p dir --format=json=x=y --format text -pother --stats b.c -- -I x"));
    assert_int_equal(o.arguments.count, 2);
    assert_string_equal(o.arguments.data[1], "b.c");
    assert_string_equal(jg_options_last(&o, JG_OPT_DATABASE), "other");
    assert_string_equal(o.given.data[1].value, "json=x=y");
    assert_string_equal(jg_options_last(&o, JG_OPT_FORMAT), "text");
    assert_true(jg_options_has(&o, JG_OPT_STATS));
    assert_false(jg_options_has(&o, JG_OPT_RULE));
    assert_true(o.has_rest);
    assert_int_equal(o.rest_count, 2);
    assert_string_equal(o.rest[0], "-I");
    jg_options_fini(&o);
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"--min-confidense=low",
         "unknown option '--min-confidense=low'; did you mean '--min-confidence'?"},
        {"--stat", "unknown option '--stat'; did you mean '--stats'?"},
        {"--sarif-thing", "unknown option '--sarif-thing'; 'jniguard check --help' lists them"},
        {"--min-sev", "unknown option '--min-sev'; did you mean '--min-severity'?"},
        {"--min", "unknown option '--min'; 'jniguard check --help' lists them"}, // of two
        {"-z", "unknown option '-z'; compile arguments go after '--'"},
        {"a.c -Iinc", "unknown option '-Iinc'; compile arguments go after '--'"},
        {"-stats", "unknown option '-stats'; did you mean '--stats'?"},
        {"--stats=1", "option '--stats' takes no value"},
        {"a.c -p", "option '-p' needs a value: DIR|FILE"},
        {"--rule", "option '--rule' needs a value: ID[,ID]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_options o;
        char *error = parse(&o, cases[i].line);
        assert_non_null(error);
        assert_string_equal(error, cases[i].error);
        free(error);
        jg_options_fini(&o);
    }
}

static void the_nearest_name_is_near(void **state)
{
    (void)state;
    static const char *const names[] = {"check", "rules", "explain"};
    assert_string_equal(jg_nearest("chek", names, 3), "check");
    assert_string_equal(jg_nearest("rule", names, 3), "rules");
    assert_string_equal(jg_nearest("explian", names, 3), "explain");
    assert_null(jg_nearest("sarif", names, 3));
    assert_null(jg_nearest("", names, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_parsed),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(the_nearest_name_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
