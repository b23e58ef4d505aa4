// SPDX-License-Identifier: Apache-2.0
//
// Versions, JNI_ERR, and values that are known at run time only.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jclass gItemClass;

int start_engine(void);
jint engine_version(void);

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    return JNI_VERSION_1_2; // ok: onload-bad-version
}

// A failure with an exception that says why.
JNIEXPORT jint JNICALL
JNI_OnLoad_items(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    jclass item;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR; // ok: onload-bad-version
    item = (*env)->FindClass(env, "org/example/Item");
    if (item == NULL)
        return JNI_ERR; // ok: onload-bad-version
    gItemClass = (jclass)(*env)->NewGlobalRef(env, item);
    return JNI_VERSION_1_8;
}

// The library works without the class, so the exception goes.
JNIEXPORT jint JNICALL
JNI_OnLoad_optional(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_4) != JNI_OK)
        return JNI_ERR;
    jclass item = (*env)->FindClass(env, "org/example/Item");
    if (item == NULL)
        (*env)->ExceptionClear(env);
    else
        gItemClass = (jclass)(*env)->NewGlobalRef(env, item);
    return JNI_VERSION_1_4; // ok: onload-bad-version
}

// One exit, one variable.
JNIEXPORT jint JNICALL
JNI_OnLoad_engine(JavaVM *vm, void *reserved)
{
    (void)reserved;
    jint result = JNI_ERR;
    gVM = vm;
    if (start_engine() != 0)
        goto out;
    result = JNI_VERSION_1_6;
out:
    return result; // ok: onload-bad-version
}

// Newer than what the headers of this build name.
JNIEXPORT jint JNICALL
JNI_OnLoad_next(JavaVM *vm, void *reserved)
{
    (void)vm;
    (void)reserved;
    return 0x00150000; // ok: onload-bad-version
}

// Not known here.
JNIEXPORT jint JNICALL
JNI_OnLoad_codec(JavaVM *vm, void *reserved)
{
    (void)vm;
    (void)reserved;
    return engine_version(); // ok: onload-bad-version
}

// Another function that happens to return a number.
JNIEXPORT jint JNICALL
Java_org_example_Library_version(JNIEnv *env, jclass cls)
{
    (void)env;
    (void)cls;
    return 7; // ok: onload-bad-version
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        (*env)->DeleteGlobalRef(env, gItemClass);
}
