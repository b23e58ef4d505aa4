// SPDX-License-Identifier: Apache-2.0
//
// Used before the release, or not at all afterwards: copies, results, comparisons with NULL, other
// buffers in the same variable.

#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    char *text;
    size_t length;
};

static jmethodID gOnData; // void onData(int)

void log_text(const char *text);
int open_file(const char *name);

// The result outlives the buffer, which does not matter to a number.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    size_t length = strlen(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd + (jint)length; // ok: buffer-use-after-release
}

// A copy of one's own.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_setName(JNIEnv *env, jclass cls, jlong handle, jstring text)
{
    struct name *n = (struct name *)(intptr_t)handle;
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    n->text = strdup(chars);
    (*env)->ReleaseStringUTFChars(env, text, chars);
    if (n->text == NULL)
        return -1;
    n->length = strlen(n->text); // ok: buffer-use-after-release
    return 0;
}

// The pointer as a flag: it says that there was something, and is not followed.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_check(JNIEnv *env, jclass cls, jstring path)
{
    int fd = -1;
    (void)cls;
    const char *name = path != NULL ? (*env)->GetStringUTFChars(env, path, NULL) : NULL;
    if (name != NULL) {
        fd = open_file(name);
        (*env)->ReleaseStringUTFChars(env, path, name);
    }
    if (name == NULL) // ok: buffer-use-after-release
        log_text("no name");
    return name != NULL ? fd : -1; // ok: buffer-use-after-release
}

// Copied back, and still there.
JNIEXPORT void JNICALL
Java_org_example_net_Host_mark(JNIEnv *env, jclass cls, jintArray state, jint value)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, state, NULL);
    if (data == NULL)
        return;
    data[0] = value;
    (*env)->ReleaseIntArrayElements(env, state, data, JNI_COMMIT);
    data[1] = value; // ok: buffer-use-after-release
    (*env)->ReleaseIntArrayElements(env, state, data, 0);
}

// Given back, fetched again, and used again.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_feed(JNIEnv *env, jobject self, jbyteArray packet, jint rounds)
{
    jint sum = 0;
    jbyte *data = (*env)->GetByteArrayElements(env, packet, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < rounds; i++) {
        sum += data[0]; // ok: buffer-use-after-release
        (*env)->ReleaseByteArrayElements(env, packet, data, JNI_ABORT);
        (*env)->CallVoidMethod(env, self, gOnData, sum);
        if ((*env)->ExceptionCheck(env))
            return sum;
        data = (*env)->GetByteArrayElements(env, packet, NULL);
        if (data == NULL)
            return sum;
    }
    sum += data[1]; // ok: buffer-use-after-release
    (*env)->ReleaseByteArrayElements(env, packet, data, JNI_ABORT);
    return sum;
}

// Released where the loop is left.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_find(JNIEnv *env, jclass cls, jshortArray values, jint count)
{
    (void)cls;
    jshort *data = (*env)->GetShortArrayElements(env, values, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++) {
        if (data[i] == 0) { // ok: buffer-use-after-release
            (*env)->ReleaseShortArrayElements(env, values, data, JNI_ABORT);
            return i;
        }
    }
    (*env)->ReleaseShortArrayElements(env, values, data, JNI_ABORT);
    return -1;
}

// Another buffer in the same variable; a string literal where there is none.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_pair(JNIEnv *env, jclass cls, jstring first, jstring second)
{
    jint total = 0;
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, first, NULL);
    if (text == NULL)
        return -1;
    total += (jint)strlen(text);
    (*env)->ReleaseStringUTFChars(env, first, text);
    text = "none";
    total += (jint)strlen(text); // ok: buffer-use-after-release
    text = (*env)->GetStringUTFChars(env, second, NULL);
    if (text == NULL)
        return -1;
    total += (jint)strlen(text); // ok: buffer-use-after-release
    (*env)->ReleaseStringUTFChars(env, second, text);
    return total;
}

// The caller releases; the distance between two pointers is a number.
static const char *textOf(JNIEnv *env, jstring s, const char *fallback)
{
    const char *text = s != NULL ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
    return text != NULL ? text : fallback;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Host_slash(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    static const char none[] = "";
    const char *name = textOf(env, path, none);
    const char *slash = strrchr(name, '/');
    ptrdiff_t at = slash != NULL ? slash - name : -1;
    if (name != none)
        (*env)->ReleaseStringUTFChars(env, path, name);
    return (jint)at; // ok: buffer-use-after-release
}

// The error text is made while the name is still there.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_require(JNIEnv *env, jclass cls, jstring path)
{
    char message[256] = "";
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (fd < 0)
        snprintf(message, sizeof message, "cannot open %s", name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    if (fd < 0)
        log_text(message); // ok: buffer-use-after-release
    return fd;
}

// A helper is told to copy back only.
static void putBytes(JNIEnv *env, jbyteArray array, jbyte *data, jint mode)
{
    (*env)->ReleaseByteArrayElements(env, array, data, mode);
}

JNIEXPORT void JNICALL
Java_org_example_net_Host_twice(JNIEnv *env, jclass cls, jbyteArray array)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, array, NULL);
    if (data == NULL)
        return;
    data[0] = 1;
    putBytes(env, array, data, JNI_COMMIT);
    data[0] = 2; // ok: buffer-use-after-release
    putBytes(env, array, data, 0);
}
