Suppressions in comments.

    $ cat >a.c <<'END'
    > #include <jni.h>
    > static jobject one, two, three, four;
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     one = o; // jniguard-ignore: local-ref-escape -- cleared by the caller
    >     // jniguard-ignore: local-ref-escape
    >     two = o;
    >     /* jniguard-ignore-begin: local-ref-escape */
    >     three = o;
    >     /* jniguard-ignore-end */
    >     four = o;
    > }
    > END

    $ jniguard check a.c -- $JNI
    a.c:14:5: error: local reference 'o', a parameter, is kept in 'four', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
       14 |     four = o;
          |     ^
    a.c:14:5: note: stored here
    a.c:15:1: note: 'Java_A_f' returns with it still there
    jniguard: 1 unit, 1 function, 1 finding, 3 suppressed, in <time> s
    [1]

In JSON the suppressed ones are there, and marked.

    $ jniguard check --format json a.c -- $JNI | grep -o '"line":[0-9]*,"column":[0-9]*,"endLine\|"suppressed":[a-z]*'
    "line":8,"column":5,"endLine
    "suppressed":true
    "line":10,"column":5,"endLine
    "suppressed":true
    "line":12,"column":5,"endLine
    "suppressed":true
    "line":14,"column":5,"endLine
    "suppressed":false
    "suppressed":
    jniguard: 1 unit, 1 function, 1 finding, 3 suppressed, in <time> s

One that matches nothing is a note.

    $ cat >b.c <<'END'
    > // jniguard-ignore-file: critical-jni-call
    > int x; // jniguard-ignore: local-ref-escape, buffer-unreleased -- why not
    > int f(void) { return x; }
    > END

    $ jniguard check b.c --
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check --min-severity note b.c --
    b.c:1:26: note: this suppression of 'critical-jni-call' matches nothing: delete it [suppression-unused]
        1 | // jniguard-ignore-file: critical-jni-call
          |                          ^~~~~~~~~~~~~~~~~
    b.c:2:28: note: this suppression of 'local-ref-escape' matches nothing: delete it [suppression-unused]
        2 | int x; // jniguard-ignore: local-ref-escape, buffer-unreleased -- why not
          |                            ^~~~~~~~~~~~~~~~
    b.c:2:46: note: this suppression of 'buffer-unreleased' matches nothing: delete it [suppression-unused]
        2 | int x; // jniguard-ignore: local-ref-escape, buffer-unreleased -- why not
          |                                              ^~~~~~~~~~~~~~~~~
    jniguard: 1 unit, 1 function, 3 findings, 0 suppressed, in <time> s

Asking for the code asks for the findings, unless something else is said; what is not shown does not count.

    $ jniguard check --fail-on note b.c -- >out
    jniguard: 1 unit, 1 function, 3 findings, 0 suppressed, in <time> s
    [1]

    $ jniguard check --fail-on note --min-severity warning b.c --
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check --min-severity note --fail-on note b.c -- >out
    jniguard: 1 unit, 1 function, 3 findings, 0 suppressed, in <time> s
    [1]

One that names no rule is an error; the findings are shown all the same.

    $ cat >c.c <<'END'
    > #include <jni.h>
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     kept = o; // jniguard-ignore: local-ref-escap
    > }
    > // jniguard-ignore-begin: local-ref-escape
    > END

    $ jniguard check c.c -- $JNI
    c.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        8 |     kept = o; // jniguard-ignore: local-ref-escap
          |     ^
    c.c:8:5: note: stored here
    c.c:9:1: note: 'Java_A_f' returns with it still there
    c.c:8:35: error: no rule is called 'local-ref-escap'; did you mean 'local-ref-escape'?
    c.c:10:27: error: jniguard-ignore-begin of 'local-ref-escape' has no jniguard-ignore-end
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [2]

Prose may mention a directive; one that is misspelled is an error.

    $ cat >e.c <<'END'
    > // Write jniguard-ignore: local-ref-escape behind the code.
    > /* As in
    >  * jniguard-ignore: local-ref-escape */
    > int e(void) { return 0; } // jniguard-ingore: local-ref-escape
    > END

    $ jniguard check --min-severity note e.c --
    e.c:4:30: error: no directive is called 'jniguard-ingore'; did you mean 'jniguard-ignore'?
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found
    [2]

In a header that a unit includes.

    $ cat >h.h <<'END'
    > static int g(void) { return 0; } /* jniguard-ignore: no-such-rule */
    > END
    > echo '#include "h.h"
    > int k(void) { return g(); }' >d.c

    $ jniguard check d.c --
    h.h:1:54: error: no rule is called 'no-such-rule'; 'jniguard rules' lists them
    jniguard: 1 unit, 2 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found
    [2]
