// SPDX-License-Identifier: Apache-2.0
//
// What is right while an exception is pending: leave, clean up with the functions that the
// specification lists, or clear it first. And throwing where a result is NULL without saying
// whether an exception is pending.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static jclass gIllegalArgument; // global reference, java.lang.IllegalArgumentException
static jclass gOutOfMemory;     // global reference, java.lang.OutOfMemoryError
static jmethodID gAccept;       // boolean accept(Object)
static jmethodID gUnlock;       // void unlock()
static jmethodID gGetMessage;   // java.lang.Throwable.getMessage()
static jfieldID gBroken;        // boolean broken
static jfieldID gSize;          // int size

void log_failure(const char *text);
jint parse_number(const char *text);

#define REQUIRE_RETURN(env, condition, message, value)                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (*(env))->ThrowNew((env), gIllegalArgument, (message));                                \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

JNIEXPORT jbyteArray JNICALL
Java_org_example_io_Pool_allocate(JNIEnv *env, jclass cls, jint size)
{
    (void)cls;
    if (size < 0) {
        (*env)->ThrowNew(env, gIllegalArgument, "negative size");
        return NULL;
    }
    return (*env)->NewByteArray(env, size); // ok: exception-pending-call
}

JNIEXPORT void JNICALL
Java_org_example_io_Pool_resize(JNIEnv *env, jobject self, jint size)
{
    REQUIRE_RETURN(env, size >= 0, "negative size", );
    (*env)->SetIntField(env, self, gSize, size); // ok: exception-pending-call
}

// Cleared before the exception is looked at, thrown again where it is not ours to handle.
JNIEXPORT jboolean JNICALL
Java_org_example_io_Filter_test(JNIEnv *env, jclass cls, jobject filter, jobject value, jclass fatal)
{
    (void)cls;
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, value);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL)
        return accepted;
    (*env)->ExceptionClear(env);
    if ((*env)->IsInstanceOf(env, thrown, fatal)) { // ok: exception-pending-call
        (*env)->Throw(env, thrown);
        return JNI_FALSE;
    }
    (*env)->DeleteLocalRef(env, thrown);
    return JNI_TRUE;
}

// The fallback clears what the first try has thrown.
JNIEXPORT jclass JNICALL
Java_org_example_io_Types_channel(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "org/example/io/FastChannel");
    if (type == NULL) {
        (*env)->ExceptionClear(env);
        type = (*env)->FindClass(env, "org/example/io/Channel"); // ok: exception-pending-call
    }
    return type;
}

// The lock has to be given back in any case: the exception steps aside and comes back.
JNIEXPORT void JNICALL
Java_org_example_io_Pool_offer(JNIEnv *env, jobject self, jobject filter, jobject lock)
{
    jthrowable pending;
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, self);
    pending = (*env)->ExceptionOccurred(env);
    if (pending != NULL)
        (*env)->ExceptionClear(env);
    else
        (*env)->SetIntField(env, self, gSize, accepted ? 1 : 0);
    (*env)->CallVoidMethod(env, lock, gUnlock); // ok: exception-pending-call
    if (pending != NULL) {
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionClear(env);
        (*env)->Throw(env, pending);
        (*env)->DeleteLocalRef(env, pending); // ok: exception-pending-call
    }
}

// Releasing, deleting, popping and leaving a monitor are legal with an exception pending.
JNIEXPORT jint JNICALL
Java_org_example_io_Pool_load(JNIEnv *env, jobject self, jstring name, jbyteArray data, jint offset)
{
    jint result = -1;
    if ((*env)->MonitorEnter(env, self) != JNI_OK)
        return -1;
    jsize length = (*env)->GetArrayLength(env, data);
    jbyte *bytes = (*env)->GetByteArrayElements(env, data, NULL);
    if (bytes == NULL)
        goto unlock;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL)
        goto release;
    if (offset < 0 || offset >= length) {
        (*env)->ThrowNew(env, gIllegalArgument, text);
    } else {
        result = bytes[offset];
    }
    (*env)->ReleaseStringUTFChars(env, name, text); // ok: exception-pending-call
release:
    (*env)->ReleaseByteArrayElements(env, data, bytes, JNI_ABORT); // ok: exception-pending-call
unlock:
    (*env)->MonitorExit(env, self); // ok: exception-pending-call
    return result;
}

// The frame may be popped, and a frame may even be pushed.
JNIEXPORT jboolean JNICALL
Java_org_example_io_Filter_framed(JNIEnv *env, jclass cls, jobject filter, jobject value)
{
    (void)cls;
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return JNI_FALSE;
    jobject copy = (*env)->NewLocalRef(env, value);
    jboolean accepted = (*env)->CallBooleanMethod(env, filter, gAccept, copy);
    if ((*env)->ExceptionCheck(env))
        accepted = JNI_FALSE;
    (*env)->PopLocalFrame(env, NULL); // ok: exception-pending-call
    return accepted;
}

// The flag decides, and clearing comes first.
JNIEXPORT void JNICALL
Java_org_example_io_Pool_filter(JNIEnv *env, jobject self, jobject filter, jobject item)
{
    (*env)->CallBooleanMethod(env, filter, gAccept, item);
    jboolean failed = (*env)->ExceptionCheck(env);
    if (failed) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
    }
    (*env)->SetBooleanField(env, self, gBroken, failed); // ok: exception-pending-call
}

