// SPDX-License-Identifier: Apache-2.0
//
// The protocols: runs of events on one state, as the agent makes them, and on sets of states, as
// the analyzer does.

#include "rules/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// Events and, for each, the rule that it breaks.
struct run {
    const char *what;
    enum jg_kind kind;
    enum jg_state start, end;
    unsigned count;
    struct {
        enum jg_event event;
        unsigned rule;
    } steps[4];
};

static void perform(const struct run *run)
{
    enum jg_state state = run->start;
    for (unsigned i = 0; i < run->count; i++) {
        struct jg_transition step = jg_protocol_step(run->kind, state, run->steps[i].event);
        if (step.rule != run->steps[i].rule)
            fail_msg("%s: event %u (%s) gives rule %u, not %u", run->what, i,
                     jg_event_title(run->steps[i].event), step.rule, run->steps[i].rule);
        state = (enum jg_state)step.next;
    }
    if (state != run->end)
        fail_msg("%s: ends %s, not %s", run->what, jg_state_title(state), jg_state_title(run->end));
}

// clang-format off
#define RUN(kind, start, end, count, ...) \
    JG_KIND_##kind, JG_STATE_##start, JG_STATE_##end, count, {__VA_ARGS__}
#define OK(event) {JG_EVENT_##event, JG_RULE_NONE}
#define BAD(event, rule) {JG_EVENT_##event, JG_RULE_##rule}

static const struct run runs[] = {
    {"a local reference is used and deleted",
     RUN(LOCAL, LIVE, DELETED, 2,
         OK(USE), OK(DELETE_LOCAL))},
    {"a local reference is deleted twice",
     RUN(LOCAL, LIVE, DELETED, 2,
         OK(DELETE_LOCAL), BAD(DELETE_LOCAL, REF_DOUBLE_DELETE))},
    {"a local reference is used after deletion",
     RUN(LOCAL, LIVE, DELETED, 2,
         OK(DELETE_LOCAL), BAD(USE, REF_USE_AFTER_DELETE))},
    {"a local reference is deleted as a global one",
     RUN(LOCAL, LIVE, LIVE, 2,
         BAD(DELETE_GLOBAL, REF_DELETE_WRONG_KIND), BAD(DELETE_WEAK, REF_DELETE_WRONG_KIND))},
    {"a local reference is lost in a loop",
     RUN(LOCAL, LIVE, LIVE, 1,
         BAD(NEXT_TURN, LOCAL_REF_LEAK_IN_LOOP))},
    {"a local reference is kept",
     RUN(LOCAL, LIVE, LIVE, 1,
         BAD(OUTLIVE, LOCAL_REF_ESCAPE))},
    {"a native method returns with a local reference",
     RUN(LOCAL, LIVE, LIVE, 1,
         OK(LOSE))},
    {"a global reference may outlive the call",
     RUN(GLOBAL, LIVE, DELETED, 3,
         OK(OUTLIVE), OK(USE), OK(DELETE_GLOBAL))},
    {"a global reference is deleted as a local one",
     RUN(GLOBAL, LIVE, LIVE, 1,
         BAD(DELETE_LOCAL, REF_DELETE_WRONG_KIND))},
    {"a weak reference is deleted as a global one",
     RUN(WEAK, LIVE, DELETED, 2,
         BAD(DELETE_GLOBAL, REF_DELETE_WRONG_KIND), OK(DELETE_WEAK))},
    {"elements are committed, then released",
     RUN(ELEMENTS, HELD, RELEASED, 3,
         OK(COMMIT), OK(USE), OK(RELEASE))},
    {"elements are lost",
     RUN(ELEMENTS, HELD, HELD, 1,
         BAD(LOSE, BUFFER_UNRELEASED))},
    {"characters are released with another string",
     RUN(CHARS, HELD, RELEASED, 1,
         BAD(RELEASE_OTHER, BUFFER_RELEASE_WRONG_OBJECT))},
    {"characters are released twice",
     RUN(UTF_CHARS, HELD, RELEASED, 2,
         OK(RELEASE), BAD(RELEASE, BUFFER_DOUBLE_RELEASE))},
    {"a critical array is used after release",
     RUN(CRITICAL, HELD, RELEASED, 2,
         OK(RELEASE), BAD(USE, BUFFER_USE_AFTER_RELEASE))},
    {"a critical string is lost",
     RUN(STRING_CRITICAL, HELD, HELD, 1,
         BAD(LOSE, CRITICAL_UNRELEASED))},
    {"JNI is called in and after a region",
     RUN(CRITICAL, HELD, RELEASED, 3,
         BAD(JNI_CALL, CRITICAL_JNI_CALL), OK(RELEASE), OK(JNI_CALL))},
    {"a frame is pushed and popped",
     RUN(FRAME, CLOSED, CLOSED, 3,
         OK(PUSH), OK(POP), OK(LOSE))},
    {"a frame is left open",
     RUN(FRAME, CLOSED, OPEN, 2,
         OK(PUSH), BAD(LOSE, LOCAL_FRAME_UNBALANCED))},
    {"a frame is popped that nobody pushed",
     RUN(FRAME, CLOSED, CLOSED, 1,
         BAD(POP, LOCAL_FRAME_UNBALANCED))},
    {"a Java call is checked",
     RUN(EXCEPTION, CLEAN, CLEAN, 3,
         OK(JAVA_CALL), OK(FOUND_NONE), OK(JNI_CALL))},
    {"a Java call is not checked",
     RUN(EXCEPTION, CLEAN, UNKNOWN, 3,
         OK(JAVA_CALL), BAD(JNI_CALL, EXCEPTION_UNCHECKED_CALL), OK(JNI_CALL))},
    {"a NULL result is not tested",
     RUN(EXCEPTION, CLEAN, UNKNOWN, 2,
         OK(NULL_RESULT), BAD(JNI_CALL, EXCEPTION_UNCHECKED_NULL))},
    {"a NULL result is tested, then JNI goes on",
     RUN(EXCEPTION, CLEAN, UNKNOWN, 3,
         OK(NULL_RESULT), OK(TEST), BAD(JNI_CALL, EXCEPTION_PENDING_CALL))},
    {"an exception found is cleared",
     RUN(EXCEPTION, CLEAN, CLEAN, 4,
         OK(JAVA_CALL), OK(FOUND), OK(CLEAR), OK(JNI_CALL))},
    {"one exception is thrown over another",
     RUN(EXCEPTION, CLEAN, PENDING, 2,
         OK(RAISE), BAD(RAISE, EXCEPTION_THROW_OVER_PENDING))},
};
// clang-format on

