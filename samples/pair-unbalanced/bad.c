// SPDX-License-Identifier: Apache-2.0
//
// What functions of the project's own acquire, see models.yaml, is not given back, or twice.

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

struct conn;
struct cursor;
struct pool;
struct session;

struct conn *conn_open(const char *host);
void conn_close(struct conn *c);
void conn_abort(struct conn *c);
int conn_send(struct conn *c, jint value);
int cursor_begin(struct conn *c, struct cursor **out);
int cursor_next(struct cursor *k);
void cursor_end(struct cursor *k);
int slot_reserve(struct pool *p);
void slot_return(struct pool *p, int slot);
void slot_fill(int slot, jint value);
bool session_start(struct session **out);
void session_stop(struct session **s);
int session_ask(struct session *s);

static struct pool *gPool;

// An early return.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_send(JNIEnv *env, jobject self, jint value)
{
    struct conn *c = conn_open("localhost"); // expect: pair-unbalanced
    if (c == NULL)
        return -1;
    if (conn_send(c, value) < 0)
        return -2;
    conn_close(c);
    return 0;
}

// The exception leaves with it.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_first(JNIEnv *env, jobject self, jintArray values)
{
    jint value = 0;
    struct conn *c = conn_open("localhost"); // expect: pair-unbalanced
    (*env)->GetIntArrayRegion(env, values, 0, 1, &value);
    if ((*env)->ExceptionCheck(env))
        return -1;
    conn_send(c, value);
    conn_close(c);
    return 0;
}

// Twice, where the error is handled and after it.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_last(JNIEnv *env, jobject self, jint value)
{
    jint status = 0;
    struct conn *c = conn_open("localhost");
    if (c == NULL)
        return -1;
    if (conn_send(c, value) < 0) {
        conn_abort(c);
        status = -2;
    }
    conn_close(c); // expect: pair-unbalanced
    return status;
}

// One for each element.
JNIEXPORT void JNICALL
Java_org_example_net_Client_broadcast(JNIEnv *env, jobject self, jint count)
{
    for (jint i = 0; i < count; i++) {
        struct conn *c = conn_open("localhost"); // expect: pair-unbalanced
        if (c != NULL)
            conn_send(c, i);
    }
}

// Stored through a parameter; the status says whether it was.
static int count_rows(struct conn *c)
{
    struct cursor *k;
    int rows = 0;
    if (cursor_begin(c, &k) < 0) // expect: pair-unbalanced
        return -1;
    while (cursor_next(k) > 0) {
        if (++rows > 1000)
            return -2;
    }
    cursor_end(k);
    return rows;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Client_count(JNIEnv *env, jobject self)
{
    struct conn *c = conn_open("localhost");
    jint rows = c == NULL ? -1 : count_rows(c);
    if (c != NULL)
        conn_close(c);
    return rows;
}

// A number.
JNIEXPORT jboolean JNICALL
Java_org_example_net_Client_fill(JNIEnv *env, jobject self, jint value)
{
    int slot = slot_reserve(gPool); // expect: pair-unbalanced
    if (slot < 0)
        return JNI_FALSE;
    if (value == 0)
        return JNI_FALSE;
    slot_fill(slot, value);
    slot_return(gPool, slot);
    return JNI_TRUE;
}

// Through helpers.
static struct conn *open_local(void)
{
    struct conn *c = conn_open("localhost");
    if (c != NULL && conn_send(c, 1) < 0) {
        conn_abort(c);
        return NULL;
    }
    return c;
}

static void close_quietly(struct conn *c)
{
    if (c != NULL)
        conn_close(c);
}

JNIEXPORT jint JNICALL
Java_org_example_net_Client_ping(JNIEnv *env, jobject self, jint value)
{
    struct conn *c = open_local(); // expect: pair-unbalanced
    if (c == NULL)
        return -1;
    if (value < 0)
        return -2;
    conn_send(c, value);
    close_quietly(c);
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Client_pingTwice(JNIEnv *env, jobject self, jint value)
{
    struct conn *c = open_local();
    if (c == NULL)
        return -1;
    conn_send(c, value);
    close_quietly(c);
    close_quietly(c); // expect: pair-unbalanced
    return 0;
}

// A boolean says whether there is one.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_ask(JNIEnv *env, jobject self, jboolean twice)
{
    struct session *s;
    if (!session_start(&s)) // expect: pair-unbalanced
        return -1;
    int answer = session_ask(s);
    if (twice && answer == 0)
        return session_ask(s);
    session_stop(&s);
    return answer;
}
