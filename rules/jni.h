// SPDX-License-Identifier: Apache-2.0
//
// The functions of the Java Native Interface, as data.
//
// `jni_functions.def` has one row per slot of JNINativeInterface_ and JNIInvokeInterface_, in slot
// order, reserved slots included. This header gives typed access to it; both halves of jniguard
// read the same rows. Nothing here knows clang or a virtual machine.
//
// Everything is immutable static data: no ownership, no errors, safe from any thread.
// Source: Java Native Interface Specification, chapters 2 (legal with a pending exception), 4
// and 5.

#ifndef JG_RULES_JNI_H
#define JG_RULES_JNI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Slot numbers: JG_JNI_FindClass == 6, JG_INVOKE_GetEnv == 6 ...
enum jg_jni_slot {
#define JG_JNI_FUNCTION(name, ...) JG_JNI_##name,
#include "rules/jni_functions.def"
    JG_JNI_COUNT
};

enum jg_invoke_slot {
#define JG_INVOKE_FUNCTION(name, ...) JG_INVOKE_##name,
#include "rules/jni_functions.def"
    JG_INVOKE_COUNT
};

// What a function's result is.
enum jg_result {
    JG_RESULT_VOID,
    JG_RESULT_VALUE,           // a Java primitive, or a pointer of no interest
    JG_RESULT_BOOLEAN,         // JNI_TRUE / JNI_FALSE
    JG_RESULT_STATUS,          // 0 is success, negative is failure
    JG_RESULT_LENGTH,          // jsize, jlong: a count, never negative
    JG_RESULT_LOCAL,           // a new local reference
    JG_RESULT_GLOBAL,          // a new global reference
    JG_RESULT_WEAK,            // a new weak global reference
    JG_RESULT_ELEMENTS,        // Get<T>ArrayElements
    JG_RESULT_CHARS,           // GetStringChars
    JG_RESULT_UTF_CHARS,       // GetStringUTFChars
    JG_RESULT_CRITICAL,        // GetPrimitiveArrayCritical
    JG_RESULT_STRING_CRITICAL, // GetStringCritical
    JG_RESULT_FIELD_ID,
    JG_RESULT_METHOD_ID,
    JG_RESULT_ADDRESS,         // GetDirectBufferAddress
};

// What a NULL result says about exceptions.
enum jg_null_class {
    JG_NULL_NONE,        // the result is no pointer, or the function does not fail
    JG_NULL_THROWS,      // NULL exactly when this call threw
    JG_NULL_UNSPECIFIED, // non-NULL: threw nothing; NULL: unknown
    JG_NULL_NORMAL,      // NULL is an ordinary value and says nothing
};

enum jg_jni_flag {
    JG_JNI_THROWS = 1u << 0,      // may leave an exception pending
    JG_JNI_PENDING_OK = 1u << 1,  // legal while an exception is pending
    JG_JNI_CRITICAL_OK = 1u << 2, // legal inside a critical region
    JG_JNI_CALLS_JAVA = 1u << 3,  // Call*Method*, CallNonvirtual*, CallStatic*: runs a Java method
    JG_JNI_ACCESS = 1u << 4,      // element or region access: throws on a bad index or store
    JG_JNI_TESTS = 1u << 5,       // ExceptionCheck, ExceptionOccurred: says whether one is pending
    JG_JNI_CLEARS = 1u << 6,      // ExceptionClear, ExceptionDescribe
    JG_JNI_RAISES = 1u << 7,      // Throw, ThrowNew
    JG_JNI_NORETURN = 1u << 8,    // FatalError
    JG_JNI_VARARGS = 1u << 9,     // last parameter is `...`
    JG_JNI_RESERVED = 1u << 10,   // a NULL slot
    JG_JNI_PUSHES_FRAME = 1u << 11,
    JG_JNI_POPS_FRAME = 1u << 12,
};

