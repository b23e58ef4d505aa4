// SPDX-License-Identifier: Apache-2.0
//
// One translation unit: libclang parses it, every function in it is lowered, the unit is handed
// out.
//
// Both happen on a thread with a large stack: chains of ten thousand `else if` or `+` are recursion
// to clang and to the lowering alike. libclang would otherwise start a thread of its own for each
// parse, with 8 MB; LIBCLANG_NOTHREADS in the environment stops it from doing so.
//
// Lowered are: functions defined in the main file; functions with external linkage that are defined
// in files included from outside the system folders (a unit may be one file that includes others);
// and what any lowered function or table names, wherever its body is, system headers excepted.
//
// A missing header is fatal to clang, which would then report no further error, so that functions
// damaged by it could not be told from sound ones: hence KeepGoing.

#include "analyzer/frontend/frontend_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STACK_SIZE = 256 << 20 };

// ---- libclang and its headers ------------------------------------------------------------------

static char *version_text(void)
{
    CXString s = clang_getClangVersion();
    const char *text = clang_getCString(s);
    const char *number = text ? strstr(text, "version ") : NULL;
    number = number ? number + 8 : "0";
    char *copy = jg_strdup(number);
    copy[strspn(copy, "0123456789.")] = '\0';
    clang_disposeString(s);
    return copy;
}

static bool holds_headers(const char *dir)
{
    char *path = jg_format("%s/include/stddef.h", dir);
    bool yes = access(path, R_OK) == 0;
    free(path);
    return yes;
}

// The folder beside the loaded libclang, or where distributions put it. Looking costs a few system
// calls; parsing a probe file, which decides otherwise, costs milliseconds.
static char *find_resource_dir(const char *version)
{
    int major = atoi(version);
    char lib[PATH_MAX] = "";
    Dl_info info;
    if (dladdr((void *)(uintptr_t)&clang_createIndex, &info) && info.dli_fname &&
        realpath(info.dli_fname, lib)) {
        char *slash = strrchr(lib, '/');
        if (slash)
            *slash = '\0';
    }
    char *candidates[] = {
        jg_format("%s/clang/%d", lib, major),
        jg_format("%s/clang/%s", lib, version),
        jg_format("/usr/lib/llvm-%d/lib/clang/%d", major, major),
        jg_format("/usr/lib/clang/%d", major),
        jg_format("/usr/lib/clang/%s", version),
        jg_format("/usr/lib64/clang/%d", major),
        jg_format("/usr/include/clang/%s", version),
    };
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!found && holds_headers(candidates[i]))
            found = candidates[i];
        else
            free(candidates[i]);
    }
    return found;
}

static bool probe(const struct jg_frontend *f)
{
    struct CXUnsavedFile file = {"/jniguard-probe.c", "#include <stddef.h>\n", 20};
    const char *argv[] = {"cc", "-xc", "-w", "/jniguard-probe.c"};
    CXTranslationUnit tu = NULL;
    if (clang_parseTranslationUnit2FullArgv(f->index, NULL, argv, 4, &file, 1, 0, &tu) !=
        CXError_Success)
        return false;
    bool ok = true;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic d = clang_getDiagnostic(tu, i);
        ok &= clang_getDiagnosticSeverity(d) < CXDiagnostic_Error;
        clang_disposeDiagnostic(d);
    }
    clang_disposeTranslationUnit(tu);
    return ok;
}

static char *ask_compiler(int major)
{
    char *command = jg_format("clang-%d -print-resource-dir 2>/dev/null", major);
    FILE *pipe = popen(command, "r");
    free(command);
    char line[PATH_MAX] = "";
    if (!pipe)
        return NULL;
    bool read = fgets(line, sizeof line, pipe) != NULL;
    pclose(pipe);
    line[strcspn(line, "\n")] = '\0';
    return read && holds_headers(line) ? jg_strdup(line) : NULL;
}

static void no_threads(void)
{
    setenv("LIBCLANG_NOTHREADS", "1", 0);
}

