Models: what functions do whose bodies are not at hand.

    $ mkdir -p src lib
    > cat >src/a.c <<'EOF'
    > #include <jni.h>
    > jclass vm_class_of(JNIEnv *env, jobject o);
    > jboolean vm_failed(JNIEnv *env);
    > void vm_register(JavaVM *vm, const char *name, void (*hook)(void), jobject *slot, void *data);
    > void vm_log(const char *text);
    > void vm_keep(jobject o);
    > void helper(JNIEnv *env);
    > void throwOops(JNIEnv *env);
    > int vm_poll(int fd);
    > JNIEXPORT void JNICALL
    > Java_A_run(JNIEnv *env, jclass cls, jobject o, jintArray array)
    > {
    >     jclass c = vm_class_of(env, o);
    >     if (vm_failed(env))
    >         return;
    >     c = vm_class_of(env, c);
    >     vm_log("x");
    >     vm_keep(c);
    >     helper(env);
    >     vm_register(0, "x", 0, &o, 0);
    >     jint *p = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    >     if (p == NULL)
    >         return;
    >     vm_poll(p[0]);
    >     (*env)->ReleasePrimitiveArrayCritical(env, array, p, 0);
    >     throwOops(env);
    > }
    > EOF
    > cat >lib/b.c <<'EOF'
    > #include <jni.h>
    > jboolean vm_failed(JNIEnv *env);
    > void helper(JNIEnv *env) { vm_failed(env); }
    > EOF
    > cat >bad.c <<'EOF'
    > #include "nothing.h"
    > EOF

What a project calls and nobody knows, most called first; vm_log gets nothing of Java's, helper has
a body, throwOops a name that says enough.

    $ jniguard models --suggest src/a.c lib/b.c -- $JNI | tee models.yaml
    # Functions that get a JNIEnv, a JavaVM or a reference, and of which neither a body nor a model is
    # known. Take away the comment signs of what is true and delete the rest: what is not said stays
    # unknown. Use it with: jniguard check --models FILE
    
    models:
    
      # 2 calls, one at src/a.c:13
      #   jclass vm_class_of(JNIEnv *, jobject)
      - names: vm_class_of
        # makes-jni-calls: true
        # throws: maybe         # always, maybe, never
        # returns: {fresh: local, null-when-throws: true}   # or fresh: global, borrowed: true
        # parameters:
        #   1: keeps             # or {releases: local}, {releases: global}; or leave it out
        # blocks: true
    
      # 2 calls, one at lib/b.c:3
      #   jboolean vm_failed(JNIEnv *)
      - names: vm_failed
        # makes-jni-calls: true
        # throws: maybe         # always, maybe, never
        # checks-exception: true
        # blocks: true
    
      # 1 call, one at src/a.c:18
      #   void vm_keep(jobject)
      - names: vm_keep
        # parameters:
        #   0: keeps             # or {releases: local}, {releases: global}; or leave it out
        # blocks: true
    
      # 1 call, one at src/a.c:20
      #   void vm_register(JavaVM *, const char *, void (*)(void), jobject *, void *)
      - names: vm_register
        # makes-jni-calls: true
        # throws: maybe         # always, maybe, never
        # parameters:
        #   1: string            # or in
        #   2: callback          # or called, thread-entry
        #   3: {acquires: local} # or {acquires: global}, in
        #   4: out               # or in, keeps, {acquires: memory}
        # blocks: true
    jniguard: 2 units, 4 unknown functions

As it is the file loads and says nothing.

    $ jniguard models models.yaml
    vm_class_of: nothing is known (models.yaml:9)
    vm_failed: nothing is known (models.yaml:19)
    vm_keep: nothing is known (models.yaml:27)
    vm_register: nothing is known (models.yaml:34)

One function, in a file of the project's.

    $ jniguard models --suggest lib/b.c -- $JNI | grep names
      - names: vm_failed
    jniguard: 1 unit, 1 unknown function

With a database the bodies of all units count, the calls of those that are named.

    $ for f in src/a.c lib/b.c; do
    >     echo "{\"directory\": \"$PWD\", \"file\": \"$f\", \"command\": \"cc $JNI -c $f\"}"
    > done | paste -sd, | sed 's/.*/[&]/' >compile_commands.json
    > jniguard models --suggest src/a.c | grep -E 'names|unit'
    > rm compile_commands.json
      - names: vm_class_of
      - names: vm_failed
      - names: vm_keep
      - names: vm_register
    jniguard: 2 units, 4 unknown functions

Nothing is unknown.

    $ echo 'int a;' >empty.c
    > jniguard models --suggest empty.c --
    # Functions that get a JNIEnv, a JavaVM or a reference, and of which neither a body nor a model is
    # known. Take away the comment signs of what is true and delete the rest: what is not said stays
    # unknown. Use it with: jniguard check --models FILE
    
    models: []
    jniguard: 1 unit, 0 unknown functions

    $ jniguard models --suggest empty.c bad.c -- >/dev/null
    jniguard: bad.c: failed, not looked at; 'jniguard check' says why
    jniguard: 2 units, 0 unknown functions
    [3]

    $ jniguard models --suggest nowhere.c --
    jniguard: nowhere.c: No such file or directory
    [2]

