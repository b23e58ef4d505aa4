// SPDX-License-Identifier: Apache-2.0
//
// A pool of worker processes. See worker.h.
//
// Each worker has a socket pair: the number of a job goes one way; the other way comes a frame, the
// length of the result and the result. The parent reads what there is, whoever it comes from, and
// kills whoever is late. A worker closes the parent's ends of all other sockets, or it would keep
// those workers waiting after the parent's death.

#include "analyzer/project/worker.h"

#include "analyzer/project/child.h"
#include "analyzer/project/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_REPLY (1u << 30)
#define CHUNK (1u << 16) // bytes read at a time
#define TICK 500         // milliseconds between two looks at the clock

struct worker {
    pid_t child; // 0: none
    int socket;
    bool busy;
    uint32_t job;
    int64_t begun; // milliseconds
    uint32_t size; // of the result, once the first 4 bytes of the frame are there
    struct jg_bytes frame;
};

struct run {
    const struct jg_pool *pool;
    const uint32_t *jobs;
    uint32_t count, next;
    struct worker *workers;
    struct pollfd *polls;
    unsigned busy;
    uint64_t memory; // the limit in force; 0: none
    bool stopped;
    sigset_t mask; // of the caller
    int64_t now;   // at the last look at the clock
};

void jg_bytes_add(struct jg_bytes *b, const void *data, size_t size)
{
    if (size == 0)
        return;
    if (size > MAX_REPLY || b->count > MAX_REPLY + sizeof(uint32_t) - size)
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

// ---- in the worker ------------------------------------------------------------------------------

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

static _Noreturn void work(const struct jg_pool *pool, int socket)
{
    struct jg_bytes reply = {0};
    uint32_t job;
    while (receive_all(socket, &job, sizeof job)) {
        reply.count = 0;
        pool->run(pool->context, job, &reply);
        fflush(NULL);
        if (!send_all(socket, &reply.count, sizeof reply.count) ||
            !send_all(socket, reply.data, reply.count))
            break;
    }
    // No exit handlers: they belong to the parent.
    _exit(0);
}

// ---- one worker, seen from the parent -----------------------------------------------------------

// False with errno set.
static bool start(struct run *r, struct worker *w)
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
        jg_child_die_with(parent);
        jg_interrupt_ignore(&r->mask);
        close(ends[0]);
        for (unsigned i = 0; i < r->pool->workers; i++)
            if (r->workers[i].child)
                close(r->workers[i].socket);
        jg_child_limit_memory(r->memory);
        work(r->pool, ends[1]);
    }
    close(ends[1]);
    w->child = child;
    w->socket = ends[0];
    return true;
}

// Closes the socket, which ends an idle worker, and returns the wait status.
static int reap(struct worker *w, struct rusage *usage)
{
    int status = 0;
    memset(usage, 0, sizeof *usage);
    close(w->socket);
    while (wait4(w->child, &status, 0, usage) < 0 && errno == EINTR)
        ;
    w->child = 0;
    return status;
}

static void end(struct run *r, struct worker *w, enum jg_job_end how, const char *why)
{
    struct jg_bytes none = {0};
    struct jg_job_result result = {how, how == JG_JOB_DONE ? &w->frame : &none, why};
    w->busy = false;
    r->busy--;
    if (!r->pool->ended(r->pool->context, w->job, &result))
        r->stopped = true;
}

// The worker ended, or talks nonsense, in the middle of a job.
static void lost(struct run *r, struct worker *w)
{
    struct rusage usage;
    kill(w->child, SIGKILL); // no effect on one that has ended
    int status = reap(w, &usage);
    struct jg_child_limit limit = {r->memory, r->memory / 2, r->pool->memory != 0};
    char *why;
    enum jg_job_end how = jg_child_ended(status, &usage, &limit, &why);
    end(r, w, how, why);
    free(why);
}

static void late(struct run *r, struct worker *w)
{
    struct rusage usage;
    kill(w->child, SIGKILL);
    reap(w, &usage);
    char *why = jg_format("not done after %u s", r->pool->timeout);
    end(r, w, JG_JOB_TIMEOUT, why);
    free(why);
}

// Reads what there is.
static void receive(struct run *r, struct worker *w)
{
    static char chunk[CHUNK];
    ssize_t n = recv(w->socket, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0 || !w->busy || (size_t)n > MAX_REPLY + sizeof w->size - w->frame.count) {
        lost(r, w);
        return;
    }
    jg_bytes_add(&w->frame, chunk, (size_t)n);
    if (w->frame.count < sizeof w->size)
        return;
    memcpy(&w->size, w->frame.data, sizeof w->size);
    size_t whole = sizeof w->size + (size_t)w->size;
    if (w->size > MAX_REPLY || w->frame.count > whole) {
        lost(r, w);
    } else if (w->frame.count == whole) {
        w->frame.count = w->size;
        memmove(w->frame.data, w->frame.data + sizeof w->size, w->size);
        end(r, w, JG_JOB_DONE, NULL);
    }
}

