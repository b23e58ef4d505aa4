// SPDX-License-Identifier: Apache-2.0
//
// Buffers that are too small for the characters of some string: sized in the wrong unit, without
// the terminator, or not sized by the string at all. The finding is at the allocation, or at the call
// that fills a buffer of fixed size.

#include <jni.h>
#include <stdlib.h>
#include <string.h>

void print_text(const char *text);
void print_chars(const jchar *text, jsize length);

// UTF-16 units are no bytes of UTF-8.
JNIEXPORT void JNICALL
Java_org_example_text_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    char *text = malloc((size_t)length + 1); // expect: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringUTFRegion(env, name, 0, length, text);
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
    free(text);
}

// The right length, but the terminator has no room.
JNIEXPORT void JNICALL
Java_org_example_text_Names_show(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize bytes = (*env)->GetStringUTFLength(env, name);
    char *text = malloc((size_t)bytes); // expect: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringUTFRegion(env, name, 0, (*env)->GetStringLength(env, name), text);
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
    free(text);
}

// The same, terminated by hand.
JNIEXPORT void JNICALL
Java_org_example_text_Names_store(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize bytes = (*env)->GetStringUTFLength(env, name);
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return;
    char *text = malloc((size_t)bytes); // expect: string-length-mismatch
    if (text != NULL) {
        memcpy(text, chars, (size_t)bytes);
        text[bytes] = '\0';
        print_text(text);
        free(text);
    }
    (*env)->ReleaseStringUTFChars(env, name, chars);
}

// Copied as a C string into memory for the UTF-16 units.
JNIEXPORT jlong JNICALL
Java_org_example_text_Names_keep(JNIEnv *env, jclass cls, jstring name)
{
    char *copy;
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return 0;
    // expect-next: string-length-mismatch
    copy = calloc((size_t)(*env)->GetStringLength(env, name) + 1, 1);
    if (copy != NULL)
        strcpy(copy, chars);
    (*env)->ReleaseStringUTFChars(env, name, chars);
    return (jlong)(size_t)copy;
}

// Half of what the characters need.
JNIEXPORT void JNICALL
Java_org_example_text_Names_draw(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    jchar *text = malloc((size_t)length); // expect: string-length-mismatch
    if (text == NULL)
        return;
    (*env)->GetStringRegion(env, name, 0, length, text);
    if (!(*env)->ExceptionCheck(env))
        print_chars(text, length);
    free(text);
}

// A fixed buffer, and nobody looks how long the string is.
JNIEXPORT void JNICALL
Java_org_example_text_Names_label(JNIEnv *env, jclass cls, jstring name)
{
    char text[64];
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    (*env)->GetStringUTFRegion(env, name, 0, length, text); // expect: string-length-mismatch
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
}

// The same with strcpy.
JNIEXPORT void JNICALL
Java_org_example_text_Names_title(JNIEnv *env, jclass cls, jstring name)
{
    char text[128] = "name: ";
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return;
    strcpy(text + 6, chars); // expect: string-length-mismatch
    (*env)->ReleaseStringUTFChars(env, name, chars);
    print_text(text);
}

// The length is compared, but in the wrong unit.
JNIEXPORT void JNICALL
Java_org_example_text_Names_badge(JNIEnv *env, jclass cls, jstring name)
{
    char text[64];
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    if (length >= (jsize)sizeof text)
        return;
    (*env)->GetStringUTFRegion(env, name, 0, length, text); // expect: string-length-mismatch
    if (!(*env)->ExceptionCheck(env))
        print_text(text);
}

// Characters of UTF-16 in a fixed buffer.
JNIEXPORT void JNICALL
Java_org_example_text_Names_paint(JNIEnv *env, jclass cls, jstring name)
{
    jchar text[32];
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    (*env)->GetStringRegion(env, name, 0, length, text); // expect: string-length-mismatch
    if (!(*env)->ExceptionCheck(env))
        print_chars(text, length);
}
