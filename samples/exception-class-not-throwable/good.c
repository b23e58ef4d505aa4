// SPDX-License-Identifier: Apache-2.0
//
// Throwables by name, and classes of which nothing is known.

#include <jni.h>

static jclass gFailure; // global reference, whatever class it is

static void throw_by_name(JNIEnv *env, const char *name, const char *message)
{
    jclass type = (*env)->FindClass(env, name);
    if (type != NULL)
        (*env)->ThrowNew(env, type, message); // ok: exception-class-not-throwable
}

JNIEXPORT jint JNICALL
Java_org_example_math_Ratio_divide(JNIEnv *env, jclass cls, jint a, jint b)
{
    (void)cls;
    if (b == 0) {
        throw_by_name(env, "java/lang/ArithmeticException", "division by zero");
        return 0;
    }
    return a / b;
}

// Errors are throwables, too, and so are these by names of their own.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_fail(JNIEnv *env, jclass cls, jint kind)
{
    (void)cls;
    jclass type;
    if (kind == 0)
        type = (*env)->FindClass(env, "java/lang/InternalError");
    else if (kind == 1)
        type = (*env)->FindClass(env, "java/lang/Throwable");
    else if (kind == 2)
        type = (*env)->FindClass(env, "java/lang/ThreadDeath");
    else if (kind == 3)
        type = (*env)->FindClass(env, "java/sql/SQLWarning");
    else
        type = (*env)->FindClass(env, "java/sql/DataTruncation");
    if (type != NULL)
        (*env)->ThrowNew(env, type, NULL); // ok: exception-class-not-throwable
}

// A class of the project may be called anything.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_veto(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "org/example/math/Veto");
    if (type != NULL)
        (*env)->ThrowNew(env, type, "veto"); // ok: exception-class-not-throwable
}

// A new exception of the same class as the one that was caught.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_again(JNIEnv *env, jclass cls, jthrowable caught)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, caught);
    (*env)->ThrowNew(env, type, "again"); // ok: exception-class-not-throwable
}

// Two classes in one variable; the one that is thrown is an exception.
JNIEXPORT jclass JNICALL
Java_org_example_math_Ratio_type(JNIEnv *env, jclass cls, jboolean wide)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, wide ? "java/lang/Long" : "java/lang/Integer");
    if (type == NULL)
        return NULL;
    if (!wide) {
        (*env)->DeleteLocalRef(env, type);
        type = (*env)->FindClass(env, "java/lang/UnsupportedOperationException");
        if (type != NULL)
            (*env)->ThrowNew(env, type, "narrow"); // ok: exception-class-not-throwable
        return NULL;
    }
    return type;
}

JNIEXPORT void JNICALL
Java_org_example_math_Ratio_cached(JNIEnv *env, jclass cls, jthrowable thrown)
{
    (void)cls;
    if (thrown != NULL)
        (*env)->Throw(env, thrown); // ok: exception-class-not-throwable
    else
        (*env)->ThrowNew(env, gFailure, "failed"); // ok: exception-class-not-throwable
}
