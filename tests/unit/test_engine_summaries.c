// SPDX-License-Identifier: Apache-2.0
//
// Summaries themselves: the cases of small helpers, as text. One idea a row; the helper is `f`.

#include "analyzer/engine/analysis.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/unite.h"
#include "rules/jni.h"
#include "tests/unit/project.h"

static const char prologue[] =
    "#include <jni.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "struct box { jobject ref; const char *text; jstring of; jbyte *data; struct box *next; };\n"
    "extern int cond(void); extern void use(const void *); static jobject kept;\n"
    "static JavaVM *vm; extern void detach_later(void);\n"
    "#define GET(out) (*vm)->GetEnv(vm, (void **)(out), JNI_VERSION_1_8)\n"
    "#define ATTACH(out) (*vm)->AttachCurrentThread(vm, (void **)(out), NULL)\n"
    "#define DETACH() (*vm)->DetachCurrentThread(vm)\n";

static char text[4096];
static size_t at;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    at += (size_t)vsnprintf(text + at, at < sizeof text ? sizeof text - at : 0, format, arguments);
    va_end(arguments);
}

static void put_range(bool nonzero, int64_t low, int64_t high)
{
    if (low == high)
        put("%lld", (long long)low);
    else if (low == INT64_MIN && high == INT64_MAX)
        put(nonzero ? "!0" : "any");
    else if (low == INT64_MIN)
        put("<=%lld", (long long)high);
    else if (high == INT64_MAX)
        put(">=%lld", (long long)low);
    else
        put("%lld..%lld", (long long)low, (long long)high);
}

// "p1", "*p1", "*p1.f": fields have no names here.
static void put_access(const struct jg_access *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->steps[i] == JG_NONE)
            put("*");
    if (a->param == JG_PARAM_RESULT)
        put("result");
    else
        put("p%u", a->param);
    for (uint32_t i = 0; i < a->count; i++)
        if (a->steps[i] != JG_NONE)
            put(".f");
}

static const char *const entries[] = {
    [JG_ENTRY_ANY] = "", [JG_ENTRY_PENDING] = "pending: ", [JG_ENTRY_CLEAN] = "clean: "};
static const char *const exits[] = {[JG_EXIT_SAME] = "",
                                    [JG_EXIT_CLEAN] = " clears",
                                    [JG_EXIT_PENDING] = " throws",
                                    [JG_EXIT_AFTER_CALL] = " called",
                                    [JG_EXIT_UNKNOWN] = " unknown"};

static void put_case(const struct jg_summary_case *c)
{
    put("%s", entries[c->entry]);
    for (uint32_t i = 0; i < c->condition_count; i++) {
        put("p%u%s=", c->conditions[i].at.param, c->conditions[i].at.count ? "->" : "");
        put_range(c->conditions[i].nonzero, c->conditions[i].low, c->conditions[i].high);
        put(c->conditions[i].kept ? " kept " : " ");
    }
    put("-> ");
    if (c->alias != JG_NONE)
        put("p%u ", c->alias);
    put_range(c->nonzero, c->low, c->high);
    put("%s", exits[c->exit]);
    for (uint32_t i = 0; i < c->deed_count; i++) {
        const char *deleted = c->deeds[i].event == JG_EVENT_DELETE_LOCAL    ? "DeleteLocalRef"
                              : c->deeds[i].event == JG_EVENT_DELETE_GLOBAL ? "DeleteGlobalRef"
                              : c->deeds[i].event == JG_EVENT_DELETE_WEAK   ? "DeleteWeakGlobalRef"
                                                                            : NULL;
        put(" %s(", deleted ? deleted : jg_jni_function((enum jg_jni_slot)c->deeds[i].slot)->name);
        put_access(&c->deeds[i].at);
        if (c->deeds[i].owner != JG_NONE)
            put(", p%u", c->deeds[i].owner);
        static const char *const modes[] = {"", " commit", " abort"};
        if (c->deeds[i].mode <= JG_MODE_ABORT)
            put("%s", modes[c->deeds[i].mode]);
        else if (c->deeds[i].mode == JG_MODE_PARAM)
            put(" mode p%u", c->deeds[i].mode_param);
        put(")");
    }
    for (uint32_t i = 0; i < c->out_count; i++) {
        put(" ");
        put_access(&c->outs[i].at);
        put("=");
        put_range(c->outs[i].nonzero, c->outs[i].low, c->outs[i].high);
    }
    for (uint32_t i = 0; i < c->made_count; i++) {
        const struct jg_made *m = &c->made[i];
        put(" makes %s", jg_kind_title((enum jg_kind)m->kind));
        if (m->stored) {
            put(m->result ? ", too, at " : " at ");
            put_access(&m->at);
        }
        put(m->shared ? " shared" : "");
        if (m->owner != JG_NONE)
            put(" of p%u", m->owner);
    }
    for (uint32_t i = 0; i < c->monitor_count; i++) {
        const struct jg_monitor *m = &c->monitors[i];
        put(m->exits ? " exits " : " enters ");
        if (m->at_known)
            put_access(&m->at);
        else
            put("%s", m->variable ? m->variable : "?");
    }
    put(c->pops ? " pops %u" : "", c->pops);
    put(c->pushes ? " pushes %u" : "", c->pushes);
    put(c->frames_unknown ? " frames?" : "");
    static const char *const threads[] = {[JG_THREAD_SAME] = "",
                                          [JG_THREAD_FOUND] = " attached before",
                                          [JG_THREAD_ATTACHED] = " attaches",
                                          [JG_THREAD_DETACHED] = " detaches",
                                          [JG_THREAD_UNKNOWN] = " may detach"};
    static const char *const borrowed[] = {[JG_BORROWED_NOT] = "",
                                           [JG_BORROWED_SOME] = " lends",
                                           [JG_BORROWED_GLOBAL] = " lends global",
                                           [JG_BORROWED_WEAK] = " lends weak"};
    put("%s%s%s", c->env ? " env" : "", threads[c->thread], borrowed[c->borrowed]);
    put("%s%s", c->leaks ? " leaks" : "", c->leaves_critical ? " leaves" : "");
    if (c->lost)
        put(" lost %x", c->lost);
}

