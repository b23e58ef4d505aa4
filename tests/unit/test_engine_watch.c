// SPDX-License-Identifier: Apache-2.0
//
// What watchers see, and what they may ask.

#include "analyzer/engine/analysis.h"
#include "analyzer/engine/watch.h"
#include "tests/unit/lowered.h"

static const char code[] = "#include <jni.h>\n"
                           "void use(int);\n"
                           "int f(JNIEnv *env, jobject o, jintArray a, int n) {\n"
                           "  int once = n + 1, twice = 0, ignored;\n"
                           "  jint *p = (*env)->GetIntArrayElements(env, a, NULL);\n"
                           "  if (!p) return 0;\n"
                           "  if ((*env)->MonitorEnter(env, o)) n = 0;\n"
                           "  use(once);\n"
                           "  while (n-- > 0) { twice = p[n]; use(twice); }\n"
                           "  ignored = (*env)->GetVersion(env);\n"
                           "  (*env)->MonitorExit(env, o);\n"
                           "  (*env)->ReleaseIntArrayElements(env, a, p, JNI_ABORT);\n"
                           "  return 1;\n"
                           "}\n";

static const struct jg_unit *unit;
static unsigned functions, reads, writes, returns, compares, uses, buffers, others;
static bool blocks_fit, calls_fit, sole_fits, unread_fits, loop_fits, marks_fit;

static void no_violation(void *context, const struct jg_violation *v)
{
    (void)context;
    (void)v;
}

static uint32_t variable(const char *name)
{
    for (uint32_t i = 0; i < unit->vars.count; i++)
        if (strcmp(jg_unit_str(unit, unit->vars.data[i].name), name) == 0)
            return i;
    return JG_NONE;
}

static void see_held(void *context, jg_value symbol, const struct jg_seen *object)
{
    (void)context;
    (void)symbol;
    *(jg_kind_is_buffer(object->kind) ? &buffers : &others) += 1;
}

static void see_call(const struct jg_moment *m)
{
    const char *name = jg_moment_callee(m);
    if (!name || strcmp(name, "use") != 0)
        return;
    uses++;
    jg_moment_held(m, see_held, NULL);
}

static void see_read(const struct jg_moment *m)
{
    struct jg_seen seen;
    reads += jg_moment_object(m, m->pointer, &seen) && seen.kind == JG_KIND_ELEMENTS;
}

static void see_write(const struct jg_moment *m)
{
    (void)m;
    writes++;
}

static void see_compare(const struct jg_moment *m)
{
    compares += m->call->op == JG_OP_BIN;
}

static void see_return(const struct jg_moment *m)
{
    int64_t value;
    returns += m->insn == JG_NONE && jg_moment_constant(m, m->value, &value) && value <= 1;
}

// Everything that goes without paths.
static void see_function(const struct jg_moment *m)
{
    struct jg_engine *e = m->engine;
    const struct jg_function *f = &unit->functions.data[m->function];
    functions++;
    blocks_fit = loop_fits = true;
    uint32_t first, end, from, to, seen = 0;
    jg_engine_insns(e, &first, &end);
    for (uint32_t b = 0; b < f->block_count; b++) {
        jg_engine_block(e, b, &from, &to);
        for (uint32_t i = from; i < to; i++, seen++)
            blocks_fit &= i == first + seen && jg_engine_block_of(e, i) == b;
    }
    blocks_fit &= seen == end - first;
    calls_fit = jg_engine_calls(e, JG_JNI_GetVersion) && !jg_engine_calls(e, JG_JNI_FindClass);
    sole_fits = jg_engine_sole_store(e, variable("once")) &&
                !jg_engine_sole_store(e, variable("twice")) && // two of them
                !jg_engine_sole_store(e, variable("n"));       // a parameter
    unsigned looped = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &unit->insns.data[i];
        uint32_t var;
        if (jg_insn_calls(in, JG_JNI_GetVersion))
            unread_fits = jg_engine_is_unread(e, i, &var) && var == variable("ignored");
        if (jg_insn_calls(in, JG_JNI_GetIntArrayElements))
            loop_fits &= !jg_engine_is_unread(e, i, &var) && !jg_engine_in_loop(e, i);
        if (in->op == JG_OP_STORE && jg_place_variable(unit, in->a) == variable("twice"))
            looped += jg_engine_in_loop(e, i); // the second of two
    }
    loop_fits &= looped == 1;
    jg_engine_mark(e, first, jg_mark_bit(8));
    jg_engine_mark(e, first, jg_mark_bit(40));
    marks_fit = jg_engine_marks(e, first) == (jg_mark_bit(8) | jg_mark_bit(40)) &&
                jg_engine_marks(e, first + 1) == 0;
}

