// SPDX-License-Identifier: Apache-2.0
//
// From findings to what is shown: fingerprints, filters, suppression of findings, exit codes, and
// the text and JSON writers.

#include "analyzer/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct jg_findings findings;
static struct jg_report report;

static int begin(void **state)
{
    (void)state;
    jg_findings_init(&findings);
    jg_report_init(&report, &findings);
    free(report.cwd);
    report.cwd = jg_strdup("/project");
    return 0;
}

static int end(void **state)
{
    (void)state;
    jg_report_fini(&report);
    jg_findings_fini(&findings);
    return 0;
}

static void put_source(const char *path, const char *text)
{
    jg_sources_put(&report.sources, path, text, strlen(text));
}

static struct jg_unit_report *add_unit(const char *path, enum jg_unit_outcome outcome)
{
    struct jg_unit_report *u = JG_VEC_PUSH(&report.units);
    u->path = path;
    u->outcome = outcome;
    *JG_VEC_PUSH(&u->files) = path;
    return u;
}

static struct jg_finding *add(enum jg_rule rule, const char *path, uint32_t line, uint32_t column,
                              uint32_t length)
{
    struct jg_finding *f = JG_VEC_PUSH(&findings.list);
    f->rule = rule;
    f->severity = jg_rule_info(rule)->severity;
    f->confidence = JG_HIGH;
    f->at =
        (struct jg_position){path, line, column, length ? line : 0, length ? column + length : 0};
    f->function = "fn";
    f->message = "something is wrong";
    return f;
}

// ---- fingerprints -------------------------------------------------------------------------------

static const char *fingerprint(const char *text, uint32_t line, uint32_t column)
{
    static char results[8][33];
    static unsigned next;
    struct jg_sources sources = {0};
    struct jg_finding f = {.rule = JG_RULE_LOCAL_REF_ESCAPE,
                           .at = {"/x.c", line, column, 0, 0},
                           .function = "fn",
                           .message = "m"};
    jg_sources_put(&sources, "/x.c", text, strlen(text));
    jg_report_fingerprint(&sources, &f);
    jg_sources_fini(&sources);
    assert_int_equal(strlen(f.fingerprint), 32);
    next = (next + 1) % 8;
    return strcpy(results[next], f.fingerprint);
}

static void fingerprints_follow_the_statement(void **state)
{
    (void)state;
    const char *plain = fingerprint("{ g = find(env, a); }", 1, 7);
    // moved, laid out differently, commented
    assert_string_equal(plain,
                        fingerprint("\n\n{\n\tg =\n  find( env,a ) /* x; */; // y\n}", 4, 4));
    assert_string_equal(plain, fingerprint("{ x(); g = find(env, a); y(); }", 1, 12));
    // anywhere inside
    assert_string_equal(plain, fingerprint("{ g = find(env, a); }", 1, 17));
    assert_string_equal(plain, fingerprint("{ g = find(\n#if X\n env,\n#endif\n a); }", 1, 7));
    // another statement, another string
    assert_string_not_equal(plain, fingerprint("{ g = find(env, b); }", 1, 7));
    assert_string_not_equal(fingerprint("f(\"a b\");", 1, 1), fingerprint("f(\"a  b\");", 1, 1));
}

static void fingerprints_survive_odd_places(void **state)
{
    (void)state;
    (void)fingerprint("", 1, 1);
    (void)fingerprint("x", 7, 9);
    (void)fingerprint("/* only */", 1, 3);
    (void)fingerprint("}{", 1, 1);
    (void)fingerprint("#define M(x) f(x); g(x)\n", 1, 15);
    struct jg_sources sources = {0};
    struct jg_finding f = {
        .at = {"/does/not/exist.c", 1, 1, 0, 0}, .function = "f", .message = "m"};
    jg_report_fingerprint(&sources, &f);
    assert_int_equal(strlen(f.fingerprint), 32);
    jg_sources_fini(&sources);
}

