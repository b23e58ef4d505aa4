// SPDX-License-Identifier: Apache-2.0
//
// Functions that may fail and say so by their status, which nobody looks at.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jobject gListener;  // global reference
static jmethodID gOnEvent; // void onEvent(int)
static jmethodID gSize;    // int size()

static jint native_add(JNIEnv *env, jclass cls, jint a, jint b)
{
    (void)env;
    (void)cls;
    return a + b;
}

static const JNINativeMethod methods[] = {{"add", "(II)I", (void *)native_add}};

// The thread may not be attached.
void notify_listener(jint event)
{
    JNIEnv *env;
    (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8); // expect: status-ignored
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// Nor can every thread be attached.
void *event_thread(void *argument)
{
    JNIEnv *env;
    (void)argument;
    (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL); // expect: status-ignored
    (*env)->CallVoidMethod(env, gListener, gOnEvent, 0);
    if ((*env)->ExceptionCheck(env))
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionDescribe(env);
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

// Stored, but for nobody.
void daemon_event(jint event)
{
    JNIEnv *env;
    jint status;
    status = (*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL); // expect: status-ignored
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// The methods may not be there, and the library says that it is ready.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    gVM = vm;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass cls = (*env)->FindClass(env, "org/example/Adder");
    if (cls == NULL)
        return JNI_ERR;
    (*env)->RegisterNatives(env, cls, methods, 1); // expect: status-ignored
    return JNI_VERSION_1_8;
}

// A native method that goes on after it.
JNIEXPORT void JNICALL
Java_org_example_Adder_register(JNIEnv *env, jclass cls, jobject listener, jmethodID added)
{
    (*env)->RegisterNatives(env, cls, methods, 1); // expect: status-ignored
    (*env)->CallVoidMethod(env, listener, added);
}

// Capacity, frame and lock: notes.
JNIEXPORT jint JNICALL
Java_org_example_Adder_collect(JNIEnv *env, jclass cls, jobject list, jint count)
{
    (void)cls;
    (*env)->EnsureLocalCapacity(env, count + 16); // expect: status-ignored
    jint size = (*env)->CallIntMethod(env, list, gSize);
    return (*env)->ExceptionCheck(env) ? -1 : size;
}

JNIEXPORT jint JNICALL
Java_org_example_Adder_locked(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    (*env)->MonitorEnter(env, list); // expect: status-ignored
    jint size = (*env)->CallIntMethod(env, list, gSize);
    (*env)->MonitorExit(env, list);
    return size;
}

JNIEXPORT void JNICALL
Java_org_example_Adder_unregister(JNIEnv *env, jclass cls)
{
    (*env)->UnregisterNatives(env, cls); // expect: status-ignored
}