static void put_summary(const struct jg_summary *s)
{
    put("%s", !s ? "none" : !s->exact ? "inexact" : s->null_throws ? "NULL throws; " : "");
    for (uint32_t i = 0; s && i < s->case_count; i++) {
        put("%s", i ? "; " : "");
        put_case(&s->cases[i]);
    }
}

static void nothing(void *context, const struct jg_violation *v)
{
    (void)context;
    (void)v;
}

// Explores all, callees first.
static struct jg_analysis *analyse(const struct project *x)
{
    struct jg_analysis *analysis = jg_analysis_new(x->p);
    struct jg_engine *engine = jg_engine_new(analysis);
    for (uint32_t c = 0; c < jg_program_component_count(x->p); c++) {
        uint32_t count;
        const uint32_t *ids = jg_program_component(x->p, c, &count);
        jg_find_effects(analysis, c);
        for (uint32_t i = 0; i < count << jg_program_is_recursive(x->p, c); i++) {
            struct jg_function_ref ref = jg_program_function(x->p, ids[i % count]);
            jg_engine_explore(engine, ref.unit_index, ref.index, nothing, NULL);
        }
    }
    jg_engine_free(engine);
    return analysis;
}

// Lives until the next call.
static const char *summary_of(const struct project *x, const char *name)
{
    struct jg_analysis *analysis = analyse(x);
    at = 0;
    text[0] = '\0';
    put_summary(analysis->summaries[id_of(x, 0, name)]);
    jg_analysis_free(analysis);
    return text;
}

struct row {
    const char *name, *code, *expected;
};

