// SPDX-License-Identifier: Apache-2.0
//
// Mode 0 with something to copy back, or with somebody who may have written; JNI_ABORT for the
// rest.

#include <jni.h>
#include <string.h>
#include <unistd.h>

struct pixel {
    jbyte red, green, blue, alpha;
};

struct job {
    jint *values;
    jint count;
};

void transform(jint *values, jint count);
int run(struct job *job);
void set_pixel(jbyte *channel);

JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_sum(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return 0;
    for (jint i = 0; i < count; i++)
        sum += v[i];
    (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT); // ok: buffer-needless-copyback
    return sum;
}

// Written on one of two paths.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_clamp(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    for (jint i = 0; i < count; i++)
        if (v[i] < 0)
            v[i] = 0;
    (*env)->ReleaseIntArrayElements(env, values, v, 0); // ok: buffer-needless-copyback
}

// An unknown function may write.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_apply(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    transform(&v[1], count - 1);
    (*env)->ReleaseIntArrayElements(env, values, v, 0); // ok: buffer-needless-copyback
}

// So may one that finds the pointer in a struct.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_run(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    struct job job = {.count = count};
    (void)cls;
    job.values = (*env)->GetIntArrayElements(env, values, NULL);
    if (job.values == NULL)
        return -1;
    jint status = run(&job);
    (*env)->ReleaseIntArrayElements(env, values, job.values, 0); // ok: buffer-needless-copyback
    return status;
}

// Filled by the operating system.
JNIEXPORT jint JNICALL
Java_org_example_io_Files_read(JNIEnv *env, jclass cls, jint fd, jbyteArray target)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, target);
    jbyte *t = (*env)->GetByteArrayElements(env, target, NULL);
    if (t == NULL)
        return -1;
    jint got = (jint)read(fd, t, (size_t)length);
    (*env)->ReleaseByteArrayElements(env, target, t, 0); // ok: buffer-needless-copyback
    return got;
}

// Seen as structs: stored whole, or through the address of a member.
JNIEXPORT void JNICALL
Java_org_example_image_Pixels_set(JNIEnv *env, jclass cls, jbyteArray first, jbyteArray second)
{
    const struct pixel white = {-1, -1, -1, -1};
    (void)cls;
    struct pixel *p = (struct pixel *)(*env)->GetByteArrayElements(env, first, NULL);
    if (p == NULL)
        return;
    p[1] = white;
    (*env)->ReleaseByteArrayElements(env, first, (jbyte *)p, 0); // ok: buffer-needless-copyback
    p = (struct pixel *)(*env)->GetByteArrayElements(env, second, NULL);
    if (p == NULL)
        return;
    set_pixel(&p->red);
    (*env)->ReleaseByteArrayElements(env, second, (jbyte *)p, 0); // ok: buffer-needless-copyback
}

// Whichever of the two the pointer names is written.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_pick(JNIEnv *env, jclass cls, jintArray a, jintArray b, jint which)
{
    (void)cls;
    jint *x = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    if (x == NULL)
        return;
    jint *y = (*env)->GetPrimitiveArrayCritical(env, b, NULL);
    if (y != NULL) {
        jint *target = which ? x : y;
        target[0] += 1;
        (*env)->ReleasePrimitiveArrayCritical(env, b, y, 0); // ok: buffer-needless-copyback
    }
    (*env)->ReleasePrimitiveArrayCritical(env, a, x, 0); // ok: buffer-needless-copyback
}
