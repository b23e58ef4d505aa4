// SPDX-License-Identifier: Apache-2.0
//
// Threads that stay attached.

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

struct event {
    int kind;
    int value;
};

static JavaVM *gVM;
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

// Returns in the middle.
void deliver(const struct event *event)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // expect: thread-attach-without-detach
        return;
    if (!is_wanted(event))
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event->value);
    (*gVM)->DetachCurrentThread(gVM);
}

// After an exception.
int deliver_all(void)
{
    JNIEnv *env = NULL;
    struct event event;
    if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != 0) // expect: thread-attach-without-detach
        return -1;
    while (next_event(&event)) {
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event.value);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->ExceptionClear(env);
            return -1;
        }
    }
    (*gVM)->DetachCurrentThread(gVM);
    return 0;
}

// Attached where needed, detached where it was, but not when there is nothing to do.
void on_event(const struct event *event)
{
    JNIEnv *env;
    int attached = 0;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // expect: thread-attach-without-detach
            return;
        attached = 1;
    } else if (status != JNI_OK) {
        return;
    }
    if (event->kind == 0)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event->value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

// The wrong way round.
void on_value(int value)
{
    JNIEnv *env;
    int attached = 0;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // expect: thread-attach-without-detach
            return;
        attached = 1;
    }
    (*env)->CallVoidMethod(env, gListener, gOnEvent, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (!attached)
        (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

// A thread that ends.
static void *run(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK) // expect: thread-attach-without-detach
        return NULL;
    while (next_event(&event)) {
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event.value);
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionClear(env);
    }
    return NULL;
}

int start(pthread_t *thread)
{
    return pthread_create(thread, NULL, run, NULL);
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

// Told so, and does not listen.
void on_told(int value)
{
    int attached;
    JNIEnv *env = enter_thread(&attached); // expect: thread-attach-without-detach
    if (env != NULL)
        call(env, value);
}

void on_told_by_result(int value)
{
    JNIEnv *env;
    if (attach_if_needed(&env) >= 0) // expect: thread-attach-without-detach
        call(env, value);
}

// Listens too late.
void on_told_early(int value)
{
    int attached;
    JNIEnv *env = enter_thread(&attached); // expect: thread-attach-without-detach
    if (env == NULL)
        return;
    if (value == 0)
        return;
    call(env, value);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

// The helper keeps the thread attached, and it ends.
static void *run_attached(void *argument)
{
    JNIEnv *env = thread_env(); // expect: thread-attach-without-detach
    (void)argument;
    if (env != NULL)
        call(env, 0);
    return NULL;
}

int start_attached(pthread_t *thread)
{
    return pthread_create(thread, NULL, run_attached, NULL);
}

void on_engine(int value)
{
    JNIEnv *env;
    if (engine_attach(&env) != 0) // expect: thread-attach-without-detach
        return;
    if (value == 0)
        return;
    call(env, value);
    engine_detach();
}
