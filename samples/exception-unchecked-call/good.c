// SPDX-License-Identifier: Apache-2.0
//
// Calls of Java methods that are checked, in the ways that real code checks them, and calls
// that need no check: the last one of a native method, whose exception is Java's to see.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static jmethodID gOnBegin; // void onBegin()
static jmethodID gOnItem;  // void onItem(int)
static jmethodID gOnEnd;   // void onEnd()
static jmethodID gSize;    // int size()
static jmethodID gGet;     // Object get(int)
static jmethodID gHasNext; // java.util.Iterator.hasNext()
static jmethodID gNext;    // java.util.Iterator.next()
static jmethodID gValueOf; // static String valueOf(Object)
static jfieldID gDone;     // boolean done

#define CHECK_EXCEPTION_RETURN(env, value)                                                         \
    do {                                                                                           \
        if ((*(env))->ExceptionCheck(env))                                                         \
            return (value);                                                                        \
    } while (0)

// The name says that it looks at the exception, and it is given env.
jboolean checkAndClearException(JNIEnv *env);

// Checked between the calls; nothing to check after the last one.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_start(JNIEnv *env, jobject self, jobject listener)
{
    (void)self;
    (*env)->CallVoidMethod(env, listener, gOnBegin); // ok: exception-unchecked-call
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->CallVoidMethod(env, listener, gOnEnd); // ok: exception-unchecked-call
}

JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_each(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    for (jint i = 0; i < count; i++) {
        (*env)->CallVoidMethod(env, listener, gOnItem, i); // ok: exception-unchecked-call
        if ((*env)->ExceptionCheck(env))
            break;
    }
}

JNIEXPORT jintArray JNICALL
Java_org_example_scan_Scanner_newTable(JNIEnv *env, jobject self, jobject source)
{
    (void)self;
    jint size = (*env)->CallIntMethod(env, source, gSize); // ok: exception-unchecked-call
    CHECK_EXCEPTION_RETURN(env, NULL);
    return (*env)->NewIntArray(env, size);
}

// The result is handed to Java as it is, with or without an exception.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_size(JNIEnv *env, jobject self, jobject source)
{
    (void)self;
    return (*env)->CallIntMethod(env, source, gSize); // ok: exception-unchecked-call
}

// Checked with ExceptionOccurred.
JNIEXPORT jboolean JNICALL
Java_org_example_scan_Scanner_firstIs(JNIEnv *env, jobject self, jobject list, jclass type)
{
    (void)self;
    jobject first = (*env)->CallObjectMethod(env, list, gGet, 0); // ok: exception-unchecked-call
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    if (thrown != NULL) {
        (*env)->ExceptionClear(env);
        (*env)->DeleteLocalRef(env, thrown);
        return JNI_FALSE;
    }
    if (first == NULL)
        return JNI_FALSE;
    return (*env)->IsInstanceOf(env, first, type);
}

// Clean-up that is legal with an exception pending may come before the check.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_textLength(JNIEnv *env, jclass cls, jobject value)
{
    jint length = -1;
    jobject copy = (*env)->NewLocalRef(env, value);
    jstring text = (jstring)(*env)->CallStaticObjectMethod(env, cls, gValueOf, copy); // ok: exception-unchecked-call
    (*env)->DeleteLocalRef(env, copy);
    if ((*env)->ExceptionCheck(env))
        goto done;
    if (text != NULL)
        length = (*env)->GetStringLength(env, text);
done:
    (*env)->DeleteLocalRef(env, text);
    return length;
}

// Exceptions of a listener are printed and dropped: ExceptionDescribe clears as well.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_finish(JNIEnv *env, jobject self, jobject listener)
{
    (*env)->CallVoidMethod(env, listener, gOnEnd); // ok: exception-unchecked-call
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
    }
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// Cleared without a test.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_finishQuietly(JNIEnv *env, jobject self, jobject listener)
{
    (*env)->CallVoidMethod(env, listener, gOnEnd); // ok: exception-unchecked-call
    (*env)->ExceptionClear(env); // expect: exception-swallowed
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// The check stands in the same condition as the result.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_count(JNIEnv *env, jobject self, jobject iterator)
{
    (void)self;
    jint count = 0;
    for (;;) {
        jboolean more = (*env)->CallBooleanMethod(env, iterator, gHasNext); // ok: exception-unchecked-call
        if ((*env)->ExceptionCheck(env) || !more)
            break;
        jobject next = (*env)->CallObjectMethod(env, iterator, gNext); // ok: exception-unchecked-call
        if ((*env)->ExceptionCheck(env))
            break;
        (*env)->DeleteLocalRef(env, next);
        count++;
    }
    return count;
}

// The answer is kept in a flag that the loop tests.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_eachUntil(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    jint i = 0;
    jboolean failed = JNI_FALSE;
    while (!failed && i < count) {
        (*env)->CallVoidMethod(env, listener, gOnItem, i); // ok: exception-unchecked-call
        failed = (*env)->ExceptionCheck(env);
        i++;
    }
    return failed ? -1 : i;
}

