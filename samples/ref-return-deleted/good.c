// SPDX-License-Identifier: Apache-2.0
//
// Cleanup in front of a return that leaves the result alone: another reference, NULL by then, or
// deleted only on the paths that return something else.

#include <jni.h>

static jmethodID gGetName; // String getName()
static jobject gCurrent;   // global

#define FREE_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL) {                                                                       \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
            (ref) = NULL;                                                                          \
        }                                                                                          \
    } while (0)

JNIEXPORT jstring JNICALL
Java_org_example_user_Users_name(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, user);
    jstring name = (jstring)(*env)->CallObjectMethod(env, user, gGetName);
    if ((*env)->ExceptionCheck(env))
        name = NULL;
    (*env)->DeleteLocalRef(env, type);
    return name; // ok: ref-return-deleted
}

// Deleted and set to NULL on the error path.
JNIEXPORT jclass JNICALL
Java_org_example_user_Users_type(JNIEnv *env, jclass cls, jobject user, jclass wanted)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, user);
    if (!(*env)->IsInstanceOf(env, user, wanted))
        FREE_REF(env, type);
    return type; // ok: ref-return-deleted
}

// Deleted only where the loop goes on.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_find(JNIEnv *env, jclass cls, jobjectArray users, jclass type)
{
    (void)cls;
    jobject user = NULL;
    for (jsize i = 0; i < 10; i++) {
        user = (*env)->GetObjectArrayElement(env, users, i);
        if ((*env)->ExceptionCheck(env))
            return NULL;
        if (user == NULL)
            continue;
        if ((*env)->IsInstanceOf(env, user, type))
            break;
        (*env)->DeleteLocalRef(env, user);
        user = NULL;
    }
    return user; // ok: ref-return-deleted
}

// The result is a reference of its own.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_takeCurrent(JNIEnv *env, jclass cls)
{
    (void)cls;
    jobject result = NULL;
    if (gCurrent != NULL) {
        result = (*env)->NewLocalRef(env, gCurrent);
        (*env)->DeleteGlobalRef(env, gCurrent);
        gCurrent = NULL;
    }
    return result; // ok: ref-return-deleted
}

JNIEXPORT void JNICALL
Java_org_example_user_Users_setCurrent(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    if (gCurrent != NULL)
        (*env)->DeleteGlobalRef(env, gCurrent);
    gCurrent = (*env)->NewGlobalRef(env, user);
}

// Deleted on failure, by the same condition that decides about the result.
JNIEXPORT jobjectArray JNICALL
Java_org_example_user_Users_pair(JNIEnv *env, jclass cls, jclass type, jobject a, jobject b)
{
    jboolean failed = JNI_FALSE;
    (void)cls;
    jobjectArray pair = (*env)->NewObjectArray(env, 2, type, a);
    if (pair == NULL)
        return NULL;
    (*env)->SetObjectArrayElement(env, pair, 1, b);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->DeleteLocalRef(env, pair);
        failed = JNI_TRUE;
    }
    return failed ? NULL : pair; // ok: ref-return-deleted
}

// The variable holds another reference by then.
JNIEXPORT jclass JNICALL
Java_org_example_user_Users_top(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, user);
    for (;;) {
        jclass up = (*env)->GetSuperclass(env, type);
        if (up == NULL)
            return type; // ok: ref-return-deleted
        (*env)->DeleteLocalRef(env, type);
        type = up;
    }
}

// Something computed from a deleted reference is no reference.
JNIEXPORT jboolean JNICALL
Java_org_example_user_Users_isCurrent(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    jobject copy = (*env)->NewLocalRef(env, user);
    jboolean same = (*env)->IsSameObject(env, copy, gCurrent);
    (*env)->DeleteLocalRef(env, copy);
    return same && copy != NULL; // ok: ref-return-deleted
}
