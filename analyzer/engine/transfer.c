// SPDX-License-Identifier: Apache-2.0
//
// Runs the instructions of a block on a state. In: a state at the entry of the block. Out: the
// states that reach its terminator (a JNI call may split one into two), each with the value of the
// condition.
//
// Requires the tables of function.c. Memory: everything in the engine's function arena.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

struct run {
    struct jg_engine *e;
    uint32_t block;
    const struct jg_block *b;
    jg_leave *leave;
    void *context;
    unsigned splits;
};

static jg_value value_of(struct run *r, const struct jg_path *s, const jg_value *values,
                         uint32_t temp)
{
    struct jg_engine *e = r->e;
    if (temp == JG_NONE)
        return JG_VALUE_UNKNOWN;
    if (e->temp_block[temp] == r->block && e->temp_def[temp] != JG_NONE)
        return values[e->temp_def[temp] - r->b->first_insn];
    struct jg_entry *entry = jg_path_entry(s, jg_region_temp(&e->domain, temp));
    return entry ? entry->value : JG_VALUE_UNKNOWN;
}

const struct jg_trace *jg_trace_add(struct jg_engine *e, const struct jg_trace *before,
                                    enum jg_trace_kind kind, uint32_t at, uint8_t taken)
{
    struct jg_trace *t = jg_bump_alloc(&e->arena, sizeof *t);
    *t = (struct jg_trace){.before = before, .at = at, .kind = (uint8_t)kind, .taken = taken};
    return t;
}

// The symbol an instruction makes; the one it made before becomes older.
jg_value jg_fresh(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                  jg_region region)
{
    jg_value v = jg_value_make(&e->domain, JG_V_MADE, insn, region);
    if (e->in_loop[block])
        jg_path_age(&e->domain, &e->paths, s, v);
    return v;
}

// ---- places -------------------------------------------------------------------------------------

// The pointer a place goes through, the first index added; `*used`: how many elements that were.
static jg_value address_of(struct run *r, const struct jg_path *s, const jg_value *values,
                           const struct jg_place *p, uint32_t *used)
{
    struct jg_domain *d = &r->e->domain;
    const struct jg_elem *elem = &r->e->unit->elems.data[p->first_elem];
    jg_value pointer = value_of(r, s, values, p->base);
    *used = 0;
    if (p->elem_count == 0 || elem->kind == JG_ELEM_FIELD)
        return pointer;
    jg_value index = elem->kind == JG_ELEM_INDEX ? jg_value_const(d, (int32_t)elem->value)
                                                 : value_of(r, s, values, elem->value);
    *used = 1;
    return jg_value_expr(d, JG_BIN_ADD, pointer, index);
}

static jg_region region_of(struct run *r, const struct jg_path *s, const jg_value *values,
                           uint32_t place)
{
    struct jg_engine *e = r->e;
    struct jg_domain *d = &e->domain;
    const struct jg_place *p = &e->unit->places.data[place];
    const struct jg_elem *elems = p->elem_count ? &e->unit->elems.data[p->first_elem] : NULL;
    uint32_t i = 0;
    jg_region at;
    if (p->base_kind == JG_BASE_VAR) {
        at = jg_region_var(d, p->base);
    } else {
        jg_value sum = address_of(r, s, values, p, &i);
        if (sum != JG_VALUE_UNKNOWN || i == 0) {
            at = jg_region_deref(d, sum);
        } else {
            at = jg_region_deref(d, value_of(r, s, values, p->base));
            if (at)
                at = jg_region_at(d, at, JG_VALUE_UNKNOWN);
        }
    }
    for (; at && i < p->elem_count; i++) {
        if (elems[i].kind == JG_ELEM_FIELD)
            at = jg_region_field(d, at, elems[i].value);
        else if (elems[i].kind == JG_ELEM_INDEX)
            at = jg_region_index(d, at, (int32_t)elems[i].value);
        else
            at = jg_region_at(d, at, value_of(r, s, values, elems[i].value));
    }
    return at;
}

