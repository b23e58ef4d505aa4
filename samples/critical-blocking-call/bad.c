// SPDX-License-Identifier: Apache-2.0
//
// Calls that can wait, for a device, for time or for another thread, between Get...Critical and the
// release. The collector may have to wait for the region, and every Java thread for the collector.
// The finding is at the call.

#include <jni.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct stream {
    int descriptor;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    jint used;
};

static struct stream gStream;

// Straight into the array: a pipe or a socket waits for its other end.
JNIEXPORT jint JNICALL
Java_org_example_io_Channel_read(JNIEnv *env, jclass cls, jint fd, jbyteArray target, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (data == NULL)
        return -1;
    jint got = (jint)read(fd, data, (size_t)length); // expect: critical-blocking-call
    (*env)->ReleasePrimitiveArrayCritical(env, target, data, 0);
    return got;
}

// A file is no better: the disk may sleep, or be on the other side of a network.
JNIEXPORT jint JNICALL
Java_org_example_io_Channel_store(JNIEnv *env, jclass cls, jstring path, jbyteArray source)
{
    jint status = -1;
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, source);
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    void *data = (*env)->GetPrimitiveArrayCritical(env, source, NULL);
    if (data != NULL) {
        FILE *file = fopen(name, "wb"); // expect: critical-blocking-call
        if (file != NULL) {
            if (fwrite(data, 1, (size_t)length, file) == (size_t)length)
                status = 0;
            fclose(file);
        }
        (*env)->ReleasePrimitiveArrayCritical(env, source, data, JNI_ABORT);
    }
    (*env)->ReleaseStringUTFChars(env, path, name);
    return status;
}

// The lock may be held by a thread that waits for the collector: then neither goes on.
JNIEXPORT void JNICALL
Java_org_example_io_Mixer_append(JNIEnv *env, jclass cls, jshortArray samples, jint count)
{
    (void)cls;
    jshort *data = (*env)->GetPrimitiveArrayCritical(env, samples, NULL);
    if (data == NULL)
        return;
    pthread_mutex_lock(&gStream.lock); // expect: critical-blocking-call
    for (jint i = 0; i < count; i++)
        gStream.used += data[i];
    pthread_mutex_unlock(&gStream.lock);
    (*env)->ReleasePrimitiveArrayCritical(env, samples, data, JNI_ABORT);
}

// A condition that another Java thread has to make true.
JNIEXPORT void JNICALL
Java_org_example_io_Mixer_drain(JNIEnv *env, jclass cls, jintArray target, jint limit)
{
    (void)cls;
    pthread_mutex_lock(&gStream.lock);
    jint *data = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (data != NULL) {
        while (gStream.used < limit)
            pthread_cond_wait(&gStream.filled, &gStream.lock); // expect: critical-blocking-call
        data[0] = gStream.used;
        (*env)->ReleasePrimitiveArrayCritical(env, target, data, 0);
    }
    pthread_mutex_unlock(&gStream.lock);
}

// Waiting on one path only is enough.
JNIEXPORT jint JNICALL
Java_org_example_io_Channel_send(JNIEnv *env, jclass cls, jint fd, jbyteArray source, jint length)
{
    jint sent = 0;
    (void)cls;
    const jbyte *data = (*env)->GetPrimitiveArrayCritical(env, source, NULL);
    if (data == NULL)
        return -1;
    while (sent < length) {
        ssize_t n = write(fd, data + sent, (size_t)(length - sent)); // expect: critical-blocking-call
        if (n < 0)
            usleep(1000);
        else
            sent += (jint)n;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, source, (void *)data, JNI_ABORT);
    return sent;
}

// A message for whoever debugs, and standard output may be a pipe that nobody empties.
JNIEXPORT jint JNICALL
Java_org_example_io_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *text = (*env)->GetStringCritical(env, name, NULL);
    if (text == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + text[i];
    printf("hash of %d characters: %d\n", (int)length, (int)hash); // expect: critical-blocking-call
    (*env)->ReleaseStringCritical(env, name, text);
    return hash;
}

// Released on the way to the sleep, but only the inner region.
JNIEXPORT void JNICALL
Java_org_example_io_Mixer_blend(JNIEnv *env, jclass cls, jintArray a, jintArray b, jint length)
{
    struct pollfd ready = {.fd = 0, .events = POLLIN};
    (void)cls;
    jint *to = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    if (to == NULL)
        return;
    jint *from = (*env)->GetPrimitiveArrayCritical(env, b, NULL);
    if (from != NULL) {
        for (jint i = 0; i < length; i++)
            to[i] += from[i];
        (*env)->ReleasePrimitiveArrayCritical(env, b, from, JNI_ABORT);
        poll(&ready, 1, 10); // expect: critical-blocking-call
    }
    (*env)->ReleasePrimitiveArrayCritical(env, a, to, 0);
}

// ---- helpers

static void note(const char *what, int n)
{
    FILE *trace = fopen("/tmp/trace", "a");
    if (trace == NULL)
        return;
    fprintf(trace, "%s %d\n", what, n);
    fclose(trace);
}

static void debug(int n)
{
    note("pixels", n);
}

// Two functions away.
JNIEXPORT void JNICALL
Java_org_example_img_Filter_invert(JNIEnv *env, jobject self, jbyteArray pixels)
{
    (void)self;
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return;
    for (jsize i = 0; i < n; i++)
        p[i] = (jbyte)~p[i];
    debug(n); // expect: critical-blocking-call
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, 0);
}