struct jg_frontend *jg_frontend_new(char **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, no_threads);

    struct jg_frontend *f = jg_calloc(1, sizeof *f);
    f->index = clang_createIndex(1, 0);
    char *version = version_text();
    int major = atoi(version);
    f->resource_dir = find_resource_dir(version);
    if (!f->resource_dir && !probe(f))
        f->resource_dir = ask_compiler(major);
    if (f->resource_dir || probe(f)) {
        free(version);
        return f;
    }
    *error = jg_format("libclang %s was found, but not its headers (stddef.h). "
                       "On Debian: apt-get install libclang-common-%d-dev",
                       version, major);
    free(version);
    jg_frontend_free(f);
    return NULL;
}

void jg_frontend_free(struct jg_frontend *f)
{
    if (!f)
        return;
    clang_disposeIndex(f->index);
    forget_files(f->memory);
    free(f->resource_dir);
    free(f);
}

char *jg_frontend_identity(void)
{
    CXString s = clang_getClangVersion();
    const char *text = clang_getCString(s);
    char *version = version_text();
    char *folder = find_resource_dir(version);
    char *identity = jg_format("%s; %s", text ? text : "", folder ? folder : "");
    clang_disposeString(s);
    free(folder);
    free(version);
    return identity;
}

// ---- state of one unit -------------------------------------------------------------------------

static enum CXChildVisitResult collect_kid(CXCursor c, CXCursor parent, CXClientData data)
{
    struct tu *t = data;
    (void)parent;
    *JG_VEC_PUSH(&t->scratch) = c;
    return CXChildVisit_Continue;
}

struct kids kids_of(struct tu *t, CXCursor c)
{
    uint32_t base = t->scratch.count;
    clang_visitChildren(c, collect_kid, t);
    uint32_t count = t->scratch.count - base;
    struct kids k = {NULL, count};
    if (count)
        k.at = jg_bump_copy(&t->arena, t->scratch.data + base, count * sizeof(CXCursor));
    t->scratch.count = base;
    return k;
}

uint64_t hash_text(const char *s, size_t length)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
    return h | 1;
}

jg_str intern(struct tu *t, const char *s, size_t length)
{
    if (!length)
        return 0;
    uint64_t h = hash_text(s, length);
    uint32_t known = map_get(&t->strings, h);
    if (known != JG_NONE && known + length < t->u->strings.count &&
        memcmp(t->u->strings.data + known, s, length) == 0 &&
        t->u->strings.data[known + length] == '\0')
        return known;
    jg_str added = jg_unit_add_str(t->u, s, length);
    map_put(&t->strings, h, added);
    return added;
}

jg_str intern_cx(struct tu *t, CXString s)
{
    const char *text = clang_getCString(s);
    jg_str added = text ? intern(t, text, strlen(text)) : 0;
    clang_disposeString(s);
    return added;
}

void count_unmodelled(struct tu *t, const char *construct)
{
    for (uint32_t i = 0; i < t->u->unmodelled.count; i++) {
        struct jg_unmodelled *m = &t->u->unmodelled.data[i];
        if (strcmp(jg_unit_str(t->u, m->construct), construct) == 0) {
            m->count++;
            return;
        }
    }
    jg_str name = intern(t, construct, strlen(construct));
    *JG_VEC_PUSH(&t->u->unmodelled) = (struct jg_unmodelled){name, 1};
}

// `void` is type 0, and type of what has none.
static void tu_init(struct tu *t)
{
    uint32_t word = 8;
    CXTargetInfo target = clang_getTranslationUnitTargetInfo(t->clang);
    if (target) {
        int bits = clang_TargetInfo_getPointerWidth(target);
        word = bits > 0 ? (uint32_t)bits / 8 : word;
        clang_TargetInfo_dispose(target);
    }
    t->type_void = basic_type(t, "void", JG_TYPE_VOID, 0, JG_NONE);
    t->type_int = basic_type(t, "int", JG_TYPE_INT, 4, JG_NONE);
    t->type_size = basic_type(t, "size_t", JG_TYPE_INT, word, JG_NONE);
    t->u->types.data[t->type_size].is_unsigned = 1;
    uint32_t character = basic_type(t, "char", JG_TYPE_INT, 1, JG_NONE);
    t->type_void_pointer = basic_type(t, "void *", JG_TYPE_POINTER, word, t->type_void);
    t->type_char_pointer = basic_type(t, "char *", JG_TYPE_POINTER, word, character);
    t->fn = jg_calloc(1, sizeof *t->fn);
    t->fn->t = t;
}

