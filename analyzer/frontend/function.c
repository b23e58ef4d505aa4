// SPDX-License-Identifier: Apache-2.0
//
// One function: sets the stage for stmt.c, and hands the result to emit.c.
//
// Parameters are the first variables, `this` of a method before them. A C++ constructor's member
// initialisers are not lowered.

#include "analyzer/frontend/frontend_internal.h"

static bool find_body(struct fn *f)
{
    struct kids k = kids_of(f->t, f->cursor);
    for (uint32_t i = k.count; i--;)
        if (k.at[i].kind == CXCursor_CompoundStmt || k.at[i].kind == CXCursor_CXXTryStmt) {
            f->body = k.at[i];
            return true;
        }
    return false;
}

static void add_parameters(struct fn *f)
{
    const struct jg_symbol *s = &f->t->u->symbols.data[f->symbol];
    int declared = clang_Cursor_getNumArguments(f->cursor);
    if (s->param_count == (uint32_t)(declared > 0 ? declared : 0) + 1 && f->t->cxx) {
        uint32_t type = f->t->u->param_types.data[s->first_param];
        f->this_var = new_temporary_var(f, type);
        f->vars.data[0].kind = JG_VAR_PARAM;
        jg_str name = intern(f->t, "this", 4);
        f->vars.data[0].name = name;
    }
    for (int i = 0; i < declared; i++)
        local_var(f, clang_Cursor_getArgument(f->cursor, (unsigned)i), JG_VAR_PARAM);
    f->param_count = f->vars.count;
}

void lower_function(struct tu *t, uint32_t symbol, CXCursor definition)
{
    struct fn *f = t->fn;
    if (t->u->symbols.data[symbol].function != JG_NONE)
        return;
    fn_reset(f);
    jg_bump_reset(&t->arena);
    f->cursor = definition;
    f->symbol = symbol;
    if (!find_body(f))
        return;
    uint32_t loc = loc_of(t, definition), end_loc = loc_of_end(t, f->body);
    if (loc == JG_NONE)
        return;
    f->return_type = t->u->symbols.data[symbol].return_type;
    f->loc = loc;
    if (!in_main_file(t, clang_getCursorLocation(definition)))
        f->flags |= JG_FN_HEADER;
    if (t->cxx)
        f->flags |= JG_FN_CXX;
    if (has_error_inside(t, definition))
        f->flags |= JG_FN_DEGRADED;
    use_block(f, new_block(f));
    add_parameters(f);
    statement(f, f->body);
    if (f->block != JG_NONE)
        end_block(f, JG_TERM_RETURN, JG_NONE, end_loc);
    resolve_jumps(f);
    emit_function(f, loc, end_loc);
}
