// SPDX-License-Identifier: Apache-2.0
//
// One release on each path, though there are two in the text: NULL by then, another buffer, another
// branch, or JNI_COMMIT, which is none.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct view {
    jbyteArray array;
    jbyte *data;
};

static jmethodID gOnData; // void onData(int)

int open_file(const char *name);
int store(const jbyte *data, jsize length);

#define RELEASE_STRING(env, s, text)                                                               \
    do {                                                                                           \
        if ((text) != NULL) {                                                                      \
            (*(env))->ReleaseStringUTFChars((env), (s), (text));                                   \
            (text) = NULL;                                                                         \
        }                                                                                          \
    } while (0)
#define WITH_CHARS(env, s, var)                                                                    \
    do {                                                                                           \
        const char *var = (*(env))->GetStringUTFChars((env), (s), NULL);                           \
        if (var == NULL)                                                                           \
            goto var##_end;
#define END_CHARS(env, s, var)                                                                     \
    var##_end:                                                                                     \
        if (var != NULL)                                                                           \
            (*(env))->ReleaseStringUTFChars((env), (s), var);                                      \
    }                                                                                              \
    while (0)

// Released early, and forgotten.
JNIEXPORT jint JNICALL
Java_org_example_io_File_open(JNIEnv *env, jclass cls, jstring path)
{
    int fd = -1;
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        goto out;
    fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    name = NULL;
    if (fd < 0)
        goto out;
    return fd;
out:
    if (name != NULL)
        (*env)->ReleaseStringUTFChars(env, path, name); // ok: buffer-double-release
    return -1;
}

// Two buffers in one label, each with its test.
JNIEXPORT jint JNICALL
Java_org_example_io_File_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int fd = -1;
    const char *target = NULL;
    (void)cls;
    const char *source = (*env)->GetStringUTFChars(env, from, NULL);
    if (source == NULL)
        return -1;
    if (to == NULL) {
        fd = open_file(source);
        RELEASE_STRING(env, from, source);
        goto out;
    }
    target = (*env)->GetStringUTFChars(env, to, NULL);
out:
    RELEASE_STRING(env, to, target);
    RELEASE_STRING(env, from, source); // ok: buffer-double-release
    return fd;
}

// Copied back in the loop, released behind it.
JNIEXPORT void JNICALL
Java_org_example_io_File_progress(JNIEnv *env, jobject self, jintArray state, jint steps)
{
    jint *data = (*env)->GetIntArrayElements(env, state, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < steps; i++) {
        data[0] = i;
        (*env)->ReleaseIntArrayElements(env, state, data, JNI_COMMIT); // ok: buffer-double-release
        (*env)->CallVoidMethod(env, self, gOnData, i);
        if ((*env)->ExceptionCheck(env))
            break;
    }
    (*env)->ReleaseIntArrayElements(env, state, data, 0); // ok: buffer-double-release
}

// Given back around the call into Java, and fetched again.
JNIEXPORT jint JNICALL
Java_org_example_io_File_feed(JNIEnv *env, jobject self, jbyteArray bytes, jint rounds)
{
    jint stored = 0;
    jbyte *data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < rounds; i++) {
        stored += store(data, 16);
        (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT); // ok: buffer-double-release
        (*env)->CallVoidMethod(env, self, gOnData, stored);
        if ((*env)->ExceptionCheck(env))
            return stored;
        data = (*env)->GetByteArrayElements(env, bytes, NULL);
        if (data == NULL)
            return stored;
    }
    (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT); // ok: buffer-double-release
    return stored;
}

// The mode is decided by the outcome; one release in each branch.
JNIEXPORT jint JNICALL
Java_org_example_io_File_write(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (data == NULL)
        return -1;
    int stored = store(data, length);
    if (stored < 0) {
        (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT);
    } else {
        data[0] = 1;
        (*env)->ReleaseByteArrayElements(env, bytes, data, 0); // ok: buffer-double-release
    }
    return stored;
}

// A flag says whether it is still held.
JNIEXPORT jint JNICALL
Java_org_example_io_File_probe(JNIEnv *env, jclass cls, jstring path, jint mode)
{
    (void)cls;
    jboolean held = JNI_TRUE;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (fd >= 0) {
        (*env)->ReleaseStringUTFChars(env, path, name);
        held = JNI_FALSE;
    }
    if (mode == 0)
        fd = -fd;
    if (held)
        (*env)->ReleaseStringUTFChars(env, path, name); // ok: buffer-double-release
    return fd;
}

