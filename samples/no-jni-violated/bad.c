// SPDX-License-Identifier: Apache-2.0
//
// Functions that are marked as free of JNI, and are not.

#include <jni.h>
#include <jniguard/annotations.h>
#include <stdlib.h>

static JavaVM *gVm;

static void throw_error(JNIEnv *env, const char *message)
{
    jclass failure = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (failure != NULL)
        (*env)->ThrowNew(env, failure, message);
}

static void check_range(JNIEnv *env, jint value)
{
    if (value < 0)
        throw_error(env, "negative");
}

// A call of its own.
JG_NO_JNI static jsize length_of(JNIEnv *env, jintArray array)
{
    return (*env)->GetArrayLength(env, array); // expect: no-jni-violated
}

// By way of two others.
JG_NO_JNI static jint scale(JNIEnv *env, jint value, jint factor)
{
    check_range(env, value); // expect: no-jni-violated
    return value * factor;
}

// The mark stands in the declaration that callers see.
JG_NO_JNI void decode(const unsigned char *from, size_t length);

void decode(const unsigned char *from, size_t length)
{
    JNIEnv *env = NULL;
    if (length > 0 && from[0] == 0)
        (*gVm)->GetEnv(gVm, (void **)&env, JNI_VERSION_1_8); // expect: no-jni-violated
    // expect-next: no-jni-violated
    if (env != NULL && (*env)->ExceptionCheck(env))
        return;
}

// Called by qsort.
static JNIEnv *sort_env;

static int compare(const void *a, const void *b)
{
    const jobject *x = a, *y = b;
    return (*sort_env)->IsSameObject(sort_env, *x, *y) ? 0 : x < y ? -1 : 1;
}

JG_NO_JNI static void sort(jobject *list, size_t count)
{
    qsort(list, count, sizeof *list, compare); // expect: no-jni-violated
}

// Through a table of the project's own.
struct codec {
    void (*begin)(JNIEnv *env);
};

static void begin_image(JNIEnv *env)
{
    (*env)->ExceptionClear(env);
}

static const struct codec image = {begin_image};

JG_NO_JNI static void run(const struct codec *codec, JNIEnv *env)
{
    codec->begin(env); // expect: no-jni-violated
}

JNIEXPORT jint JNICALL
Java_org_example_Codec_scale(JNIEnv *env, jclass cls, jint value)
{
    (void)cls;
    return scale(env, value, 2);
}

JNIEXPORT jint JNICALL
Java_org_example_Codec_run(JNIEnv *env, jclass cls, jintArray array)
{
    jobject list[2] = {cls, array};
    sort(list, 2);
    run(&image, env);
    jint length = length_of(env, array);
    decode((const unsigned char *)"", 0);
    return length;
}