// `own`: that nobody else has been given.
bool jg_elements_hold_objects(struct jg_engine *e, const struct jg_path *s, jg_region summary,
                              bool own)
{
    for (uint32_t i = 0; i < s->object_count; i++)
        if (jg_object_is_held(&s->objects[i], summary) &&
            !(own && s->objects[i].flags & JG_OBJ_ESCAPED))
            return true;
    if (own)
        return false;
    for (uint32_t i = 0; i < s->entry_count && s->object_count; i++) {
        if (jg_region_is_element_of(&e->domain, s->entries[i].region, summary) &&
            jg_path_object(s, jg_value_root(&e->domain, s->entries[i].value)))
            return true;
    }
    return false;
}

// A value stored behind the pointer to an array is its element 0, and says nothing of the others.
bool jg_is_changed_around(struct jg_engine *e, const struct jg_path *s, jg_region region)
{
    const struct jg_region_info *r = jg_region_info(&e->domain, region);
    for (; r->parent; r = jg_region_info(&e->domain, r->parent)) {
        const struct jg_entry *entry = jg_path_entry(s, r->parent);
        bool beside = jg_region_info(&e->domain, r->parent)->kind == JG_R_DEREF &&
                      (r->kind == JG_R_INDEX || r->kind == JG_R_AT || r->kind == JG_R_ANY);
        if (entry && !(beside && entry->value != JG_VALUE_UNKNOWN))
            return true;
    }
    return false;
}

static jg_value load(struct run *r, struct jg_path *s, jg_region region, uint32_t insn)
{
    struct jg_engine *e = r->e;
    if (!region)
        return jg_fresh(e, s, r->block, insn, 0);
    struct jg_entry *entry = jg_path_entry(s, region);
    if (entry && entry->value != JG_VALUE_UNKNOWN)
        return entry->value;
    // By somebody else: a new quantity, the same at the next load.
    bool changed = entry != NULL || jg_is_changed_around(e, s, region);
    bool element = jg_region_info(&e->domain, region)->element;
    jg_region summary = element ? jg_region_summary(&e->domain, region) : 0;
    bool one_of = element && s->object_count && jg_elements_hold_objects(e, s, summary, changed);
    if (changed && summary != region && !one_of) {
        jg_value v = jg_fresh(e, s, r->block, insn, 0);
        jg_path_set(&e->paths, s, region, v, entry ? entry->insn : JG_NONE);
        return v;
    }
    if (one_of)
        return jg_value_make(&e->domain, JG_V_ELEM, summary, 0);
    if (summary == region)
        return jg_fresh(e, s, r->block, insn, 0);
    return jg_path_initial(&e->domain, s, region);
}

void jg_escape(struct jg_engine *e, struct jg_path *s, jg_value value)
{
    jg_note_shared(e, s, value);
    jg_escape_result(e, s, value);
}

void jg_escape_result(struct jg_engine *e, struct jg_path *s, jg_value value)
{
    if (jg_value_info(&e->domain, value)->kind == JG_V_ELEM) {
        jg_region array = jg_value_info(&e->domain, value)->a;
        for (uint32_t i = 0; i < s->object_count; i++)
            if (jg_object_is_held(&s->objects[i], array))
                s->objects[i].flags |= JG_OBJ_ESCAPED;
        return;
    }
    struct jg_object *o = jg_path_object(s, jg_value_root(&e->domain, value));
    if (o)
        o->flags |= JG_OBJ_ESCAPED;
    jg_note_lost(e, s, value);
}

void jg_escape_below(struct jg_engine *e, struct jg_path *s, jg_region region)
{
    for (uint32_t i = 0; region && i < s->entry_count; i++)
        if (jg_region_is_below(&e->domain, s->entries[i].region, region))
            jg_escape(e, s, s->entries[i].value);
}

