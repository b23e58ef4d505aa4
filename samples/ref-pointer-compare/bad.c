// SPDX-License-Identifier: Apache-2.0
//
// References compared with == and !=. Every call that returns a reference makes a new handle, so
// two handles to one object differ.

#include <jni.h>
#include <stdint.h>

struct listener {
    jobject target; // global
    struct listener *next;
};

static struct listener *gListeners;
static jclass gStringClass; // global
static jobject gCurrent;    // global
static jfieldID gOwner;     // Object owner
static jmethodID gFilter;   // Object filter(Object)

JNIEXPORT void JNICALL
Java_org_example_ui_Focus_init(JNIEnv *env, jclass cls, jclass string, jobject current)
{
    (void)cls;
    gStringClass = (*env)->NewGlobalRef(env, string); // expect: global-ref-never-deleted
    gCurrent = (*env)->NewGlobalRef(env, current); // expect: global-ref-never-deleted
}

// The class of an object against a cached one.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_isString(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, value);
    return type == gStringClass; // expect: ref-pointer-compare
}

// Two arguments.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_same(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    (void)env;
    (void)cls;
    return a == b ? JNI_TRUE : JNI_FALSE; // expect: ref-pointer-compare
}

// A search that finds nothing.
JNIEXPORT jint JNICALL
Java_org_example_ui_Focus_indexOf(JNIEnv *env, jclass cls, jobjectArray all, jobject wanted)
{
    jsize count = (*env)->GetArrayLength(env, all);
    (void)cls;
    for (jsize i = 0; i < count; i++) {
        jobject element = (*env)->GetObjectArrayElement(env, all, i);
        if ((*env)->ExceptionCheck(env))
            return -1;
        jboolean found = element == wanted; // expect: ref-pointer-compare
        (*env)->DeleteLocalRef(env, element);
        if (found)
            return i;
    }
    return -1;
}

// A list of global references never holds the handle of an argument.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_add(JNIEnv *env, jclass cls, jlong node, jobject target)
{
    struct listener *fresh = (struct listener *)(intptr_t)node;
    (void)cls;
    for (struct listener *l = gListeners; l != NULL; l = l->next)
        if (l->target == target) // expect: ref-pointer-compare
            return JNI_FALSE;
    fresh->target = (*env)->NewGlobalRef(env, target);
    fresh->next = gListeners;
    gListeners = fresh;
    return JNI_TRUE;
}

// The owner of one against the owner of another.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_sameOwner(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    (void)cls;
    jobject first = (*env)->GetObjectField(env, a, gOwner);
    jobject second = (*env)->GetObjectField(env, b, gOwner);
    if (first != second) // expect: ref-pointer-compare
        return JNI_FALSE;
    return JNI_TRUE;
}

// What Java code returns against what it was given.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_isUnchanged(JNIEnv *env, jclass cls, jobject component)
{
    (void)cls;
    jobject filtered = (*env)->CallObjectMethod(env, component, gFilter, component);
    if ((*env)->ExceptionCheck(env))
        return JNI_FALSE;
    return component == filtered; // expect: ref-pointer-compare
}

// In a helper.
static jboolean isCurrent(JNIEnv *env, jobject child)
{
    jobject owner = (*env)->GetObjectField(env, child, gOwner);
    jboolean same = owner == gCurrent; // expect: ref-pointer-compare
    (*env)->DeleteLocalRef(env, owner);
    return same;
}

JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_isCurrent(JNIEnv *env, jclass cls, jobject child)
{
    (void)cls;
    return isCurrent(env, child);
}