// ---- all of them --------------------------------------------------------------------------------

// Gives the next job to an idle worker. One that died idle, which the system's out-of-memory killer
// may do, gets a successor; a job is charged only with what happened while it ran.
static void give(struct run *r, struct worker *w)
{
    struct rusage usage;
    uint32_t job = r->jobs[r->next];
    char *why = NULL;
    for (unsigned attempt = 0; attempt < 2; attempt++) {
        if (!w->child && !start(r, w)) {
            why = jg_format("no worker process: %s", strerror(errno));
            break;
        }
        if (send_all(w->socket, &job, sizeof job))
            break;
        reap(w, &usage);
    }
    if (!w->child && r->busy) { // the others go on, and the job waits for them
        free(why);
        return;
    }
    r->next++;
    r->busy++;
    w->busy = true;
    w->job = job;
    w->begun = jg_child_clock();
    w->frame.count = 0;
    if (r->pool->begun)
        r->pool->begun(r->pool->context, job);
    if (!w->child)
        end(r, w, JG_JOB_CRASHED, why ? why : "its worker process ended at once");
    free(why);
}

// Time in which this process was stopped (Ctrl-Z) or busy is nobody's fault.
static void look_at_clock(struct run *r)
{
    int64_t now = jg_child_clock(), gap = now - r->now - 2 * TICK;
    r->now = now;
    for (unsigned i = 0; i < r->pool->workers && r->pool->timeout && !r->stopped; i++) {
        struct worker *w = &r->workers[i];
        if (gap > 0)
            w->begun += gap;
        if (w->busy && now - w->begun >= (int64_t)r->pool->timeout * 1000)
            late(r, w);
    }
}

static void wait_for_some(struct run *r)
{
    nfds_t count = 0;
    for (unsigned i = 0; i < r->pool->workers; i++)
        if (r->workers[i].busy)
            r->polls[count++] = (struct pollfd){.fd = r->workers[i].socket, .events = POLLIN};
    struct timespec tick = {0, TICK * 1000000L};
    int ready = ppoll(r->polls, count, &tick, &r->mask);
    for (unsigned i = 0, k = 0; i < r->pool->workers && ready > 0 && !r->stopped; i++) {
        struct worker *w = &r->workers[i];
        if (k < count && w->child && w->socket == r->polls[k].fd && r->polls[k++].revents)
            receive(r, w);
    }
}

static void run_jobs(struct run *r)
{
    r->now = jg_child_clock();
    while (!r->stopped && !jg_interrupted() && (r->next < r->count || r->busy)) {
        for (unsigned i = 0; i < r->pool->workers && r->next < r->count && !r->stopped; i++)
            if (!r->workers[i].busy)
                give(r, &r->workers[i]);
        if (r->busy && !r->stopped)
            wait_for_some(r);
        look_at_clock(r);
    }
}

static void end_workers(struct run *r)
{
    struct rusage usage;
    for (unsigned i = 0; i < r->pool->workers; i++) // all at once, then wait for each
        if (r->workers[i].busy)
            kill(r->workers[i].child, SIGKILL);
    for (unsigned i = 0; i < r->pool->workers; i++) {
        if (r->workers[i].child)
            reap(&r->workers[i], &usage);
        JG_VEC_FREE(&r->workers[i].frame);
    }
}

static void cancel(struct run *r)
{
    struct jg_bytes none = {0};
    struct jg_job_result result = {JG_JOB_CANCELLED, &none, "interrupted"};
    for (unsigned i = 0; i < r->pool->workers; i++)
        if (r->workers[i].busy && !r->stopped)
            r->stopped = !r->pool->ended(r->pool->context, r->workers[i].job, &result);
    for (; r->next < r->count && !r->stopped; r->next++)
        r->stopped = !r->pool->ended(r->pool->context, r->jobs[r->next], &result);
}

void jg_pool_run(const struct jg_pool *pool, const uint32_t *jobs, uint32_t count)
{
    struct run r = {
        .pool = pool, .jobs = jobs, .count = count, .memory = jg_child_memory(pool->memory)};
    r.workers = jg_calloc(pool->workers, sizeof *r.workers);
    r.polls = jg_calloc(pool->workers, sizeof *r.polls);
    jg_interrupt_block(&r.mask);
    run_jobs(&r);
    sigprocmask(SIG_SETMASK, &r.mask, NULL); // a second Ctrl-C ends the process at once
    end_workers(&r);
    cancel(&r);
    free(r.polls);
    free(r.workers);
}
