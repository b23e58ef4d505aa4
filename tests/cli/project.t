Compile databases.

    $ mkdir -p src build sub/deep .git
    > cat >src/bad.c <<'END'
    > #include <jni.h>
    > #include "kept.h"
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     KEPT = o;
    > }
    > END
    > mkdir inc
    > echo 'static jobject kept;' >inc/kept.h
    > echo 'int answer(void) { return 42; }' >src/good.c
    > echo '.text' >src/asm.S

None, and broken ones.

    $ cd / && jniguard check
    jniguard: no compile_commands.json in this folder, its parents up to the top of the repository, or their build*/ and out*/ folders; make one (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), name one with -p, or give the compiler's arguments: jniguard check FILE -- -Iinclude
    [2]

    $ jniguard check -p nowhere
    jniguard: nowhere: No such file or directory
    [2]

    $ jniguard check -p build
    jniguard: build: no compile_commands.json in this folder or its build*/ and out*/
    [2]

    $ echo '[{"file": }]' >build/compile_commands.json
    > jniguard check
    jniguard: build/compile_commands.json:1:11: unexpected token near '}'
    [2]

    $ echo '[{"directory": "."}]' >build/compile_commands.json
    > jniguard check
    jniguard: build/compile_commands.json: entry 1: "file" is missing or not a string
    [2]

    $ echo '{}' >build/compile_commands.json
    > jniguard check
    jniguard: build/compile_commands.json:1:1: a compile database is an array of objects
    [2]

    $ echo '[]' >build/compile_commands.json
    > jniguard check
    jniguard: 0 units, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

Found in build/, from here and from below; commands with ccache, quotes, a response file and a folder of
their own; an assembler file and a second command for one file.

    $ echo "$JNI -I../inc" >build/flags.rsp
    > cat >build/compile_commands.json <<'END'
    > [
    >  {"directory": ".", "file": "../src/bad.c",
    >   "command": "ccache gcc '-DKEPT=kept' @flags.rsp -c ../src/bad.c -o bad.o -MD -MF bad.d"},
    >  {"directory": "..", "file": "src/good.c", "arguments": ["cc", "-c", "src/good.c"]},
    >  {"directory": "..", "file": "src/good.c", "arguments": ["cc", "-DTWO", "-c", "src/good.c"]},
    >  {"directory": "..", "file": "src/asm.S", "arguments": ["cc", "-c", "src/asm.S"]}
    > ]
    > END
    > jniguard check
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        8 |     KEPT = o;
          |     ^
    src/bad.c:8:5: note: stored here
    src/bad.c:9:1: note: 'Java_A_f' returns with it still there
    src/bad.c:8:5: note: expanded from macro 'KEPT'
    jniguard: 1 entry is not C or C++ and skipped (assembler)
    jniguard: good.c has more than one command; the one counts whose folder and arguments come first in the alphabet: to choose another, name with -p a database that has only that
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s
    [1]

    $ cd src && jniguard check | head -n 1
    bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: compile commands from $WORK/build/compile_commands.json
    jniguard: 1 entry is not C or C++ and skipped (assembler)
    jniguard: good.c has more than one command; the one counts whose folder and arguments come first in the alphabet: to choose another, name with -p a database that has only that
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s

    $ jniguard check -p build/compile_commands.json | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: 1 entry is not C or C++ and skipped (assembler)
    jniguard: good.c has more than one command; the one counts whose folder and arguments come first in the alphabet: to choose another, name with -p a database that has only that
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s

From where nothing lies that it compiles it may be a stranger's; it is named, not taken. The search ends
at the top of a repository.

    $ cd sub/deep && jniguard check
    jniguard: no compile_commands.json in this folder, its parents up to the top of the repository, or their build*/ and out*/ folders; make one (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), name one with -p, or give the compiler's arguments: jniguard check FILE -- -Iinclude; not taken, for want of a file below this folder: $WORK/build/compile_commands.json
    [2]

    $ mkdir src/.git
    > (cd src && jniguard check)
    > rmdir src/.git
    jniguard: no compile_commands.json in this folder, its parents up to the top of the repository, or their build*/ and out*/ folders; make one (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), name one with -p, or give the compiler's arguments: jniguard check FILE -- -Iinclude

    $ cd sub/deep && jniguard check -p ../.. | head -n 1
    $WORK/src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: compile commands from ../../build/compile_commands.json
    jniguard: 1 entry is not C or C++ and skipped (assembler)
    jniguard: good.c has more than one command; the one counts whose folder and arguments come first in the alphabet: to choose another, name with -p a database that has only that
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s

Several: the first is taken, and all are named.

    $ mkdir out
    > cp build/compile_commands.json out
    > jniguard check src/good.c
    > cd src && jniguard check -p ..
    jniguard: compile commands from build/compile_commands.json; also found: out/compile_commands.json; choose with -p
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found
    jniguard: ..: no compile_commands.json in this folder; did you mean one of ../build/compile_commands.json, ../out/compile_commands.json?
    [2]

    $ rm -r out

No file is written, whatever the commands say.

    $ ls build
    compile_commands.json
    flags.rsp

