// SPDX-License-Identifier: Apache-2.0
//
// Critical regions with nothing in them but memory access, more critical functions, and code that
// calls no JNI. What needs the virtual machine comes before the region or after it.

#include <jni.h>
#include <stdint.h>
#include <string.h>

static jclass gIllegalArgument; // global reference, java.lang.IllegalArgumentException
static jclass gOutOfMemory;     // global reference, java.lang.OutOfMemoryError
static jclass gLog;             // global reference
static jmethodID gTrace;        // static void trace(int)
static jfieldID gProgress;      // int progress

jint checksum(const void *data, size_t length);

#define PIN(env, array) (*(env))->GetPrimitiveArrayCritical((env), (array), NULL)
#define UNPIN(env, array, data, mode)                                                              \
    do {                                                                                           \
        if ((data) != NULL)                                                                        \
            (*(env))->ReleasePrimitiveArrayCritical((env), (array), (data), (mode));               \
    } while (0)
#define TRACE(env, value) (*(env))->CallStaticVoidMethod((env), gLog, gTrace, (jint)(value))

JNIEXPORT void JNICALL
Java_org_example_raster_Image_invert(JNIEnv *env, jclass cls, jbyteArray pixels)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, pixels); // ok: critical-jni-call
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jsize i = 0; i < length; i++)
        data[i] = (jbyte)~data[i];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
}

// The error is kept until the region has ended.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_sum(JNIEnv *env, jclass cls, jbyteArray pixels, jint length)
{
    (void)cls;
    jint sum = 0;
    jboolean negative = JNI_FALSE;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return 0;
    for (jint i = 0; i < length; i++) {
        if (data[i] < 0) {
            negative = JNI_TRUE;
            break;
        }
        sum += data[i];
    }
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
    if (negative)
        (*env)->ThrowNew(env, gIllegalArgument, "negative sample"); // ok: critical-jni-call
    return sum;
}

// Released in the error branch, before the throw.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_rotate(JNIEnv *env, jclass cls, jintArray pixels, jint angle, jint length)
{
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    switch (angle) {
    case 0:
        break;
    case 180:
        for (jint i = 0; i < length / 2; i++) {
            jint swap = data[i];
            data[i] = data[length - 1 - i];
            data[length - 1 - i] = swap;
        }
        break;
    default:
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
        (*env)->ThrowNew(env, gIllegalArgument, "angle"); // ok: critical-jni-call
        return;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
}

// Regions may be nested, also over the same array, and a string may be among them.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_label(JNIEnv *env, jobject self, jcharArray target, jstring text)
{
    jint copied = 0;
    jsize length = (*env)->GetStringLength(env, text);
    jsize room = (*env)->GetArrayLength(env, target);
    jchar *to = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (to != NULL) {
        const jchar *from = (*env)->GetStringCritical(env, text, NULL); // ok: critical-jni-call
        if (from != NULL) {
            copied = length < room ? length : room;
            memcpy(to, from, (size_t)copied * sizeof *to);
            (*env)->ReleaseStringCritical(env, text, from); // ok: critical-jni-call
        }
        (*env)->ReleasePrimitiveArrayCritical(env, target, to, 0);
    }
    (*env)->SetIntField(env, self, gProgress, copied); // ok: critical-jni-call
    return copied;
}

// Two arrays through macros, released in reverse order at the label, the throw behind it.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_copy(JNIEnv *env, jclass cls, jbyteArray target, jbyteArray source,
                                   jint length)
{
    jboolean failed = JNI_TRUE;
    void *to = NULL;
    void *from = NULL;
    (void)cls;
    if ((to = PIN(env, target)) == NULL)
        goto out;
    if ((from = PIN(env, source)) == NULL) // ok: critical-jni-call
        goto out;
    memcpy(to, from, (size_t)length);
    failed = JNI_FALSE;
out:
    UNPIN(env, source, from, JNI_ABORT);
    UNPIN(env, target, to, 0);
    if (failed)
        (*env)->ThrowNew(env, gOutOfMemory, NULL); // ok: critical-jni-call
}

