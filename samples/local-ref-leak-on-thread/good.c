// SPDX-License-Identifier: Apache-2.0
//
// Local references on threads of native code that end in time.

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

struct event {
    int kind;
    const char *text;
};

static JavaVM *gVM;
static jobject gListener;    // global reference
static jmethodID gOnMessage; // org.example.chat.Listener.onMessage(String)

int next_event(struct event *out);

static void call_listener(JNIEnv *env, jstring text)
{
    (*env)->CallVoidMethod(env, gListener, gOnMessage, text);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// Deleted.
static void deliver(JNIEnv *env, const struct event *event)
{
    jstring text = (*env)->NewStringUTF(env, event->text); // ok: local-ref-leak-on-thread
    if (text == NULL) {
        (*env)->ExceptionClear(env);
        return;
    }
    call_listener(env, text);
    (*env)->DeleteLocalRef(env, text);
}

static void *run(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    while (next_event(&event))
        deliver(env, &event);
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

// A frame for each turn.
static void deliver_framed(JNIEnv *env, const struct event *event)
{
    jstring text = (*env)->NewStringUTF(env, event->text); // ok: local-ref-leak-on-thread
    if (text == NULL)
        (*env)->ExceptionClear(env);
    else
        call_listener(env, text);
}

static void *run_framed(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    while (next_event(&event)) {
        if ((*env)->PushLocalFrame(env, 8) < 0)
            break;
        deliver_framed(env, &event);
        (*env)->PopLocalFrame(env, NULL);
    }
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

// Attached for each turn.
static void *run_attached(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    while (next_event(&event)) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
            break;
        jstring text = (*env)->NewStringUTF(env, event.text); // ok: local-ref-leak-on-thread
        if (text != NULL)
            call_listener(env, text);
        else
            (*env)->ExceptionClear(env);
        (*gVM)->DetachCurrentThread(gVM);
    }
    return NULL;
}

// Once, and gone when the thread detaches.
static void *greet(void *argument)
{
    JNIEnv *env;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    jstring text = (*env)->NewStringUTF(env, "hello"); // ok: local-ref-leak-on-thread
    if (text != NULL)
        call_listener(env, text);
    else
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

// A callback that attaches and detaches.
void on_message(const char *text)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    jstring message = (*env)->NewStringUTF(env, text); // ok: local-ref-leak-on-thread
    if (message != NULL)
        call_listener(env, message);
    else
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
}

// A global reference takes its place.
static jobject gLast;

static void remember(JNIEnv *env, const struct event *event)
{
    jstring text = (*env)->NewStringUTF(env, event->text); // ok: local-ref-leak-on-thread
    if (text == NULL) {
        (*env)->ExceptionClear(env);
        return;
    }
    if (gLast != NULL)
        (*env)->DeleteGlobalRef(env, gLast);
    gLast = (*env)->NewGlobalRef(env, text);
    (*env)->DeleteLocalRef(env, text);
}

static void *run_memory(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    while (next_event(&event))
        remember(env, &event);
    if (gLast != NULL)
        (*env)->DeleteGlobalRef(env, gLast);
    gLast = NULL;
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

int start(pthread_t threads[5])
{
    return pthread_create(&threads[0], NULL, run, NULL) ||
           pthread_create(&threads[1], NULL, run_framed, NULL) ||
           pthread_create(&threads[2], NULL, run_attached, NULL) ||
           pthread_create(&threads[3], NULL, greet, NULL) ||
           pthread_create(&threads[4], NULL, run_memory, NULL);
}
