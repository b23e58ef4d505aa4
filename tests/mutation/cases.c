// SPDX-License-Identifier: Apache-2.0
//
// What mutate makes of these functions, and what it leaves alone. Each annotation is one mutant of
// the next line of code:
//
//   //~ operator: old => new     made
//   //! operator: old => new     made, and the analyzer reports it
//
// CONDITION stands for the test that no compiler can decide. A mutant without annotation is an
// error, so that functions without any say: nothing here would be a defect.

#include <jni.h>
#include <string.h>

#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (value);                                                                        \
    } while (0)
#define CHECK_EXCEPTION(env)                                                                       \
    do {                                                                                           \
        if ((*(env))->ExceptionCheck(env))                                                         \
            return;                                                                                \
    } while (0)
#define FREE_CHARS(env, string, chars) (*(env))->ReleaseStringUTFChars((env), (string), (chars))
#define FIND(env, name) (*(env))->FindClass((env), (name))
#define CALL(env, name) (*((*(env))->name))

void use(const void *data);
jboolean is_good(const void *data);

// ---- releases -----------------------------------------------------------------------------------

jint release(JNIEnv *env, jstring text)
{
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    //! early-return: => { CONDITION return 0; }
    //! remove-null-test: if (chars == NULL) return 0; => ;
    if (chars == NULL)
        return 0;
    jint first = chars[0];
    //! early-return: => { CONDITION return 0; }
    //! remove-buffer-release: FREE_CHARS(env, text, chars) =>
    FREE_CHARS(env, text, chars);
    return first;
}

void release_by_name(JNIEnv *env, jbyteArray array)
{
    jbyte *data = CALL(env, GetByteArrayElements)(env, array, NULL);
    //! early-return: => { CONDITION return; }
    //! remove-null-test: if (data != NULL) =>
    if (data != NULL) {
        data[0] = 1;
        //! early-return: => { CONDITION return; }
        //! remove-buffer-release: CALL(env, ReleaseByteArrayElements)(env, array, data, 0) =>
        //~ abort-written: 0 => JNI_ABORT
        CALL(env, ReleaseByteArrayElements)(env, array, data, 0);
    }
}

// JNI_COMMIT releases nothing, and the process ends before the other one could be missed.
void commit_and_die(JNIEnv *env, jintArray array)
{
    jint *data = (*env)->GetIntArrayElements(env, array, NULL);
    //! remove-null-test: if (data == NULL) (*env)->FatalError(env, "no memory"); => ;
    if (data == NULL)
        (*env)->FatalError(env, "no memory");
    data[0] = 1;
    (*env)->ReleaseIntArrayElements(env, array, data, JNI_COMMIT);
    (*env)->ReleaseIntArrayElements(env, array, data, JNI_ABORT);
    (*env)->FatalError(env, "the end");
}

// Nothing is written.
void abort_read(JNIEnv *env, jintArray array, jint *first)
{
    jint *data = (*env)->GetIntArrayElements(env, array, NULL);
    //! early-return: => { CONDITION return; }
    //! remove-null-test: if (data == NULL) return; => ;
    if (data == NULL)
        return;
    *first = data[0];
    //! early-return: => { CONDITION return; }
    //! remove-buffer-release: (*env)->ReleaseIntArrayElements(env, array, data, 0) =>
    (*env)->ReleaseIntArrayElements(env, array, data, 0);
}

// One JNI_ABORT of two could be meant for a failure.
void two_releases(JNIEnv *env, jintArray array)
{
    jint *data = (*env)->GetIntArrayElements(env, array, NULL);
    //! early-return: => { CONDITION return; }
    //! remove-null-test: if (data == NULL) return; => ;
    if (data == NULL)
        return;
    data[0] = 1;
    if (is_good(data)) {
        //! remove-buffer-release: (*env)->ReleaseIntArrayElements(env, array, data, 0) =>
        (*env)->ReleaseIntArrayElements(env, array, data, 0);
        return;
    }
    //! early-return: => { CONDITION return; }
    //! remove-buffer-release: (*env)->ReleaseIntArrayElements(env, array, data, 0) =>
    (*env)->ReleaseIntArrayElements(env, array, data, 0);
}

jint direct(JNIEnv *env, jobject buffer)
{
    const jint *data = (*env)->GetDirectBufferAddress(env, buffer);
    //~ remove-null-test: if (!data) return 0; => ;
    if (!data)
        return 0;
    return data[0];
}

// ---- critical regions ---------------------------------------------------------------------------