static const struct row rows[] = {
    // ---- exceptions
    {"throws", "void f(JNIEnv *env, jclass c) { (*env)->ThrowNew(env, c, \"\"); }",
     "clean: -> any throws"},
    {"throws when its class is there",
     "void f(JNIEnv *env) { jclass c = (*env)->FindClass(env, \"E\");\n"
     "if (c) { (*env)->ThrowNew(env, c, \"\"); (*env)->DeleteLocalRef(env, c); } }",
     "clean: -> any throws"},
    {"throws over nothing",
     "void f(JNIEnv *env, jclass c) { if ((*env)->ExceptionCheck(env)) return;\n"
     "(*env)->ThrowNew(env, c, \"\"); }",
     "pending: -> any; clean: -> any throws"},
    {"clears first, then throws",
     "void f(JNIEnv *env, jclass c) { if ((*env)->ExceptionCheck(env)) "
     "(*env)->ExceptionClear(env);\n(*env)->ThrowNew(env, c, \"\"); }",
     "clean: -> any throws; pending: -> any throws"},
    {"clears unasked, then throws",
     "void f(JNIEnv *env, jclass c) { (*env)->ExceptionClear(env);\n"
     "(*env)->ThrowNew(env, c, \"\"); }",
     "-> any throws"},
    {"throws and says so",
     "int f(JNIEnv *env, jclass c) { (*env)->ThrowNew(env, c, \"\"); return "
     "-1; }",
     "clean: -> -1 throws"},
    {"checks", "jboolean f(JNIEnv *env) { return (*env)->ExceptionCheck(env); }",
     "clean: -> 0; pending: -> 1"},
    {"checks by the exception itself",
     "int f(JNIEnv *env) { return (*env)->ExceptionOccurred(env) != NULL; }",
     "clean: -> 0; pending: -> 1"},
    {"checks and clears",
     "int f(JNIEnv *env) { if (!(*env)->ExceptionCheck(env)) return 0;\n"
     "(*env)->ExceptionClear(env); return 1; }",
     "pending: -> 1 clears; clean: -> 0"},
    {"calls Java",
     "void f(JNIEnv *env, jobject o, jmethodID m) "
     "{ (*env)->CallVoidMethod(env, o, m); }",
     "clean: -> any called"},
    {"calls Java and checks",
     "int f(JNIEnv *env, jobject o, jmethodID m) { (*env)->CallVoidMethod(env, o, m);\n"
     "return (*env)->ExceptionCheck(env) ? -1 : 0; }",
     "clean: -> -1 throws; clean: -> 0"},
    {"NULL throws", "jclass f(JNIEnv *env) { return (*env)->FindClass(env, \"C\"); }",
     "NULL throws; clean: -> 0 throws; clean: -> !0 makes local reference"},
    {"NULL throws, in two steps",
     "jmethodID f(JNIEnv *env) { jclass c = (*env)->FindClass(env, \"C\");\n"
     "if (!c) return NULL; return (*env)->GetMethodID(env, c, \"m\", \"()V\"); }",
     "NULL throws; clean: -> 0 throws; clean: -> !0 leaks; clean: -> 0 throws"},
    {"NULL, or NULL and an exception",
     "jstring f(JNIEnv *env, const char *s) { return s ? (*env)->NewStringUTF(env, s) : NULL; }",
     "clean: p1=!0 -> 0 throws; clean: p1=!0 -> !0 makes local reference; p1=0 -> 0"},
    // ---- the environment and the thread
    {"gives env or NULL",
     "JNIEnv *f(void) { JNIEnv *env; return GET(&env) == JNI_OK ? env : NULL; }",
     "-> !0 env; -> 0"},
    {"gives env, whatever the status", "JNIEnv *f(void) { JNIEnv *env; GET(&env); return env; }",
     "-> any env"},
    {"gives what failed", "JNIEnv *f(void) { JNIEnv *env; if (GET(&env)) cond(); return env; }",
     "-> !0 env; -> 0"},
    {"gives env or ends, perhaps",
     "extern void die(void);\n"
     "JNIEnv *f(void) { JNIEnv *env; if (GET(&env)) die(); return env; }",
     "-> !0 env; -> any unknown env"},
    {"gives env through a parameter", "int f(JNIEnv **env) { return GET(env); }",
     "-> !0 *p0=0; -> 0 *p0=!0"},
    {"gives it from a helper",
     "static JNIEnv *g(void) { JNIEnv *env; return GET(&env) == JNI_OK ? env : NULL; }\n"
     "JNIEnv *f(void) { return g(); }",
     "-> 0; -> !0 env"},
    {"attaches", "void f(void) { JNIEnv *env; ATTACH(&env); }", "-> any attaches"},
    {"attaches, with a status", "int f(JNIEnv **env) { return ATTACH(env); }",
     "-> !0 *p0=0; -> 0 *p0=!0 attaches"},
    {"attaches and says so",
     "int f(JNIEnv **env) { if (GET(env) == JNI_OK) return 0;\n"
     "return ATTACH(env) == JNI_OK ? 1 : -1; }",
     "-> 0 *p0=!0 attached before; -> 1 *p0=!0 attaches; -> -1 *p0=0"},
    {"attaches and detaches", "void f(void) { JNIEnv *env; if (ATTACH(&env) == JNI_OK) DETACH(); }",
     "-> any"},
    {"attaches below", "static void g(void) { JNIEnv *env; ATTACH(&env); }\nvoid f(void) { g(); }",
     "-> any attaches"},
    {"detaches", "void f(void) { DETACH(); }", "-> any detaches"},
    {"detaches when told", "void f(int attached) { if (attached) DETACH(); }",
     "p0=0 -> any; p0=!0 -> any detaches"},
    {"sees to it that somebody detaches",
     "void f(void) { JNIEnv *env; ATTACH(&env); detach_later(); }", "-> any"},
    {"may detach", "void f(void) { detach_later(); if (cond()) DETACH(); }",
     "-> any may detach; -> any detaches"},
    // ---- what is lent
    {"lends its cache",
     "jobject f(JNIEnv *env, jobject o) { if (!kept) kept = (*env)->NewGlobalRef(env, o);\n"
     "return kept; }",
     "-> !0 lends global; clean: -> any lends global"},
    {"lends what a helper lends",
     "static jobject g(JNIEnv *env, jobject o) { if (!kept) kept = (*env)->NewGlobalRef(env, o);\n"
     "return kept; }\n"
     "jobject f(JNIEnv *env, jobject o) { return g(env, o); }",
     "clean: -> any lends global; -> !0 lends global"},
    // ---- what is the caller's
    {"deletes its parameter", "void f(JNIEnv *env, jobject o) { (*env)->DeleteLocalRef(env, o); }",
     "-> any DeleteLocalRef(p1)"},
    {"deletes what is not NULL",
     "void f(JNIEnv *env, jobject o) { if (o) (*env)->DeleteGlobalRef(env, o); }",
     "p1=0 -> any; p1=!0 -> any DeleteGlobalRef(p1)"},
    {"deletes through a pointer",
     "void f(JNIEnv *env, jobject *o) { if (*o) (*env)->DeleteLocalRef(env, *o); *o = NULL; }",
     "p1->=0 -> any *p1=0; p1->=!0 -> any DeleteLocalRef(*p1) *p1=0"},
    {"releases a field",
     "void f(JNIEnv *env, struct box *b) { (*env)->ReleaseStringUTFChars(env, b->of, b->text); }",
     "-> any ReleaseStringUTFChars(*p1.f)"},
    {"releases a field farther away",
     "void f(JNIEnv *env, struct box *b) { (*env)->DeleteLocalRef(env, b->next->ref); }",
     "-> any DeleteLocalRef(**p1.f.f)"},
    {"releases with a mode of its own",
     "void f(JNIEnv *env, jintArray a, jint *p) "
     "{ (*env)->ReleaseIntArrayElements(env, a, p, JNI_ABORT); }",
     "-> any ReleaseIntArrayElements(p2, p1 abort)"},
    {"releases with the mode that it is told",
     "void f(JNIEnv *env, jintArray a, jint *p, jint m) "
     "{ (*env)->ReleaseIntArrayElements(env, a, p, m); }",
     "-> any ReleaseIntArrayElements(p2, p1 mode p3)"},
    {"releases with one mode or the other",
     "void f(JNIEnv *env, jintArray a, jint *p, jint ok) "
     "{ if (ok) (*env)->ReleaseIntArrayElements(env, a, p, 0); "
     "else (*env)->ReleaseIntArrayElements(env, a, p, JNI_ABORT); }",
     "-> any ReleaseIntArrayElements(p2, p1)"},
    {"releases with a mode that a loop may change",
     "void f(JNIEnv *env, jintArray a, jint *p, int n) {\n"
     "int m = JNI_ABORT;\nagain: if (n == 0) { (*env)->ReleaseIntArrayElements(env, a, p, m); "
     "goto end; }\nn--; if (n == 7) m = 0; goto again;\nend: while (n < 10) n++; }",
     "-> any ReleaseIntArrayElements(p2, p1)"},
    {"a flag tells, and stays",
     "struct state { JNIEnv *env; int failed; };\n"
     "void f(struct state *s, jobject o, jmethodID m) { if (s->failed) return; "
     "(*s->env)->CallVoidMethod(s->env, o, m); "
     "if ((*s->env)->ExceptionCheck(s->env)) s->failed = 1; }",
     "p0->=!0 kept -> any; clean: p0->=0 kept -> any; clean: p0->=0 -> any throws *p0.f=1"},
    {"makes a struct that holds a buffer",
     "void *malloc(unsigned long); void free(void *);\n"
     "struct held { const char *p; };\n"
     "struct held *f(JNIEnv *env, jstring s) { struct held *h = malloc(sizeof *h); "
     "if (!h) return NULL; h->p = (*env)->GetStringUTFChars(env, s, NULL); "
     "if (!h->p) { free(h); return NULL; } return h; }",
     "clean: -> !0 makes UTF-8 characters at *result.f of p1; clean: -> 0 unknown; -> 0"},
    {"may release",
     "void f(JNIEnv *env, jstring s, const char *p) "
     "{ if (cond()) (*env)->ReleaseStringUTFChars(env, s, p); }",
     "-> any; -> any ReleaseStringUTFChars(p2, p1)"},
    {"releases with a string of its own",
     "void f(JNIEnv *env, struct box *b, const char *p) "
     "{ (*env)->ReleaseStringUTFChars(env, b->of, p); }",
     "-> any ReleaseStringUTFChars(p2)"},
    {"releases by a callee, with what it is given",
     "static void g(JNIEnv *env, const char *p, jstring s) "
     "{ (*env)->ReleaseStringUTFChars(env, s, p); }\n"
     "void f(JNIEnv *env, jstring s, const char *p) { g(env, p, s); }",
     "-> any ReleaseStringUTFChars(p2, p1)"},
    {"releases a region",
     "void f(JNIEnv *env, jarray a, void *p) "
     "{ (*env)->ReleasePrimitiveArrayCritical(env, a, p, 0); }",
     "-> any ReleasePrimitiveArrayCritical(p2, p1) leaves"},
    // ---- what the caller gets
    {"makes a reference",
     "jclass f(JNIEnv *env, jobject o) "
     "{ return (*env)->GetObjectClass(env, o); }",
     "clean: -> any makes local reference"},
    {"makes a global reference",
     "jobject f(JNIEnv *env, jobject o) { return (*env)->NewGlobalRef(env, o); }",
     "clean: -> any makes global reference"},
    {"makes a buffer",
     "const char *f(JNIEnv *env, jstring s) "
     "{ return (*env)->GetStringUTFChars(env, s, NULL); }",
     "clean: -> any makes UTF-8 characters of p1"},
    {"makes a buffer, with a status",
     "int f(JNIEnv *env, jstring s, const char **out) {\n"
     "*out = (*env)->GetStringUTFChars(env, s, NULL); return *out ? 0 : -1; }",
     "clean: -> 0 *p2=!0 makes UTF-8 characters at *p2 of p1; clean: -> -1 unknown *p2=0"},
    {"fills a struct",
     "int f(JNIEnv *env, jstring s, struct box *b) { b->of = s;\n"
     "b->text = (*env)->GetStringUTFChars(env, s, NULL); return b->text != NULL; }",
     "clean: -> 0 unknown *p2.f=0; clean: -> 1 *p2.f=!0 makes UTF-8 characters at *p2.f of p1"},
    {"returns it and stores it",
     "const char *f(JNIEnv *env, jstring s, struct box *b) {\n"
     "b->text = (*env)->GetStringUTFChars(env, s, NULL); return b->text; }",
     "clean: -> any makes UTF-8 characters, too, at *p2.f of p1"},
    {"returns it and keeps it",
     "extern const char *last; const char *f(JNIEnv *env, jstring s) {\n"
     "last = (*env)->GetStringUTFChars(env, s, NULL); return last; }",
     "clean: -> any makes UTF-8 characters shared of p1"},
    {"leaves a reference behind",
     "int f(JNIEnv *env, jobjectArray a) { jstring s = (*env)->GetObjectArrayElement(env, a, 0);\n"
     "return (*env)->GetStringLength(env, s); }",
     "clean: -> >=0 leaks"},
    {"leaves one behind that a callee makes",
     "static jobject g(JNIEnv *env, jobject o) { return (*env)->GetObjectClass(env, o); }\n"
     "void f(JNIEnv *env, jobject o) { use(g(env, o)); }",
     "clean: -> any leaks"},
    {"leaves one behind two calls below",
     "static void g(JNIEnv *env, jobject o) { use((*env)->GetObjectClass(env, o)); }\n"
     "void f(JNIEnv *env, jobject o) { g(env, o); }",
     "clean: -> any leaks"},
    {"returns its parameter",
     "jobject f(JNIEnv *env, jobject o) { if ((*env)->ExceptionCheck(env)) return NULL; return o; "
     "}",
     "pending: -> 0; clean: -> p1 any"},
    {"keeps one", "void f(JNIEnv *env, jobject o) { kept = (*env)->NewGlobalRef(env, o); }",
     "clean: -> any"},
    {"keeps its parameter",
     "void f(JNIEnv *env, struct box *b, jobject o) { b->ref = (*env)->NewGlobalRef(env, o); }",
     "clean: -> any makes global reference at *p1.f"},
    {"leaves a number",
     "int f(JNIEnv *env, jobject o, int *status) {\n"
     "if (!(*env)->GetObjectClass(env, o)) { *status = 1; return -1; } *status = 0; return 0; }",
     "clean: -> 0 *p2=0 leaks; clean: -> -1 *p2=1"},
    {"leaves behind what a callee returns, unless it is NULL",
     "static jobject g(JNIEnv *env, jobjectArray a) "
     "{ return (*env)->GetObjectArrayElement(env, a, 0); }\n"
     "int f(JNIEnv *env, jobjectArray a) { jobject o = g(env, a); if (!o) return 0;\n"
     "return (*env)->IsSameObject(env, o, a); }",
     "clean: -> 0..1 leaks; clean: -> 0"},
    {"deletes on one of two paths",
     "int f(JNIEnv *env, jobject o) { jclass c = (*env)->GetObjectClass(env, o);\n"
     "if (cond()) return -1; (*env)->DeleteLocalRef(env, c); return 0; }",
     "clean: -> -1; clean: -> 0"},
    {"deletes unless NULL",
     "void f(JNIEnv *env, jobjectArray a) { jobject o = (*env)->GetObjectArrayElement(env, a, 0);\n"
     "if (o) { use(o); (*env)->DeleteLocalRef(env, o); } }",
     "clean: -> any"},
    {"makes one once",
     "jclass f(JNIEnv *env) { static jclass c; if (!c) { jclass l = (*env)->FindClass(env, "
     "\"C\");\n"
     "if (!l) return NULL; c = (*env)->NewGlobalRef(env, l); (*env)->DeleteLocalRef(env, l); }\n"
     "return c; }",
     "-> !0 lends global; clean: -> any lends global; clean: -> 0 throws"},
    {"swaps",
     "void f(JNIEnv *env, jobject *a, jobject *b) { jobject o = *a; *a = *b; *b = o; "
     "if (!env) use(o); }",
     "-> any"},
    // ---- monitors
    {"enters a monitor",
     "jboolean f(JNIEnv *env, jobject o) { return (*env)->MonitorEnter(env, o) == 0; }",
     "clean: -> 0; clean: -> 1 enters p1"},
    {"returns the status", "int f(JNIEnv *env, jobject o) { return (*env)->MonitorEnter(env, o); }",
     "clean: -> 0 enters p1; clean: -> !0"},
    {"enters that of a field",
     "void f(JNIEnv *env, struct box *b) { (*env)->MonitorEnter(env, b->ref); }",
     "clean: -> any enters *p1.f"},
    {"enters that of a variable", "void f(JNIEnv *env) { (*env)->MonitorEnter(env, kept); }",
     "clean: -> any enters kept"},
    {"enters that of an object of its own",
     "void f(JNIEnv *env, jobject o) { jclass c = (*env)->GetObjectClass(env, o);\n"
     "(*env)->MonitorEnter(env, c); (*env)->DeleteLocalRef(env, c); }",
     "clean: -> any enters ?"},
    {"exits a monitor", "void f(JNIEnv *env, jobject o) { (*env)->MonitorExit(env, o); }",
     "-> any exits p1"},
    {"enters and exits by callees",
     "static void g(JNIEnv *env, jobject o) { (*env)->MonitorEnter(env, o); }\n"
     "static void h(JNIEnv *env, jobject o) { (*env)->MonitorExit(env, o); }\n"
     "void f(JNIEnv *env, jobject o) { g(env, o); use(o); h(env, o); }",
     "clean: -> any"},
    {"exits on one of two paths",
     "int f(JNIEnv *env, jobject o) { (*env)->MonitorEnter(env, o);\n"
     "if (cond()) return -1; (*env)->MonitorExit(env, o); return 0; }",
     "clean: -> -1; clean: -> 0"},
    {"enters two, or none",
     "int f(JNIEnv *env, jobject a, jobject b) { if ((*env)->MonitorEnter(env, a)) return -1;\n"
     "if ((*env)->MonitorEnter(env, b) == 0) return 0; (*env)->MonitorExit(env, a); return -1; }",
     "clean: -> -1; clean: -> 0 enters p1 enters p2"},
    // ---- frames
    {"pushes a frame", "int f(JNIEnv *env) { return (*env)->PushLocalFrame(env, 8) == 0; }",
     "-> 0; -> 1 pushes 1"},
    {"pops a frame", "jobject f(JNIEnv *env, jobject o) { return (*env)->PopLocalFrame(env, o); }",
     "p1=!0 -> !0 makes local reference pops 1; p1=0 -> 0 pops 1"},
    {"pushes by a callee, and pops",
     "static int g(JNIEnv *env) { return (*env)->PushLocalFrame(env, 8); }\n"
     "void f(JNIEnv *env) { if (g(env) == 0) (*env)->PopLocalFrame(env, NULL); }",
     "-> any"},
    {"pushes by a callee",
     "static int g(JNIEnv *env) { return (*env)->PushLocalFrame(env, 8); }\n"
     "void f(JNIEnv *env) { g(env); }",
     "-> any frames?"},
    {"pops what is left",
     "void f(JNIEnv *env, int n) { while (n--) (*env)->PopLocalFrame(env, NULL); }",
     "p1=0 -> any; p1=1 -> any pops 1; p1=!0 -> any frames?"},
    // ---- recursion
    {"recursion",
     "void f(JNIEnv *env, jobject o, int n) { if (n) f(env, o, n - 1);\n"
     "else (*env)->DeleteLocalRef(env, o); }",
     "p2=0..1 -> any DeleteLocalRef(p1) lost 2; p2=!0 -> any unknown lost 2"},
};

