// SPDX-License-Identifier: Apache-2.0
//
// Helpers that leave nothing behind, or leave it to somebody.

#include <jni.h>
#include <jvmti.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    jstring name;
    jobject value;
};

static jclass gError;      // global reference
static jclass gNames;      // global reference
static jmethodID gGetSize; // org.example.ui.Box.getSize()
static jmethodID gAccept;  // org.example.ui.Visitor.accept(String)
static jmethodID gInit;    // of gError
static jfieldID gWidth;    // of org.example.ui.Size
static jfieldID gLabel;    // of org.example.ui.Box
static int gReady;

// Deleted, by a label for all ways out.
static jint width_of(JNIEnv *env, jobject box)
{
    jint width = -1;
    jobject size = (*env)->CallObjectMethod(env, box, gGetSize); // ok: local-ref-leak-in-helper
    if ((*env)->ExceptionCheck(env) || size == NULL)
        goto out;
    width = (*env)->GetIntField(env, size, gWidth);
    if (width > 1024)
        goto out;
    width *= 2;
out:
    (*env)->DeleteLocalRef(env, size);
    return width;
}

// The result is the caller's.
static jstring label_of(JNIEnv *env, jobject box)
{
    jstring label = (jstring)(*env)->GetObjectField(env, box, gLabel); // ok: local-ref-leak-in-helper
    if (label == NULL || (*env)->GetStringLength(env, label) == 0)
        return NULL;
    return label;
}

// In places of the caller.
static int read_entry(JNIEnv *env, jobject box, struct entry *out, jobject *size)
{
    out->name = (jstring)(*env)->GetObjectField(env, box, gLabel); // ok: local-ref-leak-in-helper
    out->value = (*env)->CallObjectMethod(env, box, gGetSize);     // ok: local-ref-leak-in-helper
    if ((*env)->ExceptionCheck(env))
        return -1;
    *size = (*env)->NewLocalRef(env, out->value); // ok: local-ref-leak-in-helper
    return 0;
}

// A frame of its own.
static int visit(JNIEnv *env, jobject visitor, const char *text)
{
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return -1;
    jstring string = (*env)->NewStringUTF(env, text); // ok: local-ref-leak-in-helper
    if (string != NULL)
        (*env)->CallVoidMethod(env, visitor, gAccept, string);
    (*env)->PopLocalFrame(env, NULL);
    return 0;
}

// Within a frame of its only caller.
static jint measure(JNIEnv *env, jobject box)
{
    jobject size = (*env)->GetObjectField(env, box, gLabel); // ok: local-ref-leak-in-helper
    return size == NULL ? 0 : (*env)->GetIntField(env, size, gWidth);
}

static jint measure_framed(JNIEnv *env, jobject box)
{
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return -1;
    jint width = measure(env, box);
    (*env)->PopLocalFrame(env, NULL);
    return width;
}

// What is thrown goes with the exception, which ends the native method.
static void throw_error(JNIEnv *env, const char *text)
{
    jstring message = (*env)->NewStringUTF(env, text); // ok: local-ref-leak-in-helper
    if (message == NULL)
        return;
    jthrowable error = (jthrowable)(*env)->NewObject(env, gError, gInit, message); // ok: local-ref-leak-in-helper
    if (error != NULL)
        (*env)->Throw(env, error);
}

static void throw_named(JNIEnv *env, const char *name, const char *text)
{
    jclass cls = (*env)->FindClass(env, name); // ok: local-ref-leak-in-helper
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, text);
}

// Once.
static int initialise(JNIEnv *env)
{
    if (gReady)
        return 0;
    jclass cls = (*env)->FindClass(env, "org/example/ui/Names"); // ok: local-ref-leak-in-helper
    if (cls == NULL)
        return -1;
    gNames = (jclass)(*env)->NewGlobalRef(env, cls);
    if (gNames == NULL)
        return -1;
    gReady = 1;
    return 0;
}

// Somebody else may delete it.
void release_box(JNIEnv *env, jobject box);

static void discard(JNIEnv *env, jobject box)
{
    jobject size = (*env)->GetObjectField(env, box, gLabel); // ok: local-ref-leak-in-helper
    release_box(env, size);
}

// By a helper of this file.
static void drop(JNIEnv *env, jobject object)
{
    if (object != NULL)
        (*env)->DeleteLocalRef(env, object);
}

static jint twice(JNIEnv *env, jobject box)
{
    jobject size = (*env)->GetObjectField(env, box, gLabel); // ok: local-ref-leak-in-helper
    jint width = size == NULL ? 0 : (*env)->GetIntField(env, size, gWidth);
    drop(env, size);
    return 2 * width;
}

// Whoever fails after having made the result leaves with an exception.
static jobjectArray names_of(JNIEnv *env, const char *first)
{
    jobjectArray names = (*env)->NewObjectArray(env, 1, gNames, NULL); // ok: local-ref-leak-in-helper
    if (names == NULL)
        return NULL;
    jstring name = (*env)->NewStringUTF(env, first);
    if (name == NULL)
        return NULL;
    (*env)->SetObjectArrayElement(env, names, 0, name);
    (*env)->DeleteLocalRef(env, name);
    return names;
}

// Events of JVMTI have a frame of their own, as native methods do.
static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    jclass cls = (*env)->GetObjectClass(env, thread); // ok: local-ref-leak-in-helper
    (void)jvmti;
    if ((*env)->IsSameObject(env, cls, gNames))
        gReady = 2;
}

jint listen(jvmtiEnv *jvmti)
{
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ThreadStart = on_thread_start;
    return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof callbacks);
}

JNIEXPORT jlong JNICALL
Java_org_example_ui_Boxes_measure(JNIEnv *env, jclass cls, jobject box, jobject visitor)
{
    struct entry entry;
    jobject size;
    (void)cls;
    if (initialise(env) < 0)
        return 0;
    jint width = width_of(env, box);
    if (width < 0)
        return 0;
    if (read_entry(env, box, &entry, &size) < 0)
        return 0;
    jstring label = label_of(env, box);
    if (label == NULL) {
        throw_error(env, "no label");
        return 0;
    }
    if (visit(env, visitor, "box") < 0) {
        throw_named(env, "java/lang/IllegalStateException", "not visited");
        return 0;
    }
    if ((*env)->ExceptionCheck(env))
        return 0;
    discard(env, box);
    return (jlong)width + measure_framed(env, box) + twice(env, box);
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        (*env)->DeleteGlobalRef(env, gNames);
}

JNIEXPORT jobjectArray JNICALL
Java_org_example_ui_Boxes_names(JNIEnv *env, jclass cls)
{
    (void)cls;
    return names_of(env, "box");
}