static void runs_of_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++)
        perform(&runs[i]);
}

static void an_event_without_a_row_changes_nothing(void **state)
{
    (void)state;
    struct jg_transition step = jg_protocol_step(JG_KIND_LOCAL, JG_STATE_LIVE, JG_EVENT_PUSH);
    assert_int_equal(step.present, 0);
    assert_int_equal(step.next, JG_STATE_LIVE);
    assert_int_equal(step.rule, JG_RULE_NONE);
}

static void every_step_leads_to_one_state(void **state)
{
    (void)state;
    unsigned rows = 0;
    for (unsigned k = 0; k < JG_KIND_COUNT; k++) {
        for (unsigned s = 0; s < JG_STATE_COUNT; s++) {
            for (unsigned e = 0; e < JG_EVENT_COUNT; e++) {
                struct jg_transition step =
                    jg_protocol_step((enum jg_kind)k, (enum jg_state)(1u << s), (enum jg_event)e);
                assert_true(step.next && (step.next & (step.next - 1)) == 0);
                assert_true(step.next < 1u << JG_STATE_COUNT);
                assert_true(step.rule <= JG_RULE_NONE);
                rows += step.present;
            }
        }
    }
    unsigned expected = 0;
#define JG_STEP(...) expected++;
#include "rules/protocols.def"
    assert_int_equal(rows, expected);
}

static void a_rule_that_must_hold_in_all_states_is_silent_in_some(void **state)
{
    (void)state;
    struct jg_outcome out =
        jg_protocol_apply(JG_KIND_LOCAL, JG_STATE_LIVE | JG_STATE_DELETED, JG_EVENT_USE);
    assert_int_equal(out.rule, JG_RULE_NONE);
    assert_false(out.all);
    assert_int_equal(out.from, JG_STATE_DELETED);
    assert_int_equal(out.next, JG_STATE_LIVE | JG_STATE_DELETED);
}