static const struct jg_watcher watchers[] = {
    {JG_MOMENT_CALL, JG_FAMILY_buffers, see_call},
    {JG_MOMENT_READ, JG_FAMILY_buffers, see_read},
    {JG_MOMENT_WRITE, JG_FAMILY_buffers, see_write},
    {JG_MOMENT_COMPARE, JG_FAMILY_buffers, see_compare},
    {JG_MOMENT_RETURN, JG_FAMILY_buffers, see_return},
    {JG_MOMENT_FUNCTION, JG_FAMILY_buffers, see_function},
};

static void explore(bool timed, uint64_t *cost, uint64_t *other_cost)
{
    struct lowered l;
    functions = reads = writes = returns = compares = uses = buffers = others = 0;
    lower(&l, code);
    unit = l.u;
    struct jg_program *program = jg_program_new(&unit, 1);
    struct jg_analysis *analysis = jg_analysis_new(program);
    jg_find_all_effects(analysis);
    struct jg_engine *e = jg_engine_new(analysis);
    jg_engine_watch(e, watchers, sizeof watchers / sizeof *watchers, timed);
    for (uint32_t i = 0; i < l.u->functions.count; i++)
        jg_engine_explore(e, 0, i, no_violation, NULL);
    *cost = jg_engine_family_cost(e, JG_FAMILY_buffers);
    *other_cost = jg_engine_family_cost(e, JG_FAMILY_threads);
    jg_engine_free(e);
    jg_analysis_free(analysis);
    jg_program_free(program);
    lowered_fini(&l);
}

static void watchers_see_their_moments(void **state)
{
    (void)state;
    uint64_t cost, other;
    explore(false, &cost, &other);
    assert_int_equal(functions, 1);
    assert_true(reads > 0);
    assert_int_equal(writes, 0); // locals are no memory behind a pointer
    assert_true(compares > 0);
    assert_true(returns >= 2);
}

static void held_are_buffers_and_no_monitors(void **state)
{
    (void)state;
    uint64_t cost, other;
    explore(false, &cost, &other);
    assert_true(uses > 0);
    assert_int_equal(buffers, uses); // the elements, at each of these calls
    assert_int_equal(others, 0);
}

static void the_function_can_be_asked(void **state)
{
    (void)state;
    uint64_t cost, other;
    explore(false, &cost, &other);
    assert_true(blocks_fit);
    assert_true(calls_fit);
    assert_true(sole_fits);
    assert_true(unread_fits);
    assert_true(loop_fits);
    assert_true(marks_fit);
}

static void time_is_taken_when_asked_for(void **state)
{
    (void)state;
    uint64_t cost, other;
    explore(false, &cost, &other);
    assert_int_equal(cost, 0);
    explore(true, &cost, &other);
    assert_true(cost > 0);
    assert_int_equal(other, 0);
}

// ---- what a watcher remembers of a path ---------------------------------------------------------

static const char remembering[] = "#include <jni.h>\n"
                                  "void note(int); void drop(void); void end(int);\n"
                                  "struct box { jobject o; int n; };\n"
                                  "void give(struct box *);\n"
                                  "static jobject kept;\n"
                                  "int f(JNIEnv *env, jobject o, int n, jobject *out) {\n"
                                  "  struct box box = {o, 3};\n"
                                  "  int flag = 0;\n"
                                  "  jint status = 0;\n"
                                  "  if (n > 0) {\n"
                                  "    status = (*env)->EnsureLocalCapacity(env, 20);\n"
                                  "    note(1);\n"
                                  "    flag = 1;\n"
                                  "  }\n"
                                  "  if (n > 5) drop();\n"
                                  "  if (status != 0) return -1;\n"
                                  "  end(flag);\n"
                                  "  kept = (*env)->NewGlobalRef(env, o);\n"
                                  "  give(&box);\n"
                                  "  *out = o;\n"
                                  "  return 0;\n"
                                  "}\n";

static unsigned ends, with_flag, without_flag, wrong_flag, refused, behind, given_back;
static bool target_fits;

