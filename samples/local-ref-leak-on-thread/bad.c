// SPDX-License-Identifier: Apache-2.0
//
// Local references on threads that native code has started: no native method returns there, so that
// nothing drops them before the thread detaches.

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
static jmethodID gOnKey;     // org.example.chat.Listener.onKey(Key)
static jmethodID gNewKey;    // org.example.chat.Listener.newKey(int)

int next_event(struct event *out);
void render(void);

// Attached once, one event after the other.
static void deliver(JNIEnv *env, const struct event *event)
{
    jstring text = (*env)->NewStringUTF(env, event->text); // expect: local-ref-leak-on-thread
    if (text == NULL) {
        (*env)->ExceptionClear(env);
        return;
    }
    (*env)->CallVoidMethod(env, gListener, gOnMessage, text);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
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

int start(pthread_t *thread)
{
    return pthread_create(thread, NULL, run, NULL);
}

// Two calls below the loop, and started by way of a function of the program.
static void send_key(JNIEnv *env, int code)
{
    jobject key = (*env)->CallObjectMethod(env, gListener, gNewKey, (jint)code); // expect: local-ref-leak-on-thread
    if (!(*env)->ExceptionCheck(env))
        (*env)->CallVoidMethod(env, gListener, gOnKey, key);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

static void dispatch(JNIEnv *env, const struct event *event)
{
    if (event->kind == 1)
        send_key(env, event->kind);
    else
        render();
}

static void *run_keys(void *argument)
{
    JNIEnv *env;
    struct event event;
    (void)argument;
    if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    for (;;) {
        if (!next_event(&event))
            break;
        dispatch(env, &event);
    }
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

static int spawn(pthread_t *thread, void *(*entry)(void *))
{
    return pthread_create(thread, NULL, entry, NULL);
}

int start_keys(pthread_t *thread)
{
    return spawn(thread, run_keys);
}

// Called on some thread, which it attaches for good: the destructor of the key detaches it.
static pthread_key_t gKey;

static JNIEnv *attach(void)
{
    JNIEnv *env = NULL;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) == JNI_OK)
        pthread_setspecific(gKey, env);
    return env;
}

void on_message(const char *text)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    pthread_setspecific(gKey, env);
    jstring message = (*env)->NewStringUTF(env, text); // expect: local-ref-leak-on-thread
    if (message != NULL)
        (*env)->CallVoidMethod(env, gListener, gOnMessage, message);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// A thread that somebody else starts with a function of ours, which gets env elsewhere.
static void *poll_forever(void *argument)
{
    JNIEnv *env = attach();
    struct event event;
    (void)argument;
    if (env == NULL)
        return NULL;
    while (next_event(&event)) {
        if (event.text != NULL)
            deliver(env, &event);
    }
    return NULL;
}

int start_polling(pthread_t *thread)
{
    return pthread_create(thread, NULL, poll_forever, NULL);
}
