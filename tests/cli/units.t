Units as build steps: each made alone, then linked.

    $ mkdir "with blanks"
    > echo '#define KEEP(o) (kept = (o))' >"with blanks/keep#\$.h"
    > cat >a.c <<'END'
    > #include <jni.h>
    > #include "with blanks/keep#$.h"
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     KEEP(o);
    > }
    > END
    > cat >b.c <<'END'
    > #include <jni.h>
    > static jobject other;
    > JNIEXPORT void JNICALL
    > Java_B_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     (void)env;
    >     (void)cls;
    >     other = o; // jniguard-ignore: local-ref-escape -- for the test
    > }
    > END
    > jniguard unit -o a.jgu --depfile a.d -- cc $JNI -O2 -c a.c -o a.o
    > jniguard unit -o b.jgu -- ccache gcc $JNI -c ./b.c
    > ls; grep -v include/ a.d | head -n 3
    a.c
    a.d
    a.jgu
    b.c
    b.jgu
    with blanks
    a.jgu: \
      a.c \
      with\ blanks/keep\#$$.h

    $ grep -c with a.d; sed -n 's/with/&/p' a.d
    1
      with\ blanks/keep\#$$.h

    $ jniguard link a.jgu b.jgu
    a.c:9:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
        9 |     KEEP(o);
          |     ^
    a.c:9:5: note: stored here
    a.c:10:1: note: 'Java_A_f' returns with it still there
    with blanks/keep#$.h:1:18: note: expanded from macro 'KEEP'
    jniguard: 2 units, 2 functions, 1 finding, 1 suppressed, in <time> s
    [1]

