// SPDX-License-Identifier: Apache-2.0
//
// What the files of the cache share:
//   cache_folder.c   where it lies, and whether it can be trusted
//   cache.c          blobs: mapped, checked, written
//   cache_size.c     how much there is; removing the oldest; info and clear
//   cache_files.c    what the run knows about files: contents, and which exist
//   cache_scan.c     the text of a file -> the names it asks for
//   cache_search.c   a command -> the folders that are searched
//   cache_manifest.c inputs and absent files of a unit <-> bytes
//   cache_unit.c     units: found and kept
//   cache_results.c  records

#ifndef JG_PROJECT_CACHE_INTERNAL_H
#define JG_PROJECT_CACHE_INTERNAL_H

#include "analyzer/project/cache.h"

#include <time.h>

// ---- blobs --------------------------------------------------------------------------------------

enum jg_cache_kind { JG_CACHE_MANIFEST, JG_CACHE_UNIT, JG_CACHE_RESULTS, JG_CACHE_KINDS };

// The folder below jniguard/, and in each blob. Counts up with every change of a format.
#define JG_CACHE_VERSION 1
#define JG_CACHE_FOLDER "v1"
#define JG_CACHE_TEMPORARY "tmp." // what names of unfinished files begin with

struct jg_cache_header {
    char magic[8];
    uint32_t version, kind;
    uint64_t length;   // of what follows
    uint64_t checksum; // XXH3 of what follows
    struct jg_hash key;
};

struct jg_cache_folders {
    char *path; // heap; NULL: none is named
    int top;    // -1: not open
    int kind[JG_CACHE_KINDS];
};

struct jg_cache {
    struct jg_cache_folders folders;
    struct jg_hash tool; // this program and the caller's identity
    char *why_off, *trouble;
    bool read_only;   // a write has failed
    uint64_t written; // bytes, in this run
    struct jg_cache_stats stats;
    struct jg_cache_files *files;
};

bool jg_cache_map(struct jg_cache *c, enum jg_cache_kind kind, const struct jg_hash *key,
                  struct jg_cache_bytes *out);
bool jg_cache_write(struct jg_cache *c, enum jg_cache_kind kind, const struct jg_hash *key,
                    const void *data, size_t size);

// Sets the trouble, unless there is one, from errno.
void jg_cache_set_trouble(struct jg_cache *c, const char *what);

// ---- folders ------------------------------------------------------------------------------------

// Opens the folders, making them with `create`. NULL when they are open or, without `create`, not
// there (top is then -1); otherwise a heap string, which is empty when no folder is named.
char *jg_cache_folders_open(struct jg_cache_folders *f, bool create);
void jg_cache_folders_close(struct jg_cache_folders *f);

// Removes those that are empty, jniguard/ itself included.
void jg_cache_folders_remove(const struct jg_cache_folders *f);

// ---- size ---------------------------------------------------------------------------------------

// Adds what was written to the count kept on disk; removes the oldest where that, or the age of the
// count, says so.
void jg_cache_account(struct jg_cache *c);

// Removes the oldest files when all together exceed `limit`, and temporaries that were left behind.
// Returns the total that remains.
uint64_t jg_cache_sweep(const struct jg_cache_folders *f, uint64_t limit);

// ---- files --------------------------------------------------------------------------------------

typedef uint32_t jg_name; // an interned string of this run; never 0

// One name that a text asks for.
struct jg_cache_asked {
    jg_name name;
    bool quoted; // the folder of the file is searched as well
    bool probe;  // __has_include: whether it exists matters, too
};

struct jg_cache_file {
    bool readable;
    bool scanned;
    bool computed; // an #include whose name is a macro
    bool opaque;   // what it makes of other files, or of the time, cannot be followed
    struct jg_hash hash;
    const struct jg_cache_asked *asked;
    uint32_t asked_count;
};

// `start`: of the run; what was changed since is fresh.
struct jg_cache_files *jg_cache_files_new(struct timespec start);
void jg_cache_files_free(struct jg_cache_files *f);

jg_name jg_cache_name(struct jg_cache_files *f, const char *text, size_t length);
// Stays where it is.
const char *jg_cache_text(const struct jg_cache_files *f, jg_name name);

// The number of names so far: all are less.
jg_name jg_cache_name_end(const struct jg_cache_files *f);

// The file of that absolute path: its hash, read once in a run; with `scan` what it asks for, too.
const struct jg_cache_file *jg_cache_file(struct jg_cache_files *f, jg_name path, bool scan);

// Would the compiler find `name` in `folder`? Asked of the system once in a run.
enum jg_cache_presence { JG_CACHE_ABSENT, JG_CACHE_PRESENT, JG_CACHE_FRESH };
enum jg_cache_presence jg_cache_presence(struct jg_cache_files *f, jg_name folder, jg_name name);

// folder/name, or name where that is absolute; NULL when that is too long. Valid until the next
// call.
const char *jg_cache_join(struct jg_cache_files *f, jg_name folder, jg_name name);

// ---- scan ---------------------------------------------------------------------------------------

struct jg_cache_scan {
    struct JG_VEC(struct jg_cache_asked) asked;
    bool computed, opaque;
};

void jg_cache_scan(struct jg_cache_files *f, const char *text, size_t size,
                   struct jg_cache_scan *out);

// ---- search -------------------------------------------------------------------------------------

struct jg_cache_search {
    struct JG_VEC(jg_name) folders; // absolute, in no particular order
    struct JG_VEC(jg_name) forced;  // -include, -imacros
    jg_name directory;              // of the command
    bool opaque;                    // an option whose files cannot be followed
};

void jg_cache_search(struct jg_cache_files *f, const struct jg_compile_command *command,
                     struct jg_cache_search *out);

void jg_cache_search_add(struct jg_cache_search *s, jg_name folder);

// Adds the folders of the system that the path of an input gives away.
void jg_cache_search_add_system(struct jg_cache_files *f, struct jg_cache_search *s, jg_name input);
void jg_cache_search_fini(struct jg_cache_search *s);

// Feeds what the compiler takes from the environment and finds out by itself.
void jg_cache_search_hash(struct jg_hasher *h);

// ---- manifest -----------------------------------------------------------------------------------

enum { JG_CACHE_VARIANTS = 4 };

struct jg_manifest_input {
    jg_name path;
    struct jg_hash hash;
};

struct jg_manifest_probe {
    jg_name folder, name;
    bool exists;
};

struct jg_manifest_variant {
    struct jg_hash unit;
    uint32_t first_input, input_count;
    uint32_t first_probe, probe_count;
};

// The variants of one command's unit, the newest first.
struct jg_manifest {
    struct JG_VEC(struct jg_manifest_variant) variants;
    struct JG_VEC(struct jg_manifest_input) inputs;
    struct JG_VEC(struct jg_manifest_probe) probes;
};

// False when the bytes are not sound; `out` is then partly filled.
bool jg_manifest_decode(struct jg_cache_files *f, const void *data, size_t size,
                        struct jg_manifest *out);

struct jg_manifest_bytes JG_VEC(char);
void jg_manifest_encode(const struct jg_cache_files *f, const struct jg_manifest *m,
                        struct jg_manifest_bytes *out);
void jg_manifest_fini(struct jg_manifest *m);

#endif