jint critical(JNIEnv *env, jbyteArray from, jbyteArray to, jsize size)
{
    jbyte *source = (*env)->GetPrimitiveArrayCritical(env, from, NULL);
    //! early-return: => { CONDITION return 0; }
    //! jni-call-in-critical: => (void)(*env)->ExceptionCheck(env);
    //~ sleep-in-critical: => { extern unsigned int sleep(unsigned int); sleep(1); }
    //! remove-null-test: if (source == NULL) return 0; => ;
    if (source == NULL)
        return 0;
    jbyte *target = (*env)->GetPrimitiveArrayCritical(env, to, NULL);
    //! early-return: => { CONDITION return 0; }
    //! jni-call-in-critical: => (void)(*env)->GetVersion(env);
    //~ sleep-in-critical: => { extern unsigned int sleep(unsigned int); sleep(1); }
    //! remove-null-test: if (target != NULL) =>
    if (target != NULL) {
        target[0] = source[size - 1];
        //! early-return: => { CONDITION return 0; }
        //! jni-call-in-critical: => (void)(*env)->FindClass(env, "java/lang/Object");
        //~ sleep-in-critical: => { extern unsigned int sleep(unsigned int); sleep(1); }
        //! remove-critical-release: (*env)->ReleasePrimitiveArrayCritical(env, to, target, 0) =>
        //~ swap-releases: target => source, source => target
        //~ abort-written: 0 => JNI_ABORT
        (*env)->ReleasePrimitiveArrayCritical(env, to, target, 0);
    }
    //! early-return: => { CONDITION return 0; }
    //! jni-call-in-critical: => (void)(*env)->ExceptionCheck(env);
    //~ sleep-in-critical: => { extern unsigned int sleep(unsigned int); sleep(1); }
    //! remove-critical-release: (*env)->ReleasePrimitiveArrayCritical(env, from, source, 2) =>
    (*env)->ReleasePrimitiveArrayCritical(env, from, source, 2);
    return 1;
}

// ---- swapped releases ---------------------------------------------------------------------------

void swap(JNIEnv *env, jstring a, jstring b)
{
    const char *x = (*env)->GetStringUTFChars(env, a, NULL);
    //! early-return: => { CONDITION return; }
    //~ remove-null-test: if (x == NULL) return; => ;
    if (x == NULL)
        return;
    const char *y = (*env)->GetStringUTFChars(env, b, NULL);
    //! early-return: => { CONDITION return; }
    //! remove-null-test: if (y != NULL) =>
    if (y != NULL) {
        use(y[0] ? x : y);
        //! early-return: => { CONDITION return; }
        //! remove-buffer-release: (*env)->ReleaseStringUTFChars(env, b, y) =>
        //! swap-releases: y => x, x => y
        (*env)->ReleaseStringUTFChars(env, b, y);
    }
    //! early-return: => { CONDITION return; }
    //! remove-buffer-release: (*env)->ReleaseStringUTFChars(env, a, x) =>
    (*env)->ReleaseStringUTFChars(env, a, x);
}

// Two fields may hold the same array.
void swap_fields(JNIEnv *env, jobject self, jfieldID one, jfieldID two)
{
    jintArray a = (*env)->GetObjectField(env, self, one);
    jintArray b = (*env)->GetObjectField(env, self, two);
    jint *x = a ? (*env)->GetIntArrayElements(env, a, NULL) : NULL;
    jint *y = b ? (*env)->GetIntArrayElements(env, b, NULL) : NULL;
    //~ remove-null-test: if (x) =>
    if (x)
        //! remove-buffer-release: (*env)->ReleaseIntArrayElements(env, a, x, JNI_ABORT) =>
        (*env)->ReleaseIntArrayElements(env, a, x, JNI_ABORT);
    //~ remove-null-test: if (y) =>
    if (y)
        //! remove-buffer-release: (*env)->ReleaseIntArrayElements(env, b, y, JNI_ABORT) =>
        (*env)->ReleaseIntArrayElements(env, b, y, JNI_ABORT);
}

// ---- references ---------------------------------------------------------------------------------

void local_in_loop(JNIEnv *env, jobjectArray array, jsize size)
{
    for (jsize i = 0; i < size; i++) {
        jobject item = (*env)->GetObjectArrayElement(env, array, i);
        if ((*env)->ExceptionCheck(env))
            return;
        use(item);
        //! remove-local-delete: (*env)->DeleteLocalRef(env, item) =>
        (*env)->DeleteLocalRef(env, item);
    }
}

