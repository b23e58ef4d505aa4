What earlier runs have left.

    $ export XDG_CACHE_HOME=$PWD/cache; jniguard cache info; jniguard cache clear
    no cache yet; it would be $WORK/cache/jniguard/v1
    nothing to remove: there is no $WORK/cache/jniguard/v1

    $ echo '#include <jni.h>' >a.c; sleep 0.1; for i in 1 2; do XDG_CACHE_HOME=$PWD/cache jniguard check --stats a.c -- $JNI 2>&1 | grep cache -A 1; done
      found in the cache, with JNI                  0
      degraded by a compile error                   0
    --
    units found in the cache                        0
    units kept there                                1
      found in the cache, with JNI                  0
      degraded by a compile error                   0
    --
    units found in the cache                        1
    units kept there                                0

    $ XDG_CACHE_HOME=$PWD/cache jniguard cache info | grep -v size
    folder  $WORK/cache/jniguard/v1
    units   1
    files   2

    $ XDG_CACHE_HOME=$PWD/cache jniguard cache clear | sed 's/, .*,/,/'; ls cache
    removed 2 files, from $WORK/cache/jniguard/v1

    $ XDG_CACHE_HOME=$PWD/cache jniguard models --suggest a.c -- $JNI >/dev/null
    jniguard: 1 unit, 0 unknown functions

    $ XDG_CACHE_HOME=$PWD/cache jniguard check --stats a.c -- $JNI 2>&1 | grep 'the cache'
      found in the cache, with JNI                  0
    units found in the cache                        1

    $ jniguard cache
    jniguard: 'cache' takes one argument: info or clear
    [2]

    $ jniguard cache info clear
    jniguard: 'cache' takes one argument: info or clear
    [2]

    $ jniguard cache purge
    jniguard: 'cache' cannot 'purge'; it can info and clear
    [2]

    $ env -u HOME XDG_CACHE_HOME=relative jniguard cache info
    no cache: neither XDG_CACHE_HOME nor HOME names a folder

    $ env -u HOME XDG_CACHE_HOME=relative jniguard check --stats a.c -- $JNI 2>&1 | grep cache
      found in the cache, with JNI                  0
    no cache: neither XDG_CACHE_HOME nor HOME names a folder

A folder that cannot be used is told, and nothing else changes.

    $ echo >file; XDG_CACHE_HOME=$PWD/file jniguard check a.c -- $JNI
    jniguard: cache: $WORK/file/jniguard: Not a directory; going on without it
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ XDG_CACHE_HOME=$PWD/file jniguard cache clear
    jniguard: cache: $WORK/file/jniguard: Not a directory
    [2]

