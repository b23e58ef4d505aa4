// SPDX-License-Identifier: Apache-2.0
//
// Throwing while another exception is pending already: the first one, which says what went wrong,
// is lost, and Throw and ThrowNew are not legal then.

#include <jni.h>
#include <stdlib.h>

static jclass gIOException;    // global references to exception classes
static jclass gIllegalState;
static jclass gOutOfMemory;
static jclass gFrameClass;     // org.example.codec.Frame
static jmethodID gFrameInit;   // Frame(int)
static jmethodID gOnFrame;     // void onFrame(Frame)
static jmethodID gRead;        // int read(byte[])

#define FAIL(env, message, value)                                                                  \
    do {                                                                                           \
        (*(env))->ThrowNew((env), gIllegalState, (message));                                       \
        return value;                                                                              \
    } while (0)

int decode(const char *data, size_t length);

// A failed lookup has thrown NoSuchMethodError, which names the method.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Decoder_initIDs(JNIEnv *env, jclass cls)
{
    gOnFrame = (*env)->GetMethodID(env, cls, "onFrame", "(Lorg/example/codec/Frame;)V");
    if (gOnFrame == NULL) {
        (*env)->ThrowNew(env, gIllegalState, "no onFrame"); // expect: exception-throw-over-pending
        return JNI_FALSE;
    }
    return JNI_TRUE;
}

// A failed allocation has thrown OutOfMemoryError.
JNIEXPORT jbyteArray JNICALL
Java_org_example_codec_Decoder_buffer(JNIEnv *env, jclass cls, jint size)
{
    (void)cls;
    jbyteArray buffer = (*env)->NewByteArray(env, size);
    if (!buffer)
        (*env)->ThrowNew(env, gOutOfMemory, "buffer"); // expect: exception-throw-over-pending
    return buffer;
}

// The check found an exception, and another one is thrown for it.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_fill(JNIEnv *env, jobject self, jobject stream, jbyteArray buffer)
{
    (void)self;
    jint count = (*env)->CallIntMethod(env, stream, gRead, buffer);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ThrowNew(env, gIOException, "read failed"); // expect: exception-throw-over-pending
        return -1;
    }
    return count;
}

// Rethrown without having been cleared: it is pending all the time.
JNIEXPORT void JNICALL
Java_org_example_codec_Decoder_emit(JNIEnv *env, jobject self, jobject frame)
{
    (*env)->CallVoidMethod(env, self, gOnFrame, frame);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown != NULL) {
        (*env)->Throw(env, thrown); // expect: exception-throw-over-pending
        (*env)->DeleteLocalRef(env, thrown);
    }
}

// Two complaints about the same arguments.
JNIEXPORT void JNICALL
Java_org_example_codec_Decoder_configure(JNIEnv *env, jclass cls, jint width, jint height)
{
    (void)cls;
    if (width <= 0)
        (*env)->ThrowNew(env, gIllegalState, "width");
    if (height <= 0)
        (*env)->ThrowNew(env, gIllegalState, "height"); // expect: exception-throw-over-pending
}

// Behind a macro.
JNIEXPORT jobject JNICALL
Java_org_example_codec_Frame_create(JNIEnv *env, jclass cls, jint size)
{
    (void)cls;
    jobject frame = (*env)->NewObject(env, gFrameClass, gFrameInit, size);
    if (frame == NULL)
        FAIL(env, "no frame", NULL); // expect: exception-throw-over-pending
    return frame;
}

// The cleanup label throws for everybody, also for those who come with an exception.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_decode(JNIEnv *env, jclass cls, jstring name, jint size)
{
    (void)cls;
    (void)name;
    jint result = -1;
    jbyteArray copy = NULL;
    char *data = malloc((size_t)size);
    if (data == NULL)
        goto fail;
    copy = (*env)->NewByteArray(env, size);
    if (copy == NULL)
        goto fail;
    result = decode(data, (size_t)size);
    free(data);
    (*env)->DeleteLocalRef(env, copy);
    return result;
fail:
    free(data);
    (*env)->ThrowNew(env, gIOException, "decode"); // expect: exception-throw-over-pending
    return -1;
}

// ---- helpers

static void fail(JNIEnv *env, const char *message)
{
    jclass cls = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, message);
}

// Both arguments may be wrong.
JNIEXPORT jint JNICALL
Java_org_example_net_Address_check(JNIEnv *env, jclass cls, jint port, jint timeout)
{
    (void)cls;
    if (port < 0)
        fail(env, "port");
    if (timeout < 0)
        fail(env, "timeout"); // expect: exception-throw-over-pending
    return port + timeout;
}

static void failWith(JNIEnv *env, jclass type, const char *message)
{
    (*env)->ThrowNew(env, type, message);
}

// The lookup has thrown NoSuchFieldError.
JNIEXPORT jint JNICALL
Java_org_example_net_Address_port(JNIEnv *env, jobject self, jclass cls, jclass error)
{
    jfieldID field = (*env)->GetFieldID(env, cls, "port", "I");
    if (field == NULL) {
        failWith(env, error, "no port"); // expect: exception-throw-over-pending
        return -1;
    }
    return (*env)->GetIntField(env, self, field);
}
