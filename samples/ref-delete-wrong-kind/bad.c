// SPDX-License-Identifier: Apache-2.0
//
// Each kind of reference has its own table and its own function to delete it. The wrong
// function frees nothing, or a slot that belongs to another reference.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct client {
    jobject callback; // global
    int state;
};

static jclass gEntryClass;
static jobject gLogger;
static jmethodID gPing; // void ping()

#define DROP_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL)                                                                         \
            (*(env))->DeleteGlobalRef((env), (ref));                                               \
    } while (0)

// The wrong variable: the local reference `found` was meant.
JNIEXPORT void JNICALL
Java_org_example_db_Entry_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    jclass found = (*env)->FindClass(env, "org/example/db/Entry");
    if (found == NULL)
        return;
    gEntryClass = (jclass)(*env)->NewGlobalRef(env, found);
    if (gEntryClass == NULL)
        return;
    (*env)->DeleteLocalRef(env, gEntryClass); // expect: ref-delete-wrong-kind
}

JNIEXPORT jboolean JNICALL
Java_org_example_db_Entry_isList(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jclass list = (*env)->FindClass(env, "java/util/List");
    if (list == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, value, list);
    (*env)->DeleteGlobalRef(env, list); // expect: ref-delete-wrong-kind
    return result;
}

// A jweak is no global reference.
JNIEXPORT jboolean JNICALL
Java_org_example_db_Cache_probe(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value);
    if (weak == NULL)
        return JNI_FALSE;
    jboolean cleared = (*env)->IsSameObject(env, weak, NULL);
    (*env)->DeleteGlobalRef(env, weak); // expect: ref-delete-wrong-kind
    return cleared;
}

JNIEXPORT void JNICALL
Java_org_example_db_Client_ping(JNIEnv *env, jobject self)
{
    jobject held = (*env)->NewGlobalRef(env, self);
    if (held == NULL)
        return;
    (*env)->CallVoidMethod(env, held, gPing);
    (*env)->DeleteWeakGlobalRef(env, held); // expect: ref-delete-wrong-kind
}

// The member holds a global reference, made by `open`; `close` takes it for a local one.
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
    (*env)->DeleteLocalRef(env, client->callback); // expect: ref-delete-wrong-kind
    free(client);
}

// The same with a static.
JNIEXPORT void JNICALL
Java_org_example_db_Log_install(JNIEnv *env, jclass cls, jobject logger)
{
    (void)cls;
    if (gLogger == NULL)
        gLogger = (*env)->NewGlobalRef(env, logger);
}

JNIEXPORT void JNICALL
Java_org_example_db_Log_uninstall(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gLogger != NULL) {
        (*env)->DeleteLocalRef(env, gLogger); // expect: ref-delete-wrong-kind
        gLogger = NULL;
    }
}

// Through a macro, at a cleanup label that is reached with and without the reference.
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
    DROP_REF(env, classOfA); // expect: ref-delete-wrong-kind
    return result;
}

// The argument of a native method is a local reference.
JNIEXPORT void JNICALL
Java_org_example_db_Client_forget(JNIEnv *env, jclass cls, jobject callback)
{
    (void)cls;
    (*env)->DeleteGlobalRef(env, callback); // expect: ref-delete-wrong-kind
}

// What a weak reference was promoted to is local here, not global.
JNIEXPORT jboolean JNICALL
Java_org_example_db_Cache_isInstance(JNIEnv *env, jclass cls, jlong weakHandle, jclass type)
{
    (void)cls;
    jobject strong = (*env)->NewLocalRef(env, (jweak)(intptr_t)weakHandle);
    if (strong == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, strong, type);
    (*env)->DeleteGlobalRef(env, strong); // expect: ref-delete-wrong-kind
    return result;
}

// ---- helpers

static void drop(JNIEnv *env, jobject o)
{
    if (o != NULL)
        (*env)->DeleteLocalRef(env, o);
}

// A helper for local references gets a global one.
JNIEXPORT void JNICALL
Java_org_example_text_Text_touch(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, o);
    drop(env, global); // expect: ref-delete-wrong-kind
}

static jclass stringClass(JNIEnv *env)
{
    static jclass string;
    if (string == NULL) {
        jclass local = (*env)->FindClass(env, "java/lang/String");
        if (local == NULL)
            return NULL;
        string = (*env)->NewGlobalRef(env, local); // expect: global-ref-never-deleted
        (*env)->DeleteLocalRef(env, local);
    }
    return string;
}

// What the helper returns is its cache.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_isString(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jclass string = stringClass(env);
    if (string == NULL)
        return JNI_FALSE;
    jboolean is = (*env)->IsInstanceOf(env, o, string);
    (*env)->DeleteLocalRef(env, string); // expect: ref-delete-wrong-kind
    return is;
}