What check says, word for word, in any order and without the sources.

    $ jniguard check --format json a.c b.c -- $JNI >check.json 2>/dev/null
    > jniguard link --format json b.jgu a.jgu >link.json 2>/dev/null
    > cmp check.json link.json
    > mkdir away && mv a.c b.c "with blanks" away
    > jniguard link --format json a.jgu b.jgu 2>/dev/null | cmp check.json -
    > echo "a.jgu 'b.jgu'" >units.rsp
    > jniguard link --format json @units.rsp 2>/dev/null | cmp check.json -
    > cd away && jniguard link --format json ../*.jgu | cut -d '"' -f 1-24 | head -n 1
    {"type":"finding","rule":"local-ref-escape","severity":"error","confidence":"high","path":"$WORK/a.c","line":9,"column
    jniguard: 2 units, 2 functions, 1 finding, 1 suppressed, in <time> s

    $ mv away/* .
    > jniguard link --rule env-cached --fail-on never a.jgu
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; no JNI call found

Two runs make the same bytes; an old file stays when there is no new one.

    $ jniguard unit -o c.jgu -- cc $JNI -O2 -c a.c -o a.o && cmp a.jgu c.jgu && rm c.jgu
    > echo 'int broken(void) { return }' >c.c
    > cp a.jgu c.jgu
    > jniguard unit -o c.jgu -- cc -include missing.h -c c.c
    c.c: error: 'missing.h' file not found
    c.c:1:27: error: expected expression
    jniguard: c.c: failed, not checked (2 errors)
    [3]

    $ cmp a.jgu c.jgu && rm c.jgu && ls *.jgu*
    a.jgu
    b.jgu

One compile error in a function: the unit is made, and told when it is linked.

    $ jniguard unit -o c.jgu -- cc -c c.c
    > jniguard link c.jgu
    c.c:1:27: error: expected expression
    jniguard: c.c: degraded, 1 of 1 function with a compile error
    jniguard: 1 unit, 1 function, 0 findings, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors
    [3]

Wrong usage.

    $ jniguard unit
    jniguard: -o OUT.jgu is missing
    [2]

    $ jniguard unit -o x.jgu
    jniguard: the compiler's command goes behind '--', alone: jniguard unit -o a.jgu -- cc -Iinclude -c a.c
    [2]

    $ jniguard unit -o x.jgu a.c -- cc -c
    jniguard: the compiler's command goes behind '--', alone: jniguard unit -o a.jgu -- cc -Iinclude -c a.c
    [2]

    $ jniguard unit -o x.jgu --
    jniguard: there is no command
    [2]

    $ jniguard unit -o x.jgu -- cc a.c b.c
    jniguard: the command names a.c and b.c; a unit is made of one source file
    [2]

    $ jniguard unit -o x.jgu -- cc -c start.S -include a.c -o b.c
    jniguard: the command names no C or C++ source file (but assembler)
    [2]

    $ jniguard unit -o x.jgu -- cc -c nowhere.c
    nowhere.c: error: cannot read $WORK/nowhere.c: No such file or directory
    jniguard: nowhere.c: failed, not checked (1 error)
    [3]

    $ jniguard unit -o a.c -- cc $JNI -c a.c
    jniguard: a.c is read to make the unit; write to another file
    [2]

    $ echo '-include inc.h -c c.c' >c.rsp
    > touch inc.h
    > jniguard unit -o c.jgu --depfile c.rsp -- cc @c.rsp
    jniguard: c.rsp is read to make the unit; write to another file
    [2]

    $ jniguard unit -o c.jgu --depfile c.d -- cc @c.rsp
    > cat c.d
    c.jgu: \
      c.c \
      inc.h \
      c.rsp

    $ jniguard unit -o nowhere/x.jgu -- cc -c c.c
    jniguard: nowhere/x.jgu: No such file or directory
    [2]

    $ jniguard unit -o /dev/full -- cc -c c.c
    jniguard: /dev/full: No space left on device
    [2]

    $ jniguard unit -o x.jgu --depfile nowhere/x.d -- cc -c c.c
    jniguard: nowhere/x.d: No such file or directory
    [2]

    $ jniguard unit -o x.jgu -I. -- cc -c c.c
    jniguard: unknown option '-I.'; compile arguments go after '--'
    [2]

    $ ls x.jgu* 2>/dev/null
    [2]

    $ jniguard link
    jniguard: no unit file is named: jniguard link a.jgu b.jgu
    [2]

    $ jniguard link a.jgu ./b.jgu a.jgu
    jniguard: a.jgu is named twice
    [2]

    $ cp a.jgu a2.jgu
    > jniguard link a.jgu a2.jgu b.jgu
    jniguard: a.jgu and a2.jgu are both units of a.c; name one of them
    [2]

What is no unit, or no more: it costs itself only.

    $ head -c 1000 a.jgu >short.jgu
    > patch() { cp a.jgu $1.jgu; printf $3 | dd of=$1.jgu bs=1 seek=$2 conv=notrunc 2>/dev/null; }
    > patch foreign 8 '\1\2\3\4'
    > patch older 12 '\0'
    > patch newer 12 '\377'
    > patch version 16 '9.9.9'
    > patch corrupt 2000 '~~~~'
    > : >empty.jgu
    > jniguard link a.c short.jgu foreign.jgu older.jgu newer.jgu version.jgu corrupt.jgu empty.jgu . nowhere.jgu b.jgu 2>err || echo $?
    > sed 's/this is [0-9.]*/this is <version>/; s/bytes of [0-9]*/bytes of <size>/' err
    3
    .: error: Is a directory
    jniguard: .: failed, not checked (1 error)
    a.c: error: not a unit file; 'jniguard unit' makes them
    jniguard: a.c: failed, not checked (1 error)
    corrupt.jgu: error: corrupt (checksum); make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: corrupt.jgu: failed, not checked (1 error)
    empty.jgu: error: empty, no unit file; make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: empty.jgu: failed, not checked (1 error)
    foreign.jgu: error: made on a machine with the other order of bytes; on one like this make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: foreign.jgu: failed, not checked (1 error)
    newer.jgu: error: made by a newer jniguard, which writes format 255, this one 1; use that one, or make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: newer.jgu: failed, not checked (1 error)
    nowhere.jgu: error: No such file or directory
    jniguard: nowhere.jgu: failed, not checked (1 error)
    older.jgu: error: made by an older jniguard, which wrote format 0, this one 1; make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: older.jgu: failed, not checked (1 error)
    short.jgu: error: truncated, 1000 bytes of <size>; make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: short.jgu: failed, not checked (1 error)
    version.jgu: error: made by jniguard 9.9.9, this is <version>; make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: version.jgu: failed, not checked (1 error)
    jniguard: 11 units, 1 function, 0 findings, 1 suppressed, in <time> s; incomplete: 10 units failed

    $ jniguard link --format json corrupt.jgu
    {"type":"unit","path":"corrupt.jgu","status":"failed","errors":1}
    {"type":"summary","units":1,"ok":0,"degraded":0,"failed":1,"timeout":0,"functions":0,"findings":0,"suppressed":0,"exitCode":3}
    corrupt.jgu: error: corrupt (checksum); make it again: jniguard unit -o FILE -- COMPILER ARGS...
    jniguard: corrupt.jgu: failed, not checked (1 error)
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; nothing was analysed
    [3]