// ---- filter and suppression ---------------------------------------------------------------------

static void lists_of_names_are_parsed(void **state)
{
    (void)state;
    bool set[JG_RULE_COUNT] = {false};
    assert_null(jg_rules_parse("local-ref-escape, critical-jni-call", set));
    assert_true(set[JG_RULE_LOCAL_REF_ESCAPE]);
    assert_true(set[JG_RULE_CRITICAL_JNI_CALL]);
    assert_false(set[JG_RULE_BUFFER_UNRELEASED]);
    assert_null(jg_families_parse("buffers", set));
    assert_true(set[JG_RULE_BUFFER_UNRELEASED]);

    static const struct {
        char *(*parse)(const char *, bool *);
        const char *list, *error;
    } cases[] = {
        {jg_rules_parse, "local-ref-escap",
         "no rule is called 'local-ref-escap'; did you mean 'local-ref-escape'?"},
        {jg_families_parse, "buffer",
         "no family is called 'buffer'; there are references, "
         "exceptions, critical, buffers, threads, types, cost"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *error = cases[i].parse(cases[i].list, set);
        assert_non_null(error);
        assert_string_equal(error, cases[i].error);
        free(error);
    }
}

static void filters_hide_findings(void **state)
{
    (void)state;
    add_unit("/project/a.c", JG_OUTCOME_OK);
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, 1, 1);                          // error, high
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 2, 1, 1)->confidence = JG_LOW;     // hidden
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 3, 1, 1)->severity = JG_NOTE;      // hidden
    add(JG_RULE_BUFFER_UNRELEASED, "/project/a.c", 4, 1, 1)->confidence = JG_MEDIUM; // warning
    struct jg_filter filter;
    jg_filter_init(&filter);
    filter.rule[JG_RULE_LOCAL_REF_ESCAPE] = false;
    jg_report_prepare(&report, &filter, JG_FAIL_ERROR);
    assert_int_equal(report.shown, 1);
    assert_int_equal(findings.list.data[0].rule, JG_RULE_BUFFER_UNRELEASED);
    assert_int_equal(jg_report_exit_code(&report), 0); // a warning, and only errors fail
}

#define NO_FUNCTION UINT32_MAX

