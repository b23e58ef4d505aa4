// SPDX-License-Identifier: Apache-2.0
//
// Functions and variables of static storage.
//
// A function is one symbol however often it is declared: it is found by the declaration met, then
// by its USR. Its attributes come from the declaration met, which inherits those of earlier ones.
// A body outside the main file is lowered when something reachable names the function, unless a
// system header holds it; queue_symbol() puts it on the list that parse.c works off.

#include "analyzer/frontend/frontend_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Do not return, whatever their declaration says.
static const char *const noreturn_names[] = {
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "__assert_fail",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "__longjmp_chk",
    "__assert",
    "__assert_rtn",
    "__stack_chk_fail",
    "__builtin_unreachable",
    "__builtin_trap",
    "pthread_exit",
    "err",
    "errx",
    "verr",
    "verrx",
    "__cxa_throw",
};

static bool is_noreturn_name(const char *name)
{
    for (size_t i = 0; i < sizeof noreturn_names / sizeof *noreturn_names; i++)
        if (strcmp(name, noreturn_names[i]) == 0)
            return true;
    return false;
}

static enum CXChildVisitResult find_attribute(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *found = data;
    *found |= c.kind == CXCursor_UnexposedAttr;
    return *found || c.kind == CXCursor_CompoundStmt ? CXChildVisit_Break : CXChildVisit_Continue;
}

// `_Noreturn` is no part of the type and has no cursor of its own: only the printed text shows it.
// Printing costs microseconds, so it is asked only of functions that return nothing.
static bool prints_noreturn(CXCursor function)
{
    bool attribute = false;
    clang_visitChildren(function, find_attribute, &attribute);
    if (!attribute)
        return false;
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    CXString s = clang_getCursorPrettyPrinted(function, policy);
    const char *text = clang_getCString(s);
    bool found = text && (strstr(text, "_Noreturn") || strstr(text, "noreturn"));
    clang_disposeString(s);
    clang_PrintingPolicy_dispose(policy);
    return found;
}

static bool is_noreturn(CXCursor function, CXType type, const char *name)
{
    if (is_noreturn_name(name))
        return true;
    CXString s = clang_getTypeSpelling(type);
    const char *text = clang_getCString(s);
    bool found = text && strstr(text, "noreturn");
    clang_disposeString(s);
    return found || (clang_getResultType(type).kind == CXType_Void && prints_noreturn(function));
}

// ---- annotations of <jniguard/annotations.h> ----------------------------------------------------

static const struct {
    const char *text;
    uint32_t flag;
} annotations[] = {
    {"jniguard::no_jni", JG_SYM_NO_JNI},
    {"jniguard::native_thread", JG_SYM_NATIVE_THREAD},
};

static enum CXChildVisitResult find_annotation(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    uint32_t *flags = data;
    if (c.kind == CXCursor_CompoundStmt)
        return CXChildVisit_Break;
    if (c.kind != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    CXString s = clang_getCursorSpelling(c);
    const char *text = clang_getCString(s);
    for (size_t i = 0; text && i < sizeof annotations / sizeof *annotations; i++)
        if (strcmp(text, annotations[i].text) == 0)
            *flags |= annotations[i].flag;
    clang_disposeString(s);
    return CXChildVisit_Continue;
}

// Of the declaration met, which inherits those of earlier ones, and of the definition, which has
// those of all before it.
static uint32_t annotations_of(CXCursor function)
{
    uint32_t flags = 0;
    CXCursor definition = clang_getCursorDefinition(function);
    if (clang_Cursor_hasAttrs(function))
        clang_visitChildren(function, find_annotation, &flags);
    if (!clang_Cursor_isNull(definition) && !clang_equalCursors(definition, function) &&
        clang_Cursor_hasAttrs(definition))
        clang_visitChildren(definition, find_annotation, &flags);
    return flags;
}

// ---- weak definitions ---------------------------------------------------------------------------

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t skip_blanks(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && (at[n] == ' ' || at[n] == '\t'))
        n++;
    return n;
}

struct weak_search {
    struct tu *t;
    bool attribute, found; // any attribute that is shown; one that says weak
};

static bool begins_with(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) > n && memcmp(at, word, n) == 0 && !is_name_char(at[n]);
}

