// SPDX-License-Identifier: Apache-2.0
//
// References deleted by the function for their kind: also where one variable holds a local and
// then a global reference, where a flag tells the kind, where a place holds either, or where
// only the caller knows.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct client {
    jobject callback; // global
    int state;
};

struct handle {
    jobject ref;
    jboolean global;
};

static jclass gEntryClass;
static jobject gLogger;
static jobject gEither;
static jobject gPool[8];

static jmethodID gPing; // void ping()

#define DROP_LOCAL(env, ref)                                                                       \
    do {                                                                                           \
        if ((ref) != NULL) {                                                                       \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
            (ref) = NULL;                                                                          \
        }                                                                                          \
    } while (0)

JNIEXPORT void JNICALL
Java_org_example_db_Entry_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass found = (*env)->FindClass(env, "org/example/db/Entry");
    if (found == NULL)
        return;
    gEntryClass = (jclass)(*env)->NewGlobalRef(env, found); // expect: global-ref-never-deleted
    (*env)->DeleteLocalRef(env, found); // ok: ref-delete-wrong-kind
}

// One variable, first a local and then a global reference.
JNIEXPORT jboolean JNICALL
Java_org_example_db_Entry_isList(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jclass list = (*env)->FindClass(env, "java/util/List");
    if (list == NULL)
        return JNI_FALSE;
    jclass global = (jclass)(*env)->NewGlobalRef(env, list);
    (*env)->DeleteLocalRef(env, list); // ok: ref-delete-wrong-kind
    list = global;
    if (list == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, value, list);
    (*env)->DeleteGlobalRef(env, list); // ok: ref-delete-wrong-kind
    return result;
}

JNIEXPORT jboolean JNICALL
Java_org_example_db_Cache_probe(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value);
    if (weak == NULL)
        return JNI_FALSE;
    jobject strong = (*env)->NewLocalRef(env, weak);
    jboolean alive = strong != NULL;
    (*env)->DeleteLocalRef(env, strong); // ok: ref-delete-wrong-kind
    (*env)->DeleteWeakGlobalRef(env, weak); // ok: ref-delete-wrong-kind
    return alive;
}

// A weak reference promoted to a global one.
JNIEXPORT void JNICALL
Java_org_example_db_Cache_ping(JNIEnv *env, jclass cls, jlong weakHandle)
{
    (void)cls;
    jobject strong = (*env)->NewGlobalRef(env, (jweak)(intptr_t)weakHandle);
    if (strong == NULL)
        return;
    (*env)->CallVoidMethod(env, strong, gPing);
    (*env)->DeleteGlobalRef(env, strong); // ok: ref-delete-wrong-kind
}

JNIEXPORT jlong JNICALL
Java_org_example_db_Client_open(JNIEnv *env, jclass cls, jobject callback)
{
    (void)cls;
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return 0;
    client->callback = (*env)->NewGlobalRef(env, callback);
    if (client->callback == NULL) {
        free(client);
        return 0;
    }
    return (jlong)(intptr_t)client;
}

JNIEXPORT void JNICALL
Java_org_example_db_Client_close(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct client *client = (struct client *)(intptr_t)handle;
    if (client == NULL)
        return;
    (*env)->DeleteGlobalRef(env, client->callback); // ok: ref-delete-wrong-kind
    free(client);
}

JNIEXPORT void JNICALL
Java_org_example_db_Log_install(JNIEnv *env, jclass cls, jobject logger)
{
    (void)cls;
    jobject fresh = (*env)->NewGlobalRef(env, logger);
    if (fresh == NULL)
        return;
    jobject old = gLogger;
    gLogger = fresh;
    if (old != NULL)
        (*env)->DeleteGlobalRef(env, old); // ok: ref-delete-wrong-kind
}

// The flag says which kind it is, here and in the struct.
JNIEXPORT jboolean JNICALL
Java_org_example_db_Entry_test(JNIEnv *env, jclass cls, jobject value, jboolean keep, jclass type)
{
    struct handle handle;
    (void)cls;
    handle.global = keep;
    handle.ref = keep ? (*env)->NewGlobalRef(env, value) : (*env)->NewLocalRef(env, value);
    if (handle.ref == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, handle.ref, type);
    if (handle.global)
        (*env)->DeleteGlobalRef(env, handle.ref); // ok: ref-delete-wrong-kind
    else
        (*env)->DeleteLocalRef(env, handle.ref); // ok: ref-delete-wrong-kind
    return result;
}

