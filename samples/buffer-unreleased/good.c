// SPDX-License-Identifier: Apache-2.0
//
// Elements and characters given back on every path, in the shapes that real code uses, and buffers
// whose release is the duty of somebody else: the caller, or the function that ends the struct.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct request {
    jstring path;
    const char *name;
};

struct pinned {
    jarray array;
    void *data;
    void (*release)(JNIEnv *env, jarray array, void *data);
};

static jclass gOutOfMemory; // global reference, java.lang.OutOfMemoryError
static jmethodID gOnData;   // void onData(int)

int is_byte_array(JNIEnv *env, jobject array);
int call_with(const struct pinned *arguments, int count);
int open_file(const char *path);
int rename_file(const char *from, const char *to);
int exec_file(const char *const *arguments, jsize count);
int parse(const jbyte *data, jint length);
void print_text(const char *text);

#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (value);                                                                        \
    } while (0)
#define ALLOC_CSTRING(V) const char *c##V = V ? (*env)->GetStringUTFChars(env, V, NULL) : NULL
#define FREE_CSTRING(V)                                                                            \
    if (c##V)                                                                                      \
    (*env)->ReleaseStringUTFChars(env, V, c##V)
#define GET_ELEMENTS(env, Type, array) (*(env))->Get##Type##ArrayElements((env), (array), NULL)
#define RELEASE_ELEMENTS(env, Type, array, data)                                                   \
    (*(env))->Release##Type##ArrayElements((env), (array), (data), JNI_ABORT)

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// NULL, and a clearer exception for it.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_openOrThrow(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (name == NULL) {
        (*env)->ThrowNew(env, gOutOfMemory, "path");
        return -1;
    }
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// Reverse order, with NULL tests.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_rename(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int status = -1;
    const char *source = NULL;
    const char *target = NULL;
    (void)cls;
    if ((source = (*env)->GetStringUTFChars(env, from, NULL)) == NULL) // ok: buffer-unreleased
        goto cleanup;
    if ((target = (*env)->GetStringUTFChars(env, to, NULL)) == NULL) // ok: buffer-unreleased
        goto cleanup;
    status = rename_file(source, target);
cleanup:
    if (target)
        (*env)->ReleaseStringUTFChars(env, to, target);
    if (source)
        (*env)->ReleaseStringUTFChars(env, from, source);
    return status;
}

// An optional argument: its test stands in front of both calls.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_link(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    int status = -1;
    const char *source = NULL;
    const char *target = NULL;
    (void)cls;
    if (from) if ((source = (*env)->GetStringUTFChars(env, from, NULL)) == NULL) goto fail; // ok: buffer-unreleased
    if (to) if ((target = (*env)->GetStringUTFChars(env, to, NULL)) == NULL) goto fail; // ok: buffer-unreleased
    status = rename_file(source, target);
fail:
    if (to && target) (*env)->ReleaseStringUTFChars(env, to, target);
    if (from && source) (*env)->ReleaseStringUTFChars(env, from, source);
    return status;
}

// Locals pasted together by a macro that acquires them and one that releases them.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_move(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    (void)cls;
    ALLOC_CSTRING(from); // ok: buffer-unreleased
    ALLOC_CSTRING(to);   // ok: buffer-unreleased
    int status = cfrom && cto ? rename_file(cfrom, cto) : -1;
    FREE_CSTRING(to);
    FREE_CSTRING(from);
    return status;
}

// A callback that throws: the release is legal, and comes before the return.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_feed(JNIEnv *env, jobject self, jbyteArray input, jint count)
{
    jbyte *data = GET_ELEMENTS(env, Byte, input); // ok: buffer-unreleased
    if (data == NULL)
        return;
    for (jint i = 0; i < count; i++) {
        (*env)->CallVoidMethod(env, self, gOnData, (jint)data[i]);
        if ((*env)->ExceptionCheck(env))
            break;
    }
    RELEASE_ELEMENTS(env, Byte, input, data);
}

// isCopy is for the curious; it does not decide about the release.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jint hash = 0;
    jboolean isCopy;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringChars(env, name, &isCopy); // ok: buffer-unreleased
    CHECK_NULL_RETURN(chars, 0);
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    if (isCopy == JNI_TRUE)
        hash ^= 1;
    (*env)->ReleaseStringChars(env, name, chars);
    return hash;
}