// Four turns; and a loop that ends with the deletion.
void few_locals(JNIEnv *env, jobjectArray array, jsize size)
{
    for (jsize i = 0; i < 4; i++) {
        jobject item = (*env)->GetObjectArrayElement(env, array, i);
        if ((*env)->ExceptionCheck(env))
            return;
        use(item);
        (*env)->DeleteLocalRef(env, item);
    }
    for (jsize i = 4; i < size; i++) {
        if (is_good(&i)) {
            jobject item = (*env)->GetObjectArrayElement(env, array, i);
            use(item);
            (*env)->DeleteLocalRef(env, item);
            break;
        }
    }
}

void Java_a_A_framedLocals(JNIEnv *env, jobjectArray array, jsize size)
{
    if ((*env)->PushLocalFrame(env, 16) < 0)
        return;
    //! early-return: => { CONDITION return; }
    for (jsize i = 0; i < size; i++) {
        jobject item = (*env)->GetObjectArrayElement(env, array, i);
        if ((*env)->ExceptionCheck(env))
            break;
        use(item);
        (*env)->DeleteLocalRef(env, item);
    }
    //! early-return: => { CONDITION return; }
    //! remove-frame-pop: (void)(*env)->PopLocalFrame(env, NULL) =>
    (void)(*env)->PopLocalFrame(env, NULL);
}

jobject Java_a_A_frameResult(JNIEnv *env, jobject object)
{
    if ((*env)->PushLocalFrame(env, 4) != JNI_OK)
        return NULL;
    //! early-return: => { CONDITION return 0; }
    jobject type = (*env)->GetObjectClass(env, object);
    //! early-return: => { CONDITION return 0; }
    //! remove-frame-pop: (*env)->PopLocalFrame(env, type) => (type)
    return (*env)->PopLocalFrame(env, type);
}

// No native method: without the release it looks like one that pushes for its caller.
jclass push_and_pop(JNIEnv *env, jobject object)
{
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return NULL;
    //! early-return: => { CONDITION return 0; }
    jclass type = (*env)->GetObjectClass(env, object);
    //! early-return: => { CONDITION return 0; }
    //~ remove-frame-pop: (*env)->PopLocalFrame(env, type) => (type)
    return (*env)->PopLocalFrame(env, type);
}

void global(JNIEnv *env, jobject object)
{
    jobject held = (*env)->NewGlobalRef(env, object);
    //~ early-return: => { CONDITION return; }
    //~ remove-null-test: if (held == NULL) return; => ;
    if (held == NULL)
        return;
    jclass type = (*env)->GetObjectClass(env, held);
    use(&type);
    //~ early-return: => { CONDITION return; }
    //~ remove-global-delete: (*env)->DeleteGlobalRef(env, held) =>
    (*env)->DeleteGlobalRef(env, held);
}

void Java_a_A_monitor(JNIEnv *env, jobject lock)
{
    if ((*env)->MonitorEnter(env, lock) != JNI_OK)
        return;
    //~ early-return: => { CONDITION return; }
    use(lock);
    //~ early-return: => { CONDITION return; }
    //~ remove-monitor-exit: (*env)->MonitorExit(env, lock) =>
    (*env)->MonitorExit(env, lock);
}

// ---- tests --------------------------------------------------------------------------------------

jobject null_tests(JNIEnv *env, jclass type)
{
    jclass a;
    //! remove-null-test: CHECK_NULL_RETURN(a = FIND(env, "A"), 0) => (void)(a = FIND(env, "A"))
    CHECK_NULL_RETURN(a = FIND(env, "A"), 0);
    jmethodID make = (*env)->GetMethodID(env, a, "<init>", "()V");
    //! remove-null-test: make == NULL => 0
    if (make == NULL || type == NULL)
        return NULL;
    return (*env)->NewObject(env, a, make);
}

// Nothing follows but what is legal with an exception pending; another test; the same test again.
jstring idle_tests(JNIEnv *env, jobject old)
{
    jstring text = (*env)->NewStringUTF(env, "text");
    if (text == NULL)
        return NULL;
    (*env)->DeleteLocalRef(env, old);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    if (text == NULL || (*env)->GetStringLength(env, text) == 0)
        return NULL;
    return text;
}

void exception_checks(JNIEnv *env, jobject object, jmethodID method)
{
    (*env)->CallVoidMethod(env, object, method);
    //! remove-exception-check: CHECK_EXCEPTION(env) =>
    CHECK_EXCEPTION(env);
    (*env)->CallVoidMethod(env, object, method);
    //! remove-exception-check: (*env)->ExceptionCheck(env) => 0
    if (object == NULL || (*env)->ExceptionCheck(env))
        return;
    (*env)->CallVoidMethod(env, object, method);
    if ((*env)->ExceptionCheck(env))
        (*env)->DeleteLocalRef(env, object);
}