static void exit_codes_follow_the_contract(void **state)
{
    static const struct {
        enum jg_severity severity;
        enum jg_confidence confidence;
        enum jg_fail_on fail_on;
        enum jg_unit_outcome outcome;
        uint32_t degraded; // functions of 20
        int code;
    } cases[] = {
        {JG_WARNING, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_OK, 0, 1},
        {JG_WARNING, JG_MEDIUM, JG_FAIL_WARNING, JG_OUTCOME_OK, 0, 1},
        {JG_WARNING, JG_LOW, JG_FAIL_WARNING, JG_OUTCOME_OK, 0, 0},
        {JG_NOTE, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_OK, 0, 0},
        {JG_NOTE, JG_HIGH, JG_FAIL_NOTE, JG_OUTCOME_OK, 0, 1},
        {JG_ERROR, JG_HIGH, JG_FAIL_NEVER, JG_OUTCOME_OK, 0, 0},
        {JG_NOTE, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_FAILED, 0, 3},
        {JG_ERROR, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_FAILED, 0, 1}, // 1 wins over 3
        {JG_NOTE, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_DEGRADED, 2, 0},
        {JG_NOTE, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_DEGRADED, 3, 3},
        {JG_NOTE, JG_HIGH, JG_FAIL_WARNING, JG_OUTCOME_DEGRADED, NO_FUNCTION, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_filter filter;
        jg_filter_init(&filter);
        filter.min_severity = JG_NOTE;
        filter.min_confidence = JG_LOW;
        add_unit("/project/ok.c", JG_OUTCOME_OK);
        struct jg_unit_report *u = add_unit("/project/x.c", cases[i].outcome);
        u->functions = cases[i].degraded == NO_FUNCTION ? 0 : 20;
        u->degraded_functions = cases[i].degraded == NO_FUNCTION ? 0 : cases[i].degraded;
        struct jg_finding *f = add(JG_RULE_LOCAL_REF_ESCAPE, "/project/ok.c", 1, 1, 1);
        f->severity = cases[i].severity;
        f->confidence = cases[i].confidence;
        jg_report_prepare(&report, &filter, cases[i].fail_on);
        assert_int_equal(jg_report_exit_code(&report), cases[i].code);
        end(state);
        begin(state);
    }
    assert_int_equal(jg_report_exit_code(&report), 3); // nothing was analysed
}

static void suppressions_count_on_every_line_of_a_finding(void **state)
{
    (void)state;
    put_source("/project/a.c",
               "a(); // jniguard-ignore: local-ref-escape\n" // 1 primary
               "b();\n"
               "c(); // jniguard-ignore: buffer-unreleased\n"   // 3 last step
               "d(); // jniguard-ignore: critical-unreleased\n" // 4 note
               "e(\n"
               "); // jniguard-ignore: ref-delete-wrong-kind\n" // 6 end of the range
               "g(); // jniguard-ignore: critical-jni-call\n"); // 7 nothing
    add_unit("/project/a.c", JG_OUTCOME_OK);
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, 1, 1);
    struct jg_finding *f = add(JG_RULE_BUFFER_UNRELEASED, "/project/a.c", 2, 1, 1);
    f->steps[0] = (struct jg_step){{"/project/a.c", 2, 1, 0, 0}, "acquired here"};
    f->steps[1] = (struct jg_step){{"/project/a.c", 3, 1, 0, 0}, "returned here"};
    f->step_count = 2;
    f = add(JG_RULE_CRITICAL_UNRELEASED, "/project/a.c", 2, 1, 1);
    f->notes[0] = (struct jg_step){{"/project/a.c", 4, 1, 0, 0}, "and here"};
    f->note_count = 1;
    add(JG_RULE_REF_DELETE_WRONG_KIND, "/project/a.c", 5, 1, 1)->at.end_line = 6;
    add(JG_RULE_CRITICAL_JNI_CALL, "/project/a.c", 2, 1, 1);
    struct jg_filter filter;
    jg_filter_init(&filter);
    filter.min_severity = JG_NOTE;
    jg_report_prepare(&report, &filter, JG_FAIL_WARNING);
    assert_int_equal(report.suppressed, 4);
    assert_int_equal(report.shown, 2);
    const struct jg_finding *last = &findings.list.data[findings.list.count - 1];
    assert_int_equal(last->rule, JG_RULE_SUPPRESSION_UNUSED);
    assert_int_equal(last->at.line, 7);
    assert_int_equal(last->at.column, 26);
}

static void suppressions_are_judged_only_where_all_was_seen(void **state)
{
    (void)state;
    struct jg_filter filter;
    jg_filter_init(&filter);
    filter.min_severity = JG_NOTE;
    put_source("/project/a.c", "a(); // jniguard-ignore: local-ref-escape\n");
    put_source("/project/b.c", "a(); // jniguard-ignore: local-ref-high-water\n"); // the agent's
    add_unit("/project/a.c", JG_OUTCOME_DEGRADED);
    add_unit("/project/b.c", JG_OUTCOME_OK);
    jg_report_prepare(&report, &filter, JG_FAIL_WARNING);
    assert_int_equal(report.shown, 0);
}

static void a_suppression_of_an_unknown_rule_ends_with_2(void **state)
{
    (void)state;
    struct jg_filter filter;
    jg_filter_init(&filter);
    put_source("/project/a.c", "a(); // jniguard-ignore: no-such-rule\n");
    add_unit("/project/a.c", JG_OUTCOME_OK);
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, 1, 1);
    jg_report_prepare(&report, &filter, JG_FAIL_WARNING);
    assert_int_equal(report.shown, 1); // and the findings are still shown
    assert_int_equal(jg_report_exit_code(&report), 2);
}

