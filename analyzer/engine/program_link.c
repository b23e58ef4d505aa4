// SPDX-License-Identifier: Apache-2.0
//
// What names mean over all units: functions, fields and variables of static storage.
//
// Requires numbered units. Provides the program's `definitions`, `fields` and `variables`.
// A static variable in a header is one variable however many units include it: what one copy holds,
// another may hold, and equal functions in several units stay equal.

#include "analyzer/engine/program_internal.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// ---- names --------------------------------------------------------------------------------------

static uint64_t hash_pair(const char *a, const char *b)
{
    return XXH3_64bits_withSeed(a, strlen(a), XXH3_64bits(b, strlen(b)));
}

static struct jg_name *find(const struct jg_names *n, uint64_t hash, const char *a, const char *b)
{
    uint32_t mask = n->size - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        struct jg_name *e = &n->table[i];
        if (!e->a || (e->hash == hash && strcmp(e->a, a) == 0 && strcmp(e->b, b) == 0))
            return e;
    }
}

static void grow(struct jg_names *n)
{
    struct jg_names larger = {.size = n->size ? 2 * n->size : 64, .count = n->count};
    larger.table = jg_calloc(larger.size, sizeof *larger.table);
    for (uint32_t i = 0; i < n->size; i++)
        if (n->table[i].a)
            *find(&larger, n->table[i].hash, n->table[i].a, n->table[i].b) = n->table[i];
    free(n->table);
    *n = larger;
}

uint32_t jg_names_add(struct jg_names *n, const char *a, const char *b, uint32_t fresh)
{
    if (n->count >= n->size / 2)
        grow(n);
    uint64_t hash = hash_pair(a, b);
    struct jg_name *e = find(n, hash, a, b);
    if (!e->a) {
        *e = (struct jg_name){hash, a, b, fresh};
        n->count++;
    }
    return e->value;
}

uint32_t jg_names_find(const struct jg_names *n, const char *a, const char *b)
{
    if (!n->size)
        return JG_NONE;
    const struct jg_name *e = find(n, hash_pair(a, b), a, b);
    return e->a ? e->value : JG_NONE;
}

void jg_names_fini(struct jg_names *n)
{
    free(n->table);
    *n = (struct jg_names){0};
}

// ---- functions ----------------------------------------------------------------------------------

// USRs of what no other unit can name begin with the file. "c:" and a missing one: by name.
static bool is_linked(const struct jg_unit *u, const struct jg_symbol *s)
{
    const char *usr = jg_unit_str(u, s->usr);
    return !(s->flags & JG_SYM_STATIC) && (strncmp(usr, "c:", 2) != 0 || usr[2] == '@');
}

// Strong ones before weak ones, each in order of their ids; how many are strong.
static uint32_t strong_first(const struct jg_program *p, uint32_t *ids, uint32_t count)
{
    uint32_t strong = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = ids[i];
        if (jg_program_symbol(p, id)->flags & JG_SYM_WEAK)
            continue;
        memmove(ids + strong + 1, ids + strong, (i - strong) * sizeof *ids);
        ids[strong++] = id;
    }
    return strong;
}

// The value of -o in the command of a unit; NULL.
static const char *output_of(const struct jg_unit *u)
{
    for (uint32_t i = 1; i < u->arguments.count; i++) {
        const char *argument = jg_unit_str(u, u->arguments.data[i]);
        if (strncmp(argument, "-o", 2) != 0)
            continue;
        if (argument[2])
            return argument + 2;
        return i + 1 < u->arguments.count ? jg_unit_str(u, u->arguments.data[i + 1]) : NULL;
    }
    return NULL;
}

static bool ends_in(const char *text, size_t n, const char *end)
{
    size_t m = strlen(end);
    return n > m && memcmp(text + n - m, end, m) == 0;
}

