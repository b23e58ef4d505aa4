// SPDX-License-Identifier: Apache-2.0
//
// What a run reports on. Units that were not asked for are linked, since they tell what the others
// call, but nothing is said about them.

#ifndef JG_CLI_FOCUS_H
#define JG_CLI_FOCUS_H

#include "analyzer/ir/ir.h"

#include <stdbool.h>

// All zero: on everything.
struct jg_focus {
    bool limited;                      // to these:
    struct JG_VEC(const char *) units; // main files, as the units name them
    struct JG_VEC(const char *) files; // where findings may lie, likewise
    struct jg_bump arena;
};

void jg_focus_fini(struct jg_focus *s);

// Adds a unit, with all files that have code in it; or, when `header` is not NULL, that file alone
// (a real path). What is added last must be followed by jg_focus_sort.
void jg_focus_add(struct jg_focus *s, const struct jg_unit *unit, const char *header);
void jg_focus_sort(struct jg_focus *s);

bool jg_focus_has_unit(const struct jg_focus *s, const char *path);
bool jg_focus_has_file(const struct jg_focus *s, const char *path);

// What has a header (a real path) to do with the unit: JG_NOT_INCLUDED, or read, or code that is
// called lies in it.
enum jg_inclusion { JG_NOT_INCLUDED, JG_INCLUDED, JG_INCLUDED_WITH_CODE };
enum jg_inclusion jg_unit_includes(const struct jg_unit *unit, const char *header);

#endif
