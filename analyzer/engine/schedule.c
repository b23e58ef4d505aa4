// SPDX-License-Identifier: Apache-2.0
//
// Components in the order in which they become ready; see schedule.h.

#include "analyzer/engine/schedule.h"

#include <pthread.h>
#include <stdlib.h>

#define STACK_BYTES (8u << 20) // as main threads have

struct schedule {
    jg_component_task *task;
    void *context;
    uint32_t *first, *callers; // callers of component c: [first[c], first[c + 1]), once a call
    pthread_mutex_t lock;      // of what follows
    pthread_cond_t changed;
    uint32_t *waiting;          // per component: calls to components that are not done
    uint32_t *ready;            // those that wait for nothing, in the order of their turn
    uint32_t begun, end, count; // positions in `ready`; how many there will be
    uint32_t done;
};

struct worker {
    struct schedule *s;
    unsigned number;
    pthread_t thread;
};

// ---- who waits for whom -------------------------------------------------------------------------

typedef void on_call(struct schedule *s, uint32_t caller, uint32_t callee);

static void each_call(struct schedule *s, const struct jg_program *p, on_call *each)
{
    for (uint32_t c = 0; c < s->count; c++) {
        uint32_t members, calls;
        const uint32_t *ids = jg_program_component(p, c, &members);
        for (uint32_t m = 0; m < members; m++) {
            const uint32_t *callees = jg_program_calls(p, ids[m], &calls);
            for (uint32_t i = 0; i < calls; i++) {
                uint32_t callee = jg_program_representative(p, callees[i]);
                uint32_t component = jg_program_component_of(p, callee);
                if (component != c)
                    each(s, c, component);
            }
        }
    }
}

static void count_call(struct schedule *s, uint32_t caller, uint32_t callee)
{
    s->waiting[caller]++;
    s->first[callee + 1]++;
}

static void put_call(struct schedule *s, uint32_t caller, uint32_t callee)
{
    s->callers[s->first[callee]++] = caller;
}

static void find_callers(struct schedule *s, const struct jg_program *p)
{
    s->waiting = jg_calloc((size_t)s->count + 1, sizeof *s->waiting);
    s->first = jg_calloc((size_t)s->count + 2, sizeof *s->first);
    each_call(s, p, count_call);
    for (uint32_t c = 0; c < s->count; c++)
        s->first[c + 1] += s->first[c];
    s->callers = jg_malloc(((size_t)s->first[s->count] + 1) * sizeof *s->callers);
    each_call(s, p, put_call); // moves each row's beginning to its end, which is the next one's
    for (uint32_t c = s->count; c > 0; c--)
        s->first[c] = s->first[c - 1];
    s->first[0] = 0;
}

// ---- the workers --------------------------------------------------------------------------------

static void finish(struct schedule *s, uint32_t component)
{
    uint32_t before = s->end;
    s->done++;
    for (uint32_t i = s->first[component]; i < s->first[component + 1]; i++)
        if (--s->waiting[s->callers[i]] == 0)
            s->ready[s->end++] = s->callers[i];
    if (s->end - before > 1 || s->done == s->count) // one of them this worker takes itself
        pthread_cond_broadcast(&s->changed);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct schedule *s = w->s;
    pthread_mutex_lock(&s->lock);
    while (s->done < s->count) {
        if (s->begun == s->end) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        uint32_t component = s->ready[s->begun++];
        pthread_mutex_unlock(&s->lock);
        s->task(s->context, w->number, component);
        pthread_mutex_lock(&s->lock);
        finish(s, component);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void work_together(struct schedule *s, unsigned workers)
{
    struct worker *list = jg_calloc((size_t)workers + 1, sizeof *list);
    pthread_attr_t attributes;
    unsigned made = 1;
    if (pthread_attr_init(&attributes) != 0)
        jg_out_of_memory();
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    list[0] = (struct worker){.s = s};
    for (; made < workers; made++) {
        list[made] = (struct worker){.s = s, .number = made};
        if (pthread_create(&list[made].thread, &attributes, work, &list[made]) != 0)
            break;
    }
    work(&list[0]);
    for (unsigned i = 1; i < made; i++)
        pthread_join(list[i].thread, NULL);
    pthread_attr_destroy(&attributes);
    free(list);
}

void jg_schedule(const struct jg_program *p, unsigned workers, jg_component_task *task,
                 void *context)
{
    struct schedule s = {.task = task, .context = context};
    s.count = jg_program_component_count(p);
    s.ready = jg_malloc(((size_t)s.count + 1) * sizeof *s.ready);
    find_callers(&s, p);
    for (uint32_t c = 0; c < s.count; c++)
        if (!s.waiting[c])
            s.ready[s.end++] = c;
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    work_together(&s, workers);
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    free(s.ready);
    free(s.waiting);
    free(s.first);
    free(s.callers);
}
