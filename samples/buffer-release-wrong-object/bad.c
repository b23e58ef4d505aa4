// SPDX-License-Identifier: Apache-2.0
//
// Memory given back with an array or a string that it did not come from. The copy goes back
// into the wrong array, or a virtual machine that counts its pins unpins the wrong object. The
// finding is at the release.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int put_entry(const char *key, const char *value);
int convert(jbyte *target, const jbyte *source, jsize length);

#define RELEASE_UTF(env, string, chars)                                                            \
    do {                                                                                           \
        if ((chars) != NULL)                                                                       \
            (*(env))->ReleaseStringUTFChars((env), (string), (chars));                             \
    } while (0)

// Copied from the line above, and half edited.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_put(JNIEnv *env, jclass cls, jstring key, jstring value)
{
    int status;
    (void)cls;
    const char *keyChars = (*env)->GetStringUTFChars(env, key, NULL);
    if (keyChars == NULL)
        return -1;
    const char *valueChars = (*env)->GetStringUTFChars(env, value, NULL);
    if (valueChars == NULL) {
        (*env)->ReleaseStringUTFChars(env, key, keyChars);
        return -1;
    }
    status = put_entry(keyChars, valueChars);
    (*env)->ReleaseStringUTFChars(env, key, keyChars);
    (*env)->ReleaseStringUTFChars(env, key, valueChars); // expect: buffer-release-wrong-object
    return status;
}

// Swapped: what was written to the target goes into the source.
JNIEXPORT jint JNICALL
Java_org_example_map_Codec_convert(JNIEnv *env, jclass cls, jbyteArray target, jbyteArray source)
{
    jint status = -1;
    jbyte *to = NULL;
    jbyte *from = NULL;
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, source);
    to = (*env)->GetByteArrayElements(env, target, NULL);
    if (to == NULL)
        goto out;
    from = (*env)->GetByteArrayElements(env, source, NULL);
    if (from == NULL)
        goto release;
    status = convert(to, from, length);
    (*env)->ReleaseByteArrayElements(env, source, to, 0); // expect: buffer-release-wrong-object
    (*env)->ReleaseByteArrayElements(env, target, from, JNI_ABORT); // expect: buffer-release-wrong-object
    return status;
release:
    (*env)->ReleaseByteArrayElements(env, target, to, JNI_ABORT);
out:
    return status;
}

// A fresh array cannot be the argument.
JNIEXPORT jintArray JNICALL
Java_org_example_map_Codec_doubled(JNIEnv *env, jclass cls, jintArray numbers)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, numbers);
    jintArray result = (*env)->NewIntArray(env, length);
    if (result == NULL)
        return NULL;
    jint *values = (*env)->GetIntArrayElements(env, numbers, NULL);
    if (values == NULL)
        return NULL;
    for (jsize i = 0; i < length; i++)
        values[i] *= 2;
    (*env)->ReleaseIntArrayElements(env, result, values, 0); // expect: buffer-release-wrong-object
    return result;
}

// Two fresh arrays.
JNIEXPORT jlongArray JNICALL
Java_org_example_map_Codec_ramp(JNIEnv *env, jclass cls, jint length)
{
    jlongArray scratch, result;
    (void)cls;
    if ((scratch = (*env)->NewLongArray(env, length)) == NULL)
        return NULL;
    if ((result = (*env)->NewLongArray(env, length)) == NULL)
        return NULL;
    jlong *values = (*env)->GetLongArrayElements(env, result, NULL);
    if (values == NULL)
        return NULL;
    for (jint i = 0; i < length; i++)
        values[i] = (jlong)i * i;
    (*env)->ReleaseLongArrayElements(env, scratch, values, 0); // expect: buffer-release-wrong-object
    return result;
}

// Right at the end, wrong on the way out of an error.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_check(JNIEnv *env, jclass cls, jstring name, jstring scope)
{
    (void)cls;
    const jchar *chars = (*env)->GetStringChars(env, name, NULL);
    if (chars == NULL)
        return -1;
    if ((*env)->GetStringLength(env, scope) == 0) {
        (*env)->ReleaseStringChars(env, scope, chars); // expect: buffer-release-wrong-object
        return -1;
    }
    jint first = chars[0];
    (*env)->ReleaseStringChars(env, name, chars);
    return first;
}

// Through a macro, at a cleanup label.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    jint status = -1;
    const char *source = NULL;
    const char *target = NULL;
    (void)cls;
    source = (*env)->GetStringUTFChars(env, from, NULL);
    if (source == NULL)
        goto cleanup;
    target = (*env)->GetStringUTFChars(env, to, NULL);
    if (target == NULL)
        goto cleanup;
    status = put_entry(source, target);
cleanup:
    RELEASE_UTF(env, from, target); // expect: buffer-release-wrong-object
    RELEASE_UTF(env, from, source);
    return status;
}

// The variable has moved on to the next string when the characters go back.
JNIEXPORT jint JNICALL
Java_org_example_map_Table_firstOf(JNIEnv *env, jclass cls, jstring first, jstring second)
{
    jstring current = first;
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, current, NULL);
    if (chars == NULL)
        return -1;
    jint result = chars[0];
    current = second;
    if (result == 0)
        result = (*env)->GetStringLength(env, current);
    (*env)->ReleaseStringUTFChars(env, current, chars); // expect: buffer-release-wrong-object
    return result;
}

// ---- helpers

static void releaseText(JNIEnv *env, jstring text, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, text, chars);
}

// Two strings, released crosswise by a helper.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_differ(JNIEnv *env, jclass cls, jstring a, jstring b)
{
    (void)cls;
    const char *first = (*env)->GetStringUTFChars(env, a, NULL);
    if (first == NULL)
        return -1;
    const char *second = (*env)->GetStringUTFChars(env, b, NULL);
    if (second == NULL) {
        releaseText(env, a, first);
        return -1;
    }
    jint differ = first[0] != second[0];
    releaseText(env, a, second); // expect: buffer-release-wrong-object
    releaseText(env, b, first);  // expect: buffer-release-wrong-object
    return differ;
}
