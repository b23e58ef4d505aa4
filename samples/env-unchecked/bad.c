// SPDX-License-Identifier: Apache-2.0
//
// An environment that is not there: never fetched, found to be NULL, or left by a call that failed.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jobject gListener;  // global reference
static jmethodID gOnEvent; // void onEvent(int)

void log_text(const char *text);

static void check(JNIEnv *env)
{
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// Fetched on one of two ways.
void event_from(int foreign, jint event)
{
    JNIEnv *env;
    if (foreign && (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// Failed, says the status; the log is all that comes of it.
void event_logged(jint event)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        log_text("thread is not attached");
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// Attached where that is needed; the other failures are forgotten.
void event_versions(jint event)
{
    JNIEnv *env;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
            return;
    } else if (status == JNI_EVERSION) {
        log_text("version is not supported");
    }
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// The test for NULL is there, but the way out is not.
void event_tested(JNIEnv *env, jint event)
{
    if (env == NULL)
        log_text("no environment");
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// The wrong way round.
void event_swapped(jint event)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// NULL to begin with, and so it stays when there is nothing to attach to.
void event_attached(jint event)
{
    JNIEnv *env = NULL;
    if (gVM != NULL && (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: env-unchecked
    check(env);
}

// ---- a wrapper

static JavaVM *wrapped_vm;

static JNIEnv *currentEnv(void)
{
    JNIEnv *env = NULL;
    if ((*wrapped_vm)->GetEnv(wrapped_vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return NULL;
    return env;
}

// The wrapper says by NULL that the thread is not attached.
void on_wrapped_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = currentEnv();
    (*env)->CallVoidMethod(env, listener, onEvent); // expect: env-unchecked
}

static jint fetchEnv(JNIEnv **env)
{
    return (*wrapped_vm)->GetEnv(wrapped_vm, (void **)env, JNI_VERSION_1_8);
}

// ... by its status.
void on_fetched_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env;
    if (fetchEnv(&env) != JNI_OK)
        log_text("thread is not attached");
    (*env)->CallVoidMethod(env, listener, onEvent); // expect: env-unchecked
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

// ... and what is in the struct is nothing then.
void on_session_event(jobject listener, jmethodID onEvent)
{
    struct session s;
    open_session(&s);
    (*s.env)->CallVoidMethod(s.env, listener, onEvent); // expect: env-unchecked
    close_session(&s);
}

// Its model says what it returns.
JNIEnv *engine_env(void);

void on_engine_event(jobject listener, jmethodID onEvent)
{
    JNIEnv *env = engine_env();
    (*env)->CallVoidMethod(env, listener, onEvent); // expect: env-unchecked
}
