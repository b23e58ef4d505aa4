// SPDX-License-Identifier: Apache-2.0
//
// How much room there is: sizes as sums of a constant and a multiple of one unknown length, and the
// length of Java arrays. For the checks of bounds; nothing here reports.
//
// Sizes follow definitions through local variables that are assigned once. Variable-length arrays
// have no size here: the lowering keeps none.

#ifndef JG_CHECKS_SIZES_H
#define JG_CHECKS_SIZES_H

#include "analyzer/engine/watch.h"

// times * n + plus, n being the result of the call `call`, or what the parameter `var` held at the
// start of a function that never assigns it. times 0: the constant `plus`.
struct jg_size {
    bool known;
    uint32_t call, var; // JG_NONE
    int64_t times, plus;
};

struct jg_size jg_size_of(const struct jg_moment *m, uint32_t temp);

// Bytes from where the pointer points to the end of its memory: a local or static variable, or what
// malloc and its like returned.
struct jg_size jg_size_behind(const struct jg_moment *m, jg_value pointer);

// What the source calls the memory: 'buf' for buf + 3.
const char *jg_buffer_name(const struct jg_moment *m, jg_value pointer);

// Is it the call of that JNI function?
bool jg_size_is_from(const struct jg_moment *m, const struct jg_size *s, enum jg_jni_slot slot);

// The array or string that both calls name is provably the same: a variable assigned once.
bool jg_same_object(const struct jg_moment *m, uint32_t call, uint32_t other);

// Is the value n + c, n being the length of the array or string that `call` names? Sets c.
bool jg_is_length_of(const struct jg_moment *m, jg_value v, uint32_t call, int64_t *c);

// The array that `call` names has at most that many elements; INT64_MAX when nothing is known.
int64_t jg_length_at_most(const struct jg_moment *m, uint32_t call);

// Bytes of an element of the array that the acquisition or region function `call` names; 0 when not
// known.
uint32_t jg_element_size(const struct jg_moment *m, uint32_t call);

#endif
