// SPDX-License-Identifier: Apache-2.0
//
// Classes found where the right class loader is asked, or any will do.

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

static JavaVM *gVM;
static jclass gInbox; // global reference
static jmethodID gReceive;

// While the library is loaded, its own class loader is asked.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    gVM = vm;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass local = (*env)->FindClass(env, "org/example/chat/Inbox"); // ok: class-lookup-on-native-thread
    if (local == NULL)
        return JNI_ERR;
    gReceive = (*env)->GetStaticMethodID(env, local, "receive", "(Ljava/lang/String;)V");
    if (gReceive == NULL)
        return JNI_ERR;
    gInbox = (*env)->NewGlobalRef(env, local);
    return gInbox == NULL ? JNI_ERR : JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        (*env)->DeleteGlobalRef(env, gInbox);
}

// The class was found before.
void on_message(const char *text)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    jstring message = (*env)->NewStringUTF(env, text);
    if (message != NULL)
        (*env)->CallStaticVoidMethod(env, gInbox, gReceive, message);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
}

// A class of the platform, which every loader finds.
int count_arguments(void)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return -1;
    jclass strings = (*env)->FindClass(env, "[Ljava/lang/String;"); // ok: class-lookup-on-native-thread
    jclass bytes = strings ? (*env)->FindClass(env, "[B") : NULL;   // ok: class-lookup-on-native-thread
    int found = bytes != NULL;
    (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM);
    return found;
}

// Called from Java code on this path.
int is_available(void)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return 0;
    jclass cls = (*env)->FindClass(env, "org/example/chat/Message"); // ok: class-lookup-on-native-thread
    if (cls == NULL)
        (*env)->ExceptionClear(env);
    int available = cls != NULL;
    (*env)->DeleteLocalRef(env, cls);
    return available;
}

// In a native method the class loader of its class is asked.
JNIEXPORT jclass JNICALL
Java_org_example_chat_Inbox_messageClass(JNIEnv *env, jclass cls)
{
    (void)cls;
    return (*env)->FindClass(env, "org/example/chat/Message"); // ok: class-lookup-on-native-thread
}

// A thread that is given what it needs.
static void *run(void *argument)
{
    (void)argument;
    on_message("started");
    return NULL;
}

int start(pthread_t *thread)
{
    return pthread_create(thread, NULL, run, NULL);
}
