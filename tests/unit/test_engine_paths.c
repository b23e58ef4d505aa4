// SPDX-License-Identifier: Apache-2.0
//
// The engine end to end, one idea a row: a body of a native method in, findings out.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/snippet.h"

static const char prologue[] =
    "#include <jni.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\nextern int "
    "cond(void); extern void use(const void *);\n"
    "struct outer; struct inner; extern void release_outer(JNIEnv *, struct outer *);"
    "extern void release_const(JNIEnv *, const struct inner *); extern int usable(const void *);\n"
    "struct state { int done; }; static struct state state; extern void step(struct state *);\n"
    "extern void helper(JNIEnv *); static jclass cache; static jobject kept; static jobject "
    "*kept_at;"
    "static void *here; static void keep_here(void *p) { here = p; } extern void lock(JNIEnv *, "
    "jobject), keep(void *);\n"
    "#define IS_NULL(x) ((x) == NULL)\n#define CHECK(x) do { if ((x) == NULL) return; } while (0)\n"
    "JNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jobject self, jobjectArray names, jstring s, "
    "jstring t, "
    "jintArray a, jintArray b, jint n)\n{\n"; // the body begins on line 13

struct row {
    const char *name, *body, *expected;
};

static const struct row rows[] = {
    // ---- environments and lengths
    {"a failed GetEnv is kept apart at a join",
     "JavaVM *vm; JNIEnv *e; if ((*env)->GetJavaVM(env, &vm) != 0) return;\n"
     "if ((*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8) != 0) use(0);\n"
     "use(\"\");\n(*e)->DeleteLocalRef(e, self);\n",
     "env-unchecked:16"},
    {"a failed GetEnv that leaves is not",
     "JavaVM *vm; JNIEnv *e; if ((*env)->GetJavaVM(env, &vm) != 0) return;\n"
     "if ((*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8) != 0) return;\n"
     "use(\"\");\n(*e)->DeleteLocalRef(e, self);\n",
     ""},
    {"an index below the length cannot throw",
     "jsize k = (*env)->GetArrayLength(env, names);\nif (k == 0) return;\n"
     "kept = NULL; (*env)->GetObjectArrayElement(env, names, 0);\n"
     "(*env)->GetObjectClass(env, self);\n",
     ""},
    {"an index below another length can",
     "jsize k = (*env)->GetArrayLength(env, a);\nif (k == 0) return;\n"
     "(*env)->GetObjectArrayElement(env, names, 0);\n"
     "(*env)->GetObjectClass(env, self);\n",
     "exception-unchecked-access:15"},
    // ---- buffers
    {"released on every path",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\nuse(p);\n"
     "(*env)->ReleaseStringUTFChars(env, s, p);\n",
     ""},
    {"early return leaks",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\nif (cond()) return;\n"
     "(*env)->ReleaseStringUTFChars(env, s, p);\n",
     "buffer-unreleased:13"},
    {"two exits are one finding",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\nif (cond()) "
     "return;\nif (cond()) return;\n"
     "(*env)->ReleaseStringUTFChars(env, s, p);\n",
     "buffer-unreleased:13"},
    {"the address of an element points into the buffer",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\njint *q = &p[1];\n*q = 1;"
     "\n(*env)->ReleaseIntArrayElements(env, a, p, JNI_ABORT);\n",
     "buffer-abort-lost-write:17"},
    {"a struct stored whole is a store",
     "struct state *p = (void *)(*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\n*p = "
     "state;"
     "\n(*env)->ReleaseIntArrayElements(env, a, (jint *)p, JNI_ABORT);\n",
     "buffer-abort-lost-write:16"},
    {"guarded cleanup",
     "const char *p = NULL, *q = NULL;\nif (s) if ((p = (*env)->GetStringUTFChars(env, s, 0)) == "
     "NULL) goto out;\n"
     "if (t) if ((q = (*env)->GetStringUTFChars(env, t, 0)) == NULL) goto out;\nuse(p); use(q);\n"
     "out: if (t && q) (*env)->ReleaseStringUTFChars(env, t, q);\nif (s && p) "
     "(*env)->ReleaseStringUTFChars(env, s, p);\n",
     ""},
    {"a flag correlates with the acquisition",
     "const char *p = NULL; int held = 0;\nif (n > 3) { p = (*env)->GetStringUTFChars(env, s, 0); "
     "if (!p) return; held = 1; }\n"
     "use(\"\");\nif (held) (*env)->ReleaseStringUTFChars(env, s, p);\n",
     ""},
    {"the same condition twice",
     "const char *p = \"\";\nif (n & 4) { p = (*env)->GetStringUTFChars(env, s, 0); if (!p) "
     "return; }\nuse(p);\n"
     "if (n & 4) (*env)->ReleaseStringUTFChars(env, s, p);\n",
     ""},
    {"advanced and brought back",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0), *q = p;\nif (!p) return;\nfor (jint i = 0; "
     "i < n; i++) *q++ = 0;\n"
     "(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     ""},
    {"commit is not a release",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) "
     "return;\n(*env)->ReleaseIntArrayElements(env, a, p, JNI_COMMIT);\n",
     "buffer-commit-not-final:15"},
    {"acquired and released in loops",
     "const char *p[64];\njint i, k;\nfor (i = 0; i < n && i < 64; i++) { p[i] = "
     "(*env)->GetStringUTFChars(env, s, 0); if (!p[i]) break; }\n"
     "for (k = 0; k < i; k++) (*env)->ReleaseStringUTFChars(env, s, p[k]);\n",
     ""},
    {"acquired again in a loop",
     "for (jint i = 0; i < n; i++) {\nconst char *p = (*env)->GetStringUTFChars(env, s, 0);\nif "
     "(!p) return;\nuse(p);\n}\n",
     "buffer-unreleased:14"},
    {"swapped arrays",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) "
     "return;\n(*env)->ReleaseIntArrayElements(env, b, p, 0);\n",
     "buffer-release-wrong-object:15"},
    {"kept in a struct of the caller",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\n*(jint **)(intptr_t)n = "
     "p;\n",
     ""},
    {"a call through a cast that lacks arguments is no JNI call",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\n"
     "((void (*)(JNIEnv *))(*env)->ReleasePrimitiveArrayCritical)(env);\n"
     "((void (*)(JNIEnv *, jobject))(*env)->ReleaseStringUTFChars)(env, s);\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     ""},
    {"a function without a name may release",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
     "void (*f)(JNIEnv *, jstring, const char *) = n ? (void *)here : (void *)kept;\n"
     "f(env, s, p);\n",
     ""},
    {"acquired into a table on the heap, released from its end",
     "const char **p = malloc((size_t)n * sizeof *p);\nif (!p) return;\njint i;\n"
     "for (i = 0; i < n; i++) if (!(p[i] = (*env)->GetStringUTFChars(env, s, 0))) break;\n"
     "while (i-- > 0) (*env)->ReleaseStringUTFChars(env, s, p[i]);\nfree(p);\n",
     ""},
    {"... by an index that is a sum",
     "jobject *v = malloc(64);\nif (!v) return;\njint k;\nfor (k = 0; k < n; k++) v[k] = "
     "(*env)->NewGlobalRef(env, self);\n"
     "for (jint i = 1; i <= k; i++) (*env)->DeleteGlobalRef(env, v[i - 1]);\nfree(v);\n",
     ""},
    {"... and the first one by its name",
     "jobject *v = malloc(64);\nif (!v) return;\nfor (jint k = 0; k < 2; k++) v[k] = "
     "(*env)->NewGlobalRef(env, self);\n"
     "(*env)->DeleteGlobalRef(env, v[1]);\n(*env)->DeleteGlobalRef(env, v[0]);\nfree(v);\n",
     ""},
    {"two buffers are never at the same address",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\njint *q = n ? p : "
     "(*env)->GetIntArrayElements(env, b, 0);\nif (q) q[0] = p[0] = 1;\n"
     "if (q && q != p) (*env)->ReleaseIntArrayElements(env, b, q, 0);\n"
     "(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     ""},
    // ---- monitors
    {"entered in one loop, exited in another",
     "jint k;\nfor (k = 0; k < n; k++) if ((*env)->MonitorEnter(env, self)) break;\n"
     "while (k-- > 0) (*env)->MonitorExit(env, self);\n",
     ""},
    {"entered and not always exited in one loop",
     "for (jint k = 0; k < n; k++) {\nif ((*env)->MonitorEnter(env, self)) return;\n"
     "if (cond()) continue;\n(*env)->MonitorExit(env, self);\n}\n",
     "monitor-unbalanced:14"},
    // ---- critical regions
    {"JNI call in a critical region",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) "
     "return;\n(*env)->GetArrayLength(env, b);\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     "critical-jni-call:15"},
    {"nested critical regions",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\nvoid *q = "
     "(*env)->GetPrimitiveArrayCritical(env, b, 0);\n"
     "if (q) (*env)->ReleasePrimitiveArrayCritical(env, b, q, "
     "0);\n(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     ""},
    {"critical region left open",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\nif (cond()) "
     "return;\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     "critical-unreleased:13"},
    // ---- exceptions
    {"result tested by a macro",
     "jclass c = (*env)->FindClass(env, \"A\");\nCHECK(c);\n(*env)->GetSuperclass(env, c);\n", ""},
    {"result not tested",
     "jclass c = (*env)->FindClass(env, \"A\");\n(*env)->GetSuperclass(env, c);\n",
     "exception-unchecked-null:13"},
    {"exception check instead of a test",
     "jclass c = (*env)->FindClass(env, \"A\");\nif ((*env)->ExceptionCheck(env)) "
     "return;\n(*env)->GetSuperclass(env, c);\n",
     ""},
    {"null branch goes on",
     "jclass c = (*env)->FindClass(env, \"A\");\nif (IS_NULL(c)) {\n(*env)->GetArrayLength(env, "
     "a);\nreturn;\n}\n",
     "exception-pending-call:15"},
    {"cleared and gone on",
     "jclass c = (*env)->FindClass(env, \"A\");\nif (IS_NULL(c)) "
     "{\n(*env)->ExceptionClear(env);\n(*env)->GetArrayLength(env, a);\n}\n",
     ""},
    {"fifty lookups without a test are not 2^50 states",
#define L4                                                                                         \
    "c = (*env)->FindClass(env, \"A\"); c = (*env)->FindClass(env, \"A\"); c = "                   \
    "(*env)->FindClass(env, \"A\"); c = (*env)->FindClass(env, \"A\");"
     "jclass c;" L4 L4 L4 L4 L4 L4 L4 L4 L4 L4 L4 L4 "\n(*env)->GetVersion(env);\n", "*"},
    {"java call unchecked",
     "(*env)->CallVoidMethod(env, self, (jmethodID)s);\n(*env)->GetArrayLength(env, a);\n",
     "exception-unchecked-call:13"},
    {"java call checked",
     "(*env)->CallVoidMethod(env, self, (jmethodID)s);\nif ((*env)->ExceptionCheck(env)) "
     "return;\n(*env)->GetArrayLength(env, a);\n",
     ""},
    {"java call, then return", "(*env)->CallVoidMethod(env, self, (jmethodID)s);\n", ""},
    {"thrown, then release",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\njclass c = "
     "(*env)->FindClass(env, \"A\");\n"
     "if (c) (*env)->ThrowNew(env, c, p);\n(*env)->ReleaseStringUTFChars(env, s, p);\n",
     ""},
    {"an unknown function that gets env may throw or check",
     "(*env)->CallVoidMethod(env, self, (jmethodID)s);\nhelper(env);\n(*env)->GetArrayLength(env, "
     "a);\n",
     ""},
    // ---- calls to other functions
    {"released through a struct in a struct",
     "struct inner { const char *p; } i; struct outer { struct inner *i; } o = {&i};\n"
     "i.p = (*env)->GetStringUTFChars(env, s, 0);\nrelease_outer(env, &o);\n",
     ""},
    {"released through a pointer to const",
     "struct inner { const char *p; } i;\ni.p = (*env)->GetStringUTFChars(env, s, 0);\n"
     "release_const(env, &i);\n",
     ""},
    {"a test that takes a pointer to const",
     "jclass c = (*env)->FindClass(env, \"A\");\nif (!usable(c)) return;\n"
     "(*env)->GetSuperclass(env, c);\n",
     ""},
    {"the owner depends on the path",
     "jint *p; jintArray x;\nif (n) { x = a; p = (*env)->GetIntArrayElements(env, a, 0); }\n"
     "else { x = b; p = (*env)->GetIntArrayElements(env, b, 0); }\nif (!p) return;\n"
     "(*env)->ReleaseIntArrayElements(env, x, p, 0);\n",
     ""},
    {"a flag that a call in the loop may change",
     "for (;;) {\nconst char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
     "step(&state);\nif (state.done) return;\n(*env)->ReleaseStringUTFChars(env, s, p);\n}\n",
     "buffer-unreleased:14"},
    {"an illegal call does not hide an open region",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\n"
     "(*env)->GetArrayLength(env, b);\nif (cond()) return;\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     "critical-unreleased:13 critical-jni-call:15"},
    {"pushed and popped in loops",
     "for (jint i = 0; i < n; i++) (*env)->PushLocalFrame(env, 4);\n"
     "for (jint i = 0; i < n; i++) (*env)->PopLocalFrame(env, NULL);\n",
     "status-ignored:13"},
    {"thrown over an unchecked call",
     "(*env)->CallVoidMethod(env, self, (jmethodID)s);\n(*env)->ThrowNew(env, cache, \"x\");\n",
     "exception-unchecked-call:13"},
    {"an unsigned limit above the signed ones",
     "size_t k = (size_t)n; jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\n"
     "if (k > SIZE_MAX - 16) { (*env)->ReleaseIntArrayElements(env, a, p, 0); return; }\n"
     "if (k > 100) return;\n(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     "buffer-unreleased:13"},
    {"acquired into an array only where there is something",
     "jstring js[4]; const char *cs[4]; int k;\nfor (k = 0; k < 4; ++k) {\n"
     "js[k] = (*env)->GetObjectArrayElement(env, names, k);\n"
     "cs[k] = js[k] ? (*env)->GetStringUTFChars(env, js[k], 0) : NULL;\n}\n"
     "for (k = 0; k < 4; ++k) if (cs[k]) (*env)->ReleaseStringUTFChars(env, js[k], cs[k]);\n",
     "exception-unchecked-access:15"},
    {"a pointer moved along and back",
     "jint *base = (*env)->GetIntArrayElements(env, a, 0), *p; jint sum = 0;\nif (!base) return;\n"
     "for (p = base; p < base + n; p++) sum += *p;\n"
     "(*env)->ReleaseIntArrayElements(env, a, p - n, JNI_ABORT);\nuse(&sum);\n",
     ""},
    {"a release loop that walks a pointer",
     "struct item { jintArray a; jint *p; } *v = calloc(9, sizeof *v), *q; jint i = 0;\n"
     "for (q = v; i < n; q++, i++) { q->a = a; q->p = (*env)->GetIntArrayElements(env, a, 0);\n"
     "if (!q->p) break; }\nfor (q = v; q < v + n; q++)\n"
     "if (q->p) (*env)->ReleaseIntArrayElements(env, q->a, q->p, 0);\nfree(v);\n",
     ""},
    {"a jboolean is true or false",
     "jboolean direct = (*env)->IsSameObject(env, s, t); void *p;\n"
     "if (direct == JNI_TRUE) p = NULL; else p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\n"
     "use(\"\");\nif (direct == JNI_FALSE && p)\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     ""},
    {"deleted and used in a place of unknown kind",
     "struct holder { jobject o; } *h = (struct holder *)(intptr_t)n;\n"
     "(*env)->DeleteGlobalRef(env, h->o);\n(*env)->GetObjectClass(env, h->o);\n",
     "ref-use-after-delete:15"},
    {"a critical pointer kept by a function of this unit",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\nkeep_here(p);\n"
     "if (cond()) return;\n(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);\n",
     "critical-unreleased:13"},
    {"kept, and found by whoever ends it",
     "void *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\nkeep_here(p);\n"
     "helper(env);\n",
     ""},
    {"elements kept by a function of this unit",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\nkeep_here(p);\n", ""},
    // ---- faulty releases
    {"a pointer that was walked along",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\n"
     "while (n-- > 0) *p++ = 0;\n(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     "buffer-release-moved-pointer:16"},
    {"a pointer moved by a parameter, and back",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\np += n; *p = 0; p -= n;\n"
     "(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     ""},
    {"a pointer moved under a condition, and back under it",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\nif (n) { p++; *p = 0; }\n"
     "use(\"\");\nif (n) p--;\n(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     ""},
    {"no pointer into a buffer is NULL",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0), *q = p;\nif (p) q += n;\n"
     "if (q) (*env)->ReleaseIntArrayElements(env, a, q - n, 0);\n",
     ""},
    {"given to realloc",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
     "char *q = realloc((char *)p, 99);\nfree(q);\n",
     "buffer-release-wrong-function:15"},
    {"passed to a JNI function after its release",
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
     "(*env)->ReleaseStringUTFChars(env, s, p);\nif (!(*env)->NewStringUTF(env, p)) return;\n",
     "buffer-use-after-release:16"},
    {"pointers of a union are one",
     "union { jint *i; jbyte *b; void *p; } u;\nif (n) u.i = (*env)->GetIntArrayElements(env, a, "
     "0);"
     "\nelse u.b = (*env)->GetByteArrayElements(env, (jbyteArray)b, 0);\nif (!u.p) return;\n"
     "if (n) (*env)->ReleaseIntArrayElements(env, a, u.i, 0);\n"
     "else (*env)->ReleaseByteArrayElements(env, (jbyteArray)b, u.b, 0);\n",
     ""},
    {"a critical region given to another function is one defect",
     "jint *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\nif (!p) return;\n"
     "(*env)->ReleaseIntArrayElements(env, a, p, 0);\n",
     "critical-mismatched-release:15"},
    {"a macro that releases several is one finding",
     "#define ALL if (p) (*env)->ReleaseIntArrayElements(env, a, p, 0); \\\n"
     "    if (q) (*env)->ReleaseIntArrayElements(env, b, q, 0)\n"
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\n"
     "jint *q = (*env)->GetIntArrayElements(env, b, 0);\nif (n) { ALL; }\nALL;\n",
     "buffer-double-release:18"},
    {"the address of a later element",
     "jint *p = (*env)->GetIntArrayElements(env, a, 0);\nif (!p) return;\n"
     "(*env)->ReleaseIntArrayElements(env, a, &p[1], 0);\n",
     "buffer-release-moved-pointer:15"},
    {"deleted twice, though somebody else was given it",
     "jobject g = (*env)->NewGlobalRef(env, self);\nlock(env, g);\n"
     "(*env)->DeleteGlobalRef(env, g);\n(*env)->DeleteGlobalRef(env, g);\n",
     "ref-double-delete:16"},
    {"the characters of the last turn, released",
     "const char *last = 0;\nfor (jint i = 0; i < n; i++) {\n"
     "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
     "if (last && *last == *p) use(\"\");\nlast = p;\n"
     "(*env)->ReleaseStringUTFChars(env, s, p);\n}\n",
     "buffer-use-after-release:17"},
    {"released twice, acquired by somebody else",
     "struct holder { jintArray a; jint *p; } *h = (struct holder *)(intptr_t)n;\n"
     "if (cond()) (*env)->ReleaseIntArrayElements(env, h->a, h->p, 0);\n"
     "(*env)->ReleaseIntArrayElements(env, h->a, h->p, 0);\n",
     "buffer-double-release:15"},
    {"released, acquired again by somebody else, and released",
     "struct holder { jintArray a; jint *p; } *h = (struct holder *)(intptr_t)n;\n"
     "(*env)->ReleaseIntArrayElements(env, h->a, h->p, 0);\nkeep(h);\n"
     "(*env)->ReleaseIntArrayElements(env, h->a, h->p, 0);\n",
     ""},
    // ---- monitors
    {"exited twice, with a join between",
     "if ((*env)->MonitorEnter(env, self)) return;\nif (cond()) (*env)->MonitorExit(env, self);\n"
     "use(\"\");\n(*env)->MonitorExit(env, self);\n",
     "monitor-unbalanced:16"},
    {"a helper may enter it again",
     "if ((*env)->MonitorEnter(env, self)) return;\n(*env)->MonitorExit(env, self);\n"
     "lock(env, self);\n(*env)->MonitorExit(env, self);\n",
     ""},
    // ---- global references
    {"freed with the struct that holds it",
     "jobject *p = malloc(sizeof *p);\nif (!p) return;\n*p = (*env)->NewGlobalRef(env, self);\n"
     "if (cond()) { free(p); return; }\nkeep(p);\n",
     "global-ref-leak:15"},
    {"put where others look for it, atomically",
     "jobject g = (*env)->NewGlobalRef(env, self);\n"
     "jobject old = __atomic_exchange_n(&kept, g, __ATOMIC_SEQ_CST);\n"
     "if (old) (*env)->DeleteGlobalRef(env, old);\n",
     ""},
    {"kept in a struct that somebody else may keep",
     "jobject *p = malloc(sizeof *p);\nif (!p) return;\n*p = (*env)->NewGlobalRef(env, self);\n"
     "if (cond()) { keep(p); return; }\nkept_at = p;\n",
     ""},
    // ---- references
    {"leak in loop",
     "for (jint i = 0; i < n; i++) {\njobject o = (*env)->GetObjectArrayElement(env, names, "
     "i);\nuse(o);\n}\n",
     "exception-unchecked-access:14 local-ref-leak-in-loop:14"},
    {"deleted in loop",
     "for (jint i = 0; i < n; i++) {\njobject o = (*env)->GetObjectArrayElement(env, names, "
     "i);\nuse(o);\n(*env)->DeleteLocalRef(env, o);\n}\n",
     "exception-unchecked-access:14"},
    {"framed in loop",
     "for (jint i = 0; i < n; i++) {\nif ((*env)->PushLocalFrame(env, 4) < 0) "
     "return;\nuse((*env)->GetObjectArrayElement(env, names, i));\n"
     "(*env)->PopLocalFrame(env, NULL);\n}\n",
     "exception-unchecked-access:15"},
    {"few turns",
     "for (jint i = 0; i < 8; i++)\nuse((*env)->GetObjectArrayElement(env, names, i));\n",
     "exception-unchecked-access:14"},
    {"few turns times few turns",
     "for (jint i = 0; i < 8; i++) for (jint k = 0; k < 8; "
     "k++)\nuse((*env)->GetObjectArrayElement(env, names, i));\n",
     "exception-unchecked-access:14 local-ref-leak-in-loop:14"},
    {"walks up and deletes the previous one",
     "jclass c = (*env)->GetObjectClass(env, self);\nwhile (c) {\njclass up = "
     "(*env)->GetSuperclass(env, c);\n"
     "(*env)->DeleteLocalRef(env, c);\nc = up;\n}\n",
     ""},
    {"leaves the loop after making one",
     "for (jint i = 0; i < n; i++) {\nif (cond()) { use((*env)->GetObjectArrayElement(env, names, "
     "i)); break; }\n}\n",
     ""},
    {"escape to a static", "kept = self;\n", "local-ref-escape:13"},
    {"escape as a number", "static intptr_t number;\nnumber = (intptr_t)self;\n",
     "ref-as-pointer:14"},
    {"a native without a JNI call", "if (*(int *)self)\nstep(&state);\n", "ref-as-pointer:13"},
    {"a global reference as a number",
     "static intptr_t number;\nnumber = (intptr_t)(*env)->NewGlobalRef(env, self);\n",
     "global-ref-never-deleted:14"},
    {"global round trip",
     "cache = (*env)->FindClass(env, \"A\");\nif (!cache) return;\ncache = "
     "(*env)->NewGlobalRef(env, cache);\n",
     "global-ref-never-deleted:15"},
    {"wrong delete",
     "jobject g = (*env)->NewGlobalRef(env, self);\n(*env)->DeleteLocalRef(env, g);\n",
     "ref-delete-wrong-kind:14"},
    {"use after delete",
     "jobject o = (*env)->GetObjectArrayElement(env, names, 0);\n(*env)->DeleteLocalRef(env, "
     "o);\n(*env)->GetObjectClass(env, o);\n",
     "exception-unchecked-access:13 ref-use-after-delete:15"},
    {"frame not popped",
     "if ((*env)->PushLocalFrame(env, 8) < 0) return;\nif (cond()) "
     "return;\n(*env)->PopLocalFrame(env, NULL);\n",
     "local-frame-unbalanced:13"},
};

static void each_row(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jg_findings findings;
        struct jg_check_stats stats = {0};
        jg_findings_init(&findings);
        char *code = jg_format("%s%s}\n", prologue, rows[i].body);
        char *found = snippet_check(code, &findings, &stats);
        bool right = strcmp(rows[i].expected, "*") == 0
                         ? findings.list.count > 0 && stats.block_visits < 100
                         : strcmp(found, rows[i].expected) == 0;
        if (!right) {
            print_error("%s: expected '%s', found '%s'\n", rows[i].name, rows[i].expected, found);
            failed++;
        }
        free(found);
        free(code);
        jg_findings_fini(&findings);
    }
    assert_int_equal(failed, 0);
}

// Whole units: what a function without native method around it does, or the unit as a whole.
static const struct row units[] = {
    {"attached, and detached nowhere: one finding for all",
     "#include <jni.h>\nextern JavaVM *vm;\n"
     "int a(JNIEnv **e) { return (*vm)->AttachCurrentThread(vm, (void **)e, NULL); }\n"
     "int b(JNIEnv **e) { return (*vm)->AttachCurrentThread(vm, (void **)e, NULL); }\n",
     "thread-attach-without-detach:3"},
    {"detached by another function",
     "#include <jni.h>\nextern JavaVM *vm;\n"
     "int a(JNIEnv **e) { return (*vm)->AttachCurrentThread(vm, (void **)e, NULL); }\n"
     "int b(void) { return (*vm)->DetachCurrentThread(vm); }\n",
     ""},
    {"on the thread of a native method there is nothing to detach",
     "#include <jni.h>\nextern JavaVM *vm;\n"
     "JNIEXPORT jint JNICALL Java_T_m(JNIEnv *env, jclass c) { JNIEnv *e;\n"
     "return (*vm)->AttachCurrentThread(vm, (void **)&e, NULL); }\n",
     ""},
    {"a helper that runs on native threads only",
     "#include <jni.h>\n#include <pthread.h>\nvoid use(jclass);\n"
     "static void find(JNIEnv *e) { use((*e)->FindClass(e, \"a/B\")); }\n"
     "static void *run(void *e) { find(e); return e; }\n"
     "void start(pthread_t *t) { pthread_create(t, NULL, run, NULL); }\n",
     "class-lookup-on-native-thread:4 local-ref-leak-in-helper:4"},
    {"a helper that runs below native methods, too",
     "#include <jni.h>\n#include <pthread.h>\nvoid use(jclass);\n"
     "static void find(JNIEnv *e) { use((*e)->FindClass(e, \"a/B\")); }\n"
     "static void *run(void *e) { find(e); return e; }\n"
     "void start(pthread_t *t) { pthread_create(t, NULL, run, NULL); }\n"
     "JNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jclass c) { find(env); }\n",
     "local-ref-leak-in-helper:4"},
    {"a helper that frees leaves no region, whatever was explored before it",
     "#include <jni.h>\n#include <stdlib.h>\n"
     "static void leave(JNIEnv *env, jintArray a, void *p) {\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0); }\n"
     "static void drop(JNIEnv *env, jobject o, char *p) {\n"
     "free(p); (*env)->GetObjectClass(env, o); }\n"
     "JNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jobject self, jintArray a) {\n"
     "char *q = malloc(9);\nvoid *p = (*env)->GetPrimitiveArrayCritical(env, a, 0);\n"
     "if (!p) { free(q); return; }\ndrop(env, self, q);\nleave(env, a, p); }\n",
     "local-ref-leak-in-helper:6 critical-jni-call:11"},
    {"a thread's loop in another function than its attachment",
     "#include <jni.h>\n#include <pthread.h>\nint more(jobject *);\n"
     "static int find(JNIEnv *e, jobject o) { return (*e)->GetObjectClass(e, o) != NULL; }\n"
     "static void work(JNIEnv *e) { jobject o;\nwhile (more(&o))\nfind(e, o); }\n"
     "static void *run(void *vm) { JNIEnv *e;\n"
     "if ((*(JavaVM *)vm)->AttachCurrentThread(vm, (void **)&e, NULL)) return NULL;\n"
     "work(e); (*(JavaVM *)vm)->DetachCurrentThread(vm); return NULL; }\n"
     "void start(pthread_t *t, JavaVM *vm) { pthread_create(t, NULL, run, vm); }\n",
     "local-ref-leak-on-thread:4"},
    {"a loop that detaches in each turn",
     "#include <jni.h>\n#include <pthread.h>\nint more(void);\n"
     "static void *run(void *vm) { JNIEnv *e;\nwhile (more()) {\n"
     "if ((*(JavaVM *)vm)->AttachCurrentThread(vm, (void **)&e, NULL)) return NULL;\n"
     "if ((*e)->FindClass(e, \"java/lang/Byte\") == NULL) (*e)->ExceptionClear(e);\n"
     "(*(JavaVM *)vm)->DetachCurrentThread(vm); } return NULL; }\n"
     "void start(pthread_t *t, JavaVM *vm) { pthread_create(t, NULL, run, vm); }\n",
     ""},
    {"a helper whose other case makes nothing",
     "#include <jni.h>\nint more(void);\n"
     "static jobject make(JNIEnv *e, jclass c) {\nreturn more() ? (*e)->AllocObject(e, c) : NULL; "
     "}\n"
     "static void use(JNIEnv *e, jclass c) { jobject o = make(e, c);\n"
     "if (o) (*e)->DeleteLocalRef(e, o); }\n"
     "JNIEXPORT void JNICALL Java_T_m(JNIEnv *e, jclass c) { use(e, c); }\n",
     ""},
    {"a name of a thread is not what it is given",
     "#include <jni.h>\nvoid *g_thread_new(const char *, void *(*)(void *), void *);\n"
     "void *run(void *);\n"
     "JNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jobject self) {\n"
     "g_thread_new(\"x\", run, self); }\n",
     "local-ref-cross-thread:5"},
};

static void each_unit(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct jg_findings findings;
        struct jg_check_stats stats = {0};
        jg_findings_init(&findings);
        char *found = snippet_check(units[i].body, &findings, &stats);
        if (strcmp(found, units[i].expected) != 0) {
            print_error("%s: expected '%s', found '%s'\n", units[i].name, units[i].expected, found);
            failed++;
        }
        free(found);
        jg_findings_fini(&findings);
    }
    assert_int_equal(failed, 0);
}

// A block that keeps asking splits no more than a few times.
static void questions_in_one_block(void **state)
{
    (void)state;
    char *code = jg_format("%sjint r = 0;\n", prologue);
    for (int i = 0; i < 200; i++) {
        char *more = jg_format("%sr |= (*env)->PushLocalFrame(env, 1);\n", code);
        free(code);
        code = more;
    }
    char *more = jg_format("%suse(&r);\n}\n", code);
    free(code);
    struct jg_findings findings;
    struct jg_check_stats stats = {0};
    jg_findings_init(&findings);
    char *found = snippet_check(more, &findings, &stats);
    assert_int_equal(stats.exhausted, 1);
    free(found);
    free(more);
    jg_findings_fini(&findings);
}

// n optional buffers and one cleanup label: 2^n combinations, explored buffer by buffer.
static char *optional_buffers(int n, bool forget_one)
{
    char *code = jg_format("#include <jni.h>\nJNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jclass "
                           "c, jintArray a, jint k)\n{\n");
    for (int i = 0; i < n; i++) {
        char *more = jg_format("%sjint *p%d = NULL;\n", code, i);
        free(code);
        code = more;
    }
    for (int i = 0; i < n; i++) {
        char *more = jg_format(
            "%sif (k & %d) { p%d = (*env)->GetIntArrayElements(env, a, 0); if (!p%d) goto out; }\n",
            code, 1 << i, i, i);
        free(code);
        code = more;
    }
    char *more = jg_format("%sout:\n", code);
    free(code);
    code = more;
    for (int i = forget_one; i < n; i++) {
        more =
            jg_format("%sif (p%d) (*env)->ReleaseIntArrayElements(env, a, p%d, 0);\n", code, i, i);
        free(code);
        code = more;
    }
    more = jg_format("%sreturn;\n}\n", code);
    free(code);
    return more;
}

static void many_optional_buffers(void **state)
{
    (void)state;
    for (int forget = 0; forget < 2; forget++) {
        struct jg_findings findings;
        struct jg_check_stats stats = {0};
        jg_findings_init(&findings);
        char *code = optional_buffers(20, forget);
        char *found = snippet_check(code, &findings, &stats);
        assert_string_equal(found, forget ? "buffer-unreleased:24" : "");
        assert_int_equal(stats.capped, 1);
        assert_int_equal(stats.exhausted, 0);
        free(found);
        free(code);
        jg_findings_fini(&findings);
    }
}

// Beyond the cap the exception is explored apart from the strings; a check after each acquisition
// is still the check of that one.
static void checks_of_optional_strings(void **state)
{
    (void)state;
    char *code = jg_format("%sconst char *p[8] = {0};\n", prologue);
    for (int i = 0; i < 8; i++) {
        char *more = jg_format("%sif (n & %d) { p[%d] = (*env)->GetStringUTFChars(env, s, 0);\n"
                               "if ((*env)->ExceptionCheck(env)) goto out; }\n",
                               code, 1 << i, i);
        free(code);
        code = more;
    }
    char *more = jg_format("%sout:\n", code);
    free(code);
    code = more;
    for (int i = 0; i < 8; i++) {
        more =
            jg_format("%sif (p[%d]) (*env)->ReleaseStringUTFChars(env, s, p[%d]);\n", code, i, i);
        free(code);
        code = more;
    }
    more = jg_format("%sreturn;\n}\n", code);
    free(code);
    struct jg_findings findings;
    struct jg_check_stats stats = {0};
    jg_findings_init(&findings);
    char *found = snippet_check(more, &findings, &stats);
    assert_string_equal(found, "");
    assert_int_equal(stats.capped, 1);
    free(found);
    free(more);
    jg_findings_fini(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(each_unit),
        cmocka_unit_test(many_optional_buffers),
        cmocka_unit_test(questions_in_one_block),
        cmocka_unit_test(checks_of_optional_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
