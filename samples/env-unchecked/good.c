// SPDX-License-Identifier: Apache-2.0
//
// Every use of the environment comes after a call that was found to have stored it.

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

static JavaVM *gVM;
static jobject gListener;  // global reference
static jmethodID gOnEvent; // void onEvent(int)

void log_text(const char *text);
int fetch_env(JNIEnv **env);

static void notify(JNIEnv *env, jint event)
{
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // ok: env-unchecked
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// Attached where it is not yet, detached again.
void event_from(jint event)
{
    JNIEnv *env;
    int attached = 0;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
            return;
        attached = 1;
    } else if (status != JNI_OK) {
        return;
    }
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // ok: env-unchecked
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

// The test is at the second of two fetches.
void event_twice(jint event)
{
    JNIEnv *env = NULL;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != JNI_OK)
            env = NULL;
    if (env == NULL) {
        log_text("no environment");
        return;
    }
    notify(env, event);
    (*env)->DeleteLocalRef(env, NULL); // ok: env-unchecked
}

// Found to be there in another way.
void event_pointer(jint event)
{
    JNIEnv *env = NULL;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status != JNI_OK)
        log_text("trying on");
    if (env != NULL) {
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // ok: env-unchecked
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionDescribe(env);
    }
}

// Stored by a function of the project.
void event_fetched(jint event)
{
    JNIEnv *env;
    if (fetch_env(&env) != 0)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // ok: env-unchecked
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// The same condition twice.
void event_foreign(JNIEnv *env, int foreign, jint event)
{
    if (foreign && (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // ok: env-unchecked
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
    if (foreign)
        (*gVM)->DetachCurrentThread(gVM);
}

// FatalError cannot be called without an environment, but abort can.
void event_required(jint event)
{
    JNIEnv *env = NULL;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        __builtin_trap();
    notify(env, event);
    (*env)->DeleteLocalRef(env, NULL); // ok: env-unchecked
}

// ---- wrappers

static JavaVM *wrapped_vm;

static JNIEnv *currentEnv(void)
{
    JNIEnv *env = NULL;
    if ((*wrapped_vm)->GetEnv(wrapped_vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return NULL;
    return env;
}

static JNIEnv *currentEnvOrDie(void)
{
    JNIEnv *env = currentEnv();
    if (env == NULL)
        abort();
    return env;
}

void on_wrapped_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = currentEnv();
    if (env == NULL)
        return;
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

void on_fatal_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = currentEnvOrDie();
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

static jint fetchEnv(JNIEnv **env)
{
    return (*wrapped_vm)->GetEnv(wrapped_vm, (void **)env, JNI_VERSION_1_8);
}

void on_fetched_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env;
    if (fetchEnv(&env) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

void on_fetched_pointer(jobject listener, jmethodID onEvent)
{
    JNIEnv *env;
    jint status = fetchEnv(&env);
    if (status == JNI_EDETACHED)
        log_text("thread is not attached");
    if (env != NULL)
        (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

struct session {
    JNIEnv *env;
    int attached;
};

static int open_session(struct session *s)
{
    s->attached = 0;
    if ((*wrapped_vm)->GetEnv(wrapped_vm, (void **)&s->env, JNI_VERSION_1_8) == JNI_OK)
        return 0;
    if ((*wrapped_vm)->AttachCurrentThread(wrapped_vm, (void **)&s->env, NULL) != JNI_OK)
        return -1;
    s->attached = 1;
    return 0;
}

static void close_session(const struct session *s)
{
    if (s->attached)
        (*wrapped_vm)->DetachCurrentThread(wrapped_vm);
}

void on_session_event(jobject listener, jmethodID onEvent)
{
    struct session s;
    if (open_session(&s) != 0)
        return;
    (*s.env)->CallVoidMethod(s.env, listener, onEvent); // ok: env-unchecked
    close_session(&s);
}

// Does not say itself that there may be none.
static JNIEnv *anyEnv(void)
{
    JNIEnv *env = NULL;
    (*wrapped_vm)->GetEnv(wrapped_vm, (void **)&env, JNI_VERSION_1_8);
    return env;
}

void on_any_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = anyEnv();
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

// Below Java the thread is attached.
static void call_back(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = currentEnv();
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}

JNIEXPORT void JNICALL
Java_org_example_event_Source_fire(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    call_back(self, (jmethodID)(intptr_t)id);
}

// Their models say what they return.
JNIEnv *engine_env(void);
JNIEnv *engine_env_always(void);

void on_engine_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = engine_env();
    if (env == NULL)
        env = engine_env_always();
    (*env)->CallVoidMethod(env, listener, onEvent); // ok: env-unchecked
}
