// SPDX-License-Identifier: Apache-2.0
//
// Exceptions that are cleared after somebody has looked at them, or at the result.

#include <jni.h>
#include <stdio.h>

static jmethodID gClose; // void close()
static jmethodID gSave;  // boolean save(Object)
static jfieldID gDirty;  // boolean dirty

static void report(JNIEnv *env)
{
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env); // ok: exception-swallowed
    }
}

// Tested, cleared, and dealt with.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_close(JNIEnv *env, jobject self, jobject stream)
{
    (*env)->CallVoidMethod(env, stream, gClose);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env); // ok: exception-swallowed
        fputs("not closed\n", stderr);
        return;
    }
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// Taken as a value.
JNIEXPORT jthrowable JNICALL
Java_org_example_doc_Document_tryClose(JNIEnv *env, jclass cls, jobject stream)
{
    (void)cls;
    (*env)->CallVoidMethod(env, stream, gClose);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    return thrown;
}

// The result is NULL exactly when it threw: the fallback looks at that.
JNIEXPORT jclass JNICALL
Java_org_example_doc_Document_type(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass type = (*env)->FindClass(env, "org/example/doc/FastDocument");
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    if (type == NULL)
        type = (*env)->FindClass(env, "org/example/doc/Document");
    return type;
}

// The same, with the clear where it is needed only.
JNIEXPORT jboolean JNICALL
Java_org_example_doc_Document_hasMethod(JNIEnv *env, jclass cls, jclass type)
{
    (void)cls;
    if ((*env)->GetMethodID(env, type, "flush", "()V") != NULL)
        return JNI_TRUE;
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    return JNI_FALSE;
}

// Printed, which clears it on the way.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_save(JNIEnv *env, jobject self, jobject store)
{
    jboolean saved = (*env)->CallBooleanMethod(env, store, gSave, self);
    (*env)->ExceptionDescribe(env);
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, !saved);
}

// Some function of the project has looked.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_dispose(JNIEnv *env, jobject self, jobject stream)
{
    (*env)->CallVoidMethod(env, stream, gClose);
    report(env);
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// Nothing was called that could have thrown: a helper that gives its caller a clean slate.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_reset(JNIEnv *env, jobject self)
{
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    (*env)->SetBooleanField(env, self, gDirty, JNI_FALSE);
}

// The first of two exceptions wins.
JNIEXPORT void JNICALL
Java_org_example_doc_Document_saveAndClose(JNIEnv *env, jobject self, jobject stream)
{
    (*env)->CallBooleanMethod(env, self, gSave, stream);
    jthrowable first = (*env)->ExceptionOccurred(env);
    if (first != NULL)
        (*env)->ExceptionClear(env); // ok: exception-swallowed
    (*env)->CallVoidMethod(env, stream, gClose);
    if (first != NULL) {
        (*env)->ExceptionClear(env); // ok: exception-swallowed
        (*env)->Throw(env, first);
    }
}

static void throwFailure(JNIEnv *env)
{
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL)
        (*env)->ThrowNew(env, type, "failed");
}

// Another exception takes its place; a helper throws it.
JNIEXPORT void JNICALL
Java_org_example_log_Log_rethrow(JNIEnv *env, jobject self, jmethodID flush)
{
    (*env)->CallVoidMethod(env, self, flush);
    (*env)->ExceptionClear(env); // ok: exception-swallowed
    throwFailure(env);
}
