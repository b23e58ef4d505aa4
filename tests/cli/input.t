Input that is bad, odd or large: a clear word, the right exit code, and the other files still checked.

    $ cat >good.c <<'END'
    > #include <jni.h>
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     kept = o;
    > }
    > END

A header that does not exist: the unit failed. With findings elsewhere the code is 1, and both are said.

    $ echo '#include "nosuch.h"
    > int f(void) { return 0; }' >missing.c

    $ jniguard check missing.c -- $JNI
    missing.c:1:10: error: 'nosuch.h' file not found
    jniguard: missing.c: failed, not checked (1 error)
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

    $ jniguard check missing.c good.c -- $JNI
    good.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        8 |     kept = o;
          |     ^
    good.c:8:5: note: stored here
    good.c:9:1: note: 'Java_A_f' returns with it still there
    missing.c:1:10: error: 'nosuch.h' file not found
    jniguard: missing.c: failed, not checked (1 error)
    jniguard: 2 units, 1 function, 1 finding, 0 suppressed, in <time> s; incomplete: 1 unit failed
    [1]

    $ jniguard check --format json missing.c -- $JNI
    {"type":"unit","path":"missing.c","status":"failed","errors":1}
    {"type":"summary","units":1,"ok":0,"degraded":0,"failed":1,"timeout":0,"functions":0,"findings":0,"suppressed":0,"exitCode":3}
    missing.c:1:10: error: 'nosuch.h' file not found
    jniguard: missing.c: failed, not checked (1 error)
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

A file that cannot be read (for root everything can be: a folder in its place).

    $ mkdir unreadable.c
    > cat >compile_commands.json <<'END'
    > [{"directory": ".", "file": "unreadable.c", "command": "cc unreadable.c"},
    >  {"directory": ".", "file": "gone.c", "command": "cc gone.c"},
    >  {"directory": ".", "file": "plain.c", "command": "cc plain.c"}]
    > END
    > echo 'int plain(void) { return 1; }' >plain.c
    > jniguard check
    gone.c: error: cannot read $WORK/gone.c: No such file or directory
    jniguard: gone.c: failed, not checked (1 error)
    unreadable.c: error: cannot read $WORK/unreadable.c: Is a directory
    jniguard: unreadable.c: failed, not checked (1 error)
    jniguard: 3 units, 1 function, 0 findings, 0 suppressed, in <time> s; incomplete: 2 units failed
    [3]

Syntax errors: functions that hold one are degraded, the others are checked.

    $ cat >syntax.c <<'END'
    > #include <jni.h>
    > static jobject kept;
    > void broken(JNIEnv *env) { (*env)->NoSuchFunction(env); int x = ; }
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     kept = o;
    > }
    > END
    > jniguard check syntax.c -- $JNI
    syntax.c:9:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        9 |     kept = o;
          |     ^
    syntax.c:9:5: note: stored here
    syntax.c:10:1: note: 'Java_A_f' returns with it still there
    syntax.c:3:36: error: no member named 'NoSuchFunction' in 'struct JNINativeInterface_'
    syntax.c:3:65: error: expected expression
    jniguard: syntax.c: degraded, 1 of 2 functions with a compile error
    jniguard: 1 unit, 2 functions, 1 finding, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors
    [1]

More than one function in ten is degraded, and nothing else is wrong: incomplete.

    $ echo 'int f(void) { return undeclared; }' >degraded.c
    > jniguard check degraded.c --
    degraded.c:1:22: error: use of undeclared identifier 'undeclared'
    jniguard: degraded.c: degraded, 1 of 1 function with a compile error
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors
    [3]

An empty file, and one of nothing but a comment.

    $ : >empty.c
    > echo '/* nothing */' >comment.c
    > jniguard check empty.c comment.c --
    jniguard: 2 units, 0 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found

Flags that only GCC knows.

    $ jniguard check good.c -- $JNI -fconserve-stack -Wno-stringop-truncation -fno-tree-vrp -Werror -mno-sched-epilog
    good.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        8 |     kept = o;
          |     ^
    good.c:8:5: note: stored here
    good.c:9:1: note: 'Java_A_f' returns with it still there
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

Errors without a position are about the command, and come first.

    $ jniguard check missing.c -- --no-such-option
    missing.c: error: unknown argument: '--no-such-option'
    missing.c:1:10: error: 'nosuch.h' file not found
    jniguard: missing.c: failed, not checked (2 errors)
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

