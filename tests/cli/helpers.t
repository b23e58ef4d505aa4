Helpers in other files: what is acquired, thrown and called there shows here, and static functions of one
name are told apart.

    $ cat >util.h <<'END'
    > #include <jni.h>
    > void throw_io(JNIEnv *env, const char *message);
    > int pin_open(JNIEnv *env, jstring s, const char **out);
    > void pin_close(JNIEnv *env, jstring s, const char *chars);
    > void report(JNIEnv *env, jobject listener, int done);
    > struct ops { int (*step)(JNIEnv *env, jobject o); };
    > extern const struct ops plain_ops;
    > END
    > cat >util.c <<'END'
    > #include "util.h"
    > static void release(JNIEnv *env, jobject o) { (*env)->DeleteLocalRef(env, o); }
    > void throw_io(JNIEnv *env, const char *message)
    > {
    >     jclass cls = (*env)->FindClass(env, "java/io/IOException");
    >     if (cls != NULL) {
    >         (*env)->ThrowNew(env, cls, message);
    >         release(env, cls);
    >     }
    > }
    > int pin_open(JNIEnv *env, jstring s, const char **out)
    > {
    >     *out = (*env)->GetStringUTFChars(env, s, NULL);
    >     return *out != NULL;
    > }
    > void pin_close(JNIEnv *env, jstring s, const char *chars)
    > {
    >     (*env)->ReleaseStringUTFChars(env, s, chars);
    > }
    > END
    > cat >report.c <<'END'
    > #include "util.h"
    > static jmethodID method;
    > static void release(JNIEnv *env, jobject o) { (*env)->DeleteGlobalRef(env, o); }
    > void report(JNIEnv *env, jobject listener, int done)
    > {
    >     (*env)->CallVoidMethod(env, listener, method, done);
    > }
    > void report_end(JNIEnv *env, jobject listener)
    > {
    >     jobject global = (*env)->NewGlobalRef(env, listener);
    >     release(env, global);
    > }
    > END
    > cat >main.c <<'END'
    > #include "util.h"
    > JNIEXPORT jint JNICALL
    > Java_A_open(JNIEnv *env, jclass cls, jstring path)
    > {
    >     const char *name;
    >     (void)cls;
    >     if (!pin_open(env, path, &name))
    >         return -1;
    >     if (name[0] == 0) {
    >         throw_io(env, "empty");
    >         return -1;
    >     }
    >     pin_close(env, path, name);
    >     return 0;
    > }
    > static jint native_sum(JNIEnv *env, jobject self, jbyteArray a)
    > {
    >     jbyte *p = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    >     if (p == NULL)
    >         return 0;
    >     jint first = p[0];
    >     report(env, self, first);
    >     (*env)->ReleasePrimitiveArrayCritical(env, a, p, JNI_ABORT);
    >     return first;
    > }
    > static const JNINativeMethod methods[] = {{"sum", "([B)I", (void *)native_sum}};
    > jint JNI_OnLoad(JavaVM *vm, void *reserved)
    > {
    >     JNIEnv *env;
    >     (void)reserved;
    >     if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
    >         return JNI_ERR;
    >     jclass cls = (*env)->FindClass(env, "A");
    >     if (cls == NULL)
    >         return JNI_ERR;
    >     return (*env)->RegisterNatives(env, cls, methods, 1) == 0 ? JNI_VERSION_1_8 : JNI_ERR;
    > }
    > END

    $ jniguard check *.c -- $JNI
    main.c:7:10: warning: 'name' from 'pin_open' is not released on a path that leaves 'Java_A_open'; the copy is never freed, or the string stays pinned: call 'pin_close' there too [buffer-unreleased]
        7 |     if (!pin_open(env, path, &name))
          |          ^~~~~~~~~~~~~~~~~~~~~~~~~~
    main.c:7:10: note: acquired here, with GetStringUTFChars
    main.c:9:9: note: assuming '*name == 0'
    main.c:11:9: note: 'Java_A_open' returns here without releasing it
    main.c:22:5: error: 'report', which calls CallVoidMethod, is called in 'native_sum' inside the critical region of 'p'; no other JNI function may be called there, the thread can deadlock with the garbage collector: call it before GetPrimitiveArrayCritical or after ReleasePrimitiveArrayCritical [critical-jni-call]
       22 |     report(env, self, first);
          |     ^~~~~~~~~~~~~~~~~~~~~~~~
    main.c:18:16: note: critical region begins here
    main.c:19:9: note: assuming 'p' is not NULL
    main.c:22:5: note: 'report' called inside it
    report.c:6:5: note: 'report' calls CallVoidMethod here
    jniguard: 3 units, 10 functions, 2 findings, 0 suppressed, in <time> s
    [1]

