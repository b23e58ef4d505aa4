// SPDX-License-Identifier: Apache-2.0
//
// What may be kept past the call: global and weak references, method and field ids. And what looks
// like an escape and is none: a place that is overwritten or cleared before the method returns, a
// struct on this stack, a holder that is freed again.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    jobject listener;
    jlong position;
};

static jclass gPointClass;
static jclass gLineClass;
static jclass gEntryClass;
static jmethodID gEntryInit;
static jfieldID gPositionField;
static jobject gListener;
static jobject gCurrent;
static jweak gOwner;
static jclass gTypes[3];

// Ids are no references.
static jmethodID gRun;

void run_session(struct session *session);
void run_current(JNIEnv *env);

#define CACHE_CLASS(env, var, name)                                                                \
    do {                                                                                           \
        jclass local_ = (*(env))->FindClass((env), (name));                                        \
        if (local_ == NULL)                                                                        \
            return JNI_ERR;                                                                        \
        (var) = (jclass)(*(env))->NewGlobalRef((env), local_);                                     \
        (*(env))->DeleteLocalRef((env), local_);                                                   \
        if ((var) == NULL)                                                                         \
            return JNI_ERR;                                                                        \
    } while (0)

// The long form: find, make global, delete the local one.
JNIEXPORT void JNICALL
Java_org_example_geo_Point_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass local = (*env)->FindClass(env, "org/example/geo/Point");
    if (local == NULL)
        return;
    gPointClass = (jclass)(*env)->NewGlobalRef(env, local); // ok: local-ref-escape // expect: global-ref-never-deleted
    (*env)->DeleteLocalRef(env, local);
}

// The static holds a local reference for one line only.
JNIEXPORT void JNICALL
Java_org_example_geo_Line_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    gLineClass = (*env)->FindClass(env, "org/example/geo/Line"); // ok: local-ref-escape
    if (gLineClass == NULL)
        return;
    gLineClass = (jclass)(*env)->NewGlobalRef(env, gLineClass); // ok: local-ref-escape // expect: global-ref-never-deleted
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    CACHE_CLASS(env, gTypes[0], "org/example/geo/Arc"); // ok: local-ref-escape // expect: global-ref-never-deleted
    CACHE_CLASS(env, gTypes[1], "org/example/geo/Spline"); // ok: local-ref-escape
    CACHE_CLASS(env, gTypes[2], "org/example/geo/Circle"); // ok: local-ref-escape
    return JNI_VERSION_1_8;
}

// A lazy cache behind a guard.
JNIEXPORT jobject JNICALL
Java_org_example_net_Entry_create(JNIEnv *env, jclass cls, jlong time)
{
    (void)cls;
    if (gEntryClass == NULL) {
        jclass found = (*env)->FindClass(env, "org/example/net/Entry");
        if (found == NULL)
            return NULL;
        gEntryInit = (*env)->GetMethodID(env, found, "<init>", "(J)V"); // ok: local-ref-escape
        if (gEntryInit == NULL)
            return NULL;
        gEntryClass = (jclass)(*env)->NewGlobalRef(env, found); // ok: local-ref-escape // expect: global-ref-never-deleted
        (*env)->DeleteLocalRef(env, found);
        if (gEntryClass == NULL)
            return NULL;
    }
    return (*env)->NewObject(env, gEntryClass, gEntryInit, time);
}

// Replaces a global reference by another one.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_setListener(JNIEnv *env, jobject self, jobject listener)
{
    (void)self;
    if (gListener != NULL)
        (*env)->DeleteGlobalRef(env, gListener);
    gListener = listener != NULL ? (*env)->NewGlobalRef(env, listener) : NULL; // ok: local-ref-escape
}

// A weak global reference lives on as well.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_setOwner(JNIEnv *env, jobject self)
{
    if (gOwner != NULL)
        (*env)->DeleteWeakGlobalRef(env, gOwner);
    gOwner = (*env)->NewWeakGlobalRef(env, self); // ok: local-ref-escape
}

// Ids stay valid as long as their class is loaded.
JNIEXPORT void JNICALL
Java_org_example_net_Session_initIDs(JNIEnv *env, jclass cls)
{
    gPositionField = (*env)->GetFieldID(env, cls, "position", "J"); // ok: local-ref-escape
    if (gPositionField == NULL)
        return;
    gRun = (*env)->GetMethodID(env, cls, "run", "()V"); // ok: local-ref-escape
}

// The context on the heap owns a global reference.
JNIEXPORT jlong JNICALL
Java_org_example_net_Session_open(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return 0;
    session->listener = (*env)->NewGlobalRef(env, listener); // ok: local-ref-escape
    if (session->listener == NULL) {
        free(session);
        return 0;
    }
    return (jlong)(intptr_t)session;
}

// A context that does not outlive the call may hold a local reference.
JNIEXPORT void JNICALL
Java_org_example_net_Session_runOnce(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return;
    session->listener = listener; // ok: local-ref-escape
    run_session(session);
    free(session);
}

// So may a struct on this stack.
JNIEXPORT jlong JNICALL
Java_org_example_net_Session_measure(JNIEnv *env, jclass cls, jobject listener)
{
    struct session session = {.listener = listener, .position = 0}; // ok: local-ref-escape
    (void)env;
    (void)cls;
    run_session(&session);
    return session.position;
}

// A static that is set for the time of the call, and cleared.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_dispatch(JNIEnv *env, jobject self)
{
    gCurrent = self; // ok: local-ref-escape
    run_current(env);
    gCurrent = NULL;
}

// A helper that hands a local reference to its caller; what becomes of it is the caller's affair.
static jboolean findType(JNIEnv *env, const char *name, jclass *result)
{
    *result = (*env)->FindClass(env, name); // ok: local-ref-escape
    return *result != NULL;
}

JNIEXPORT jboolean JNICALL
Java_org_example_geo_Shapes_isKnown(JNIEnv *env, jclass cls, jobject shape)
{
    jclass type;
    (void)cls;
    if (!findType(env, "org/example/geo/Shape", &type))
        return JNI_FALSE;
    return (*env)->IsInstanceOf(env, shape, type);
}

// Native slots of a Java object hold jlongs; the reference itself stays in Java.
JNIEXPORT void JNICALL
Java_org_example_net_Session_seek(JNIEnv *env, jobject self, jlong position)
{
    (*env)->SetLongField(env, self, gPositionField, position);
}

static void forgetCurrent(void)
{
    gCurrent = NULL;
}

// Another function takes it out of the static again.
JNIEXPORT void JNICALL
Java_org_example_net_Channel_poll(JNIEnv *env, jobject self)
{
    gCurrent = self; // ok: local-ref-escape
    run_current(env);
    forgetCurrent();
}
