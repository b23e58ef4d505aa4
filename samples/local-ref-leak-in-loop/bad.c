// SPDX-License-Identifier: Apache-2.0
//
// Local references that a loop makes and does not delete within the iteration. Each of them
// fills one more slot of the thread's table until the native method returns, so a long array,
// list or class hierarchy makes the table grow without a bound.

#include <jni.h>
#include <jvmti.h>
#include <string.h>

static jmethodID gHasNext; // java.util.Iterator.hasNext()
static jmethodID gNext;    // java.util.Iterator.next()
static jmethodID gRun;     // java.lang.Runnable.run()

extern const char *const kSupportedCodecs[];
extern const jsize kSupportedCodecCount;

#define ELEMENT(env, array, i) ((*(env))->GetObjectArrayElement((env), (array), (i)))

// The plain form: nobody deletes the string.
JNIEXPORT jlong JNICALL
Java_org_example_text_Names_totalLength(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    jlong total = 0;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i); // expect: local-ref-leak-in-loop
        if (name == NULL)
            continue;
        total += (*env)->GetStringUTFLength(env, name);
    }
    return total;
}

// Deleted at the end of the iteration, but `continue` jumps over the deletion.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countInstances(JNIEnv *env, jclass cls, jobjectArray objects, jclass type)
{
    (void)cls;
    jint found = 0;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count; i++) {
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // expect: local-ref-leak-in-loop
        if (object == NULL)
            continue;
        if (!(*env)->IsInstanceOf(env, object, type))
            continue;
        found++;
        (*env)->DeleteLocalRef(env, object);
    }
    return found;
}

// Nested loops: the row is deleted, the cells are not.
JNIEXPORT jint JNICALL
Java_org_example_grid_Table_countBlank(JNIEnv *env, jobject self, jobjectArray rows)
{
    (void)self;
    jint blank = 0;
    jsize height = (*env)->GetArrayLength(env, rows);
    for (jsize y = 0; y < height; y++) {
        jobjectArray row = (jobjectArray)(*env)->GetObjectArrayElement(env, rows, y);
        if (row == NULL)
            continue;
        jsize width = (*env)->GetArrayLength(env, row);
        for (jsize x = 0; x < width; x++) {
            jstring cell = (jstring)(*env)->GetObjectArrayElement(env, row, x); // expect: local-ref-leak-in-loop
            if (cell == NULL || (*env)->GetStringLength(env, cell) == 0)
                blank++;
        }
        (*env)->DeleteLocalRef(env, row);
    }
    return blank;
}

// The object is deleted; its class, a second local reference, is forgotten.
JNIEXPORT jboolean JNICALL
Java_org_example_text_Names_allOfType(JNIEnv *env, jclass cls, jobjectArray objects, jclass type)
{
    (void)cls;
    jboolean same = JNI_TRUE;
    jsize count = (*env)->GetArrayLength(env, objects);
    for (jsize i = 0; i < count && same; i++) {
        jobject object = (*env)->GetObjectArrayElement(env, objects, i);
        if (object == NULL)
            continue;
        jclass actual = (*env)->GetObjectClass(env, object); // expect: local-ref-leak-in-loop
        if (!(*env)->IsSameObject(env, actual, type))
            same = JNI_FALSE;
        (*env)->DeleteLocalRef(env, object);
    }
    return same;
}

// An iterator, whose length nobody knows.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countOver(JNIEnv *env, jclass cls, jobject iterator, jclass type)
{
    (void)cls;
    jint found = 0;
    for (;;) {
        jboolean more = (*env)->CallBooleanMethod(env, iterator, gHasNext);
        if ((*env)->ExceptionCheck(env) || !more)
            break;
        jobject next = (*env)->CallObjectMethod(env, iterator, gNext); // expect: local-ref-leak-in-loop
        if ((*env)->ExceptionCheck(env))
            break;
        if ((*env)->IsInstanceOf(env, next, type))
            found++;
    }
    return found;
}

// Storing the string in the array does not delete the reference to it.
JNIEXPORT void JNICALL
Java_org_example_media_Codecs_fill(JNIEnv *env, jclass cls, jobjectArray result)
{
    (void)cls;
    jsize i = 0;
    while (i < kSupportedCodecCount) {
        jstring name = (*env)->NewStringUTF(env, kSupportedCodecs[i]); // expect: local-ref-leak-in-loop
        if (name == NULL)
            return;
        (*env)->SetObjectArrayElement(env, result, i, name);
        if ((*env)->ExceptionCheck(env))
            return;
        i++;
    }
}

// Through a macro, and a switch one arm of which forgets the deletion.
JNIEXPORT jint JNICALL
Java_org_example_media_Codecs_select(JNIEnv *env, jclass cls, jobjectArray items, jint mode)
{
    (void)cls;
    jint chosen = 0;
    jsize count = (*env)->GetArrayLength(env, items);
    for (jsize i = 0; i < count; i++) {
        jobject item = ELEMENT(env, items, i); // expect: local-ref-leak-in-loop
        switch (mode) {
        case 0:
            (*env)->DeleteLocalRef(env, item);
            break;
        case 1:
            chosen++;
            (*env)->DeleteLocalRef(env, item);
            break;
        default:
            chosen--;
            break;
        }
    }
    return chosen;
}

// ExceptionOccurred returns a local reference, too.
JNIEXPORT jint JNICALL
Java_org_example_task_Pool_runAll(JNIEnv *env, jobject self, jobjectArray tasks)
{
    (void)self;
    jint failures = 0;
    jsize count = (*env)->GetArrayLength(env, tasks);
    for (jsize i = 0; i < count; i++) {
        jobject task = (*env)->GetObjectArrayElement(env, tasks, i);
        if (task == NULL)
            continue;
        (*env)->CallVoidMethod(env, task, gRun);
        jthrowable thrown = (*env)->ExceptionOccurred(env); // expect: local-ref-leak-in-loop
        if (thrown != NULL) {
            (*env)->ExceptionClear(env);
            failures++;
        }
        (*env)->DeleteLocalRef(env, task);
    }
    return failures;
}

