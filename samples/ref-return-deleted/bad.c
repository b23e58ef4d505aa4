// SPDX-License-Identifier: Apache-2.0
//
// References deleted, and then handed to the caller all the same: by cleanup code that does not
// know which of its references is the result, by tidy loops, by the wrong idea that what is
// returned must be deleted first.

#include <jni.h>

static jmethodID gGetName; // String getName()
static jobject gCurrent;   // global

#define FREE_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL)                                                                         \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
    } while (0)

JNIEXPORT jstring JNICALL
Java_org_example_user_Users_name(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    jstring name = (jstring)(*env)->CallObjectMethod(env, user, gGetName);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    (*env)->DeleteLocalRef(env, name);
    return name; // expect: ref-return-deleted
}

// The cleanup of the error path stands on the way of success, too.
JNIEXPORT jclass JNICALL
Java_org_example_user_Users_type(JNIEnv *env, jclass cls, jobject user, jclass wanted)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, user);
    if (!(*env)->IsInstanceOf(env, user, wanted))
        goto out;
    wanted = NULL;
out:
    FREE_REF(env, type);
    return wanted == NULL ? type : NULL; // expect: ref-return-deleted
}

// Tidies up what it found, and then leaves the loop with it.
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
        jboolean found = (*env)->IsInstanceOf(env, user, type);
        (*env)->DeleteLocalRef(env, user);
        if (found)
            break;
        user = NULL;
    }
    return user; // expect: ref-return-deleted
}

// Two names: the helper variable is deleted, the result is the same handle.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_orDefault(JNIEnv *env, jclass cls, jobject user, jobject fallback)
{
    (void)cls;
    jobject copy = (*env)->NewLocalRef(env, user != NULL ? user : fallback);
    jobject result = copy;
    (*env)->DeleteLocalRef(env, copy);
    return result; // expect: ref-return-deleted
}

// A global reference, deleted before its method ends.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_promote(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, user);
    if (global == NULL)
        return NULL;
    (*env)->DeleteGlobalRef(env, global);
    return global; // expect: ref-return-deleted
}

// A parameter may be deleted, but not returned after that.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_self(JNIEnv *env, jobject self)
{
    (*env)->DeleteLocalRef(env, self);
    return self; // expect: ref-return-deleted
}

// Out of a static that still has the handle.
JNIEXPORT jobject JNICALL
Java_org_example_user_Users_takeCurrent(JNIEnv *env, jclass cls)
{
    (void)cls;
    jobject current = gCurrent;
    if (current == NULL)
        return NULL;
    (*env)->DeleteGlobalRef(env, current);
    gCurrent = NULL;
    return current; // expect: ref-return-deleted
}

JNIEXPORT void JNICALL
Java_org_example_user_Users_setCurrent(JNIEnv *env, jclass cls, jobject user)
{
    (void)cls;
    if (gCurrent != NULL)
        (*env)->DeleteGlobalRef(env, gCurrent);
    gCurrent = (*env)->NewGlobalRef(env, user);
}