// A helper of the project that is given env may have looked.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_close(JNIEnv *env, jobject self, jobject listener)
{
    (*env)->CallVoidMethod(env, listener, gOnEnd); // ok: exception-unchecked-call
    checkAndClearException(env);
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// A helper whose last act is the call: its caller checks.
static void notify(JNIEnv *env, jobject listener, jint item)
{
    (*env)->CallVoidMethod(env, listener, gOnItem, item); // ok: exception-unchecked-call
}

JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_notifyBoth(JNIEnv *env, jobject self, jobject listener)
{
    (void)self;
    notify(env, listener, 1);
    if ((*env)->ExceptionCheck(env))
        return;
    notify(env, listener, 2);
}

// Throws something clearer in place of what the method threw.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_report(JNIEnv *env, jobject self, jclass base, jclass error)
{
    (*env)->CallNonvirtualVoidMethod(env, self, base, gOnBegin); // ok: exception-unchecked-call
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        (*env)->ThrowNew(env, error, "the scanner could not begin");
    }
}

// Whatever came back, the element exists.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_weight(JNIEnv *env, jclass cls, jobject list)
{
    static const jint weights[4] = {1, 2, 4, 8};
    (void)cls;
    jint size = (*env)->CallIntMethod(env, list, gSize); // ok: exception-unchecked-call
    if (size < 0 || size > 3)
        return 0;
    return weights[size];
}

// ---- helpers

