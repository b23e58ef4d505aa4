// SPDX-License-Identifier: Apache-2.0
//
// Helpers of native methods that leave local references behind. Whether that hurts depends on how
// often a native method calls them.

#include <jni.h>
#include <stddef.h>
#include <string.h>

struct size {
    jint width, height;
};

static jmethodID gGetSize; // org.example.ui.Box.getSize()
static jmethodID gAccept;  // org.example.ui.Visitor.accept(String)
static jmethodID gParent;  // org.example.ui.Box.getParent()
static jfieldID gWidth;    // of org.example.ui.Size
static jfieldID gHeight;
static jfieldID gLabel; // of org.example.ui.Box

// What is read out of it is returned, it itself stays.
static jint width_of(JNIEnv *env, jobject box)
{
    jobject size = (*env)->GetObjectField(env, box, gLabel); // expect: local-ref-leak-in-helper
    if (size == NULL)
        return 0;
    return (*env)->GetIntField(env, size, gWidth);
}

// Into a struct of the caller.
static int read_size(JNIEnv *env, jobject box, struct size *out)
{
    jobject size = (*env)->CallObjectMethod(env, box, gGetSize); // expect: local-ref-leak-in-helper
    if ((*env)->ExceptionCheck(env) || size == NULL)
        return -1;
    out->width = (*env)->GetIntField(env, size, gWidth);
    out->height = (*env)->GetIntField(env, size, gHeight);
    return 0;
}

// The class of an object is a reference, too.
static jmethodID method_of(JNIEnv *env, jobject object, const char *name)
{
    jclass cls = (*env)->GetObjectClass(env, object); // expect: local-ref-leak-in-helper
    return (*env)->GetMethodID(env, cls, name, "()V");
}

// Without a name.
static jboolean is_same_class(JNIEnv *env, jobject object, jclass cls)
{
    return (*env)->IsSameObject(env, (*env)->GetObjectClass(env, object), cls); // expect: local-ref-leak-in-helper
}

// An argument of a Java method.
static int visit(JNIEnv *env, jobject visitor, const char *text)
{
    jstring string = (*env)->NewStringUTF(env, text); // expect: local-ref-leak-in-helper
    if (string == NULL)
        return -1;
    (*env)->CallVoidMethod(env, visitor, gAccept, string);
    return (*env)->ExceptionCheck(env) ? -1 : 0;
}

// Deleted at the end, but not where it returns early.
static jsize length_of_label(JNIEnv *env, jobject box)
{
    jstring label = (jstring)(*env)->GetObjectField(env, box, gLabel); // expect: local-ref-leak-in-helper
    if (label == NULL)
        return 0;
    jsize length = (*env)->GetStringLength(env, label);
    if (length > 1024)
        return 1024;
    (*env)->DeleteLocalRef(env, label);
    return length;
}

// What comes from a helper that returns a reference.
static jobject parent_of(JNIEnv *env, jobject box)
{
    jobject parent = (*env)->CallObjectMethod(env, box, gParent);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    return parent;
}

static jint width_of_parent(JNIEnv *env, jobject box)
{
    jobject parent = parent_of(env, box); // expect: local-ref-leak-in-helper
    return parent == NULL ? 0 : width_of(env, parent);
}

// The global reference does not replace the local one.
static jobject keep_label(JNIEnv *env, jobject box)
{
    jobject label = (*env)->GetObjectField(env, box, gLabel); // expect: local-ref-leak-in-helper
    return (*env)->NewGlobalRef(env, label);
}

JNIEXPORT jlong JNICALL
Java_org_example_ui_Boxes_measure(JNIEnv *env, jclass cls, jobject box, jobject visitor)
{
    struct size size = {0, 0};
    if (!is_same_class(env, box, cls) || method_of(env, box, "paint") == NULL)
        return 0;
    if (read_size(env, box, &size) < 0 || visit(env, visitor, "box") < 0)
        return 0;
    return (jlong)size.width * size.height + length_of_label(env, box) + width_of_parent(env, box);
}

JNIEXPORT jlong JNICALL
Java_org_example_ui_Boxes_keep(JNIEnv *env, jclass cls, jobject box)
{
    (void)cls;
    return (jlong)(size_t)keep_label(env, box);
}
