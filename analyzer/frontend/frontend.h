// SPDX-License-Identifier: Apache-2.0
//
// The frontend: one translation unit in, one jg_unit out. The only folder that knows libclang.

#ifndef JG_FRONTEND_FRONTEND_H
#define JG_FRONTEND_FRONTEND_H

#include "analyzer/ir/ir.h"

#include <stddef.h>

struct jg_frontend; // one per thread; owns the clang index and the resource-folder probe

// Never fails for want of memory. On failure (no usable libclang headers) returns NULL and *error
// is a heap string that says what to install; the caller frees it.
struct jg_frontend *jg_frontend_new(char **error);
void jg_frontend_free(struct jg_frontend *f);

// What a unit depends on besides the command, its inputs and this program: libclang's full version
// and the folder of its headers. A heap string; needs no frontend, and starts none.
char *jg_frontend_identity(void);

struct jg_compile_command {
    const char *directory;   // absolute
    const char *file;        // absolute path of the main file
    const char *const *argv; // argv[0] is the compiler; the raw command of the database
    size_t argc;
};

// Parses and lowers. `unit` is initialised by the callee and always left valid, whatever the
// outcome: unit->status and unit->diagnostics tell (a file that cannot be read, or a fatal error
// such as a missing header, is JG_UNIT_FAILED; at least one function with an error inside is
// JG_UNIT_DEGRADED). The caller frees it with jg_unit_fini. Writes no file, whatever the command
// says.
void jg_frontend_parse(struct jg_frontend *f, const struct jg_compile_command *command,
                       struct jg_unit *unit);

// Does an option of a compiler take the next argument as its value? Of unknown ones no.
bool jg_frontend_takes_value(const char *option);

// Parses only, for the benchmark: 0 when clang made a translation unit.
int jg_frontend_parse_only(struct jg_frontend *f, const struct jg_compile_command *command);

#endif
