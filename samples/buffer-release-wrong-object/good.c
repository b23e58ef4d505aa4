// SPDX-License-Identifier: Apache-2.0
//
// Releases with the right object that a comparison of variable names would take for wrong ones:
// another variable, another reference, or another fetch of the same object; a choice that is
// made twice.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    jstring key;
    const char *keyChars;
    jstring value;
    const char *valueChars;
};

static jfieldID gName; // String name
static jfieldID gData; // byte[] data

int put_entry(const char *key, const char *value);
int convert(jbyte *target, const jbyte *source, jsize length);
void print_text(const char *text);

#define GET_UTF(env, string) (*(env))->GetStringUTFChars((env), (string), NULL)
#define RELEASE_UTF(env, string, chars)                                                            \
    do {                                                                                           \
        if ((chars) != NULL)                                                                       \
            (*(env))->ReleaseStringUTFChars((env), (string), (chars));                             \
    } while (0)

JNIEXPORT jint JNICALL
Java_org_example_map_Table_put(JNIEnv *env, jclass cls, jstring key, jstring value)
{
    struct entry entry = {.key = key, .value = value};
    int status = -1;
    (void)cls;
    entry.keyChars = GET_UTF(env, entry.key);
    if (entry.keyChars == NULL)
        return -1;
    entry.valueChars = GET_UTF(env, entry.value);
    if (entry.valueChars != NULL)
        status = put_entry(entry.keyChars, entry.valueChars);
    RELEASE_UTF(env, entry.value, entry.valueChars); // ok: buffer-release-wrong-object
    RELEASE_UTF(env, entry.key, entry.keyChars); // ok: buffer-release-wrong-object
    return status;
}

// Another variable for the same reference.
JNIEXPORT jint JNICALL
Java_org_example_map_Codec_convert(JNIEnv *env, jclass cls, jbyteArray target, jbyteArray source)
{
    jint status = -1;
    jbyteArray input = source;
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, source);
    jbyte *from = (*env)->GetByteArrayElements(env, source, NULL);
    if (from == NULL)
        return -1;
    jbyte *to = (*env)->GetByteArrayElements(env, target, NULL);
    if (to != NULL) {
        status = convert(to, from, length);
        (*env)->ReleaseByteArrayElements(env, target, to, 0); // ok: buffer-release-wrong-object
    }
    (*env)->ReleaseByteArrayElements(env, input, from, JNI_ABORT); // ok: buffer-release-wrong-object
    return status;
}

// Another reference to the same object.
JNIEXPORT void JNICALL
Java_org_example_map_Table_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jstring copy = (jstring)(*env)->NewLocalRef(env, name);
    if (copy == NULL)
        return;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text != NULL) {
        print_text(text);
        (*env)->ReleaseStringUTFChars(env, copy, text); // ok: buffer-release-wrong-object
    }
    (*env)->DeleteLocalRef(env, copy);
}

// The same through a global reference.
JNIEXPORT void JNICALL
Java_org_example_map_Table_printGlobal(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jstring global = (jstring)(*env)->NewGlobalRef(env, name);
    if (global == NULL)
        return;
    const jchar *chars = (*env)->GetStringChars(env, global, NULL);
    if (chars != NULL)
        (*env)->ReleaseStringChars(env, name, chars); // ok: buffer-release-wrong-object
    (*env)->DeleteGlobalRef(env, global);
}

// Fetched twice from the same field: it may well be the same string.
JNIEXPORT void JNICALL
Java_org_example_map_Entry_print(JNIEnv *env, jobject self)
{
    jstring name = (jstring)(*env)->GetObjectField(env, self, gName);
    if (name == NULL)
        return;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL)
        return;
    print_text(text);
    jstring again = (jstring)(*env)->GetObjectField(env, self, gName);
    (*env)->ReleaseStringUTFChars(env, again, text); // ok: buffer-release-wrong-object
}

// Fetched twice from an array.
JNIEXPORT void JNICALL
Java_org_example_map_Table_clear(JNIEnv *env, jclass cls, jobjectArray rows, jint index)
{
    (void)cls;
    jbyteArray row = (jbyteArray)(*env)->GetObjectArrayElement(env, rows, index);
    if ((*env)->ExceptionCheck(env) || row == NULL)
        return;
    jsize length = (*env)->GetArrayLength(env, row);
    jbyte *data = (*env)->GetByteArrayElements(env, row, NULL);
    if (data == NULL)
        return;
    memset(data, 0, (size_t)length);
    (*env)->DeleteLocalRef(env, row);
    row = (jbyteArray)(*env)->GetObjectArrayElement(env, rows, index);
    (*env)->ReleaseByteArrayElements(env, row, data, 0); // ok: buffer-release-wrong-object
}

