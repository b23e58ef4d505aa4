// SPDX-License-Identifier: Apache-2.0
//
// FindClass on threads that have no Java caller.

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

static JavaVM *gVM;

// In a callback that attaches its thread.
void on_message(const char *text)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    jclass cls = (*env)->FindClass(env, "org/example/chat/Inbox"); // expect: class-lookup-on-native-thread
    if (cls != NULL) {
        jmethodID id = (*env)->GetStaticMethodID(env, cls, "receive", "(Ljava/lang/String;)V");
        jstring message = id == NULL ? NULL : (*env)->NewStringUTF(env, text);
        if (message != NULL)
            (*env)->CallStaticVoidMethod(env, cls, id, message);
    }
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
}

// Where it attaches the thread if need be.
int is_available(void)
{
    JNIEnv *env;
    int attached = 0;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != JNI_OK)
            return 0;
        attached = 1;
    }
    jclass cls = (*env)->FindClass(env, "[Lorg/example/chat/Message;"); // expect: class-lookup-on-native-thread
    if (cls == NULL)
        (*env)->ExceptionClear(env);
    int available = cls != NULL;
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
    return available;
}

// A thread of its own, whose environment comes from elsewhere.
JNIEnv *attach(JavaVM *vm);
void detach(JavaVM *vm);

static void *run(void *argument)
{
    JNIEnv *env = attach(gVM);
    (void)argument;
    if (env == NULL)
        return NULL;
    jclass cls = (*env)->FindClass(env, "org/example/chat/Worker"); // expect: class-lookup-on-native-thread
    jmethodID id = cls == NULL ? NULL : (*env)->GetStaticMethodID(env, cls, "work", "()V");
    if (id != NULL)
        (*env)->CallStaticVoidMethod(env, cls, id);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    detach(gVM);
    return NULL;
}

int start(pthread_t *thread)
{
    return pthread_create(thread, NULL, run, NULL);
}
