// SPDX-License-Identifier: Apache-2.0
//
// Array elements and string characters that some path does not give back. On most virtual
// machines that loses a copy in native memory; where the memory is pinned, the object cannot
// move any more. The finding is at the call that acquired the memory.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static jmethodID gOnData; // void onData(int)

int open_file(const char *path);
int rename_file(const char *from, const char *to);
int parse(const jbyte *data, jint length);
void print_text(const char *text);

#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (value);                                                                        \
    } while (0)
#define UTF_CHARS(env, string) ((*(env))->GetStringUTFChars((env), (string), NULL))

// An early return on failure.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // expect: buffer-unreleased
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (fd < 0)
        return -1;
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// The second string fails, the first one is forgotten.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int status;
    (void)cls;
    const char *source = UTF_CHARS(env, from); // expect: buffer-unreleased
    CHECK_NULL_RETURN(source, -1);
    const char *target = UTF_CHARS(env, to);
    CHECK_NULL_RETURN(target, -1);
    status = rename_file(source, target);
    (*env)->ReleaseStringUTFChars(env, to, target);
    (*env)->ReleaseStringUTFChars(env, from, source);
    return status;
}

// An exception of the callback leaves without the release.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_feed(JNIEnv *env, jobject self, jbyteArray input, jint count)
{
    jbyte *data = (*env)->GetByteArrayElements(env, input, NULL); // expect: buffer-unreleased
    if (data == NULL)
        return;
    for (jint i = 0; i < count; i++) {
        (*env)->CallVoidMethod(env, self, gOnData, (jint)data[i]);
        if ((*env)->ExceptionCheck(env))
            return;
    }
    (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT);
}

// Never released at all.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringChars(env, name, NULL); // expect: buffer-unreleased
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    return hash;
}

// One buffer a turn, and `continue` jumps over the release.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
        if (name == NULL)
            continue;
        const char *text = (*env)->GetStringUTFChars(env, name, NULL); // expect: buffer-unreleased
        if (text == NULL) {
            (*env)->DeleteLocalRef(env, name);
            return;
        }
        if (text[0] == '#') {
            (*env)->DeleteLocalRef(env, name);
            continue;
        }
        print_text(text);
        (*env)->ReleaseStringUTFChars(env, name, text);
        (*env)->DeleteLocalRef(env, name);
    }
}

// The pointer is overwritten by the second acquisition; one release, for the second string.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_printBoth(JNIEnv *env, jclass cls, jstring first, jstring second)
{
    const char *text;
    (void)cls;
    text = (*env)->GetStringUTFChars(env, first, NULL); // expect: buffer-unreleased
    if (text == NULL)
        return;
    print_text(text);
    text = (*env)->GetStringUTFChars(env, second, NULL);
    if (text == NULL)
        return;
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, second, text);
}

// The unwinding labels are in the wrong order: `release_b` was meant.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_compare(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jint result = 0;
    jbyte *first, *second;
    (void)cls;
    first = (*env)->GetByteArrayElements(env, a, NULL);
    if (first == NULL)
        goto out;
    second = (*env)->GetByteArrayElements(env, b, NULL); // expect: buffer-unreleased
    if (second == NULL)
        goto release_a;
    result = parse(first, length);
    if (result < 0)
        goto release_a;
    result -= parse(second, length);
    (*env)->ReleaseByteArrayElements(env, b, second, JNI_ABORT);
release_a:
    (*env)->ReleaseByteArrayElements(env, a, first, JNI_ABORT);
out:
    return result;
}

// Acquired under one condition, released under another one.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_scan(JNIEnv *env, jclass cls, jintArray marks, jint mode, jint limit)
{
    jint *values = NULL;
    jint found = 0;
    (void)cls;
    if (mode != 0) {
        values = (*env)->GetIntArrayElements(env, marks, NULL); // expect: buffer-unreleased
        if (values == NULL)
            return -1;
        found = values[0];
    }
    if (mode == 1 && limit > 0)
        (*env)->ReleaseIntArrayElements(env, marks, values, JNI_ABORT);
    return found;
}

// The copy is what outlives the call; the original is lost.
JNIEXPORT jlong JNICALL
Java_org_example_fs_Names_duplicate(JNIEnv *env, jclass cls, jstring name)
{
    char *copy = NULL;
    (void)cls;
    if (name != NULL) {
        const char *text = (*env)->GetStringUTFChars(env, name, NULL); // expect: buffer-unreleased
        if (text != NULL)
            copy = strdup(text);
    }
    return (jlong)(intptr_t)copy;
}

// ---- helpers

static int acquireName(JNIEnv *env, jstring name, const char **out)
{
    *out = (*env)->GetStringUTFChars(env, name, NULL);
    return *out != NULL ? 0 : -1;
}

static void releaseName(JNIEnv *env, jstring name, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, name, chars);
}

// Acquired by a helper, through an out-parameter.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_unlink(JNIEnv *env, jclass cls, jstring path)
{
    const char *name;
    (void)cls;
    if (acquireName(env, path, &name) != 0) // expect: buffer-unreleased
        return -1;
    int fd = open_file(name);
    if (fd < 0)
        return -1;
    releaseName(env, path, name);
    return fd;
}

struct bytes {
    jbyteArray array;
    jbyte *data;
    jsize length;
};

