// SPDX-License-Identifier: Apache-2.0
//
// A child process that does the work of this one. See supervise.h.
//
// Both share a page or two: what the threads of the child are at, which survives its death. A
// socket pair tells the parent that the child writes or has ended; everything else is inherited by
// the fork.

#include "analyzer/project/supervise.h"

#include "analyzer/ir/mem.h"
#include "analyzer/project/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_LOST 16             // more: something is wrong with all of it
#define TICK 500                 // milliseconds between two looks at the clock
#define PROGRESS_TICK 100        // with progress
#define PATIENCE 1000            // milliseconds a child may take to stop outside of items
#define PATIENCE_WITH_ITEMS 5000 // and with items, which would be lost

// What a thread of the child is at.
struct slot {
    atomic_uint serial; // counts items
    atomic_uint item;   // + 1; 0: none
    atomic_uint place;
};

struct shared {
    _Atomic(const char *) stage;
    atomic_bool stop, finished;
    atomic_uint total, done, found;
    int code; // once finished
    struct slot slots[];
};

// A slot as the parent saw it last.
struct sight {
    unsigned serial;
    int64_t since; // milliseconds
};

struct jg_supervised {
    const struct jg_supervision *s;
    struct shared *shared;
    size_t shared_size;
    struct JG_VEC(struct jg_lost_item) lost;
    struct JG_VEC(uint32_t) suspects; // each to be worked on alone
    bool in_haste;
    // In the child:
    pthread_rwlock_t alone; // held for writing by who works on a suspect; unused without suspects
    int socket;             // -1: this is no child
    // In the parent:
    struct sight *sights;
    sigset_t mask;        // of the caller
    bool was_interrupted; // before the work began: it goes on all the same
    int64_t stopping;     // when the child was asked to stop; 0: it was not
};

// ---- in the child -------------------------------------------------------------------------------

void jg_supervised_stage(struct jg_supervised *v, const char *what)
{
    atomic_store(&v->shared->stage, what);
}

void jg_supervised_total(struct jg_supervised *v, uint32_t total)
{
    atomic_store(&v->shared->total, total);
}

const atomic_bool *jg_supervised_stop(const struct jg_supervised *v)
{
    return &v->shared->stop;
}

bool jg_supervised_in_haste(const struct jg_supervised *v)
{
    return v->in_haste;
}

const struct jg_lost_item *jg_supervised_lost(const struct jg_supervised *v, uint32_t *count)
{
    *count = v->lost.count;
    return v->lost.data;
}

static bool is_lost(const struct jg_supervised *v, uint32_t item)
{
    for (uint32_t i = 0; i < v->lost.count; i++)
        if (v->lost.data[i].item == item)
            return true;
    return false;
}

static bool is_suspect(const struct jg_supervised *v, uint32_t item)
{
    for (uint32_t i = 0; i < v->suspects.count; i++)
        if (v->suspects.data[i] == item)
            return true;
    return false;
}

bool jg_supervised_begin(struct jg_supervised *v, unsigned worker, uint32_t item, uint32_t place)
{
    struct slot *slot = &v->shared->slots[worker];
    if (is_lost(v, item))
        return false;
    if (v->suspects.count && is_suspect(v, item))
        pthread_rwlock_wrlock(&v->alone);
    else if (v->suspects.count)
        pthread_rwlock_rdlock(&v->alone);
    if (atomic_load(&v->shared->stop)) {
        if (v->suspects.count)
            pthread_rwlock_unlock(&v->alone);
        return false;
    }
    atomic_fetch_add(&slot->serial, 1); // first: the parent must not take its age for the item's
    atomic_store(&slot->place, place);
    atomic_store(&slot->item, item + 1);
    return true;
}

void jg_supervised_end(struct jg_supervised *v, unsigned worker, uint32_t weight, uint32_t found)
{
    atomic_fetch_add(&v->shared->done, weight);
    atomic_fetch_add(&v->shared->found, found);
    atomic_store(&v->shared->slots[worker].item, 0);
    if (v->suspects.count)
        pthread_rwlock_unlock(&v->alone);
}

// The parent takes the progress off the terminal before it answers.
void jg_supervised_write(struct jg_supervised *v)
{
    char byte = 0;
    jg_supervised_stage(v, "writing the report");
    if (v->socket < 0)
        return;
    if (send(v->socket, &byte, 1, MSG_NOSIGNAL) != 1)
        return;
    while (recv(v->socket, &byte, 1, 0) < 0 && errno == EINTR)
        ;
}

