// SPDX-License-Identifier: Apache-2.0
//
// Buffers released twice: early and by the cleanup label, in a loop, through a second pointer, by a
// macro that leaves the variable as it is.

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct view {
    jbyte *data;
    jsize length;
};

int open_file(const char *name);
int store(const jbyte *data, jsize length);
void log_text(const char *text);

#define RELEASE_STRING(env, s, text)                                                               \
    do {                                                                                           \
        if ((text) != NULL)                                                                        \
            (*(env))->ReleaseStringUTFChars((env), (s), (text));                                   \
    } while (0)

// Released as soon as possible, and by the label again.
JNIEXPORT jint JNICALL
Java_org_example_io_File_open(JNIEnv *env, jclass cls, jstring path)
{
    int fd = -1;
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        goto out;
    fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    if (fd < 0)
        goto out;
    return fd;
out:
    if (name != NULL)
        (*env)->ReleaseStringUTFChars(env, path, name); // expect: buffer-double-release
    return -1;
}

// The error branch releases and forgets to leave.
JNIEXPORT void JNICALL
Java_org_example_io_File_write(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (data == NULL)
        return;
    if (store(data, length) < 0) {
        log_text("write failed");
        (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT);
    }
    (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT); // expect: buffer-double-release
}

// Acquired in front of the loop, released in it.
JNIEXPORT jint JNICALL
Java_org_example_io_File_retry(JNIEnv *env, jclass cls, jstring path, jint times)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    do {
        log_text("again");
        (*env)->ReleaseStringUTFChars(env, path, name); // expect: buffer-double-release
    } while (--times > 0);
    return 0;
}

// A second name for the same buffer.
JNIEXPORT jint JNICALL
Java_org_example_io_File_swap(JNIEnv *env, jclass cls, jintArray words, jint count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, words, NULL);
    jint *first = data;
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++)
        data[i] = -data[i];
    (*env)->ReleaseIntArrayElements(env, words, data, 0);
    (*env)->ReleaseIntArrayElements(env, words, first, JNI_ABORT); // expect: buffer-double-release
    return count;
}

// The macro tests a variable that nobody has set to NULL.
JNIEXPORT jint JNICALL
Java_org_example_io_File_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int fd = -1;
    const char *target = NULL;
    (void)cls;
    const char *source = (*env)->GetStringUTFChars(env, from, NULL);
    if (source == NULL)
        return -1;
    if (to == NULL) {
        fd = open_file(source);
        RELEASE_STRING(env, from, source);
        goto out;
    }
    target = (*env)->GetStringUTFChars(env, to, NULL);
out:
    RELEASE_STRING(env, to, target);
    RELEASE_STRING(env, from, source); // expect: buffer-double-release
    return fd;
}

// JNI_COMMIT after the last release.
JNIEXPORT void JNICALL
Java_org_example_io_File_zero(JNIEnv *env, jclass cls, jfloatArray values, jsize length)
{
    (void)cls;
    jfloat *data = (*env)->GetFloatArrayElements(env, values, NULL);
    if (data == NULL)
        return;
    for (jsize i = 0; i < length; i++)
        data[i] = 0;
    (*env)->ReleaseFloatArrayElements(env, values, data, 0);
    (*env)->ReleaseFloatArrayElements(env, values, data, JNI_COMMIT); // expect: buffer-double-release
}

// Released by the right function, and freed on top of it.
JNIEXPORT jint JNICALL
Java_org_example_io_File_exists(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return 0;
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    free((char *)name); // expect: buffer-double-release
    return fd >= 0;
}

// In a struct on the stack.
JNIEXPORT jint JNICALL
Java_org_example_io_File_append(JNIEnv *env, jclass cls, jbyteArray bytes)
{
    struct view v;
    (void)cls;
    v.length = (*env)->GetArrayLength(env, bytes);
    v.data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (v.data == NULL)
        return -1;
    int stored = store(v.data, v.length);
    if (stored != v.length)
        (*env)->ReleaseByteArrayElements(env, bytes, v.data, JNI_ABORT);
    (*env)->ReleaseByteArrayElements(env, bytes, v.data, JNI_ABORT); // expect: buffer-double-release
    return stored;
}

// Some element of a table is released, and then all are.
JNIEXPORT jint JNICALL
Java_org_example_io_File_both(JNIEnv *env, jclass cls, jstring one, jstring two)
{
    const char *names[2] = {NULL, NULL};
    jint fd = -1;
    (void)cls;
    names[0] = (*env)->GetStringUTFChars(env, one, NULL);
    if (names[0] == NULL)
        return -1;
    names[1] = (*env)->GetStringUTFChars(env, two, NULL);
    if (names[1] == NULL) {
        (*env)->ReleaseStringUTFChars(env, one, names[0]);
        goto out;
    }
    fd = open_file(names[1]);
    (*env)->ReleaseStringUTFChars(env, two, names[1]);
out:
    (*env)->ReleaseStringUTFChars(env, one, names[0]); // expect: buffer-double-release
    return fd;
}

// Acquired by another native method and kept in a struct; closed twice here.
JNIEXPORT void JNICALL
Java_org_example_io_File_close(JNIEnv *env, jclass cls, jlong handle, jbyteArray bytes)
{
    struct view *v = (struct view *)(intptr_t)handle;
    (void)cls;
    if (v->length > 0)
        (*env)->ReleaseByteArrayElements(env, bytes, v->data, 0);
    (*env)->ReleaseByteArrayElements(env, bytes, v->data, JNI_ABORT); // expect: buffer-double-release
    free(v);
}

// ---- helpers

static void releaseText(JNIEnv *env, jstring text, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, text, chars);
}

// A helper has released it already.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_initial(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    jint initial = chars[0];
    releaseText(env, text, chars);
    if (initial == 0)
        (*env)->ReleaseStringUTFChars(env, text, chars); // expect: buffer-double-release
    return initial;
}

static void printAndRelease(JNIEnv *env, jstring text, const char *chars)
{
    puts(chars);
    releaseText(env, text, chars);
}

// Both times by helpers; the second one reads it, too.
JNIEXPORT void JNICALL
Java_org_example_text_Text_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return;
    releaseText(env, text, chars);
    printAndRelease(env, text, chars); // expect: buffer-double-release
}
