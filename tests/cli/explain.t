What is known of a function, and of a finding.

    $ cat >models.yaml <<'END'
    > models:
    >   - names: vm_class_of
    >     makes-jni-calls: true
    >     throws: maybe
    >     returns: {fresh: local, null-when-throws: true}
    > pairs:
    >   - {acquire: pin_open, release: pin_close, object: result, what: pin}
    > END
    $ cat >a.c <<'END'
    > #include <jni.h>
    > struct pin;
    > struct pin *pin_open(int id);
    > void pin_close(struct pin *p);
    > int pin_show(struct pin *p);
    > jclass vm_class_of(JNIEnv *env, jobject o);
    > static int fail(JNIEnv *env, int status)
    > {
    >     if (status >= 0)
    >         return 0;
    >     jclass c = (*env)->FindClass(env, "java/io/IOException");
    >     if (c != NULL)
    >         (*env)->ThrowNew(env, c, "no");
    >     return -1;
    > }
    > static int sum(JNIEnv *env, jobject list, int depth)
    > {
    >     if (depth == 0)
    >         return 0;
    >     (*env)->GetObjectClass(env, list);
    >     return 1 + sum(env, list, depth - 1);
    > }
    > static struct pin *pin(int id)
    > {
    >     return pin_open(id);
    > }
    > JNIEXPORT jint JNICALL
    > Java_A_show(JNIEnv *env, jclass cls, jobject o, jint id)
    > {
    >     if (vm_class_of(env, o) == NULL)
    >         return -1;
    >     struct pin *p = pin(id);
    >     int n = sum(env, o, 3);
    >     if (fail(env, pin_show(p)) < 0)
    >         return n;
    >     pin_close(p);
    >     return n;
    > }
    > END

A helper, with all that its callers are told.

    $ jniguard check --models models.yaml --explain-function fail a.c -- $JNI
    'fail', from its body at a.c:7:12:
      1. when 'status' is at least 0
         afterwards an exception is pending if one was before
         the result is 0
      2. when no exception is pending and 'status' is at most -1
         afterwards an exception is pending, thrown here
         the result is -1
      3. when no exception is pending and 'status' is at most -1
         afterwards an exception is pending, thrown here
         the result is -1
      must not be called with an exception pending:
        'fail' calls FindClass at a.c:11:16
      must not be called in a critical region:
        'fail' calls FindClass at a.c:11:16
      leaves a local reference behind:
        'fail' calls FindClass at a.c:11:16
      may leave an exception pending:
        'fail' calls ThrowNew at a.c:13:9
    $ jniguard check --models models.yaml --explain-function pin a.c -- $JNI
    'pin', from its body at a.c:23:20:
      1. always possible
         afterwards an exception is pending if one was before
         a new pin is the result

A function that has a model and no body; one that calls itself; a native method.

    $ jniguard check --models models.yaml --explain-function vm_class_of a.c -- $JNI
    'vm_class_of', from the model at models.yaml:2: makes-jni-calls; throws: maybe; returns fresh: local; returns null-when-throws
      1. always possible
         afterwards an exception is pending if one was before
         the result is not 0 or NULL
         a new local reference is the result
      2. always possible
         afterwards an exception is pending, thrown here
         the result is 0
      must not be called with an exception pending:
        'vm_class_of' calls JNI functions
      must not be called in a critical region:
        'vm_class_of' calls JNI functions
    $ jniguard check --explain-function sum a.c -- $JNI
    'sum', from its body at a.c:16:12:
      1. when 'depth' is 0
         afterwards an exception is pending if one was before
         the result is 0
      2. when no exception is pending and 'depth' is not 0 or NULL
         afterwards whether an exception is pending is not known
         a local reference is left behind
      3. when no exception is pending and 'depth' is 1
         afterwards no exception is pending
         the result is 1
         a local reference is left behind
      must not be called with an exception pending:
        'sum' calls GetObjectClass at a.c:20:5
      must not be called in a critical region:
        'sum' calls GetObjectClass at a.c:20:5
      leaves a local reference behind:
        'sum' calls GetObjectClass at a.c:20:5
    $ jniguard check --explain-function Java_A_show a.c -- $JNI
    'Java_A_show', from its body at a.c:28:1:
      is a native method: nothing is concluded from a call by other native code
      effects: what comes from 'env' may be written to
      effects: what comes from 'o' may be written to

