// SPDX-License-Identifier: Apache-2.0
//
// Loops that make local references and stay bounded: deleted on every way out of the iteration,
// framed, handed on, kept and deleted by a second loop, made a few times only, or made once
// before the loop ends.

#include <jni.h>
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

static jmethodID gHasNext; // java.util.Iterator.hasNext()
static jmethodID gNext;    // java.util.Iterator.next()
static jmethodID gRun;     // java.lang.Runnable.run()

static jobject gTargets[64];
static jsize gTargetCount;

void nap(int seconds);

#define IS_NULL(x) ((x) == NULL)
#define CHECK_NULL_RETURN(x, v)                                                                    \
    do {                                                                                           \
        if (IS_NULL(x))                                                                            \
            return (v);                                                                            \
    } while (0)

void release_item(JNIEnv *env, jobject item);

JNIEXPORT jlong JNICALL
Java_org_example_text_Names_totalLength(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    jlong total = 0;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i); // ok: local-ref-leak-in-loop
        if (name == NULL) // nothing to delete
            continue;
        total += (*env)->GetStringUTFLength(env, name);
        (*env)->DeleteLocalRef(env, name);
    }
    return total;
}

// All ways through the iteration meet at the label.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countInstances(JNIEnv *env, jclass cls, jobjectArray objects, jclass type)
{
    (void)cls;
    jint found = 0;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        jclass actual = NULL;
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // ok: local-ref-leak-in-loop
        if (object == NULL)
            goto next;
        if (!(*env)->IsInstanceOf(env, object, type))
            goto next;
        actual = (*env)->GetObjectClass(env, object); // ok: local-ref-leak-in-loop
        if ((*env)->IsSameObject(env, actual, type))
            found++;
    next:
        if (actual)
            (*env)->DeleteLocalRef(env, actual);
        (*env)->DeleteLocalRef(env, object); // DeleteLocalRef(NULL) does nothing
    }
    return found;
}

// A frame for each iteration deletes whatever was made in it.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countSame(JNIEnv *env, jclass cls, jobjectArray objects, jclass type)
{
    (void)cls;
    jint same = 0;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) < 0)
            return -1;
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // ok: local-ref-leak-in-loop
        if (object != NULL) {
            jclass actual = (*env)->GetObjectClass(env, object); // ok: local-ref-leak-in-loop
            if ((*env)->IsSameObject(env, actual, type))
                same++;
        }
        (*env)->PopLocalFrame(env, NULL);
    }
    return same;
}

// A frame with a result: the first hit is carried out of its frame, and ends the loop.
JNIEXPORT jobject JNICALL
Java_org_example_text_Names_firstOf(JNIEnv *env, jclass cls, jobjectArray objects, jclass type)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) < 0)
            return NULL;
        jobject hit = NULL;
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // ok: local-ref-leak-in-loop
        if (object != NULL && (*env)->IsInstanceOf(env, object, type))
            hit = object;
        hit = (*env)->PopLocalFrame(env, hit); // ok: local-ref-leak-in-loop
        if (hit != NULL)
            return hit;
    }
    return NULL;
}

// The loop ends with the first match; what did not match is deleted.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Names_contains(JNIEnv *env, jclass cls, jobjectArray objects, jobject wanted)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // ok: local-ref-leak-in-loop
        if ((*env)->IsSameObject(env, object, wanted))
            return JNI_TRUE;
        (*env)->DeleteLocalRef(env, object);
    }
    return JNI_FALSE;
}

// Every iteration that makes a reference leaves the loop.
JNIEXPORT jstring JNICALL
Java_org_example_media_Codecs_firstEnabled(JNIEnv *env, jclass cls, jint mask)
{
    static const char *const names[] = {"h264", "vp9", "av1"};
    (void)cls;
    jstring result = NULL;
    for (jint bit = 0; bit < 31; bit++) {
        if ((mask & (1 << bit)) == 0)
            continue;
        result = (*env)->NewStringUTF(env, names[bit % 3]); // ok: local-ref-leak-in-loop
        break;
    }
    return result;
}

