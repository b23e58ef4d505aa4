// SPDX-License-Identifier: Apache-2.0
//
// Global references with an owner: deleted on every path, kept in a static, a struct or an array,
// returned, given to Java as a long or to a function that registers them.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct task {
    jobject target; // global
    jobject next;   // global
    int priority;
};

static jobject gListener;  // global
static jclass gTypes[2];   // global
static jmethodID gRun;     // void run()
static jfieldID gHandle;   // long handle
static jweak gOwner;       // weak

int register_callback(void (*call)(void *), void *data);
int queue_push(jobject global);
int is_allowed(int priority);

#define DELETE_GLOBAL(env, ref)                                                                    \
    do {                                                                                           \
        if ((ref) != NULL) {                                                                       \
            (*(env))->DeleteGlobalRef((env), (ref));                                               \
            (ref) = NULL;                                                                          \
        }                                                                                          \
    } while (0)

// Both outcomes delete it.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Pool_runNow(JNIEnv *env, jclass cls, jobject target)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (global == NULL)
        return JNI_FALSE;
    (*env)->CallVoidMethod(env, global, gRun);
    jboolean ok = !(*env)->ExceptionCheck(env);
    (*env)->DeleteGlobalRef(env, global);
    return ok;
}

// Unwound by labels.
JNIEXPORT jlong JNICALL
Java_org_example_job_Pool_prepare(JNIEnv *env, jclass cls, jobject target, jobject next)
{
    struct task *t = NULL;
    jobject first = NULL;
    jobject second = NULL;
    (void)cls;
    first = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (first == NULL)
        goto fail;
    if (next != NULL && (second = (*env)->NewGlobalRef(env, next)) == NULL) // ok: global-ref-leak
        goto fail;
    t = malloc(sizeof *t);
    if (t == NULL)
        goto fail;
    t->target = first;
    t->next = second;
    t->priority = 0;
    return (jlong)(intptr_t)t;
fail:
    DELETE_GLOBAL(env, second);
    DELETE_GLOBAL(env, first);
    return 0;
}

// Stored at once; the struct is taken apart when something fails.
JNIEXPORT jlong JNICALL
Java_org_example_job_Pool_submit(JNIEnv *env, jclass cls, jobject target, jint priority)
{
    (void)cls;
    struct task *t = calloc(1, sizeof *t);
    if (t == NULL)
        return 0;
    t->target = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (t->target == NULL || !is_allowed(priority)) {
        if (t->target != NULL)
            (*env)->DeleteGlobalRef(env, t->target);
        free(t);
        return 0;
    }
    return (jlong)(intptr_t)t;
}

// A static keeps it; the old one is deleted first.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_setListener(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    jobject fresh = listener != NULL ? (*env)->NewGlobalRef(env, listener) : NULL; // ok: global-ref-leak
    if (gListener != NULL)
        (*env)->DeleteGlobalRef(env, gListener);
    gListener = fresh;
}

// Java keeps the handle, in a field or as the result.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_attach(JNIEnv *env, jobject self, jobject target)
{
    jobject global = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (global != NULL)
        (*env)->SetLongField(env, self, gHandle, (jlong)(intptr_t)global);
}

JNIEXPORT jlong JNICALL
Java_org_example_job_Pool_hold(JNIEnv *env, jclass cls, jobject target)
{
    (void)cls;
    return (jlong)(intptr_t)(*env)->NewGlobalRef(env, target); // ok: global-ref-leak
}

// A library or a queue keeps it, and gives it to the code that ends it.
static void onDone(void *data)
{
    (void)data;
}

JNIEXPORT jint JNICALL
Java_org_example_job_Pool_watch(JNIEnv *env, jclass cls, jobject target, jobject other)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (global == NULL)
        return -1;
    if (register_callback(onDone, global) != 0)
        return -1;
    return queue_push((*env)->NewGlobalRef(env, other)); // ok: global-ref-leak
}

// A helper that promotes, for a caller that keeps.
static jclass globalClass(JNIEnv *env, const char *name)
{
    jclass global = NULL;
    jclass local = (*env)->FindClass(env, name);
    if (local != NULL) {
        global = (jclass)(*env)->NewGlobalRef(env, local); // ok: global-ref-leak
        (*env)->DeleteLocalRef(env, local);
    }
    return global;
}

// Through an out-parameter, and into a struct of the caller.
static int keep(JNIEnv *env, jobject value, jobject *out, struct task *task)
{
    task->next = (*env)->NewGlobalRef(env, value); // ok: global-ref-leak
    *out = (*env)->NewGlobalRef(env, value);       // ok: global-ref-leak
    return *out != NULL;
}

// Tables filled in a loop, or one by one; a lazily made weak reference.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    static const char *const names[2] = {"org/example/job/Task", "org/example/job/Pool"};
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
        return JNI_ERR;
    for (int i = 0; i < 2; i++) {
        gTypes[i] = globalClass(env, names[i]);
        if (gTypes[i] == NULL)
            return JNI_ERR;
    }
    jclass pool = (*env)->FindClass(env, "org/example/job/Main");
    if (pool == NULL)
        return JNI_ERR;
    gOwner = (*env)->NewWeakGlobalRef(env, pool); // ok: global-ref-leak // expect: global-ref-never-deleted
    return JNI_VERSION_1_6;
}

