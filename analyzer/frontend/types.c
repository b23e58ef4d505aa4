// SPDX-License-Identifier: Apache-2.0
//
// Clang types -> jg_type, and fields.
//
// One entry per clang type *as spelled*: `jstring` and `jobject` are one type to C and two to JNI,
// so the role is found by walking the typedefs outside in, and `typedef jobject jclass` is a class.
// The fallback for what has lost its typedef, `__typeof__(x)` for one, are the names of the records
// behind the references. Entries are interned by clang's own type pointer.

#include "analyzer/frontend/frontend_internal.h"

#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

struct role_name {
    const char *name;
    enum jg_type_role role;
};

static const struct role_name typedef_roles[] = {
    {"jobject", JG_ROLE_OBJECT},
    {"jclass", JG_ROLE_CLASS},
    {"jstring", JG_ROLE_STRING},
    {"jthrowable", JG_ROLE_THROWABLE},
    {"jarray", JG_ROLE_ARRAY},
    {"jobjectArray", JG_ROLE_ARRAY},
    {"jbooleanArray", JG_ROLE_ARRAY},
    {"jbyteArray", JG_ROLE_ARRAY},
    {"jcharArray", JG_ROLE_ARRAY},
    {"jshortArray", JG_ROLE_ARRAY},
    {"jintArray", JG_ROLE_ARRAY},
    {"jlongArray", JG_ROLE_ARRAY},
    {"jfloatArray", JG_ROLE_ARRAY},
    {"jdoubleArray", JG_ROLE_ARRAY},
    {"jweak", JG_ROLE_WEAK},
    {"jfieldID", JG_ROLE_FIELD_ID},
    {"jmethodID", JG_ROLE_METHOD_ID},
    {"jboolean", JG_ROLE_JBOOLEAN},
    {"JNINativeMethod", JG_ROLE_NATIVE_METHOD},
};

// What a pointer to such a record, or to a typedef of such a name, is.
static const struct role_name pointee_roles[] = {
    {"_jobject", JG_ROLE_OBJECT},      {"_jclass", JG_ROLE_CLASS},
    {"_jstring", JG_ROLE_STRING},      {"_jthrowable", JG_ROLE_THROWABLE},
    {"_jarray", JG_ROLE_ARRAY},        {"_jobjectArray", JG_ROLE_ARRAY},
    {"_jbooleanArray", JG_ROLE_ARRAY}, {"_jbyteArray", JG_ROLE_ARRAY},
    {"_jcharArray", JG_ROLE_ARRAY},    {"_jshortArray", JG_ROLE_ARRAY},
    {"_jintArray", JG_ROLE_ARRAY},     {"_jlongArray", JG_ROLE_ARRAY},
    {"_jfloatArray", JG_ROLE_ARRAY},   {"_jdoubleArray", JG_ROLE_ARRAY},
    {"_jfieldID", JG_ROLE_FIELD_ID},   {"_jmethodID", JG_ROLE_METHOD_ID},
    {"JNIEnv", JG_ROLE_ENV},           {"JNIEnv_", JG_ROLE_ENV},
    {"_JNIEnv", JG_ROLE_ENV},          {"JavaVM", JG_ROLE_VM},
    {"JavaVM_", JG_ROLE_VM},           {"_JavaVM", JG_ROLE_VM},
};

static enum jg_type_role find_role(const struct role_name *table, size_t count, CXString name)
{
    const char *text = clang_getCString(name);
    enum jg_type_role role = JG_ROLE_NONE;
    for (size_t i = 0; text && i < count && role == JG_ROLE_NONE; i++)
        if (strcmp(text, table[i].name) == 0)
            role = table[i].role;
    clang_disposeString(name);
    return role;
}

#define FIND_ROLE(table, name) find_role(table, sizeof(table) / sizeof *(table), name)

// One step through the sugar of a type; false at the end of the chain.
static bool unwrap(CXType *type)
{
    if (type->kind == CXType_Elaborated) {
        *type = clang_Type_getNamedType(*type);
        return type->kind != CXType_Invalid;
    }
    if (type->kind != CXType_Typedef)
        return false;
    *type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(*type));
    return type->kind != CXType_Invalid;
}

