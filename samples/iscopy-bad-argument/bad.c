// SPDX-License-Identifier: Apache-2.0
//
// `isCopy` is where the call says whether it made a copy: the address of a jboolean, or NULL. Given
// a number, the call writes to that address. The finding is at the acquisition.

#include <jni.h>

#define WANT_COPY ((jboolean *)1)

int parse(const jbyte *data, jint length);
void print_text(const char *text);

// "Yes, a copy please."
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, (jboolean *)JNI_TRUE); // expect: iscopy-bad-argument
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT);
    return result;
}

// The same, hidden behind a name.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, WANT_COPY); // expect: iscopy-bad-argument
    if (text == NULL)
        return;
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

// Through a variable.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_first(JNIEnv *env, jclass cls, jintArray values)
{
    void *copy = (void *)JNI_TRUE;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, values, copy); // expect: iscopy-bad-argument
    if (data == NULL)
        return -1;
    jint first = data[0];
    (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT);
    return first;
}

// Any other number is no better.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringChars(env, name, (jboolean *)-1L); // expect: iscopy-bad-argument
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    (*env)->ReleaseStringChars(env, name, chars);
    return hash;
}
