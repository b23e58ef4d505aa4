// SPDX-License-Identifier: Apache-2.0
//
// Allocation that cannot fail, and arenas.
//
// An arena is a chain of blocks of doubling size, the newest first; allocation bumps in the newest.
// A reset keeps the largest block, so an arena that is used again and again settles on one block.
// Under AddressSanitizer every allocation is a block of its own: overruns and uses after a reset
// are then seen by the tool, which a bump allocator would hide.
//
// Not thread-safe: one arena, one thread at a time.

#include "analyzer/ir/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ONE_BLOCK_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_BLOCK_EACH 1
#endif
#endif
#ifndef ONE_BLOCK_EACH
#define ONE_BLOCK_EACH 0
#endif

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 16 << 20, ALIGNMENT = 16 };

struct jg_bump_block {
    struct jg_bump_block *next;
    size_t size, used; // of the payload
    _Alignas(ALIGNMENT) char data[];
};

_Noreturn void jg_out_of_memory(void)
{
    fputs("jniguard: out of memory\n", stderr);
    exit(2);
}

void *jg_malloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        jg_out_of_memory();
    return p;
}

void *jg_calloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        jg_out_of_memory();
    return p;
}

void *jg_realloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        jg_out_of_memory();
    return p;
}

char *jg_strdup(const char *s)
{
    size_t size = strlen(s) + 1;
    return memcpy(jg_malloc(size), s, size);
}

char *jg_format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = NULL;
    if (vasprintf(&text, fmt, ap) < 0)
        jg_out_of_memory();
    va_end(ap);
    return text;
}

// ---- arena -------------------------------------------------------------------------------------

static struct jg_bump_block *new_block(struct jg_bump *a, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct jg_bump_block))
        jg_out_of_memory();
    struct jg_bump_block *b = jg_malloc(sizeof *b + size);
    b->next = a->head;
    b->size = size;
    b->used = 0;
    a->head = b;
    return b;
}

static size_t next_size(const struct jg_bump *a, size_t need)
{
    if (ONE_BLOCK_EACH)
        return need;
    size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    return size < need ? need : size;
}

void *jg_bump_alloc(struct jg_bump *a, size_t size)
{
    if (size > SIZE_MAX / 2)
        jg_out_of_memory();
    size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct jg_bump_block *b = a->head;
    if (!b || b->size - b->used < rounded || ONE_BLOCK_EACH)
        b = new_block(a, next_size(a, ONE_BLOCK_EACH ? size : rounded));
    void *p = b->data + b->used;
    b->used += ONE_BLOCK_EACH ? size : rounded;
    a->live += size;
    return memset(p, 0, size);
}

void *jg_bump_copy(struct jg_bump *a, const void *data, size_t size)
{
    void *p = jg_bump_alloc(a, size);
    return size ? memcpy(p, data, size) : p;
}

char *jg_bump_strdup(struct jg_bump *a, const char *s)
{
    return jg_bump_copy(a, s, strlen(s) + 1);
}

char *jg_bump_format(struct jg_bump *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int length = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (length < 0)
        jg_out_of_memory();
    char *text = jg_bump_alloc(a, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

void jg_bump_reset(struct jg_bump *a)
{
    struct jg_bump_block *keep = NULL;
    for (struct jg_bump_block *b = a->head, *next; b; b = next) {
        next = b->next;
        if (!ONE_BLOCK_EACH && (!keep || b->size > keep->size)) {
            free(keep);
            keep = b;
        } else {
            free(b);
        }
    }
    if (keep) {
        keep->next = NULL;
        keep->used = 0;
    }
    a->head = keep;
    a->live = 0;
}

void jg_bump_join(struct jg_bump *a, struct jg_bump *other)
{
    struct jg_bump_block **end = &other->head;
    while (*end)
        end = &(*end)->next;
    struct jg_bump_block **at = a->head ? &a->head->next : &a->head; // the newest stays first
    *end = *at;
    *at = other->head;
    a->live += other->live;
    *other = (struct jg_bump){0};
}

void jg_bump_fini(struct jg_bump *a)
{
    for (struct jg_bump_block *b = a->head, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (struct jg_bump){0};
}

// ---- vectors -----------------------------------------------------------------------------------

void jg_vec_grow(void **data, uint32_t *capacity, uint32_t count, size_t element_size)
{
    if (count >= UINT32_MAX / 2)
        jg_out_of_memory();
    uint32_t want = *capacity ? *capacity * 2 : 8;
    if (want <= count)
        want = count + 1;
    if (element_size && want > SIZE_MAX / element_size)
        jg_out_of_memory();
    *data = jg_realloc(*data, want * element_size);
    *capacity = want;
}
