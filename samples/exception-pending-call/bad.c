// SPDX-License-Identifier: Apache-2.0
//
// JNI calls made although the code itself has just thrown an exception, or has just found one.
// Only a short list of functions may be called then: clean-up, and the exception functions.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static jclass gIllegalArgument; // global reference, java.lang.IllegalArgumentException
static jmethodID gAccept;       // boolean accept(Object)
static jmethodID gUnlock;       // void unlock()
static jmethodID gGetMessage;   // java.lang.Throwable.getMessage()
static jfieldID gBroken;        // boolean broken
static jfieldID gSize;          // int size

void log_failure(const char *text);

#define REQUIRE(env, condition, message)                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            (*(env))->ThrowNew((env), gIllegalArgument, (message));                                \
    } while (0)

// ThrowNew does not leave the function.
JNIEXPORT jbyteArray JNICALL
Java_org_example_io_Pool_allocate(JNIEnv *env, jclass cls, jint size)
{
    (void)cls;
    if (size < 0)
        (*env)->ThrowNew(env, gIllegalArgument, "negative size");
    return (*env)->NewByteArray(env, size); // expect: exception-pending-call
}

// The same, hidden in a macro that looks like an assertion.
JNIEXPORT void JNICALL
Java_org_example_io_Pool_resize(JNIEnv *env, jobject self, jint size)
{
    REQUIRE(env, size >= 0, "negative size");
    (*env)->SetIntField(env, self, gSize, size); // expect: exception-pending-call
}

// Told of the exception, the code asks it for its class before clearing it.
JNIEXPORT jboolean JNICALL
Java_org_example_io_Filter_test(JNIEnv *env, jclass cls, jobject filter, jobject value, jclass fatal)
{
    (void)cls;
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, value);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL)
        return accepted;
    if ((*env)->IsInstanceOf(env, thrown, fatal)) // expect: exception-pending-call
        return JNI_FALSE;
    (*env)->ExceptionClear(env);
    return JNI_TRUE;
}

// A second try at another name needs ExceptionClear first.
JNIEXPORT jclass JNICALL
Java_org_example_io_Types_channel(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "org/example/io/FastChannel");
    if (type == NULL) {
        type = (*env)->FindClass(env, "org/example/io/Channel"); // expect: exception-pending-call
    }
    return type;
}

// A cleanup label that does more than clean up.
JNIEXPORT void JNICALL
Java_org_example_io_Pool_offer(JNIEnv *env, jobject self, jobject filter, jobject lock)
{
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, self);
    if ((*env)->ExceptionCheck(env))
        goto out;
    (*env)->SetIntField(env, self, gSize, accepted ? 1 : 0);
out:
    (*env)->CallVoidMethod(env, lock, gUnlock); // expect: exception-pending-call
}

// The test is kept in a flag, and used later.
JNIEXPORT void JNICALL
Java_org_example_io_Pool_filter(JNIEnv *env, jobject self, jobject filter, jobject item)
{
    jobject copy = (*env)->NewLocalRef(env, item);
    (*env)->CallBooleanMethod(env, filter, gAccept, copy);
    jboolean failed = (*env)->ExceptionCheck(env);
    (*env)->DeleteLocalRef(env, copy);
    if (failed)
        (*env)->SetBooleanField(env, self, gBroken, JNI_TRUE); // expect: exception-pending-call
}

// A failed allocation ends the loop, but not the method.
JNIEXPORT jstring JNICALL
Java_org_example_io_Pool_warm(JNIEnv *env, jclass cls, jint count)
{
    (void)cls;
    for (jint i = 0; i < count; i++) {
        jintArray block = (*env)->NewIntArray(env, 1024);
        if (block == NULL) {
            log_failure("out of memory");
            break;
        }
        (*env)->DeleteLocalRef(env, block);
    }
    return (*env)->NewStringUTF(env, "warm"); // expect: exception-pending-call
}

// Logging the message of an exception that is still pending.
JNIEXPORT jboolean JNICALL
Java_org_example_io_Filter_tryAccept(JNIEnv *env, jclass cls, jobject filter, jobject value)
{
    (void)cls;
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, value);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown) {
        jstring message = (jstring)(*env)->CallObjectMethod(env, thrown, gGetMessage); // expect: exception-pending-call
        (*env)->ExceptionClear(env);
        (*env)->DeleteLocalRef(env, message);
        return JNI_FALSE;
    }
    return accepted;
}

// Throws, releases (legal), and then writes a field (not legal).
JNIEXPORT jint JNICALL
Java_org_example_io_Pool_load(JNIEnv *env, jobject self, jbyteArray data, jint offset)
{
    jint result = 0;
    jsize length = (*env)->GetArrayLength(env, data);
    jbyte *bytes = (*env)->GetByteArrayElements(env, data, NULL);
    if (bytes == NULL)
        return -1;
    if (offset < 0 || offset >= length) {
        (*env)->ThrowNew(env, gIllegalArgument, "offset");
        result = -1;
    } else {
        result = bytes[offset];
    }
    (*env)->ReleaseByteArrayElements(env, data, bytes, JNI_ABORT);
    (*env)->SetIntField(env, self, gSize, result); // expect: exception-pending-call
    return result;
}