// A choice, kept in a variable.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_length(JNIEnv *env, jclass cls, jstring first, jstring second, jboolean swap)
{
    jstring chosen = swap ? second : first;
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, chosen, NULL);
    if (text == NULL)
        return -1;
    jint length = (jint)strlen(text);
    (*env)->ReleaseStringUTFChars(env, chosen, text); // ok: buffer-release-wrong-object
    return length;
}

// The same choice, made twice.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_lengthTwice(JNIEnv *env, jclass cls, jstring first, jstring second,
                                       jboolean swap)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, swap ? second : first, NULL);
    if (text == NULL)
        return -1;
    jint length = (jint)strlen(text);
    (*env)->ReleaseStringUTFChars(env, swap ? second : first, text); // ok: buffer-release-wrong-object
    return length;
}

// Both variables are swapped, array and pointer alike.
JNIEXPORT jint JNICALL
Java_org_example_map_Codec_ordered(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jsize length)
{
    jint status = -1;
    (void)cls;
    jbyte *first = (*env)->GetByteArrayElements(env, a, NULL);
    if (first == NULL)
        return -1;
    jbyte *second = (*env)->GetByteArrayElements(env, b, NULL);
    if (second == NULL) {
        (*env)->ReleaseByteArrayElements(env, a, first, JNI_ABORT);
        return -1;
    }
    if (first[0] > second[0]) {
        jbyteArray array = a;
        jbyte *data = first;
        a = b;
        first = second;
        b = array;
        second = data;
    }
    status = convert(first, second, length);
    (*env)->ReleaseByteArrayElements(env, b, second, JNI_ABORT); // ok: buffer-release-wrong-object
    (*env)->ReleaseByteArrayElements(env, a, first, 0); // ok: buffer-release-wrong-object
    return status;
}

// One variable for string after string, each released before the next one is fetched.
JNIEXPORT void JNICALL
Java_org_example_map_Table_printAll(JNIEnv *env, jclass cls, jobjectArray names)
{
    jstring name;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
        if (name == NULL)
            continue;
        const char *text = (*env)->GetStringUTFChars(env, name, NULL);
        if (text != NULL) {
            print_text(text);
            (*env)->ReleaseStringUTFChars(env, name, text); // ok: buffer-release-wrong-object
        }
        (*env)->DeleteLocalRef(env, name);
        if (text == NULL)
            return;
    }
}

// A helper that is given both.
static void releaseEntry(JNIEnv *env, struct entry *entry)
{
    (*env)->ReleaseStringUTFChars(env, entry->value, entry->valueChars); // ok: buffer-release-wrong-object
    (*env)->ReleaseStringUTFChars(env, entry->key, entry->keyChars); // ok: buffer-release-wrong-object
}

JNIEXPORT void JNICALL
Java_org_example_map_Table_remove(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    releaseEntry(env, (struct entry *)(intptr_t)handle);
}

// The array that the field holds, and the array that is passed on: one reference.
JNIEXPORT jint JNICALL
Java_org_example_map_Entry_first(JNIEnv *env, jobject self)
{
    jobject data = (*env)->GetObjectField(env, self, gData);
    if (data == NULL)
        return -1;
    jbyteArray array = data;
    jbyte *bytes = (*env)->GetByteArrayElements(env, array, NULL);
    if (bytes == NULL)
        return -1;
    jint first = bytes[0];
    (*env)->ReleaseByteArrayElements(env, (jbyteArray)data, bytes, JNI_ABORT); // ok: buffer-release-wrong-object
    return first;
}

// ---- helpers

static void releaseText(JNIEnv *env, jstring text, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, text, chars);
}

static void releaseOther(JNIEnv *env, const char *chars, jstring text)
{
    releaseText(env, text, chars);
}

JNIEXPORT jint JNICALL
Java_org_example_text_Text_differ(JNIEnv *env, jclass cls, jstring a, jstring b)
{
    (void)cls;
    const char *first = (*env)->GetStringUTFChars(env, a, NULL);
    if (first == NULL)
        return -1;
    const char *second = (*env)->GetStringUTFChars(env, b, NULL);
    jint differ = second != NULL && first[0] != second[0];
    releaseText(env, b, second); // ok: buffer-release-wrong-object
    releaseOther(env, first, a); // ok: buffer-release-wrong-object
    return differ;
}

struct pair {
    jstring text[2];
    const char *chars[2];
};

// The helper looks up which string it was.
static void releaseOf(JNIEnv *env, struct pair *pair, jstring text, const char *chars)
{
    int which = pair->chars[1] == chars;
    (*env)->ReleaseStringUTFChars(env, which ? pair->text[1] : text, chars);
}

JNIEXPORT jint JNICALL
Java_org_example_text_Text_second(JNIEnv *env, jclass cls, jstring a, jstring b)
{
    struct pair pair = {.text = {a, b}};
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, b, NULL);
    if (chars == NULL)
        return -1;
    pair.chars[1] = chars;
    jint first = chars[0];
    releaseOf(env, &pair, a, chars); // ok: buffer-release-wrong-object
    return first;
}
