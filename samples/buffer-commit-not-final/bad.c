// SPDX-License-Identifier: Apache-2.0
//
// JNI_COMMIT where the release belongs: it copies back and keeps the buffer.

#include <jni.h>

static jmethodID gOnFrame; // void onFrame(int)

int render(jint *pixels, jsize count);
void log_text(const char *text);

#define COMMIT(env, Type, array, data)                                                             \
    (*(env))->Release##Type##ArrayElements((env), (array), (data), JNI_COMMIT)

// Taken for "write the changes and be done".
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_clear(JNIEnv *env, jclass cls, jintArray pixels, jsize count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jsize i = 0; i < count; i++)
        data[i] = 0;
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // expect: buffer-commit-not-final
}

// Success commits, failure aborts; only failure releases.
JNIEXPORT jint JNICALL
Java_org_example_view_Canvas_render(JNIEnv *env, jclass cls, jintArray pixels, jsize count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    int status = render(data, count);
    (*env)->ReleaseIntArrayElements(env, pixels, data, status < 0 ? JNI_ABORT : 0);
    if (status < 0)
        return status;
    data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    data[0] = status;
    if (status == 0)
        (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_ABORT);
    else
        (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // expect: buffer-commit-not-final
    return status;
}

// Committed after each frame, and the loop is left without the last release.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_play(JNIEnv *env, jobject self, jintArray pixels, jint frames)
{
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < frames; i++) {
        data[i] = i;
        (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // expect: buffer-commit-not-final
        (*env)->CallVoidMethod(env, self, gOnFrame, i);
        if ((*env)->ExceptionCheck(env))
            return;
    }
    (*env)->ReleaseIntArrayElements(env, pixels, data, 0);
}

// One buffer a turn, none released.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_fill(JNIEnv *env, jclass cls, jfloatArray row, jint rows)
{
    (void)cls;
    for (jint i = 0; i < rows; i++) {
        jfloat *data = (*env)->GetFloatArrayElements(env, row, NULL);
        if (data == NULL)
            return;
        data[i] = 1;
        (*env)->ReleaseFloatArrayElements(env, row, data, JNI_COMMIT); // expect: buffer-commit-not-final
    }
}

// Inside a macro.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_scale(JNIEnv *env, jclass cls, jdoubleArray points, jint count)
{
    (void)cls;
    jdouble *data = (*env)->GetDoubleArrayElements(env, points, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < count; i++)
        data[i] *= 2;
    COMMIT(env, Double, points, data); // expect: buffer-commit-not-final
}

// A critical region: whether JNI_COMMIT ends it, the specification does not say.
JNIEXPORT void JNICALL
Java_org_example_view_Canvas_invert(JNIEnv *env, jclass cls, jintArray pixels, jint count)
{
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < count; i++)
        data[i] = ~data[i];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_COMMIT); // expect: buffer-commit-not-final
}

// The early return comes between the commit and the release.
JNIEXPORT jint JNICALL
Java_org_example_view_Canvas_draw(JNIEnv *env, jclass cls, jintArray pixels, jsize count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    data[0] = 1;
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_COMMIT); // expect: buffer-commit-not-final
    if (render(data, count) < 0) {
        log_text("not drawn");
        return -1;
    }
    (*env)->ReleaseIntArrayElements(env, pixels, data, 0);
    return 0;
}