// ---- writers ------------------------------------------------------------------------------------

static char *written(void (*write)(struct jg_report *, const struct jg_output *), bool colour)
{
    static char *text; // open_memstream keeps its address
    size_t size;
    struct jg_output out = {open_memstream(&text, &size), colour};
    write(&report, &out);
    fclose(out.file);
    return text;
}

static void assert_text(const char *expected)
{
    char *text = written(jg_write_text, false);
    assert_string_equal(text, expected);
    free(text);
}

static void text_has_a_snippet_and_the_path(void **state)
{
    (void)state;
    put_source("/project/src/a.c", "int x;\n\tjobject o = find(env);\n");
    struct jg_finding *f = add(JG_RULE_LOCAL_REF_ESCAPE, "/project/src/a.c", 2, 2, 7);
    f->steps[0] = (struct jg_step){{"/other/b.h", 3, 4, 0, 0}, "made here"};
    f->step_count = 1;
    f->notes[0] = (struct jg_step){{"/project/src/a.c", 1, 1, 0, 0}, "expanded from macro 'M'"};
    f->note_count = 1;
    assert_text("src/a.c:2:2: error: something is wrong [local-ref-escape]\n"
                "    2 | \tjobject o = find(env);\n"
                "      | \t^~~~~~~\n"
                "/other/b.h:3:4: note: made here\n"
                "src/a.c:1:1: note: expanded from macro 'M'\n");
}

static void carets_stand_under_wide_and_odd_characters(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t column, length;
        const char *shown, *under;
    } cases[] = {
        {"x", 1, 0, "x", "^"},
        {"ab cd", 4, 2, "ab cd", "   ^~"},
        {"\xc3\xa9 x", 4, 1, "\xc3\xa9 x", "  ^"},                       // e acute: one column
        {"\xe6\xbc\xa2 x", 5, 1, "\xe6\xbc\xa2 x", "   ^"},              // a wide character
        {"e\xcc\x81 x", 5, 1, "e\xcc\x81 x", "  ^"},                     // a combining one
        {"\xff x", 3, 1, "\\xff x", "     ^"},                           // invalid UTF-8
        {"\x1b[31m x", 7, 1, "\\x1b[31m x", "         ^"},               // an escape sequence
        {"\xe2\x80\xae x", 5, 1, "\\u202e x", "       ^"},               // reorders text
        {"\xed\xa0\x80 x", 5, 1, "\\xed\\xa0\\x80 x", "             ^"}, // a surrogate
        {"a\r", 1, 1, "a", "^"},                                         // a Windows line end
        {"abc", 4, 1, "abc", "   ^"},                                    // just behind the end
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_source("/project/a.c", cases[i].line);
        findings.list.count = 0;
        add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, cases[i].column, cases[i].length);
        char *expected = jg_format("a.c:1:%u: error: something is wrong [local-ref-escape]\n"
                                   "    1 | %s\n      | %s\n",
                                   cases[i].column, cases[i].shown, cases[i].under);
        assert_text(expected);
        free(expected);
    }
}

static void long_lines_are_cut_around_the_caret(void **state)
{
    (void)state;
    char line[5001];
    memset(line, 'x', 5000);
    line[5000] = '\0';
    put_source("/project/a.c", line);
    add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, 2500, 1000);
    char *text = written(jg_write_text, false);
    char *second = strchr(text, '\n') + 1;
    assert_true(strcspn(second, "\n") < 190);
    assert_memory_equal(second, "    1 | ...xxx", 14);
    char *third = strchr(second, '\n') + 1;
    assert_true(strcspn(third, "\n") < 190);
    // the caret stands under byte 2500, which is 80 bytes into the part shown
    assert_int_equal(strchr(third, '^') - third, 8 + 3 + 80);
    free(text);
}

