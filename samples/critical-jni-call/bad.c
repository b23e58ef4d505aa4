// SPDX-License-Identifier: Apache-2.0
//
// JNI functions called between Get...Critical and its release. The garbage collector may be
// held off in there, and a call that needs it, or that waits for a thread that needs it, can
// wait for ever.

#include <jni.h>
#include <stdint.h>
#include <string.h>

static jclass gIllegalArgument; // global reference, java.lang.IllegalArgumentException
static jclass gLog;             // global reference
static jmethodID gTrace;        // static void trace(int)
static jfieldID gProgress;      // int progress

void blend(jbyte *target, const jbyte *source, jsize length);
jint checksum(const void *data, size_t length);

#define TRACE(env, value) (*(env))->CallStaticVoidMethod((env), gLog, gTrace, (jint)(value))

// The length could have been asked for before.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_invert(JNIEnv *env, jclass cls, jbyteArray pixels)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    jsize length = (*env)->GetArrayLength(env, pixels); // expect: critical-jni-call
    for (jsize i = 0; i < length; i++)
        data[i] = (jbyte)~data[i];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
}

// Throws first and releases afterwards.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_sum(JNIEnv *env, jclass cls, jbyteArray pixels, jint length)
{
    (void)cls;
    jint sum = 0;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return 0;
    for (jint i = 0; i < length; i++) {
        if (data[i] < 0) {
            (*env)->ThrowNew(env, gIllegalArgument, "negative sample"); // expect: critical-jni-call
            goto release;
        }
        sum += data[i];
    }
release:
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
    return sum;
}

// A second array, but not by the critical function.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_blend(JNIEnv *env, jclass cls, jbyteArray target, jbyteArray source)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, target);
    jbyte *to = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (to == NULL)
        return;
    jbyte *from = (*env)->GetByteArrayElements(env, source, NULL); // expect: critical-jni-call
    if (from != NULL)
        blend(to, from, length);
    (*env)->ReleasePrimitiveArrayCritical(env, target, to, 0);
    if (from != NULL)
        (*env)->ReleaseByteArrayElements(env, source, from, JNI_ABORT);
}

// The inner region has ended, the outer one has not.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_copy(JNIEnv *env, jobject self, jbyteArray target, jbyteArray source,
                                   jint length)
{
    jbyte *to = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (to == NULL)
        return;
    jbyte *from = (*env)->GetPrimitiveArrayCritical(env, source, NULL);
    if (from != NULL) {
        memcpy(to, from, (size_t)length);
        (*env)->ReleasePrimitiveArrayCritical(env, source, from, JNI_ABORT);
        (*env)->SetIntField(env, self, gProgress, 100); // expect: critical-jni-call
    }
    (*env)->ReleasePrimitiveArrayCritical(env, target, to, 0);
}

// The characters of a string open a region as well.
JNIEXPORT jint JNICALL
Java_org_example_raster_Font_hash(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jint hash = 0;
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL);
    if (chars == NULL)
        return 0;
    hash = checksum(chars, (size_t)(*env)->GetStringLength(env, name)); // expect: critical-jni-call
    (*env)->ReleaseStringCritical(env, name, chars);
    return hash;
}

// A call of Java behind a macro for tracing.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_checksum(JNIEnv *env, jclass cls, jbyteArray pixels, jint length)
{
    (void)cls;
    jint result;
    void *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return 0;
    result = checksum(data, (size_t)length);
    TRACE(env, result); // expect: critical-jni-call
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
    return result;
}

// Progress told from within the loop over the pixels.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_smooth(JNIEnv *env, jobject self, jshortArray pixels, jint width, jint height)
{
    jshort *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    for (jint y = 0; y < height; y++) {
        for (jint x = 1; x < width; x++)
            data[y * width + x] = (jshort)((data[y * width + x - 1] + data[y * width + x]) / 2);
        if (y % 64 == 0)
            (*env)->SetIntField(env, self, gProgress, y); // expect: critical-jni-call
    }
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
}

// Even a question about exceptions is a JNI call.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_plane(JNIEnv *env, jclass cls, jobjectArray planes, jint index, jint length)
{
    (void)cls;
    jint result = 0;
    jbyteArray plane = (jbyteArray)(*env)->GetObjectArrayElement(env, planes, index);
    if ((*env)->ExceptionCheck(env) || plane == NULL)
        return 0;
    void *data = (*env)->GetPrimitiveArrayCritical(env, plane, NULL);
    if (data == NULL)
        goto out;
    result = checksum(data, (size_t)length);
    if ((*env)->ExceptionCheck(env)) // expect: critical-jni-call
        result = 0;
    (*env)->ReleasePrimitiveArrayCritical(env, plane, data, JNI_ABORT);
out:
    (*env)->DeleteLocalRef(env, plane);
    return result;
}