// A failed allocation ends the loop, and the method.
JNIEXPORT jstring JNICALL
Java_org_example_io_Pool_warm(JNIEnv *env, jclass cls, jint count)
{
    (void)cls;
    jboolean failed = JNI_FALSE;
    for (jint i = 0; i < count && !failed; i++) {
        jintArray block = (*env)->NewIntArray(env, 1024);
        if (block == NULL) {
            log_failure("out of memory");
            failed = JNI_TRUE;
        }
        (*env)->DeleteLocalRef(env, block); // ok: exception-pending-call
    }
    if (failed)
        return NULL;
    return (*env)->NewStringUTF(env, "warm"); // ok: exception-pending-call
}

// NULL from GetStringUTFChars may come with or without an exception; a throw makes sure of it.
JNIEXPORT jint JNICALL
Java_org_example_io_Parser_parse(JNIEnv *env, jclass cls, jstring number)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, number, NULL);
    if (text == NULL) {
        if (!(*env)->ExceptionCheck(env))
            (*env)->ThrowNew(env, gOutOfMemory, "number"); // ok: exception-pending-call
        return 0;
    }
    jint result = parse_number(text);
    (*env)->ReleaseStringUTFChars(env, number, text);
    return result;
}

// The message is asked for after ExceptionClear.
JNIEXPORT jstring JNICALL
Java_org_example_io_Filter_failure(JNIEnv *env, jclass cls, jobject filter, jobject value)
{
    (void)cls;
    (*env)->CallBooleanMethod(env, filter, gAccept, value);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown == NULL)
        return NULL;
    (*env)->ExceptionClear(env);
    return (jstring)(*env)->CallObjectMethod(env, thrown, gGetMessage); // ok: exception-pending-call
}

// FatalError does not return; what comes before it need not be clean.
JNIEXPORT void JNICALL
Java_org_example_io_Types_require(JNIEnv *env, jclass cls)
{
    (void)cls;
    if ((*env)->FindClass(env, "org/example/io/Channel") == NULL)
        (*env)->FatalError(env, "org.example.io.Channel is missing"); // ok: exception-pending-call
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

static int throwStatus(JNIEnv *env, const char *message)
{
    throwIOException(env, message);
    return -1;
}

// The status of the helper that throws is what the function returns, at once or in the end.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_open(JNIEnv *env, jobject self, jint fd, jfieldID field)
{
    if (fd < 0)
        return throwStatus(env, "cannot open");
    (*env)->SetIntField(env, self, field, fd); // ok: exception-pending-call
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_dev_Device_fill(JNIEnv *env, jobject self, jbyteArray to, jint count)
{
    static const jbyte zeroes[64];
    int status = 0;
    (void)self;
    if (count < 0 || count > 64)
        status = throwStatus(env, "bad count");
    if (status == 0)
        (*env)->SetByteArrayRegion(env, to, 0, count, zeroes); // ok: exception-pending-call
    return status;
}

static int clearException(JNIEnv *env)
{
    if (!(*env)->ExceptionCheck(env))
        return 0;
    (*env)->ExceptionDescribe(env);
    (*env)->ExceptionClear(env);
    return 1;
}

// A helper that clears: whether its result is looked at or not.
JNIEXPORT void JNICALL
Java_org_example_dev_Device_notify(JNIEnv *env, jobject self, jobject listener, jmethodID onData)
{
    (void)self;
    (*env)->CallVoidMethod(env, listener, onData);
    clearException(env);
    (*env)->CallVoidMethod(env, listener, onData); // ok: exception-pending-call
    if (clearException(env))
        return;
    (*env)->CallVoidMethod(env, listener, onData); // ok: exception-pending-call
}

// Takes the exception away while it calls Java, and gives it back.
static void closeQuietly(JNIEnv *env, jobject stream, jmethodID close)
{
    jthrowable kept = (*env)->ExceptionOccurred(env);
    if (kept != NULL)
        (*env)->ExceptionClear(env);
    (*env)->CallVoidMethod(env, stream, close); // ok: exception-pending-call
    if (kept == NULL)
        return;
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*env)->Throw(env, kept);
    (*env)->DeleteLocalRef(env, kept);
}

JNIEXPORT void JNICALL
Java_org_example_dev_Device_drain(JNIEnv *env, jobject self, jobject stream, jmethodID read,
                                  jmethodID close)
{
    (void)self;
    (*env)->CallVoidMethod(env, stream, read);
    if ((*env)->ExceptionCheck(env)) {
        closeQuietly(env, stream, close); // ok: exception-pending-call
        return;
    }
    closeQuietly(env, stream, close); // ok: exception-pending-call
}

struct job {
    jobject global, local;
    jstring name;
    const char *chars;
};

// Only what is legal with an exception pending.
static void freeJob(JNIEnv *env, struct job *job)
{
    if (job->chars != NULL)
        (*env)->ReleaseStringUTFChars(env, job->name, job->chars);
    if (job->local != NULL)
        (*env)->DeleteLocalRef(env, job->local);
    if (job->global != NULL)
        (*env)->DeleteGlobalRef(env, job->global);
    memset(job, 0, sizeof *job);
}

JNIEXPORT void JNICALL
Java_org_example_dev_Device_run(JNIEnv *env, jobject self, jobject task, jstring name, jmethodID run)
{
    struct job job = {.name = name};
    (void)self;
    job.global = (*env)->NewGlobalRef(env, task);
    if (job.global == NULL)
        return;
    job.chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (job.chars == NULL)
        goto out;
    (*env)->CallVoidMethod(env, task, run);
    if ((*env)->ExceptionCheck(env))
        goto out;
    job.local = (*env)->GetObjectClass(env, task);
    (*env)->CallVoidMethod(env, task, run);
out:
    freeJob(env, &job); // ok: exception-pending-call
}
