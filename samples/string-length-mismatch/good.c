// SPDX-License-Identifier: Apache-2.0
//
// Buffers with room for every string, or for those that are let through.

#include <jni.h>
#include <stdlib.h>
#include <string.h>

void print_text(const char *text);
void print_chars(const jchar *text, jsize length);

JNIEXPORT void JNICALL
Java_org_example_text_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    jsize bytes = (*env)->GetStringUTFLength(env, name);
    char *text = malloc((size_t)bytes + 1); // ok: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringUTFRegion(env, name, 0, length, text);
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
    free(text);
}

// Three bytes for each unit are always enough.
JNIEXPORT void JNICALL
Java_org_example_text_Names_show(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    char *text = malloc(3 * (size_t)length + 1); // ok: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringUTFRegion(env, name, 0, length, text);
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
    free(text);
}

// No terminator is needed where the length goes along.
JNIEXPORT void JNICALL
Java_org_example_text_Names_draw(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    jchar *text = malloc((size_t)length * sizeof *text); // ok: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringRegion(env, name, 0, length, text);
    if (!(*env)->ExceptionCheck(env))
        print_chars(text, length);
    free(text);
}

// The length in bytes decides.
JNIEXPORT void JNICALL
Java_org_example_text_Names_label(JNIEnv *env, jclass cls, jstring name)
{
    char text[64];
    (void)cls;
    if ((*env)->GetStringUTFLength(env, name) >= (jsize)sizeof text)
        return;
    // ok: string-length-mismatch
    (*env)->GetStringUTFRegion(env, name, 0, (*env)->GetStringLength(env, name), text);
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
}

// As much as fits, whatever the characters are.
JNIEXPORT void JNICALL
Java_org_example_text_Names_short(JNIEnv *env, jclass cls, jstring name)
{
    char text[64];
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    if (length > 21)
        length = 21;
    (*env)->GetStringUTFRegion(env, name, 0, length, text); // ok: string-length-mismatch
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
}

// strlen, on the characters themselves.
JNIEXPORT jlong JNICALL
Java_org_example_text_Names_keep(JNIEnv *env, jclass cls, jstring name)
{
    char text[128];
    char *copy = NULL;
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return 0;
    if (strlen(chars) < sizeof text) {
        strcpy(text, chars); // ok: string-length-mismatch
        print_text(text);
    } else {
        copy = malloc(strlen(chars) + 1); // ok: string-length-mismatch
        if (copy != NULL)
            strcpy(copy, chars);
    }
    (*env)->ReleaseStringUTFChars(env, name, chars);
    return (jlong)(size_t)copy;
}

// Bounded copies.
JNIEXPORT void JNICALL
Java_org_example_text_Names_title(JNIEnv *env, jclass cls, jstring name)
{
    char text[32];
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return;
    strncpy(text, chars, sizeof text - 1); // ok: string-length-mismatch
    text[sizeof text - 1] = '\0';
    (*env)->ReleaseStringUTFChars(env, name, chars);
    print_text(text);
}

// Its model says that it is the length.
size_t text_length(const char *text);

JNIEXPORT void JNICALL
Java_org_example_text_Names_measure(JNIEnv *env, jclass cls, jstring name)
{
    char text[64];
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return;
    if (text_length(chars) < sizeof text) {
        strcpy(text, chars); // ok: string-length-mismatch
        print_text(text);
    }
    (*env)->ReleaseStringUTFChars(env, name, chars);
}
