// SPDX-License-Identifier: Apache-2.0
//
// Java methods that are called without asking afterwards whether they threw. The result says
// nothing: a method that threw may seem to return any value, NULL or not. The finding is at the
// call that was not checked.

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

#define NOTIFY(env, listener, method) (*(env))->CallVoidMethod((env), (listener), (method))

// Two notifications in a row.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_start(JNIEnv *env, jobject self, jobject listener)
{
    (void)self;
    (*env)->CallVoidMethod(env, listener, gOnBegin); // expect: exception-unchecked-call
    (*env)->CallVoidMethod(env, listener, gOnEnd);
}

// The next turn of the loop calls again.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_each(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    for (jint i = 0; i < count; i++)
        (*env)->CallVoidMethod(env, listener, gOnItem, i); // expect: exception-unchecked-call
}

// An int result, and the size of an array is made of it.
JNIEXPORT jintArray JNICALL
Java_org_example_scan_Scanner_newTable(JNIEnv *env, jobject self, jobject source)
{
    (void)self;
    jint size = (*env)->CallIntMethod(env, source, gSize); // expect: exception-unchecked-call
    jintArray table = (*env)->NewIntArray(env, size);
    return table;
}

// Used natively, with no JNI call at all in between.
JNIEXPORT jlong JNICALL
Java_org_example_scan_Scanner_allocate(JNIEnv *env, jobject self, jobject source)
{
    (void)self;
    jint size = (*env)->CallIntMethod(env, source, gSize); // expect: exception-unchecked-call
    void *memory = malloc((size_t)size * 16);
    return (jlong)(intptr_t)memory;
}

// A test for NULL is no check.
JNIEXPORT jboolean JNICALL
Java_org_example_scan_Scanner_firstIs(JNIEnv *env, jobject self, jobject list, jclass type)
{
    (void)self;
    jobject first = (*env)->CallObjectMethod(env, list, gGet, 0); // expect: exception-unchecked-call
    if (first == NULL)
        return JNI_FALSE;
    return (*env)->IsInstanceOf(env, first, type);
}

// A static method, and its result used as a string.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_textLength(JNIEnv *env, jclass cls, jobject value)
{
    // expect-next: exception-unchecked-call
    jstring text = (jstring)(*env)->CallStaticObjectMethod(env, cls, gValueOf, value);
    jint length = (*env)->GetStringLength(env, text);
    (*env)->DeleteLocalRef(env, text);
    return length;
}

// Checked, but only where the result is kept.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_finish(JNIEnv *env, jobject self, jobject listener, jboolean strict)
{
    (*env)->CallVoidMethod(env, listener, gOnEnd); // expect: exception-unchecked-call
    if (strict) {
        if ((*env)->ExceptionCheck(env))
            return;
    }
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// The condition of a loop is a use of the result.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_count(JNIEnv *env, jobject self, jobject iterator)
{
    (void)self;
    jint count = 0;
    while ((*env)->CallBooleanMethod(env, iterator, gHasNext)) { // expect: exception-unchecked-call
        jobject next = (*env)->CallObjectMethod(env, iterator, gNext);
        if ((*env)->ExceptionCheck(env))
            return -1;
        (*env)->DeleteLocalRef(env, next);
        count++;
    }
    return count;
}

// Through a macro; legal clean-up in between does not help.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_close(JNIEnv *env, jobject self, jobject listener)
{
    jobject held = (*env)->NewLocalRef(env, listener);
    NOTIFY(env, held, gOnEnd); // expect: exception-unchecked-call
    (*env)->DeleteLocalRef(env, held);
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// A jvalue array and a virtual call that bypasses overriding: the same rule.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_report(JNIEnv *env, jobject self, jclass base, jint mode)
{
    jvalue arguments[1];
    switch (mode) {
    case 1:
        arguments[0].i = mode;
        (*env)->CallVoidMethodA(env, self, gOnItem, arguments); // expect: exception-unchecked-call
        break;
    case 2:
        (*env)->CallNonvirtualVoidMethod(env, self, base, gOnItem, mode); // expect: exception-unchecked-call
        break;
    default:
        return;
    }
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// What came back picks an element.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_weight(JNIEnv *env, jclass cls, jobject list)
{
    static const jint weights[4] = {1, 2, 4, 8};
    (void)cls;
    jint size = (*env)->CallIntMethod(env, list, gSize); // expect: exception-unchecked-call
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

// The status of a helper tells of an exception, and nobody looks at it.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_label(JNIEnv *env, jobject self, jobject other, jfieldID name)
{
    storeName(env, self, name, "first"); // expect: exception-unchecked-call
    storeName(env, other, name, "second");
}

static void progress(JNIEnv *env, jobject listener, jint done)
{
    if (done % 1024 == 0)
        (*env)->CallVoidMethod(env, listener, gOnItem, done);
}

// The Java method is called by a helper, in the next turn again.
JNIEXPORT void JNICALL
Java_org_example_scan_Scanner_follow(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    for (jint i = 0; i < count; i++)
        progress(env, listener, i); // expect: exception-unchecked-call
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

// Two functions that call each other; one of them throws.
JNIEXPORT jobject JNICALL
Java_org_example_scan_Scanner_parse(JNIEnv *env, jclass cls, jstring text)
{
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return NULL;
    const char *at = chars;
    parseValue(env, &at, 0); // expect: exception-unchecked-call
    (*env)->ReleaseStringUTFChars(env, text, chars);
    return (*env)->AllocObject(env, cls);
}

struct codec {
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

static int decodeShort(JNIEnv *env, jbyteArray data, jint *out)
{
    jbyte b[2];
    (*env)->GetByteArrayRegion(env, data, 0, 2, b);
    if ((*env)->ExceptionCheck(env))
        return -1;
    *out = b[0] << 8 | b[1];
    return 0;
}

static const struct codec codecs[] = {{"byte", decodeByte}, {"short", decodeShort}};

// Every function of the table may throw.
JNIEXPORT jint JNICALL
Java_org_example_scan_Scanner_decode(JNIEnv *env, jclass cls, jbyteArray data, jint which)
{
    jint value = 0;
    codecs[which & 1].decode(env, data, &value); // expect: exception-unchecked-call
    jfieldID last = (*env)->GetStaticFieldID(env, cls, "last", "I");
    if (last != NULL)
        (*env)->SetStaticIntField(env, cls, last, value);
    return value;
}
