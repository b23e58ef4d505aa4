// SPDX-License-Identifier: Apache-2.0
// JNI code behind macros, as real projects write it.

#include <jni.h>
#include <stdlib.h>

#define CHECK_NULL(x)                                                                              \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return;                                                                                \
    } while (0)
#define CHECK_NULL_RETURN(x, y)                                                                    \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (y);                                                                            \
    } while (0)
#define CHECK_EXCEPTION(env)                                                                       \
    do {                                                                                           \
        if ((*(env))->ExceptionCheck(env))                                                         \
            return;                                                                                \
    } while (0)
#define JCALL(env, method, ...) ((*(env))->method((env), ##__VA_ARGS__))
#define CALL_TYPE(env, type, ...) ((*(env))->Call##type##Method((env), __VA_ARGS__))
#define WITH_STRING(env, str, var)                                                                 \
    if (1) {                                                                                       \
        const char *var = (*(env))->GetStringUTFChars(env, str, NULL);                             \
        if (var == NULL)                                                                           \
            goto var##_end;
#define END_STRING(env, str, var)                                                                  \
    (*(env))->ReleaseStringUTFChars(env, str, var);                                                \
    var##_end:;                                                                                    \
    }                                                                                              \
    else((void)NULL)
#define DEFINE_GETTER(name, type, Type)                                                            \
    JNIEXPORT type JNICALL Java_A_##name(JNIEnv *env, jobject self, jfieldID id)                   \
    {                                                                                              \
        if (id == NULL)                                                                            \
            return 0;                                                                              \
        return (*env)->Get##Type##Field(env, self, id);                                            \
    }
#define CACHE_CLASS(env, var, name)                                                                \
    do {                                                                                           \
        jclass local_ = (*(env))->FindClass(env, name);                                            \
        if (!local_)                                                                               \
            goto error;                                                                            \
        var = (*(env))->NewGlobalRef(env, local_);                                                 \
        (*(env))->DeleteLocalRef(env, local_);                                                     \
        if (!var)                                                                                  \
            goto error;                                                                            \
    } while (0)

void use(const char *);
static jclass cached[2];

DEFINE_GETTER(getInt, jint, Int)
DEFINE_GETTER(getLong, jlong, Long)

JNIEXPORT void JNICALL Java_A_checked(JNIEnv *env, jobject self, jstring name)
{
    jclass cls = (*env)->GetObjectClass(env, self);
    const char *s;
    CHECK_NULL(cls);
    s = (*env)->GetStringUTFChars(env, name, NULL);
    CHECK_NULL(s);
    use(s);
    (*env)->ReleaseStringUTFChars(env, name, s);
    CHECK_EXCEPTION(env);
}

JNIEXPORT void JNICALL Java_A_with(JNIEnv *env, jobject self, jstring a, jstring b)
{
    WITH_STRING(env, a, sa)
    WITH_STRING(env, b, sb)
    use(sa);
    use(sb);
    END_STRING(env, b, sb);
    END_STRING(env, a, sa);
}

JNIEXPORT jint JNICALL Java_A_called(JNIEnv *env, jobject self, jmethodID m)
{
    jobject r = CALL_TYPE(env, Object, self, m, 1, 2);
    if (JCALL(env, ExceptionCheck) || !r)
        return -1;
    return CALL_TYPE(env, Int, r, m);
}

jint JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
        return JNI_ERR;
    CACHE_CLASS(env, cached[0], "java/lang/String");
    CACHE_CLASS(env, cached[1], "java/lang/Object");
    return JNI_VERSION_1_6;
error:
    for (int i = 0; i < 2; i++)
        if (cached[i])
            (*env)->DeleteGlobalRef(env, cached[i]);
    return JNI_ERR;
}

JNIEXPORT jboolean JNICALL Java_A_value(JNIEnv *env, jobject self, jobject o, jclass c)
{
    return (*env)->IsInstanceOf(env, o, c) && !(*env)->IsSameObject(env, o, self) ? JNI_TRUE
                                                                                  : JNI_FALSE;
}

JNIEXPORT jint JNICALL Java_A_sum(JNIEnv *env, jclass cls, jintArray array)
{
    jint sum = 0, n = (*env)->GetArrayLength(env, array);
    jint *p = (*env)->GetPrimitiveArrayCritical(env, array, 0);
    if (!p)
        return 0;
    for (; n--;)
        sum += p[n];
    (*env)->ReleasePrimitiveArrayCritical(env, array, p, JNI_ABORT);
    return sum;
}

JNIEXPORT void JNICALL Java_A_each(JNIEnv *env, jclass cls, jobjectArray array, jmethodID m)
{
    jsize i, n = (*env)->GetArrayLength(env, array);
    for (i = 0; i < n; i++) {
        jobject o = (*env)->GetObjectArrayElement(env, array, i);
        if (o == NULL)
            continue;
        (*env)->CallVoidMethod(env, o, m);
        (*env)->DeleteLocalRef(env, o);
        if ((*env)->ExceptionCheck(env))
            break;
    }
}