An option that nobody knows.

    $ jniguard check plain.c -- --no-such-option
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

jni.h in the shape of Android's NDK: C struct JNINativeInterface, C++ classes over it.

    $ mkdir ndk
    > cat >ndk/jni.h <<'END'
    > #pragma once
    > #include <stdint.h>
    > typedef uint8_t jboolean;
    > typedef int32_t jint;
    > typedef jint jsize;
    > #ifdef __cplusplus
    > class _jobject {};
    > class _jclass : public _jobject {};
    > typedef _jobject *jobject;
    > typedef _jclass *jclass;
    > #else
    > typedef void *jobject;
    > typedef jobject jclass;
    > #endif
    > struct JNINativeInterface;
    > #ifdef __cplusplus
    > typedef struct _JNIEnv JNIEnv;
    > #else
    > typedef const struct JNINativeInterface *JNIEnv;
    > #endif
    > struct JNINativeInterface {
    >     void *reserved0, *reserved1, *reserved2, *reserved3;
    >     jint (*GetVersion)(JNIEnv *);
    >     void (*DeleteGlobalRef)(JNIEnv *, jobject);
    >     void (*DeleteLocalRef)(JNIEnv *, jobject);
    >     jclass (*GetObjectClass)(JNIEnv *, jobject);
    > };
    > #ifdef __cplusplus
    > struct _JNIEnv {
    >     const struct JNINativeInterface *functions;
    >     void DeleteGlobalRef(jobject o) { functions->DeleteGlobalRef(this, o); }
    >     jclass GetObjectClass(jobject o) { return functions->GetObjectClass(this, o); }
    > };
    > #endif
    > #define JNIEXPORT __attribute__((visibility("default")))
    > #define JNICALL
    > END
    > cat >ndk.c <<'END'
    > #include <jni.h>
    > JNIEXPORT void JNICALL
    > Java_A_g(JNIEnv *env, jobject self)
    > {
    >     jclass cls = (*env)->GetObjectClass(env, self);
    >     (*env)->DeleteGlobalRef(env, cls);
    > }
    > END
    > jniguard check ndk.c -- -Indk
    ndk.c:6:5: error: local reference 'cls' is deleted in 'Java_A_g' with DeleteGlobalRef, which does not free it and can corrupt the virtual machine's tables of references: use DeleteLocalRef [ref-delete-wrong-kind]
        6 |     (*env)->DeleteGlobalRef(env, cls);
          |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    ndk.c:5:18: note: local reference made by GetObjectClass
    ndk.c:6:5: note: deleted as another kind here
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

C++, with either header: no crash, and the C part is seen.

    $ cat >cxx.cpp <<'END'
    > #include <jni.h>
    > namespace { struct Holder { explicit Holder(int n) : n_(n) {} ~Holder() {} int n_; }; }
    > template <typename T> T twice(T x) { return x + x; }
    > extern "C" JNIEXPORT void JNICALL
    > Java_A_h(JNIEnv *env, jobject self)
    > {
    >     Holder holder(twice(2));
    >     auto f = [&](int k) { return k + holder.n_; };
    >     if (f(1)) env->GetObjectClass(self);
    > }
    > END
    > jniguard check cxx.cpp -- $JNI
    > jniguard check cxx.cpp -- -Indk
    jniguard: 1 unit, 5 functions, 0 findings, 0 suppressed, in <time> s; 1 function seen only in part (--stats)
    jniguard: 1 unit, 5 functions, 0 findings, 0 suppressed, in <time> s; 1 function seen only in part (--stats)

Control characters in names and sources are shown, not sent.

    $ name=$(printf 'esc\033[31m.c')
    > printf '#include <jni.h>\nstatic jobject kept;\nJNIEXPORT void JNICALL Java_A_f(JNIEnv *e, jclass c, jobject o)\n{\n    kept = /* \033[2J */ o;\n}\n' >"$name"
    > jniguard check "$name" -- $JNI
    esc\x1b[31m.c:5:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        5 |     kept = /* \x1b[2J */ o;
          |     ^
    esc\x1b[31m.c:5:5: note: stored here
    esc\x1b[31m.c:6:1: note: 'Java_A_f' returns with it still there
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]
