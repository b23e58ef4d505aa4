// SPDX-License-Identifier: Apache-2.0
//
// Inline assembly: what it may write becomes unknown.
//
// libclang gives the operands, outputs first, without saying where the inputs begin, and neither
// the constraints nor the labels of `asm goto`. An operand that is read has a conversion around it;
// one that has not is written. Labels are read from the text, which a macro body has as well.
// Misses: memory that is reached through no operand.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

// Where the text says `asm volatile goto (…)`: what follows the last colon names the labels.
static bool asm_goto_labels(struct fn *f, CXCursor c, jg_str *labels)
{
    CXFile file = NULL;
    unsigned offset = 0;
    size_t size = 0;
    clang_getSpellingLocation(clang_getCursorLocation(c), &file, NULL, NULL, &offset);
    const char *text = file ? clang_getFileContents(f->t->clang, file, &size) : NULL;
    if (!text || offset >= size)
        return false;
    const char *at = text + offset, *end = text + size, *open = at;
    while (open < end && *open != '(')
        open++;
    bool is_goto = false;
    for (const char *p = at; p + 4 <= open; p++)
        is_goto |= memcmp(p, "goto", 4) == 0;
    if (!is_goto)
        return false;
    const char *colon = NULL;
    int depth = 0;
    for (at = open; at < end; at++) {
        if (*at == '"')
            while (++at < end && *at != '"')
                at += *at == '\\';
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            break;
        else if (*at == ':' && depth == 1)
            colon = at;
    }
    *labels = colon && at < end ? intern(f->t, colon + 1, (size_t)(at - colon - 1)) : 0;
    return true;
}

static void asm_operand(struct fn *f, CXCursor c)
{
    if (is_place(f, c) && c.kind != CXCursor_UnexposedExpr) { // written
        havoc_place(f, place_of(f, c));
        return;
    }
    uint32_t temp = value(f, c);
    const struct jg_type *type = type_at(f->t, temp_type(f, temp));
    if (type->kind == JG_TYPE_POINTER && type->pointee != JG_NONE)
        havoc_place(f, place_deref(f, temp, type->pointee));
}

void asm_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    f->loc = loc_of(f->t, c);
    for (uint32_t i = 0; i < k.count; i++)
        if (is_expression(k.at[i]))
            asm_operand(f, k.at[i]);
    jg_str labels = 0;
    if (!asm_goto_labels(f, c, &labels))
        return;
    uint32_t any = make_havoc(f, f->t->type_void_pointer, NULL), through = new_block(f);
    *JG_VEC_PUSH(&f->indirect) = (struct indirect_jump){f->block, through, labels};
    end_block(f, JG_TERM_INDIRECT, any, loc_of(f->t, c));
    use_block(f, through);
}