static void text_survives_a_missing_source(void **state)
{
    (void)state;
    struct jg_finding *f = add(JG_RULE_LOCAL_REF_ESCAPE, "/nowhere/a\x1b[2J.c", 7, 3, 1);
    f->message = "name '\x07'";
    assert_text("/nowhere/a\\x1b[2J.c:7:3: error: name '\\x07' [local-ref-escape]\n");
}

static void colour_is_only_for_those_who_want_it(void **state)
{
    (void)state;
    add(JG_RULE_LOCAL_REF_ESCAPE, "/nowhere/a.c", 7, 3, 1);
    char *plain = written(jg_write_text, false), *coloured = written(jg_write_text, true);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(coloured, "\033[1;31merror: \033[0m"));
    free(plain);
    free(coloured);
}

static void json_is_one_object_a_line(void **state)
{
    (void)state;
    put_source("/project/a.c", "a();\n");
    add_unit("/project/a.c", JG_OUTCOME_OK);
    struct jg_finding *f = add(JG_RULE_LOCAL_REF_ESCAPE, "/project/a.c", 1, 1, 0);
    f->message = "quote \" and \xff and \xc3\xa9";
    f->steps[0] = (struct jg_step){{"/x/b.h", 3, 4, 0, 0}, "made here"};
    f->step_count = 1;
    struct jg_filter filter;
    jg_filter_init(&filter);
    jg_report_prepare(&report, &filter, JG_FAIL_WARNING);
    char *text = written(jg_write_json, false), *rest = text, *line;
    static const char *const types[] = {"finding", "unit", "summary"};
    for (unsigned i = 0; (line = strsep(&rest, "\n")) != NULL && *line; i++) {
        json_error_t error;
        json_t *object = json_loads(line, 0, &error);
        assert_non_null(object);
        assert_true(i < 3);
        assert_string_equal(json_string_value(json_object_get(object, "type")), types[i]);
        if (i == 0) {
            assert_string_equal(json_string_value(json_object_get(object, "message")),
                                "quote \" and \xef\xbf\xbd and \xc3\xa9");
            assert_string_equal(json_string_value(json_object_get(object, "path")), "a.c");
            assert_int_equal(json_integer_value(json_object_get(object, "endLine")), 1);
            assert_int_equal(json_integer_value(json_object_get(object, "endColumn")), 2);
            assert_int_equal(json_array_size(json_object_get(object, "steps")), 1);
            assert_true(json_is_false(json_object_get(object, "suppressed")));
        }
        json_decref(object);
    }
    free(text);
}

static void files_are_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    char path[] = "/tmp/jg-report-XXXXXX";
    assert_non_null(mkdtemp(path));
    char *file = jg_format("%s/out.json", path);
    assert_null(jg_report_write(&report, jg_format_find("json"), file));
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    assert_true(st.st_size > 0);
    unlink(file);
    free(file);
    file = jg_format("%s/missing/out.json", path);
    char *error = jg_report_write(&report, jg_format_find("json"), file);
    assert_non_null(strstr(error, "No such file or directory"));
    free(error);
    free(file);
    assert_int_equal(rmdir(path), 0); // nothing was left behind
    error = jg_report_write(&report, jg_format_find("json"), "/dev/full");
    assert_non_null(strstr(error, "No space left on device"));
    free(error);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(fingerprints_follow_the_statement),
        TEST(fingerprints_survive_odd_places),
        TEST(lists_of_names_are_parsed),
        TEST(filters_hide_findings),
        TEST(exit_codes_follow_the_contract),
        TEST(suppressions_count_on_every_line_of_a_finding),
        TEST(suppressions_are_judged_only_where_all_was_seen),
        TEST(a_suppression_of_an_unknown_rule_ends_with_2),
        TEST(text_has_a_snippet_and_the_path),
        TEST(carets_stand_under_wide_and_odd_characters),
        TEST(long_lines_are_cut_around_the_caret),
        TEST(text_survives_a_missing_source),
        TEST(colour_is_only_for_those_who_want_it),
        TEST(json_is_one_object_a_line),
        TEST(files_are_replaced_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
