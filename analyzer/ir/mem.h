// SPDX-License-Identifier: Apache-2.0
//
// Memory for the analyzer: allocation that cannot fail, arenas dropped whole, growable arrays.
//
// Out of memory ends the tool through jg_out_of_memory() with exit code 2; no caller tests for
// NULL. Arenas and vectors belong to one thread at a time.

#ifndef JG_IR_MEM_H
#define JG_IR_MEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void jg_out_of_memory(void);

// As malloc, calloc, realloc, strdup, but never NULL. Free with free().
void *jg_malloc(size_t size);
void *jg_calloc(size_t count, size_t size);
void *jg_realloc(void *old, size_t size);
char *jg_strdup(const char *s);

// printf into a new heap string; the caller frees it.
__attribute__((format(printf, 1, 2))) char *jg_format(const char *fmt, ...);

struct jg_bump_block;

// A bump arena. Zero-initialise it; blocks are zeroed, 16-byte aligned and never move.
struct jg_bump {
    struct jg_bump_block *head;
    size_t live; // bytes handed out since the last reset
};

void *jg_bump_alloc(struct jg_bump *a, size_t size); // zeroed
void *jg_bump_copy(struct jg_bump *a, const void *data, size_t size);
char *jg_bump_strdup(struct jg_bump *a, const char *s);
__attribute__((format(printf, 2, 3))) char *jg_bump_format(struct jg_bump *a, const char *fmt, ...);
void jg_bump_join(struct jg_bump *a, struct jg_bump *other); // moves all blocks; `other` is empty
void jg_bump_reset(struct jg_bump *a); // forgets all blocks, keeps memory for reuse
void jg_bump_fini(struct jg_bump *a);

// A growable array: struct JG_VEC(struct jg_insn) insns; zero-initialised is empty.
#define JG_VEC(type)                                                                               \
    {                                                                                              \
        type *data;                                                                                \
        uint32_t count, capacity;                                                                  \
    }

// Room for one more element at the end; returns a pointer to it, zeroed. Earlier pointers may move.
#define JG_VEC_PUSH(v)                                                                             \
    ((void)((v)->count == (v)->capacity                                                            \
                ? jg_vec_grow((void **)&(v)->data, &(v)->capacity, (v)->count, sizeof *(v)->data)  \
                : (void)0),                                                                        \
     jg_vec_zero(&(v)->data[(v)->count], sizeof *(v)->data), &(v)->data[(v)->count++])

#define JG_VEC_FREE(v) (free((v)->data), (v)->data = NULL, (v)->count = (v)->capacity = 0)

void jg_vec_grow(void **data, uint32_t *capacity, uint32_t count, size_t element_size);

static inline void jg_vec_zero(void *element, size_t size)
{
    memset(element, 0, size);
}

#endif