// Each class on the way up is overwritten by its superclass while still live.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_depth(JNIEnv *env, jclass cls, jclass type)
{
    (void)cls;
    jint depth = 0;
    jclass current = type;
    while (current != NULL) {
        current = (*env)->GetSuperclass(env, current); // expect: local-ref-leak-in-loop
        depth++;
    }
    return depth;
}

// One frame around the whole loop frees nothing between two iterations.
JNIEXPORT jint JNICALL
Java_org_example_text_Names_countNull(JNIEnv *env, jclass cls, jobjectArray objects)
{
    (void)cls;
    jint nulls = 0;
    jsize count = (*env)->GetArrayLength(env, objects);
    if ((*env)->PushLocalFrame(env, 16) < 0)
        return -1;
    for (jsize i = 0; i < count; i++) {
        jobject object = (*env)->GetObjectArrayElement(env, objects, i); // expect: local-ref-leak-in-loop
        if (object == NULL)
            nulls++;
    }
    (*env)->PopLocalFrame(env, NULL);
    return nulls;
}

// ---- helpers

static jint lengthAt(JNIEnv *env, jobjectArray names, jint i)
{
    jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i); // expect: local-ref-leak-in-helper
    if (name == NULL)
        return 0;
    return (*env)->GetStringLength(env, name);
}

// Every call of the helper leaves one behind.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_total(JNIEnv *env, jclass cls, jobjectArray names)
{
    jint total = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < n; i++)
        total += lengthAt(env, names, i); // expect: local-ref-leak-in-loop
    return total;
}

static jboolean isLonger(JNIEnv *env, jobjectArray names, jint i, jint than)
{
    return lengthAt(env, names, i) > than;
}

// Two calls below.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_countLonger(JNIEnv *env, jclass cls, jobjectArray names, jint than)
{
    jint count = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < n; i++)
        if (isLonger(env, names, i, than)) // expect: local-ref-leak-in-loop
            count++;
    return count;
}

static int visit(JNIEnv *env, jobject node, jfieldID mark)
{
    jclass cls = (*env)->GetObjectClass(env, node); // expect: local-ref-leak-in-helper
    if ((*env)->GetIntField(env, node, mark) != 0)
        return -1;
    (*env)->SetIntField(env, node, mark, 1);
    (*env)->DeleteLocalRef(env, cls);
    return 0;
}

// The helper deletes what it made, but not where it fails.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_visit(JNIEnv *env, jclass cls, jobject node, jfieldID mark, jint count)
{
    jint failures = 0;
    (void)cls;
    for (jint i = 0; i < count; i++)
        if (visit(env, node, mark) < 0) // todo-expect: local-ref-leak-in-loop
            failures++;
    return failures;
}

static jstring elementAt(JNIEnv *env, jobjectArray names, jint i)
{
    return (jstring)(*env)->GetObjectArrayElement(env, names, i);
}

// What the helper returns is the caller's to delete.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_sum(JNIEnv *env, jclass cls, jobjectArray names)
{
    jint total = 0;
    (void)cls;
    jsize n = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < n; i++) {
        jstring name = elementAt(env, names, i); // expect: local-ref-leak-in-loop
        if (name != NULL)
            total += (*env)->GetStringLength(env, name);
    }
    return total;
}

static jint depthOf(JNIEnv *env, jobject node, jfieldID next)
{
    if (node == NULL)
        return 0;
    jobject following = (*env)->GetObjectField(env, node, next); // expect: local-ref-leak-in-helper
    return 1 + depthOf(env, following, next);
}

// The helper calls itself.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_depths(JNIEnv *env, jclass cls, jobject first, jfieldID next, jint count)
{
    jint total = 0;
    (void)cls;
    for (jint i = 0; i < count; i++)
        total += depthOf(env, first, next); // expect: local-ref-leak-in-loop
    return total;
}

// ---- JVMTI

// Stored through a parameter of a function of JVMTI.
jint countDeclared(jvmtiEnv *jvmti, JNIEnv *env, jmethodID *methods, jint n, jclass wanted)
{
    jint declared = 0;
    for (jint i = 0; i < n; i++) {
        jclass type;
        // expect-next: local-ref-leak-in-loop
        if ((*jvmti)->GetMethodDeclaringClass(jvmti, methods[i], &type) != JVMTI_ERROR_NONE)
            continue;
        declared += (*env)->IsSameObject(env, type, wanted);
    }
    return declared;
}

void nap(int seconds);

static jint gThreadCount;

// Every poll stores a reference to each thread there is.
static void JNICALL watch_threads(jvmtiEnv *jvmti, JNIEnv *env, void *seconds)
{
    (void)env;
    for (;;) {
        jint count = 0;
        jthread *threads = NULL;
        // expect-next: local-ref-leak-in-loop
        if ((*jvmti)->GetAllThreads(jvmti, &count, &threads) != JVMTI_ERROR_NONE)
            return;
        gThreadCount = count;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
        nap(*(int *)seconds);
    }
}

// The thread group and the class loader in the structure.
static int name_threads(jvmtiEnv *jvmti, const jthread *threads, jint count, char **names)
{
    for (jint i = 0; i < count; i++) {
        jvmtiThreadInfo info;
        // expect-next: local-ref-leak-in-loop
        if ((*jvmti)->GetThreadInfo(jvmti, threads[i], &info) != JVMTI_ERROR_NONE)
            return -1;
        names[i] = info.name;
    }
    return 0;
}