static bool is_owed(const struct jg_domain *d, const struct jg_path *s, jg_value value)
{
    const struct jg_object *o = jg_path_object(s, jg_value_root(d, value));
    return o && o->states & JG_STATES_OWED;
}

// Does it lie in one of these fields (jg_field_bit) of what is below `top`?
static bool is_in_fields(const struct jg_engine *e, jg_region region, jg_region top,
                         uint64_t fields)
{
    for (; region != top && fields != UINT64_MAX;
         region = jg_region_info(&e->domain, region)->parent) {
        const struct jg_region_info *r = jg_region_info(&e->domain, region);
        if (r->kind == JG_R_FIELD && jg_field_bit(e->analysis->program, e->unit, r->a) & fields)
            return true;
        if (!r->parent)
            return true;
    }
    return fields == UINT64_MAX;
}

// Everything in or below a region becomes unknown, but for fields that are not among `fields`;
// objects held there may be released by others.
static void change(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn,
                   bool escapes, uint64_t fields)
{
    struct jg_domain *d = &e->domain;
    for (uint32_t i = 0; i < s->entry_count; i++) {
        if (!jg_region_is_below(d, s->entries[i].region, region))
            continue;
        jg_value held = s->entries[i].value;
        if (escapes)
            jg_escape(e, s, held);
        else if (is_owed(d, s, held))
            continue; // what was acquired is seldom overwritten; where it is released, that is
                      // known
        if (jg_value_info(d, held)->kind != JG_V_ADDR &&
            !is_in_fields(e, s->entries[i].region, region, fields))
            continue;
        s->entries[i].value = JG_VALUE_UNKNOWN;
        s->entries[i].insn = insn;
        if (jg_value_info(d, held)->kind == JG_V_ADDR) { // and what it points to
            change(e, s, jg_value_info(d, held)->a, insn, escapes, UINT64_MAX);
            i = UINT32_MAX; // the table may have moved: look again, at what is still known
        }
    }
    for (uint32_t i = 0; i < s->object_count && escapes; i++)
        for (int k = 0; k < 2; k++)
            if (s->objects[i].holder[k] &&
                jg_region_is_below(d, s->objects[i].holder[k], jg_region_summary(d, region)))
                s->objects[i].flags |= JG_OBJ_ESCAPED;
    const struct jg_region_info *info = jg_region_info(d, region);
    if (info->kind == JG_R_VAR || info->kind == JG_R_FIELD)
        jg_path_set(&e->paths, s, region, JG_VALUE_UNKNOWN, insn);
}

void jg_havoc_region(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn)
{
    change(e, s, region, insn, true, UINT64_MAX);
}

void jg_change_region(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn,
                      uint64_t fields)
{
    change(e, s, region, insn, false, fields);
}

static bool has_constant_index(const struct jg_domain *d, jg_region r)
{
    for (; r; r = jg_region_info(d, r)->parent)
        if (jg_region_info(d, r)->kind == JG_R_AT || jg_region_info(d, r)->kind == JG_R_ANY)
            return false;
    return true;
}

// Other names an element store may overwrite.
static void clobber_elements(struct jg_engine *e, struct jg_path *s, jg_region stored)
{
    struct jg_domain *d = &e->domain;
    if (!jg_region_info(d, stored)->element)
        return;
    jg_region summary = jg_region_summary(d, stored);
    bool constant = has_constant_index(d, stored);
    for (uint32_t i = 0; i < s->entry_count;) {
        jg_region other = s->entries[i].region;
        if (other == stored || !jg_region_info(d, other)->element ||
            jg_region_summary(d, other) != summary || (constant && has_constant_index(d, other))) {
            i++;
            continue;
        }
        struct jg_object *object = jg_path_object(s, jg_value_root(d, s->entries[i].value));
        if (object)
            jg_object_hold(object, summary);
        jg_path_remove_entry(s, i);
    }
}