// A handful of references is what the 16 guaranteed slots are for.
JNIEXPORT jobjectArray JNICALL
Java_org_example_media_Codecs_all(JNIEnv *env, jclass cls, jclass stringClass)
{
    static const char *const names[4] = {"h264", "vp9", "av1", "theora"};
    (void)cls;
    jobjectArray result = (*env)->NewObjectArray(env, 4, stringClass, NULL);
    CHECK_NULL_RETURN(result, NULL);
    for (int i = 0; i < 4; i++) {
        jstring name = (*env)->NewStringUTF(env, names[i]); // ok: local-ref-leak-in-loop
        CHECK_NULL_RETURN(name, NULL);
        (*env)->SetObjectArrayElement(env, result, i, name);
        if ((*env)->ExceptionCheck(env))
            return NULL;
    }
    return result;
}

// Two nested loops of constant length: 3 * 4 references in all.
JNIEXPORT jint JNICALL
Java_org_example_grid_Table_countCorners(JNIEnv *env, jobject self, jobjectArray cells)
{
    (void)self;
    jint used = 0;
    for (jsize y = 0; y < 3; y++) {
        for (jsize x = 0; x < 4; x++) {
            jobject cell = (*env)->GetObjectArrayElement(env, cells, y * 4 + x); // ok: local-ref-leak-in-loop
            if ((*env)->ExceptionCheck(env))
                return -1;
            if (cell != NULL)
                used++;
        }
    }
    return used;
}

// Kept on purpose, with the room for it asked for, and deleted by a second loop.
JNIEXPORT jint JNICALL
Java_org_example_task_Pool_runTogether(JNIEnv *env, jobject self, jobjectArray tasks)
{
    (void)self;
    jint done = 0;
    jsize count = (*env)->GetArrayLength(env, tasks);
    if (count == 0 || (*env)->EnsureLocalCapacity(env, count) < 0)
        return 0;
    jobject *refs = calloc((size_t)count, sizeof *refs);
    if (refs == NULL)
        return 0;
    for (jsize i = 0; i < count; i++)
        refs[i] = (*env)->GetObjectArrayElement(env, tasks, i); // ok: local-ref-leak-in-loop
    for (jsize i = 0; i < count; i++) {
        if (refs[i] == NULL)
            continue;
        (*env)->CallVoidMethod(env, refs[i], gRun);
        if ((*env)->ExceptionCheck(env))
            break;
        done++;
    }
    for (jsize i = 0; i < count; i++) {
        if (refs[i] != NULL)
            (*env)->DeleteLocalRef(env, refs[i]);
    }
    free(refs);
    return done;
}

// Local to global, one after the other; the globals are kept in a table.
JNIEXPORT void JNICALL
Java_org_example_task_Pool_watch(JNIEnv *env, jobject self, jobjectArray targets)
{
    (void)self;
    jsize count = (*env)->GetArrayLength(env, targets);
    for (jsize i = 0; i < count && gTargetCount < 64; i++) {
        jobject target = (*env)->GetObjectArrayElement(env, targets, i); // ok: local-ref-leak-in-loop
        if (target == NULL)
            continue;
        jobject kept = (*env)->NewGlobalRef(env, target);
        (*env)->DeleteLocalRef(env, target);
        if (kept == NULL)
            return;
        gTargets[gTargetCount++] = kept;
    }
}

// The reference of the previous iteration is deleted by the next one.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countRuns(JNIEnv *env, jclass cls, jobjectArray objects)
{
    (void)cls;
    jint runs = 0;
    jobject previous = NULL;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // ok: local-ref-leak-in-loop
        if (i == 0 || !(*env)->IsSameObject(env, object, previous))
            runs++;
        if (previous != NULL)
            (*env)->DeleteLocalRef(env, previous);
        previous = object;
    }
    return runs;
}

// A walk up the hierarchy that deletes the class it leaves.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_depth(JNIEnv *env, jclass cls, jobject object)
{
    (void)cls;
    jint depth = 0;
    jclass current = (*env)->GetObjectClass(env, object);
    while (current != NULL) {
        jclass super = (*env)->GetSuperclass(env, current); // ok: local-ref-leak-in-loop
        (*env)->DeleteLocalRef(env, current);
        current = super;
        depth++;
    }
    return depth;
}

