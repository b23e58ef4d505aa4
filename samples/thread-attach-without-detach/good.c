// SPDX-License-Identifier: Apache-2.0
//
// Threads that are detached by those who attached them, and threads that somebody else detaches.

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

struct event {
    int kind;
    int value;
};

struct context {
    JNIEnv *env;
};

static JavaVM *gVM;
static pthread_key_t gKey;
static jobject gListener; // global reference
static jmethodID gOnEvent;

int next_event(struct event *out);
int is_wanted(const struct event *event);

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    return JNI_VERSION_1_8;
}

// One way out.
void deliver(const struct event *event)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // ok: thread-attach-without-detach
        return;
    if (is_wanted(event))
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event->value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
}

// A label for both.
int deliver_all(void)
{
    JNIEnv *env = NULL;
    struct event event;
    int result = -1;
    (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL); // ok: thread-attach-without-detach
    if (env == NULL)
        goto out;
    while (next_event(&event)) {
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event.value);
        if ((*env)->ExceptionCheck(env))
            goto detach;
    }
    result = 0;
detach:
    (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
out:
    return result;
}

// Only where it is needed.
void on_event(const struct event *event)
{
    JNIEnv *env;
    int attached = 0;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // ok: thread-attach-without-detach
            return;
        attached = 1;
    } else if (status != JNI_OK) {
        return;
    }
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event->value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

// A switch over the status.
void on_value(int value)
{
    JNIEnv *env;
    jboolean detach = JNI_FALSE;
    switch ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8)) {
    case JNI_OK:
        break;
    case JNI_EDETACHED:
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) < 0) // ok: thread-attach-without-detach
            return;
        detach = JNI_TRUE;
        break;
    default:
        return;
    }
    (*env)->CallVoidMethod(env, gListener, gOnEvent, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (detach)
        (*gVM)->DetachCurrentThread(gVM);
}

// Half of a pair: the other one detaches.
JNIEnv *acquire_env(int *attached)
{
    JNIEnv *env = NULL;
    *attached = 0;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // ok: thread-attach-without-detach
        return NULL;
    if ((*env)->EnsureLocalCapacity(env, 32) != 0) {
        (*gVM)->DetachCurrentThread(gVM);
        return NULL;
    }
    *attached = 1;
    return env;
}

void release_env(int attached)
{
    if (attached)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

void notify(int value)
{
    int attached;
    JNIEnv *env = acquire_env(&attached);
    if (env == NULL)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    release_env(attached);
}

// The environment into the caller's struct.
int enter(struct context *context)
{
    return (*gVM)->AttachCurrentThread(gVM, (void **)&context->env, NULL) == JNI_OK; // ok: thread-attach-without-detach
}

// A key whose destructor detaches.
static void detach_thread(void *env)
{
    (void)env;
    (*gVM)->DetachCurrentThread(gVM);
}

int init_key(void)
{
    return pthread_key_create(&gKey, detach_thread);
}

static void *work(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // ok: thread-attach-without-detach
        return NULL;
    pthread_setspecific(gKey, env);
    while (next_event(&event)) {
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event.value);
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionClear(env);
    }
    return NULL;
}

// A thread that detaches through a function.
static void leave(void)
{
    (*gVM)->DetachCurrentThread(gVM);
}

static void *run(void *argument)
{
    JNIEnv *env;
    (void)argument;
    if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != JNI_OK) // ok: thread-attach-without-detach
        return NULL;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, 0);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    leave();
    return NULL;
}

int start(pthread_t threads[2])
{
    return pthread_create(&threads[0], NULL, work, NULL) ||
           pthread_create(&threads[1], NULL, run, NULL);
}

// ---- by helpers

static JNIEnv *enter_thread(int *attached)
{
    JNIEnv *env = NULL;
    *attached = 0;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    *attached = 1;
    return env;
}

static int attach_if_needed(JNIEnv **env)
{
    if ((*gVM)->GetEnv(gVM, (void **)env, JNI_VERSION_1_8) == JNI_OK)
        return 0;
    return (*gVM)->AttachCurrentThread(gVM, (void **)env, NULL) == JNI_OK ? 1 : -1;
}