static void check_rows(const struct row *list, size_t count,
                       const char *(*text_of)(const struct project *, const char *))
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        char *code = jg_format("%s%s", prologue, list[i].code);
        LINK(x, NULL, {"a.c", code, NULL});
        const char *got = text_of(&x, "f");
        if (strcmp(got, list[i].expected) != 0) {
            failed++;
            print_error("%s\n  expected: %s\n  got:      %s\n", list[i].name, list[i].expected,
                        got);
        }
        project_fini(&x);
        free(code);
    }
    assert_int_equal(failed, 0);
}

static void summaries(void **state)
{
    (void)state;
    check_rows(rows, sizeof rows / sizeof *rows, summary_of);
}

// ---- calls that are not legal everywhere --------------------------------------------------------

static void put_chain(const struct jg_chain *chain)
{
    put("%s", chain->count ? "" : "-");
    for (uint32_t i = 0; i < chain->count; i++)
        put("%s%s", i ? " > " : "", chain->links[i].callee);
}

static const struct row chains[] = {
    // with a pending exception; in a critical region
    {"exception functions", "void f(JNIEnv *env) { (*env)->ExceptionClear(env); }",
     "-; ExceptionClear"},
    {"cleanup", "void f(JNIEnv *env, jobject o) { (*env)->DeleteLocalRef(env, o); }",
     "-; DeleteLocalRef"},
    {"a lookup", "void f(JNIEnv *env) { use((*env)->FindClass(env, \"C\")); }",
     "FindClass; FindClass"},
    {"only where none is pending",
     "void f(JNIEnv *env) { if (!(*env)->ExceptionCheck(env)) use((*env)->FindClass(env, \"C\")); "
     "}",
     "-; ExceptionCheck"},
    {"after it has been cleared",
     "void f(JNIEnv *env) { (*env)->ExceptionClear(env); use((*env)->FindClass(env, \"C\")); }",
     "-; ExceptionClear"},
    {"a monitor",
     "void f(JNIEnv *env, jobject o) { if ((*env)->MonitorEnter(env, o) == 0)\n"
     "(*env)->MonitorExit(env, o); }",
     "MonitorEnter; MonitorEnter"},
    {"calls below",
     "static void h(JNIEnv *env) { use((*env)->FindClass(env, \"C\")); }\n"
     "static void g(JNIEnv *env) { h(env); }\nvoid f(JNIEnv *env) { g(env); }",
     "'g' > 'h' > FindClass; 'g' > 'h' > FindClass"},
    {"the first one of a callee that asks",
     "static int g(JNIEnv *env) { return (*env)->ExceptionCheck(env); }\n"
     "void f(JNIEnv *env) { if (g(env)) return; use((*env)->FindClass(env, \"C\")); }",
     "-; 'g' > ExceptionCheck"},
    {"a region of the caller is left first",
     "void f(JNIEnv *env, jarray a, void *p) { (*env)->ReleasePrimitiveArrayCritical(env, a, p, "
     "0);\n"
     "use((*env)->FindClass(env, \"C\")); }",
     "FindClass; -"},
    {"a region of the caller is left afterwards",
     "void f(JNIEnv *env, jarray a, void *p) { use((*env)->FindClass(env, \"C\"));\n"
     "(*env)->ReleasePrimitiveArrayCritical(env, a, p, 0); }",
     "FindClass; FindClass"},
    {"a region of its own",
     "void f(JNIEnv *env, jarray a) { void *p = (*env)->GetPrimitiveArrayCritical(env, a, NULL);\n"
     "if (p) (*env)->ReleasePrimitiveArrayCritical(env, a, p, 0); }",
     "GetPrimitiveArrayCritical; -"},
};

