// SPDX-License-Identifier: Apache-2.0
//
// A finding: what the user gets to read. Made by checks/, filtered and written by report/.

#ifndef JG_CHECKS_FINDING_H
#define JG_CHECKS_FINDING_H

#include "analyzer/ir/mem.h"
#include "rules/rule.h"

#include <stdbool.h>
#include <stdint.h>

struct jg_position {
    const char *path;              // absolute
    uint32_t line, column;         // 1-based, bytes
    uint32_t end_line, end_column; // exclusive; 0 when unknown
};

struct jg_step {
    struct jg_position at;
    const char *message; // "acquired here", one line, no full stop
};

#define JG_MAX_STEPS 8
#define JG_MAX_NOTES 6
#define JG_MAX_DOUBTS 4

struct jg_finding {
    enum jg_rule rule;
    enum jg_severity severity;
    enum jg_confidence confidence;
    struct jg_position at;
    const char *function; // name of the function
    const char *message;
    struct jg_step steps[JG_MAX_STEPS]; // the path, in order of execution
    unsigned step_count;
    struct jg_step notes[JG_MAX_NOTES]; // other leaking exits, "expanded from macro"
    unsigned note_count;
    char
        fingerprint[33]; // hexadecimal, NUL-terminated: rule, function, token text of the statement
    bool suppressed;
    // For --explain-finding alone:
    const char *doubts[JG_MAX_DOUBTS]; // what lowers the confidence
    unsigned doubt_count;
    struct jg_position directive; // what suppresses it: its rule's id, and `path` NULL for none
};

// All findings of a run. Strings live in the arena.
struct jg_findings {
    struct jg_bump arena;
    struct JG_VEC(struct jg_finding) list;
};

void jg_findings_init(struct jg_findings *f);
void jg_findings_fini(struct jg_findings *f);

// Sorts by (path, line, column, rule, fingerprint, message) and drops exact duplicates (the same
// header function seen from two units).
void jg_findings_sort(struct jg_findings *f);

#endif