// Exceptions taken, and their references deleted, in the loop.
JNIEXPORT jint JNICALL
Java_org_example_task_Pool_runAll(JNIEnv *env, jobject self, jobject iterator)
{
    (void)self;
    jint failures = 0;
    for (;;) {
        jboolean more = (*env)->CallBooleanMethod(env, iterator, gHasNext);
        if ((*env)->ExceptionCheck(env) || !more)
            break;
        jobject task = (*env)->CallObjectMethod(env, iterator, gNext); // ok: local-ref-leak-in-loop
        if ((*env)->ExceptionCheck(env))
            break; // leaves the loop: at most one reference is left behind
        (*env)->CallVoidMethod(env, task, gRun);
        jthrowable thrown = (*env)->ExceptionOccurred(env); // ok: local-ref-leak-in-loop
        if (thrown != NULL) {
            (*env)->ExceptionClear(env);
            (*env)->DeleteLocalRef(env, thrown);
            failures++;
        }
        (*env)->DeleteLocalRef(env, task);
    }
    return failures;
}

// A function of the project that is given env, and whose name says that it releases.
JNIEXPORT void JNICALL
Java_org_example_task_Pool_drop(JNIEnv *env, jobject self, jobjectArray items)
{
    (void)self;
    jsize count = (*env)->GetArrayLength(env, items);
    for (jsize i = 0; i < count; i++) {
        jobject item = (*env)->GetObjectArrayElement(env, items, i); // ok: local-ref-leak-in-loop
        release_item(env, item);
        if ((*env)->ExceptionCheck(env))
            return;
    }
}

// ---- helpers

static void drop(JNIEnv *env, jobject o)
{
    if (o != NULL)
        (*env)->DeleteLocalRef(env, o);
}

// Deleted by another helper; nothing to delete when it is NULL.
static jint lengthAt(JNIEnv *env, jobjectArray names, jint i)
{
    jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
    if (name == NULL)
        return 0;
    jint length = (*env)->GetStringLength(env, name);
    drop(env, name);
    return length;
}

static void markAt(JNIEnv *env, jobjectArray nodes, jint i, jfieldID mark)
{
    jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
    if (node != NULL) {
        (*env)->SetIntField(env, node, mark, 1);
        (*env)->DeleteLocalRef(env, node);
    }
}

// Out by labels; the first is for NULL.
static int visitAt(JNIEnv *env, jobjectArray nodes, jint i, jfieldID mark)
{
    int status = -1;
    jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
    if (node == NULL)
        goto out;
    if ((*env)->GetIntField(env, node, mark) != 0)
        goto out_node;
    (*env)->SetIntField(env, node, mark, 1);
    status = 0;
out_node:
    (*env)->DeleteLocalRef(env, node);
out:
    return status;
}

static jint lengthInFrame(JNIEnv *env, jobjectArray names, jint i)
{
    jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i); // expect: local-ref-leak-in-helper
    return name == NULL ? 0 : (*env)->GetStringLength(env, name);
}

JNIEXPORT jint JNICALL
Java_org_example_text_Text_total(JNIEnv *env, jclass cls, jobjectArray names, jfieldID mark)
{
    jint total = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < n; i++) {
        total += lengthAt(env, names, i); // ok: local-ref-leak-in-loop
        markAt(env, names, i, mark);      // ok: local-ref-leak-in-loop
        if (visitAt(env, names, i, mark) < 0) // ok: local-ref-leak-in-loop
            continue;
        if ((*env)->PushLocalFrame(env, 4) < 0)
            return -1;
        total += lengthInFrame(env, names, i); // ok: local-ref-leak-in-loop
        (*env)->PopLocalFrame(env, NULL);
    }
    return total;
}

// One that leaves a reference behind, a few times.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_rgb(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    return lengthInFrame(env, names, 0) + lengthInFrame(env, names, 1); // ok: local-ref-leak-in-loop
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

static jint depthOf(JNIEnv *env, jobject node, jfieldID next)
{
    if (node == NULL)
        return 0;
    jobject following = (*env)->GetObjectField(env, node, next);
    jint depth = 1 + depthOf(env, following, next);
    (*env)->DeleteLocalRef(env, following);
    return depth;
}

// A class that is made once, and a helper that calls itself.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_depths(JNIEnv *env, jclass cls, jobjectArray nodes, jfieldID next)
{
    jint total = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, nodes);
    for (jsize i = 0; i < n; i++) {
        jclass string = stringClass(env); // ok: local-ref-leak-in-loop
        if (string == NULL)
            return -1;
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if (node != NULL && !(*env)->IsInstanceOf(env, node, string))
            total += depthOf(env, node, next); // ok: local-ref-leak-in-loop
        drop(env, node);
    }
    return total;
}

