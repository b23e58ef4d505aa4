// SPDX-License-Identifier: Apache-2.0
//
// Places that global references are stored in, and who looks at them: without regard to paths.

#ifndef JG_CHECKS_GLOBAL_PLACES_H
#define JG_CHECKS_GLOBAL_PLACES_H

#include "analyzer/engine/watch.h"

// A call of NewGlobalRef or NewWeakGlobalRef.
bool jg_makes_global(const struct jg_insn *in);

// The place that the result of a call is stored in, before its block ends; JG_NONE.
uint32_t jg_place_of_result(const struct jg_moment *m, uint32_t call);

enum jg_look {
    JG_LOOK_NONE,
    JG_LOOK_READ,    // tested, used, compared
    JG_LOOK_DELETED, // given to DeleteGlobalRef or DeleteWeakGlobalRef
    JG_LOOK_GIVEN    // stored elsewhere, or given to a function of the project
};

// The most that instructions [first, end) of a function do with what a place holds. `whole`: also
// where another part of the same variable is named.
enum jg_look jg_look_at(const struct jg_unit *u, uint32_t place, bool whole, uint32_t first,
                        uint32_t end);

// The same for all functions of the unit, other parts of the variable included.
enum jg_look jg_look_in_unit(const struct jg_unit *u, uint32_t place);

#endif