Files, folders and globs choose; headers and strangers are explained.

    $ jniguard check src/good.c
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check src
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        8 |     KEPT = o;
          |     ^
    src/bad.c:8:5: note: stored here
    src/bad.c:9:1: note: 'Java_A_f' returns with it still there
    src/bad.c:8:5: note: expanded from macro 'KEPT'
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s
    [1]

    $ jniguard check '**/go*.c'
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check src/nothing.c
    jniguard: src/nothing.c: No such file or directory
    [2]

    $ jniguard check '*.cc'
    jniguard: *.cc: names nothing in build/compile_commands.json
    [2]

    $ jniguard check inc/kept.h
    jniguard: inc/kept.h: checked through src/bad.c
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ echo 'int x;' >stranger.c
    > jniguard check stranger.c src/good.c
    jniguard: stranger.c: not in build/compile_commands.json; its arguments are guessed, those of src/bad.c
    jniguard: 2 units, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check --format json stranger.c
    {"type":"unit","path":"stranger.c","status":"ok","errors":0,"guessed":true}
    {"type":"summary","units":1,"ok":1,"degraded":0,"failed":0,"timeout":0,"functions":0,"findings":0,"suppressed":0,"exitCode":0}
    jniguard: stranger.c: not in build/compile_commands.json; its arguments are guessed, those of src/bad.c
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ echo '# Notes' >notes.md
    > touch x.cpp
    > jniguard check notes.md
    > jniguard check x.cpp
    jniguard: notes.md: not C or C++ (.md)
    jniguard: x.cpp: not in build/compile_commands.json, which compiles nothing like it; give its arguments: jniguard check FILE -- -Iinclude
    [2]

A folder is what to check, -p is where the project lies.

    $ mkdir -p other/build none
    > echo '[{"directory": "..", "file": "o.c", "command": "cc -c o.c"}]' >other/build/compile_commands.json
    > echo 'int o;' >other/o.c
    > jniguard check other
    jniguard: other: names nothing in build/compile_commands.json; did you mean -p other?
    [2]

    $ jniguard check none
    jniguard: none: names nothing in build/compile_commands.json
    [2]

    $ mkdir .git/empty && cd .git/empty && mkdir .git && jniguard check ../../other
    jniguard: no compile_commands.json for the current folder; did you mean -p ../../other?
    [2]

    $ jniguard check -p other
    jniguard: compile commands from other/build/compile_commands.json
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found

A database that was made elsewhere.

    $ mkdir image && cat >image/compile_commands.json <<'END'
    > [{"directory": "/image/src", "file": "/image/src/bad.c",
    >   "command": "cc @/image/flags.rsp -I /image/inc -isystem/image/none -c bad.c"},
    >  {"directory": "/image", "file": "src/good.c", "command": "cc -c src/good.c"}]
    > END
    > { cat build/flags.rsp; echo -DKEPT=kept; } >flags.rsp
    > jniguard check -p image | cat
    /image/src/bad.c: error: cannot read /image/src/bad.c: No such file or directory
    jniguard: /image/src/bad.c: failed, not checked (1 error)
    /image/src/good.c: error: cannot read /image/src/good.c: No such file or directory
    jniguard: /image/src/good.c: failed, not checked (1 error)
    jniguard: hint: was the database made in a container or another checkout? --path-map FROM=TO says where its paths lie here
    jniguard: 2 units, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed

    $ jniguard check -p image --path-map /image/=. --path-map /elsewhere=/x | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: --path-map /elsewhere=/x: no path of image/compile_commands.json lies there
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s

    $ jniguard check -p image --path-map "/image=$PWD" src/good.c
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check -p image --path-map image=.
    jniguard: --path-map takes FROM=TO, FROM an absolute path, not 'image=.'
    [2]

    $ jniguard check --path-map /image=. src/good.c -- -Iinc
    jniguard: --path-map is for a database, of which '-- COMPILE ARGS' needs none
    [2]

Arguments are added and removed.

    $ jniguard check src/bad.c --remove-arg=-DKEPT=kept
    src/bad.c:8:5: error: use of undeclared identifier 'KEPT'
    jniguard: src/bad.c: degraded, 1 of 1 function with a compile error
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors
    [3]

    $ jniguard check src/bad.c --remove-arg '-DKEPT*' --extra-arg=-DKEPT=kept | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

The header that is missing first.

    $ jniguard check src/bad.c --remove-arg=-I* --extra-arg=-I../inc
    src/bad.c:1:10: error: 'jni.h' file not found
    inc/kept.h:1:8: error: unknown type name 'jobject'
    src/bad.c:3:1: error: unknown type name 'JNIEXPORT'
    jniguard: src/bad.c: failed, not checked (4 errors)
    jniguard: hint: add -I$JAVA_HOME/include -I$JAVA_HOME/include/linux (with a database: --extra-arg=-I...)
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

Without a database.

    $ jniguard check src/bad.c -- -DKEPT=kept $JNI -Iinc | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s

    $ jniguard check src/bad.c src/nothing.c -- -DKEPT=kept $JNI -Iinc | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: src/nothing.c: No such file or directory
    jniguard: 1 unit, 1 function, 1 finding, 0 suppressed, in <time> s; incomplete: some arguments name nothing

    $ jniguard check nothing.c -- -Iinc
    jniguard: nothing.c: No such file or directory
    [2]

    $ jniguard check src -- -Iinc
    jniguard: src: a folder; name its files
    [2]

    $ jniguard check 'src/*d.c' -- -DKEPT=kept $JNI -Iinc | head -n 1
    src/bad.c:8:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    jniguard: 2 units, 2 functions, 1 finding, 0 suppressed, in <time> s
