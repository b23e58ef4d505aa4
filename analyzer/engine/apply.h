// SPDX-License-Identifier: Apache-2.0
//
// A summary at a call; between cases.c and apply.c.

#ifndef JG_ENGINE_APPLY_H
#define JG_ENGINE_APPLY_H

#include "analyzer/engine/internal.h"

struct application {
    struct jg_engine *e;
    const struct jg_summary *summary;
    const struct jg_insn *in;
    uint32_t block, insn;
    const jg_value *args;
    const jg_value *targets; // case and deed, then monitor -> the value it is done to
    jg_value result;         // of the call; unknown before it
    const struct jg_summary_case *possible[JG_MAX_CASES]; // in the state of the caller
    uint32_t possible_count;
    bool needs_clean; // whoever is called makes a call that is not legal with an exception pending
};

// Narrows what is known of the value; false: it cannot be so.
bool jg_case_narrow(struct jg_engine *e, struct jg_path *s, jg_value v, bool nonzero, int64_t low,
                    int64_t high);
// The region that an access names here; 0 when this function does not know it.
jg_region jg_case_region(const struct application *a, const struct jg_path *s,
                         const struct jg_access *at);
// What deed `index` of a case was done to; from JG_MAX_DEEDS on: the objects of its monitors, then
// what its conditions are about.
jg_value jg_case_target(const struct application *a, const struct jg_summary_case *c,
                        uint32_t index);
// The object of a monitor, in the state before or after the call.
jg_value jg_case_monitor(const struct application *a, const struct jg_path *s,
                         const struct jg_monitor *m);
// Narrows the state to one in which the case happens; false: it cannot.
bool jg_case_satisfies(const struct application *a, struct jg_path *s,
                       const struct jg_summary_case *c);

#endif