// The attribute as it is written. An inherited one has its place, too, which printing does not
// show.
static enum CXChildVisitResult find_weak(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct weak_search *w = data;
    if (c.kind == CXCursor_CompoundStmt)
        return CXChildVisit_Break;
    if (c.kind != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    CXFile file;
    unsigned offset;
    size_t size = 0;
    w->attribute = true;
    clang_getSpellingLocation(clang_getCursorLocation(c), &file, NULL, NULL, &offset);
    const char *text = file ? clang_getFileContents(w->t->clang, file, &size) : NULL;
    if (!text || offset >= size)
        return CXChildVisit_Continue;
    const char *at = text + offset, *end = text + size;
    at += end - at > 5 && memcmp(at, "gnu::", 5) == 0 ? 5 : 0;
    w->found |= begins_with(at, end, "weak") || begins_with(at, end, "__weak__");
    return w->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

// Older versions place an attribute that a macro holds where the macro stands.
static bool prints_weak(CXCursor function)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    CXString s = clang_getCursorPrettyPrinted(function, policy);
    const char *text = clang_getCString(s);
    bool found = text && (strstr(text, "((weak))") || strstr(text, "((__weak__))"));
    clang_disposeString(s);
    clang_PrintingPolicy_dispose(policy);
    return found;
}

// `#pragma weak NAME` leaves an attribute that is not shown.
static bool has_weak_pragma(const struct tu *t, CXCursor function, const char *name)
{
    CXFile file;
    size_t size = 0;
    clang_getExpansionLocation(clang_getCursorLocation(function), &file, NULL, NULL, NULL);
    const char *text = file ? clang_getFileContents(t->clang, file, &size) : NULL;
    const char *end = text ? text + size : NULL;
    for (const char *at = text; at && (at = memchr(at, '#', (size_t)(end - at))); at++) {
        static const char *const words[] = {"pragma", "weak", NULL};
        const char *next = at + 1;
        const char *const *word = words;
        for (; next < end; word++) {
            next += skip_blanks(next, end);
            if (!begins_with(next, end, *word ? *word : name))
                break;
            next += strlen(*word ? *word : name);
            if (!*word)
                return skip_blanks(next, end) == (size_t)(end - next) ||
                       next[skip_blanks(next, end)] != '='; // that one is another name
        }
    }
    return false;
}

static bool is_weak(struct tu *t, CXCursor definition, const char *name)
{
    if (clang_Cursor_isNull(definition) || !clang_Cursor_hasAttrs(definition) ||
        clang_getCursorLinkage(definition) != CXLinkage_External)
        return false;
    struct weak_search w = {.t = t};
    clang_visitChildren(definition, find_weak, &w);
    if (w.found || (w.attribute &&
                    (prints_weak(definition) || prints_weak(clang_getCanonicalCursor(definition)))))
        return true;
    return !w.attribute && has_weak_pragma(t, definition, name);
}

static uint32_t flags_of(CXCursor function, CXType type, const char *name, CXSourceLocation use)
{
    uint32_t flags = annotations_of(function);
    if (is_noreturn(function, type, name))
        flags |= JG_SYM_NORETURN;
    if (clang_Cursor_isVariadic(function))
        flags |= JG_SYM_VARIADIC;
    if (clang_getCursorLinkage(function) == CXLinkage_Internal)
        flags |= JG_SYM_STATIC;
    if (strncmp(name, "__builtin_", 10) == 0 || strncmp(name, "__sync_", 7) == 0 ||
        strncmp(name, "__atomic_", 9) == 0)
        flags |= JG_SYM_BUILTIN;
    else if (use.int_data && clang_equalLocations(clang_getCursorLocation(function), use))
        flags |= JG_SYM_IMPLICIT; // declared by its own use
    if (strncmp(name, "Java_", 5) == 0)
        flags |= JG_SYM_NATIVE_METHOD;
    if (strncmp(name, "JNI_OnLoad", 10) == 0 || strncmp(name, "JNI_OnUnload", 12) == 0)
        flags |= JG_SYM_ONLOAD;
    return flags;
}

static bool is_instance_method(CXCursor function)
{
    return function.kind == CXCursor_Constructor || function.kind == CXCursor_Destructor ||
           function.kind == CXCursor_ConversionFunction ||
           (function.kind == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(function));
}

// Instance methods get `this` as their first parameter.
static void add_params(struct tu *t, CXCursor function, struct jg_symbol *s)
{
    uint32_t types[64], count = 0;
    if (is_instance_method(function)) {
        CXType record = clang_getCursorType(clang_getCursorSemanticParent(function));
        types[count++] = pointer_to(t, type_of(t, record));
    }
    int declared = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < declared && count < 64; i++)
        types[count++] = value_type(t, clang_Cursor_getArgument(function, (unsigned)i));
    s->first_param = t->u->param_types.count;
    s->param_count = count;
    for (uint32_t i = 0; i < count; i++)
        *JG_VEC_PUSH(&t->u->param_types) = types[i];
}