// Memory whose address is stored anywhere but in a pointer variable of this function has another
// owner: through a struct, a union or a number it may go where it is not seen.
static void note_kept(struct jg_engine *e, struct jg_path *s, jg_region region, jg_value value)
{
    const struct jg_region_info *r = jg_region_info(&e->domain, region);
    uint32_t type = r->kind == JG_R_VAR ? e->unit->vars.data[r->a].type : JG_NONE;
    bool pointer = type != JG_NONE && e->unit->types.data[type].kind == JG_TYPE_POINTER;
    if (r->outlives || !(pointer || r->kind == JG_R_TEMP))
        jg_note_shared(e, s, value);
}

// A global reference that is kept has an owner, unless the memory is this function's own so far and
// may be freed; a buffer kept in a struct may be written there.
void jg_stored_object(struct jg_engine *e, struct jg_path *s, jg_region region, jg_value value)
{
    jg_value root = jg_value_root(&e->domain, value);
    struct jg_object *o = jg_path_object(s, root);
    if (!o)
        return;
    bool global = o->kind == JG_KIND_GLOBAL || o->kind == JG_KIND_WEAK;
    const struct jg_region_info *top =
        jg_region_info(&e->domain, jg_region_info(&e->domain, region)->root);
    bool own = top->kind == JG_R_DEREF && jg_is_allocated(e, top->a);
    bool kept = global && o->states == JG_STATE_LIVE &&
                jg_region_info(&e->domain, region)->outlives && !own;
    if (kept && o->kind == JG_KIND_WEAK && o->owner)
        o->flags |= JG_OBJ_ESCAPED; // what it was made of keeps its object alive
    else if (kept)
        jg_path_remove_object(s, root);
    else if (jg_region_info(&e->domain, region)->kind != JG_R_VAR)
        jg_buffer_used(e, s, root, JG_OBJ_MAY_BE_WRITTEN, 0, JG_NONE);
}

// Remembers where the variable that had the last handle of a global reference gets another value,
// to tell it from a handle that is lost when the function returns.
static void overwritten(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn)
{
    const struct jg_region_info var = *jg_region_info(&e->domain, region);
    for (uint32_t i = 0; i < s->object_count && var.kind == JG_R_VAR; i++) {
        struct jg_object *o = &s->objects[i];
        bool global = o->kind == JG_KIND_GLOBAL || o->kind == JG_KIND_WEAK;
        if (!global || o->states != JG_STATE_LIVE || o->cause != JG_NONE ||
            jg_path_holds(&e->domain, s, o->symbol) || jg_object_variable(e, o->origin) != var.a)
            continue;
        o->cause = insn;
        o->ended = s->trace;
    }
}

void jg_store(struct jg_engine *e, struct jg_path *s, jg_region region, jg_value value,
              uint32_t insn)
{
    struct jg_domain *d = &e->domain;
    if (!region) {
        jg_escape(e, s, value);
        return;
    }
    clobber_elements(e, s, region);
    for (uint32_t i = 0; i < s->entry_count;) {
        jg_region other = s->entries[i].region;
        if (other != region && jg_region_info(d, other)->parent &&
            jg_region_is_below(d, other, region))
            jg_path_remove_entry(s, i);
        else
            i++;
    }
    note_kept(e, s, region, value);
    if (jg_region_info(d, region)->element && jg_region_summary(d, region) == region) {
        struct jg_object *o = jg_path_object(s, jg_value_root(d, value));
        if (o)
            jg_object_hold(o, region);
        return;
    }
    jg_path_set(&e->paths, s, region, value, insn);
    overwritten(e, s, region, insn);
    jg_stored_object(e, s, region, value);
    if (s->object_count < 64 && !jg_path_object(s, value) &&
        (jg_outlives_call(e, region) || (e->native && jg_region_info(d, region)->outlives))) {
        // A row of its own keeps this path apart from those that stored nothing.
        struct jg_object o;
        bool inferred;
        if (jg_find_object(e, s, value, &o, &inferred) && o.kind == JG_KIND_LOCAL) {
            o.since = s->trace;
            *jg_path_add_object(&e->paths, s, value) = o;
        }
    }
}