static _Noreturn void work(struct jg_supervised *v)
{
    pthread_rwlock_init(&v->alone, NULL);
    v->shared->code = v->s->run(v->s->context, v);
    fflush(NULL);
    atomic_store(&v->shared->finished, true);
    // With the handlers: that is where sanitizers look for leaks.
    exit(v->shared->code);
}

// ---- the parent looks at the child --------------------------------------------------------------

struct jg_supervised_progress jg_supervised_progress(const struct jg_supervised *v)
{
    struct jg_supervised_progress p = {.total = atomic_load(&v->shared->total),
                                       .done = atomic_load(&v->shared->done),
                                       .found = atomic_load(&v->shared->found),
                                       .place = UINT32_MAX,
                                       .stopping = v->stopping != 0};
    for (unsigned i = 0; i < v->s->workers && p.place == UINT32_MAX; i++)
        if (atomic_load(&v->shared->slots[i].item))
            p.place = atomic_load(&v->shared->slots[i].place);
    return p;
}

// What one child came to.
struct outcome {
    bool writing;  // it had begun to write
    bool overdue;  // it was asked to stop, and did not
    uint32_t late; // the item that took too long, + 1
    int status;
    struct rusage usage;
};

// Items by their age; `gap`: time in which nobody's clock ran.
static uint32_t find_late(struct jg_supervised *v, int64_t now, int64_t gap)
{
    uint32_t late = 0;
    for (unsigned i = 0; i < v->s->workers; i++) {
        const struct slot *slot = &v->shared->slots[i];
        struct sight *sight = &v->sights[i];
        unsigned serial = atomic_load(&slot->serial), item = atomic_load(&slot->item);
        sight->since += gap > 0 ? gap : 0;
        if (serial != sight->serial)
            *sight = (struct sight){serial, now};
        else if (item && now - sight->since >= (int64_t)v->s->timeout * 1000)
            late = item;
    }
    return v->s->timeout ? late : 0;
}

static bool is_overdue(struct jg_supervised *v, int64_t now)
{
    if (!v->stopping && jg_interrupted() && !v->was_interrupted) {
        v->stopping = now;
        atomic_store(&v->shared->stop, true);
    }
    int64_t patience = atomic_load(&v->shared->done) ? PATIENCE_WITH_ITEMS : PATIENCE;
    return v->stopping && !v->in_haste && now - v->stopping > patience;
}

// Waits for news from the child: false when it has ended.
static bool wait_for_news(struct jg_supervised *v, int socket, struct outcome *out)
{
    int tick = v->s->progress && !out->writing ? PROGRESS_TICK : TICK;
    struct pollfd poll = {.fd = socket, .events = POLLIN};
    struct timespec time = {0, tick * 1000000L};
    char byte;
    if (ppoll(&poll, 1, &time, &v->mask) <= 0)
        return true;
    ssize_t n = recv(socket, &byte, 1, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return false;
    out->writing = true;
    if (v->s->over)
        v->s->over(v->s->context);
    send(socket, &byte, 1, MSG_NOSIGNAL);
    return true;
}

static void watch(struct jg_supervised *v, pid_t child, int socket, struct outcome *out)
{
    int64_t last = jg_child_clock();
    for (unsigned i = 0; i < v->s->workers; i++)
        v->sights[i] = (struct sight){0, last};
    while (wait_for_news(v, socket, out) && !out->late && !out->overdue) {
        int64_t now = jg_child_clock();
        if (out->writing)
            continue;
        out->late = find_late(v, now, now - last - 2 * TICK);
        out->overdue = is_overdue(v, now);
        last = now;
        if (v->s->progress)
            v->s->progress(v->s->context, v);
    }
    if (!out->writing && v->s->over)
        v->s->over(v->s->context);
    if (out->late || out->overdue)
        kill(child, SIGKILL);
    close(socket);
    while (wait4(child, &out->status, 0, &out->usage) < 0 && errno == EINTR)
        ;
}

// ---- one child after the other ------------------------------------------------------------------

// What the process has now: pages of data; in memory.
static void measure(uint64_t *data, uint64_t *resident)
{
    unsigned long long rss = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%*u %llu %*u %*u %*u %llu", &rss, &pages) != 2)
        rss = pages = 0;
    if (f)
        fclose(f);
    uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
    *data = pages * size;
    *resident = rss * size;
}

static struct jg_child_limit limit_of(const struct jg_supervision *s)
{
    uint64_t data, resident;
    measure(&data, &resident);
    uint64_t memory = jg_child_memory(s->memory ? data + s->memory : 0);
    uint64_t room = memory > data ? memory - data : 0;
    return (struct jg_child_limit){memory, resident + room / 2, s->memory != 0};
}

static void begin_shared(struct jg_supervised *v)
{
    memset(v->shared, 0, v->shared_size);
    atomic_init(&v->shared->stage, "linking");
    atomic_init(&v->shared->stop, v->in_haste);
}

// False when there is no process to be had.
static bool run_child(struct jg_supervised *v, const struct jg_child_limit *limit,
                      struct outcome *out)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    begin_shared(v);
    fflush(NULL); // or the child would write the parent's buffers a second time
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (child == 0) {
        jg_child_die_with(parent);
        jg_interrupt_ignore(&v->mask);
        close(ends[0]);
        v->socket = ends[1];
        jg_child_limit_memory(limit->memory);
        work(v);
    }
    close(ends[1]);
    *out = (struct outcome){0};
    watch(v, child, ends[0], out);
    return true;
}

