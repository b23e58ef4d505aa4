// SPDX-License-Identifier: Apache-2.0
//
// The cache: what earlier runs made of the same inputs, on disk.
//
// Two kinds of content are kept under $XDG_CACHE_HOME/jniguard (or ~/.cache/jniguard):
//   units     found by the compile command, and valid as long as every file that was read has the
//             same content and no file has come or gone that would have been read instead;
//   results   for each unit a set of small records, each found by a hash of all it depends on.
//
// Nothing found there is believed before magic, version, length, checksum and its own key have been
// compared; what is wrong is removed and counts as not found. Files are written under a random name
// and renamed, never changed in place, so that several processes may share the folder and mappings
// stay what they were. Nothing that goes wrong here ends a run: jg_cache_trouble says the first of
// it. Whoever can write the folder can make findings disappear: it is as trusted as its writers.
//
// A struct jg_cache stands for one run: the content of a file is looked at once and then taken to
// stay. It belongs to one thread, and to the process that opened it or a child of it. Every
// function takes NULL for a cache that is switched off: nothing is found then, and nothing kept.

#ifndef JG_PROJECT_CACHE_H
#define JG_PROJECT_CACHE_H

#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The total that is kept, in bytes; what was not used for the longest time goes first.
#define JG_CACHE_LIMIT (UINT64_C(2) << 30)

struct jg_cache;

// Opens, and makes the folder where it is missing. Never NULL. `identity` is whatever the contents
// depend on besides inputs and this program itself, such as the version of libclang.
struct jg_cache *jg_cache_open(const char *identity);

// Counts what was written and, where that exceeds the limit, removes the oldest.
void jg_cache_close(struct jg_cache *c);

// The same without the end: before a fork, so that nothing is counted by both; in a child, which
// may go on with the cache where its parent does nothing more with it, instead of the close.
void jg_cache_settle(struct jg_cache *c);

// Why it is off, NULL while it is on: no folder is named, or the folder cannot be used. The latter
// is also a trouble.
const char *jg_cache_why_off(const struct jg_cache *c);

// One line for the user about the first thing that went wrong, or NULL.
const char *jg_cache_trouble(const struct jg_cache *c);

struct jg_cache_stats {
    uint64_t found, kept; // units
};
struct jg_cache_stats jg_cache_stats(const struct jg_cache *c);

// ---- units --------------------------------------------------------------------------------------

// Bytes in the mapped file, aligned to 64.
struct jg_cache_bytes {
    const void *data;
    size_t size;
    void *map;
    size_t map_size;
};

void jg_cache_unmap(struct jg_cache_bytes *b);

// The unit that this command would give. True: the caller unmaps `out`, which outlives the cache.
bool jg_cache_find_unit(struct jg_cache *c, const struct jg_compile_command *command,
                        struct jg_cache_bytes *out);

// A file that was read, by the name under which the compiler found it, absolute; not resolved,
// since its folder is where further headers were looked for.
struct jg_cache_input {
    const char *path;
    struct jg_hash hash; // of its content when it was read
};

// Keeps a unit. `inputs` are all files that were read, the main file first. False when it is not
// kept: an input has changed meanwhile, uses __DATE__ or __TIME__, asks for files in a way that
// cannot be followed (see cache_scan.c, cache_search.c), or the cache cannot be written.
bool jg_cache_keep_unit(struct jg_cache *c, const struct jg_compile_command *command,
                        const struct jg_cache_input *inputs, size_t count, const void *data,
                        size_t size);

// ---- results ------------------------------------------------------------------------------------

struct jg_cache_results;

// The records of one unit, under a name that stays the same when its content changes, such as the
// hash of its path. NULL when the cache is off; the functions below take that.
struct jg_cache_results *jg_cache_results_open(struct jg_cache *c, const struct jg_hash *unit);

// The record of that key; `*data` is aligned to 8 and valid until the close. What is found or put
// is used. One thread at a time for one struct jg_cache_results.
bool jg_cache_results_find(struct jg_cache_results *r, const struct jg_hash *key, const void **data,
                           size_t *size);

// Adds a record (copied). A key that is there already keeps its record.
void jg_cache_results_put(struct jg_cache_results *r, const struct jg_hash *key, const void *data,
                          size_t size);

// When a record was added, replaces the file by what was used in this run. Frees `r`.
void jg_cache_results_close(struct jg_cache_results *r);

// ---- for `jniguard cache` -----------------------------------------------------------------------

struct jg_cache_info {
    char *folder; // heap; NULL when none is named
    bool exists;
    uint64_t units, files, bytes;
};

// What there is. NULL, or a heap string: why it cannot be looked at. The folder is set in any case;
// the caller frees both.
char *jg_cache_info(struct jg_cache_info *out);

// Removes all that the cache has made, and nothing else. `out` counts what was removed.
char *jg_cache_clear(struct jg_cache_info *out);

#endif
