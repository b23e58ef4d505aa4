// SPDX-License-Identifier: Apache-2.0
//
// More local references alive at once than a native frame guarantees room for: 16, unless the
// function reserves more (JNI specification, chapter 4, EnsureLocalCapacity).
//
// Counts along the control flow, forwards: what is made outside loops and not deleted. Where paths
// meet the smaller number holds, so that what only some of them make is not held against the rest.
//
// Not seen here: references made in loops (local-ref-leak-in-loop), those that functions of the
// project return, and whatever follows a function that reserves room or whose name speaks of it.

#include "analyzer/checks/describe.h"

#include <stdlib.h>
#include <string.h>

#define GUARANTEED 16
#define MAX_DEPTH 8
#define NO_LIMIT UINT32_MAX

struct frame {
    uint32_t live, limit;
};

// Before a block, or at the instruction at hand.
struct count {
    bool reached, unknown;
    unsigned depth; // frames pushed
    struct frame frame[MAX_DEPTH];
};

static void meet(struct count *into, const struct count *from)
{
    if (!into->reached) {
        *into = *from;
        into->reached = true;
        return;
    }
    into->unknown |= from->unknown || into->depth != from->depth;
    for (unsigned i = 0; i <= into->depth && !into->unknown; i++) {
        struct frame *a = &into->frame[i];
        const struct frame *b = &from->frame[i];
        a->live = b->live < a->live ? b->live : a->live;
        a->limit = b->limit > a->limit ? b->limit : a->limit;
    }
}

static uint32_t capacity_of(const struct jg_moment *m, const struct jg_insn *in)
{
    const struct jg_insn *def =
        jg_engine_definition(m->engine, m->unit->args.data[in->first_arg + 1]);
    bool known = def && def->op == JG_OP_CONST && def->imm >= 0 && def->imm < NO_LIMIT;
    return known ? (uint32_t)def->imm : NO_LIMIT;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void push(struct count *c, uint32_t capacity)
{
    if (++c->depth == MAX_DEPTH)
        c->unknown = true;
    else
        c->frame[c->depth] = (struct frame){.limit = larger(capacity, GUARANTEED)};
}

static void pop(const struct jg_moment *m, struct count *c, const struct jg_insn *in)
{
    const struct jg_insn *carried =
        jg_engine_definition(m->engine, m->unit->args.data[in->first_arg + 1]);
    if (c->depth == 0) {
        c->unknown = true; // the frame of the caller
        return;
    }
    c->depth--;
    c->frame[c->depth].live += carried && carried->op != JG_OP_NULL;
}

static bool makes_local(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_insn *in = &m->unit->insns.data[insn];
    const struct jg_jni_function *fn = jg_insn_jni(in);
    return fn && fn->result == JG_RESULT_LOCAL &&
           !(fn->flags & (JG_JNI_TESTS | JG_JNI_POPS_FRAME)) && !jg_engine_in_loop(m->engine, insn);
}

// Runs one call; true when it made a reference for which there is no room.
static bool jni_call(const struct jg_moment *m, struct count *c, uint32_t insn)
{
    const struct jg_insn *in = &m->unit->insns.data[insn];
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    struct frame *f = &c->frame[c->depth];
    if (fn->flags & JG_JNI_PUSHES_FRAME) {
        push(c, capacity_of(m, in));
    } else if (fn->flags & JG_JNI_POPS_FRAME) {
        pop(m, c, in);
    } else if (in->a == JG_JNI_EnsureLocalCapacity) {
        uint32_t more = capacity_of(m, in);
        f->limit = more > NO_LIMIT - f->live ? NO_LIMIT : larger(f->limit, f->live + more);
    } else if (in->a == JG_JNI_DeleteLocalRef) {
        if (!jg_engine_in_loop(m->engine, insn))
            f->live -= f->live > 0;
    } else if (makes_local(m, insn)) {
        return ++f->live > f->limit;
    }
    return false;
}

static bool run_block(const struct jg_moment *m, struct count *c, uint32_t block, uint32_t *at)
{
    uint32_t first, end;
    jg_engine_block(m->engine, block, &first, &end);
    for (*at = first; *at < end && !c->unknown; ++*at) {
        const struct jg_insn *in = &m->unit->insns.data[*at];
        if (in->op != JG_OP_CALL)
            continue;
        if (in->sub == JG_CALLEE_SYMBOL) {
            c->unknown |= // a wrapper that reserves room, or pushes and pops frames
                jg_name_hints(jg_unit_str(m->unit, m->unit->symbols.data[in->a].name),
                              JG_HINT_ROOM) ||
                jg_engine_makes_room(m->engine, *at);
            struct frame *f = &c->frame[c->depth];
            for (uint32_t i = 0; i < in->arg_count && !jg_engine_in_loop(m->engine, *at); i++)
                if (jg_engine_deletes(m->engine, *at, i))
                    f->live -= f->live > 0;
        } else if (in->sub == JG_CALLEE_JNI && jni_call(m, c, *at))
            return true;
    }
    return false;
}

// Does some loop delete elements of an array? How many that are is not known.
static bool deletes_elements(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (jg_insn_calls(in, JG_JNI_DeleteLocalRef) && jg_engine_in_loop(m->engine, i) &&
            jg_engine_loaded(m->engine, u->args.data[in->first_arg + 1]) == JG_NONE)
            return true;
    }
    return false;
}

static void walk(const struct jg_moment *m, struct count *before)
{
    bool deletes = deletes_elements(m);
    const struct jg_unit *u = m->unit;
    const struct jg_function *f = &u->functions.data[m->function];
    before[0] = (struct count){.reached = true, .frame[0].limit = GUARANTEED};
    for (uint32_t b = 0; b < f->block_count; b++) { // reverse post-order: what leads here is done
        struct count c = before[b];
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        uint32_t at;
        if (deletes && block->loop_header)
            c.frame[c.depth].live = 0;
        if (c.reached && run_block(m, &c, b, &at)) {
            struct jg_violation v = jg_violation_of(JG_RULE_LOCAL_REF_CAPACITY);
            v.kind = JG_KIND_LOCAL;
            v.insn = at;
            v.block = b;
            v.number = c.frame[c.depth].limit;
            v.framed = c.depth > 0;
            jg_moment_report(m, v, at);
            return; // one finding: what follows is more of the same
        }
        for (uint32_t k = 0; c.reached && k < block->succ_count; k++)
            if (u->succs.data[block->first_succ + k] > b)
                meet(&before[u->succs.data[block->first_succ + k]], &c);
    }
}

void jg_watch_capacity(const struct jg_moment *m)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    uint32_t made = 0;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++)
        made += makes_local(m, i);
    if (made <= GUARANTEED)
        return;
    struct count *before = jg_calloc(f->block_count, sizeof *before);
    walk(m, before);
    free(before);
}

bool jg_describe_capacity(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    int limit = (int)v->number;
    jg_describe_at(d, v->insn,
                   "%s makes a local reference in '%s' with %d others alive, which is all the room "
                   "that is %s: delete those no longer needed, or reserve more room with "
                   "EnsureLocalCapacity or PushLocalFrame",
                   jg_called(d, v->insn), d->function, limit,
                   limit == GUARANTEED ? "guaranteed" : "reserved");
    jg_describe_step(d, v->insn, "one more than there is room for");
    return true;
}