// All of it is lost. Takes `why`.
static char *give_up(const struct jg_supervised *v, char *why)
{
    char *error = jg_format("%s while %s", why, atomic_load(&v->shared->stage));
    free(why);
    return error;
}

// An item is lost. NULL: the others are worth another try. Takes `why`.
static char *lose(struct jg_supervised *v, uint32_t item, enum jg_job_end end, char *why)
{
    if (v->lost.count == MOST_LOST)
        return give_up(v, why);
    *JG_VEC_PUSH(&v->lost) = (struct jg_lost_item){item, end, why};
    return NULL;
}

// Finds out which item a dead child was lost with; several: the next child will tell.
static char *blame(struct jg_supervised *v, enum jg_job_end end, char *why)
{
    uint32_t current = 0, item = 0;
    for (unsigned i = 0; i < v->s->workers; i++) {
        uint32_t at = atomic_load(&v->shared->slots[i].item);
        current += at != 0;
        item = at ? at - 1 : item;
    }
    if (current == 0)
        return give_up(v, why);
    if (current == 1)
        return lose(v, item, end, why);
    // None of them is a suspect yet: those have the process to themselves.
    for (unsigned i = 0; i < v->s->workers; i++) {
        uint32_t at = atomic_load(&v->shared->slots[i].item);
        if (at)
            *JG_VEC_PUSH(&v->suspects) = at - 1;
    }
    free(why);
    return NULL;
}

// What to do about a child that did not finish. NULL: another one; else why not (heap).
static char *judge(struct jg_supervised *v, const struct jg_child_limit *limit,
                   const struct outcome *o)
{
    char *why;
    enum jg_job_end end = jg_child_ended(o->status, &o->usage, limit, &why);
    if (o->writing || v->in_haste)
        return give_up(v, why);
    if (v->stopping) { // no time to do it all again
        free(why);
        v->in_haste = true;
        return NULL;
    }
    if (!o->late)
        return blame(v, end, why);
    free(why);
    return lose(v, o->late - 1, JG_JOB_TIMEOUT, jg_format("not done after %u s", v->s->timeout));
}

static bool is_finished(const struct jg_supervised *v, const struct outcome *o)
{
    return atomic_load(&v->shared->finished) && WIFEXITED(o->status);
}

static int run_children(struct jg_supervised *v, char **error)
{
    struct jg_child_limit limit = limit_of(v->s);
    struct outcome o;
    while (!*error) {
        if (!run_child(v, &limit, &o)) {
            sigprocmask(SIG_SETMASK, &v->mask, NULL);
            begin_shared(v);
            pthread_rwlock_init(&v->alone, NULL);
            return v->s->run(v->s->context, v);
        }
        if (is_finished(v, &o))
            return WEXITSTATUS(o.status);
        *error = judge(v, &limit, &o);
    }
    return -1;
}

int jg_supervise(const struct jg_supervision *s, char **error)
{
    struct jg_supervised v = {.s = s, .socket = -1, .was_interrupted = jg_interrupted()};
    v.shared_size = sizeof *v.shared + s->workers * sizeof *v.shared->slots;
    v.shared = mmap(NULL, v.shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (v.shared == MAP_FAILED)
        jg_out_of_memory();
    v.sights = jg_calloc(s->workers, sizeof *v.sights);
    *error = NULL;
    jg_interrupt_block(&v.mask);
    int code = run_children(&v, error);
    sigprocmask(SIG_SETMASK, &v.mask, NULL);
    for (uint32_t i = 0; i < v.lost.count; i++)
        free((char *)v.lost.data[i].why);
    JG_VEC_FREE(&v.lost);
    JG_VEC_FREE(&v.suspects);
    free(v.sights);
    munmap(v.shared, v.shared_size);
    return code;
}