static jg_region rebase(struct jg_domain *d, jg_region r, jg_region from, jg_region to)
{
    if (r == from)
        return to;
    struct jg_region_info i = *jg_region_info(d, r);
    jg_region parent = rebase(d, i.parent, from, to);
    switch (i.kind) {
    case JG_R_FIELD:
        return jg_region_field(d, parent, i.a);
    case JG_R_INDEX:
        return jg_region_index(d, parent, (int32_t)i.a);
    case JG_R_AT:
        return jg_region_at(d, parent, i.a);
    default:
        return jg_region_at(d, parent, JG_VALUE_UNKNOWN);
    }
}

static void copy(struct run *r, struct jg_path *s, jg_region to, jg_region from, uint32_t insn)
{
    struct jg_engine *e = r->e;
    struct jg_domain *d = &e->domain;
    if (!to) {
        for (uint32_t i = 0; from && i < s->entry_count; i++)
            if (jg_region_is_below(d, s->entries[i].region, from))
                jg_escape(e, s, s->entries[i].value);
        return;
    }
    for (uint32_t i = 0; i < s->entry_count;) {
        if (jg_region_is_below(d, s->entries[i].region, to))
            jg_path_remove_entry(s, i);
        else
            i++;
    }
    if (!from || from == to)
        return;
    struct jg_entry *copies = jg_bump_alloc(&e->paths, (s->entry_count + 1) * sizeof *copies);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_region_is_below(d, s->entries[i].region, from))
            copies[count++] = s->entries[i];
    for (uint32_t i = 0; i < count; i++) {
        jg_path_set(&e->paths, s, rebase(d, copies[i].region, from, to), copies[i].value, insn);
        note_kept(e, s, to, copies[i].value);
    }
}

static void scope_exit(struct run *r, struct jg_path *s, const struct jg_insn *in, uint32_t insn)
{
    struct jg_engine *e = r->e;
    const struct jg_effects *cleanup =
        in->b == JG_NONE ? NULL : jg_analysis_effects(e->analysis, e->unit_index, in->b);
    if (cleanup)
        jg_lend_frames(e, s, cleanup->what, r->block, insn);
    jg_thread_lent(e, s, insn);
    jg_region var = jg_region_var(&e->domain, in->a);
    if (e->unit->vars.data[in->a].kind == JG_VAR_STATIC)
        return;
    for (uint32_t i = 0; i < s->entry_count;) {
        if (jg_region_info(&e->domain, s->entries[i].region)->root == var) {
            if (in->b != JG_NONE) // its cleanup function may release what it holds
                jg_escape(e, s, s->entries[i].value);
            jg_path_remove_entry(s, i);
        } else {
            i++;
        }
    }
    for (uint32_t i = 0; i < s->object_count; i++)
        for (int k = 1; k >= 0; k--)
            if (s->objects[i].holder[k] &&
                jg_region_info(&e->domain, s->objects[i].holder[k])->root == var) {
                s->objects[i].holder[k] = s->objects[i].holder[1];
                s->objects[i].holder[1] = 0;
            }
}

// A load or a store through a pointer.
static void access_memory(struct run *r, struct jg_path *s, const jg_value *values, uint32_t insn,
                          uint32_t place, enum jg_moment_kind kind, jg_value stored)
{
    struct jg_engine *e = r->e;
    uint32_t used;
    const struct jg_place *p = &e->unit->places.data[place];
    if (p->base_kind != JG_BASE_DEREF)
        return;
    jg_value base = value_of(r, s, values, p->base);
    jg_check_untested(e, s, base, r->block, insn);
    if (jg_is_watched(e, kind))
        jg_watch(e, kind,
                 (struct jg_moment){.path = s,
                                    .block = r->block,
                                    .insn = insn,
                                    .place = place,
                                    .pointer = address_of(r, s, values, p, &used),
                                    .value = stored});
    jg_buffer_used(e, s, base, kind == JG_MOMENT_WRITE ? JG_OBJ_WRITTEN : 0, r->block, insn);
}

