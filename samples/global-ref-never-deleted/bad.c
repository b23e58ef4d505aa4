// SPDX-License-Identifier: Apache-2.0
//
// Global references that stay for as long as the process lives.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static jclass gString;
static jobject gOwner;
static struct {
    jclass list;
    jmethodID add;
} gIds;
static jclass gClasses[2];
static jweak gWeak;

// Looked up when the library is loaded; JNI_OnUnload has forgotten it.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass local = (*env)->FindClass(env, "java/lang/String");
    if (local == NULL)
        return JNI_ERR;
    gString = (*env)->NewGlobalRef(env, local); // expect: global-ref-never-deleted
    return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)vm;
    (void)reserved;
}

// Used, but never deleted.
JNIEXPORT jboolean JNICALL
Java_org_example_Lists_isString(JNIEnv *env, jclass cls, jobject object)
{
    (void)cls;
    return (*env)->IsInstanceOf(env, object, gString);
}

// In a struct.
JNIEXPORT void JNICALL
Java_org_example_Lists_initIDs(JNIEnv *env, jclass cls)
{
    gIds.list = (*env)->NewGlobalRef(env, cls); // expect: global-ref-never-deleted
    if (gIds.list == NULL)
        return;
    gIds.add = (*env)->GetMethodID(env, gIds.list, "add", "(I)V");
}

// When it is needed for the first time.
JNIEXPORT jobject JNICALL
Java_org_example_Lists_owner(JNIEnv *env, jobject self)
{
    if (gOwner == NULL)
        gOwner = (*env)->NewGlobalRef(env, self); // expect: global-ref-never-deleted
    return gOwner;
}

// In an array.
JNIEXPORT void JNICALL
Java_org_example_Lists_register(JNIEnv *env, jclass cls, jclass other)
{
    gClasses[0] = (*env)->NewGlobalRef(env, cls); // expect: global-ref-never-deleted
    gClasses[1] = (*env)->NewGlobalRef(env, other);
}

// A weak one takes room, too.
JNIEXPORT void JNICALL
Java_org_example_Lists_watch(JNIEnv *env, jobject self)
{
    if (gWeak == NULL)
        gWeak = (*env)->NewWeakGlobalRef(env, self); // expect: global-ref-never-deleted
}