// Clean-up in the wrong order: DeleteLocalRef is not one of the four functions.
JNIEXPORT jint JNICALL
Java_org_example_raster_Image_firstPlane(JNIEnv *env, jclass cls, jobjectArray planes, jint length)
{
    (void)cls;
    jint result = 0;
    void *data = NULL;
    jobject first = (*env)->GetObjectArrayElement(env, planes, 0);
    if ((*env)->ExceptionCheck(env))
        return 0;
    jbyteArray plane = (jbyteArray)(*env)->NewLocalRef(env, first);
    if (plane == NULL)
        goto out;
    data = (*env)->GetPrimitiveArrayCritical(env, plane, NULL);
    if (data == NULL)
        goto out;
    result = checksum(data, (size_t)length);
out:
    (*env)->DeleteLocalRef(env, first); // expect: critical-jni-call
    if (data != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, plane, data, JNI_ABORT);
    (*env)->DeleteLocalRef(env, plane);
    return result;
}

// Released before the call on one way only.
JNIEXPORT void JNICALL
Java_org_example_raster_Image_finish(JNIEnv *env, jobject self, jintArray pixels, jint mode)
{
    jint *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (data == NULL)
        return;
    switch (mode) {
    case 0:
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
        (*env)->SetIntField(env, self, gProgress, 0);
        break;
    case 1:
        data[0] = mode;
        (*env)->SetIntField(env, self, gProgress, 1); // expect: critical-jni-call
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, 0);
        break;
    default:
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
        break;
    }
}

// ---- helpers

static void raiseProgress(JNIEnv *env, jobject self, jmethodID progress, jint done)
{
    (*env)->CallVoidMethod(env, self, progress, done);
}

static void step(JNIEnv *env, jobject self, jmethodID progress, jint done)
{
    if (done % 1024 == 0)
        raiseProgress(env, self, progress, done);
}

// The call is two functions away; the notes show the way.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_sum(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID progress)
{
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return -1;
    step(env, self, progress, n); // expect: critical-jni-call
    jint first = p[0];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, JNI_ABORT);
    return first;
}

static void throwIllegal(JNIEnv *env, const char *message)
{
    jclass cls = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, message);
}

// Thrown before the region is left.
JNIEXPORT void JNICALL
Java_org_example_img_Filter_scale(JNIEnv *env, jobject self, jbyteArray pixels, jint by)
{
    (void)self;
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return;
    for (jsize i = 0; i < n; i++) {
        if (p[i] > 64) {
            throwIllegal(env, "too bright"); // expect: critical-jni-call
            break;
        }
        p[i] = (jbyte)(p[i] * by);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, 0);
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

// A helper enters the region.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_last(JNIEnv *env, jobject self, jbyteArray pixels)
{
    struct pin pin;
    (void)self;
    if (!enterPin(env, &pin, pixels))
        return -1;
    jsize n = (*env)->GetArrayLength(env, pixels); // expect: critical-jni-call
    jint last = n ? ((jbyte *)pin.data)[n - 1] : -1;
    leavePin(env, &pin, JNI_ABORT);
    return last;
}

static void finish(JNIEnv *env, jobject self, jmethodID progress, jbyteArray pixels, jbyte *p)
{
    raiseProgress(env, self, progress, 100);
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, 0);
}

// A helper leaves the region, and calls before it does.
JNIEXPORT void JNICALL
Java_org_example_img_Filter_clear(JNIEnv *env, jobject self, jbyteArray pixels, jmethodID progress)
{
    jsize n = (*env)->GetArrayLength(env, pixels);
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return;
    for (jsize i = 0; i < n; i++)
        p[i] = 0;
    finish(env, self, progress, pixels, p); // expect: critical-jni-call
}

struct operation {
    const char *name;
    jint (*apply)(JNIEnv *env, jbyteArray pixels);
};

static jint countPixels(JNIEnv *env, jbyteArray pixels)
{
    return (*env)->GetArrayLength(env, pixels);
}

static jint firstPixel(JNIEnv *env, jbyteArray pixels)
{
    jbyte b = 0;
    (*env)->GetByteArrayRegion(env, pixels, 0, 1, &b);
    return b;
}

static const struct operation operations[] = {{"count", countPixels}, {"first", firstPixel}};

// Every function of the table makes a JNI call.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_apply(JNIEnv *env, jobject self, jbyteArray pixels, jint which)
{
    (void)self;
    jbyte *p = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL);
    if (p == NULL)
        return -1;
    jint n = operations[which & 1].apply(env, pixels); // expect: critical-jni-call
    n += p[0];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, p, JNI_ABORT);
    return n;
}
