// SPDX-License-Identifier: Apache-2.0
//
// Checks of whole programs: what the call graph decides, and no path of one function.
//
// A check is a function with a JG_PROGRAM_CHECK row in checks.def. It reads the program and reports
// findings whose steps may lie in any unit; nothing is explored for it. The usual shape:
//   struct jg_program_finding f;
//   jg_program_finding_begin(c, &f, JG_RULE_..., id);
//   jg_describe_at_loc(&f.d, loc, "..."); // a location of the function's own unit
//   jg_program_step(&f, unit, loc, "...");
//   jg_program_finding_end(c, &f);
// Functions that units have alike are the check's own affair: it looks at representatives only.

#ifndef JG_CHECKS_PROGRAM_CHECKS_H
#define JG_CHECKS_PROGRAM_CHECKS_H

#include "analyzer/checks/describe.h"
#include "analyzer/engine/contexts.h"

struct jg_program_check {
    const struct jg_program *program;
    struct jg_findings *out;
};

typedef void jg_program_check_fn(const struct jg_program_check *c);

#define JG_PROGRAM_CHECK(rule, function) jg_program_check_fn function;
#include "analyzer/checks/checks.def"

// Runs all checks of whole programs. Appends; deterministic.
void jg_program_checks_run(const struct jg_program *program, struct jg_findings *out);

// A finding in the making. `d` has no violation and no engine: only what works with locations may
// be asked of it.
struct jg_program_finding {
    struct jg_describe d;
    struct jg_finding finding;
};

// About the function `id`; one with a compile error has low confidence.
void jg_program_finding_begin(const struct jg_program_check *c, struct jg_program_finding *f,
                              enum jg_rule rule, uint32_t id);
// A step in any unit.
__attribute__((format(printf, 5, 6))) void jg_program_step(const struct jg_program_check *c,
                                                           struct jg_program_finding *f,
                                                           uint32_t unit, uint32_t loc,
                                                           const char *fmt, ...);
void jg_program_finding_end(const struct jg_program_check *c, struct jg_program_finding *f);

// ---- what functions can reach -------------------------------------------------------------------

// The shortest way from each function to an instruction of some kind, by calls.
struct jg_reach {
    uint32_t *length; // calls on the way, 0 when the function has the instruction; JG_NONE: no way
    uint32_t *next;   // the function called on the way; JG_NONE
    uint32_t *insn;   // the call, or the instruction itself; index in the function's unit
    bool *sure;       // every call on the way names its callee
};

struct jg_reach_query {
    bool (*is_target)(const struct jg_program *p, uint32_t unit, uint32_t insn);
    const bool *blocked; // per function: no way leads into it; NULL: none is
    bool direct;         // only calls that name their callee
};

// Cost: linear in the call graph, and in the size of the functions on the ways.
void jg_reach_init(struct jg_reach *r, const struct jg_program *p, const struct jg_reach_query *q);
void jg_reach_fini(struct jg_reach *r);

// "FindClass", "'log_line'": what an instruction calls. `id` when that is a function of the
// program, or JG_NONE.
const char *jg_reach_text(const struct jg_program_check *c, uint32_t unit, uint32_t insn,
                          uint32_t id);

// Adds the steps of the way that begins with the call `insn` of `id` to `callee` (JG_NONE: `insn`
// itself is the target). Where there are too many, those in the middle are left out and counted.
void jg_reach_steps(const struct jg_program_check *c, struct jg_program_finding *f,
                    const struct jg_reach *r, uint32_t id, uint32_t insn, uint32_t callee);

// What the way ends with: "FindClass".
const char *jg_reach_end(const struct jg_program_check *c, const struct jg_reach *r,
                         uint32_t callee);

// A call of JNI, the invocation interface included.
bool jg_is_jni_call(const struct jg_program *p, uint32_t unit, uint32_t insn);

#endif
