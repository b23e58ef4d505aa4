// SPDX-License-Identifier: Apache-2.0
//
// Local references kept in places that outlive the native method: a static, a table, an object
// on the heap. Once the method has returned the handle is stale: the next call that uses it
// reads whatever the table holds there by then.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    jobject listener;
    jlong position;
};

struct watch {
    jobject listener;
    struct watch *next;
};

static struct watch *gWatches;
static jclass gPointClass;
static jfieldID gPointX;
static jobject gListener;
static jclass gErrorClass;
static jclass gTypes[3];
static struct {
    jobject loader;
    jint generation;
} gCache;
static jclass gEntryClass;
static jclass gBufferClass;

static jmethodID gGetClassLoader; // java.lang.Class.getClassLoader()

#define CACHE_CLASS(env, var, name)                                                                \
    do {                                                                                           \
        (var) = (*(env))->FindClass((env), (name));                                                \
        if ((var) == NULL)                                                                         \
            return JNI_ERR;                                                                        \
    } while (0)

// The result of FindClass is a local reference like any other.
JNIEXPORT void JNICALL
Java_org_example_geo_Point_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    gPointClass = (*env)->FindClass(env, "org/example/geo/Point"); // expect: local-ref-escape
    if (gPointClass == NULL)
        return;
    gPointX = (*env)->GetFieldID(env, gPointClass, "x", "D");
}

// Arguments are local references that belong to the caller.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_setListener(JNIEnv *env, jobject self, jobject listener)
{
    (void)env;
    (void)self;
    gListener = listener; // expect: local-ref-escape
}

// JNI_OnLoad, through a macro that forgets the global reference.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    CACHE_CLASS(env, gErrorClass, "org/example/net/ProtocolError"); // expect: local-ref-escape
    return JNI_VERSION_1_8;
}

// A context on the heap, whose address goes to Java as a jlong.
JNIEXPORT jlong JNICALL
Java_org_example_net_Session_open(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return 0;
    session->listener = listener; // expect: local-ref-escape
    session->position = -1;
    return (jlong)(intptr_t)session;
}

// The same context, reached again through its handle.
JNIEXPORT void JNICALL
Java_org_example_net_Session_replaceListener(JNIEnv *env, jclass cls, jlong handle, jobject listener)
{
    (void)env;
    (void)cls;
    struct session *session = (struct session *)(intptr_t)handle;
    session->listener = listener; // expect: local-ref-escape
}

// A table filled in a loop.
JNIEXPORT void JNICALL
Java_org_example_geo_Shapes_initIDs(JNIEnv *env, jclass cls)
{
    static const char *const names[3] = {
        "org/example/geo/Line", "org/example/geo/Arc", "org/example/geo/Spline"};
    (void)cls;
    for (int i = 0; i < 3; i++) {
        jclass type = (*env)->FindClass(env, names[i]);
        if (type == NULL)
            return;
        gTypes[i] = type; // expect: local-ref-escape
    }
}

// A member of a static struct, filled from a Java call.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_rememberLoader(JNIEnv *env, jclass cls)
{
    jobject loader = (*env)->CallObjectMethod(env, cls, gGetClassLoader);
    if ((*env)->ExceptionCheck(env))
        return;
    gCache.loader = loader; // expect: local-ref-escape
    gCache.generation++;
}

// A lazy cache: the first call works, the second one uses a stale handle.
JNIEXPORT jobject JNICALL
Java_org_example_net_Entry_create(JNIEnv *env, jclass cls, jlong time)
{
    static jmethodID constructor;
    (void)cls;
    if (gEntryClass == NULL) {
        jclass found = (*env)->FindClass(env, "org/example/net/Entry");
        if (found == NULL)
            return NULL;
        constructor = (*env)->GetMethodID(env, found, "<init>", "(J)V");
        if (constructor == NULL)
            return NULL;
        gEntryClass = found; // expect: local-ref-escape
    }
    return (*env)->NewObject(env, gEntryClass, constructor, time);
}

// Made global, but where that fails the static keeps the local reference.
JNIEXPORT jboolean JNICALL
Java_org_example_net_Buffer_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    gBufferClass = (*env)->FindClass(env, "org/example/net/Buffer"); // expect: local-ref-escape
    if (gBufferClass == NULL)
        return JNI_FALSE;
    jobject global = (*env)->NewGlobalRef(env, gBufferClass);
    if (global == NULL)
        return JNI_FALSE;
    (*env)->DeleteLocalRef(env, gBufferClass);
    gBufferClass = (jclass)global;
    return JNI_TRUE;
}

// In a struct that the static list keeps.
JNIEXPORT jboolean JNICALL
Java_org_example_net_Buffer_watch(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    struct watch *w = malloc(sizeof *w);
    if (w == NULL)
        return JNI_FALSE;
    w->listener = listener; // expect: local-ref-escape
    w->next = gWatches;
    gWatches = w;
    return JNI_TRUE;
}

// ---- a helper

// Cached by the first call; the second one gets a reference that has ended.
static jclass listClass(JNIEnv *env)
{
    static jclass list;
    if (list == NULL)
        list = (*env)->FindClass(env, "java/util/ArrayList"); // expect: local-ref-escape
    return list;
}

JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_isList(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jclass list = listClass(env);
    return list != NULL && (*env)->IsInstanceOf(env, o, list);
}

static int gLookups;

static void countLookup(void)
{
    gLookups++;
}

// A function is called afterwards that stores to another static.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_loadMap(JNIEnv *env, jclass cls)
{
    static jclass map;
    (void)cls;
    map = (*env)->FindClass(env, "java/util/HashMap"); // expect: local-ref-escape
    countLookup();
    return map != NULL;
}