// Copied back half way, released at the end.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_fill(JNIEnv *env, jclass cls, jintArray target)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, target);
    jint *data = (*env)->GetIntArrayElements(env, target, NULL); // ok: buffer-unreleased
    if (data == NULL)
        return;
    for (jsize i = 0; i < length; i++) {
        data[i] = i;
        if (i == length / 2)
            (*env)->ReleaseIntArrayElements(env, target, data, JNI_COMMIT);
    }
    (*env)->ReleaseIntArrayElements(env, target, data, 0);
}

// One buffer a turn, released on every way through it.
JNIEXPORT void JNICALL
Java_org_example_fs_Names_print(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
        if (name == NULL)
            continue;
        const char *text = (*env)->GetStringUTFChars(env, name, NULL); // ok: buffer-unreleased
        if (text != NULL) {
            if (text[0] != '#')
                print_text(text);
            (*env)->ReleaseStringUTFChars(env, name, text);
        }
        (*env)->DeleteLocalRef(env, name);
        if (text == NULL)
            return;
    }
}

// A table of buffers: acquired by one loop, released by another, which the failures reach as well.
JNIEXPORT jint JNICALL
Java_org_example_fs_Process_exec(JNIEnv *env, jclass cls, jobjectArray arguments)
{
    jint status = -1;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, arguments);
    if (count == 0 || (*env)->EnsureLocalCapacity(env, count) < 0)
        return -1;
    jstring *strings = calloc((size_t)count, sizeof *strings);
    const char **texts = calloc((size_t)count, sizeof *texts);
    if (strings == NULL || texts == NULL)
        goto out;
    for (jsize i = 0; i < count; i++) {
        strings[i] = (jstring)(*env)->GetObjectArrayElement(env, arguments, i);
        if (strings[i] == NULL)
            goto out;
        texts[i] = (*env)->GetStringUTFChars(env, strings[i], NULL); // ok: buffer-unreleased
        if (texts[i] == NULL)
            goto out;
    }
    status = exec_file(texts, count);
out:
    if (strings != NULL && texts != NULL) {
        for (jsize i = 0; i < count; i++) {
            if (texts[i] != NULL)
                (*env)->ReleaseStringUTFChars(env, strings[i], texts[i]);
            if (strings[i] != NULL)
                (*env)->DeleteLocalRef(env, strings[i]);
        }
    }
    free(texts);
    free(strings);
    return status;
}

// Acquired and released under the same condition, with other work in between.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_scan(JNIEnv *env, jclass cls, jintArray marks, jint mode)
{
    jint *values = NULL;
    jint found = 0;
    (void)cls;
    if (mode != 0) {
        values = (*env)->GetIntArrayElements(env, marks, NULL); // ok: buffer-unreleased
        if (values == NULL)
            return -1;
        found = values[0];
    }
    found += 1;
    if (mode != 0)
        (*env)->ReleaseIntArrayElements(env, marks, values, JNI_ABORT);
    return found;
}

// The caller gets the characters, and the duty to release them.
static const char *pathChars(JNIEnv *env, jstring path)
{
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (name == NULL)
        (*env)->ThrowNew(env, gOutOfMemory, "path");
    return name;
}

// So does the owner of the struct, or of the out-parameter.
static int beginRequest(JNIEnv *env, struct request *request, jstring path, jint *length)
{
    request->path = path;
    request->name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (request->name == NULL)
        return -1;
    *length = (*env)->GetStringUTFLength(env, path);
    return 0;
}

static jboolean getBytes(JNIEnv *env, jbyteArray array, jbyte **data)
{
    *data = (*env)->GetByteArrayElements(env, array, NULL); // ok: buffer-unreleased
    return *data != NULL;
}

