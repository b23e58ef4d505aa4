// SPDX-License-Identifier: Apache-2.0
//
// Accesses to elements and regions whose index Java or nobody has checked, with another JNI call
// before anybody asks for an exception.

#include <jni.h>

#define MAX_NAME 64

static jmethodID gAccept; // void accept(Object)
static jfieldID gCount;   // int count

void consume(const jbyte *bytes, jint count);

// The index comes from Java.
JNIEXPORT void JNICALL
Java_org_example_data_Table_accept(JNIEnv *env, jclass cls, jobjectArray rows, jint index,
                                   jobject visitor)
{
    (void)cls;
    jobject row = (*env)->GetObjectArrayElement(env, rows, index); // expect: exception-unchecked-access
    (*env)->CallVoidMethod(env, visitor, gAccept, row);
}

// A header of four bytes, which a shorter array does not have.
JNIEXPORT jint JNICALL
Java_org_example_data_Table_header(JNIEnv *env, jobject self, jbyteArray data)
{
    jbyte header[4];
    (*env)->GetByteArrayRegion(env, data, 0, 4, header); // expect: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, header[3]);
    return header[0];
}

// More elements than the count may be there.
JNIEXPORT void JNICALL
Java_org_example_data_Table_clear(JNIEnv *env, jclass cls, jobjectArray rows, jint count)
{
    (void)cls;
    for (jint i = 0; i < count; i++)
        (*env)->SetObjectArrayElement(env, rows, i, NULL); // expect: exception-unchecked-access
}

// Compared with the length of another array.
JNIEXPORT void JNICALL
Java_org_example_data_Table_copy(JNIEnv *env, jclass cls, jbyteArray from, jbyteArray to)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, from);
    jbyte *bytes = (*env)->GetByteArrayElements(env, from, NULL);
    if (bytes == NULL)
        return;
    (*env)->SetByteArrayRegion(env, to, 0, length, bytes); // expect: exception-unchecked-access
    if ((*env)->GetArrayLength(env, to) == length)
        consume(bytes, length);
    (*env)->ReleaseByteArrayElements(env, from, bytes, JNI_ABORT);
}

// The start is checked, the end is not.
JNIEXPORT jint JNICALL
Java_org_example_data_Table_name(JNIEnv *env, jobject self, jstring text, jint start)
{
    jchar name[MAX_NAME];
    if (start < 0 || start >= (*env)->GetStringLength(env, text))
        return -1;
    (*env)->GetStringRegion(env, text, start, MAX_NAME, name); // expect: exception-unchecked-access
    (*env)->SetIntField(env, self, gCount, MAX_NAME);
    return name[0];
}
