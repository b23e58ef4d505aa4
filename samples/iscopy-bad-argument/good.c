// SPDX-License-Identifier: Apache-2.0
//
// Everything that `isCopy` may be: no address, or that of a jboolean, wherever it lies.

#include <jni.h>

struct view {
    jint *data;
    jboolean copied;
};

static jboolean gCopied;

int parse(const jbyte *data, jint length);
void print_text(const char *text);

JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jboolean copied;
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, &copied); // ok: iscopy-bad-argument
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, copied ? JNI_ABORT : 0);
    return result;
}

// Set beforehand, for whatever reason: the address is what counts.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_first(JNIEnv *env, jclass cls, jintArray values)
{
    jboolean copied = JNI_TRUE;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, &copied); // ok: iscopy-bad-argument
    if (data == NULL)
        return -1;
    jint first = data[0];
    (*env)->ReleaseIntArrayElements(env, values, data, JNI_ABORT);
    return first;
}

JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL); // ok: iscopy-bad-argument
    if (text == NULL)
        return;
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

// JNI_FALSE and 0 are NULL to the compiler.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_printLine(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, name, JNI_FALSE); // ok: iscopy-bad-argument
    if (text == NULL)
        return;
    print_text(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
}

// In a static, in a struct, in an array.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sum(JNIEnv *env, jclass cls, jintArray a, jintArray b, jintArray c)
{
    struct view view = {NULL, JNI_FALSE};
    jboolean copied[2];
    jint sum = 0;
    (void)cls;
    jint *first = (*env)->GetPrimitiveArrayCritical(env, a, &gCopied); // ok: iscopy-bad-argument
    if (first == NULL)
        return -1;
    view.data = (*env)->GetPrimitiveArrayCritical(env, b, &view.copied); // ok: iscopy-bad-argument
    if (view.data != NULL) {
        jint *third = (*env)->GetPrimitiveArrayCritical(env, c, copied + 1); // ok: iscopy-bad-argument
        if (third != NULL) {
            sum = first[0] + view.data[0] + third[0];
            (*env)->ReleasePrimitiveArrayCritical(env, c, third, JNI_ABORT);
        }
        (*env)->ReleasePrimitiveArrayCritical(env, b, view.data, JNI_ABORT);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, a, first, JNI_ABORT);
    return sum;
}

// The caller's business.
jint *acquire(JNIEnv *env, jintArray values, jboolean *copied)
{
    return (*env)->GetIntArrayElements(env, values, copied); // ok: iscopy-bad-argument
}
