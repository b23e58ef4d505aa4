// SPDX-License-Identifier: Apache-2.0
//
// All the ways to test a result for NULL that real code uses, an exception check in place of
// the test, and results that need none because the method returns at once.

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

#define IS_NULL(x) ((x) == NULL)
#define CHECK_NULL(x)                                                                              \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return;                                                                                \
    } while (0)
#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if (IS_NULL(x))                                                                            \
            return (value);                                                                        \
    } while (0)
#define LOAD_ID(kind, id, name, signature)                                                         \
    do {                                                                                           \
        id = (*env)->Get##kind##ID(env, cls, name, signature);                                     \
        if (!id)                                                                                   \
            return;                                                                                \
    } while (0)

typedef JNIEnv *jni_env;

// The macros of the JDK.
JNIEXPORT void JNICALL
Java_org_example_ui_Item_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass item = (*env)->FindClass(env, "org/example/ui/Item"); // ok: exception-unchecked-null
    CHECK_NULL(item);
    gItemInit = (*env)->GetMethodID(env, item, "<init>", "()V"); // ok: exception-unchecked-null
    CHECK_NULL(gItemInit);
    gRefresh = (*env)->GetMethodID(env, item, "refresh", "()V"); // ok: exception-unchecked-null
}

// The name of the function is pasted together, env and cls come from around the macro.
JNIEXPORT void JNICALL
Java_org_example_ui_Image_initIDs(JNIEnv *env, jclass cls)
{
    LOAD_ID(Field, gWidth, "width", "I");   // ok: exception-unchecked-null
    LOAD_ID(Field, gHeight, "height", "I"); // ok: exception-unchecked-null
    LOAD_ID(Method, gRefresh, "refresh", "()V"); // ok: exception-unchecked-null
}

// Assigned and tested in the condition.
JNIEXPORT void JNICALL
Java_org_example_ui_View_refresh(JNIEnv *env, jobject self)
{
    jmethodID refresh;
    jclass type = (*env)->GetObjectClass(env, self);
    if (!(refresh = (*env)->GetMethodID(env, type, "refresh", "()V"))) // ok: exception-unchecked-null
        return;
    (*env)->CallVoidMethod(env, self, refresh);
}

// A ladder of conditions, with env behind a typedef.
JNIEXPORT jint JNICALL
Java_org_example_ui_View_count(jni_env env, jobject self, jobject view)
{
    jclass type;
    jfieldID count;
    (void)self;
    if ((type = (*env)->FindClass(env, "org/example/ui/View")) != NULL &&        // ok: exception-unchecked-null
        (count = (*env)->GetFieldID(env, type, "count", "I")) != NULL) // ok: exception-unchecked-null
        return (*env)->GetIntField(env, view, count);
    return -1;
}

// goto on failure, through a cached table of functions.
JNIEXPORT void JNICALL
Java_org_example_ui_View_setTitle(JNIEnv *env, jobject self)
{
    const struct JNINativeInterface_ *jni = *env;
    jstring title = jni->NewStringUTF(env, "View"); // ok: exception-unchecked-null
    if (IS_NULL(title))
        goto out;
    jni->SetObjectField(env, self, gTitle, title);
out:
    jni->DeleteLocalRef(env, title);
}

// A test that only some ways need.
JNIEXPORT void JNICALL
Java_org_example_ui_View_resetTitle(JNIEnv *env, jobject self, jboolean plain)
{
    jstring title = NULL;
    if (plain) {
        title = (*env)->NewStringUTF(env, "View"); // ok: exception-unchecked-null
        do {
            if (!title)
                return;
        } while (0);
    }
    (*env)->SetObjectField(env, self, gTitle, title); // NULL is a legal value
}

JNIEXPORT jbyteArray JNICALL
Java_org_example_ui_Image_copy(JNIEnv *env, jclass cls, jlong address, jint length)
{
    (void)cls;
    jbyteArray copy = (*env)->NewByteArray(env, length); // ok: exception-unchecked-null
    if (copy != NULL)
        (*env)->SetByteArrayRegion(env, copy, 0, length, (const jbyte *)(intptr_t)address);
    return copy;
}

// An exception check says the same as a NULL test.
JNIEXPORT jobject JNICALL
Java_org_example_ui_Item_create(JNIEnv *env, jclass cls)
{
    (void)cls;
    jobject item = (*env)->NewObject(env, gItemClass, gItemInit); // ok: exception-unchecked-null
    if ((*env)->ExceptionCheck(env))
        return NULL;
    (*env)->CallVoidMethod(env, item, gRefresh);
    return item;
}

// The first one that exists; what the others threw is cleared.
JNIEXPORT jclass JNICALL
Java_org_example_ui_Item_backend(JNIEnv *env, jclass cls)
{
    static const char *const names[] = {"org/example/ui/gl/Backend", "org/example/ui/sw/Backend"};
    (void)cls;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        jclass backend = (*env)->FindClass(env, names[i]); // ok: exception-unchecked-null
        if (backend)
            return backend;
        (*env)->ExceptionClear(env);
    }
    return NULL;
}

