// SPDX-License-Identifier: Apache-2.0
//
// Releases that cannot be given NULL, or of which nothing is known.

#include <jni.h>
#include <stdlib.h>

struct request {
    jstring path;
    const char *name;
};

int parse(const jbyte *data, jint length);
int open_file(const char *path);
int rename_file(const char *from, const char *to);
void print_text(const char *text);

#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (value);                                                                        \
    } while (0)
#define RELEASE_CHARS(env, string, chars)                                                          \
    do {                                                                                           \
        if (chars)                                                                                 \
            (*(env))->ReleaseStringUTFChars((env), (string), (chars));                             \
    } while (0)

// One label, a guard for each buffer.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_compare(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jint result = -1;
    jbyte *first = NULL, *second = NULL;
    (void)cls;
    if ((first = (*env)->GetByteArrayElements(env, a, NULL)) == NULL)
        goto out;
    if ((second = (*env)->GetByteArrayElements(env, b, NULL)) == NULL)
        goto out;
    result = parse(first, length) - parse(second, length);
out:
    if (second != NULL)
        (*env)->ReleaseByteArrayElements(env, b, second, JNI_ABORT); // ok: buffer-release-null
    if (first != NULL)
        (*env)->ReleaseByteArrayElements(env, a, first, JNI_ABORT); // ok: buffer-release-null
    return result;
}

// The guard is the array, as it is at the acquisition.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jint result = -1;
    jbyte *data = NULL;
    (void)cls;
    if (input) {
        data = (*env)->GetByteArrayElements(env, input, NULL);
        CHECK_NULL_RETURN(data, -1);
    }
    result = parse(data, length);
    if (input)
        (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT); // ok: buffer-release-null
    return result;
}

// The same under a number and a flag.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_scan(JNIEnv *env, jclass cls, jintArray marks, jint count)
{
    jint *values = NULL;
    jint sum = 0;
    int held = 0;
    (void)cls;
    if (count > 0) {
        values = (*env)->GetIntArrayElements(env, marks, NULL);
        if (values == NULL)
            return -1;
        held = 1;
    }
    for (jint i = 0; i < count; i++)
        sum += values[i];
    if (held)
        (*env)->ReleaseIntArrayElements(env, marks, values, JNI_ABORT); // ok: buffer-release-null
    return sum;
}

// Tested in a macro that releases.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int status = -1;
    (void)cls;
    const char *source = from ? (*env)->GetStringUTFChars(env, from, NULL) : NULL;
    const char *target = to ? (*env)->GetStringUTFChars(env, to, NULL) : NULL;
    if (source && target)
        status = rename_file(source, target);
    RELEASE_CHARS(env, to, target);   // ok: buffer-release-null
    RELEASE_CHARS(env, from, source); // ok: buffer-release-null
    return status;
}

// Nobody has tested the parameter: nothing says that it can be NULL.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    CHECK_NULL_RETURN(name, -1);
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name); // ok: buffer-release-null
    return fd;
}

// What the caller's struct holds is the caller's to know.
void end_request(JNIEnv *env, struct request *request)
{
    (*env)->ReleaseStringUTFChars(env, request->path, request->name); // ok: buffer-release-null
    request->name = NULL;
}

// A table that begins as zeros and is filled before it is emptied.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jobjectArray names)
{
    jstring strings[4];
    const char *texts[4] = {NULL};
    jsize filled = 0;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count && i < 4; i++) {
        strings[i] = (jstring)(*env)->GetObjectArrayElement(env, names, i);
        if (strings[i] == NULL)
            break;
        texts[i] = (*env)->GetStringUTFChars(env, strings[i], NULL);
        if (texts[i] == NULL)
            break;
        print_text(texts[i]);
        filled++;
    }
    for (jsize i = 0; i < filled; i++)
        (*env)->ReleaseStringUTFChars(env, strings[i], texts[i]); // ok: buffer-release-null
}

// free(NULL) is another matter.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_copy(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jint result = -1;
    jbyte *copy = NULL;
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, NULL);
    if (data == NULL)
        goto out;
    copy = malloc((size_t)length);
    if (copy != NULL)
        result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT); // ok: buffer-release-null
out:
    free(copy); // ok: buffer-release-null
    return result;
}