// The result of a Java method that may have thrown picks an element. Somebody who has tested that
// it is not negative knows that it may be anything.
static void check_index(struct run *r, struct jg_path *s, const jg_value *values, uint32_t place,
                        uint32_t insn)
{
    struct jg_engine *e = r->e;
    const struct jg_place *p = &e->unit->places.data[place];
    if (s->exception != JG_STATE_AFTER_CALL || s->exception_origin == JG_NONE)
        return;
    jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
    for (uint32_t i = 0; i < p->elem_count; i++) {
        const struct jg_elem *elem = &e->unit->elems.data[p->first_elem + i];
        if (elem->kind != JG_ELEM_ANY || s->exception != JG_STATE_AFTER_CALL)
            continue;
        jg_value index = value_of(r, s, values, elem->value);
        if (jg_value_contains(&e->domain, index, result) &&
            jg_path_fact(&e->domain, s, index).low < 0)
            jg_exception_event(e, s, JG_EVENT_USE, r->block, insn);
    }
}

// &p[i] of a buffer is p + i. Elsewhere an address stays one, which is known not to be NULL.
static jg_value address_in_buffer(struct jg_engine *e, const struct jg_path *s, jg_region at)
{
    struct jg_domain *d = &e->domain;
    const struct jg_region_info element = *jg_region_info(d, at);
    const struct jg_region_info whole = *jg_region_info(d, element.parent);
    if ((element.kind != JG_R_INDEX && element.kind != JG_R_AT) || whole.kind != JG_R_DEREF ||
        !jg_path_object(s, whole.a))
        return JG_VALUE_UNKNOWN;
    jg_value index = element.kind == JG_R_AT ? element.a : jg_value_const(d, (int32_t)element.a);
    return jg_value_expr(d, JG_BIN_ADD, whole.a, index);
}

// ---- instructions -------------------------------------------------------------------------------

static bool is_float(const struct jg_engine *e, uint32_t type)
{
    if (type == JG_NONE)
        return false;
    uint8_t kind = e->unit->types.data[type].kind;
    return kind == JG_TYPE_FLOAT || kind == JG_TYPE_OTHER;
}

// An unsigned constant above INT64_MAX: its order is not that of int64_t.
static bool is_huge(const struct jg_engine *e, uint32_t temp, jg_value v)
{
    const struct jg_value_info *i = jg_value_info(&e->domain, v);
    if (i->kind != JG_V_CONST || i->c >= 0 || e->temp_def[temp] == JG_NONE)
        return false;
    uint32_t type = e->unit->insns.data[e->temp_def[temp]].type;
    return type != JG_NONE && e->unit->types.data[type].is_unsigned;
}

static jg_value cast(struct run *r, struct jg_path *s, const struct jg_insn *in, jg_value v,
                     uint32_t insn)
{
    struct jg_engine *e = r->e;
    if (is_float(e, in->type))
        return jg_fresh(e, s, r->block, insn, 0);
    if (e->unit->types.data[in->type].kind == JG_TYPE_BOOL && v != JG_VALUE_UNKNOWN) {
        const struct jg_value_info *i = jg_value_info(&e->domain, v);
        if (i->kind == JG_V_EXPR && i->op >= JG_BIN_EQ)
            return v;
        return jg_value_not(&e->domain, jg_value_not(&e->domain, v));
    }
    return v;
}

