Members of a struct that only other files name: the caller passes its address on.

    $ cat >box.h <<'END'
    > #include <jni.h>
    > struct box { jstring of; const char *text; };
    > int acquire(JNIEnv *env, jstring s, struct box *b);
    > void release(JNIEnv *env, struct box *b);
    > struct note { jobject ref; };
    > void remember(JNIEnv *env, jobject o, struct note *n);
    > void forget(JNIEnv *env, struct note *n);
    > int work(int);
    > void take(void *);
    > END
    > cat >box.c <<'END'
    > #include "box.h"
    > int acquire(JNIEnv *env, jstring s, struct box *b)
    > {
    >     b->of = s;
    >     b->text = (*env)->GetStringUTFChars(env, s, NULL);
    >     return b->text ? 0 : -1;
    > }
    > void release(JNIEnv *env, struct box *b)
    > {
    >     (*env)->ReleaseStringUTFChars(env, b->of, b->text);
    > }
    > void remember(JNIEnv *env, jobject o, struct note *n)
    > {
    >     n->ref = (*env)->NewGlobalRef(env, o);
    > }
    > void forget(JNIEnv *env, struct note *n)
    > {
    >     (*env)->DeleteGlobalRef(env, n->ref);
    >     n->ref = NULL;
    > }
    > END
    > cat >bad.c <<'END'
    > #include "box.h"
    > JNIEXPORT jint JNICALL Java_A_bytes(JNIEnv *env, jclass cls, jstring s)
    > {
    >     struct box b;
    >     if (acquire(env, s, &b) != 0)
    >         return -1;
    >     if (work(1) != 0)
    >         return -2;
    >     release(env, &b);
    >     return 0;
    > }
    > JNIEXPORT jint JNICALL Java_A_keep(JNIEnv *env, jclass cls, jobject o)
    > {
    >     struct note n;
    >     remember(env, o, &n);
    >     return work(2);
    > }
    > END
    > cat >good.c <<'END'
    > #include "box.h"
    > JNIEXPORT jint JNICALL Java_A_once(JNIEnv *env, jclass cls, jstring s)
    > {
    >     struct box b = {0};
    >     if (acquire(env, s, &b) != 0)
    >         return -1;
    >     int n = work(1);
    >     release(env, &b);
    >     return n;
    > }
    > JNIEXPORT jint JNICALL Java_A_copied(JNIEnv *env, jclass cls, jstring s)
    > {
    >     struct box b, copy;
    >     if (acquire(env, s, &b) != 0)
    >         return -1;
    >     copy = b;
    >     release(env, &copy);
    >     return 0;
    > }
    > JNIEXPORT jint JNICALL Java_A_given(JNIEnv *env, jclass cls, jstring s, jobject o)
    > {
    >     struct box b;
    >     struct note n;
    >     if (acquire(env, s, &b) != 0)
    >         return -1;
    >     take(&b);
    >     remember(env, o, &n);
    >     forget(env, &n);
    >     return 0;
    > }
    > END
    > jniguard check box.c bad.c good.c -- $JNI | grep -v '^ '
    bad.c:5:9: warning: 'b.text' from 'acquire' is not released on a path that leaves 'Java_A_bytes'; the copy is never freed, or the string stays pinned: call 'release' there too [buffer-unreleased]
    bad.c:5:9: note: acquired here, with GetStringUTFChars
    bad.c:7:9: note: assuming 'work(...) != 0'
    bad.c:8:9: note: 'Java_A_bytes' returns here without releasing it
    bad.c:15:5: warning: global reference 'n.ref' is lost when 'Java_A_keep' returns; nothing holds it any more and nothing deletes it, so its object can never be collected: call DeleteGlobalRef first [global-ref-leak]
    bad.c:15:5: note: made by 'remember'
    bad.c:16:5: note: 'Java_A_keep' returns here without having deleted it
    jniguard: 3 units, 9 functions, 2 findings, 0 suppressed, in <time> s
