Some files of a project: what is reported, and what is only looked at.

    $ mkdir src inc build .git
    > cat >src/caller.c <<'END'
    > #include <jni.h>
    > #include "../inc/used.h"
    > void fail(JNIEnv *env);
    > JNIEXPORT jclass JNICALL
    > Java_A_f(JNIEnv *env, jclass cls)
    > {
    >     (void)cls;
    >     fail(env);
    >     return (*env)->FindClass(env, "java/lang/String");
    > }
    > END
    > cat >src/helper.c <<'END'
    > #include <jni.h>
    > #include "../src/../inc/used.h"
    > static jobject kept;
    > void fail(JNIEnv *env)
    > {
    >     jclass c = (*env)->FindClass(env, "java/io/IOException");
    >     if (c)
    >         (*env)->ThrowNew(env, c, "no");
    > }
    > JNIEXPORT void JNICALL
    > Java_A_g(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)cls;
    >     kept = o;
    >     count(env, o);
    > }
    > END
    > cat >inc/used.h <<'END'
    > static inline void count(JNIEnv *env, jobject o)
    > {
    >     jclass c = (*env)->GetObjectClass(env, o);
    >     (*env)->DeleteLocalRef(env, c);
    >     (*env)->DeleteLocalRef(env, c);
    > }
    > END
    > echo '#define NEVER 1' >inc/declared.h
    > sed -i '1i #include "../inc/declared.h"' src/helper.c
    > cat >inc/unused.h <<'END'
    > #include <jni.h>
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_A_h(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     kept = o;
    > }
    > END
    > cat >build/compile_commands.json <<END
    > [{"directory": "$PWD", "file": "src/caller.c", "command": "cc $JNI -c src/caller.c"},
    >  {"directory": "$PWD", "file": "src/helper.c", "command": "cc $JNI -c src/helper.c"},
    >  {"directory": "$PWD", "file": "src/broken.c", "command": "cc $JNI -c src/broken.c"}]
    > END
    > echo '#include "gone.h"' >src/broken.c

All of it.

    $ jniguard check | grep -v '^ '
    inc/used.h:5:5: error: local reference 'c' is deleted a second time by DeleteLocalRef in 'count'; by now the handle may name another object, which is deleted in its place: delete it once, or set it to NULL after the first time [ref-double-delete]
    inc/used.h:3:16: note: made by GetObjectClass
    inc/used.h:4:5: note: deleted here
    inc/used.h:5:5: note: deleted again here
    src/caller.c:9:12: error: FindClass is called in 'Java_A_f' while an exception is pending, thrown in 'fail'; only the exception functions and those that clean up are legal then: return, or call ExceptionClear first [exception-pending-call]
    src/caller.c:8:5: note: 'fail' threw here
    src/caller.c:9:12: note: FindClass called with the exception pending
    src/helper.c:9:9: note: 'fail' calls ThrowNew here
    src/broken.c:1:10: error: 'gone.h' file not found
    jniguard: src/broken.c: failed, not checked (1 error)
    jniguard: 3 units, 4 functions, 2 findings, 0 suppressed, in <time> s; incomplete: 1 unit failed

One file: the others tell what its functions call, and are not reported on.

    $ jniguard check src/caller.c | grep -v '^ '
    src/caller.c:9:12: error: FindClass is called in 'Java_A_f' while an exception is pending, thrown in 'fail'; only the exception functions and those that clean up are legal then: return, or call ExceptionClear first [exception-pending-call]
    src/caller.c:8:5: note: 'fail' threw here
    src/caller.c:9:12: note: FindClass called with the exception pending
    src/helper.c:9:9: note: 'fail' calls ThrowNew here
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check src/caller.c --isolated | grep -v '^ '
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s
    [1]

    $ jniguard check src/caller.c --format json | grep -v finding
    {"type":"unit","path":"src/caller.c","status":"ok","errors":0}
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