static const char *chains_of(const struct project *x, const char *name)
{
    struct jg_analysis *analysis = analyse(x);
    const struct jg_summary *s = analysis->summaries[id_of(x, 0, name)];
    at = 0;
    text[0] = '\0';
    put_chain(&s->pending_call);
    put("; ");
    put_chain(&s->critical_call);
    jg_analysis_free(analysis);
    return text;
}

static void calls_not_legal_everywhere(void **state)
{
    (void)state;
    check_rows(chains, sizeof chains / sizeof *chains, chains_of);
}

// ---- several targets ----------------------------------------------------------------------------

#define CALL                                                                                       \
    "typedef int fn(JNIEnv *, jstring, const char **); fn f, g;\n"                                 \
    "static fn *const table[] = {f, g};\n"                                                         \
    "int caller(JNIEnv *env, jstring s, const char **t) { return table[cond()](env, s, t); }\n"
#define F "int f(JNIEnv *env, jstring s, const char **t) "
#define G "int g(JNIEnv *env, jstring s, const char **t) "
#define DELETES "{ (*env)->DeleteLocalRef(env, s); return 0; }\n"
#define RELEASES "{ (*env)->ReleaseStringUTFChars(env, s, *t); return 0; }\n"
#define ACQUIRES "{ return (*t = (*env)->GetStringUTFChars(env, s, NULL)) ? 0 : -1; }\n"
#define LOOKS_UP "{ return (*env)->FindClass(env, \"C\") ? 0 : -1; }\n"
#define NOTHING "{ *t = \"\"; return 0; }\n"

