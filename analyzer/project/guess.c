// SPDX-License-Identifier: Apache-2.0
//
// Arguments for a file that the database does not know: those of the entry that lies nearest to it
// and has the same language. Which one that is depends on the paths alone.

#include "analyzer/project/project.h"

#include <stdlib.h>
#include <string.h>

struct distance {
    unsigned common; // folders that the two paths share
    unsigned apart;  // folders below those, on the way to the entry
};

static unsigned slashes(const char *path)
{
    unsigned count = 0;
    for (; *path; path++)
        count += *path == '/';
    return count;
}

static struct distance distance(const char *file, const char *other)
{
    size_t folder = 0; // where the last common folder ends
    for (size_t i = 0; file[i] && file[i] == other[i]; i++)
        if (file[i] == '/')
            folder = i + 1;
    unsigned common = 0;
    for (size_t i = 0; i < folder; i++)
        common += file[i] == '/';
    return (struct distance){common, slashes(other + folder)};
}

static bool nearer(struct distance a, struct distance b)
{
    return a.common != b.common ? a.common > b.common : a.apart < b.apart;
}

// A header of C is included by C++, too; one of C++ is not by C.
static bool fits(const char *file, bool header, const struct jg_compile_command *c)
{
    bool cxx = jg_is_cxx_file(file);
    return header ? !cxx || jg_is_cxx_command(c) : cxx == jg_is_cxx_command(c);
}

static const struct jg_entry *nearest(const struct jg_project *p, const char *file, bool header)
{
    const struct jg_entry *best = NULL;
    struct distance least = {0, 0};
    for (uint32_t i = 0; i < p->entries.count; i++) {
        const struct jg_entry *e = &p->entries.data[i];
        if (e->guessed_from || !fits(file, header, &e->command))
            continue;
        struct distance d = distance(file, e->command.file);
        if (!best || nearer(d, least)) { // of two alike the first, in alphabetical order
            best = e;
            least = d;
        }
    }
    return best;
}

bool jg_project_guess(struct jg_project *p, const char *file)
{
    bool header = jg_is_header(file);
    const struct jg_entry *from = nearest(p, file, header);
    if (!from)
        return false;
    struct jg_compile_command c = from->command;
    const char **argv = jg_bump_alloc(&p->arena, (c.argc + 3) * sizeof *argv);
    size_t n = 0;
    bool only_files = false;
    for (size_t i = 0; i < c.argc; i++) {
        const char *word = c.argv[i];
        // The file that the entry compiles.
        if (i && (only_files || word[0] != '-') &&
            strcmp(jg_path_absolute(&p->arena, c.directory, word), c.file) == 0)
            continue;
        if (!only_files && strcmp(word, "--") == 0) {
            only_files = true;
            continue; // it stood before files, all of which go
        }
        argv[n++] = word;
    }
    if (header) {
        argv[n++] = "-x";
        argv[n++] = jg_is_cxx_command(&c) ? "c++-header" : "c-header";
    }
    argv[n++] = jg_bump_strdup(&p->arena, file);
    const char *guessed_from = from->command.file;
    struct jg_entry *e = JG_VEC_PUSH(&p->entries); // moves `from`
    e->command = (struct jg_compile_command){c.directory, argv[n - 1], argv, n};
    e->guessed_from = guessed_from;
    e->selected = true;
    return true;
}