static enum jg_type_role role_of_pointee(CXType type)
{
    do {
        if (type.kind == CXType_Typedef || type.kind == CXType_Record) {
            CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(type));
            enum jg_type_role role = FIND_ROLE(pointee_roles, name);
            if (role != JG_ROLE_NONE)
                return role;
        }
    } while (unwrap(&type));
    // `const struct JNINativeInterface_ **`: a JNIEnv * by any other name.
    CXType inner = clang_getCanonicalType(type);
    if (inner.kind != CXType_Pointer)
        return JG_ROLE_NONE;
    inner = clang_getPointeeType(inner);
    if (inner.kind != CXType_Record && inner.kind != CXType_Elaborated)
        return JG_ROLE_NONE;
    static const struct role_name tables[] = {
        {"JNINativeInterface_", JG_ROLE_ENV},
        {"JNINativeInterface", JG_ROLE_ENV},
        {"JNIInvokeInterface_", JG_ROLE_VM},
        {"JNIInvokeInterface", JG_ROLE_VM},
    };
    return FIND_ROLE(tables, clang_getCursorSpelling(clang_getTypeDeclaration(inner)));
}

static enum jg_type_role role_of(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray ||
        canonical.kind == CXType_VariableArray) {
        CXType element = clang_getArrayElementType(type);
        while (element.kind == CXType_Invalid && unwrap(&type))
            element = clang_getArrayElementType(type);
        return role_of(element) == JG_ROLE_NATIVE_METHOD ? JG_ROLE_NATIVE_METHOD : JG_ROLE_NONE;
    }
    do {
        if (type.kind == CXType_Typedef) {
            CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(type));
            enum jg_type_role role = FIND_ROLE(typedef_roles, name);
            if (role != JG_ROLE_NONE)
                return role;
        } else if (type.kind == CXType_Pointer) {
            return role_of_pointee(clang_getPointeeType(type));
        }
    } while (unwrap(&type));
    return canonical.kind == CXType_Pointer ? role_of_pointee(clang_getPointeeType(canonical))
                                            : JG_ROLE_NONE;
}

// ---- kinds -------------------------------------------------------------------------------------

static enum jg_type_kind kind_of(CXType canonical)
{
    switch (canonical.kind) {
    case CXType_Void:
        return JG_TYPE_VOID;
    case CXType_Bool:
        return JG_TYPE_BOOL;
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_Char16:
    case CXType_Char32:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_UInt128:
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_WChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
    case CXType_Enum:
        return JG_TYPE_INT;
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
    case CXType_Ibm128:
    case CXType_BFloat16:
        return JG_TYPE_FLOAT;
    case CXType_Pointer:
    case CXType_BlockPointer:
    case CXType_NullPtr:
        return JG_TYPE_POINTER;
    case CXType_Record:
        return JG_TYPE_RECORD;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        return JG_TYPE_ARRAY;
    case CXType_FunctionNoProto:
    case CXType_FunctionProto:
        return JG_TYPE_FUNCTION;
    default:
        return JG_TYPE_OTHER;
    }
}

static bool is_unsigned(CXType canonical)
{
    if (canonical.kind == CXType_Enum)
        canonical = clang_getCanonicalType(
            clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical)));
    return canonical.kind == CXType_Bool ||
           (canonical.kind >= CXType_Char_U && canonical.kind <= CXType_UInt128);
}

static bool names_va_list(CXString name)
{
    static const char *const names[] = {"va_list",       "__builtin_va_list", "__gnuc_va_list",
                                        "__va_list_tag", "__va_list",         "__isoc_va_list"};
    const char *text = clang_getCString(name);
    bool found = false;
    for (size_t i = 0; text && i < sizeof names / sizeof *names && !found; i++)
        found = strcmp(text, names[i]) == 0;
    clang_disposeString(name);
    return found;
}

