// SPDX-License-Identifier: Apache-2.0
//
// ExceptionOccurred used as a test alone: it returns a new local reference, which nobody deletes.
// ExceptionCheck asks the same question and makes none.
//
// Not seen here: a result that is passed on, deleted, returned or kept, whatever becomes of it
// there; functions that push a local frame. In loops local-ref-leak-in-loop speaks first.

#include "analyzer/checks/describe.h"

#include <stdlib.h>

static bool is_test(const struct jg_insn *in)
{
    return (in->op == JG_OP_BIN && (in->sub == JG_BIN_EQ || in->sub == JG_BIN_NE)) ||
           (in->op == JG_OP_UN && in->sub == JG_UN_NOT);
}

static void count(uint32_t *tests, uint32_t temp)
{
    if (temp != JG_NONE)
        tests[temp]++;
}

// How many tests read each temporary: comparisons, negations, branches, casts to a flag.
static void count_tests(const struct jg_moment *m, uint32_t *tests)
{
    const struct jg_unit *u = m->unit;
    const struct jg_function *f = &u->functions.data[m->function];
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[block->first_insn + i];
            bool flag = in->op == JG_OP_CAST && (u->types.data[in->type].kind == JG_TYPE_BOOL ||
                                                 u->types.data[in->type].role == JG_ROLE_JBOOLEAN);
            if (flag || is_test(in))
                count(tests, in->a);
            if (is_test(in) && in->op == JG_OP_BIN)
                count(tests, in->b);
        }
        if (block->term == JG_TERM_BRANCH)
            count(tests, block->cond);
    }
}

// The local variable that the temporary is stored to, and that holds nothing else; JG_NONE.
static uint32_t stored_to(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_block(m->engine, jg_engine_block_of(m->engine, insn), &first, &end);
    for (uint32_t i = insn + 1; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_STORE || in->b != u->insns.data[insn].dst)
            continue;
        uint32_t var = jg_place_variable(u, in->a);
        bool sole = var != JG_NONE && jg_engine_sole_store(m->engine, var) == in;
        return sole ? var : JG_NONE;
    }
    return JG_NONE;
}

static bool only_tested(const struct jg_moment *m, const uint32_t *tests, uint32_t temp)
{
    return tests[temp] && tests[temp] == jg_engine_reads(m->engine, temp);
}

// Every load of the variable is tested and nothing else.
static bool variable_only_tested(const struct jg_moment *m, const uint32_t *tests, uint32_t var)
{
    const struct jg_unit *u = m->unit;
    bool tested = false;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_LOAD && jg_engine_loaded(m->engine, in->dst) == var) {
            if (!only_tested(m, tests, in->dst))
                return false;
            tested = true;
        }
    }
    return tested;
}

static void look_at(const struct jg_moment *m, const uint32_t *tests, uint32_t insn)
{
    const struct jg_insn *in = &m->unit->insns.data[insn];
    if (!jg_insn_calls(in, JG_JNI_ExceptionOccurred) || in->dst == JG_NONE)
        return;
    if (!only_tested(m, tests, in->dst)) {
        uint32_t var = stored_to(m, insn);
        if (var == JG_NONE || jg_engine_reads(m->engine, in->dst) != 1 ||
            !variable_only_tested(m, tests, var))
            return;
    }
    struct jg_violation v = jg_violation_of(JG_RULE_EXCEPTION_OCCURRED_AS_BOOL);
    v.insn = v.origin = insn;
    v.block = jg_engine_block_of(m->engine, insn);
    jg_moment_report(m, v, insn);
}

void jg_watch_occurred(const struct jg_moment *m)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    if (!jg_engine_calls(m->engine, JG_JNI_ExceptionOccurred) ||
        jg_engine_calls(m->engine, JG_JNI_PushLocalFrame))
        return; // a frame takes what is made in it with it
    uint32_t *tests = jg_calloc(f->temp_count + 1, sizeof *tests);
    count_tests(m, tests);
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++)
        look_at(m, tests, i);
    free(tests);
}

bool jg_describe_occurred(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_marks(d->engine, v->insn) & JG_MARK_LEAKS)
        return false;
    jg_describe_at(
        d, v->insn,
        "ExceptionOccurred is used only as a test in '%s'; it makes a local reference to "
        "the exception, which is never deleted: test with ExceptionCheck",
        d->function);
    jg_describe_step(d, v->insn, "a local reference is made here and dropped");
    return true;
}
