// SPDX-License-Identifier: Apache-2.0
//
// Release functions that are given NULL: the code itself says so, by a literal, an initialiser or
// its own test. There is nothing to release, and no virtual machine has to expect it. The finding
// is at the release.

#include <jni.h>

int parse(const jbyte *data, jint length);
int open_file(const char *path);
void print_text(const char *text);

// The label is shared by the failures, the release is not guarded.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_compare(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jint result = -1;
    jbyte *first = NULL, *second = NULL;
    (void)cls;
    first = (*env)->GetByteArrayElements(env, a, NULL);
    if (first == NULL)
        goto out;
    second = (*env)->GetByteArrayElements(env, b, NULL);
    if (second == NULL)
        goto out;
    result = parse(first, length) - parse(second, length);
out:
    (*env)->ReleaseByteArrayElements(env, b, second, JNI_ABORT); // expect: buffer-release-null
    if (first != NULL)
        (*env)->ReleaseByteArrayElements(env, a, first, JNI_ABORT);
    return result;
}

// An optional string: acquired under a condition, released in any case.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    const char *name = NULL;
    (void)cls;
    if (path != NULL) {
        name = (*env)->GetStringUTFChars(env, path, NULL);
        if (name == NULL)
            return -1;
    }
    int fd = open_file(name != NULL ? name : "/");
    (*env)->ReleaseStringUTFChars(env, path, name); // expect: buffer-release-null
    return fd;
}

// The test has its branches the wrong way round.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL) {
        (*env)->ReleaseStringUTFChars(env, name, text); // expect: buffer-release-null
        return;
    }
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

// The string was thought to be unimportant.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_printLine(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL)
        return;
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, NULL, text); // expect: buffer-release-null
}

// Reset too early.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name, jint seed)
{
    (void)cls;
    const jchar *chars = NULL;
    if (seed > 0) {
        jsize length = (*env)->GetStringLength(env, name);
        chars = (*env)->GetStringChars(env, name, NULL);
        if (chars == NULL)
            return 0;
        for (jsize i = 0; i < length; i++)
            seed = seed * 31 + chars[i];
        (*env)->ReleaseStringChars(env, name, chars);
        chars = NULL;
    }
    (*env)->ReleaseStringChars(env, name, chars); // expect: buffer-release-null
    return seed;
}
