// SPDX-License-Identifier: Apache-2.0
//
// Accesses that cannot fail, since the index lies below the length of that array, and accesses that
// are checked, or that nothing follows.

#include <jni.h>

static jmethodID gAccept;   // void accept(Object)
static jfieldID gCount;     // int count
static jclass gStringClass; // global reference, java.lang.String

void consume(const jbyte *bytes, jint count);

// Checked.
JNIEXPORT void JNICALL
Java_org_example_data_Table_accept(JNIEnv *env, jclass cls, jobjectArray rows, jint index,
                                   jobject visitor)
{
    (void)cls;
    jobject row = (*env)->GetObjectArrayElement(env, rows, index); // ok: exception-unchecked-access
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->CallVoidMethod(env, visitor, gAccept, row);
}

// Up to the length of the same array.
JNIEXPORT void JNICALL
Java_org_example_data_Table_clear(JNIEnv *env, jclass cls, jobjectArray rows)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, rows);
    for (jsize i = 0; i < count; i++)
        (*env)->SetObjectArrayElement(env, rows, i, NULL); // ok: exception-unchecked-access
}

// All of an array that was made for it.
JNIEXPORT jbyteArray JNICALL
Java_org_example_data_Table_pack(JNIEnv *env, jobject self, jint size)
{
    jbyte packed[256] = {0};
    if (size < 0 || size > 256)
        return NULL;
    jbyteArray result = (*env)->NewByteArray(env, size);
    if (result == NULL)
        return NULL;
    (*env)->SetByteArrayRegion(env, result, 0, size, packed); // ok: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, size);
    return result;
}

// A part, compared with the length first.
JNIEXPORT jint JNICALL
Java_org_example_data_Table_read(JNIEnv *env, jobject self, jbyteArray data, jint offset, jint count)
{
    jbyte part[64];
    jsize length = (*env)->GetArrayLength(env, data);
    if (offset < 0 || count < 0 || count > 64 || offset > length - count)
        return -1;
    (*env)->GetByteArrayRegion(env, data, offset, count, part); // ok: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, count);
    return part[0];
}

// The rest of an array.
JNIEXPORT void JNICALL
Java_org_example_data_Table_tail(JNIEnv *env, jobject self, jbyteArray data, jbyteArray buffer)
{
    jbyte tail[64];
    jsize length = (*env)->GetArrayLength(env, data);
    if (length < 8 || length > 64)
        return;
    (*env)->GetByteArrayRegion(env, data, 8, length - 8, tail); // ok: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, length - 8);
    (void)buffer;
}

// The first element of an array that is not empty.
JNIEXPORT jobject JNICALL
Java_org_example_data_Table_first(JNIEnv *env, jobject self, jobjectArray rows)
{
    if ((*env)->GetArrayLength(env, rows) == 0)
        return NULL;
    jobject row = (*env)->GetObjectArrayElement(env, rows, 0); // ok: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, 1);
    return row;
}

// An exception that the Java caller gets.
JNIEXPORT jobject JNICALL
Java_org_example_data_Table_at(JNIEnv *env, jclass cls, jobjectArray rows, jint index)
{
    (void)cls;
    return (*env)->GetObjectArrayElement(env, rows, index); // ok: exception-unchecked-access
}

// Constant size, constant indexes.
JNIEXPORT jobjectArray JNICALL
Java_org_example_data_Table_pair(JNIEnv *env, jclass cls, jstring key, jstring value)
{
    (void)cls;
    jobjectArray pair = (*env)->NewObjectArray(env, 2, gStringClass, NULL);
    if (pair == NULL)
        return NULL;
    (*env)->SetObjectArrayElement(env, pair, 0, key);   // ok: exception-unchecked-access
    (*env)->SetObjectArrayElement(env, pair, 1, value); // ok: exception-unchecked-access
    return pair;
}

// Releases are legal whatever the access has done.
JNIEXPORT void JNICALL
Java_org_example_data_Table_store(JNIEnv *env, jclass cls, jbyteArray from, jbyteArray to, jint count)
{
    (void)cls;
    jbyte *bytes = (*env)->GetByteArrayElements(env, from, NULL);
    if (bytes == NULL)
        return;
    (*env)->SetByteArrayRegion(env, to, 0, count, bytes); // ok: exception-unchecked-access
    (*env)->ReleaseByteArrayElements(env, from, bytes, JNI_ABORT);
}