Helpers that attach the thread, and one that lends what it keeps.

    $ cat >w.c <<'END'
    > #include <jni.h>
    > static jobject kept;
    > JNIEnv *enter(JavaVM *vm, int *attached)
    > {
    >     JNIEnv *env = NULL;
    >     *attached = 0;
    >     if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
    >         return env;
    >     if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) != JNI_OK)
    >         return NULL;
    >     *attached = 1;
    >     return env;
    > }
    > void leave(JavaVM *vm)
    > {
    >     (*vm)->DetachCurrentThread(vm);
    > }
    > jobject shared(JNIEnv *env, jobject o)
    > {
    >     if (kept == NULL)
    >         kept = (*env)->NewGlobalRef(env, o);
    >     return kept;
    > }
    > END
    $ jniguard check --explain-function enter w.c -- $JNI
    'enter', from its body at w.c:3:9:
      1. always possible
         afterwards an exception is pending if one was before
         the result is not 0 or NULL
         *'attached' is 0
         the result is the JNIEnv of the thread
         the thread was attached before
      2. always possible
         afterwards an exception is pending if one was before
         the result is 0
         *'attached' is 0
      3. always possible
         afterwards an exception is pending if one was before
         the result is not 0 or NULL
         *'attached' is 1
         the result is the JNIEnv of the thread
         the thread is attached, and stays so
      effects: what comes from 'vm' may be written to
      effects: what comes from 'attached' may be written to
    $ jniguard check --explain-function leave w.c -- $JNI
    'leave', from its body at w.c:14:6:
      1. always possible
         afterwards an exception is pending if one was before
         the thread is detached
      effects: what comes from 'vm' may be written to
    $ jniguard check --explain-function shared w.c -- $JNI
    'shared', from its body at w.c:18:9:
      1. always possible
         afterwards an exception is pending if one was before
         the result is not 0 or NULL
         the result is a global reference that stays the function's
      2. when no exception is pending
         afterwards no exception is pending
         the result is a global reference that stays the function's
      must not be called with an exception pending:
        'shared' calls NewGlobalRef at w.c:21:16
      must not be called in a critical region:
        'shared' calls NewGlobalRef at w.c:21:16

A function that nobody knows.

    $ jniguard check --explain-function fial a.c -- $JNI
    jniguard: no function 'fial' is defined or called in the units asked for; did you mean 'fail'?
    [2]

The same in units made before.

    $ jniguard unit -o a.jgu -- cc $JNI -c a.c
    $ jniguard link --explain-function pin --models models.yaml a.jgu
    'pin', from its body at a.c:23:20:
      1. always possible
         afterwards an exception is pending if one was before
         a new pin is the result

A finding: why it is as sure as it is, and what is believed of the functions that it passes.

    $ cat >fingerprint <<'END'
    > jniguard check --models models.yaml --format json $1 -- $JNI 2>log |
    > sed -n 's/.*"fingerprint":"\([0-9a-f]*\)".*/\1/p' | sort -u
    > END
    $ sh fingerprint a.c >id; wc -l <id
    1
    $ jniguard check --models models.yaml --explain-finding $(cat id) a.c -- $JNI | tee whole
    a.c:32:21: warning: pin 'p' from 'pin' is not released on a path that leaves 'Java_A_show': call 'pin_close' there too [pair-unbalanced]
       32 |     struct pin *p = pin(id);
          |                     ^~~~~~~
    a.c:32:21: note: acquired here
    a.c:35:9: note: 'Java_A_show' returns here without releasing it
    fingerprint: e33705f57ac209bcd7f7cd8abc329ee4
    severity: warning
    confidence: medium; high for the rule, lowered because:
      a function is called on the way whose body is not known: 'pin_show', for one
    suppressed: no
    rule: jniguard explain pair-unbalanced
    'pin', from its body at a.c:23:20:
      1. always possible
         afterwards an exception is pending if one was before
         a new pin is the result

Its first digits will do; filters do not matter; nor does it matter who has parsed the file.

    $ jniguard check --models models.yaml --explain-finding $(head -c 6 id) --rule local-ref-escape a.c -- $JNI | cmp - whole
    $ jniguard link --models models.yaml --explain-finding $(cat id) a.jgu | cmp - whole