static jboolean openBytes(JNIEnv *env, struct bytes *b, jbyteArray array)
{
    b->array = array;
    b->length = (*env)->GetArrayLength(env, array);
    b->data = (*env)->GetByteArrayElements(env, array, NULL);
    return b->data != NULL;
}

static void closeBytes(JNIEnv *env, struct bytes *b)
{
    (*env)->ReleaseByteArrayElements(env, b->array, b->data, JNI_ABORT);
    b->data = NULL;
}

// Acquired by a helper, into a struct; its twin is not called for an empty array.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sum(JNIEnv *env, jclass cls, jbyteArray input)
{
    struct bytes in;
    (void)cls;
    if (!openBytes(env, &in, input)) // expect: buffer-unreleased
        return -1;
    if (in.length == 0)
        return 0;
    jint sum = parse(in.data, in.length);
    closeBytes(env, &in);
    return sum;
}

static int acquireBoth(JNIEnv *env, jstring from, jstring to, const char **source,
                       const char **target)
{
    *source = (*env)->GetStringUTFChars(env, from, NULL);
    if (*source == NULL)
        return -1;
    *target = (*env)->GetStringUTFChars(env, to, NULL);
    return *target == NULL ? -2 : 0;
}

// The helper fails half way; what it got by then is the caller's.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_move(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    const char *source, *target;
    (void)cls;
    if (acquireBoth(env, from, to, &source, &target) != 0) // expect: buffer-unreleased
        return -1;
    jint status = rename_file(source, target);
    releaseName(env, from, source);
    releaseName(env, to, target);
    return status;
}

// Unwinding through the helper, and one label too far.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_link(JNIEnv *env, jclass cls, jstring from, jstring to, jbyteArray mode)
{
    const char *source, *target;
    jbyte *bits;
    jint status = -1;
    (void)cls;
    if (acquireName(env, from, &source) != 0)
        goto out;
    if (acquireName(env, to, &target) != 0) // expect: buffer-unreleased
        goto out_source;
    bits = (*env)->GetByteArrayElements(env, mode, NULL);
    if (bits == NULL)
        goto out_source;
    status = parse(bits, 1) ? rename_file(source, target) : 0;
    (*env)->ReleaseByteArrayElements(env, mode, bits, JNI_ABORT);
    releaseName(env, to, target);
out_source:
    releaseName(env, from, source);
out:
    return status;
}

struct access {
    int (*open)(JNIEnv *env, jstring s, const char **out);
    void (*close)(JNIEnv *env, jstring s, const char *chars);
};

static const struct access utf = {.open = acquireName, .close = releaseName};

// The pair is reached through a constant struct.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_stat(JNIEnv *env, jclass cls, jstring path)
{
    const char *name;
    (void)cls;
    if (utf.open(env, path, &name) != 0) // expect: buffer-unreleased
        return -1;
    int fd = open_file(name);
    if (fd < 0)
        return -1;
    utf.close(env, path, name);
    return fd;
}

static jint firstByte(const struct bytes *b)
{
    return b->data[0];
}

// The struct is looked at by a function that changes nothing of it, and forgotten.
JNIEXPORT jint JNICALL
Java_org_example_zip_Zip_first(JNIEnv *env, jclass cls, jbyteArray array)
{
    struct bytes in;
    (void)cls;
    if (!openBytes(env, &in, array)) // expect: buffer-unreleased
        return -1;
    return firstByte(&in);
}

static void markEnd(struct bytes *b)
{
    b->length = 0;
}

// ... or by one that changes another field.
JNIEXPORT jint JNICALL
Java_org_example_zip_Zip_empty(JNIEnv *env, jclass cls, jbyteArray array)
{
    struct bytes in;
    (void)cls;
    if (!openBytes(env, &in, array)) // expect: buffer-unreleased
        return -1;
    markEnd(&in);
    return in.length;
}

// A helper allocates the struct, too, and its twin frees it.
struct session {
    jbyteArray array;
    jbyte *data;
};

static struct session *newSession(JNIEnv *env, jbyteArray array)
{
    struct session *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->array = array;
    s->data = (*env)->GetByteArrayElements(env, array, NULL);
    if (s->data == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

static void freeSession(JNIEnv *env, struct session *s)
{
    (*env)->ReleaseByteArrayElements(env, s->array, s->data, JNI_ABORT);
    free(s);
}

JNIEXPORT jint JNICALL
Java_org_example_zip_Zip_at(JNIEnv *env, jclass cls, jbyteArray array, jint i)
{
    (void)cls;
    struct session *s = newSession(env, array); // expect: buffer-unreleased
    if (s == NULL || i < 0)
        return -1;
    jint value = s->data[i];
    freeSession(env, s);
    return value;
}

// The memory itself is lost, and with it what it holds.
JNIEXPORT jint JNICALL
Java_org_example_zip_Zip_peek(JNIEnv *env, jclass cls, jbyteArray array, jint i)
{
    (void)cls;
    struct session *s = malloc(sizeof *s);
    if (s == NULL)
        return -1;
    s->array = array;
    s->data = (*env)->GetByteArrayElements(env, array, NULL); // expect: buffer-unreleased
    if (s->data == NULL || i < 0)
        return -1;
    jint value = s->data[i];
    freeSession(env, s);
    return value;
}