static uint32_t add_symbol(struct tu *t, CXCursor function, const char *name, const char *usr,
                           CXSourceLocation use)
{
    CXType type = clang_getCursorType(function);
    struct jg_symbol s = {.name = intern(t, name, strlen(name)),
                          .usr = intern(t, usr, strlen(usr)),
                          .function = JG_NONE};
    s.flags = flags_of(function, type, name, use);
    CXType result = clang_getCursorResultType(function);
    s.return_type = type_of(t, result);
    add_params(t, function, &s);
    *JG_VEC_PUSH(&t->u->symbols) = s;

    struct symbol_info info = {.definition = clang_getNullCursor()};
    info.builtin = s.flags & JG_SYM_BUILTIN ? (uint8_t)builtin_of(name) : BUILTIN_NONE;
    CXCursor definition = clang_getCursorDefinition(function);
    if (!clang_Cursor_isNull(definition) &&
        !clang_Location_isInSystemHeader(clang_getCursorLocation(definition)))
        info.definition = definition;
    if (is_weak(t, info.definition, name))
        t->u->symbols.data[t->u->symbols.count - 1].flags |= JG_SYM_WEAK;
    *JG_VEC_PUSH(&t->symbol_info) = info;
    return t->u->symbols.count - 1;
}

uint32_t symbol_of(struct tu *t, CXCursor function, CXSourceLocation use)
{
    uint32_t known = map_get(&t->decls, key_of(function.data[0]));
    if (known != JG_NONE)
        return known;
    CXString usr = clang_getCursorUSR(function), name = clang_getCursorSpelling(function);
    const char *usr_text = clang_getCString(usr), *name_text = clang_getCString(name);
    if (!name_text)
        name_text = "";
    if (!usr_text || !*usr_text)
        usr_text = name_text;
    uint64_t key = hash_text(usr_text, strlen(usr_text));
    uint32_t symbol = map_get(&t->usrs, key);
    if (symbol == JG_NONE ||
        strcmp(jg_unit_str(t->u, t->u->symbols.data[symbol].usr), usr_text) != 0) {
        symbol = add_symbol(t, function, name_text, usr_text, use);
        map_put(&t->usrs, key, symbol);
    }
    clang_disposeString(usr);
    clang_disposeString(name);
    map_put(&t->decls, key_of(function.data[0]), symbol);
    return symbol;
}

void queue_symbol(struct tu *t, uint32_t symbol)
{
    struct symbol_info *info = &t->symbol_info.data[symbol];
    if (info->queued || clang_Cursor_isNull(info->definition))
        return;
    info->queued = true;
    *JG_VEC_PUSH(&t->queue) = symbol;
}

// ---- by name -----------------------------------------------------------------------------------

static enum CXChildVisitResult collect_named(CXCursor c, CXCursor parent, CXClientData data)
{
    struct tu *t = data;
    (void)parent;
    if (c.kind == CXCursor_FunctionDecl) {
        CXString name = clang_getCursorSpelling(c);
        const char *text = clang_getCString(name);
        *JG_VEC_PUSH(&t->named) = c;
        map_put(&t->names, hash_text(text, strlen(text)), t->named.count - 1);
        clang_disposeString(name);
    }
    return CXChildVisit_Continue;
}

uint32_t symbol_named(struct tu *t, const char *name)
{
    if (!t->named.count)
        clang_visitChildren(clang_getTranslationUnitCursor(t->clang), collect_named, t);
    uint32_t at = map_get(&t->names, hash_text(name, strlen(name)));
    if (at == JG_NONE)
        return JG_NONE;
    uint32_t symbol = symbol_of(t, t->named.data[at], clang_getNullLocation());
    queue_symbol(t, symbol);
    return symbol;
}

// ---- variables of static storage ---------------------------------------------------------------

bool has_static_storage(CXCursor var)
{
    return var.kind == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(var) == 1;
}

uint32_t static_var_of(struct tu *t, CXCursor var)
{
    uint32_t known = map_get(&t->decls, key_of(var.data[0]));
    if (known != JG_NONE)
        return known;
    CXCursor canonical = clang_getCanonicalCursor(var);
    known = map_get(&t->decls, key_of(canonical.data[0]));
    if (known == JG_NONE) {
        CXCursor definition = clang_getCursorDefinition(var);
        bool defined = !clang_Cursor_isNull(definition);
        CXType type = clang_getCursorType(defined ? definition : var);
        struct jg_var v = {.kind = JG_VAR_STATIC};
        v.name = intern_cx(t, clang_getCursorSpelling(var));
        v.type = type_of(t, type);
        v.loc = loc_of(t, defined ? definition : var);
        v.is_volatile = clang_isVolatileQualifiedType(type) != 0;
        v.thread_local_storage = clang_getCursorTLSKind(var) != CXTLS_None;
        enum CXLinkageKind linkage = clang_getCursorLinkage(var);
        v.external = linkage == CXLinkage_External || linkage == CXLinkage_UniqueExternal;
        *JG_VEC_PUSH(&t->u->vars) = v;
        known = t->u->vars.count - 1;
        map_put(&t->decls, key_of(canonical.data[0]), known);
    }
    map_put(&t->decls, key_of(var.data[0]), known);
    return known;
}
