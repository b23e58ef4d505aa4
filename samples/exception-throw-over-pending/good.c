// SPDX-License-Identifier: Apache-2.0
//
// Throws with nothing else pending: after ExceptionClear, on paths that nothing has thrown on, and
// where a NULL says nothing about exceptions.

#include <jni.h>
#include <stdlib.h>

static jclass gIOException;    // global references to exception classes
static jclass gIllegalState;
static jclass gOutOfMemory;
static jmethodID gIOInit;      // IOException(String, Throwable)
static jmethodID gOnFrame;     // void onFrame(Frame)
static jmethodID gRead;        // int read(byte[])
static jfieldID gPeer;         // Object peer

int decode(const char *data, size_t length);

// The exception of the lookup is left alone.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Decoder_initIDs(JNIEnv *env, jclass cls)
{
    gOnFrame = (*env)->GetMethodID(env, cls, "onFrame", "(Lorg/example/codec/Frame;)V");
    return gOnFrame != NULL;
}

// Exchanged for another one: cleared first.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_fill(JNIEnv *env, jobject self, jobject stream, jbyteArray buffer)
{
    (void)self;
    jint count = (*env)->CallIntMethod(env, stream, gRead, buffer);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        (*env)->ThrowNew(env, gIOException, "read failed"); // ok: exception-throw-over-pending
        return -1;
    }
    return count;
}

// Wrapped: the first exception becomes the cause.
JNIEXPORT void JNICALL
Java_org_example_codec_Decoder_emit(JNIEnv *env, jobject self, jobject frame)
{
    (*env)->CallVoidMethod(env, self, gOnFrame, frame);
    jthrowable cause = (*env)->ExceptionOccurred(env);
    if (cause == NULL)
        return;
    (*env)->ExceptionClear(env);
    jobject wrapped = (*env)->NewObject(env, gIOException, gIOInit, NULL, cause);
    if (wrapped != NULL)
        (*env)->Throw(env, (jthrowable)wrapped); // ok: exception-throw-over-pending
}

// NULL from GetStringUTFChars may come without an exception; throwing makes sure of one.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_open(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *path = (*env)->GetStringUTFChars(env, name, NULL);
    if (path == NULL) {
        (*env)->ThrowNew(env, gOutOfMemory, "name"); // ok: exception-throw-over-pending
        return -1;
    }
    jint result = decode(path, 0);
    (*env)->ReleaseStringUTFChars(env, name, path);
    return result;
}

// NULL in a field is an ordinary value.
JNIEXPORT jobject JNICALL
Java_org_example_codec_Decoder_peer(JNIEnv *env, jobject self)
{
    jobject peer = (*env)->GetObjectField(env, self, gPeer);
    if (peer == NULL)
        (*env)->ThrowNew(env, gIllegalState, "closed"); // ok: exception-throw-over-pending
    return peer;
}

// The second complaint comes only without the first.
JNIEXPORT void JNICALL
Java_org_example_codec_Decoder_configure(JNIEnv *env, jclass cls, jint width, jint height)
{
    (void)cls;
    if (width <= 0)
        (*env)->ThrowNew(env, gIllegalState, "width");
    else if (height <= 0)
        (*env)->ThrowNew(env, gIllegalState, "height"); // ok: exception-throw-over-pending
}

// The label asks before it throws.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_decode(JNIEnv *env, jclass cls, jint size)
{
    (void)cls;
    jint result = -1;
    jbyteArray copy = NULL;
    char *data = malloc((size_t)size);
    if (data != NULL)
        copy = (*env)->NewByteArray(env, size);
    if (copy != NULL) {
        result = decode(data, (size_t)size);
        (*env)->DeleteLocalRef(env, copy);
    }
    free(data);
    if (result < 0 && !(*env)->ExceptionCheck(env))
        (*env)->ThrowNew(env, gIOException, "decode"); // ok: exception-throw-over-pending
    return result;
}

// A flag, not an exception, says that nothing was found; a second try follows.
JNIEXPORT jclass JNICALL
Java_org_example_codec_Decoder_type(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "org/example/codec/FastFrame");
    if (type == NULL) {
        (*env)->ExceptionDescribe(env); // clears it, too
        (*env)->ThrowNew(env, gIllegalState, "no frames"); // ok: exception-throw-over-pending
    }
    return type;
}

// ---- helpers

static void fail(JNIEnv *env, const char *message)
{
    jclass cls = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, message);
}

// The first one says more.
static void failFirst(JNIEnv *env, const char *message)
{
    if (!(*env)->ExceptionCheck(env))
        fail(env, message);
}

// Another one in its place.
static void failInstead(JNIEnv *env, const char *message)
{
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    fail(env, message);
}

static void failAnyway(JNIEnv *env, jclass type, const char *message)
{
    (*env)->ExceptionClear(env);
    (*env)->ThrowNew(env, type, message);
}

JNIEXPORT jint JNICALL
Java_org_example_net_Address_check(JNIEnv *env, jclass cls, jint port, jint timeout)
{
    (void)cls;
    if (port < 0)
        fail(env, "port");
    if (timeout < 0)
        failFirst(env, "timeout"); // ok: exception-throw-over-pending
    return port + timeout;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Address_port(JNIEnv *env, jobject self, jclass cls, jclass error)
{
    jfieldID field = (*env)->GetFieldID(env, cls, "port", "I");
    if (field == NULL) {
        failInstead(env, "no port"); // ok: exception-throw-over-pending
        return -1;
    }
    jfieldID other = (*env)->GetFieldID(env, cls, "other", "I");
    if (other == NULL) {
        failAnyway(env, error, "no other port"); // ok: exception-throw-over-pending
        return -1;
    }
    return (*env)->GetIntField(env, self, field) + (*env)->GetIntField(env, self, other);
}
