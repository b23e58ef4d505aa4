// SPDX-License-Identifier: Apache-2.0
//
// JNI_COMMIT in the middle, and a release at the end, whatever happens.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct canvas {
    jintArray array; // global
    jint *pixels;
};

static jmethodID gOnFrame; // void onFrame(int)

int render(jint *pixels, jsize count);

#define COMMIT(env, array, data) (*(env))->ReleaseIntArrayElements((env), (array), (data), JNI_COMMIT)
#define RELEASE(env, array, data)                                                                  \
    do {                                                                                           \
        if ((data) != NULL)                                                                        \
            (*(env))->ReleaseIntArrayElements((env), (array), (data), JNI_ABORT);                  \
    } while (0)

// Copied back after each frame; JNI_ABORT frees without copying once more.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_play(JNIEnv *env, jobject self, jintArray pixels, jint frames)
{
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < frames; i++) {
        data[i] = i;
        (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // ok: buffer-commit-not-final
        (*env)->CallVoidMethod(env, self, gOnFrame, i);
        if ((*env)->ExceptionCheck(env))
            break;
    }
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_ABORT);
}

JNIEXPORT jint JNICALL
Java_org_example_view_Canvas_draw(JNIEnv *env, jclass cls, jintArray pixels, jsize count)
{
    jint *data = NULL;
    jint status = -1;
    (void)cls;
    data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        goto out;
    data[0] = 1;
    COMMIT(env, pixels, data); // ok: buffer-commit-not-final
    status = render(data, count);
    if (status < 0)
        goto out;
    data[0] = status;
    COMMIT(env, pixels, data); // ok: buffer-commit-not-final
out:
    RELEASE(env, pixels, data);
    return status;
}

// The mode is computed: what decides is the last call.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_steps(JNIEnv *env, jclass cls, jintArray pixels, jint steps)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i <= steps; i++) {
        data[i] = i;
        if (i < steps)
            (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // ok: buffer-commit-not-final
    }
    (*env)->ReleaseIntArrayElements(env, pixels, data, 0);
}

// Committed only where something was written; released by both.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_clear(JNIEnv *env, jclass cls, jintArray pixels, jsize count)
{
    jboolean written = JNI_FALSE;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jsize i = 0; i < count; i++) {
        if (data[i] != 0) {
            data[i] = 0;
            written = JNI_TRUE;
        }
    }
    if (written)
        (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // ok: buffer-commit-not-final
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_ABORT);
}

// Kept between two calls in a struct: another native method releases.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_open(JNIEnv *env, jclass cls, jlong handle)
{
    struct canvas *c = (struct canvas *)(intptr_t)handle;
    (void)cls;
    c->pixels = (*env)->GetIntArrayElements(env, c->array, NULL);
    if (c->pixels == NULL)
        return;
    c->pixels[0] = 0;
    (*env)->ReleaseIntArrayElements(env, c->array, c->pixels, JNI_COMMIT); // ok: buffer-commit-not-final
}

JNIEXPORT void JNICALL
Java_org_example_view_Canvas_flush(JNIEnv *env, jclass cls, jlong handle)
{
    struct canvas *c = (struct canvas *)(intptr_t)handle;
    (void)cls;
    (*env)->ReleaseIntArrayElements(env, c->array, c->pixels, JNI_COMMIT); // ok: buffer-commit-not-final
}

// The caller has the buffer, and releases it.
static jint *begin(JNIEnv *env, jintArray pixels, jint first)
{
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return NULL;
    data[0] = first;
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // ok: buffer-commit-not-final
    return data;
}

JNIEXPORT void JNICALL
Java_org_example_view_Canvas_close(JNIEnv *env, jclass cls, jlong handle, jintArray other)
{
    struct canvas *c = (struct canvas *)(intptr_t)handle;
    (void)cls;
    if (c->pixels != NULL)
        (*env)->ReleaseIntArrayElements(env, c->array, c->pixels, 0);
    c->pixels = NULL;
    jint *data = begin(env, other, 1);
    if (data != NULL)
        (*env)->ReleaseIntArrayElements(env, other, data, JNI_ABORT);
}