static jg_value run_plain(struct run *r, struct jg_path *s, const jg_value *values, uint32_t insn)
{
    struct jg_engine *e = r->e;
    struct jg_domain *d = &e->domain;
    const struct jg_insn *in = &e->unit->insns.data[insn];
    jg_value v = JG_VALUE_UNKNOWN;
    switch (in->op) {
    case JG_OP_CONST:
        return jg_value_const(d, in->imm);
    case JG_OP_NULL:
        return JG_VALUE_ZERO;
    case JG_OP_STR:
        return jg_value_make(d, JG_V_STR, in->a, 0);
    case JG_OP_FNADDR:
        return jg_value_make(d, JG_V_FN, in->a, 0);
    case JG_OP_LOAD:
        check_index(r, s, values, in->a, insn);
        access_memory(r, s, values, insn, in->a, JG_MOMENT_READ, JG_VALUE_UNKNOWN);
        if (in->type != JG_NONE && e->unit->types.data[in->type].kind == JG_TYPE_RECORD)
            jg_escape_below(e, s, region_of(r, s, values, in->a)); // passed or returned by value
        return load(r, s, region_of(r, s, values, in->a), insn);
    case JG_OP_STORE:
        check_index(r, s, values, in->a, insn);
        access_memory(r, s, values, insn, in->a, JG_MOMENT_WRITE, value_of(r, s, values, in->b));
        jg_store(e, s, region_of(r, s, values, in->a), value_of(r, s, values, in->b), insn);
        return JG_VALUE_UNKNOWN;
    case JG_OP_COPY:
        access_memory(r, s, values, insn, in->b, JG_MOMENT_READ, JG_VALUE_UNKNOWN);
        access_memory(r, s, values, insn, in->a, JG_MOMENT_WRITE, JG_VALUE_UNKNOWN);
        copy(r, s, region_of(r, s, values, in->a), region_of(r, s, values, in->b), insn);
        return JG_VALUE_UNKNOWN;
    case JG_OP_ADDR: {
        jg_region at = region_of(r, s, values, in->a);
        const struct jg_place *p = &e->unit->places.data[in->a];
        bool array = p->type != JG_NONE && e->unit->types.data[p->type].kind == JG_TYPE_ARRAY;
        if (p->base_kind == JG_BASE_DEREF && p->elem_count) {
            uint32_t used;
            jg_value sum = address_of(r, s, values, p, &used);
            if (used == p->elem_count && !array && sum != JG_VALUE_UNKNOWN) // &p[i] is p + i
                return sum;
            jg_buffer_used(e, s, sum, JG_OBJ_MAY_BE_WRITTEN, 0, JG_NONE);
        }
        if (at && array)
            at = jg_region_index(d, at, 0);
        if (at && jg_region_info(d, at)->kind == JG_R_DEREF) // &*p is p
            return jg_region_info(d, at)->a;
        jg_value inside = at ? address_in_buffer(e, s, at) : JG_VALUE_UNKNOWN;
        if (inside != JG_VALUE_UNKNOWN)
            return inside;
        return at ? jg_value_make(d, JG_V_ADDR, at, 0) : JG_VALUE_UNKNOWN;
    }
    case JG_OP_BIN: {
        jg_value a = value_of(r, s, values, in->a), b = value_of(r, s, values, in->b);
        if (in->sub >= JG_BIN_EQ && jg_is_watched(e, JG_MOMENT_COMPARE)) {
            const jg_value sides[2] = {a, b};
            jg_watch(e, JG_MOMENT_COMPARE,
                     (struct jg_moment){.path = s, .block = r->block, .insn = insn, .args = sides});
        }
        if (!is_float(e, in->type) && !is_huge(e, in->a, a) && !is_huge(e, in->b, b))
            v = jg_value_expr(d, in->sub, a, b);
        break;
    }
    case JG_OP_UN: {
        jg_value a = value_of(r, s, values, in->a);
        if (in->sub == JG_UN_NOT)
            v = jg_value_not(d, a);
        else if (in->sub == JG_UN_NEG && !is_float(e, in->type))
            v = jg_value_expr(d, JG_BIN_SUB, JG_VALUE_ZERO, a);
        break;
    }
    case JG_OP_CAST:
        v = cast(r, s, in, value_of(r, s, values, in->a), insn);
        break;
    case JG_OP_PHI: {
        jg_region at = jg_region_temp(d, in->dst);
        struct jg_entry *entry = jg_path_entry(s, at);
        if (entry)
            v = entry->value;
        if (entry && !e->temp_crosses[in->dst])
            jg_path_remove_entry(s, (uint32_t)(entry - s->entries));
        break;
    }
    case JG_OP_HAVOC:
        if (in->dst == JG_NONE) {
            jg_region at = in->a == JG_NONE ? 0 : region_of(r, s, values, in->a);
            if (in->a != JG_NONE && e->unit->places.data[in->a].base_kind == JG_BASE_DEREF)
                jg_buffer_used(e, s, value_of(r, s, values, e->unit->places.data[in->a].base),
                               JG_OBJ_MAY_BE_WRITTEN, 0, JG_NONE);
            if (at)
                jg_havoc_region(e, s, at, insn);
            return JG_VALUE_UNKNOWN;
        }
        break;
    case JG_OP_SCOPE_EXIT:
        scope_exit(r, s, in, insn);
        return JG_VALUE_UNKNOWN;
    default:
        break;
    }
    return v == JG_VALUE_UNKNOWN && in->dst != JG_NONE ? jg_fresh(e, s, r->block, insn, 0) : v;
}

