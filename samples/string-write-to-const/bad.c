// SPDX-License-Identifier: Apache-2.0
//
// Characters of a Java string that are written to. Strings never change; the memory may be the
// string's own, or a copy that others are given as well. The finding is at the first store.

#include <ctype.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>

int open_file(const char *path);
void print_text(const char *text);

// The cast takes away what the compiler would have said.
JNIEXPORT void JNICALL
Java_org_example_text_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    char *text = (char *)(*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL)
        return;
    for (char *p = text; *p != '\0'; p++)
        *p = (char)toupper((unsigned char)*p); // expect: string-write-to-const
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

// Cut off at a dot, for the length of a call.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_openStem(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    size_t length = strlen(name);
    if (length > 4)
        ((char *)name)[length - 4] = '\0'; // expect: string-write-to-const
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// strtok writes where it cuts.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_count(JNIEnv *env, jclass cls, jstring list)
{
    jint count = 0;
    (void)cls;
    char *text = (char *)(*env)->GetStringUTFChars(env, list, NULL);
    if (text == NULL)
        return -1;
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ",")) // expect: string-write-to-const
        count++;
    (*env)->ReleaseStringUTFChars(env, list, text);
    return count;
}

// UTF-16, in place.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    jchar *chars = (jchar *)(*env)->GetStringChars(env, name, NULL);
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++) {
        chars[i] |= 0x20; // expect: string-write-to-const
        hash = hash * 31 + chars[i];
    }
    (*env)->ReleaseStringChars(env, name, chars);
    return hash;
}

// In a critical region it is the string itself, more often than not.
JNIEXPORT void JNICALL
Java_org_example_text_Names_wipe(JNIEnv *env, jclass cls, jstring secret)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, secret);
    const jchar *chars = (*env)->GetStringCritical(env, secret, NULL);
    if (chars == NULL)
        return;
    memset((void *)chars, 0, (size_t)length * sizeof *chars); // expect: string-write-to-const
    (*env)->ReleaseStringCritical(env, secret, chars);
}

// Two stores, one finding; and a JNI function that fills the memory of another string.
JNIEXPORT void JNICALL
Java_org_example_text_Names_overlay(JNIEnv *env, jclass cls, jstring base, jstring top)
{
    (void)cls;
    jsize length = (*env)->GetStringUTFLength(env, base);
    char *text = (char *)(*env)->GetStringUTFChars(env, base, NULL);
    if (text == NULL)
        return;
    if (length > 8) {
        (*env)->GetStringUTFRegion(env, top, 0, 2, text); // expect: string-write-to-const
        if (!(*env)->ExceptionCheck(env))
            text[2] = ' ';
    }
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, base, text);
}

// Appended to: too long as well.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_openText(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    char *name = (char *)(*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    strcat(name, ".txt"); // expect: string-write-to-const
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}
