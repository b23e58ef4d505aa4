// SPDX-License-Identifier: Apache-2.0
//
// What `mutate --helpers` makes of these functions. In front of each stand the operators that find
// a place in it, as often as they do:
//
//   //~ operator...     made
//   //! operator...     made, and the analyzer reports it
//   //? operator...     made, and the program before has a finding: a known false alarm
//
// In no other program before is there one. Functions without operators: nothing can be moved, or it
// would be no defect.

#include <jni.h>
#include <string.h>

void use(const void *data);

//! helper-null helper-release helper-twin-returned
//! helper-twin-also-in-struct helper-twin-in-struct
//~ helper-release-on-a-path
JNIEXPORT jint JNICALL Java_Cases_release(JNIEnv *env, jclass cls, jintArray array)
{
    jint *data = (*env)->GetIntArrayElements(env, array, NULL);
    if (data == NULL)
        return 0;
    jint first = data[0];
    (*env)->ReleaseIntArrayElements(env, array, data, JNI_ABORT);
    return first;
}

//! helper-null helper-release helper-twin-out-parameter helper-twin-returned
//! helper-twin-also-in-struct helper-twin-in-struct
//~ helper-abort helper-release-on-a-path
JNIEXPORT void JNICALL Java_Cases_write(JNIEnv *env, jclass cls, jintArray array)
{
    jint *data;
    data = (*env)->GetIntArrayElements(env, array, NULL);
    if (data != NULL) {
        data[0] = 1;
        (*env)->ReleaseIntArrayElements(env, array, data, 0);
    }
}

// Only one of two releases that differ: no twin.
//! helper-release helper-release
//~ helper-abort helper-null helper-release-on-a-path helper-release-on-a-path
JNIEXPORT void JNICALL Java_Cases_two_ends(JNIEnv *env, jclass cls, jintArray array)
{
    jint *data = (*env)->GetIntArrayElements(env, array, NULL);
    if (data == NULL)
        return;
    if (data[0] < 0) {
        (*env)->ReleaseIntArrayElements(env, array, data, JNI_ABORT);
        return;
    }
    data[0] = 1;
    (*env)->ReleaseIntArrayElements(env, array, data, 0);
}

//! helper-release
//~ helper-release-on-a-path
JNIEXPORT void JNICALL Java_Cases_frame(JNIEnv *env, jclass cls)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return;
    (*env)->PopLocalFrame(env, NULL);
}

//! helper-release
//~ helper-release-on-a-path
JNIEXPORT void JNICALL Java_Cases_global(JNIEnv *env, jclass cls, jobject object)
{
    jobject kept = (*env)->NewGlobalRef(env, object);
    use(NULL);
    (*env)->DeleteGlobalRef(env, kept);
}

// The deletion is one of the value that a loop has, and a JNI call is legal at its start.
//! helper-local-delete helper-local-leak helper-local-leak-on-a-path helper-local-returned
//~ helper-local-delete-on-a-path
JNIEXPORT void JNICALL Java_Cases_loop(JNIEnv *env, jclass cls, jobjectArray array, jint count)
{
    for (jint i = 0; i < count; i++) {
        jobject element = (*env)->GetObjectArrayElement(env, array, i);
        if (element == NULL)
            return;
        (*env)->DeleteLocalRef(env, element);
    }
}

// Four turns fill no frame.
JNIEXPORT void JNICALL Java_Cases_short_loop(JNIEnv *env, jclass cls, jobjectArray array)
{
    for (jint i = 0; i < 4; i++) {
        jobject element = (*env)->GetObjectArrayElement(env, array, i);
        if (element == NULL)
            return;
        (*env)->DeleteLocalRef(env, element);
    }
}

//! helper-check helper-check-on-a-path
JNIEXPORT void JNICALL Java_Cases_check(JNIEnv *env, jclass cls, jobject object, jmethodID run)
{
    (*env)->CallVoidMethod(env, object, run);
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->CallVoidMethod(env, object, run);
}

// Nothing follows that would not be legal.
JNIEXPORT void JNICALL Java_Cases_check_last(JNIEnv *env, jclass cls, jobject object, jmethodID run)
{
    (*env)->CallVoidMethod(env, object, run);
    if ((*env)->ExceptionCheck(env))
        return;
    use(NULL);
}

//! helper-check helper-check-on-a-path helper-clear helper-clear-on-a-path
JNIEXPORT void JNICALL Java_Cases_clear(JNIEnv *env, jclass cls, jobject object, jmethodID run)
{
    (*env)->CallVoidMethod(env, object, run);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*env)->CallVoidMethod(env, object, run);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

//! helper-null
JNIEXPORT jmethodID JNICALL Java_Cases_null(JNIEnv *env, jclass cls)
{
    jclass found = (*env)->FindClass(env, "java/lang/Runnable");
    if (found == NULL)
        return NULL;
    return (*env)->GetMethodID(env, found, "run", "()V");
}

// The call stands inside of the test.
//! helper-null
JNIEXPORT jmethodID JNICALL Java_Cases_null_inside(JNIEnv *env, jclass cls, const char *name)
{
    jclass found;
    if ((found = (*env)->FindClass(env, name)) == NULL)
        return NULL;
    return (*env)->GetMethodID(env, found, "run", "()V");
}

// What a variadic call hands on has no known type.
JNIEXPORT void JNICALL Java_Cases_variadic(JNIEnv *env, jclass cls, jmethodID make, jint value)
{
    jobject made = (*env)->NewObject(env, cls, make, value);
    if (made == NULL)
        return;
    (*env)->SetObjectArrayElement(env, NULL, 0, made);
}

//! helper-throw
JNIEXPORT void JNICALL Java_Cases_throw(JNIEnv *env, jclass cls, jint value)
{
    if (value < 0) {
        (*env)->ThrowNew(env, cls, "negative");
        return;
    }
    use(&value);
}

//! helper-jni-call helper-jni-call helper-jni-call-on-a-path helper-jni-call-on-a-path
//! helper-release helper-sleep helper-sleep helper-twin-returned
//! helper-twin-also-in-struct helper-twin-in-struct
//~ helper-abort helper-null helper-release-on-a-path
JNIEXPORT void JNICALL Java_Cases_critical(JNIEnv *env, jclass cls, jintArray array)
{
    jint *data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (data == NULL)
        return;
    data[0] = 1;
    (*env)->ReleasePrimitiveArrayCritical(env, array, data, 0);
}
