// SPDX-License-Identifier: Apache-2.0
//
// Results that are NULL exactly when the call threw, and that nobody tests before they are used
// or before the next JNI call. Also pointers that may be NULL when native memory is short,
// dereferenced untested. The finding is at the call whose result was not tested.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static jclass gItemClass;
static jmethodID gItemInit; // Item()
static jmethodID gRefresh;  // void refresh()
static jfieldID gTitle;     // String title
static jfieldID gWidth;
static jfieldID gHeight;

#define LOAD_FIELD(env, cls, id, name, signature)                                                  \
    id = (*(env))->GetFieldID((env), (cls), (name), (signature))

// A class that may be missing.
JNIEXPORT void JNICALL
Java_org_example_ui_Item_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass item = (*env)->FindClass(env, "org/example/ui/Item"); // expect: exception-unchecked-null
    gItemInit = (*env)->GetMethodID(env, item, "<init>", "()V");
}

// A method that may be missing.
JNIEXPORT void JNICALL
Java_org_example_ui_View_refresh(JNIEnv *env, jobject self)
{
    jclass type = (*env)->GetObjectClass(env, self);
    jmethodID refresh = (*env)->GetMethodID(env, type, "refresh", "()V"); // expect: exception-unchecked-null
    (*env)->CallVoidMethod(env, self, refresh);
}

// Out of memory: the field would take NULL, but an exception is pending.
JNIEXPORT void JNICALL
Java_org_example_ui_View_setTitle(JNIEnv *env, jobject self, jboolean plain)
{
    jstring title;
    if (plain)
        title = (*env)->NewStringUTF(env, "View"); // expect: exception-unchecked-null
    else
        title = NULL;
    (*env)->SetObjectField(env, self, gTitle, title);
}

JNIEXPORT jbyteArray JNICALL
Java_org_example_ui_Image_copy(JNIEnv *env, jclass cls, jlong address, jint length)
{
    (void)cls;
    jbyteArray copy = (*env)->NewByteArray(env, length); // expect: exception-unchecked-null
    (*env)->SetByteArrayRegion(env, copy, 0, length, (const jbyte *)(intptr_t)address);
    return copy;
}

// Tested, but after the second call.
JNIEXPORT jint JNICALL
Java_org_example_ui_View_count(JNIEnv *env, jobject self, jobject view)
{
    (void)self;
    jclass type = (*env)->FindClass(env, "org/example/ui/View"); // expect: exception-unchecked-null
    jfieldID count = (*env)->GetFieldID(env, type, "count", "I");
    if (type == NULL || count == NULL)
        return -1;
    return (*env)->GetIntField(env, view, count);
}

// Tested on one of two ways only.
JNIEXPORT jobject JNICALL
Java_org_example_ui_Item_create(JNIEnv *env, jclass cls, jboolean strict)
{
    (void)cls;
    jobject item = (*env)->NewObject(env, gItemClass, gItemInit); // expect: exception-unchecked-null
    if (strict && item == NULL)
        return NULL;
    (*env)->CallVoidMethod(env, item, gRefresh);
    return item;
}

// Two ids, one after the other: the second lookup may run with the exception of the first one.
JNIEXPORT void JNICALL
Java_org_example_ui_Image_initIDs(JNIEnv *env, jclass cls)
{
    LOAD_FIELD(env, cls, gWidth, "width", "I"); // expect: exception-unchecked-null
    LOAD_FIELD(env, cls, gHeight, "height", "I");
}

// NewGlobalRef may not be called with an exception pending.
JNIEXPORT void JNICALL
Java_org_example_ui_Item_cacheClass(JNIEnv *env, jclass cls)
{
    (void)cls;
    // expect-next: exception-unchecked-null
    gItemClass = (jclass)(*env)->NewGlobalRef(env, (*env)->FindClass(env, "org/example/ui/Item")); // expect: global-ref-never-deleted
}

// The elements were asked for, and may not have been given.
JNIEXPORT jint JNICALL
Java_org_example_ui_Image_firstPixel(JNIEnv *env, jclass cls, jintArray pixels)
{
    (void)cls;
    jint *values = (*env)->GetIntArrayElements(env, pixels, NULL); // expect: exception-unchecked-null
    jint first = values[0];
    (*env)->ReleaseIntArrayElements(env, pixels, values, JNI_ABORT);
    return first;
}

// In a loop, and stored into an array.
JNIEXPORT void JNICALL
Java_org_example_ui_Item_fill(JNIEnv *env, jclass cls, jobjectArray items)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, items);
    for (jsize i = 0; i < count; i++) {
        jobject item = (*env)->AllocObject(env, gItemClass); // expect: exception-unchecked-null
        (*env)->SetObjectArrayElement(env, items, i, item);
        (*env)->DeleteLocalRef(env, item);
        if ((*env)->ExceptionCheck(env))
            return;
    }
}

// ---- helpers

static jstring newText(JNIEnv *env, const char *text)
{
    return (*env)->NewStringUTF(env, text);
}

// NULL from the helper means what it means from NewStringUTF.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_measure(JNIEnv *env, jclass cls)
{
    (void)cls;
    jstring text = newText(env, "text"); // expect: exception-unchecked-null
    return (*env)->GetStringLength(env, text);
}

static jmethodID findMethod(JNIEnv *env, const char *type, const char *method)
{
    jclass cls = (*env)->FindClass(env, type);
    if (cls == NULL)
        return NULL;
    jmethodID id = (*env)->GetMethodID(env, cls, method, "()V");
    (*env)->DeleteLocalRef(env, cls);
    return id;
}

// Two calls in the helper can fail; the result is NULL for either.
JNIEXPORT void JNICALL
Java_org_example_text_Text_run(JNIEnv *env, jclass cls, jobject job)
{
    (void)cls;
    jmethodID run = findMethod(env, "java/lang/Runnable", "run"); // expect: exception-unchecked-null
    (*env)->CallVoidMethod(env, job, run);
}

static jint sizeWith(JNIEnv *env, jobject list, jmethodID size)
{
    return (*env)->CallIntMethod(env, list, size);
}

// A helper gets it and does not look.
JNIEXPORT jint JNICALL
Java_org_example_list_Lists_size(JNIEnv *env, jclass cls, jobject list, jclass type)
{
    (void)cls;
    jmethodID size = (*env)->GetMethodID(env, type, "size", "()I"); // expect: exception-unchecked-null
    return sizeWith(env, list, size);
}