One file alone: what the helpers do is not known, and nothing is said of it.

    $ jniguard check main.c -- $JNI
    jniguard: 1 unit, 3 functions, 0 findings, 0 suppressed, in <time> s

Two definitions of one name: a weak one gives way.

    $ cat >weak.c <<'END'
    > #include "util.h"
    > __attribute__((weak)) int pin_open(JNIEnv *env, jstring s, const char **out)
    > {
    >     (void)env;
    >     (void)s;
    >     *out = "";
    >     return 1;
    > }
    > END
    > jniguard check *.c -- $JNI | grep -v '^ '
    main.c:7:10: warning: 'name' from 'pin_open' is not released on a path that leaves 'Java_A_open'; the copy is never freed, or the string stays pinned: call 'pin_close' there too [buffer-unreleased]
    main.c:7:10: note: acquired here, with GetStringUTFChars
    main.c:9:9: note: assuming '*name == 0'
    main.c:11:9: note: 'Java_A_open' returns here without releasing it
    main.c:22:5: error: 'report', which calls CallVoidMethod, is called in 'native_sum' inside the critical region of 'p'; no other JNI function may be called there, the thread can deadlock with the garbage collector: call it before GetPrimitiveArrayCritical or after ReleasePrimitiveArrayCritical [critical-jni-call]
    main.c:18:16: note: critical region begins here
    main.c:19:9: note: assuming 'p' is not NULL
    main.c:22:5: note: 'report' called inside it
    report.c:6:5: note: 'report' calls CallVoidMethod here
    jniguard: 4 units, 11 functions, 2 findings, 0 suppressed, in <time> s

Two strong ones belong to two programs: which of them is meant is not known.

    $ sed 's/__attribute__((weak)) //' weak.c >other.c; rm weak.c
    > jniguard check *.c -- $JNI | grep -v '^ '
    main.c:22:5: error: 'report', which calls CallVoidMethod, is called in 'native_sum' inside the critical region of 'p'; no other JNI function may be called there, the thread can deadlock with the garbage collector: call it before GetPrimitiveArrayCritical or after ReleasePrimitiveArrayCritical [critical-jni-call]
    main.c:18:16: note: critical region begins here
    main.c:19:9: note: assuming 'p' is not NULL
    main.c:22:5: note: 'report' called inside it
    report.c:6:5: note: 'report' calls CallVoidMethod here
    jniguard: 4 units, 11 functions, 1 finding, 0 suppressed, in <time> s
    $ jniguard check --explain-function pin_open *.c -- $JNI
    'pin_open', from its body at other.c:2:5:
      makes no JNI call
      effects: what comes from 'out' may be written to
    'pin_open', from its body at util.c:11:5:
      1. when no exception is pending
         afterwards whether an exception is pending is not known
         the result is 0
         *'out' is 0
      2. when no exception is pending
         afterwards no exception is pending
         the result is 1
         a new UTF-8 characters is stored in *'out', of 's'
         *'out' is not 0 or NULL
      must not be called with an exception pending:
        'pin_open' calls GetStringUTFChars at util.c:13:12
      must not be called in a critical region:
        'pin_open' calls GetStringUTFChars at util.c:13:12
      effects: what comes from 'out' may be written to
    'pin_open', whichever of the 2 is called:
      1. always possible
         afterwards an exception is pending if one was before
         more may happen to what comes from 'env'
         more may happen to what comes from 's'
         more may happen to what comes from 'out'
      2. always possible
         afterwards whether an exception is pending is not known
         the result is 0
         *'out' is 0
      3. always possible
         afterwards an exception is pending if one was before
         the result is 1
         *'out' is not 0 or NULL