static void define(struct run *r, struct jg_path *s, jg_value *values, uint32_t insn, jg_value v)
{
    struct jg_engine *e = r->e;
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (in->dst == JG_NONE)
        return;
    values[insn - r->b->first_insn] = v;
    if (e->temp_crosses[in->dst])
        jg_path_set(&e->paths, s, jg_region_temp(&e->domain, in->dst), v, insn);
}

// A block that keeps asking the same questions would split without end.
#define MAX_SPLITS (2 * JG_MAX_STATES)

static void run_from(struct run *r, struct jg_path *s, jg_value *values, uint32_t i)
{
    struct jg_engine *e = r->e;
    for (; i < r->b->insn_count; i++) {
        uint32_t insn = r->b->first_insn + i;
        const struct jg_insn *in = &e->unit->insns.data[insn];
        if (in->op != JG_OP_CALL) {
            define(r, s, values, insn, run_plain(r, s, values, insn));
            continue;
        }
        jg_value *args = jg_bump_alloc(&e->paths, (in->arg_count + 1) * sizeof *args);
        for (uint32_t k = 0; k < in->arg_count; k++)
            args[k] = value_of(r, s, values, e->unit->args.data[in->first_arg + k]);
        struct jg_outcomes out = {.count = 0};
        jg_watch(e, JG_MOMENT_CALL,
                 (struct jg_moment){.path = s, .block = r->block, .insn = insn, .args = args});
        if (in->sub == JG_CALLEE_JNI)
            jg_call_jni(e, s, r->block, insn, args, &out);
        else
            jg_call_other(e, s, r->block, insn, args, &out);
        for (unsigned k = 1; k < out.count; k++) {
            if (++r->splits > MAX_SPLITS) {
                e->hit_cap = true;
                break;
            }
            jg_value *twin =
                jg_bump_copy(&e->paths, values, (r->b->insn_count + 1) * sizeof *values);
            define(r, out.state[k], twin, insn, out.result[k]);
            run_from(r, out.state[k], twin, i + 1);
        }
        if (out.count == 0)
            return; // never returns
        s = out.state[0];
        define(r, s, values, insn, out.result[0]);
    }
    r->leave(r->context, s, value_of(r, s, values, r->b->cond));
}

void jg_run_block(struct jg_engine *e, uint32_t block, struct jg_path *state, jg_leave *leave,
                  void *context)
{
    struct run r = {.e = e,
                    .block = block,
                    .b = &e->unit->blocks.data[e->fn->first_block + block],
                    .leave = leave,
                    .context = context};
    jg_value *values = jg_bump_alloc(&e->paths, (r.b->insn_count + 1) * sizeof *values);
    run_from(&r, state, values, 0);
}