static void see_behind(void *context, jg_region place, jg_value value, uint32_t insn)
{
    (void)place;
    (void)insn;
    int64_t n;
    behind += jg_moment_parameter(context, value) == variable("o");
    behind += jg_moment_constant(context, value, &n) && n == 3;
}

static void see_memo(void *context, const struct jg_recalled *memo)
{
    *(uint32_t *)context = memo->topic;
}

static void remember(const struct jg_moment *m)
{
    const char *name = jg_moment_callee(m);
    struct jg_recalled memo;
    if (jg_moment_calls(m, JG_JNI_EnsureLocalCapacity))
        jg_moment_remember(m, 7, m->insn, JG_VALUE_UNKNOWN);
    if (jg_moment_calls(m, JG_JNI_NewGlobalRef)) {
        const struct jg_insn *store = m->call + 1;
        while (store->op != JG_OP_STORE)
            store++;
        jg_region at = jg_moment_target(m, store->a);
        target_fits = at == jg_region_var(jg_moment_domain(m), variable("kept")) &&
                      jg_moment_is_held(m, m->args[1], at); // by `o` and by `box`
    }
    if (!name)
        return;
    if (strcmp(name, "drop") == 0)
        jg_moment_forget(m, 7);
    if (strcmp(name, "give") == 0)
        jg_moment_behind(m, m->args[0], see_behind, (void *)m);
    if (strcmp(name, "end") == 0) {
        int64_t flag;
        uint32_t topic = 0;
        bool known = jg_moment_recall(m, 7, &memo);
        jg_moment_recall_all(m, see_memo, &topic);
        ends++;
        with_flag += known && memo.result == 0 && topic == 7; // tested, and the call went well
        without_flag += !known && topic == 0;
        wrong_flag += known && !(jg_moment_constant(m, m->args[0], &flag) && flag == 1);
    }
}

static void see_end(const struct jg_moment *m)
{
    struct jg_recalled memo;
    int64_t value;
    bool known = jg_moment_constant(m, m->value, &value);
    refused += known && value == -1 && jg_moment_recall(m, 7, &memo) && memo.result == 1;
    jg_region o = jg_region_var(jg_moment_domain(m), variable("o"));
    given_back += known && value == 0 && jg_moment_is_given_back(m, jg_moment_holds(m, o));
}

static const struct jg_watcher rememberers[] = {
    {JG_MOMENT_CALL, JG_FAMILY_threads, remember},
    {JG_MOMENT_RETURN, JG_FAMILY_threads, see_end},
};

static void explore_remembering(void)
{
    struct lowered l;
    ends = with_flag = without_flag = wrong_flag = refused = behind = given_back = 0;
    target_fits = false;
    lower(&l, remembering);
    unit = l.u;
    struct jg_program *program = jg_program_new(&unit, 1);
    struct jg_analysis *analysis = jg_analysis_new(program);
    jg_find_all_effects(analysis);
    struct jg_engine *e = jg_engine_new(analysis);
    jg_engine_watch(e, rememberers, sizeof rememberers / sizeof *rememberers, false);
    for (uint32_t i = 0; i < l.u->functions.count; i++)
        jg_engine_explore(e, 0, i, no_violation, NULL);
    jg_engine_free(e);
    jg_analysis_free(analysis);
    jg_program_free(program);
    lowered_fini(&l);
}

static void paths_that_remember_different_things_stay_apart(void **state)
{
    (void)state;
    explore_remembering();
    assert_true(with_flag > 0);
    assert_true(without_flag > 0);
    assert_int_equal(with_flag + without_flag, ends);
    assert_int_equal(wrong_flag, 0);
}

static void what_is_remembered_knows_the_result_of_its_call(void **state)
{
    (void)state;
    explore_remembering();
    assert_true(refused > 0);
}

static void memory_and_places_can_be_asked(void **state)
{
    (void)state;
    explore_remembering();
    assert_true(behind >= 2);
    assert_true(target_fits);
    assert_true(given_back > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watchers_see_their_moments),
        cmocka_unit_test(held_are_buffers_and_no_monitors),
        cmocka_unit_test(the_function_can_be_asked),
        cmocka_unit_test(time_is_taken_when_asked_for),
        cmocka_unit_test(paths_that_remember_different_things_stay_apart),
        cmocka_unit_test(what_is_remembered_knows_the_result_of_its_call),
        cmocka_unit_test(memory_and_places_can_be_asked),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