static bool spells_va_list(CXType type)
{
    do {
        if (type.kind == CXType_Typedef || type.kind == CXType_Record) {
            if (names_va_list(clang_getCursorSpelling(clang_getTypeDeclaration(type))))
                return true;
        } else if (type.kind == CXType_Pointer) {
            return spells_va_list(clang_getPointeeType(type));
        }
    } while (unwrap(&type));
    return false;
}

bool is_va_list(struct tu *t, uint32_t type)
{
    return t->va_lists.data[type];
}

static void push_type(struct tu *t, struct jg_type n, CXType type, bool va_list)
{
    *JG_VEC_PUSH(&t->u->types) = n;
    *JG_VEC_PUSH(&t->clang_types) = type;
    *JG_VEC_PUSH(&t->va_lists) = va_list;
    t->has_va_list |= va_list;
}

uint32_t basic_type(struct tu *t, const char *name, enum jg_type_kind kind, uint32_t size,
                    uint32_t pointee)
{
    struct jg_type n = {.kind = (uint8_t)kind,
                        .size = size,
                        .pointee = pointee,
                        .name = intern(t, name, strlen(name))};
    push_type(t, n, (CXType){0}, false);
    return t->u->types.count - 1;
}

// Asked of values only: of the placeholder types that calls with errors are full of (a set of
// overloads, a builtin function, a dependent type) libclang computes the size all the same, and
// crashes.
static uint32_t size_of(CXType canonical, enum jg_type_kind kind)
{
    if (kind == JG_TYPE_FUNCTION || kind == JG_TYPE_VOID)
        return 0;
    if (kind == JG_TYPE_OTHER) {
        switch (canonical.kind) {
        case CXType_LValueReference:
        case CXType_RValueReference:
        case CXType_MemberPointer:
        case CXType_Complex:
        case CXType_Vector:
        case CXType_ExtVector:
        case CXType_ObjCObjectPointer:
            break;
        default:
            return 0;
        }
    }
    long long size = clang_Type_getSizeOf(canonical);
    return size > 0 && size < UINT32_MAX ? (uint32_t)size : 0;
}

static uint32_t add_type(struct tu *t, CXType type, CXType canonical)
{
    struct jg_type n = {.kind = (uint8_t)kind_of(canonical), .pointee = JG_NONE};
    if (n.kind == JG_TYPE_POINTER || n.kind == JG_TYPE_ARRAY || n.kind == JG_TYPE_RECORD ||
        type.kind == CXType_Typedef || type.kind == CXType_Elaborated)
        n.role = (uint8_t)role_of(type);
    n.is_unsigned = is_unsigned(canonical);
    n.size = size_of(canonical, (enum jg_type_kind)n.kind);
    n.name = intern_cx(t, clang_getTypeSpelling(type));
    bool va_list =
        (n.kind == JG_TYPE_POINTER || n.kind == JG_TYPE_RECORD || n.kind == JG_TYPE_ARRAY) &&
        spells_va_list(type);
    push_type(t, n, type, va_list);
    return t->u->types.count - 1;
}

static void add_pointee(struct tu *t, uint32_t index, CXType type, CXType canonical)
{
    CXType inner = {0};
    if (canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference) {
        inner = clang_getNonReferenceType(type);
    } else if (canonical.kind == CXType_Pointer || canonical.kind == CXType_BlockPointer) {
        // Through the sugar where there is some: the pointee of `JNIEnv *` is `JNIEnv`.
        while (type.kind != CXType_Pointer && unwrap(&type))
            ;
        inner = clang_getPointeeType(type.kind == CXType_Pointer ? type : canonical);
        t->u->types.data[index].const_pointee = clang_isConstQualifiedType(inner) != 0;
    } else if (kind_of(canonical) == JG_TYPE_ARRAY) {
        inner = clang_getArrayElementType(type);
        while (inner.kind == CXType_Invalid && unwrap(&type))
            inner = clang_getArrayElementType(type);
        if (inner.kind == CXType_Invalid)
            inner = clang_getArrayElementType(canonical);
        long long count =
            canonical.kind == CXType_ConstantArray ? clang_getArraySize(canonical) : 0;
        t->u->types.data[index].array_count = count > 0 && count < UINT32_MAX ? (uint32_t)count : 0;
    } else {
        return;
    }
    if (inner.kind != CXType_Invalid) {
        uint32_t pointee = type_of(t, inner);
        t->u->types.data[index].pointee = pointee;
    }
}