static void a_rule_broken_in_all_states_is_reported(void **state)
{
    (void)state;
    struct jg_outcome out =
        jg_protocol_apply(JG_KIND_LOCAL, JG_STATE_DELETED, JG_EVENT_DELETE_LOCAL);
    assert_int_equal(out.rule, JG_RULE_REF_DOUBLE_DELETE);
    assert_true(out.all);
    assert_int_equal(out.from, JG_STATE_DELETED);
    assert_int_equal(out.next, JG_STATE_DELETED);

    out = jg_protocol_apply(JG_KIND_EXCEPTION, JG_STATE_PENDING | JG_STATE_AFTER_CALL,
                            JG_EVENT_JNI_CALL);
    assert_true(out.all);
    assert_int_equal(out.from, JG_STATE_PENDING);
    assert_int_equal(out.rule, JG_RULE_EXCEPTION_PENDING_CALL);
    assert_int_equal(out.next, JG_STATE_UNKNOWN);
}

static void a_set_moves_state_by_state(void **state)
{
    (void)state;
    struct jg_outcome out = jg_protocol_apply(
        JG_KIND_EXCEPTION, JG_STATE_CLEAN | JG_STATE_PENDING | JG_STATE_AFTER_ACCESS,
        JG_EVENT_CLEAR);
    assert_int_equal(out.next, JG_STATE_CLEAN);
    assert_int_equal(out.rule, JG_RULE_NONE);
}

static void no_state_at_all_breaks_no_rule(void **state)
{
    (void)state;
    struct jg_outcome out = jg_protocol_apply(JG_KIND_LOCAL, 0, JG_EVENT_USE);
    assert_int_equal(out.next, 0);
    assert_int_equal(out.rule, JG_RULE_NONE);
    assert_false(out.all);
}

// Of every set: the outcome is what the single steps say.
static void sets_agree_with_single_states(void **state)
{
    (void)state;
    for (unsigned k = 0; k < JG_KIND_COUNT; k++) {
        for (unsigned set = 1; set < 1u << JG_STATE_COUNT; set++) {
            for (unsigned e = 0; e < JG_EVENT_COUNT; e++) {
                struct jg_outcome out =
                    jg_protocol_apply((enum jg_kind)k, (jg_state_set)set, (enum jg_event)e);
                unsigned next = 0, illegal = 0, may = 0;
                for (unsigned bit = 1; bit <= set; bit <<= 1) {
                    if (!(set & bit))
                        continue;
                    struct jg_transition step =
                        jg_protocol_step((enum jg_kind)k, (enum jg_state)bit, (enum jg_event)e);
                    next |= step.next;
                    illegal |= step.rule != JG_RULE_NONE ? bit : 0;
                    may |= step.rule != JG_RULE_NONE && step.certainty == JG_MAY ? bit : 0;
                }
                if (out.next != next || out.all != (illegal == set) ||
                    (out.rule != JG_RULE_NONE) != (illegal == set || may))
                    fail_msg("kind %u, states %#x, event %u", k, set, e);
            }
        }
    }
}

static void titles(void **state)
{
    (void)state;
    assert_string_equal(jg_kind_title(JG_KIND_LOCAL), "local reference");
    assert_string_equal(jg_event_title(JG_EVENT_DELETE_LOCAL), "deleted with DeleteLocalRef");
    assert_string_equal(jg_state_title(JG_STATE_UNKNOWN), "unknown");
    for (unsigned k = 0; k < JG_KIND_COUNT; k++)
        assert_non_null(jg_kind_title((enum jg_kind)k));
    for (unsigned e = 0; e < JG_EVENT_COUNT; e++)
        assert_non_null(jg_event_title((enum jg_event)e));
    for (unsigned s = 0; s < JG_STATE_COUNT; s++)
        assert_non_null(jg_state_title((enum jg_state)(1u << s)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_events),
        cmocka_unit_test(an_event_without_a_row_changes_nothing),
        cmocka_unit_test(every_step_leads_to_one_state),
        cmocka_unit_test(a_rule_that_must_hold_in_all_states_is_silent_in_some),
        cmocka_unit_test(a_rule_broken_in_all_states_is_reported),
        cmocka_unit_test(a_set_moves_state_by_state),
        cmocka_unit_test(no_state_at_all_breaks_no_rule),
        cmocka_unit_test(sets_agree_with_single_states),
        cmocka_unit_test(titles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
