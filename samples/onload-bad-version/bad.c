// SPDX-License-Identifier: Apache-2.0
//
// JNI_OnLoad that returns something else than a version or JNI_ERR, and one that returns a version
// with an exception pending. JNI_OnLoad_<library> is the form of statically linked libraries.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jclass gItemClass;

int start_engine(void);

// Success, as most functions of JNI return it, is no version.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    return JNI_OK; // expect: onload-bad-version
}

// A failure that is not JNI_ERR.
JNIEXPORT jint JNICALL
JNI_OnLoad_engine(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    if (start_engine() != 0)
        return JNI_FALSE; // expect: onload-bad-version
    return JNI_VERSION_1_8;
}

// The version of the library, not of JNI.
JNIEXPORT jint JNICALL
JNI_OnLoad_codec(JavaVM *vm, void *reserved)
{
    (void)reserved;
    const jint version = 0x00020001;
    if (start_engine() != 0)
        return JNI_ERR;
    gVM = vm;
    return version; // expect: onload-bad-version
}

// A major version that nobody has defined.
JNIEXPORT jint JNICALL
JNI_OnLoad_media(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    return 0x00010007; // expect: onload-bad-version
}

// One exit for success and failure: where the values have met, neither is known any more.
JNIEXPORT jint JNICALL
JNI_OnLoad_sound(JavaVM *vm, void *reserved)
{
    (void)reserved;
    jint result = JNI_OK;
    if (start_engine() != 0)
        result = JNI_ERR;
    else
        gVM = vm;
    return result; // todo-expect: onload-bad-version
}

// Loaded, says the result; failed, says the exception.
JNIEXPORT jint JNICALL
JNI_OnLoad_items(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass item = (*env)->FindClass(env, "org/example/Item");
    if (item != NULL) {
        gItemClass = (jclass)(*env)->NewGlobalRef(env, item); // expect: global-ref-never-deleted
        (*env)->DeleteLocalRef(env, item);
    }
    return JNI_VERSION_1_8; // expect: onload-bad-version
}