bool is_reference(struct tu *t, uint32_t type)
{
    return type_at(t, type)->kind == JG_TYPE_OTHER && type_at(t, type)->pointee != JG_NONE;
}

uint32_t type_of(struct tu *t, CXType type)
{
    if (type.kind == CXType_Invalid || !type.data[0])
        return t->type_void;
    uint32_t known = map_get(&t->types, key_of(type.data[0]));
    if (known != JG_NONE)
        return known;
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Atomic)
        canonical = clang_getCanonicalType(clang_Type_getValueType(canonical));
    uint32_t index = add_type(t, type, canonical);
    map_put(&t->types, key_of(type.data[0]), index);
    add_pointee(t, index, type, canonical);
    return index;
}

// For the pointers that clang has no expression for: decayed arrays, the address of a temporary.
uint32_t pointer_to(struct tu *t, uint32_t type)
{
    uint32_t known = map_get(&t->pointers, (uint64_t)type + 1);
    if (known != JG_NONE)
        return known;
    const char *pointee = jg_unit_str(t->u, type_at(t, type)->name);
    size_t length = strlen(pointee);
    char *name = jg_format("%s%s*", pointee, length && pointee[length - 1] == '*' ? "" : " ");
    struct jg_type n = {.kind = JG_TYPE_POINTER,
                        .size = type_at(t, t->type_void_pointer)->size,
                        .pointee = type,
                        .name = intern(t, name, strlen(name))};
    if (strcmp(name, "JNIEnv *") == 0)
        n.role = JG_ROLE_ENV;
    free(name);
    push_type(t, n, (CXType){0}, false);
    map_put(&t->pointers, (uint64_t)type + 1, t->u->types.count - 1);
    return t->u->types.count - 1;
}

uint32_t decayed(struct tu *t, uint32_t type)
{
    const struct jg_type *n = type_at(t, type);
    if (n->kind == JG_TYPE_ARRAY)
        return pointer_to(t, n->pointee == JG_NONE ? t->type_void : n->pointee);
    return n->kind == JG_TYPE_FUNCTION ? pointer_to(t, type) : type;
}

// ---- fields ------------------------------------------------------------------------------------

bool is_anonymous_level(CXCursor field)
{
    CXCursor record = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(field)));
    return clang_Cursor_isAnonymousRecordDecl(record) != 0;
}

// "struct ctx", or the typedef that names a record without a tag; "" when nothing names it.
static jg_str record_name(struct tu *t, CXCursor record)
{
    if (clang_Cursor_isAnonymous(record) && !clang_Cursor_isAnonymousRecordDecl(record)) {
        CXString s = clang_getTypeSpelling(clang_getCursorType(record));
        const char *text = clang_getCString(s);
        jg_str name = text && !strchr(text, '(') ? intern(t, text, strlen(text)) : 0;
        clang_disposeString(s);
        return name;
    }
    CXString tag = clang_getCursorSpelling(record);
    const char *text = clang_getCString(tag);
    if (!text || !*text || strchr(text, '(')) {
        clang_disposeString(tag);
        CXString s = clang_getTypeSpelling(clang_getCursorType(record));
        const char *spelled = clang_getCString(s);
        jg_str name = spelled && !strchr(spelled, '(') ? intern(t, spelled, strlen(spelled)) : 0;
        clang_disposeString(s);
        return name;
    }
    clang_disposeString(tag);
    return intern_cx(t, clang_getTypeSpelling(clang_getCursorType(record)));
}

static bool takes_env(struct tu *t, CXCursor field)
{
    CXType function = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(field)));
    CXType first = clang_getArgType(function, 0);
    return first.kind != CXType_Invalid && type_at(t, type_of(t, first))->role == JG_ROLE_ENV;
}