Units of two checkouts are the same bytes, with paths that are relative, or those of a third place.

    $ mkdir -p one/inc two/of/them
    > cat >one/inc/kept.h <<'END'
    > #define KEEP(o) (kept = (o))
    > static struct { jobject o; } unnamed;
    > END
    > cat >one/kept.c <<'END'
    > #include <jni.h>
    > #include "kept.h"
    > static jobject kept;
    > JNIEXPORT void JNICALL
    > Java_A_f(JNIEnv *env, jclass cls, jobject o)
    > {
    >     KEEP(o);
    >     (*env)->FindClass(env, __FILE__ "\0" __FILE__ "\0");
    > }
    > int wrong(void) { return undeclared + (unnamed.o == 0); }
    > END
    > cp -r one/* two/of/them
    > echo 'cd "$1" && shift && jniguard unit -o "$@"' >unit_in
    > sh unit_in one $PWD/one.jgu --path-map .=. -- cc $JNI -I$PWD/one/inc -c $PWD/one/kept.c
    > sh unit_in two/of/them $PWD/two.jgu --path-map .=. --depfile $PWD/two.d -- cc $JNI -I$PWD/two/of/them/inc -c $PWD/two/of/them/kept.c
    > cmp one.jgu two.jgu; grep -c $PWD one.jgu; grep -v include/ two.d
    > jniguard link two.jgu | grep -v '^ '
    0
    $WORK/two.jgu: \
      kept.c \
      inc/kept.h
    kept.c:7:5: error: local reference 'o', a parameter, is kept in 'kept', which outlives the call of 'Java_A_f'; it is invalid once the native method returns: store NewGlobalRef(env, o) instead, and delete that in the end [local-ref-escape]
    kept.c:7:5: note: stored here
    kept.c:9:1: note: 'Java_A_f' returns with it still there
    inc/kept.h:1:18: note: expanded from macro 'KEEP'
    kept.c:10:26: error: use of undeclared identifier 'undeclared'
    jniguard: kept.c: degraded, 1 of 2 functions with a compile error
    jniguard: 1 unit, 2 functions, 1 finding, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors

    $ sh unit_in one $PWD/one.jgu --path-map $PWD/one=/src --path-map $PWD/one/inc=/include -- cc $JNI -Iinc -c kept.c
    > sh unit_in two/of/them $PWD/two.jgu --path-map .=/src --path-map inc/=/include -- cc $JNI -Iinc -c kept.c
    > cmp one.jgu two.jgu; grep -c $PWD one.jgu
    > jniguard link two.jgu --format json | grep -o '"path":"[^"]*"' | sort -u
    0
    "path":"/include/kept.h"
    "path":"/src/kept.c"
    /src/kept.c:10:26: error: use of undeclared identifier 'undeclared'
    jniguard: /src/kept.c: degraded, 1 of 2 functions with a compile error
    jniguard: 1 unit, 2 functions, 1 finding, 0 suppressed, in <time> s; incomplete: 1 unit with too many compile errors

A sandbox of links to the files is a checkout, too.

    $ mkdir -p farm/inc; ln -s $PWD/one/kept.c farm; ln -s $PWD/one/inc/kept.h farm/inc
    > sh unit_in one $PWD/one.jgu --path-map .=. -- cc $JNI -Iinc -c kept.c
    > sh unit_in farm $PWD/two.jgu --path-map .=. -- cc $JNI -Iinc -c kept.c
    > cmp one.jgu two.jgu; grep -c $PWD two.jgu
    0
    [1]

    $ jniguard unit -o x.jgu --path-map /nowhere=. -- cc $JNI -Ione/inc -c one/kept.c
    > jniguard unit -o x.jgu --path-map .= -- cc $JNI -c one/kept.c
    jniguard: --path-map /nowhere=.: no file of the unit lies there
    jniguard: --path-map takes FROM=TO, not '.='
    [2]