// No region was opened where NULL came back.
JNIEXPORT jint JNICALL
Java_org_example_raster_Font_hash(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL);
    if (chars == NULL) {
        (*env)->ThrowNew(env, gOutOfMemory, NULL); // ok: critical-jni-call
        return 0;
    }
    jint hash = checksum(chars, (size_t)length * sizeof *chars);
    (*env)->ReleaseStringCritical(env, name, chars);
    return hash;
}

// Traced behind the region.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_checksum(JNIEnv *env, jclass cls, jbyteArray pixels, jint length)
{
    (void)cls;
    void *data = PIN(env, pixels);
    if (data == NULL)
        return 0;
    jint result = checksum(data, (size_t)length);
    UNPIN(env, pixels, data, JNI_ABORT);
    TRACE(env, result); // ok: critical-jni-call
    return result;
}

// One region for each band of the picture: between two of them, JNI calls are legal.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_smooth(JNIEnv *env, jobject self, jshortArray pixels, jint width, jint height)
{
    for (jint y = 0; y < height; y++) {
        jshort *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
        if (data == NULL)
            return;
        for (jint x = 1; x < width; x++)
            data[y * width + x] = (jshort)((data[y * width + x - 1] + data[y * width + x]) / 2);
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
        (*env)->SetIntField(env, self, gProgress, y); // ok: critical-jni-call
    }
}

// Small arrays are copied, large ones pinned: the flag says which one it was.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_check(JNIEnv *env, jobject self, jbyteArray pixels)
{
    jsize length = (*env)->GetArrayLength(env, pixels);
    jboolean pinned = length > 4096;
    jbyte *data = pinned ? (*env)->GetPrimitiveArrayCritical(env, pixels, NULL)
                         : (*env)->GetByteArrayElements(env, pixels, NULL);
    if (data == NULL)
        return 0;
    jint result = checksum(data, (size_t)length);
    if (!pinned)
        (*env)->SetIntField(env, self, gProgress, result); // ok: critical-jni-call
    if (pinned)
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
    else
        (*env)->ReleaseByteArrayElements(env, pixels, data, JNI_ABORT);
    return result;
}

// The reference is deleted when its array is no longer pinned.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_planes(JNIEnv *env, jclass cls, jobjectArray planes, jint length)
{
    (void)cls;
    jint result = 0;
    jsize count = (*env)->GetArrayLength(env, planes);
    for (jsize i = 0; i < count; i++) {
        jbyteArray plane = (jbyteArray)(*env)->GetObjectArrayElement(env, planes, i); // ok: critical-jni-call
        if (plane == NULL)
            continue;
        void *data = PIN(env, plane);
        if (data != NULL) {
            result ^= checksum(data, (size_t)length);
            UNPIN(env, plane, data, JNI_ABORT);
        }
        (*env)->DeleteLocalRef(env, plane); // ok: critical-jni-call
    }
    return result;
}

// ---- helpers

static void raiseProgress(JNIEnv *env, jobject self, jmethodID progress, jint done)
{
    (*env)->CallVoidMethod(env, self, progress, done);
}

