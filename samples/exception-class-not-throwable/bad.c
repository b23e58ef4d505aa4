// SPDX-License-Identifier: Apache-2.0
//
// What is thrown is no Throwable, or no object at all but a class.

#include <jni.h>

static jmethodID gErrorInit; // constructor of java.lang.Object

// A slip: the class of the value, not of the exception.
JNIEXPORT jint JNICALL
Java_org_example_math_Ratio_divide(JNIEnv *env, jclass cls, jint a, jint b)
{
    (void)cls;
    if (b == 0) {
        jclass type = (*env)->FindClass(env, "java/lang/Integer");
        if (type != NULL)
            (*env)->ThrowNew(env, type, "division by zero"); // expect: exception-class-not-throwable
        return 0;
    }
    return a / b;
}

// The package, but not the name.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_require(JNIEnv *env, jclass cls, jboolean condition)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "java/util/NoSuchElement");
    if (type == NULL || condition)
        return;
    (*env)->ThrowNew(env, type, "missing"); // expect: exception-class-not-throwable
}

// Throw wants an object, ThrowNew a class.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_overflow(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "java/lang/ArithmeticException");
    if (type != NULL)
        (*env)->Throw(env, (jthrowable)type); // expect: exception-class-not-throwable
}

// A message is no exception.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_underflow(JNIEnv *env, jclass cls)
{
    (void)cls;
    jstring message = (*env)->NewStringUTF(env, "underflow");
    if (message != NULL)
        (*env)->Throw(env, (jthrowable)message); // expect: exception-class-not-throwable
}

// The class of the message, where the class of the exception was meant.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_range(JNIEnv *env, jclass cls, jthrowable cause)
{
    (void)cls;
    (void)cause;
    jstring message = (*env)->NewStringUTF(env, "out of range");
    if (message == NULL)
        return;
    jclass type = (*env)->GetObjectClass(env, message);
    (*env)->ThrowNew(env, type, "out of range"); // expect: exception-class-not-throwable
}

// An instance of a class that cannot be thrown.
JNIEXPORT void JNICALL
Java_org_example_math_Ratio_signal(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "java/lang/Object");
    if (type == NULL)
        return;
    jobject error = (*env)->NewObject(env, type, gErrorInit);
    if (error != NULL)
        (*env)->Throw(env, (jthrowable)error); // expect: exception-class-not-throwable
}
