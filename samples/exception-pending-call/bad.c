// SPDX-License-Identifier: Apache-2.0
//
// JNI calls made although the code itself has just thrown an exception, or has just found one.
// Only a short list of functions may be called then: clean-up, and the exception functions.

#include <jni.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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

// ---- helpers

static void throwIOException(JNIEnv *env, const char *message)
{
    jclass cls = (*env)->FindClass(env, "java/io/IOException");
    if (cls != NULL) {
        (*env)->ThrowNew(env, cls, message);
        (*env)->DeleteLocalRef(env, cls);
    }
}

// A helper throws, and the code goes on.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_open(JNIEnv *env, jobject self, jint fd)
{
    if (fd < 0)
        throwIOException(env, "cannot open");
    jclass cls = (*env)->GetObjectClass(env, self); // expect: exception-pending-call
    jfieldID field = (*env)->GetFieldID(env, cls, "fd", "I");
    if (field == NULL)
        return -1;
    (*env)->SetIntField(env, self, field, fd);
    return 0;
}

static void throwf(JNIEnv *env, const char *name, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    jclass cls = (*env)->FindClass(env, name);
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, text);
}

// The helper is variadic; the argument that it complains of is used all the same.
JNIEXPORT jbyteArray JNICALL
Java_org_example_dev_Device_read(JNIEnv *env, jobject self, jint count)
{
    (void)self;
    if (count < 0)
        throwf(env, "java/lang/IllegalArgumentException", "count %d", (int)count);
    return (*env)->NewByteArray(env, count); // expect: exception-pending-call
}

static int throwStatus(JNIEnv *env, int status)
{
    throwf(env, "java/io/IOException", "status %d", status);
    return -1;
}

#define THROW_IF(env, condition, status)                                                           \
    do {                                                                                           \
        if (condition)                                                                             \
            throwStatus((env), (status));                                                          \
    } while (0)

// A macro around a helper that calls the helper that throws.
JNIEXPORT void JNICALL
Java_org_example_dev_Device_fill(JNIEnv *env, jobject self, jbyteArray to, jint status)
{
    static const jbyte zeroes[64];
    (void)self;
    THROW_IF(env, status < 0, status);
    (*env)->SetByteArrayRegion(env, to, 0, 64, zeroes); // expect: exception-pending-call
}

static jboolean hasException(JNIEnv *env)
{
    return (*env)->ExceptionCheck(env);
}

// Checked by a helper, the wrong way round.
JNIEXPORT void JNICALL
Java_org_example_dev_Device_notify(JNIEnv *env, jobject self, jobject listener, jmethodID onData)
{
    (void)self;
    (*env)->CallVoidMethod(env, listener, onData);
    if (!hasException(env))
        return;
    (*env)->CallVoidMethod(env, listener, onData); // expect: exception-pending-call
}

static int logException(JNIEnv *env, const char *where)
{
    if (!(*env)->ExceptionCheck(env))
        return 0;
    fprintf(stderr, "exception in %s\n", where);
    return 1;
}

// A helper that looks at the exception and leaves it pending.
JNIEXPORT void JNICALL
Java_org_example_dev_Device_notifyTwice(JNIEnv *env, jobject self, jobject listener, jmethodID onData)
{
    (void)self;
    (*env)->CallVoidMethod(env, listener, onData);
    logException(env, "onData");
    (*env)->CallVoidMethod(env, listener, onData); // expect: exception-pending-call
}

static int storeName(JNIEnv *env, jobject to, jfieldID field, const char *name)
{
    jstring text = (*env)->NewStringUTF(env, name);
    if (text == NULL)
        return -1;
    (*env)->SetObjectField(env, to, field, text);
    (*env)->DeleteLocalRef(env, text);
    return 0;
}

// The status says that an exception is pending already; a second one is prepared.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_rename(JNIEnv *env, jobject self, jfieldID field)
{
    if (storeName(env, self, field, "renamed") != 0) {
        jclass cls = (*env)->FindClass(env, "java/io/IOException"); // expect: exception-pending-call
        if (cls != NULL)
            (*env)->ThrowNew(env, cls, "cannot rename");
        return -1;
    }
    return 0;
}

static int running;

static void forget(JNIEnv *env, jobject self, jobject global)
{
    if ((*env)->MonitorEnter(env, self) == JNI_OK) {
        --running;
        (*env)->MonitorExit(env, self);
    }
    (*env)->DeleteGlobalRef(env, global);
}

// A function that cleans up takes a monitor, and one of its callers has an exception pending.
JNIEXPORT void JNICALL
Java_org_example_dev_Device_run(JNIEnv *env, jobject self, jobject job, jmethodID run)
{
    jobject global = (*env)->NewGlobalRef(env, job);
    if (global == NULL)
        return;
    (*env)->CallVoidMethod(env, job, run);
    if ((*env)->ExceptionCheck(env)) {
        forget(env, self, global); // expect: exception-pending-call
        return;
    }
    forget(env, self, global);
}