static void tu_fini(struct tu *t)
{
    jg_bump_fini(&t->arena);
    struct map *maps[] = {&t->strings,  &t->files,  &t->locs,  &t->expansions, &t->types,
                          &t->pointers, &t->fields, &t->decls, &t->usrs,       &t->names};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_free(maps[i]);
    JG_VEC_FREE(&t->scratch);
    JG_VEC_FREE(&t->file_info);
    JG_VEC_FREE(&t->clang_types);
    JG_VEC_FREE(&t->va_lists);
    JG_VEC_FREE(&t->field_info);
    JG_VEC_FREE(&t->symbol_info);
    JG_VEC_FREE(&t->queue);
    JG_VEC_FREE(&t->errors);
    JG_VEC_FREE(&t->named);
    if (t->fn)
        fn_free(t->fn);
    free(t->fn);
    if (t->clang)
        clang_disposeTranslationUnit(t->clang);
}

// ---- diagnostics -------------------------------------------------------------------------------

static void add_diagnostic(struct tu *t, const char *text, uint32_t loc, bool fatal)
{
    jg_str s = intern(t, text, strcspn(text, "\n"));
    *JG_VEC_PUSH(&t->u->diagnostics) =
        (struct jg_diagnostic){.text = s, .loc = loc, .fatal = fatal};
}

static void fail(struct tu *t, const char *text)
{
    add_diagnostic(t, text, JG_NONE, true);
    t->u->status = JG_UNIT_FAILED;
}

static bool ends_in(const char *s, const char *end)
{
    size_t a = strlen(s), b = strlen(end);
    return a >= b && strcmp(s + a - b, end) == 0;
}

// KeepGoing turns fatal errors into plain ones. Those that matter are a missing header and, without
// a position, a main file that was not read: in UTF-16, too large, or changed meanwhile. They can
// be told from the driver's errors by their text only.
static bool is_fatal(enum CXDiagnosticSeverity severity, const char *text)
{
    static const char *const unread[] = {
        "byte order mark detected in '", "is too large for Clang to process",
        "modified since it was first processed", "cannot open file '"};
    bool fatal = severity == CXDiagnostic_Fatal || ends_in(text, "file not found");
    for (size_t i = 0; i < sizeof unread / sizeof *unread && !fatal; i++)
        fatal = strstr(text, unread[i]) != NULL;
    return fatal;
}

// A header that belongs to the system of the target, not to the project.
static bool of_system(const char *text)
{
    static const char *const headers[] = {"'bits/",    "'gnu/",      "'sys/",      "'asm/",
                                          "'stdio.h'", "'stdlib.h'", "'string.h'", "'stdint.h'"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strncmp(text, headers[i], strlen(headers[i])) == 0)
            return true;
    return false;
}

// The commonest stumbling block of cross compilation: GCC has its sysroot built in, clang asks.
static void hint_at_sysroot(struct tu *t, const char *target)
{
    for (uint32_t i = 0; target && i < t->u->diagnostics.count; i++) {
        const struct jg_diagnostic *d = &t->u->diagnostics.data[i];
        if (!d->fatal || !of_system(jg_unit_str(t->u, d->text)))
            continue;
        char *text =
            jg_format("the system headers of the target %s are not found; install them, or "
                      "say where they are: --extra-arg=--sysroot=FOLDER",
                      target);
        add_diagnostic(t, text, JG_NONE, true);
        free(text);
        return;
    }
}

