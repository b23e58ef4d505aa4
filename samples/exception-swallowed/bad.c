// SPDX-License-Identifier: Apache-2.0
//
// Exceptions that are cleared before anybody has looked: whether the call succeeded is not known
// any more, to anybody.

#include <jni.h>

static jmethodID gClose;  // void close()
static jmethodID gSave;   // boolean save(Object)
static jmethodID gLoad;   // static void load(String)
static jfieldID gDirty;   // boolean dirty

// The document is not dirty any more, whether it was written or not.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_close(JNIEnv *env, jobject self, jobject stream)
{
    (*env)->CallVoidMethod(env, stream, gClose);
    (*env)->ExceptionClear(env); // expect: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// The result would have said it, but is dropped.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_save(JNIEnv *env, jobject self, jobject store)
{
    (*env)->CallBooleanMethod(env, store, gSave, self);
    (*env)->ExceptionClear(env); // expect: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// Stored, and forgotten.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_saveAs(JNIEnv *env, jobject self, jobject store)
{
    jboolean saved;
    saved = (*env)->CallBooleanMethod(env, store, gSave, self);
    (*env)->ExceptionClear(env); // expect: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// Each of many may have failed.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_loadAll(JNIEnv *env, jclass cls, jobjectArray names)
{
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jobject name = (*env)->GetObjectArrayElement(env, names, i);
        (*env)->CallStaticVoidMethod(env, cls, gLoad, name);
        (*env)->DeleteLocalRef(env, name);
        (*env)->ExceptionClear(env); // expect: exception-swallowed
    }
}

// Did the bytes arrive?
JNIEXPORT jint JNICALL
Java_org_example_doc_Document_copy(JNIEnv *env, jclass cls, jbyteArray to, jint start)
{
    static const jbyte magic[] = {'D', 'O', 'C', '1'};
    (void)cls;
    (*env)->SetByteArrayRegion(env, to, start, 4, magic);
    (*env)->ExceptionClear(env); // expect: exception-swallowed
    return start + 4;
}
