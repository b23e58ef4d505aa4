// SPDX-License-Identifier: Apache-2.0
//
// The project: which translation units there are and how each is compiled.
//
//   compile_commands.json -> jg_project_read -> jg_project -> jg_project_select -> units to check
//
// Everything lives in the project's arena and is dropped with it. One thread. What the user did
// wrong comes back as a heap string "path:line:column: text" or "path: text" that the caller prints
// and frees.

#ifndef JG_PROJECT_PROJECT_H
#define JG_PROJECT_PROJECT_H

#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/mem.h"
#include "analyzer/ir/path.h"

#include <stdbool.h>
#include <stddef.h>

// One translation unit. `command.file` is the real path where the file exists.
struct jg_entry {
    struct jg_compile_command command;
    const char
        *guessed_from; // no entry of the database: the file whose arguments it has; else NULL
    bool selected;
};

// A header that the user named: checked through a unit that includes it.
struct jg_header {
    const char *path;    // real
    const char *through; // path of the unit; NULL: none yet
};

// A file that the database lists more than once (several targets): the command that is first in
// alphabetical order counts.
struct jg_duplicate {
    const char *file;
    unsigned count; // further commands
};

// An entry that is no C or C++ translation unit.
struct jg_skipped {
    const char *file;
    const char *language; // "assembler", "Fortran", ".xyz"
};

struct jg_words {
    struct JG_VEC(const char *) list;
};

// --path-map: paths at or below `from` are read as if they lay at or below `to`.
struct jg_path_map {
    const char *from, *to; // without a slash at the end
    unsigned used;         // paths it changed
};

struct jg_project {
    struct jg_bump arena;
    struct JG_VEC(struct jg_path_map) path_maps;
    const char *database;                   // NULL when the commands came from the command line
    struct JG_VEC(struct jg_entry) entries; // those of a database are sorted by file
    struct JG_VEC(struct jg_header) headers;
    struct JG_VEC(struct jg_duplicate) duplicates;
    struct JG_VEC(struct jg_skipped) skipped;
    struct jg_words response_files; // that commands were read from
};

void jg_project_init(struct jg_project *p);
void jg_project_fini(struct jg_project *p);

// Adds a path map "FROM=TO" for the databases read from then on. Of several that match a path the
// one with the longest FROM counts. NULL, or a heap string: what is wrong with it.
char *jg_project_map(struct jg_project *p, const char *text);

// Adds a path map for what is recorded of the files, jg_text_mapped, and for nothing else: FROM may
// be relative to the current folder, TO is taken as it is.
char *jg_project_map_recorded(struct jg_project *p, const char *text);

// Adds every entry of a compile_commands.json. Returns NULL or the error. On an error the project
// holds what came before it.
char *jg_project_read(struct jg_project *p, const char *path);

// Adds one unit that no database describes: `compile_args` as after `--` on the command line.
void jg_project_add(struct jg_project *p, const char *file, const char *const *compile_args,
                    size_t count);

// Adds one unit by the whole command of a compiler, run in the current folder. NULL, or a heap
// string that says what is wrong: the command must name one C or C++ source file.
char *jg_project_add_command(struct jg_project *p, const char *const *command, size_t count);

// Finds the database. `where` is a build folder, the folder above it, or a database. NULL looks in
// the current folder, its parents up to the top of a repository, and each one's build*/ and out*/
// (in alphabetical order), one level deeper when there is just one; the build folders of a parent
// count only when they compile something below the current folder. On success *path is a heap
// string, *note NULL or a heap string that says what was taken where that is not obvious, and the
// result NULL; else the result is the error.
char *jg_project_discover(const char *where, char **path, char **note);

// Marks the entries that an argument (a file, a folder, or a glob) names; returns how many it
// names. A relative argument is seen from the current folder. `**` in a glob crosses folders, `*`
// does not.
unsigned jg_project_select(struct jg_project *p, const char *argument);
void jg_project_select_all(struct jg_project *p);

// Names a header (a real path), which no entry compiles.
void jg_project_select_header(struct jg_project *p, const char *path);

// Adds a unit for a file (an absolute path) that the database does not know, and selects it. Its
// arguments are those of the entry in the same folder, or else of the one that shares most folders
// with it, among those in the same language. False when there is none.
bool jg_project_guess(struct jg_project *p, const char *file);

// Edits every command: drops the arguments that match one of `removed` (a glob of fnmatch), then
// adds `added`, before a final `--`.
void jg_project_edit(struct jg_project *p, const char *const *added, size_t added_count,
                     const char *const *removed, size_t removed_count);

// ---- parts, for the tests -----------------------------------------------------------------------

// Splits as a POSIX shell would: white space, quotes, backslashes; no expansion of any kind. False
// when a quote is not closed; what was read so far is kept. Strings live in the arena.
bool jg_shell_split(struct jg_bump *a, const char *text, struct jg_words *out);

// Replaces each `@file` by the words of that file (seen from `directory`), nested up to eight deep
// and up to 1000 files, 65536 words or 4 MB in all. One that cannot be read stays as it is, as
// compilers do. The paths of those that were read are added to `files`, unless that is NULL.
void jg_expand_response_files(struct jg_bump *a, const char *directory, struct jg_words *words,
                              struct jg_words *files);

// Drops leading ccache, distcc and sccache, and their options.
void jg_strip_launchers(struct jg_words *words);

// The path as the maps have it; the same pointer where none matches. Counts the uses.
const char *jg_path_mapped(struct jg_project *p, const char *path);

// Likewise an argument: a path, or one behind `=`, `@` or the name of an option such as -I.
const char *jg_word_mapped(struct jg_project *p, const char *word);

// Likewise a text with paths in it, each behind a blank, a bracket, a quote or the like, or as in
// an argument. A heap string, or NULL where nothing changes. "." and the slash behind it are left
// out: what lies in "." is relative.
char *jg_text_mapped(struct jg_project *p, const char *text);

// NULL for C and C++, else what the language of a file with this command is called ("assembler").
const char *jg_other_language(const char *file, const char *const *argv, size_t argc);

bool jg_is_header(const char *file);   // of C or C++, by its name
bool jg_is_cxx_file(const char *file); // likewise
bool jg_is_cxx_command(const struct jg_compile_command *c);

// Absolute paths: does `path` lie below `folder`?
bool jg_path_below(const char *folder, const char *path);

bool jg_glob_match(const char *pattern, const char *path);
bool jg_is_glob(const char *text);

// Opens a regular file for reading, without ever waiting for the other end of a pipe. NULL: *why
// says why, valid until the next call on this thread.
FILE *jg_open_regular(const char *path, const char **why);

#endif
