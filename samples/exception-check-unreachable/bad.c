// SPDX-License-Identifier: Apache-2.0
//
// Exception checks that no path reaches: they come after a statement that leaves.

#include <jni.h>
#include <stdlib.h>

static jmethodID gNext; // Object next()
static jmethodID gSize; // int size()

// The call and its check have changed places with the return.
JNIEXPORT jobject JNICALL
Java_org_example_seq_Sequence_next(JNIEnv *env, jclass cls, jobject iterator)
{
    (void)cls;
    return (*env)->CallObjectMethod(env, iterator, gNext);
    if ((*env)->ExceptionCheck(env)) // expect: exception-check-unreachable
        return NULL;
}

// Both branches leave.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_size(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    if (list != NULL)
        return (*env)->CallIntMethod(env, list, gSize);
    else
        return 0;
    if ((*env)->ExceptionOccurred(env) != NULL) // expect: exception-check-unreachable
        return -1;
    return 0;
}

// The jump skips what was to come before it.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_sum(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    jint size = 0;
    if (list == NULL)
        goto out;
    size = (*env)->CallIntMethod(env, list, gSize);
    goto out;
    if ((*env)->ExceptionCheck(env)) // expect: exception-check-unreachable
        size = -1;
out:
    return size;
}

// break leaves the loop first.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_count(JNIEnv *env, jclass cls, jobjectArray lists)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, lists);
    jint size = 0;
    for (jsize i = 0; i < length; i++) {
        jobject list = (*env)->GetObjectArrayElement(env, lists, i);
        if (list == NULL)
            continue;
        size = (*env)->CallIntMethod(env, list, gSize);
        break;
        if ((*env)->ExceptionCheck(env)) // expect: exception-check-unreachable
            return -1;
    }
    return size;
}

// After a call that does not return.
JNIEXPORT void JNICALL
Java_org_example_seq_Sequence_fail(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    if ((*env)->CallIntMethod(env, list, gSize) < 0) {
        abort();
        if ((*env)->ExceptionCheck(env)) // expect: exception-check-unreachable
            (*env)->ExceptionDescribe(env);
    }
}