static jobject following(JNIEnv *env, jobject node, jfieldID next)
{
    return (*env)->GetObjectField(env, node, next);
}

// The reference of the last turn is deleted, not that of this one.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_count(JNIEnv *env, jclass cls, jobject head, jfieldID next)
{
    jint count = 0;
    (void)cls;
    jobject node = (*env)->NewLocalRef(env, head);
    while (node != NULL) {
        jobject after = following(env, node, next); // ok: local-ref-leak-in-loop
        (*env)->DeleteLocalRef(env, node);
        node = after;
        count++;
    }
    return count;
}

static jobject nextOrSame(JNIEnv *env, jobject o, jfieldID next)
{
    jobject n = (*env)->GetObjectField(env, o, next);
    return n != NULL ? n : o;
}

// New, or what was given; deleted when it is new.
JNIEXPORT void JNICALL
Java_org_example_text_Text_poll(JNIEnv *env, jobject self, jfieldID next, jint times)
{
    for (jint i = 0; i < times; i++) {
        jobject n = nextOrSame(env, self, next); // ok: local-ref-leak-in-loop
        if (n != self)
            (*env)->DeleteLocalRef(env, n);
    }
}

// The helper is prepared for NULL, and is not called with it.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_weight(JNIEnv *env, jclass cls, jobjectArray rows)
{
    jint sum = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, rows);
    for (jsize i = 0; i < n; i++) {
        jbyteArray row = (*env)->GetObjectArrayElement(env, rows, i); // ok: local-ref-leak-in-loop
        if (row == NULL)
            continue;
        jbyte *data = (*env)->GetPrimitiveArrayCritical(env, row, NULL);
        if (data != NULL) {
            sum += data[0];
            (*env)->ReleasePrimitiveArrayCritical(env, row, data, JNI_ABORT);
        }
        drop(env, row);
    }
    return sum;
}

// ---- JVMTI

// Nothing is there to delete where it failed.
jint countLoaded(jvmtiEnv *jvmti, JNIEnv *env, jmethodID *methods, jint n)
{
    jint known = 0;
    for (jint i = 0; i < n; i++) {
        jclass type;
        // ok: local-ref-leak-in-loop
        if ((*jvmti)->GetMethodDeclaringClass(jvmti, methods[i], &type) != JVMTI_ERROR_NONE)
            continue;
        known++;
        (*env)->DeleteLocalRef(env, type);
    }
    return known;
}

static void JNICALL watch_threads(jvmtiEnv *jvmti, JNIEnv *env, void *seconds)
{
    for (;;) {
        jint count = 0;
        jthread *threads = NULL;
        // ok-next: local-ref-leak-in-loop
        if ((*jvmti)->GetAllThreads(jvmti, &count, &threads) != JVMTI_ERROR_NONE)
            return;
        gTargetCount = count;
        for (jint i = 0; i < count; i++)
            (*env)->DeleteLocalRef(env, threads[i]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
        nap(*(int *)seconds);
    }
}

// Framed.
static int name_threads(jvmtiEnv *jvmti, JNIEnv *env, const jthread *threads, jint count,
                        char **names)
{
    for (jint i = 0; i < count; i++) {
        jvmtiThreadInfo info;
        if ((*env)->PushLocalFrame(env, 4) != 0)
            return -1;
        // ok-next: local-ref-leak-in-loop
        jvmtiError error = (*jvmti)->GetThreadInfo(jvmti, threads[i], &info);
        (*env)->PopLocalFrame(env, NULL);
        if (error != JVMTI_ERROR_NONE)
            return -1;
        names[i] = info.name;
    }
    return 0;
}

// Once, before the loop.
static jint count_alive(jvmtiEnv *jvmti, JNIEnv *env, jclass daemon)
{
    jint count = 0, alive = 0;
    jthread *threads = NULL;
    // ok-next: local-ref-leak-in-loop
    if ((*jvmti)->GetAllThreads(jvmti, &count, &threads) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        alive += (*env)->IsInstanceOf(env, threads[i], daemon);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
    return alive;
}