static int storeName(JNIEnv *env, jobject to, jfieldID field, const char *name)
{
    jstring text = (*env)->NewStringUTF(env, name);
    if (text == NULL)
        return -1;
    (*env)->SetObjectField(env, to, field, text);
    (*env)->DeleteLocalRef(env, text);
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_label(JNIEnv *env, jobject self, jobject other, jfieldID name)
{
    int status;
    if (storeName(env, self, name, "first") != 0) // ok: exception-unchecked-call
        return -1;
    if ((status = storeName(env, other, name, "second"))) // ok: exception-unchecked-call
        goto out;
    status = storeName(env, self, name, "third"); // ok: exception-unchecked-call
out:
    return status;
}

static jboolean hasException(JNIEnv *env)
{
    if ((*env)->ExceptionCheck(env))
        return JNI_TRUE;
    return JNI_FALSE;
}

JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_follow(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    for (jint i = 0; i < count; i++) {
        (*env)->CallVoidMethod(env, listener, gOnItem, i); // ok: exception-unchecked-call
        if (hasException(env))
            return;
    }
    (*env)->CallVoidMethod(env, listener, gOnEnd); // ok: exception-unchecked-call
}

static int parseValue(JNIEnv *env, const char **at, int level);

static int parseList(JNIEnv *env, const char **at, int level)
{
    while (**at && **at != ']')
        if (parseValue(env, at, level + 1) < 0)
            return -1;
    return 0;
}

static int parseValue(JNIEnv *env, const char **at, int level)
{
    if (level > 100) {
        jclass cls = (*env)->FindClass(env, "java/lang/IllegalStateException");
        if (cls != NULL)
            (*env)->ThrowNew(env, cls, "too deep");
        return -1;
    }
    if (*(*at)++ == '[')
        return parseList(env, at, level);
    return 0;
}

JNIEXPORT jobject JNICALL
Java_org_example_scan_Scanner_parse(JNIEnv *env, jclass cls, jstring text)
{
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return NULL;
    const char *at = chars;
    int status = parseValue(env, &at, 0); // ok: exception-unchecked-call
    (*env)->ReleaseStringUTFChars(env, text, chars);
    return status < 0 ? NULL : (*env)->AllocObject(env, cls);
}

struct format {
    const char *name;
    int (*decode)(JNIEnv *env, jbyteArray data, jint *out);
};

static int decodeByte(JNIEnv *env, jbyteArray data, jint *out)
{
    jbyte b;
    (*env)->GetByteArrayRegion(env, data, 0, 1, &b);
    if ((*env)->ExceptionCheck(env))
        return -1;
    *out = b;
    return 0;
}

static int decodeNothing(JNIEnv *env, jbyteArray data, jint *out)
{
    (void)env;
    (void)data;
    *out = 0;
    return 0;
}

static const struct format formats[] = {{"nothing", decodeNothing}, {"byte", decodeByte}};

JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_decode(JNIEnv *env, jclass cls, jbyteArray data, jint which)
{
    jint value = 0;
    if (formats[which & 1].decode(env, data, &value) != 0) // ok: exception-unchecked-call
        return 0;
    jfieldID last = (*env)->GetStaticFieldID(env, cls, "last", "I");
    if (last != NULL)
        (*env)->SetStaticIntField(env, cls, last, value);
    return value;
}

// The first one, which cannot throw.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_reset(JNIEnv *env, jclass cls, jbyteArray data)
{
    jint value = 0;
    formats[0].decode(env, data, &value); // ok: exception-unchecked-call
    jfieldID last = (*env)->GetStaticFieldID(env, cls, "last", "I");
    if (last != NULL)
        (*env)->SetStaticIntField(env, cls, last, value);
    return value;
}

// The error stays set: every helper returns at once when it is.
struct walk {
    JNIEnv *env;
    jobject list, item;
    int failed;
};

static void beginWalk(struct walk *w)
{
    if (w->failed)
        return;
    (*w->env)->CallVoidMethod(w->env, w->list, gOnBegin);
    if ((*w->env)->ExceptionCheck(w->env))
        w->failed = 1;
}

static jboolean takeItem(struct walk *w, jint i)
{
    if (w->failed)
        return JNI_FALSE;
    w->item = (*w->env)->CallObjectMethod(w->env, w->list, gGet, i);
    if ((*w->env)->ExceptionCheck(w->env))
        w->failed = 1;
    return !w->failed;
}

static void endWalk(struct walk *w)
{
    (*w->env)->DeleteLocalRef(w->env, w->item);
    w->item = NULL;
}

JNIEXPORT jboolean JNICALL
Java_org_example_task_Runner_walk(JNIEnv *env, jobject self, jobject list)
{
    struct walk w = {env, list, NULL, 0};
    (void)self;
    beginWalk(&w);   // ok: exception-unchecked-call
    takeItem(&w, 0); // ok: exception-unchecked-call
    endWalk(&w);
    if (w.failed)
        return JNI_FALSE;
    return (*env)->CallIntMethod(env, list, gSize) > 1;
}

// The outcome lies in a static.
static int gLastError;

static void tellEnd(JNIEnv *env, jobject listener)
{
    (*env)->CallVoidMethod(env, listener, gOnEnd);
    gLastError = (*env)->ExceptionCheck(env);
}

JNIEXPORT jboolean JNICALL
Java_org_example_task_Runner_finish(JNIEnv *env, jobject self, jobject listener)
{
    tellEnd(env, listener); // ok: exception-unchecked-call
    if (gLastError)
        return JNI_FALSE;
    return (*env)->IsSameObject(env, self, listener);
}

// NULL popped with a frame stays NULL.
static jobject leave(JNIEnv *env, jobject result)
{
    return (*env)->PopLocalFrame(env, result);
}

static jobject firstOf(JNIEnv *env, jobject list)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return NULL;
    jobject item = (*env)->CallObjectMethod(env, list, gGet, 0);
    if ((*env)->ExceptionCheck(env))
        item = NULL;
    return leave(env, item);
}

JNIEXPORT void JNICALL
Java_org_example_task_Runner_copy(JNIEnv *env, jobject self, jobject list, jobjectArray to)
{
    jobject item = firstOf(env, list); // ok: exception-unchecked-call
    (void)self;
    if (item != NULL)
        (*env)->SetObjectArrayElement(env, to, 0, item);
}

// The outcome is a member of the struct that the helper returns.
struct outcome {
    jobject item;
    jboolean ok;
};

static struct outcome tryFirst(JNIEnv *env, jobject list)
{
    struct outcome o;
    o.item = (*env)->CallObjectMethod(env, list, gGet, 0);
    o.ok = !(*env)->ExceptionCheck(env);
    return o;
}

JNIEXPORT jboolean JNICALL
Java_org_example_task_Runner_isFirst(JNIEnv *env, jobject self, jobject list)
{
    struct outcome o = tryFirst(env, list); // ok: exception-unchecked-call
    return o.ok && (*env)->IsSameObject(env, o.item, self);
}
