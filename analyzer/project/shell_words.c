// SPDX-License-Identifier: Apache-2.0
//
// From the text of a compile command to its words: quoting, response files, compiler launchers.
//
// Our own, and not wordexp(3): nothing in a database may expand a variable or run a command.
// Source: POSIX.1-2017 Shell Command Language, 2.2 Quoting; GCC manual, "@file".

#include "analyzer/project/project.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 8
#define MAX_FILES 1000
#define MAX_WORDS 65536
#define MAX_BYTES (4u << 20)

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Reads one word from *text into `out`, which has room for all of it. False: a quote is not closed.
static bool read_word(const char **text, char *out)
{
    const char *s = *text;
    char quote = 0;
    for (; *s && (quote || !is_space(*s)); s++) {
        if (quote == '\'') {
            if (*s == '\'')
                quote = 0;
            else
                *out++ = *s;
        } else if (*s == '\\') {
            // Inside double quotes a backslash is special before these only.
            if (s[1] == '\0' || (quote && !strchr("\"\\$`\n", s[1])))
                *out++ = '\\';
            else if (*++s != '\n')
                *out++ = *s;
        } else if (*s == quote) {
            quote = 0;
        } else if (!quote && (*s == '"' || *s == '\'')) {
            quote = *s;
        } else {
            *out++ = *s;
        }
    }
    *out = '\0';
    *text = s;
    return !quote;
}

bool jg_shell_split(struct jg_bump *a, const char *text, struct jg_words *out)
{
    size_t left = strlen(text);
    char *buffer = jg_malloc(left + 1);
    bool closed = true;
    while (closed) {
        while (is_space(*text))
            text++;
        if (!*text)
            break;
        closed = read_word(&text, buffer);
        *JG_VEC_PUSH(&out->list) = jg_bump_strdup(a, buffer);
    }
    free(buffer);
    return closed;
}

// ---- response files -----------------------------------------------------------------------------

FILE *jg_open_regular(const char *path, const char **why)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0)
        *why = errno == ENXIO ? "not a regular file" : strerror(errno); // ENXIO: a socket
    else if (!S_ISREG(st.st_mode))
        *why = S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file";
    else
        return fdopen(fd, "r");
    if (fd >= 0)
        close(fd);
    return NULL;
}

// The contents of a regular file of at most `limit` bytes, NUL-terminated; NULL when there is none.
static char *read_small_file(const char *path, size_t limit, size_t *length)
{
    const char *why;
    FILE *f = jg_open_regular(path, &why);
    if (!f)
        return NULL;
    struct stat st;
    char *data = NULL;
    if (fstat(fileno(f), &st) == 0 && (size_t)st.st_size <= limit) {
        data = jg_malloc((size_t)st.st_size + 1);
        *length = fread(data, 1, (size_t)st.st_size, f);
        data[*length] = '\0';
    }
    fclose(f);
    return data;
}

struct expansion {
    struct jg_bump *arena;
    const char *directory;
    struct jg_words out, *files;
    size_t bytes;   // read so far
    unsigned count; // of files
};

static void expand_word(struct expansion *e, const char *word, unsigned depth);

// True when the word was a response file that could be read.
static bool expand_file(struct expansion *e, const char *name, unsigned depth)
{
    if (e->count == MAX_FILES)
        return false;
    size_t length;
    char *path = name[0] == '/' ? jg_strdup(name) : jg_format("%s/%s", e->directory, name);
    char *text = read_small_file(path, MAX_BYTES - e->bytes, &length);
    if (text && e->files)
        *JG_VEC_PUSH(&e->files->list) = jg_bump_strdup(e->arena, path);
    free(path);
    if (!text)
        return false;
    e->bytes += length;
    e->count++;
    struct jg_words words = {0};
    jg_shell_split(e->arena, text, &words);
    free(text);
    for (uint32_t i = 0; i < words.list.count; i++)
        expand_word(e, words.list.data[i], depth);
    JG_VEC_FREE(&words.list);
    return true;
}

static void expand_word(struct expansion *e, const char *word, unsigned depth)
{
    if (word[0] == '@' && word[1] && depth < MAX_DEPTH && expand_file(e, word + 1, depth + 1))
        return;
    if (e->out.list.count < MAX_WORDS)
        *JG_VEC_PUSH(&e->out.list) = word;
}

void jg_expand_response_files(struct jg_bump *a, const char *directory, struct jg_words *words,
                              struct jg_words *files)
{
    struct expansion e = {.arena = a, .directory = directory, .files = files};
    for (uint32_t i = 0; i < words->list.count; i++)
        expand_word(&e, words->list.data[i], 0);
    JG_VEC_FREE(&words->list);
    *words = e.out;
}

// ---- launchers ----------------------------------------------------------------------------------

static bool is_launcher(const char *word)
{
    static const char *const names[] = {"ccache", "distcc", "sccache", "icecc", "gomacc"};
    const char *slash = strrchr(word, '/');
    const char *base = slash ? slash + 1 : word;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(base, names[i]) == 0)
            return true;
    return false;
}

void jg_strip_launchers(struct jg_words *words)
{
    uint32_t skip = 0;
    while (skip < words->list.count && is_launcher(words->list.data[skip])) {
        skip++;
        // ccache takes KEY=VALUE settings before the compiler.
        while (skip < words->list.count && words->list.data[skip][0] != '/' &&
               words->list.data[skip][0] != '-' && strchr(words->list.data[skip], '='))
            skip++;
    }
    // `ccache -c a.c` (a masquerading compiler with no name of its own) keeps its first word.
    if (skip == 0 || skip == words->list.count || words->list.data[skip][0] == '-')
        return;
    words->list.count -= skip;
    memmove(words->list.data, words->list.data + skip, words->list.count * sizeof(const char *));
}