static JNIEnv *thread_env(void)
{
    JNIEnv *env = NULL;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    return env;
}

static void call(JNIEnv *env, int value)
{
    (*env)->CallVoidMethod(env, gListener, gOnEvent, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// Models say what these do.
int engine_attach(JNIEnv **env);
void engine_detach(void);

void on_told(int value)
{
    int attached;
    JNIEnv *env = enter_thread(&attached); // ok: thread-attach-without-detach
    if (env == NULL)
        return;
    call(env, value);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

void on_told_by_result(int value)
{
    JNIEnv *env;
    int attached = attach_if_needed(&env); // ok: thread-attach-without-detach
    if (attached < 0)
        return;
    call(env, value);
    if (attached)
        leave();
}

// Passes on what it is told.
int enter_listener(struct context *context)
{
    int attached = attach_if_needed(&context->env); // ok: thread-attach-without-detach
    return attached;
}

// Counts what it is told, for somebody else to see.
static int attached_threads;

void on_counted(int value)
{
    int attached;
    JNIEnv *env = enter_thread(&attached); // ok: thread-attach-without-detach
    if (env == NULL)
        return;
    attached_threads += attached;
    call(env, value);
}

// The twin is in another file.
void leave_thread(JavaVM *vm, int attached);

void on_twin(int value)
{
    int attached;
    JNIEnv *env = enter_thread(&attached); // ok: thread-attach-without-detach
    if (env != NULL)
        call(env, value);
    leave_thread(gVM, attached);
}

// The flag stays in a struct, where the twin finds it.
struct scope {
    JNIEnv *env;
    int attached;
};

static void open_scope(struct scope *s)
{
    s->env = enter_thread(&s->attached); // ok: thread-attach-without-detach
}

static void close_scope(struct scope *s)
{
    if (s->attached)
        (*gVM)->DetachCurrentThread(gVM);
}

void on_scope(int value)
{
    struct scope s;
    open_scope(&s); // ok: thread-attach-without-detach
    if (s.env != NULL)
        call(s.env, value);
    close_scope(&s);
}

// The compiler calls the twin.
#define ATTACHED_SCOPE(name) struct scope name __attribute__((cleanup(close_scope)))

// Somebody else closes it.
void keep_scope(struct scope *s);

void on_kept_scope(int value)
{
    struct scope s;
    s.env = enter_thread(&s.attached); // ok: thread-attach-without-detach
    if (s.env != NULL)
        call(s.env, value);
    keep_scope(&s);
}

int on_cleanup(int value)
{
    ATTACHED_SCOPE(s);
    open_scope(&s); // ok: thread-attach-without-detach
    if (s.env == NULL || value == 0)
        return -1;
    call(s.env, value);
    return 0;
}

// Stays attached: the destructor of the key sees to the rest.
static JNIEnv *kept_env(void)
{
    JNIEnv *env = thread_env();
    if (env != NULL)
        pthread_setspecific(gKey, env);
    return env;
}

static void *run_kept(void *argument)
{
    JNIEnv *env = kept_env(); // ok: thread-attach-without-detach
    (void)argument;
    if (env != NULL)
        call(env, 0);
    return NULL;
}

// A policy of its own: threads stay attached.
void on_attached(int value)
{
    JNIEnv *env = thread_env(); // ok: thread-attach-without-detach
    if (env != NULL)
        call(env, value);
}

int start_kept(pthread_t *thread)
{
    return pthread_create(thread, NULL, run_kept, NULL);
}

void on_engine(int value)
{
    JNIEnv *env;
    if (engine_attach(&env) != 0) // ok: thread-attach-without-detach
        return;
    call(env, value);
    engine_detach();
}

// Who starts the virtual machine destroys it.
int run_machine(JavaVMInitArgs *args, int dry)
{
    JavaVM *vm;
    JNIEnv *env;
    if (JNI_CreateJavaVM(&vm, (void **)&env, args) != JNI_OK) // ok: thread-attach-without-detach
        return 1;
    if (dry)
        return 0;
    call(env, 0);
    (*vm)->DetachCurrentThread(vm);
    return 0;
}