Models that are known are no longer suggested, and take effect.

    $ cat >mine.yaml <<'EOF'
    > models:
    >   - names: [vm_class_of, vm_failed, vm_keep]
    >   - pattern: vm_re.*
    >   - names: vm_poll
    >     blocks: true
    > pairs:
    >   - {acquire: vm_open, release: [vm_close, vm_drop], object: 1, what: connection}
    > EOF
    > jniguard models --suggest --models mine.yaml src/a.c lib/b.c -- $JNI | tail -n 1
    models: []
    jniguard: 2 units, 0 unknown functions

    $ jniguard models mine.yaml
    vm_class_of: nothing is known (mine.yaml:2)
    vm_failed: nothing is known (mine.yaml:2)
    vm_keep: nothing is known (mine.yaml:2)
    vm_poll: blocks (mine.yaml:4)
    vm_re.* (pattern): nothing is known (mine.yaml:3)
    vm_open, given back by vm_close...: connection, *parameter 1 (mine.yaml:7)

    $ jniguard check --rule critical-blocking-call src/a.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

    $ jniguard check --rule critical-blocking-call --models mine.yaml src/a.c -- $JNI
    src/a.c:24:5: warning: 'vm_poll' can block and is called in 'Java_A_run' inside the critical region of 'p'; a garbage collection may wait for the region to end, and all Java threads with it: call it before GetPrimitiveArrayCritical or after ReleasePrimitiveArrayCritical, or work on a copy [critical-blocking-call]
       24 |     vm_poll(p[0]);
          |     ^~~~~~~~~~~~~
    src/a.c:21:15: note: critical region begins here
    src/a.c:22:9: note: assuming 'p' is not NULL
    src/a.c:24:5: note: 'vm_poll' called inside it
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s
    [1]

What a name pattern says bounds the confidence.

    $ printf 'models:\n  - {pattern: "vm_p.*", blocks: true, confidence: low}\n' >low.yaml
    > jniguard check --rule critical-blocking-call --models low.yaml src/a.c -- $JNI
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

A pattern that takes too long is told, and nobody waits for it.

    $ printf 'models:\n  - {pattern: "((v|m|_|.)*)*[0-9]", blocks: true}\n' >slow.yaml
    > jniguard check --rule critical-blocking-call --models slow.yaml src/a.c -- $JNI
    jniguard: slow.yaml:2: pattern '((v|m|_|.)*)*[0-9]' takes too many steps on some names; those count as not matched
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s

Errors.

    $ jniguard models nowhere.yaml
    jniguard: nowhere.yaml: No such file or directory
    [2]

    $ printf 'models:\n  - {names: [f], block: true}\n' >wrong.yaml
    > jniguard models wrong.yaml
    jniguard: wrong.yaml:2:18: unknown key 'block'; did you mean 'blocks'?
    [2]

    $ jniguard check --models wrong.yaml src/a.c -- $JNI
    jniguard: wrong.yaml:2:18: unknown key 'block'; did you mean 'blocks'?
    [2]

    $ jniguard models --suggest --models wrong.yaml src/a.c -- $JNI
    jniguard: wrong.yaml:2:18: unknown key 'block'; did you mean 'blocks'?
    [2]

    $ jniguard check --models mine.yaml --models mine.yaml src/a.c -- $JNI
    jniguard: mine.yaml:2:13: 'vm_class_of' has a model already, at mine.yaml:2
    [2]

    $ jniguard models -p build mine.yaml
    jniguard: 'jniguard models MODELS...' checks files of models; options and compile arguments belong to --suggest
    [2]

    $ jniguard models --sugest
    jniguard: unknown option '--sugest'; did you mean '--suggest'?
    [2]

All that is shipped.

    $ jniguard models | grep -E '^(memcpy|JNU_ThrowByName|jvmtiInterface_1_::GetLoadedClasses|pthread_create):' |
    > sed 's/[0-9]*)$/LINE)/'
    jvmtiInterface_1_::GetLoadedClasses: throws: never; parameter 1: out; parameter 2: acquires: memory acquires-elements: local (rules/models/jvmti.yaml:LINE)
    JNU_ThrowByName: makes-jni-calls; throws: always; parameter 1: string; parameter 2: string (rules/models/openjdk.yaml:LINE)
    memcpy: parameter 0: out; parameter 1: in; parameter 2: size (rules/models/libc.yaml:LINE)
    pthread_create: parameter 0: out; parameter 2: thread-entry; parameter 3: crosses-thread (rules/models/posix.yaml:LINE)

Names in one's own models that are nearly those of functions, and parameters that a function has not.

    $ cat >near.yaml <<'END'
    > models:
    >   - names: sdk_sned
    >     throws: never
    >   - names: sdk_start
    >     parameters: {7: string}
    >   - names: another_library
    >     throws: never
    > pairs:
    >   - acquire: sdk_opne
    >     release: sdk_close
    >     object: result
    >     what: connection
    > END
    > cat >near.c <<'END'
    > #include <jni.h>
    > void *sdk_open(void);
    > void sdk_close(void *connection);
    > void sdk_send(JNIEnv *env, void *connection);
    > void sdk_start(void *connection);
    > void run(JNIEnv *env) { void *c = sdk_open(); sdk_start(c); sdk_send(env, c); sdk_close(c); }
    > END
    > jniguard check --models near.yaml near.c -- $JNI
    jniguard: near.yaml:2: no unit names 'sdk_sned'; did you mean 'sdk_send'?
    jniguard: near.yaml:4: 'sdk_start' has 1 parameter, counted from 0; the model speaks of number 7
    jniguard: near.yaml:9: no unit names 'sdk_opne'; did you mean 'sdk_open'?
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found
