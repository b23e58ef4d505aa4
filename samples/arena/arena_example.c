// SPDX-License-Identifier: Apache-2.0
//
// What an arena is for: scratch memory of one call. Greets each argument (or three names), with the
// strings and a file in an arena that is open for one greeting only.

#include <jniguard/arena.h>

#include <stdio.h>

static int close_file(void *file)
{
    return fclose(file); // 0, or the close of the arena returns JG_ARENA_CLEANUP
}

static enum jg_arena_status greet(const char *name)
{
    struct jg_arena a;
    enum jg_arena_status status = jg_arena_open(&a);
    if (status != JG_ARENA_OK)
        return status;

    // Fits the pool of this thread: no malloc is called from the second greeting on.
    size_t size = strlen(name) + sizeof "Hello, !";
    char *text = jg_arena_alloc(&a, size, 1);
    // Does not: a block of its own, freed at the same time.
    char *line = jg_arena_alloc(&a, 256 + size, 1);
    // A clean-up needs no allocation; its node may lie in the arena.
    struct jg_arena_cleanup *node = JG_ARENA_NEW(&a, struct jg_arena_cleanup, 1);
    if (text == NULL || line == NULL || node == NULL) {
        status = jg_arena_last_status();
        (void)jg_arena_close(&a);
        return status;
    }

    FILE *file = tmpfile();
    if (file != NULL) {
        (void)jg_arena_on_close(&a, node, close_file, file);
        snprintf(text, size, "Hello, %s!", name);
        fprintf(file, "%s\n", text);
        rewind(file);
        if (fgets(line, (int)(256 + size), file) != NULL)
            fputs(line, stdout);
    }

    return jg_arena_close(&a); // closes the file, frees the block, zeroes and keeps the pool
}

int main(int argc, char **argv)
{
    static char *names[] = {"arena_example", "pool", "block", "clean-up"};
    if (argc < 2) {
        argc = 4;
        argv = names;
    }
    for (int i = 1; i < argc; i++) {
        enum jg_arena_status status = greet(argv[i]);
        if (status != JG_ARENA_OK) {
            fprintf(stderr, "%s: %s\n", argv[i], jg_arena_status_text(status));
            return 1;
        }
    }

    struct jg_arena_stats stats;
    jg_arena_stats_get(&stats);
    printf("%llu arenas, %llu allocations in %llu pool, %llu in blocks\n",
           (unsigned long long)stats.opens, (unsigned long long)stats.pooled,
           (unsigned long long)stats.pools_new, (unsigned long long)stats.fallback);

    // Use after close is refused, and says why.
    struct jg_arena a;
    jg_arena_open(&a);
    jg_arena_close(&a);
    if (jg_arena_alloc(&a, 1, 1) == NULL)
        printf("after close: %s\n", jg_arena_status_text(jg_arena_last_status()));
    return 0;
}
