// SPDX-License-Identifier: Apache-2.0
//
// UTF-16 characters taken for a C string. The specification gives GetStringChars and
// GetStringCritical no terminator: whoever looks for one reads on in the memory behind. The finding
// is at the call that looks.

#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// The length is there for the asking.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_length(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    jint length = (jint)wcslen((const wchar_t *)chars); // expect: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return length;
}

// Printed; on top of that a wchar_t has 32 bits on most systems.
JNIEXPORT void JNICALL
Java_org_example_text_Wide_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return;
    printf("%d: %ls\n", 1, (const wchar_t *)chars); // expect: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
}

// As bytes, from a critical region.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_toNumber(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const jchar *chars = (*env)->GetStringCritical(env, text, NULL);
    if (chars == NULL)
        return -1;
    jint number = atoi((const char *)chars); // expect: string-not-terminated
    (*env)->ReleaseStringCritical(env, text, chars);
    return number;
}

// A copy that is as long as chance has it, behind a prefix.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_copy(JNIEnv *env, jclass cls, jstring text)
{
    wchar_t buffer[256];
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    wcscpy(buffer, (const wchar_t *)chars + 1); // expect: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return (jint)buffer[0];
}

// Compared.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Wide_isRoot(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return JNI_FALSE;
    jboolean root = wcscmp(L"/", (const wchar_t *)chars) == 0; // expect: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return root;
}

// `%s` in the middle of others.
JNIEXPORT jint JNICALL
Java_org_example_text_Wide_format(JNIEnv *env, jclass cls, jstring text, jint width)
{
    char buffer[128];
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    int n = snprintf(buffer, sizeof buffer, "%5.1f%% %*s|", 0.5, (int)width, (const char *)chars); // expect: string-not-terminated
    (*env)->ReleaseStringChars(env, text, chars);
    return n;
}
