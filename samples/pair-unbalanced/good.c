// SPDX-License-Identifier: Apache-2.0
//
// Nearest right code: what is acquired is given back once, kept where others give it back, or was
// never acquired. The pairs are those of models.yaml.

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct cursor;
struct pool;
struct session;
struct conn {
    int handle;
    struct conn *next;
};

int handle_open(const char *host);
void handle_close(int handle);
int conn_send(struct conn *c, jint value);
void conn_list_add(struct conn **list, struct conn *c);
struct conn *conn_accept(int handle);
void conn_abort(struct conn *c);
int cursor_begin(struct conn *c, struct cursor **out);
int cursor_next(struct cursor *k);
void cursor_end(struct cursor *k);
int slot_reserve(struct pool *p);
void slot_return(struct pool *p, int slot);
void slot_fill(int slot, jint value);
bool session_start(struct session **out);
void session_stop(struct session **s);
int session_ask(struct session *s);
void release_all(struct conn *c);
const char *text_pin(int id, jboolean *is_copy, int *error);
void text_unpin(const char *text);
int text_show(const char *text);

static struct pool *gPool;
static struct conn *gShared;

// The bodies of the two functions are no concern of their callers.
struct conn *conn_open(const char *host)
{
    struct conn *c = malloc(sizeof *c);
    if (c == NULL)
        return NULL;
    c->handle = handle_open(host);
    if (c->handle < 0) {
        free(c);
        return NULL;
    }
    return c;
}

void conn_close(struct conn *c)
{
    if (c == NULL)
        return;
    handle_close(c->handle);
    free(c);
}

// One way out.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_send(JNIEnv *env, jobject self, jint value)
{
    jint status = -1;
    struct conn *c = conn_open("localhost");
    if (c == NULL)
        return -1;
    if (conn_send(c, value) < 0)
        goto done;
    status = 0;
done:
    conn_close(c);
    return status;
}

// One or the other, and NULL afterwards.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_last(JNIEnv *env, jobject self, jint value)
{
    struct conn *c = conn_open("localhost");
    if (c != NULL && conn_send(c, value) < 0) {
        conn_abort(c);
        c = NULL;
    }
    conn_close(c);
    return 0;
}

// In the hands of Java.
JNIEXPORT jlong JNICALL
Java_org_example_net_Client_open(JNIEnv *env, jclass cls)
{
    struct conn *c = conn_open("localhost");
    return (jlong)(intptr_t)c;
}

JNIEXPORT void JNICALL
Java_org_example_net_Client_close(JNIEnv *env, jclass cls, jlong handle)
{
    conn_close((struct conn *)(intptr_t)handle);
}

// In a static variable, in a list, in a struct.
JNIEXPORT void JNICALL
Java_org_example_net_Client_share(JNIEnv *env, jclass cls)
{
    if (gShared == NULL)
        gShared = conn_open("localhost");
}

JNIEXPORT void JNICALL
Java_org_example_net_Client_push(JNIEnv *env, jclass cls)
{
    struct conn *c = conn_open("localhost");
    if (c == NULL)
        return;
    c->next = gShared;
    gShared = c;
}

// Every turn gives back its own.
JNIEXPORT void JNICALL
Java_org_example_net_Client_broadcast(JNIEnv *env, jobject self, jint count)
{
    for (jint i = 0; i < count; i++) {
        struct cursor *k;
        struct conn *c = conn_accept(i);
        if (c == NULL)
            continue;
        if (cursor_begin(c, &k) < 0) {
            conn_close(c);
            break;
        }
        while (cursor_next(k) > 0)
            conn_send(c, i);
        cursor_end(k);
        conn_close(c);
    }
}

// The status is looked at in one way or another.
static int count_rows(struct conn *c)
{
    struct cursor *k = NULL;
    int rows = 0, error = cursor_begin(c, &k);
    if (error != 0)
        return error;
    while (cursor_next(k) > 0)
        rows++;
    cursor_end(k);
    return rows;
}

static int has_rows(struct conn *c)
{
    struct cursor *k = NULL;
    cursor_begin(c, &k);
    if (k == NULL)
        return 0;
    int any = cursor_next(k) > 0;
    cursor_end(k);
    return any;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Client_count(JNIEnv *env, jobject self)
{
    struct conn *c = conn_open("localhost");
    if (c == NULL)
        return -1;
    jint rows = has_rows(c) ? count_rows(c) : 0;
    conn_close(c);
    return rows;
}

// A number that says that there is none.
JNIEXPORT jboolean JNICALL
Java_org_example_net_Client_fill(JNIEnv *env, jobject self, jint value)
{
    int slot = slot_reserve(gPool);
    if (slot == -1)
        return JNI_FALSE;
    slot_fill(slot, value);
    slot_return(gPool, slot);
    return JNI_TRUE;
}

// A helper opens what another one closes, and hands it out through its parameter.
static int open_two(struct conn **first, struct conn **second)
{
    *first = conn_open("a");
    if (*first == NULL)
        return -1;
    *second = conn_open("b");
    if (*second == NULL) {
        conn_close(*first);
        *first = NULL;
        return -1;
    }
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_net_Client_pair(JNIEnv *env, jobject self, jint value)
{
    struct conn *a, *b;
    if (open_two(&a, &b) < 0)
        return -1;
    conn_send(a, value);
    conn_send(b, value);
    conn_close(a);
    conn_close(b);
    return 0;
}

// A function of which no more than the name is known.
JNIEXPORT void JNICALL
Java_org_example_net_Client_drop(JNIEnv *env, jobject self)
{
    struct conn *c = conn_open("localhost");
    release_all(c);
}

// Its address is given to the release.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_ask(JNIEnv *env, jobject self)
{
    struct session *s;
    if (!session_start(&s))
        return -1;
    int answer = session_ask(s);
    session_stop(&s);
    return answer;
}

// The call says otherwise that there is nothing to give back.
JNIEXPORT jint JNICALL
Java_org_example_net_Client_show(JNIEnv *env, jobject self, jint id)
{
    jboolean copied = JNI_FALSE;
    int error = 0;
    const char *text = text_pin(id, &copied, &error);
    if (error != 0)
        return error;
    int status = text_show(text);
    if (copied)
        text_unpin(text);
    return status;
}
