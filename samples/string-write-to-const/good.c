// SPDX-License-Identifier: Apache-2.0
//
// Characters that are read, copied, and written to in the copy.

#include <ctype.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    char token[32];
    size_t used;
};

int open_file(const char *path);
int scan(char *text);
void print_text(const char *text);

// A copy on the heap.
JNIEXPORT void JNICALL
Java_org_example_text_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL)
        return;
    char *copy = strdup(text); // ok: string-write-to-const
    (*env)->ReleaseStringUTFChars(env, name, text);
    if (copy == NULL)
        return;
    for (char *p = copy; *p != '\0'; p++)
        *p = (char)toupper((unsigned char)*p); // ok: string-write-to-const
    print_text(copy);
    free(copy);
}

// A copy on the stack, by the function that makes one.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_openStem(JNIEnv *env, jclass cls, jstring path)
{
    char name[256];
    (void)cls;
    jsize bytes = (*env)->GetStringUTFLength(env, path);
    jsize length = (*env)->GetStringLength(env, path);
    if (bytes <= 4 || bytes >= (jsize)sizeof name)
        return -1;
    (*env)->GetStringUTFRegion(env, path, 0, length, name); // ok: string-write-to-const
    if ((*env)->ExceptionCheck(env))
        return -1;
    name[bytes - 4] = '\0'; // ok: string-write-to-const
    return open_file(name);
}

// The pointer moves, what it points to stays.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_count(JNIEnv *env, jclass cls, jstring list)
{
    jint count = 0;
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, list, NULL);
    if (text == NULL)
        return -1;
    for (const char *p = text; *p != '\0'; p++) // ok: string-write-to-const
        count += *p == ',';
    (*env)->ReleaseStringUTFChars(env, list, text);
    return count;
}

// From the string into an array, which is there to be written.
JNIEXPORT void JNICALL
Java_org_example_text_Names_fill(JNIEnv *env, jclass cls, jstring name, jcharArray target)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    jsize room = (*env)->GetArrayLength(env, target);
    jchar *to = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (to == NULL)
        return;
    const jchar *from = (*env)->GetStringCritical(env, name, NULL);
    if (from != NULL) {
        memcpy(to, from, (size_t)(length < room ? length : room) * sizeof *to); // ok: string-write-to-const
        to[0] = (jchar)(from[0] | 0x20); // ok: string-write-to-const
        (*env)->ReleaseStringCritical(env, name, from);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, target, to, 0);
}

// What is stored is the pointer, next to memory that is the function's own.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_firstWord(JNIEnv *env, jclass cls, jstring line)
{
    struct parser parser = {.used = 0};
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, line, NULL);
    if (text == NULL)
        return -1;
    parser.at = text;
    while (*parser.at != '\0' && *parser.at != ' ' && parser.used + 1 < sizeof parser.token)
        parser.token[parser.used++] = *parser.at++; // ok: string-write-to-const
    parser.token[parser.used] = '\0';
    print_text(parser.token);
    (*env)->ReleaseStringUTFChars(env, line, text);
    return (jint)parser.used;
}

// One pointer for two memories: the copy when there is one.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_openText(JNIEnv *env, jclass cls, jstring path)
{
    char buffer[512];
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    snprintf(buffer, sizeof buffer, "%s.txt", name); // ok: string-write-to-const
    (*env)->ReleaseStringUTFChars(env, path, name);
    char *text = buffer;
    text[0] = '/'; // ok: string-write-to-const
    return open_file(text);
}

// What a function of another library does with it is not known; its parameter may lack the const.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_scan(JNIEnv *env, jclass cls, jstring line)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, line, NULL);
    if (text == NULL)
        return -1;
    jint found = scan((char *)text); // ok: string-write-to-const
    (*env)->ReleaseStringUTFChars(env, line, text);
    return found;
}
