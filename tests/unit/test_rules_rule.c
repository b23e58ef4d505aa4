// SPDX-License-Identifier: Apache-2.0
//
// The table of rules: its shape, the search by id, and the pages.

#include "rules/rule.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct jg_rule_info *rule(unsigned i)
{
    return jg_rule_info((enum jg_rule)i);
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0)
            return true;
    }
    return false;
}

static void ids_are_unique_words_with_hyphens(void **state)
{
    (void)state;
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const char *id = rule(i)->id;
        assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(id));
        assert_non_null(strchr(id, '-'));
        assert_int_equal(jg_rule_find(id), i);
    }
}

static void symbols_are_the_ids(void **state)
{
    (void)state;
    static const char *const symbols[] = {
#define JG_RULE(symbol, ...) #symbol,
#include "rules/rules.def"
    };
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const char *id = rule(i)->id;
        assert_int_equal(strlen(symbols[i]), strlen(id));
        for (size_t c = 0; id[c]; c++)
            assert_int_equal(symbols[i][c], id[c] == '-' ? '_' : toupper((unsigned char)id[c]));
    }
}

static void families_are_in_order_and_all_used(void **state)
{
    (void)state;
    unsigned family = 0;
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        if (rule(i)->family != family)
            family++;
        assert_int_equal(rule(i)->family, family);
    }
    assert_int_equal(family, JG_FAMILY_COUNT - 1);
    assert_string_equal(jg_family_name(JG_FAMILY_references), "references");
    assert_string_equal(jg_family_name(JG_FAMILY_cost), "cost");
}

static void titles_are_one_line_without_full_stop(void **state)
{
    (void)state;
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const char *title = rule(i)->title;
        assert_in_range(strlen(title), 10, 90);
        assert_null(strpbrk(title, "\n\t"));
        assert_int_not_equal(title[strlen(title) - 1], '.');
        assert_in_range(title[0], 'A', 'Z');
    }
}

static void rules_that_find_defects_have_a_cwe(void **state)
{
    (void)state;
    for (unsigned i = 0; i < JG_RULE_COUNT; i++)
        assert_int_equal(rule(i)->cwe == 0, i == JG_RULE_SUPPRESSION_UNUSED);
    assert_int_equal(rule(JG_RULE_LOCAL_REF_LEAK_IN_LOOP)->cwe, 401);
    assert_int_equal(rule(JG_RULE_PERF_UNCACHED_ID)->cwe, 1176);
}

static void severities_and_confidences(void **state)
{
    (void)state;
    assert_int_equal(rule(JG_RULE_LOCAL_REF_LEAK_IN_LOOP)->severity, JG_WARNING);
    assert_int_equal(rule(JG_RULE_EXCEPTION_PENDING_CALL)->severity, JG_ERROR);
    assert_int_equal(rule(JG_RULE_EXCEPTION_SWALLOWED)->severity, JG_NOTE);

    static const char *const heuristic[] = {"global-ref-never-deleted", "string-modified-utf8",
                                            "perf-whole-array-copy"};
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        bool is_heuristic = is_one_of(rule(i)->id, heuristic, COUNT(heuristic));
        assert_int_equal(rule(i)->confidence, is_heuristic ? JG_MEDIUM : JG_HIGH);
    }
}

static void rules_that_one_half_never_reports(void **state)
{
    (void)state;
    static const char *const analyzer_only[] = {"local-ref-escape", "exception-unchecked-null",
                                                "no-jni-violated"};
    for (size_t i = 0; i < COUNT(analyzer_only); i++)
        assert_false(rule(jg_rule_find(analyzer_only[i]))->agent);
    assert_false(rule(JG_RULE_CRITICAL_HELD_LONG)->analyzer);
    assert_false(rule(JG_RULE_LOCAL_REF_HIGH_WATER)->analyzer);
    assert_true(rule(JG_RULE_LOCAL_REF_LEAK_IN_LOOP)->analyzer);
}

static void unknown_ids_are_not_found(void **state)
{
    (void)state;
    static const char *const ids[] = {"", "local-ref", "local-ref-leak-in-loop ",
                                      "Local-ref-escape", "LOCAL_REF_ESCAPE"};
    for (size_t i = 0; i < COUNT(ids); i++)
        assert_int_equal(jg_rule_find(ids[i]), JG_RULE_NONE);
}

static void nearest_id(void **state)
{
    (void)state;
    static const struct {
        const char *typed;
        const char *nearest;
    } cases[] = {
        {"local-ref-escape", "local-ref-escape"},
        {"local-ref-escap", "local-ref-escape"},
        {"local_ref_escape", "local-ref-escape"},
        {"localref-escape", "local-ref-escape"},
        {"ref-dubble-delete", "ref-double-delete"},
        {"suppression-unsued", "suppression-unused"},
        {"buffer-not-released", "buffer-unreleased"},
        {"xyz", NULL},
        {"", NULL},
        {"something-else-entirely", NULL},
        {"local-ref-leak-in-loop-local-ref-leak-in-loop-local-ref-leak-in-loop", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *nearest = jg_rule_nearest(cases[i].typed);
        if (!cases[i].nearest) {
            assert_null(nearest);
            continue;
        }
        assert_non_null(nearest);
        assert_string_equal(nearest, cases[i].nearest);
    }
}

static void pages_begin_with_their_id(void **state)
{
    (void)state;
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const char *page = jg_rule_page((enum jg_rule)i);
        if (!page)
            continue;
        char heading[128] = {0};
        strncpy(heading, page, sizeof heading - 1);
        heading[strcspn(heading, "\n")] = '\0';
        if (heading[0] != '#' || !strstr(heading, rule(i)->id))
            fail_msg("the page of %s begins with \"%s\"", rule(i)->id, heading);
        assert_int_equal(page[strlen(page) - 1], '\n');
    }
}

static void names_of_severity_and_confidence(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        enum jg_severity severity;
        enum jg_confidence confidence;
        assert_true(jg_severity_parse(jg_severity_name((enum jg_severity)i), &severity));
        assert_int_equal(severity, i);
        assert_true(jg_confidence_parse(jg_confidence_name((enum jg_confidence)i), &confidence));
        assert_int_equal(confidence, i);
    }
    assert_string_equal(jg_severity_name(JG_WARNING), "warning");
    assert_string_equal(jg_confidence_name(JG_MEDIUM), "medium");
}

static void other_names_are_refused(void **state)
{
    (void)state;
    enum jg_severity severity = JG_ERROR;
    enum jg_confidence confidence = JG_HIGH;
    static const char *const names[] = {"", "Warning", "warn", "errors", "off"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_false(jg_severity_parse(names[i], &severity));
        assert_false(jg_confidence_parse(names[i], &confidence));
    }
    assert_int_equal(severity, JG_ERROR);
    assert_int_equal(confidence, JG_HIGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_unique_words_with_hyphens),
        cmocka_unit_test(symbols_are_the_ids),
        cmocka_unit_test(families_are_in_order_and_all_used),
        cmocka_unit_test(titles_are_one_line_without_full_stop),
        cmocka_unit_test(rules_that_find_defects_have_a_cwe),
        cmocka_unit_test(severities_and_confidences),
        cmocka_unit_test(rules_that_one_half_never_reports),
        cmocka_unit_test(unknown_ids_are_not_found),
        cmocka_unit_test(nearest_id),
        cmocka_unit_test(pages_begin_with_their_id),
        cmocka_unit_test(names_of_severity_and_confidence),
        cmocka_unit_test(other_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