// What a parameter is for. A reference parameter without a more special role is JG_PARAM_REF and is
// used by the call.
enum jg_param_role {
    JG_PARAM_VALUE,          // a primitive or a pointer of no interest
    JG_PARAM_REF,            // a reference that the call uses
    JG_PARAM_STORED_REF,     // a reference stored into a Java field or array
    JG_PARAM_DELETE_LOCAL,   // deleted as a local reference
    JG_PARAM_DELETE_GLOBAL,  // deleted as a global reference
    JG_PARAM_DELETE_WEAK,    // deleted as a weak global reference
    JG_PARAM_PROMOTE,        // argument of NewLocalRef, NewGlobalRef, NewWeakGlobalRef
    JG_PARAM_FRAME_RESULT,   // result of PopLocalFrame: carried into the outer frame
    JG_PARAM_ACQUIRE,        // array or string whose contents the result gives access to
    JG_PARAM_RELEASE_OWNER,  // array or string given back to
    JG_PARAM_RELEASE,        // the pointer given back
    JG_PARAM_LENGTH,         // number of array elements, or of UTF-16 units
    JG_PARAM_START,          // first index of a region
    JG_PARAM_MODE,           // 0, JNI_COMMIT, JNI_ABORT
    JG_PARAM_ISCOPY,         // jboolean *, written
    JG_PARAM_REGION_OUT,     // native memory that the call writes
    JG_PARAM_REGION_IN,      // native memory that the call reads
    JG_PARAM_NAME,           // modified UTF-8: class, member name, message
    JG_PARAM_DESCRIPTOR,     // modified UTF-8: field or method descriptor
    JG_PARAM_FIELD_ID,
    JG_PARAM_METHOD_ID,
    JG_PARAM_VALIST,         // va_list of the Java arguments
    JG_PARAM_JVALUES,        // const jvalue *: uses every reference stored in the array
    JG_PARAM_VARARGS,        // the `...`
    JG_PARAM_CAPACITY,       // PushLocalFrame, EnsureLocalCapacity, descriptors of how many
    JG_PARAM_MONITOR_ENTER,
    JG_PARAM_MONITOR_EXIT,
    JG_PARAM_OUT, // pointer that the call stores a result through (JavaVM **, void **penv)
};

enum jg_param_null {
    JG_NULL_OK,   // NULL is legal, or the parameter is no pointer
    JG_NOT_NULL,  // the specification requires a non-NULL argument
};

#define JG_JNI_MAX_PARAMS 7 // env included

struct jg_jni_param {
    const char *name;
    const char *type; // C type as spelled in jni.h: "jobject", "const char *", "..."
    uint8_t role;     // enum jg_param_role
    uint8_t null;     // enum jg_param_null
};

struct jg_jni_function {
    const char *name;   // "FindClass"; "reserved0" for reserved slots
    const char *type;   // result type as spelled in jni.h
    uint32_t since;     // JNI version that introduced it, as in JNI_VERSION_1_6: 0x00010006
    uint16_t flags;     // enum jg_jni_flag
    uint8_t result;     // enum jg_result
    uint8_t null_class; // enum jg_null_class
    uint8_t param_count; // parameters, `env` (or `vm`) included; `...` counts as one
    struct jg_jni_param params[JG_JNI_MAX_PARAMS]; // params[0] is env or vm
};

// Row of a slot; slot < JG_JNI_COUNT (JG_INVOKE_COUNT).
const struct jg_jni_function *jg_jni_function(unsigned slot);
const struct jg_jni_function *jg_invoke_function(unsigned slot);

// Slot of a function by its exact name, -1 when there is none. Reserved slots have no name.
// Cost: logarithmic.
int jg_jni_find(const char *name);
int jg_invoke_find(const char *name);

// Index of the first parameter with that role, -1 when there is none.
int jg_jni_param(const struct jg_jni_function *fn, enum jg_param_role role);

// True for results that are a new reference of any kind.
static inline bool jg_result_is_ref(enum jg_result r)
{
    return r == JG_RESULT_LOCAL || r == JG_RESULT_GLOBAL || r == JG_RESULT_WEAK;
}

// True for results that are NULL when the call failed: references, buffers, ids, addresses.
static inline bool jg_result_is_nullable(enum jg_result r)
{
    return r >= JG_RESULT_LOCAL;
}

// True for results that must be given back by a Release function.
static inline bool jg_result_is_buffer(enum jg_result r)
{
    return r >= JG_RESULT_ELEMENTS && r <= JG_RESULT_STRING_CRITICAL;
}

#endif