A header, through the first unit that calls something in it, or includes it; findings in that header only.

    $ jniguard check inc/used.h | grep -v '^ '
    inc/used.h:5:5: error: local reference 'c' is deleted a second time by DeleteLocalRef in 'count'; by now the handle may name another object, which is deleted in its place: delete it once, or set it to NULL after the first time [ref-double-delete]
    inc/used.h:3:16: note: made by GetObjectClass
    inc/used.h:4:5: note: deleted here
    inc/used.h:5:5: note: deleted again here
    jniguard: inc/used.h: checked through src/helper.c
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 1 unit, 3 functions, 1 finding, 0 suppressed, in <time> s

    $ cd inc && jniguard check -p ../build --isolated --format json used.h | grep -v '"finding"'
    {"type":"unit","path":"$WORK/src/helper.c","status":"ok","errors":0}
    {"type":"summary","units":1,"ok":1,"degraded":0,"failed":0,"timeout":0,"functions":3,"findings":1,"suppressed":0,"exitCode":1}
    jniguard: used.h: checked through $WORK/src/helper.c
    jniguard: 1 unit, 3 functions, 1 finding, 0 suppressed, in <time> s

    $ jniguard check inc/declared.h
    jniguard: inc/declared.h: checked through src/helper.c
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 1 unit, 3 functions, 0 findings, 0 suppressed, in <time> s

A header that no unit includes is a unit of its own.

    $ jniguard check inc/unused.h --format json | grep -c '"guessed":true'
    1
    jniguard: inc/unused.h: included by no unit of build/compile_commands.json; its arguments are guessed, those of src/broken.c
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check inc/unused.h inc/used.h src/caller.c | grep -v '^ '
    inc/unused.h:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_h'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    inc/unused.h:8:5: note: stored here
    inc/unused.h:9:1: note: 'Java_A_h' returns with it still there
    inc/used.h:5:5: error: local reference 'c' is deleted a second time by DeleteLocalRef in 'count'; by now the handle may name another object, which is deleted in its place: delete it once, or set it to NULL after the first time [ref-double-delete]
    inc/used.h:3:16: note: made by GetObjectClass
    inc/used.h:4:5: note: deleted here
    inc/used.h:5:5: note: deleted again here
    src/caller.c:9:12: error: FindClass is called in 'Java_A_f' while an exception is pending, thrown in 'fail'; only the exception functions and those that clean up are legal then: return, or call ExceptionClear first [exception-pending-call]
    src/caller.c:8:5: note: 'fail' threw here
    src/caller.c:9:12: note: FindClass called with the exception pending
    src/helper.c:9:9: note: 'fail' calls ThrowNew here
    jniguard: inc/used.h: checked through src/helper.c
    jniguard: inc/unused.h: included by no unit of build/compile_commands.json; its arguments are guessed, those of src/broken.c
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 3 units, 5 functions, 3 findings, 0 suppressed, in <time> s

    $ touch inc/plus.hpp
    > jniguard check inc/plus.hpp
    jniguard: inc/plus.hpp: no unit of build/compile_commands.json includes it, nor is one like it
    jniguard: 1 other unit could not be analysed; what it does is not known
    jniguard: 0 units, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

One header under several names is one file, and has its plain name; unless a link makes that another file's.

    $ mkdir -p deep/er; ln -s deep/er link; cp inc/used.h deep/h.h; echo 'int other(void);' >h.h
    > printf '#include <jni.h>\n#include "link/../h.h"\n#include "./src/../h.h"\n#include "h.h"\nint f(JNIEnv *env, jobject o) { count(env, o); return other(); }\n' >linked.c
    > jniguard check linked.c -- $JNI | grep -v '^ '
    link/../h.h:5:5: error: local reference 'c' is deleted a second time by DeleteLocalRef in 'count'; by now the handle may name another object, which is deleted in its place: delete it once, or set it to NULL after the first time [ref-double-delete]
    link/../h.h:3:16: note: made by GetObjectClass
    link/../h.h:4:5: note: deleted here
    link/../h.h:5:5: note: deleted again here
    jniguard: 1 unit, 2 functions, 1 finding, 0 suppressed, in <time> s