// The folder of the objects of one program or library; "" when the command does not tell.
static const char *target_of(struct jg_program *p, const struct jg_unit *u)
{
    const char *output = output_of(u), *marker = output ? strstr(output, "CMakeFiles/") : NULL;
    for (const char *slash = output ? strchr(output, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        size_t n = (size_t)(slash - output);
        if ((marker && slash > marker + 11 && ends_in(output, n, ".dir")) || // CMake
            ends_in(output, n, ".p"))                                        // Meson
            return jg_bump_format(&p->arena, "%s/%.*s",
                                  *output == '/' ? "" : jg_unit_str(u, u->directory), (int)n,
                                  output);
    }
    return "";
}

// Of several strong definitions, the one that is built into the same program or library as the
// caller: itself, and nothing else, is certain to be linked with it.
static struct jg_ids nearest(const struct jg_program *p, const char *const *targets, uint32_t unit,
                             struct jg_ids all)
{
    uint32_t found = JG_NONE;
    for (uint32_t i = 0; i < all.count && *targets[unit]; i++) {
        if (strcmp(targets[p->unit_of[all.at[i]]], targets[unit]) != 0)
            continue;
        if (found != JG_NONE)
            return all;
        found = all.at[i];
    }
    return found == JG_NONE ? all : (struct jg_ids){&p->ids[found], 1, true};
}

static void link_functions(struct jg_program *p)
{
    struct jg_names names = {0};
    uint32_t functions = jg_program_function_count(p);
    uint32_t *linked = jg_calloc((size_t)functions + 1, sizeof *linked);      // name -> how many
    uint32_t *lists = jg_program_array(p, functions, sizeof *lists);          // grouped by name
    uint32_t *name_of = jg_malloc(((size_t)functions + 1) * sizeof *name_of); // id -> name
    for (uint32_t id = 0; id < functions; id++) {
        const struct jg_unit *u = p->units[p->unit_of[id]];
        const struct jg_symbol *s = jg_program_symbol(p, id);
        name_of[id] = JG_NONE;
        if (!is_linked(u, s))
            continue;
        name_of[id] = jg_names_add(&names, jg_unit_str(u, s->usr), "", names.count);
        linked[name_of[id]]++;
    }
    uint32_t *first = jg_calloc((size_t)names.count + 1, sizeof *first);
    for (uint32_t i = 0; i < names.count; i++)
        first[i + 1] = first[i] + linked[i];
    memset(linked, 0, functions * sizeof *linked);
    for (uint32_t id = 0; id < functions; id++)
        if (name_of[id] != JG_NONE)
            lists[first[name_of[id]] + linked[name_of[id]]++] = id;
    uint32_t *strong = jg_calloc((size_t)names.count + 1, sizeof *strong);
    for (uint32_t i = 0; i < names.count; i++)
        strong[i] = strong_first(p, lists + first[i], first[i + 1] - first[i]);
    const char **targets = jg_calloc((size_t)p->unit_count + 1, sizeof *targets);
    for (uint32_t unit = 0; unit < p->unit_count; unit++)
        targets[unit] = target_of(p, p->units[unit]);

    p->definitions = jg_program_array(p, p->first_symbol[p->unit_count], sizeof *p->definitions);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->symbols.count; i++) {
            const struct jg_symbol *s = &u->symbols.data[i];
            struct jg_ids *out = &p->definitions[p->first_symbol[unit] + i];
            uint32_t name = JG_NONE;
            bool weak = s->function != JG_NONE && s->flags & JG_SYM_WEAK;
            if (s->function != JG_NONE)
                *out = (struct jg_ids){&p->ids[p->first_function[unit] + s->function], 1, !weak};
            if ((s->function == JG_NONE || weak) && is_linked(u, s))
                name = jg_names_find(&names, jg_unit_str(u, s->usr), "");
            if (name == JG_NONE)
                continue;
            if (strong[name])
                *out = nearest(p, targets, unit,
                               (struct jg_ids){lists + first[name], strong[name], true});
            else
                *out = (struct jg_ids){lists + first[name], first[name + 1] - first[name], false};
        }
    }
    free(targets);
    free(strong);
    free(first);
    free(name_of);
    free(linked);
    jg_names_fini(&names);
}

// ---- fields and variables -----------------------------------------------------------------------

static void link_fields(struct jg_program *p)
{
    struct jg_names *names = &p->field_names;
    uint32_t most = p->first_field[p->unit_count];
    p->fields = jg_program_array(p, most, sizeof *p->fields);
    p->field_info = jg_program_array(p, most, sizeof *p->field_info);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->fields.count; i++) {
            const struct jg_field *f = &u->fields.data[u->fields.data[i].storage];
            const char *record = jg_unit_str(u, f->record), *name = jg_unit_str(u, f->name);
            uint32_t number = jg_names_add(names, record, name, p->field_count);
            p->fields[p->first_field[unit] + i] = number;
            if (number == p->field_count)
                p->field_info[p->field_count++] = (struct jg_program_field){record, name};
        }
    }
}

// What tells a variable of static storage apart: its name, or its place in the source.
static const char *where(struct jg_program *p, const struct jg_unit *u, const struct jg_var *v)
{
    if (v->external)
        return "";
    const struct jg_loc *l = &u->locs.data[v->loc];
    return jg_bump_format(&p->arena, "%s:%u:%u", jg_unit_str(u, u->files.data[l->file].path),
                          l->line, l->column);
}

static void link_variables(struct jg_program *p)
{
    struct jg_names names = {0};
    p->variables = jg_program_array(p, p->first_var[p->unit_count], sizeof *p->variables);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->vars.count; i++) {
            const struct jg_var *v = &u->vars.data[i];
            uint32_t *out = &p->variables[p->first_var[unit] + i];
            *out = JG_NONE;
            if (v->kind != JG_VAR_STATIC)
                continue;
            *out = p->variable_count; // without a place, nothing else can be the same
            if (v->external || v->loc != JG_NONE)
                *out = jg_names_add(&names, jg_unit_str(u, v->name), where(p, u, v), *out);
            p->variable_count += *out == p->variable_count;
        }
    }
    jg_names_fini(&names);
}

void jg_program_link(struct jg_program *p)
{
    link_functions(p);
    link_fields(p);
    link_variables(p);
}
