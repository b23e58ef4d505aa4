// SPDX-License-Identifier: Apache-2.0
//
// What is known of functions of the C library and of POSIX, as data: one row of `c_functions.def`
// each. Immutable static data, any thread.

#ifndef JG_RULES_C_FUNCTION_H
#define JG_RULES_C_FUNCTION_H

#include <stdint.h>

enum jg_c_flag {
    JG_C_BLOCKS = 1u << 0,    // may wait for another thread, a device or time
    JG_C_FREES = 1u << 1,     // gives its first argument back
    JG_C_ALLOCATES = 1u << 2, // returns new memory, or NULL
};

enum jg_c_role {
    JG_C_VALUE,   // a number, or a parameter that is not there
    JG_C_OUT,     // memory that is written
    JG_C_IN,      // memory that is read, as far as the SIZE parameter or a terminator goes
    JG_C_STRING,  // memory that is read up to its terminating 0
    JG_C_PRINTED, // an argument of a printf format: read, a string perhaps
    JG_C_SIZE,    // how many bytes (strings of wide characters: elements) are read or written
    JG_C_FREED,   // memory that is given back
    JG_C_OTHER,   // some other pointer: streams, structures
};

#define JG_C_ROLES 5

struct jg_c_function {
    const char *name;
    uint8_t flags;             // enum jg_c_flag
    uint8_t roles[JG_C_ROLES]; // enum jg_c_role; the last one holds for all further parameters
};

// NULL when nothing is known of a function of that name. Cost: logarithmic.
const struct jg_c_function *jg_c_find(const char *name);

// The role of parameter `index`, 0 being the first.
enum jg_c_role jg_c_role(const struct jg_c_function *fn, unsigned index);

// Index of the SIZE parameter, -1 when there is none.
int jg_c_size(const struct jg_c_function *fn);

#endif
