// SPDX-License-Identifier: Apache-2.0
//
// UTF-16 characters with their number, and UTF-8 ones, which end in a 0.

#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int put_utf16(const jchar *chars, jsize length);

// The loop knows where to stop.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_hash(JNIEnv *env, jclass cls, jstring text)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, text);
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i]; // ok: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return hash;
}

// Copied by length, and terminated in the copy.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_copy(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, text);
    jchar *copy = calloc((size_t)length + 1, sizeof *copy);
    if (copy == NULL)
        return -1;
    const jchar *chars = (*env)->GetStringCritical(env, text, NULL);
    if (chars == NULL) {
        free(copy);
        return -1;
    }
    memcpy(copy, chars, (size_t)length * sizeof *copy); // ok: string-not-terminated
    (*env)->ReleaseStringCritical(env, text, chars);
    jint first = copy[0];
    free(copy);
    return first;
}

// With a length of its own.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Wide_isRoot(JNIEnv *env, jclass cls, jstring text)
{
    static const jchar root[] = {'/'};
    (void)cls;
    jsize length = (*env)->GetStringLength(env, text);
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return JNI_FALSE;
    jboolean same = length == 1 && memcmp(chars, root, sizeof root) == 0; // ok: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return same;
}

// A precision says how far to read; a single character and the address need no end.
JNIEXPORT void JNICALL
Java_org_example_text_Wide_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, text);
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return;
    printf("%.*s\n", (int)length, (const char *)chars);  // ok: string-not-terminated
    printf("%p %s\n", (const void *)chars, "is where");  // ok: string-not-terminated
    if (length > 0)
        printf("begins with %d\n", (int)chars[0]); // ok: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
}

// GetStringUTFChars terminates.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_toNumber(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    size_t length = strlen(chars);                   // ok: string-not-terminated
    jint number = length > 0 ? (jint)atoi(chars) : -1; // ok: string-not-terminated
    (*env)->ReleaseStringUTFChars(env, text, chars);
    return number;
}

// A function of the project gets both.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_put(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, text);
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    jint status = put_utf16(chars, length); // ok: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return status;
}

// The elements of an array are numbers, not a string.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_name(JNIEnv *env, jclass cls, jbyteArray name)
{
    (void)cls;
    jbyte *bytes = (*env)->GetByteArrayElements(env, name, NULL);
    if (bytes == NULL)
        return -1;
    jint length = (jint)strlen((const char *)bytes); // ok: string-not-terminated
    (*env)->ReleaseByteArrayElements(env, name, bytes, JNI_ABORT);
    return length;
}