// A place that holds a local reference during one call and a global one at other times proves
// nothing.
JNIEXPORT void JNICALL
Java_org_example_db_Either_keep(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    if (gEither == NULL)
        gEither = (*env)->NewGlobalRef(env, value);
}

JNIEXPORT void JNICALL
Java_org_example_db_Either_borrow(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    if (gEither != NULL)
        return;
    gEither = (*env)->NewLocalRef(env, value);
    (*env)->DeleteLocalRef(env, gEither); // ok: ref-delete-wrong-kind
    gEither = NULL;
}

JNIEXPORT void JNICALL
Java_org_example_db_Either_forget(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gEither != NULL) {
        (*env)->DeleteGlobalRef(env, gEither); // ok: ref-delete-wrong-kind
        gEither = NULL;
    }
}

// Asks the virtual machine.
JNIEXPORT void JNICALL
Java_org_example_db_Either_drop(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    jobject ref = (jobject)(intptr_t)handle;
    switch ((*env)->GetObjectRefType(env, ref)) {
    case JNILocalRefType:
        (*env)->DeleteLocalRef(env, ref); // ok: ref-delete-wrong-kind
        break;
    case JNIGlobalRefType:
        (*env)->DeleteGlobalRef(env, ref); // ok: ref-delete-wrong-kind
        break;
    case JNIWeakGlobalRefType:
        (*env)->DeleteWeakGlobalRef(env, ref); // ok: ref-delete-wrong-kind
        break;
    default:
        break;
    }
}

// A parameter of a helper may be of any kind; the caller knows.
static void dropGlobal(JNIEnv *env, jobject ref)
{
    if (ref)
        (*env)->DeleteGlobalRef(env, ref); // ok: ref-delete-wrong-kind
}

JNIEXPORT void JNICALL
Java_org_example_db_Log_uninstall(JNIEnv *env, jclass cls)
{
    (void)cls;
    dropGlobal(env, gLogger);
    gLogger = NULL;
}

// A pool of global references, emptied in a loop.
JNIEXPORT void JNICALL
Java_org_example_db_Pool_add(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    for (int i = 0; i < 8; i++) {
        if (gPool[i] == NULL) {
            gPool[i] = (*env)->NewGlobalRef(env, value);
            return;
        }
    }
}

JNIEXPORT void JNICALL
Java_org_example_db_Pool_clear(JNIEnv *env, jclass cls)
{
    (void)cls;
    for (int i = 0; i < 8; i++) {
        (*env)->DeleteGlobalRef(env, gPool[i]); // ok: ref-delete-wrong-kind
        gPool[i] = NULL;
    }
}

// A local reference of one's own, deleted early, through a macro and under a NULL test.
JNIEXPORT jboolean JNICALL
Java_org_example_db_Entry_sameClass(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    jclass classOfA = NULL;
    jboolean result = JNI_FALSE;
    (void)cls;
    if (a == NULL || b == NULL)
        goto done;
    classOfA = (*env)->GetObjectClass(env, a);
    result = (*env)->IsInstanceOf(env, b, classOfA);
done:
    DROP_LOCAL(env, classOfA); // ok: ref-delete-wrong-kind
    return result;
}

// A tag says which kind it is; one function frees both.
struct value {
    enum { EMPTY, LOCAL, GLOBAL } tag;
    jobject ref;
};

static void freeValue(JNIEnv *env, struct value *v)
{
    switch (v->tag) {
    case LOCAL:
        (*env)->DeleteLocalRef(env, v->ref);
        break;
    case GLOBAL:
        (*env)->DeleteGlobalRef(env, v->ref);
        break;
    default:
        break;
    }
    v->tag = EMPTY;
}

JNIEXPORT void JNICALL
Java_org_example_zip_Entries_touch(JNIEnv *env, jclass cls, jobjectArray entries)
{
    struct value v;
    (void)cls;
    v.ref = (*env)->GetObjectArrayElement(env, entries, 0);
    if ((*env)->ExceptionCheck(env))
        return;
    v.tag = LOCAL;
    freeValue(env, &v); // ok: ref-delete-wrong-kind
}
