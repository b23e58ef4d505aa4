// SPDX-License-Identifier: Apache-2.0
//
// Units with other texts. See rewrite.h.

#include "analyzer/ir/rewrite.h"

#include "analyzer/ir/unit_file.h"

#include <stdlib.h>
#include <string.h>

// Makes the strings of a copy anew. moved[s]: where the string that began at s begins now;
// that of the end, too.
static void rewrite_strings(const struct jg_unit *u, struct jg_unit *copy, jg_str *moved,
                            jg_rewrite *rewrite, void *context)
{
    for (uint32_t at = 0, length; at < u->strings.count; at += length + 1) {
        const char *text = jg_unit_str(u, at);
        length = (uint32_t)strlen(text);
        char *other = length ? rewrite(context, text) : NULL;
        const char *now = other ? other : text;
        size_t size = strlen(now);
        moved[at] = copy->strings.count;
        if (!size) // of its own, also the empty part of a literal
            *JG_VEC_PUSH(&copy->strings) = '\0';
        else
            jg_unit_add_str(copy, now, size);
        free(other);
    }
    moved[u->strings.count] = copy->strings.count;
}

// A literal may hold several strings: it ends where the one behind it begins.
static void move_literal(struct jg_insn *in, const jg_str *moved)
{
    jg_str next = moved[in->a + (uint32_t)in->imm + 1];
    in->a = moved[in->a];
    in->imm = (int64_t)next - in->a - 1;
}

void *jg_unit_rewrite(const struct jg_unit *u, jg_rewrite *rewrite, void *context, size_t *size)
{
    struct jg_unit copy;
    void *data = jg_unit_write(u, size);
    char *error = jg_unit_view(&copy, data, *size);
    if (error) // it was not sound before
        abort();
    jg_str *moved = jg_calloc(u->strings.count + 1, sizeof *moved);
    memset(&copy.strings, 0, sizeof copy.strings);
    rewrite_strings(u, &copy, moved, rewrite, context);
    copy.path = moved[u->path];
    copy.directory = moved[u->directory];
#define JG_STRING(vector, member)                                                                  \
    for (uint32_t i = 0; i < copy.vector.count; i++)                                               \
        copy.vector.data[i] member = moved[u->vector.data[i] member];
#include "analyzer/ir/strings.def"
    for (uint32_t i = 0; i < copy.insns.count; i++)
        if (copy.insns.data[i].op == JG_OP_STR)
            move_literal(&copy.insns.data[i], moved);
    void *out = jg_unit_write(&copy, size);
    JG_VEC_FREE(&copy.strings);
    free(moved);
    free(data);
    return out;
}
