// SPDX-License-Identifier: Apache-2.0
//
// A worker process. See worker.h. One socket pair carries the number of a job one way and, the
// other way, a frame: the length of the result and the result.

#include "analyzer/project/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_REPLY (1u << 30)

struct jg_worker {
    jg_worker_job *job;
    void *context;
    pid_t child; // 0: none yet, or crashed
    int socket;
};

void jg_bytes_add(struct jg_bytes *b, const void *data, size_t size)
{
    if (size == 0)
        return;
    if (size > MAX_REPLY || b->count > MAX_REPLY - size)
        jg_out_of_memory();
    if (b->count + size > b->capacity) {
        size_t capacity = b->capacity ? b->capacity : 256;
        while (capacity < b->count + size)
            capacity *= 2;
        b->data = jg_realloc(b->data, capacity);
        b->capacity = (uint32_t)capacity;
    }
    memcpy(b->data + b->count, data, size);
    b->count += (uint32_t)size;
}

static bool send_all(int fd, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        ssize_t n = send(fd, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_all(int fd, void *data, size_t size)
{
    for (char *p = data; size;) {
        ssize_t n = recv(fd, p, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static _Noreturn void work(struct jg_worker *w)
{
    struct jg_bytes reply = {0};
    uint32_t job;
    while (receive_all(w->socket, &job, sizeof job)) {
        reply.count = 0;
        w->job(w->context, job, &reply);
        fflush(NULL);
        if (!send_all(w->socket, &reply.count, sizeof reply.count) ||
            !send_all(w->socket, reply.data, reply.count))
            break;
    }
    // No exit handlers: they belong to the parent.
    _exit(0);
}

// Whatever ends the parent, an interrupt or the out-of-memory killer, ends the worker too: in the
// middle of a job it would not look at its socket for minutes.
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it ended before
        _exit(0);
}

// False with errno set.
static bool start(struct jg_worker *w)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL); // or the child would write the parent's buffers a second time
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        int saved = errno;
        close(ends[0]);
        close(ends[1]);
        errno = saved;
        return false;
    }
    if (child == 0) {
        close(ends[0]);
        w->socket = ends[1];
        die_with(parent);
        work(w);
    }
    close(ends[1]);
    w->child = child;
    w->socket = ends[0];
    return true;
}

// Ends the worker and returns its wait status.
static int stop(struct jg_worker *w)
{
    int status = 0;
    close(w->socket);
    while (waitpid(w->child, &status, 0) < 0 && errno == EINTR)
        ;
    w->child = 0;
    return status;
}

static char *describe(int status)
{
    if (WIFSIGNALED(status))
        return jg_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return jg_format("exit code %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

struct jg_worker *jg_worker_new(jg_worker_job *job, void *context)
{
    struct jg_worker *w = jg_calloc(1, sizeof *w);
    w->job = job;
    w->context = context;
    return w;
}

void jg_worker_free(struct jg_worker *w)
{
    if (w && w->child)
        stop(w);
    free(w);
}

bool jg_worker_run(struct jg_worker *w, uint32_t job, struct jg_bytes *reply, char **why)
{
    reply->count = 0;
    if (!w->child && !start(w)) {
        *why = jg_format("no worker process: %s", strerror(errno));
        return false;
    }
    uint32_t size;
    if (send_all(w->socket, &job, sizeof job) && receive_all(w->socket, &size, sizeof size) &&
        size <= MAX_REPLY) {
        if (size > reply->capacity) {
            reply->data = jg_realloc(reply->data, size);
            reply->capacity = size;
        }
        if (receive_all(w->socket, reply->data, size)) {
            reply->count = size;
            return true;
        }
    }
    *why = describe(stop(w));
    return false;
}
