// SPDX-License-Identifier: Apache-2.0
//
// Release modes that do not exist. A virtual machine that compares the mode with those it knows
// does nothing at all: no element is copied back and no copy is freed. The finding is at the
// release.

#include <jni.h>

enum { DISCARD = 4 };

#define RELEASE_FLAGS (JNI_COMMIT | JNI_ABORT)
#define RELEASE_INTS(env, array, data, mode)                                                       \
    (*(env))->ReleaseIntArrayElements((env), (array), (data), (mode))

int parse(const jbyte *data, jint length);

// The modes are no flags: copying back and throwing away do not go together.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, NULL);
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, RELEASE_FLAGS); // expect: buffer-release-bad-mode
    return result;
}

// The mode of another interface.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sum(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++)
        sum += data[i];
    RELEASE_INTS(env, values, data, DISCARD); // expect: buffer-release-bad-mode
    return sum;
}

// The length has slipped into the place of the mode.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_clear(JNIEnv *env, jclass cls, jcharArray target)
{
    (void)cls;
    jchar *data = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (data == NULL)
        return;
    for (int i = 0; i < 16; i++)
        data[i] = ' ';
    (*env)->ReleasePrimitiveArrayCritical(env, target, data, 16); // expect: buffer-release-bad-mode
}

// `~0` was meant to say "everything".
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_mark(JNIEnv *env, jclass cls, jbooleanArray marks)
{
    (void)cls;
    jboolean *data = (*env)->GetBooleanArrayElements(env, marks, NULL);
    if (data == NULL)
        return;
    data[0] = JNI_TRUE;
    (*env)->ReleaseBooleanArrayElements(env, marks, data, ~0); // expect: buffer-release-bad-mode
}