// The cases; "; in a region: " and what is not legal there; the same for a pending exception.
static const struct row united[] = {
    {"both delete", CALL F DELETES G DELETES,
     "-> 0 DeleteLocalRef(p1); in a region: DeleteLocalRef"},
    {"one deletes", CALL F DELETES G NOTHING, "-> any lost ffffffff"},
    {"both release", CALL F RELEASES G RELEASES,
     "-> 0 ReleaseStringUTFChars(*p2, p1); in a region: ReleaseStringUTFChars"},
    {"one releases", CALL F RELEASES G NOTHING, "-> any lost ffffffff"},
    {"both acquire", CALL F ACQUIRES G ACQUIRES,
     "clean: -> 0 *p2=!0 makes UTF-8 characters at *p2 of p1; clean: -> -1 unknown *p2=0; in a "
     "region: GetStringUTFChars; pending: GetStringUTFChars"},
    {"one acquires", CALL F ACQUIRES G NOTHING,
     "-> 0 *p2=!0; -> -1 unknown *p2=0; -> any lost ffffffff"},
    {"both need the virtual machine", CALL F LOOKS_UP G LOOKS_UP,
     "clean: -> 0 leaks; clean: -> -1 throws; in a region: FindClass; pending: FindClass"},
    {"one needs the virtual machine", CALL F LOOKS_UP G NOTHING,
     "-> any lost ffffffff; -> -1 unknown"},
    {"both throw, one when it has succeeded",
     CALL F "{ (*env)->ThrowNew(env, (jclass)s, \"\"); return -1; }\n" G
            "{ if (cond()) { (*env)->ThrowNew(env, (jclass)s, \"\"); return 1; } return 0; }\n",
     "-> -1..1 unknown; -> 0; in a region: ThrowNew"},
    {"one clears", CALL F "{ (*env)->ExceptionClear(env); return 0; }\n" G LOOKS_UP,
     "-> -1..0 unknown; in a region: ExceptionClear"},
    {"one never returns", CALL F DELETES G "{ use(t); abort(); }\n",
     "-> 0 DeleteLocalRef(p1); in a region: DeleteLocalRef"},
    {"one calls the caller", CALL F DELETES G "{ return caller(env, s, t); }\n", "none"},
    {"one is a native method",
     CALL F DELETES "JNINativeMethod m[] = {{\"n\", \"()V\", (void *)g}};\n" G DELETES, "none"},
};

static const char *united_summary(const struct project *x, const char *name)
{
    (void)name;
    uint32_t count;
    struct jg_analysis *analysis = analyse(x);
    const struct jg_summary *s =
        jg_call_set(analysis, 0, &count) ? jg_call_set_summary(analysis, 0) : NULL;
    at = 0;
    text[0] = '\0';
    put_summary(s);
    if (s && s->critical_call.count) {
        put("; in a region: ");
        put_chain(&s->critical_call);
    }
    if (s && s->pending_call.count) {
        put("; pending: ");
        put_chain(&s->pending_call);
    }
    jg_analysis_free(analysis);
    return text;
}

static void several_targets(void **state)
{
    (void)state;
    check_rows(united, sizeof united / sizeof *united, united_summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(summaries),
                                       cmocka_unit_test(calls_not_legal_everywhere),
                                       cmocka_unit_test(several_targets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
