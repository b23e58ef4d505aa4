// SPDX-License-Identifier: Apache-2.0
//
// Buffers read, written, passed on or returned after they were given back.

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct name {
    const char *text;
    size_t length;
};

void log_text(const char *text);
int open_file(const char *name);

// Passed on, one line too late.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    (*env)->ReleaseStringUTFChars(env, path, name);
    return open_file(name); // expect: buffer-use-after-release
}

// Only the message of the error needs it by then.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_check(JNIEnv *env, jclass cls, jstring path)
{
    char message[256];
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    if (fd < 0) {
        snprintf(message, sizeof message, "cannot open %s", name); // expect: buffer-use-after-release
        log_text(message);
    }
    return fd;
}

// What is written now arrives nowhere.
JNIEXPORT void JNICALL
Java_org_example_net_Host_mark(JNIEnv *env, jclass cls, jintArray state, jint value)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, state, NULL);
    if (data == NULL)
        return;
    data[0] = value;
    (*env)->ReleaseIntArrayElements(env, state, data, 0);
    data[1] = value; // expect: buffer-use-after-release
}

// A second pointer into it.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_port(JNIEnv *env, jclass cls, jbyteArray packet)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, packet, NULL);
    if (data == NULL)
        return -1;
    const jbyte *port = data + 2;
    (*env)->ReleaseByteArrayElements(env, packet, data, JNI_ABORT);
    return port[0] * 256 + port[1]; // expect: buffer-use-after-release
}

// Returned, as a number that Java will hand in again.
JNIEXPORT jlong JNICALL
Java_org_example_net_Host_address(JNIEnv *env, jclass cls, jbyteArray packet)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, packet, NULL);
    if (data == NULL)
        return 0;
    (*env)->ReleaseByteArrayElements(env, packet, data, 0);
    return (jlong)(intptr_t)data; // expect: buffer-use-after-release
}

// A helper that returns what it has just released.
static const char *textOf(JNIEnv *env, jstring s)
{
    const char *text = (*env)->GetStringUTFChars(env, s, NULL);
    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, s, text);
    return text; // expect: buffer-use-after-release
}

// Released in the first turn, read in the second.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_sum(JNIEnv *env, jclass cls, jshortArray values, jint count)
{
    jint sum = 0;
    (void)cls;
    jshort *data = (*env)->GetShortArrayElements(env, values, NULL);
    if (data == NULL)
        return 0;
    jint i = 0;
    do {
        sum += data[i]; // expect: buffer-use-after-release
        (*env)->ReleaseShortArrayElements(env, values, data, JNI_ABORT);
    } while (++i < count && sum < 1000);
    return sum;
}

// Given to Java for a new string.
JNIEXPORT jstring JNICALL
Java_org_example_net_Host_copy(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return NULL;
    (*env)->ReleaseStringUTFChars(env, text, chars);
    return (*env)->NewStringUTF(env, chars); // expect: buffer-use-after-release
}

// Kept in a struct that lives on.
JNIEXPORT jint JNICALL
Java_org_example_net_Host_setName(JNIEnv *env, jclass cls, jlong handle, jstring text)
{
    struct name *n = (struct name *)(intptr_t)handle;
    (void)cls;
    n->text = (*env)->GetStringUTFChars(env, text, NULL);
    if (n->text == NULL)
        return -1;
    (*env)->ReleaseStringUTFChars(env, text, n->text);
    n->length = strlen(n->text); // expect: buffer-use-after-release
    return textOf(env, text) != NULL;
}

// ---- helpers

static void releaseText(JNIEnv *env, jstring text, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, text, chars);
}

// Released by a helper, read by its caller.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_initial(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    releaseText(env, text, chars);
    return chars[0]; // expect: buffer-use-after-release
}