// The tables go by the names of the JDK and of Android. A copy of jni.h that renames them is known
// by fields with the names of JNI functions that take an environment.
static struct field_info find_slots(struct tu *t, CXCursor record, CXCursor field, const char *name)
{
    struct field_info info = {-1, -1};
    CXString s = clang_getCursorSpelling(record);
    const char *table = clang_getCString(s);
    if (!table)
        table = "";
    if (strcmp(table, "JNINativeInterface_") == 0 || strcmp(table, "JNINativeInterface") == 0)
        info.jni = jg_jni_find(name);
    else if (strcmp(table, "JNIInvokeInterface_") == 0 || strcmp(table, "JNIInvokeInterface") == 0)
        info.invoke = jg_invoke_find(name);
    else if (*name && jg_jni_find(name) >= 0 && takes_env(t, field))
        info.jni = jg_jni_find(name);
    clang_disposeString(s);
    return info;
}

static bool is_pointer(CXCursor field)
{
    return clang_getCanonicalType(clang_getCursorType(field)).kind == CXType_Pointer;
}

// Pointers in a union are one: what is stored as one of them is often read as another. JG_NONE: the
// field shares its memory with no earlier one.
static uint32_t storage_of(struct tu *t, CXCursor field)
{
    CXCursor record = clang_getCursorSemanticParent(field);
    if (record.kind != CXCursor_UnionDecl || !is_pointer(field))
        return JG_NONE;
    struct kids fields = record_fields(t, clang_getCursorType(record));
    for (uint32_t i = 0; i < fields.count; i++)
        if (is_pointer(fields.at[i]))
            return clang_equalCursors(fields.at[i], field) ? JG_NONE : field_of(t, fields.at[i]);
    return JG_NONE;
}

uint32_t field_of(struct tu *t, CXCursor field)
{
    uint32_t known = map_get(&t->fields, key_of(field.data[0]));
    if (known != JG_NONE)
        return known;
    CXCursor record = clang_getCursorSemanticParent(field);
    while (clang_Cursor_isAnonymousRecordDecl(record))
        record = clang_getCursorSemanticParent(record);
    struct jg_field n = {.record = record_name(t, record), .type = cursor_type(t, field)};
    CXString name = clang_getCursorSpelling(field);
    const char *text = clang_getCString(name);
    struct field_info info = find_slots(t, record, field, text ? text : "");
    if (n.record) {
        n.name = intern(t, text ? text : "", text ? strlen(text) : 0);
    } else {
        uint32_t loc = loc_of(t, field);
        char *qualified =
            loc == JG_NONE
                ? jg_strdup(text ? text : "")
                : jg_format("%s@%s:%u:%u", text ? text : "",
                            jg_unit_str(t->u, t->u->files.data[t->u->locs.data[loc].file].path),
                            t->u->locs.data[loc].line, t->u->locs.data[loc].column);
        n.name = intern(t, qualified, strlen(qualified));
        free(qualified);
    }
    clang_disposeString(name);
    uint32_t storage = storage_of(t, field);
    n.storage = storage == JG_NONE ? t->u->fields.count : storage;
    *JG_VEC_PUSH(&t->u->fields) = n;
    *JG_VEC_PUSH(&t->field_info) = info;
    map_put(&t->fields, key_of(field.data[0]), t->u->fields.count - 1);
    return t->u->fields.count - 1;
}

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data)
{
    struct tu *t = data;
    *JG_VEC_PUSH(&t->scratch) = field;
    return CXVisit_Continue;
}

struct kids record_fields(struct tu *t, CXType record)
{
    uint32_t base = t->scratch.count;
    clang_Type_visitFields(clang_getCanonicalType(record), collect_field, t);
    uint32_t count = t->scratch.count - base;
    struct kids k = {NULL, count};
    if (count)
        k.at = jg_bump_copy(&t->arena, t->scratch.data + base, count * sizeof(CXCursor));
    t->scratch.count = base;
    return k;
}