static void endRequest(JNIEnv *env, struct request *request)
{
    if (request->name != NULL)
        (*env)->ReleaseStringUTFChars(env, request->path, request->name);
    request->name = NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_send(JNIEnv *env, jclass cls, jstring path, jbyteArray body)
{
    struct request request;
    jbyte *data = NULL;
    jint length;
    (void)cls;
    if (beginRequest(env, &request, path, &length) < 0)
        return -1;
    const char *again = pathChars(env, path);
    if (again == NULL) {
        endRequest(env, &request);
        return -1;
    }
    print_text(again);
    (*env)->ReleaseStringUTFChars(env, path, again);
    if (getBytes(env, body, &data)) {
        length += parse(data, length);
        (*env)->ReleaseByteArrayElements(env, body, data, JNI_ABORT);
    }
    endRequest(env, &request);
    return length;
}

// A copy on the stack for short names, the characters of the string for long ones.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_stat(JNIEnv *env, jclass cls, jstring path)
{
    char shortName[256];
    const char *name = shortName;
    const char *chars = NULL;
    (void)cls;
    if ((*env)->GetStringUTFLength(env, path) < 200) {
        (*env)->GetStringUTFRegion(env, path, 0, (*env)->GetStringLength(env, path), shortName);
    } else {
        chars = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
        if (chars == NULL)
            return -1;
        name = chars;
    }
    int fd = open_file(name);
    if (name != shortName)
        (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// The function that releases is taken from a table.
static void giveBackChars(JNIEnv *env, jstring s, const void *chars)
{
    (*env)->ReleaseStringChars(env, s, chars);
}

static void giveBackUTFChars(JNIEnv *env, jstring s, const void *chars)
{
    (*env)->ReleaseStringUTFChars(env, s, chars);
}

static void (*const giveBack[])(JNIEnv *, jstring, const void *) = {giveBackChars,
                                                                   giveBackUTFChars};

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_length(JNIEnv *env, jclass cls, jstring name, jint utf)
{
    const void *chars = NULL;
    (void)cls;
    if (utf)
        chars = (*env)->GetStringUTFChars(env, name, NULL); // ok: buffer-unreleased
    else
        chars = (*env)->GetStringChars(env, name, NULL); // ok: buffer-unreleased
    if (chars == NULL)
        return -1;
    jint length = utf ? (jint)strlen(chars) : -1;
    giveBack[utf != 0](env, name, chars);
    return length;
}

// Arguments of a call, each of which says how it is released.
static void releaseBytes(JNIEnv *env, jarray array, void *data)
{
    (*env)->ReleaseByteArrayElements(env, array, data, 0);
}

static void releaseInts(JNIEnv *env, jarray array, void *data)
{
    (*env)->ReleaseIntArrayElements(env, array, data, 0);
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Call_invoke(JNIEnv *env, jclass cls, jarray argument, jint count)
{
    struct pinned arguments[64];
    int n = 0, status = -1;
    (void)cls;
    for (jint i = 0; i < count && n < 64; i++) {
        if (is_byte_array(env, argument)) {
            arguments[n].data = (*env)->GetByteArrayElements(env, argument, NULL); // ok: buffer-unreleased
            if (arguments[n].data == NULL)
                goto out;
            arguments[n].release = releaseBytes;
            arguments[n++].array = argument;
        } else if (i % 2) {
            arguments[n].data = (*env)->GetIntArrayElements(env, argument, NULL); // ok: buffer-unreleased
            if (arguments[n].data == NULL)
                goto out;
            arguments[n].release = releaseInts;
            arguments[n++].array = argument;
        }
    }
    status = call_with(arguments, n);
out:
    for (int i = 0; i < n; i++)
        arguments[i].release(env, arguments[i].array, arguments[i].data);
    return status;
}

// ---- helpers

static int acquireName(JNIEnv *env, jstring name, const char **out)
{
    *out = (*env)->GetStringUTFChars(env, name, NULL);
    return *out != NULL ? 0 : -1;
}

static void releaseName(JNIEnv *env, jstring name, const char *chars)
{
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, name, chars);
}

// The twin gets the address, and resets what it has released.
static void releaseNameAt(JNIEnv *env, jstring name, const char **chars)
{
    if (chars == NULL || *chars == NULL)
        return;
    (*env)->ReleaseStringUTFChars(env, name, *chars);
    *chars = NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_unlink(JNIEnv *env, jclass cls, jstring path)
{
    const char *name = NULL;
    (void)cls;
    if (acquireName(env, path, &name) != 0) // ok: buffer-unreleased
        return -1;
    jint length = (jint)strlen(name);
    if (length > 255)
        releaseNameAt(env, path, &name);
    releaseNameAt(env, path, &name);
    return length;
}

// One label for all that may have been acquired.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_order(JNIEnv *env, jclass cls, jstring a, jstring b)
{
    const char *first = NULL, *second = NULL;
    jint result = 0;
    (void)cls;
    if (acquireName(env, a, &first) != 0) // ok: buffer-unreleased
        goto out;
    if (acquireName(env, b, &second) != 0) // ok: buffer-unreleased
        goto out;
    result = strcmp(first, second);
out:
    releaseName(env, b, second);
    releaseName(env, a, first);
    return result;
}

struct bytes {
    jbyteArray array;
    jbyte *data;
    jsize length;
};

static jboolean openBytes(JNIEnv *env, struct bytes *b, jbyteArray array)
{
    b->array = array;
    b->length = (*env)->GetArrayLength(env, array);
    b->data = (*env)->GetByteArrayElements(env, array, NULL);
    return b->data != NULL;
}

static void closeBytes(JNIEnv *env, struct bytes *b)
{
    if (b->data != NULL)
        (*env)->ReleaseByteArrayElements(env, b->array, b->data, JNI_ABORT);
    b->data = NULL;
}

static struct bytes *newBytes(JNIEnv *env, jbyteArray array)
{
    struct bytes *b = malloc(sizeof *b);
    if (b == NULL)
        return NULL;
    if (!openBytes(env, b, array)) {
        free(b);
        return NULL;
    }
    return b;
}

static void freeBytes(JNIEnv *env, struct bytes *b)
{
    if (b == NULL)
        return;
    closeBytes(env, b);
    free(b);
}

// Two structs of this function, closed whether they were opened or not, and one from the heap.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_mismatch(JNIEnv *env, jclass cls, jbyteArray x, jbyteArray y)
{
    struct bytes a = {0}, b = {0};
    jint at = -1;
    (void)cls;
    if (openBytes(env, &a, x) && openBytes(env, &b, y)) // ok: buffer-unreleased
        for (at = 0; at < a.length && at < b.length; at++)
            if (a.data[at] != b.data[at])
                break;
    closeBytes(env, &a);
    closeBytes(env, &b);
    return at;
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_last(JNIEnv *env, jclass cls, jbyteArray input)
{
    (void)cls;
    struct bytes *in = newBytes(env, input); // ok: buffer-unreleased
    if (in == NULL)
        return -1;
    jint last = in->length ? in->data[in->length - 1] : -1;
    freeBytes(env, in);
    return last;
}

// Fails whole: what it got by then it gives back.
static int acquireBoth(JNIEnv *env, jstring from, jstring to, const char **source,
                       const char **target)
{
    *source = *target = NULL;
    *source = (*env)->GetStringUTFChars(env, from, NULL);
    if (*source == NULL)
        return -1;
    *target = (*env)->GetStringUTFChars(env, to, NULL);
    if (*target == NULL) {
        releaseNameAt(env, from, source);
        return -2;
    }
    return 0;
}

// Fails half way, and says how far it came.
static int acquireSome(JNIEnv *env, jstring from, jstring to, const char **source,
                       const char **target)
{
    *source = (*env)->GetStringUTFChars(env, from, NULL);
    if (*source == NULL)
        return -1;
    *target = (*env)->GetStringUTFChars(env, to, NULL);
    return *target == NULL ? -2 : 0;
}

static void swapNames(const char **a, const char **b)
{
    const char *first = *a;
    *a = *b;
    *b = first;
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_compareBoth(JNIEnv *env, jclass cls, jstring from, jstring to, jboolean back)
{
    const char *source, *target;
    (void)cls;
    if (acquireBoth(env, from, to, &source, &target) != 0) // ok: buffer-unreleased
        return -1;
    if (back)
        swapNames(&source, &target);
    jint order = strcmp(source, target);
    if (back)
        swapNames(&source, &target);
    releaseName(env, from, source);
    releaseName(env, to, target);
    return order;
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_compareSome(JNIEnv *env, jclass cls, jstring from, jstring to)
{
    const char *source, *target;
    jint order = -1;
    (void)cls;
    switch (acquireSome(env, from, to, &source, &target)) { // ok: buffer-unreleased
    case 0:
        order = strcmp(source, target);
        releaseName(env, to, target);
        releaseName(env, from, source);
        break;
    case -2:
        releaseName(env, from, source);
        break;
    default:
        break;
    }
    return order;
}

// NULL for NULL; then there is nothing to release.
static const char *charsOf(JNIEnv *env, jstring s)
{
    return s == NULL ? NULL : (*env)->GetStringUTFChars(env, s, NULL);
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_measure(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    const char *chars = charsOf(env, name); // ok: buffer-unreleased
    if (name != NULL && chars == NULL)
        return -1;
    jint length = chars == NULL ? 0 : (jint)strlen(chars);
    if (chars != NULL)
        (*env)->ReleaseStringUTFChars(env, name, chars);
    return length;
}

// The pair is reached through a constant table.
struct access {
    int (*open)(JNIEnv *env, jstring s, const char **out);
    void (*close)(JNIEnv *env, jstring s, const char *chars);
};

static const struct access utf = {.open = acquireName, .close = releaseName};

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_hash(JNIEnv *env, jclass cls, jstring name)
{
    const char *chars;
    (void)cls;
    if (utf.open(env, name, &chars) != 0) // ok: buffer-unreleased
        return -1;
    jint hash = chars[0];
    utf.close(env, name, chars);
    return hash;
}

// One of the two borrows what it returns: its twin has nothing to do.
struct source {
    int (*open)(JNIEnv *env, jstring s, const char **out);
    void (*close)(JNIEnv *env, jstring s, const char *chars);
};

static int borrowDefault(JNIEnv *env, jstring name, const char **out)
{
    (void)env;
    (void)name;
    *out = "default";
    return 0;
}

static void giveBackNothing(JNIEnv *env, jstring name, const char *chars)
{
    (void)env;
    (void)name;
    (void)chars;
}

static const struct source sources[] = {{acquireName, releaseName},
                                        {borrowDefault, giveBackNothing}};

JNIEXPORT jint JNICALL
Java_org_example_fs_Files_first(JNIEnv *env, jclass cls, jstring name, jint which)
{
    const struct source *from = &sources[which & 1];
    const char *chars;
    (void)cls;
    if (from->open(env, name, &chars) != 0) // ok: buffer-unreleased
        return -1;
    jint first = chars[0];
    from->close(env, name, chars);
    return first;
}

// Acquired by name, given back by whichever function fits; the default has nothing to give back.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_last(JNIEnv *env, jclass cls, jstring name)
{
    const struct source *from = &sources[name == NULL];
    const char *chars = NULL;
    (void)cls;
    if (name != NULL)
        chars = (*env)->GetStringUTFChars(env, name, NULL); // ok: buffer-unreleased
    else
        chars = "default";
    jint last = chars == NULL ? 0 : chars[strlen(chars) - 1];
    from->close(env, name, chars);
    return last;
}

// Half of it is the result, half an out-parameter; undone where the second half fails.
static jboolean newTable(JNIEnv *env, jint n, jintArray *array, jint **data)
{
    jboolean ok = JNI_FALSE;
    *array = (*env)->NewIntArray(env, n);
    if (*array == NULL)
        goto out;
    *data = (*env)->GetIntArrayElements(env, *array, NULL);
    if (*data == NULL) {
        (*env)->DeleteLocalRef(env, *array);
        goto out;
    }
    ok = JNI_TRUE;
out:
    return ok;
}

JNIEXPORT jintArray JNICALL
Java_org_example_fs_Reader_table(JNIEnv *env, jclass cls, jint n)
{
    jintArray array;
    jint *data;
    (void)cls;
    if (!newTable(env, n, &array, &data)) // ok: buffer-unreleased
        return NULL;
    for (jint i = 0; i < n; i++)
        data[i] = i;
    (*env)->ReleaseIntArrayElements(env, array, data, 0);
    return array;
}

// A helper allocates the struct, too; somebody takes it over on every path.
struct session {
    struct session *next;
    jbyteArray array; // global
    jbyte *data;
};

static struct session *gSessions;
static struct session *gTable[8];

void registerSession(struct session *s);

static struct session *newSession(JNIEnv *env, jbyteArray array)
{
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->array = (*env)->NewGlobalRef(env, array);
    if (s->array == NULL) {
        free(s);
        return NULL;
    }
    s->data = (*env)->GetByteArrayElements(env, array, NULL);
    if (s->data == NULL) {
        (*env)->DeleteGlobalRef(env, s->array);
        free(s);
        return NULL;
    }
    return s;
}

static void freeSession(JNIEnv *env, struct session *s)
{
    if (s == NULL)
        return;
    (*env)->ReleaseByteArrayElements(env, s->array, s->data, 0);
    (*env)->DeleteGlobalRef(env, s->array);
    free(s);
}

JNIEXPORT void JNICALL
Java_org_example_fs_Reader_keep(JNIEnv *env, jclass cls, jbyteArray array, jint how, jlong list)
{
    (void)cls;
    struct session *s = newSession(env, array); // ok: buffer-unreleased
    if (s == NULL)
        return;
    switch (how) {
    case 0:
        registerSession(s);
        break;
    case 1:
        s->next = gSessions;
        gSessions = s;
        break;
    case 2:
        gTable[3] = s;
        break;
    case 3:
        *(struct session **)(intptr_t)list = s;
        break;
    default:
        freeSession(env, s);
    }
}

JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sum(JNIEnv *env, jclass cls, jbyteArray first, jbyteArray second)
{
    struct session *all[2] = {NULL, NULL};
    jint sum = 0;
    (void)cls;
    for (int i = 0; i < 2; i++) {
        all[i] = newSession(env, i ? second : first); // ok: buffer-unreleased, global-ref-leak
        if (all[i] == NULL)
            goto out;
        sum += all[i]->data[0];
    }
out:
    for (int i = 0; i < 2; i++)
        freeSession(env, all[i]);
    return sum;
}
