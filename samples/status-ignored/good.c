// SPDX-License-Identifier: Apache-2.0
//
// Looked at: by comparing the status, by testing what was stored, by an exception check, or by
// saying that nobody cares.

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

static void notify(JNIEnv *env, jint event)
{
    (*env)->CallVoidMethod(env, gListener, gOnEvent, event);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
}

// GetEnv stores NULL when it fails.
void notify_listener(jint event)
{
    JNIEnv *env = NULL;
    (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8); // ok: status-ignored
    if (env != NULL)
        notify(env, event);
}

// The caller gets the environment, or NULL.
JNIEnv *current_env(void)
{
    void *env = NULL;
    (*gVM)->GetEnv(gVM, &env, JNI_VERSION_1_8); // ok: status-ignored
    return (JNIEnv *)env;
}

void event_thread(jint event)
{
    JNIEnv *env;
    jint status = (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL); // ok: status-ignored
    if (status != JNI_OK)
        return;
    notify(env, event);
    (*gVM)->DetachCurrentThread(gVM);
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    gVM = vm;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass cls = (*env)->FindClass(env, "org/example/Adder");
    if (cls == NULL || (*env)->RegisterNatives(env, cls, methods, 1) < 0) // ok: status-ignored
        return JNI_ERR;
    return JNI_VERSION_1_8;
}

// Nothing comes after it: NoSuchMethodError reaches the Java caller.
JNIEXPORT void JNICALL
Java_org_example_Adder_registerNatives(JNIEnv *env, jclass cls)
{
    (*env)->RegisterNatives(env, cls, methods, 1); // ok: status-ignored
}

// The exception says the same.
JNIEXPORT void JNICALL
Java_org_example_Adder_register(JNIEnv *env, jclass cls, jobject listener, jmethodID added)
{
    (*env)->RegisterNatives(env, cls, methods, 1); // ok: status-ignored
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->CallVoidMethod(env, listener, added);
}

JNIEXPORT jint JNICALL
Java_org_example_Adder_collect(JNIEnv *env, jclass cls, jobject list, jint count)
{
    (void)cls;
    if ((*env)->EnsureLocalCapacity(env, count + 16) != 0) // ok: status-ignored
        return -1;
    jint size = (*env)->CallIntMethod(env, list, gSize);
    return (*env)->ExceptionCheck(env) ? -1 : size;
}

// A decision, written down.
JNIEXPORT jint JNICALL
Java_org_example_Adder_locked(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    (void)(*env)->MonitorEnter(env, list); // ok: status-ignored
    jint size = (*env)->CallIntMethod(env, list, gSize);
    (*env)->MonitorExit(env, list);
    return size;
}

// Kept for the caller.
jint attach(JNIEnv **env)
{
    return (*gVM)->AttachCurrentThread(gVM, (void **)env, NULL); // ok: status-ignored
}

// Detaching and leaving a monitor leave nothing to do when they fail.
void detach(JNIEnv *env, jobject lock)
{
    (*env)->MonitorExit(env, lock);   // ok: status-ignored
    (*gVM)->DetachCurrentThread(gVM); // ok: status-ignored
}

static jboolean thrown(JNIEnv *env)
{
    return (*env)->ExceptionCheck(env);
}

// A function of the project looks at the exception, whatever it is called.
JNIEXPORT jint JNICALL
Java_org_example_reg_Registry_renew(JNIEnv *env, jclass cls, jclass type)
{
    static const JNINativeMethod methods[] = {{"run", "()V", NULL}};
    (void)cls;
    (*env)->RegisterNatives(env, type, methods, 1); // ok: status-ignored
    if (thrown(env))
        return -1;
    return (*env)->GetVersion(env);
}
