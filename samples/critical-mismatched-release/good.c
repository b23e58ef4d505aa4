// SPDX-License-Identifier: Apache-2.0
//
// Regions ended once each, with what they were begun with: nested, conditional, behind macros and
// helpers, begun again after a break.

#include <jni.h>
#include <string.h>

struct region {
    jarray array;
    void *data;
};

static jmethodID gOnBlock; // void onBlock(int)

int compress_block(const void *in, jsize inLength, void *out, jsize outLength);

#define BEGIN_CRITICAL(env, array, type, var)                                                      \
    {                                                                                              \
        type *var = (type *)(*(env))->GetPrimitiveArrayCritical((env), (array), NULL);             \
        if (var != NULL) {
#define END_CRITICAL(env, array, var)                                                              \
    (*(env))->ReleasePrimitiveArrayCritical((env), (array), var, 0);                               \
    }                                                                                              \
    }

// Two regions, the inner one ended first, the outer one in any case.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_block(JNIEnv *env, jclass cls, jbyteArray in, jsize inLength,
                                    jbyteArray out, jsize outLength)
{
    int size = -1;
    (void)cls;
    void *from = (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    if (from == NULL)
        return -1;
    void *to = (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (to != NULL) {
        size = compress_block(from, inLength, to, outLength);
        (*env)->ReleasePrimitiveArrayCritical(env, out, to, 0); // ok: critical-mismatched-release
    }
    (*env)->ReleasePrimitiveArrayCritical(env, in, from, JNI_ABORT); // ok: critical-mismatched-release
    return size;
}

// A label for all of it.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_pair(JNIEnv *env, jclass cls, jbyteArray in, jsize inLength,
                                   jbyteArray out, jsize outLength)
{
    jint size = -1;
    void *from = NULL, *to = NULL;
    (void)cls;
    from = (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    if (from == NULL)
        goto out;
    to = (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (to == NULL)
        goto out;
    size = compress_block(from, inLength, to, outLength);
out:
    if (to != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, out, to, 0); // ok: critical-mismatched-release
    if (from != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, in, from, JNI_ABORT); // ok: critical-mismatched-release
    return size;
}

// The pointer that walks is another one.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_sum(JNIEnv *env, jclass cls, jintArray values, jsize count)
{
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
    if (data == NULL)
        return 0;
    jint *p = data, *end = data + count;
    while (p != end)
        sum += *p++;
    (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT); // ok: critical-mismatched-release
    return sum;
}

// Ended for the call into Java, begun again behind it.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_feed(JNIEnv *env, jobject self, jbyteArray bytes, jint blocks)
{
    jint sum = 0;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
    if (data == NULL)
        return -1;
    for (jint i = 0; i < blocks; i++) {
        sum += data[i];
        (*env)->ReleasePrimitiveArrayCritical(env, bytes, data, JNI_ABORT); // ok: critical-mismatched-release
        (*env)->CallVoidMethod(env, self, gOnBlock, i);
        if ((*env)->ExceptionCheck(env))
            return sum;
        data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
        if (data == NULL)
            return sum;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, bytes, data, JNI_ABORT); // ok: critical-mismatched-release
    return sum;
}

// Begin and end in two macros; array and pointer chosen together.
JNIEXPORT void JNICALL
Java_org_example_zip_Deflater_clear(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    BEGIN_CRITICAL(env, bytes, jbyte, data)
    memset(data, 0, (size_t)length);
    END_CRITICAL(env, bytes, data) // ok: critical-mismatched-release
}

JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_first(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jboolean swap)
{
    (void)cls;
    jbyteArray array = swap ? b : a;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (data == NULL)
        return -1;
    jint first = data[0];
    (*env)->ReleasePrimitiveArrayCritical(env, array, data, JNI_ABORT); // ok: critical-mismatched-release
    return first;
}

// A pair of helpers around a struct.
static int beginRegion(JNIEnv *env, struct region *r, jarray array)
{
    r->array = array;
    r->data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    return r->data != NULL;
}

static void endRegion(JNIEnv *env, struct region *r)
{
    if (r->data != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, r->array, r->data, 0); // ok: critical-mismatched-release
    r->data = NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_copy(JNIEnv *env, jclass cls, jbyteArray in, jbyteArray out, jsize n)
{
    struct region from, to;
    jint copied = -1;
    (void)cls;
    if (!beginRegion(env, &from, in))
        return -1;
    if (beginRegion(env, &to, out)) {
        memcpy(to.data, from.data, (size_t)n);
        copied = n;
        endRegion(env, &to);
    }
    endRegion(env, &from);
    return copied;
}

// Strings, too.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_hash(JNIEnv *env, jclass cls, jstring name, jsize length)
{
    jint hash = 0;
    (void)cls;
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL);
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    (*env)->ReleaseStringCritical(env, name, chars); // ok: critical-mismatched-release
    return hash;
}
