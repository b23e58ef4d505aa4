What `check` finds and shows.

    $ cat >leak.c <<'END'
    > #include <jni.h>
    >
    > JNIEXPORT jlong JNICALL
    > Java_org_example_Names_length(JNIEnv *env, jclass cls, jobjectArray names)
    > {
    >     (void)cls;
    >     jlong total = 0;
    >     jsize count = (*env)->GetArrayLength(env, names);
    >     for (jsize i = 0; i < count; i++) {
    >         jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
    >         if (name != NULL)
    >             total += (*env)->GetStringLength(env, name);
    >     }
    >     return total;
    > }
    > END
    > cat >escape.c <<'END'
    > #include <jni.h>
    >
    > static jobject kept;
    >
    > JNIEXPORT void JNICALL
    > Java_org_example_Names_keep(JNIEnv *env, jclass cls, jobject name)
    > {
    >     (void)env;
    >     (void)cls;
    >     kept = name;
    > }
    > END
    > cat >good.c <<'END'
    > #include <jni.h>
    >
    > JNIEXPORT jint JNICALL
    > Java_org_example_Names_version(JNIEnv *env, jclass cls)
    > {
    >     (void)cls;
    >     return (*env)->GetVersion(env);
    > }
    > END
    > cat >plain.c <<'END'
    > int add(int a, int b) { return a + b; }
    > END

Findings, and exit code 1.

    $ jniguard check leak.c -- $JNI
    leak.c:10:33: warning: local reference 'name', made in a loop of 'Java_org_example_Names_length', is never deleted; each iteration leaves one more alive, until control returns to Java: call DeleteLocalRef on it before the iteration ends [local-ref-leak-in-loop]
       10 |         jstring name = (jstring)(*env)->GetObjectArrayElement(env, names, i);
          |                                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    leak.c:10:33: note: made by GetObjectArrayElement
    leak.c:11:13: note: assuming 'name' is not NULL
    leak.c:9:23: note: the next iteration begins with it still alive
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

    $ jniguard check escape.c -- $JNI
    escape.c:10:5: error: local reference 'name', a parameter, is kept in 'kept', which outlives the call of 'Java_org_example_Names_keep'; it is invalid once the native method returns: store NewGlobalRef(env, name) instead, and delete that in the end [local-ref-escape]
       10 |     kept = name;
          |     ^
    escape.c:10:5: note: stored here
    escape.c:11:1: note: 'Java_org_example_Names_keep' returns with it still there
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

Several files; findings come sorted by path.

    $ jniguard check leak.c good.c escape.c -- $JNI | grep -v '^ '
    escape.c:10:5: error: local reference 'name', a parameter, is kept in 'kept', which outlives the call of 'Java_org_example_Names_keep'; it is invalid once the native method returns: store NewGlobalRef(env, name) instead, and delete that in the end [local-ref-escape]
    escape.c:10:5: note: stored here
    escape.c:11:1: note: 'Java_org_example_Names_keep' returns with it still there
    leak.c:10:33: warning: local reference 'name', made in a loop of 'Java_org_example_Names_length', is never deleted; each iteration leaves one more alive, until control returns to Java: call DeleteLocalRef on it before the iteration ends [local-ref-leak-in-loop]
    leak.c:10:33: note: made by GetObjectArrayElement
    leak.c:11:13: note: assuming 'name' is not NULL
    leak.c:9:23: note: the next iteration begins with it still alive
    jniguard: 3 units, 3 functions, 2 findings, 0 suppressed, in <time> s

Nothing found; nothing of JNI in it.

    $ jniguard check good.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

    $ jniguard check plain.c --
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

Filters.

    $ printf '#include <jni.h>\nint thrown(JNIEnv *env) { return (*env)->ExceptionOccurred(env) != NULL; }\n' >note.c
    > jniguard check note.c -- $JNI
    > jniguard check --rule exception-occurred-as-bool note.c -- $JNI
    note.c:2:34: note: ExceptionOccurred is used only as a test in 'thrown'; it makes a local reference to the exception, which is never deleted: test with ExceptionCheck [exception-occurred-as-bool]
        2 | int thrown(JNIEnv *env) { return (*env)->ExceptionOccurred(env) != NULL; }
          |                                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    note.c:2:34: note: a local reference is made here and dropped
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check --rule local-ref-escape leak.c escape.c -- $JNI | grep -c '\['
    1
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s

    $ jniguard check --no-rule local-ref-escape escape.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check --family references --no-rule local-ref-leak-in-loop leak.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

    $ jniguard check --min-severity error leak.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