One that is suppressed, in a function with a compile error.

    $ cat >b.c <<'END'
    > #include <jni.h>
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_B_keep(JNIEnv *env, jclass cls, jobject o)
    > {
    >     kept = o; // jniguard-ignore: local-ref-escape -- cleared by stop()
    >     undeclared = o;
    > }
    > END
    $ sed -i 's/--format/--min-confidence low &/' fingerprint
    $ sh fingerprint b.c >id; wc -l <id
    1
    $ jniguard check --explain-finding $(cat id) b.c -- $JNI
    b.c:6:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_B_keep'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        6 |     kept = o; // jniguard-ignore: local-ref-escape -- cleared by stop()
          |     ^
    b.c:6:5: note: stored here
    b.c:8:1: note: 'Java_B_keep' returns with it still there
    fingerprint: aa751a4b597f01a67f0a3707db962f76
    severity: error
    confidence: low; high for the rule, lowered because:
      the function holds a compile error
    suppressed: by the directive at b.c:6:35
    rule: jniguard explain local-ref-escape
    b.c:7:5: error: use of undeclared identifier 'undeclared'
    jniguard: b.c: degraded, 1 of 1 function with a compile error

Two files with the same defect in a function of the same name.

    $ cat >c.c <<'END'
    > struct pin;
    > struct pin *pin_open(int id);
    > static void show(int id)
    > {
    >     pin_open(id);
    > }
    > void (*shows)(int) = show;
    > END
    $ sed 's/shows/others/' c.c >d.c
    $ sh fingerprint 'c.c d.c' >id; wc -l <id
    1
    $ jniguard check --models models.yaml --explain-finding $(cat id) c.c d.c -- $JNI
    c.c:5:5: warning: the pin from 'pin_open' is never released in 'show': call 'pin_close' [pair-unbalanced]
        5 |     pin_open(id);
          |     ^~~~~~~~~~~~
    c.c:5:5: note: acquired here
    c.c:6:1: note: 'show' returns here without releasing it
    fingerprint: a09cc98f779ce3110d1ab769ecc284ac
    severity: warning
    confidence: high
    suppressed: no
    rule: jniguard explain pair-unbalanced
    
    d.c:5:5: warning: the pin from 'pin_open' is never released in 'show': call 'pin_close' [pair-unbalanced]
        5 |     pin_open(id);
          |     ^~~~~~~~~~~~
    d.c:5:5: note: acquired here
    d.c:6:1: note: 'show' returns here without releasing it
    fingerprint: a09cc98f779ce3110d1ab769ecc284ac
    severity: warning
    confidence: high
    suppressed: no
    rule: jniguard explain pair-unbalanced

What cannot be answered.

    $ jniguard check --explain-finding 0123456789abcdef a.c -- $JNI
    jniguard: no finding has the fingerprint '0123456789abcdef'; those of all findings are in --format json --min-severity note --min-confidence low
    [2]
    $ jniguard check --explain-finding 01234 a.c -- $JNI
    jniguard: --explain-finding takes a fingerprint, or at least its first 6 digits (0-9, a-f), not '01234'
    [2]
    $ jniguard check --explain-finding pair-unbalanced a.c -- $JNI
    jniguard: --explain-finding takes a fingerprint, or at least its first 6 digits (0-9, a-f), not 'pair-unbalanced'
    [2]
    $ jniguard check --explain-finding $(cat id) --explain-function pin a.c -- $JNI
    jniguard: --explain-function and --explain-finding are two questions
    [2]

Why nothing is known of a name.

    $ cat >why.yaml <<'END'
    > pairs:
    >   - acquire: lib_open
    >     release: lib_close
    >     object: result
    >     what: handle
    > END
    > cat >why.c <<'END'
    > #include <jni.h>
    > void *lib_open(void);
    > void lib_close(void *handle);
    > void lib_use(JNIEnv *env, void *handle);
    > void once(JNIEnv *env) { void *h = lib_open(); lib_use(env, h); lib_close(h); }
    > END
    > for name in lib_open lib_use GetStringUTFChars onec; do
    >     jniguard check --models why.yaml --explain-function $name why.c -- $JNI
    > done
    'lib_open', from the pair at why.yaml:2: acquires a handle, which is its result
    jniguard: 'lib_use' is called at why.c:5:48, but its body is in no unit and no model names it: 'jniguard models --suggest' prints one to fill in
    jniguard: 'GetStringUTFChars' is a function of JNI: what it does is in the JNI specification, chapter 4
    jniguard: no function 'onec' is defined or called in the units asked for; did you mean 'once'?
    [2]

    $ printf '#include <jniguard/annotations.h>\n' >annotated.c
    > jniguard check annotated.c -- $JNI
    annotated.c:1:10: error: 'jniguard/annotations.h' file not found
    jniguard: annotated.c: failed, not checked (1 error)
    jniguard: hint: add -I with the folder it lies in: include beside the bin of an installed jniguard, runtime-checks/include in its source
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]