// An array on the heap whose elements are deleted by a second loop.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_runAll(JNIEnv *env, jclass cls, jobjectArray tasks)
{
    struct task local;
    jobject first;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, tasks);
    jobject *globals = calloc((size_t)count + 1, sizeof *globals);
    if (globals == NULL)
        return;
    for (jsize i = 0; i < count; i++) {
        jobject task = (*env)->GetObjectArrayElement(env, tasks, i);
        if ((*env)->ExceptionCheck(env))
            break;
        globals[i] = (*env)->NewGlobalRef(env, task); // ok: global-ref-leak
        (*env)->DeleteLocalRef(env, task);
    }
    if (keep(env, tasks, &first, &local))
        (*env)->DeleteGlobalRef(env, first);
    if (local.next != NULL)
        (*env)->DeleteGlobalRef(env, local.next);
    for (jsize i = 0; i < count; i++)
        if (globals[i] != NULL)
            (*env)->DeleteGlobalRef(env, globals[i]);
    free(globals);
}

// Whoever comes first keeps it; the others delete theirs.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_publish(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, listener); // ok: global-ref-leak
    if (global == NULL)
        return;
    if (!__sync_bool_compare_and_swap(&gListener, NULL, global))
        (*env)->DeleteGlobalRef(env, global);
}

JNIEXPORT void JNICALL
Java_org_example_job_Pool_replace(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    jobject fresh = (*env)->NewGlobalRef(env, listener); // ok: global-ref-leak
    jobject old = __atomic_exchange_n(&gListener, fresh, __ATOMIC_SEQ_CST);
    if (old != NULL)
        (*env)->DeleteGlobalRef(env, old);
}

// Its model says that it keeps the reference.
void engine_listen(JNIEnv *env, jobject listener);

JNIEXPORT void JNICALL
Java_org_example_job_Pool_listen(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, listener); // ok: global-ref-leak
    if (global != NULL)
        engine_listen(env, global);
}

// A helper makes them one by one; all are given back, or those that there are.
static jboolean makeGlobal(JNIEnv *env, jobject object, jobject *kept)
{
    *kept = (*env)->NewGlobalRef(env, object);
    return *kept != NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_event_Hub_hold(JNIEnv *env, jclass cls, jobject object)
{
    jobject held[4];
    int i, count = 0;
    (void)cls;
    for (i = 0; i < 4; i++)
        if (!makeGlobal(env, object, &held[i])) // ok: global-ref-leak
            break;
    count = i;
    while (--i >= 0)
        (*env)->DeleteGlobalRef(env, held[i]);
    return count;
}

// What one native method opens, another one closes, by itself or with a helper.
struct channel {
    jobject input, output; // global
    jint state;
};

JNIEXPORT jlong JNICALL
Java_org_example_pipe_Channel_open(JNIEnv *env, jclass cls, jobject input, jobject output)
{
    struct channel *c = calloc(1, sizeof *c);
    (void)cls;
    if (c == NULL)
        return 0;
    c->input = (*env)->NewGlobalRef(env, input);
    c->output = (*env)->NewGlobalRef(env, output);
    return (jlong)(intptr_t)c;
}

static void closeOutput(JNIEnv *env, struct channel *c)
{
    (*env)->DeleteGlobalRef(env, c->output);
}

JNIEXPORT void JNICALL
Java_org_example_pipe_Channel_close(JNIEnv *env, jclass cls, jlong handle)
{
    struct channel *c = (struct channel *)(intptr_t)handle;
    (void)cls;
    closeOutput(env, c);
    (*env)->DeleteGlobalRef(env, c->input);
    free(c); // ok: global-ref-leak
}

JNIEXPORT void JNICALL
Java_org_example_pipe_Channel_abort(JNIEnv *env, jclass cls, jlong handle)
{
    struct channel *c = (struct channel *)(intptr_t)handle;
    (void)cls;
    (*env)->DeleteGlobalRef(env, c->output);
    (*env)->DeleteGlobalRef(env, c->input);
    free(c); // ok: global-ref-leak
}

// The address of what holds it goes where it is not seen: in a struct that is only read, through a
// pipe, to Java in an array.
struct watch {
    jobject target; // global
};

struct hooks {
    void (*call)(void *);
    void *data;
};

int install_hooks(const struct hooks *hooks);
void run_watch(void *data);
long write_pipe(int fd, const void *data, size_t size);

JNIEXPORT jint JNICALL
Java_org_example_event_Hub_watch(JNIEnv *env, jclass cls, jobject target, jint how,
                                 jlongArray handles)
{
    struct watch *w = malloc(sizeof *w);
    (void)cls;
    if (w == NULL)
        return -1;
    w->target = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
    if (how == 0) {
        struct hooks hooks = {run_watch, w};
        return install_hooks(&hooks);
    }
    if (how == 1)
        return (jint)write_pipe(3, &w, sizeof w);
    jlong handle = (jlong)(intptr_t)w;
    (*env)->SetLongArrayRegion(env, handles, 0, 1, &handle);
    return 0;
}

// A helper returns what there is, or makes one.
static struct watch *gFirst;

static struct watch *watchOf(JNIEnv *env, jobject target, jboolean shared)
{
    if (shared)
        return gFirst;
    struct watch *w = malloc(sizeof *w);
    if (w != NULL)
        w->target = (*env)->NewGlobalRef(env, target);
    return w;
}

JNIEXPORT void JNICALL
Java_org_example_event_Hub_rewatch(JNIEnv *env, jclass cls, jobject target)
{
    (void)cls;
    struct watch *w = watchOf(env, target, JNI_TRUE);
    if (w != NULL && w->target == NULL)
        w->target = (*env)->NewGlobalRef(env, target); // ok: global-ref-leak
}