Exit codes follow --fail-on.

    $ jniguard check --fail-on error leak.c -- $JNI >out
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check --fail-on never escape.c -- $JNI >out
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check --fail-on error escape.c -- $JNI >out
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

Formats, each with its own file.

    $ jniguard check --format json leak.c -- $JNI
    {"type":"finding","rule":"local-ref-leak-in-loop","severity":"warning","confidence":"high","path":"leak.c","line":10,"column":33,"endLine":10,"endColumn":77,"function":"Java_org_example_Names_length","message":"local reference 'name', made in a loop of 'Java_org_example_Names_length', is never deleted; each iteration leaves one more alive, until control returns to Java: call DeleteLocalRef on it before the iteration ends","fingerprint":"ee5cb8148990cf293437e9fdddb0dcd1","steps":[{"path":"leak.c","line":10,"column":33,"message":"made by GetObjectArrayElement"},{"path":"leak.c","line":11,"column":13,"message":"assuming 'name' is not NULL"},{"path":"leak.c","line":9,"column":23,"message":"the next iteration begins with it still alive"}],"notes":[],"fix":[],"suppressed":false}
    {"type":"unit","path":"leak.c","status":"ok","errors":0}
    {"type":"summary","units":1,"ok":1,"degraded":0,"failed":0,"timeout":0,"functions":1,"findings":1,"suppressed":0,"exitCode":1}
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

    $ jniguard check --format text --format json=out.json leak.c -- $JNI | head -n 1
    > wc -l <out.json
    leak.c:10:33: warning: local reference 'name', made in a loop of 'Java_org_example_Names_length', is never deleted; each iteration leaves one more alive, until control returns to Java: call DeleteLocalRef on it before the iteration ends [local-ref-leak-in-loop]
    3
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check --format json=missing/out.json leak.c -- $JNI
    jniguard: missing/out.json: No such file or directory
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [2]

    $ jniguard check --format json leak.c -- $JNI >/dev/full
    jniguard: standard output: No space left on device
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [2]

    $ jniguard check --format json=/dev/full good.c -- $JNI
    jniguard: /dev/full: No space left on device
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s
    [2]

A reader that goes away is no news.

    $ { jniguard check --progress none leak.c -- $JNI 2>err; echo "code $?" >code; } | true
    > sed 's/jniguard: 1 unit.*/closing line/' err
    closing line

Progress, and what the run cost.

    $ jniguard check --progress plain good.c plain.c -- $JNI
    [1/2] good.c
    [2/2] plain.c
    jniguard: 2 units, 2 functions, 0 findings, 0 suppressed, in <time> s

    $ jniguard check --stats --no-cache good.c -- $JNI 2>&1 | grep -v 'block visits\|states made\| ms$'
    functions                                       1
      with JNI in them, explored                    1
      found in the cache, with JNI                  0
      degraded by a compile error                   0
      with a construct not modelled                 0
      explored again object by object               0
      too large to be followed whole                0
    JNI calls                                       1
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

Looking inside.

    $ jniguard check --dump-cfg add plain.c --
    function add (params 2, vars 2, temps 3)
    b0:
        t0 = load a  ; int 1:25-1:37
        t1 = load b  ; int 1:25-1:37
        t2 = bin t0 + t1  ; int 1:25-1:37
        return t2  ; 1:25-1:37

    $ jniguard check --dump-cfg sub plain.c --
    jniguard: no function 'sub' in the units asked for
    [2]

    $ jniguard check --debug-object leak.c:10 leak.c -- $JNI | head -n 1
    'name' in 'Java_org_example_Names_length', made by GetObjectArrayElement:

    $ jniguard check --debug-object leak.c leak.c -- $JNI
    jniguard: --debug-object wants FILE:LINE, not 'leak.c'
    [2]

    $ jniguard check --debug-object leak.c:1 leak.c -- $JNI
    jniguard: no object is made at leak.c:1 in the units asked for
    [2]