// Errors without a position are the driver's opinion of options it does not know.
static void collect_diagnostics(struct tu *t)
{
    unsigned count = clang_getNumDiagnostics(t->clang);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = clang_getDiagnostic(t->clang, i);
        enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(d);
        if (severity >= CXDiagnostic_Error) {
            CXSourceLocation at = clang_getDiagnosticLocation(d);
            uint32_t loc = loc_at(t, at);
            CXString s = clang_getDiagnosticSpelling(d);
            const char *text = clang_getCString(s);
            bool fatal = is_fatal(severity, text ? text : "");
            add_diagnostic(t, text ? text : "", loc, fatal);
            clang_disposeString(s);
            struct error_position p = {0};
            clang_getExpansionLocation(at, &p.file, NULL, NULL, &p.offset);
            if (p.file)
                *JG_VEC_PUSH(&t->errors) = p;
            if (fatal)
                t->u->status = JG_UNIT_FAILED;
            else if (loc != JG_NONE && t->u->status == JG_UNIT_OK)
                t->u->status = JG_UNIT_DEGRADED;
        }
        clang_disposeDiagnostic(d);
    }
}

// ---- declarations ------------------------------------------------------------------------------

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction;
}

// The body of an inline function in a header is wanted only when something calls it.
static bool is_wanted(struct tu *t, CXCursor function)
{
    return in_main_file(t, clang_getCursorLocation(function)) ||
           (clang_getCursorLinkage(function) == CXLinkage_External &&
            !clang_Cursor_isFunctionInlined(function));
}

static void top_function(struct tu *t, CXCursor c)
{
    // Cheapest question first: most declarations are those of system headers.
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c)) ||
        !clang_isCursorDefinition(c) || !is_wanted(t, c))
        return;
    uint32_t symbol = symbol_of(t, c, clang_getNullLocation());
    if (clang_Cursor_isNull(t->symbol_info.data[symbol].definition))
        t->symbol_info.data[symbol].definition = c;
    queue_symbol(t, symbol);
}

static void top_variable(struct tu *t, CXCursor c)
{
    CXSourceLocation at = clang_getCursorLocation(c);
    if (!in_main_file(t, at)) {
        if (clang_Location_isInSystemHeader(at) || !clang_isCursorDefinition(c))
            return;
    }
    static_initialiser(t, c, JG_NONE);
}

static enum CXChildVisitResult visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct tu *t = data;
    (void)parent;
    switch (c.kind) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
        return t->cxx && !clang_Location_isInSystemHeader(clang_getCursorLocation(c))
                   ? CXChildVisit_Recurse
                   : CXChildVisit_Continue;
    case CXCursor_VarDecl:
        top_variable(t, c);
        break;
    default:
        if (is_function(c.kind))
            top_function(t, c);
        break;
    }
    return CXChildVisit_Continue;
}

static void lower(struct tu *t)
{
    clang_visitChildren(clang_getTranslationUnitCursor(t->clang), visit_top, t);
    for (uint32_t i = 0; i < t->queue.count; i++)
        lower_function(t, t->queue.data[i], t->symbol_info.data[t->queue.data[i]].definition);
}

// ---- one command -------------------------------------------------------------------------------

struct job {
    struct jg_frontend *frontend;
    const struct jg_compile_command *command;
    struct jg_unit *unit; // NULL: parse only
    int result;
};

// *target (NULL: not wanted) becomes the heap name of the target that the command names, if any.
static enum CXErrorCode parse(struct jg_frontend *f, const struct jg_compile_command *command,
                              CXTranslationUnit *tu, char **target)
{
    enum CXErrorCode code = CXError_Failure;
    for (int mode = ARGS_ALL; mode <= ARGS_ESSENTIAL && code != CXError_Success; mode++) {
        struct args a;
        args_init(&a, f, command, (enum args_mode)mode);
        *tu = NULL;
        code = clang_parseTranslationUnit2FullArgv(f->index, NULL, a.argv, a.argc, NULL, 0,
                                                   CXTranslationUnit_KeepGoing, tu);
        if (target && !*target && a.target)
            *target = jg_strdup(a.target);
        args_fini(&a);
        if (code == CXError_Crashed)
            break;
        if (code == CXError_Success && !*tu)
            code = CXError_Failure;
    }
    return code;
}