// Returned as it is: NULL comes with an exception, and Java sees both.
JNIEXPORT jstring JNICALL
Java_org_example_ui_View_name(JNIEnv *env, jclass cls)
{
    (void)cls;
    return (*env)->NewStringUTF(env, "View"); // ok: exception-unchecked-null
}

// A helper that returns it leaves the test to its caller.
static jclass findItem(JNIEnv *env)
{
    jclass item = (*env)->FindClass(env, "org/example/ui/Item"); // ok: exception-unchecked-null
    return item;
}

JNIEXPORT void JNICALL
Java_org_example_ui_Item_cacheClass(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass item = findItem(env);
    if (item == NULL)
        return;
    gItemClass = (jclass)(*env)->NewGlobalRef(env, item); // expect: global-ref-never-deleted
    (*env)->DeleteLocalRef(env, item);
}

// Elements tested before they are read; what NULL means for the exception does not matter.
JNIEXPORT jint JNICALL
Java_org_example_ui_Image_firstPixel(JNIEnv *env, jclass cls, jintArray pixels)
{
    (void)cls;
    if ((*env)->GetArrayLength(env, pixels) == 0)
        return 0;
    jint *values = (*env)->GetIntArrayElements(env, pixels, NULL); // ok: exception-unchecked-null
    CHECK_NULL_RETURN(values, 0);
    jint first = values[0];
    (*env)->ReleaseIntArrayElements(env, pixels, values, JNI_ABORT);
    return first;
}

// A conditional expression is a test.
JNIEXPORT jint JNICALL
Java_org_example_ui_View_nameLength(JNIEnv *env, jclass cls)
{
    (void)cls;
    jstring name = (*env)->NewStringUTF(env, "View"); // ok: exception-unchecked-null
    return name ? (*env)->GetStringUTFLength(env, name) : -1;
}

// ---- helpers

static jstring newText(JNIEnv *env, const char *text)
{
    return (*env)->NewStringUTF(env, text);
}

// NULL for NULL, which is no failure.
static jstring newTextOrNull(JNIEnv *env, const char *text)
{
    return text == NULL ? NULL : newText(env, text);
}

JNIEXPORT jint JNICALL
Java_org_example_text_Text_measure(JNIEnv *env, jclass cls)
{
    (void)cls;
    jstring text = newText(env, "text"); // ok: exception-unchecked-null
    if (text == NULL)
        return 0;
    jstring home = newTextOrNull(env, getenv("HOME")); // ok: exception-unchecked-null
    if (home == NULL)
        return 0;
    return (*env)->GetStringLength(env, text) + (*env)->GetStringLength(env, home);
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

JNIEXPORT void JNICALL
Java_org_example_text_Text_run(JNIEnv *env, jclass cls, jobject job)
{
    (void)cls;
    jmethodID run = findMethod(env, "java/lang/Runnable", "run"); // ok: exception-unchecked-null
    if (run != NULL)
        (*env)->CallVoidMethod(env, job, run);
}

// Made once; NULL exactly when the lookup threw.
static jmethodID methodAdd(JNIEnv *env)
{
    static jmethodID add;
    if (add == NULL)
        add = findMethod(env, "java/util/ArrayList", "trimToSize");
    return add;
}

JNIEXPORT void JNICALL
Java_org_example_text_Text_trim(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    jmethodID add = methodAdd(env); // ok: exception-unchecked-null
    if (add == NULL)
        return;
    (*env)->CallVoidMethod(env, list, add);
}

// Ends the process where the condition is false.
static void require(JNIEnv *env, int condition, const char *message)
{
    if (!condition)
        (*env)->FatalError(env, message);
}

JNIEXPORT jint JNICALL
Java_org_example_text_Text_field(JNIEnv *env, jobject self)
{
    jclass cls = (*env)->FindClass(env, "org/example/text/Text"); // ok: exception-unchecked-null
    require(env, cls != NULL, "no class");
    jfieldID length = (*env)->GetFieldID(env, cls, "length", "I"); // ok: exception-unchecked-null
    require(env, length != NULL, "no field");
    return (*env)->GetIntField(env, self, length);
}

static int lookUp(JNIEnv *env, const char *name, jclass *out)
{
    *out = (*env)->FindClass(env, name);
    return *out != NULL ? 0 : -1;
}

// A status, and the class through an out-parameter.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_same(JNIEnv *env, jclass cls)
{
    jclass a, b;
    (void)cls;
    if (lookUp(env, "java/lang/String", &a) || lookUp(env, "java/lang/Object", &b))
        return JNI_FALSE;
    return (*env)->IsSameObject(env, a, b);
}
