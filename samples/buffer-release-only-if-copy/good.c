// SPDX-License-Identifier: Apache-2.0
//
// isCopy may decide about many things, but not whether the buffer is given back.

#include <jni.h>
#include <string.h>

static jint gCopies;

int open_file(const char *path);
int parse(const jbyte *data, jint length);
void scale(jint *data, jint count);

// Only looked at.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    jboolean copied;
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, &copied); // ok: buffer-release-only-if-copy
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (copied)
        gCopies++;
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// It chooses the mode.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jboolean copied;
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, &copied); // ok: buffer-release-only-if-copy
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, copied ? JNI_ABORT : 0);
    return result;
}

// Released on both sides.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_scale(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jboolean copied;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, &copied); // ok: buffer-release-only-if-copy
    if (data == NULL)
        return;
    scale(data, count);
    if (copied == JNI_TRUE) {
        (*env)->ReleaseIntArrayElements(env, values, data, 0);
        gCopies++;
    } else {
        (*env)->ReleaseIntArrayElements(env, values, data, JNI_ABORT);
    }
}

// A copy is brought up to date half way; the release comes at the end.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_twice(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jboolean copied;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, &copied); // ok: buffer-release-only-if-copy
    if (data == NULL)
        return;
    scale(data, count);
    if (copied)
        (*env)->ReleaseIntArrayElements(env, values, data, JNI_COMMIT);
    scale(data, count);
    (*env)->ReleaseIntArrayElements(env, values, data, 0);
}

// Large arrays are worked on in place only: a copy is given back and replaced by a region.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_first(JNIEnv *env, jclass cls, jintArray values)
{
    jboolean copied;
    jint first = 0;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, values, &copied); // ok: buffer-release-only-if-copy
    if (data == NULL)
        return -1;
    if (copied) {
        (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT);
        (*env)->GetIntArrayRegion(env, values, 0, 1, &first);
        return first;
    }
    first = data[0];
    (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT);
    return first;
}

// A flag of the function's own that has nothing to do with it.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name, jboolean wanted)
{
    jint hash = 0;
    const jchar *chars = NULL;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    if (wanted) {
        chars = (*env)->GetStringChars(env, name, NULL); // ok: buffer-release-only-if-copy
        if (chars == NULL)
            return 0;
        for (jsize i = 0; i < length; i++)
            hash = hash * 31 + chars[i];
    }
    if (wanted)
        (*env)->ReleaseStringChars(env, name, chars);
    return hash;
}