static jint sumOf(const jbyte *p, jsize n)
{
    jint sum = 0;
    for (jsize i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

// A helper without JNI inside the region, one with it behind.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_sum(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID progress)
{
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return -1;
    jint sum = sumOf(p, n); // ok: critical-jni-call
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, JNI_ABORT);
    raiseProgress(env, self, progress, n); // ok: critical-jni-call
    return sum;
}

struct pin {
    jarray array;
    void *data;
};

static int enterPin(JNIEnv *env, struct pin *pin, jarray array)
{
    pin->array = array;
    pin->data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    return pin->data != NULL;
}

static void leavePin(JNIEnv *env, struct pin *pin, jint mode)
{
    (*env)->ReleasePrimitiveArrayCritical(env, pin->array, pin->data, mode);
    pin->data = NULL;
}

// Two regions, one inside the other, and a call after both.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_copy(JNIEnv *env, jobject self, jbyteArray from, jbyteArray to)
{
    struct pin a, b;
    (void)self;
    jsize n = (*env)->GetArrayLength(env, from);
    if (!enterPin(env, &a, from)) // ok: critical-unreleased
        return -1;
    if (enterPin(env, &b, to)) { // ok: critical-jni-call, critical-unreleased
        for (jsize i = 0; i < n; i++)
            ((jbyte *)b.data)[i] = ((const jbyte *)a.data)[i];
        leavePin(env, &b, 0);
    }
    leavePin(env, &a, JNI_ABORT);
    return (*env)->GetArrayLength(env, to); // ok: critical-jni-call
}

static void finish(JNIEnv *env, jobject self, jmethodID progress, jbyteArray pixels, jbyte *p)
{
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, 0);
    raiseProgress(env, self, progress, 100);
}

// A helper leaves the region of its caller before it calls.
JNIEXPORT void JNICALL
Java_org_example_img_Filter_clear(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID progress)
{
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return;
    for (jsize i = 0; i < n; i++)
        p[i] = 0;
    finish(env, self, progress, pixels, p); // ok: critical-jni-call
}

// Leaves it, calls, and enters it again.
static jbyte *pause(JNIEnv *env, jobject self, jmethodID progress, jbyteArray pixels, jbyte *p)
{
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, 0);
    raiseProgress(env, self, progress, 50);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    return (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
}

JNIEXPORT jint JNICALL
Java_org_example_img_Filter_ends(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID progress)
{
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return -1;
    jint ends = p[0];
    p = pause(env, self, progress, pixels, p); // ok: critical-jni-call
    if (p == NULL)
        return -1;
    ends += p[n - 1];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, JNI_ABORT);
    return ends;
}

struct raster {
    jbyteArray array;
    jbyte *bytes; // NULL: not pinned
    jobject listener;
};

// It knows by what it keeps whether there is a region to leave.
static void announce(JNIEnv *env, struct raster *raster, jmethodID changed)
{
    if (raster->bytes != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, raster->array, raster->bytes, 0);
        raster->bytes = NULL;
    } else {
        (*env)->CallVoidMethod(env, raster->listener, changed);
    }
}

static void tell(JNIEnv *env, struct raster *raster, jmethodID changed, jint times)
{
    if (times > 1 && raster->bytes == NULL)
        (*env)->CallVoidMethod(env, raster->listener, changed);
    if (raster->bytes != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, raster->array, raster->bytes, 0);
}

JNIEXPORT void JNICALL
Java_org_example_img_Filter_show(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID changed,
                                 jint times)
{
    struct raster raster = {.array = pixels, .listener = self};
    raster.bytes = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (raster.bytes != NULL)
        raster.bytes[0] = 0;
    announce(env, &raster, changed); // ok: critical-jni-call
    if ((*env)->ExceptionCheck(env))
        return;
    raster.bytes = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    tell(env, &raster, changed, times); // ok: critical-jni-call
}

struct measure {
    const char *name;
    jint (*apply)(JNIEnv *env, const jbyte *data, jint length);
};

static jint xorOf(JNIEnv *env, const jbyte *data, jint length)
{
    jint parity = 0;
    (void)env;
    for (jint i = 0; i < length; i++)
        parity ^= data[i];
    return parity;
}

static jint tracedXorOf(JNIEnv *env, const jbyte *data, jint length)
{
    TRACE(env, length);
    return xorOf(env, data, length);
}

static const struct measure measures[] = {{"xor", xorOf}, {"traced", tracedXorOf}};

// The function of the table that makes no JNI call.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_parity(JNIEnv *env, jobject self, jbyteArray pixels)
{
    (void)self;
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return -1;
    jint parity = measures[0].apply(env, p, n); // ok: critical-jni-call
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, JNI_ABORT);
    return parity;
}