// Macros that open and close a block.
JNIEXPORT jint JNICALL
Java_org_example_io_File_both(JNIEnv *env, jclass cls, jstring one, jstring two)
{
    jint fd = -1;
    (void)cls;
    WITH_CHARS(env, one, first)
    WITH_CHARS(env, two, second)
    fd = open_file(first) + open_file(second);
    END_CHARS(env, two, second); // ok: buffer-double-release
    END_CHARS(env, one, first);  // ok: buffer-double-release
    return fd;
}

// A helper that forgets what it released.
static void closeView(JNIEnv *env, struct view *v)
{
    if (v->data != NULL)
        (*env)->ReleaseByteArrayElements(env, v->array, v->data, JNI_ABORT);
    v->data = NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_io_File_append(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    struct view v = {bytes, NULL};
    (void)cls;
    v.data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (v.data == NULL)
        return -1;
    int stored = store(v.data, length);
    if (stored < length)
        closeView(env, &v);
    if (v.data != NULL)
        (*env)->ReleaseByteArrayElements(env, bytes, v.data, JNI_ABORT); // ok: buffer-double-release
    return stored;
}

// A table: each element once.
JNIEXPORT jint JNICALL
Java_org_example_io_File_all(JNIEnv *env, jclass cls, jstring one, jstring two, jstring three)
{
    jstring strings[3] = {one, two, three};
    const char *names[3] = {NULL, NULL, NULL};
    jint opened = 0;
    (void)cls;
    for (int i = 0; i < 3; i++) {
        names[i] = (*env)->GetStringUTFChars(env, strings[i], NULL);
        if (names[i] == NULL)
            break;
        opened += open_file(names[i]) >= 0;
    }
    for (int i = 2; i >= 0; i--)
        if (names[i] != NULL)
            (*env)->ReleaseStringUTFChars(env, strings[i], names[i]); // ok: buffer-double-release
    return opened;
}

// Acquired again by another function, through a pointer that hides what it points to.
void reload_view(JNIEnv *env, void *view);

JNIEXPORT void JNICALL
Java_org_example_io_File_refresh(JNIEnv *env, jclass cls, jlong handle)
{
    struct view *v = (struct view *)(intptr_t)handle;
    (void)cls;
    (*env)->ReleaseByteArrayElements(env, v->array, v->data, 0);
    reload_view(env, v);
    (*env)->ReleaseByteArrayElements(env, v->array, v->data, JNI_ABORT); // ok: buffer-double-release
    v->data = NULL;
}

// Closing twice is allowed: the helper forgets what it has given back.
struct window {
    jbyteArray array;
    jbyte *data;
};

static void closeWindow(JNIEnv *env, struct window *v)
{
    if (v->data != NULL)
        (*env)->ReleaseByteArrayElements(env, v->array, v->data, JNI_ABORT);
    memset(v, 0, sizeof *v);
}

JNIEXPORT jint JNICALL
Java_org_example_io_Window_first(JNIEnv *env, jclass cls, jbyteArray array)
{
    struct window v = {array, NULL};
    jint first = -1;
    (void)cls;
    v.data = (*env)->GetByteArrayElements(env, array, NULL);
    if (v.data != NULL)
        first = v.data[0];
    closeWindow(env, &v);
    closeWindow(env, &v); // ok: buffer-double-release
    return first;
}

// A flag among others says whether it is open.
struct flagged {
    jbyteArray array;
    jbyte *data;
    unsigned flags;
};

static void closeFlagged(JNIEnv *env, struct flagged *f)
{
    if (f->flags & 1u)
        (*env)->ReleaseByteArrayElements(env, f->array, f->data, JNI_ABORT);
    f->flags &= ~1u;
}

JNIEXPORT jint JNICALL
Java_org_example_io_Window_last(JNIEnv *env, jclass cls, jbyteArray array, jint i)
{
    struct flagged f = {array, NULL, 0};
    (void)cls;
    f.data = (*env)->GetByteArrayElements(env, array, NULL);
    if (f.data == NULL)
        return -1;
    f.flags |= 1u;
    jint last = f.data[i];
    closeFlagged(env, &f);
    closeFlagged(env, &f); // ok: buffer-double-release
    return last;
}
