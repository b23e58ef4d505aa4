// SPDX-License-Identifier: Apache-2.0
//
// The option parser, and the bytes in which a worker sends its results.

#include "analyzer/cli/cli.h"
#include "analyzer/cli/unit_run.h"

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

// ---- wire ---------------------------------------------------------------------------------------

static void fill(struct jg_unit_result *r)
{
    jg_unit_result_init(r);
    r->report.path = "/x/a.c";
    r->report.outcome = JG_OUTCOME_DEGRADED;
    r->report.error_count = 12;
    r->report.functions = 3;
    r->report.degraded_functions = 1;
    struct jg_unit_error *e = JG_VEC_PUSH(&r->report.errors);
    e->text = "about the command line";
    e = JG_VEC_PUSH(&r->report.errors);
    *e = (struct jg_unit_error){"/x/a.c", 4, 5, "expected ';'"};
    *JG_VEC_PUSH(&r->report.files) = "/x/a.c";
    *JG_VEC_PUSH(&r->report.files) = "/x/a.h";
    *JG_VEC_PUSH(&r->unmodelled) = (struct jg_unmodelled_count){"StmtExpr", 77};
    r->stats.jni_calls = 9;
    struct jg_finding *f = JG_VEC_PUSH(&r->findings.list);
    f->rule = JG_RULE_CRITICAL_JNI_CALL;
    f->severity = JG_ERROR;
    f->confidence = JG_MEDIUM;
    f->at = (struct jg_position){"/x/a.c", 1, 2, 3, 4};
    f->function = "fn";
    f->message = "";
    f->steps[0] = (struct jg_step){{"/x/a.h", 5, 6, 0, 0}, "entered here"};
    f->step_count = 1;
    f->notes[0] = (struct jg_step){{"/x/a.c", 7, 8, 0, 0}, "and here"};
    f->note_count = 1;
}

static void results_survive_the_wire(void **state)
{
    (void)state;
    struct jg_unit_result sent, got;
    struct jg_bytes bytes = {0};
    fill(&sent);
    jg_wire_write(&bytes, &sent);
    jg_unit_result_init(&got);
    assert_true(jg_wire_read(&bytes, &got));
    assert_null(got.fatal);
    assert_string_equal(got.report.path, "/x/a.c");
    assert_int_equal(got.report.outcome, JG_OUTCOME_DEGRADED);
    assert_int_equal(got.report.error_count, 12);
    assert_int_equal(got.report.errors.count, 2);
    assert_null(got.report.errors.data[0].path);
    assert_string_equal(got.report.errors.data[1].text, "expected ';'");
    assert_string_equal(got.report.files.data[1], "/x/a.h");
    assert_string_equal(got.unmodelled.data[0].construct, "StmtExpr");
    assert_int_equal(got.unmodelled.data[0].count, 77);
    assert_int_equal(got.stats.jni_calls, 9);
    const struct jg_finding *f = &got.findings.list.data[0];
    assert_int_equal(f->rule, JG_RULE_CRITICAL_JNI_CALL);
    assert_int_equal(f->at.end_column, 4);
    assert_string_equal(f->message, "");
    assert_string_equal(f->steps[0].message, "entered here");
    assert_string_equal(f->notes[0].at.path, "/x/a.c");
    // and what was read writes the same bytes
    struct jg_bytes again = {0};
    jg_wire_write(&again, &got);
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.data, bytes.data, bytes.count);
    JG_VEC_FREE(&again);
    jg_unit_result_fini(&got);
    jg_unit_result_fini(&sent);
    JG_VEC_FREE(&bytes);
}

static bool readable(const char *data, uint32_t size)
{
    struct jg_unit_result got;
    struct jg_bytes bytes = {0};
    jg_bytes_add(&bytes, data, size);
    jg_unit_result_init(&got);
    bool ok = jg_wire_read(&bytes, &got);
    jg_unit_result_fini(&got);
    JG_VEC_FREE(&bytes);
    return ok;
}

static void broken_results_are_refused(void **state)
{
    (void)state;
    struct jg_unit_result sent;
    struct jg_bytes bytes = {0};
    fill(&sent);
    jg_wire_write(&bytes, &sent);
    for (uint32_t size = 0; size < bytes.count; size++)
        assert_false(readable(bytes.data, size)); // cut off anywhere
    for (uint32_t i = 0; i < bytes.count; i++) {  // any byte wrong: refused or read, never a crash
        char saved = bytes.data[i];
        bytes.data[i] = (char)~saved;
        (void)readable(bytes.data, bytes.count);
        bytes.data[i] = saved;
    }
    assert_true(readable(bytes.data, bytes.count));
    jg_bytes_add(&bytes, "x", 1);
    assert_false(readable(bytes.data, bytes.count)); // something follows
    jg_unit_result_fini(&sent);
    JG_VEC_FREE(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_parsed),         cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(the_nearest_name_is_near),   cmocka_unit_test(results_survive_the_wire),
        cmocka_unit_test(broken_results_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
