// SPDX-License-Identifier: Apache-2.0
//
// Checks that some path reaches, also redundant ones, and code that a configuration cuts off.

#include <jni.h>
#include <stddef.h>

#define DEBUG_CHECKS 0

#define RETURN_IF_THROWN(env, value)                                                               \
    do {                                                                                           \
        if ((*(env))->ExceptionCheck(env))                                                         \
            return value;                                                                          \
    } while (0)

#define FAIL(value)                                                                                \
    do {                                                                                           \
        return value;                                                                              \
    } while (0)

static jmethodID gNext; // Object next()
static jmethodID gSize; // int size()

JNIEXPORT jobject JNICALL
Java_org_example_seq_Sequence_next(JNIEnv *env, jclass cls, jobject iterator)
{
    (void)cls;
    jobject next = (*env)->CallObjectMethod(env, iterator, gNext);
    RETURN_IF_THROWN(env, NULL); // ok: exception-check-unreachable
    return next;
}

// Redundant, but reached.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_length(JNIEnv *env, jclass cls, jobjectArray array)
{
    (void)cls;
    jint length = (*env)->GetArrayLength(env, array);
    if ((*env)->ExceptionCheck(env)) // ok: exception-check-unreachable
        return -1;
    return length;
}

// Cut off by a constant: another build has it.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_size(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    if (DEBUG_CHECKS) {
        if ((*env)->ExceptionCheck(env)) // ok: exception-check-unreachable
            return -2;
    }
    return (*env)->CallIntMethod(env, list, gSize);
}

// After a macro that always leaves, which another build may define in another way.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_unsupported(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    (void)list;
    FAIL(-1);
    return (*env)->ExceptionCheck(env) ? -1 : 0; // ok: exception-check-unreachable
}

// A label behind a return is reached by the jump to it.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_sum(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    jint size;
    if (list == NULL)
        goto failed;
    size = (*env)->CallIntMethod(env, list, gSize);
    if (size < 0)
        goto failed;
    return size;
failed:
    if ((*env)->ExceptionCheck(env)) // ok: exception-check-unreachable
        return -2;
    return -1;
}

// Each case ends with a break, and the check comes after the switch.
JNIEXPORT jint JNICALL
Java_org_example_seq_Sequence_pick(JNIEnv *env, jclass cls, jobject list, jint kind)
{
    (void)cls;
    jint size = 0;
    switch (kind) {
    case 0:
        size = (*env)->CallIntMethod(env, list, gSize);
        break;
    default:
        return 0;
    }
    if ((*env)->ExceptionCheck(env)) // ok: exception-check-unreachable
        return -1;
    return size;
}