// Is the file C++? Asked of a cursor, since a command can say so in several ways.
static enum CXChildVisitResult first_language(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXLanguageKind kind = clang_getCursorLanguage(c);
    if (kind == CXLanguage_CPlusPlus) {
        *(bool *)data = true;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Continue;
}

static bool is_cxx(CXTranslationUnit tu, const struct jg_compile_command *c)
{
    if (ends_in(c->file, ".c")) {
        bool plus = c->argc && ends_in(c->argv[0], "++");
        for (size_t i = 1; i < c->argc && !plus; i++)
            plus = strstr(c->argv[i], "c++") != NULL;
        if (!plus)
            return false;
    }
    bool cxx = false;
    clang_visitChildren(clang_getTranslationUnitCursor(tu), first_language, &cxx);
    return cxx || ends_in(c->file, ".cc") || ends_in(c->file, ".cpp") || ends_in(c->file, ".cxx");
}

// NULL, or why. A pipe would be waited for, a device could be read without end.
static const char *cannot_read(const char *file)
{
    struct stat st;
    if (stat(file, &st) != 0 || access(file, R_OK) != 0)
        return strerror(errno);
    if (S_ISDIR(st.st_mode))
        return strerror(EISDIR);
    return S_ISREG(st.st_mode) ? NULL : "not a regular file";
}

// The heap text of what stands against parsing, or NULL.
static char *find_obstacle(const struct jg_compile_command *command)
{
    const char *why = cannot_read(command->file);
    if (why)
        return jg_format("cannot read %s: %s", command->file, why);
    const char *response = unread_response_file(command);
    return response ? jg_format("cannot read the response file %s", response) : NULL;
}

static void make_unit(struct job *job)
{
    struct tu t = {.frontend = job->frontend, .u = job->unit, .directory = job->command->directory};
    const char *file = job->command->file;
    job->unit->path = intern(&t, file, strlen(file));
    record_command(&t, job->command);
    enum CXErrorCode code = CXError_Failure;
    char *target = NULL, *obstacle = find_obstacle(job->command);
    if (obstacle) {
        fail(&t, obstacle);
    } else {
        code = parse(job->frontend, job->command, &t.clang, &target);
        if (code == CXError_Crashed)
            fail(&t, "libclang crashed on this file");
        else if (code != CXError_Success)
            fail(&t, "libclang could not make sense of the command");
    }
    CXFile main = code == CXError_Success ? clang_getFile(t.clang, file) : NULL;
    if (code == CXError_Success && !main)
        fail(&t, "the command does not compile this file");
    if (!main)
        *JG_VEC_PUSH(&job->unit->files) = (struct jg_file){.path = job->unit->path};
    if (main) {
        t.cxx = is_cxx(t.clang, job->command);
        tu_init(&t);
        file_of(&t, main);
        collect_diagnostics(&t);
        hint_at_sysroot(&t, target);
        lower(&t);
        record_files(&t);
    }
    free(target);
    free(obstacle);
    tu_fini(&t);
}

static void *run(void *data)
{
    struct job *job = data;
    if (job->unit) {
        make_unit(job);
        return NULL;
    }
    CXTranslationUnit tu = NULL;
    job->result = parse(job->frontend, job->command, &tu, NULL) == CXError_Success ? 0 : -1;
    if (tu)
        clang_disposeTranslationUnit(tu);
    return NULL;
}

static void run_on_large_stack(struct job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    bool started = pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0 &&
                   pthread_create(&thread, &attributes, run, job) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        run(job); // little memory: deep nesting will not work, the rest will
}

void jg_frontend_parse(struct jg_frontend *f, const struct jg_compile_command *command,
                       struct jg_unit *unit)
{
    jg_unit_init(unit);
    run_on_large_stack(&(struct job){.frontend = f, .command = command, .unit = unit});
}

int jg_frontend_parse_only(struct jg_frontend *f, const struct jg_compile_command *command)
{
    struct job job = {.frontend = f, .command = command};
    run_on_large_stack(&job);
    return job.result;
}
