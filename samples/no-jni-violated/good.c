// SPDX-License-Identifier: Apache-2.0
//
// Functions that are marked as free of JNI, and are; and those that are not marked.

#include <jni.h>
#include <jniguard/annotations.h>
#include <stdlib.h>

// Plain C below it, recursion included.
static int depth(int n)
{
    return n == 0 ? 0 : 1 + depth(n / 2);
}

JG_NO_JNI static int measure(int n)
{
    return depth(n) + 1; // ok: no-jni-violated
}

// Handing env on is no call, as long as nobody uses it.
static int ignore(JNIEnv *env, int n)
{
    (void)env;
    return n;
}

JG_NO_JNI static int careful(JNIEnv *env, int n)
{
    return ignore(env, n); // ok: no-jni-violated
}

// What is only declared may do anything: nothing is known of it.
extern int elsewhere(JNIEnv *env, int n);

JG_NO_JNI static int lends(JNIEnv *env, int n)
{
    return elsewhere(env, n); // ok: no-jni-violated
}

// A callback that nothing is known of, and a table that holds functions without JNI.
struct codec {
    int (*measure)(int n);
    int (*other)(JNIEnv *env, int n);
};

static const struct codec codec = {measure, careful};

JG_NO_JNI static int run(JNIEnv *env, int (*callback)(int), int n)
{
    return callback(n) + codec.measure(n) + codec.other(env, n); // ok: no-jni-violated
}

// Its caller makes the JNI calls.
JNIEXPORT jint JNICALL
Java_org_example_Codec_measure(JNIEnv *env, jclass cls, jintArray array)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, array); // ok: no-jni-violated
    return measure(length) + run(env, depth, length) + lends(env, length);
}
