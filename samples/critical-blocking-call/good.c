// SPDX-License-Identifier: Apache-2.0
//
// Input, output, locks and pauses around critical regions, and what may well be called inside them.

#include <jni.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t gLock = PTHREAD_MUTEX_INITIALIZER;
static double gTable[256];

void filter_block(jint *data, jint length);

// The project's own function, which only shares its name with one that waits.
static void wait(jint *levels)
{
    levels[0]++;
}

// Read into native memory, then copied in one short region.
JNIEXPORT jint JNICALL
Java_org_example_io_Channel_read(JNIEnv *env, jclass cls, jint fd, jbyteArray target)
{
    char buffer[4096];
    (void)cls;
    jsize room = (*env)->GetArrayLength(env, target);
    ssize_t got = read(fd, buffer, sizeof buffer); // ok: critical-blocking-call
    if (got <= 0 || got > room)
        return -1;
    void *data = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (data == NULL)
        return -1;
    memcpy(data, buffer, (size_t)got); // ok: critical-blocking-call
    (*env)->ReleasePrimitiveArrayCritical(env, target, data, 0);
    return (jint)got;
}

// Elements are no critical region.
JNIEXPORT jint JNICALL
Java_org_example_io_Channel_write(JNIEnv *env, jclass cls, jint fd, jbyteArray source)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, source);
    jbyte *data = (*env)->GetByteArrayElements(env, source, NULL);
    if (data == NULL)
        return -1;
    ssize_t sent = write(fd, data, (size_t)length); // ok: critical-blocking-call
    (*env)->ReleaseByteArrayElements(env, source, data, JNI_ABORT);
    return (jint)sent;
}

// The lock is taken before the region and left behind it.
JNIEXPORT void JNICALL
Java_org_example_io_Mixer_append(JNIEnv *env, jclass cls, jintArray samples, jint count)
{
    (void)cls;
    pthread_mutex_lock(&gLock); // ok: critical-blocking-call
    jint *data = (*env)->GetPrimitiveArrayCritical(env, samples, NULL);
    if (data != NULL) {
        filter_block(data, count);
        (*env)->ReleasePrimitiveArrayCritical(env, samples, data, 0);
    }
    pthread_mutex_unlock(&gLock);
}

// Inside: a lock that is only tried, arithmetic, memory, sorting, text made in memory.
JNIEXPORT jint JNICALL
Java_org_example_io_Mixer_peak(JNIEnv *env, jclass cls, jdoubleArray samples, jint count)
{
    char text[64];
    double peak = 0;
    (void)cls;
    double *data = (*env)->GetPrimitiveArrayCritical(env, samples, NULL);
    if (data == NULL)
        return -1;
    double *copy = malloc((size_t)count * sizeof *copy); // ok: critical-blocking-call
    if (copy != NULL) {
        memcpy(copy, data, (size_t)count * sizeof *copy);
        for (jint i = 0; i < count; i++)
            peak = fmax(peak, sqrt(copy[i])); // ok: critical-blocking-call
        if (pthread_mutex_trylock(&gLock) == 0) { // ok: critical-blocking-call
            gTable[0] = peak;
            pthread_mutex_unlock(&gLock); // ok: critical-blocking-call
        }
        free(copy);
    }
    int length = snprintf(text, sizeof text, "%f", peak); // ok: critical-blocking-call
    (*env)->ReleasePrimitiveArrayCritical(env, samples, data, JNI_ABORT);
    return length;
}

// The message is written where no region is open: none was opened, or it has ended.
JNIEXPORT jint JNICALL
Java_org_example_io_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *text = (*env)->GetStringCritical(env, name, NULL);
    if (text == NULL) {
        fprintf(stderr, "no characters\n"); // ok: critical-blocking-call
        return 0;
    }
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + text[i];
    (*env)->ReleaseStringCritical(env, name, text);
    printf("%d\n", (int)hash); // ok: critical-blocking-call
    return hash;
}

// A failure is kept, and told after the label.
JNIEXPORT jint JNICALL
Java_org_example_io_Mixer_check(JNIEnv *env, jclass cls, jintArray levels, jint count)
{
    int bad = -1;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, levels, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++) {
        if (data[i] < 0) {
            bad = i;
            goto out;
        }
    }
    wait(data); // ok: critical-blocking-call
out:
    (*env)->ReleasePrimitiveArrayCritical(env, levels, data, 0);
    if (bad >= 0)
        fprintf(stderr, "level %d is negative\n", bad); // ok: critical-blocking-call
    return bad;
}

// One region a turn, and the pause between two of them.
JNIEXPORT void JNICALL
Java_org_example_io_Channel_play(JNIEnv *env, jclass cls, jintArray samples, jint turns, jint count)
{
    (void)cls;
    for (jint i = 0; i < turns; i++) {
        jint *data = (*env)->GetPrimitiveArrayCritical(env, samples, NULL);
        if (data == NULL)
            return;
        filter_block(data, count);
        (*env)->ReleasePrimitiveArrayCritical(env, samples, data, 0);
        usleep(1000); // ok: critical-blocking-call
    }
}

// A helper leaves the region, and then blocks.
static void finishFrame(JNIEnv *env, jbyteArray frame, jbyte *data)
{
    (*env)->ReleasePrimitiveArrayCritical(env, frame, data, 0);
    fputs("frame", stdout);
}

JNIEXPORT void JNICALL
Java_org_example_video_Frames_end(JNIEnv *env, jclass cls, jbyteArray frame)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, frame, NULL);
    if (data == NULL)
        return;
    data[0] = 0;
    finishFrame(env, frame, data); // ok: critical-blocking-call
}
