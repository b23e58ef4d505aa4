// SPDX-License-Identifier: Apache-2.0
//
// Writes a file that is there whole or not at all: into a temporary one of an unpredictable name
// beside it, which takes its place at the end.
//
// A symbolic link stays, and the file that it names is replaced. What is no regular file, a named
// pipe or anything in /dev and /proc, is written to directly: /dev/stdout is a link to a regular
// file when that is where the output goes.

#ifndef JG_IR_REPLACE_H
#define JG_IR_REPLACE_H

#include <stdio.h>

struct jg_replacement {
    FILE *file; // to be written to; NULL when it could not be opened
    const char *path;
    char *target;    // what `path` names behind links
    char *temporary; // NULL: written directly
};

// NULL, or a heap string "path: why"; there is then nothing to end.
char *jg_replace_begin(struct jg_replacement *r, const char *path);

// Puts the file in its place. NULL, or a heap string "path: why", "" when the reader of a pipe has
// gone; the old file is then as it was, and nothing is left behind.
char *jg_replace_end(struct jg_replacement *r);

// Gives up: the old file stays.
void jg_replace_cancel(struct jg_replacement *r);

#endif
