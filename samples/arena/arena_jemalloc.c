// SPDX-License-Identifier: Apache-2.0
//
// Arenas backed by jemalloc, for a process that runs for long and has many threads. The rest of the
// program keeps its malloc if it links jemalloc with a prefix; here, as on Debian, jemalloc is
// that.

#include <jniguard/arena.h>

#include <jemalloc/jemalloc.h>
#include <stdio.h>

static void *je_alloc(size_t size, void *context)
{
    (void)context;
    return mallocx(size, 0); // the size is never 0
}

static void *je_zalloc(size_t size, void *context)
{
    (void)context;
    return mallocx(size, MALLOCX_ZERO);
}

static void je_free(void *p, size_t size, void *context)
{
    (void)context;
    sdallocx(p, size, 0);
}

int main(void)
{
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.backing = (struct jg_arena_backing){je_alloc, je_zalloc, je_free, NULL};
    enum jg_arena_status status = jg_arena_configure(&config); // before the first arena
    if (status != JG_ARENA_OK) {
        fprintf(stderr, "%s\n", jg_arena_status_text(status));
        return 1;
    }

    static const size_t sizes[] = {20, 100, 5000, 100000};
    struct jg_arena a;
    jg_arena_open(&a);
    size_t bad = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *p = jg_arena_alloc(&a, sizes[i], 16);
        if (p == NULL || p[0] != 0 || p[sizes[i] - 1] != 0)
            bad++;
        else
            memset(p, 1, sizes[i]);
    }
    status = jg_arena_close(&a);

    struct jg_arena_stats stats;
    jg_arena_stats_get(&stats);
    const char *version = "?";
    size_t length = sizeof version;
    (void)mallctl("version", (void *)&version, &length, NULL, 0);
    printf("%llu bytes in blocks, %zu bad, %s; jemalloc %s\n",
           (unsigned long long)stats.fallback_bytes, bad, jg_arena_status_text(status), version);
    return bad != 0;
}
