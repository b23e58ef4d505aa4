/* SPDX-License-Identifier: Apache-2.0
 *
 * jg_buffer: a growable buffer of slices, for records that are written one after the other, then
 * walked or sorted: traces, reports, the lines of a large file.
 *
 *   jg_buffer_init -> append, or reserve + commit ... -> sort -> next ... -> jg_buffer_fini
 *
 * A slice is eight bytes of length in the machine's byte order, the bytes, and zeroes up to the
 * next multiple of eight: what lies in a slice is aligned to eight. A slice of length 0 is a slice.
 *
 * The buffer doubles and so moves: a pointer into it is good until the next append or reserve.
 * Beyond `spill` bytes it moves into a temporary file without a name that is mapped; the file's
 * blocks are allocated before they are used, so that a full disk is a status and never SIGBUS.
 *
 * One owner at a time, as with jg_chunks. A child of fork shares a buffer in a file with its parent
 * and must neither write nor sort it. Errors: an operation that fails leaves the content as it was.
 */

#ifndef JNIGUARD_BUFFER_H
#define JNIGUARD_BUFFER_H

#include <jniguard/chunks.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero means the default everywhere. */
struct jg_buffer_options {
    size_t initial;        /* bytes at the first growth; default 4096 */
    size_t maximum;        /* bytes never exceeded, lengths and padding included; default none */
    size_t spill;          /* beyond this many bytes the buffer lies in a file; default never */
    const char *directory; /* of that file, copied; default $TMPDIR, else /tmp */
    struct jg_memory_backing backing;
};

/* Bytes and how many of them. Empty slices have a pointer, too. */
struct jg_slice {
    const char *data;
    size_t size;
};

/* Memory that grows: a block of the backing allocator, or a mapped file. */
struct jg_buffer_region {
    char *data;
    size_t size;
    int file; /* 1 + descriptor; 0 in memory */
};

/* Caller storage. The fields are the implementation's; reading the first three is fine. */
struct jg_buffer {
    struct jg_buffer_region region;
    size_t used;     /* bytes of region.data that hold slices */
    size_t count;    /* slices */
    size_t reserved; /* 1 + bytes that may be committed; 0 without a reservation */
    size_t initial, maximum, spill;
    char *directory;
    struct jg_memory_backing backing;
};

/* Less than, equal to or greater than zero, as `a` sorts before, with or after `b`. The slices are
 * good for the time of the call. It must return (no longjmp) and not touch the buffer. */
typedef int jg_buffer_compare(const struct jg_slice *a, const struct jg_slice *b, void *context);

/* Makes an empty buffer that holds no memory yet, but for a copy of the directory's name; `options`
 * may be NULL. JG_MEMORY_OPTION: a size beyond PTRDIFF_MAX, an empty directory, half a backing. */
enum jg_memory_status jg_buffer_init(struct jg_buffer *b, const struct jg_buffer_options *options);

/* Releases everything, the file included. The buffer may be initialised again, and released again.
 */
void jg_buffer_fini(struct jg_buffer *b);

/* Adds one slice. `bytes` may lie in the buffer itself, and may be NULL where `size` is 0.
 * SIZE, MAXIMUM, NOMEM, FILE, DISK, MAP. */
enum jg_memory_status jg_buffer_append(struct jg_buffer *b, const void *bytes, size_t size);

/* For a slice whose length is known only once it is written: room for `size` bytes at *out, which
 * become a slice by jg_buffer_commit with their final number; until then they belong to no slice.
 * Another reserve or an append drops the reservation. Errors as append, and RESERVE for commit. */
enum jg_memory_status jg_buffer_reserve(struct jg_buffer *b, size_t size, void **out);
enum jg_memory_status jg_buffer_commit(struct jg_buffer *b, size_t size);

/* The slice at *offset, which then is the offset of the one behind it. Start with 0; false at the
 * end:  size_t at = 0; for (struct jg_slice s; jg_buffer_next(b, &at, &s);) ... */
bool jg_buffer_next(const struct jg_buffer *b, size_t *offset, struct jg_slice *slice);

/* Sorts the slices; equal ones keep their order. A merge sort: O(n log n) comparisons, n - 1 where
 * the slices are sorted, and scratch memory for half of the bytes at most, in a file if that is
 * beyond `spill`. Offsets and pointers are no longer good. A comparison that contradicts itself
 * gives some order. NOMEM, FILE, DISK, MAP. */
enum jg_memory_status jg_buffer_sort(struct jg_buffer *b, jg_buffer_compare *compare,
                                     void *context);

/* Forgets all slices and keeps the memory. */
void jg_buffer_reset(struct jg_buffer *b);

/* Does the buffer lie in a file? */
bool jg_buffer_in_file(const struct jg_buffer *b);

#ifdef __cplusplus
}
#endif

#endif
