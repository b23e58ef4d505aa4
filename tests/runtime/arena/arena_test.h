// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the arena share. Each file is compiled in several ways (inlined, out of line,
// debug face, fibers, global-dynamic TLS), so tests speak about what all of them promise.

#ifndef JG_TESTS_ARENA_TEST_H
#define JG_TESTS_ARENA_TEST_H

#include <jniguard/arena.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

// gcc defines a macro, clang has a feature.
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#else
#define UNDER_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#else
#define UNDER_TSAN 0
#endif

// Under AddressSanitizer and valgrind every allocation has its own block unless told otherwise. The
// tests are about pools.
static inline void use_pools(void)
{
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.separate = 0;
    if (jg_arena_configure(&config) != JG_ARENA_OK)
        abort();
}

// Pools of the debug face are freed under valgrind, which watches freed memory best.
static inline bool pools_are_kept(void)
{
    return !(JG_ARENA_DEBUG && RUNNING_ON_VALGRIND);
}

static inline bool all_zero(const void *p, size_t size)
{
    const unsigned char *bytes = p;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

#define SECRET 0x5A

// Is there a secret to read? Eight bytes of it: a pointer may contain one.
static inline bool tells_a_secret(const void *p, size_t size)
{
    const volatile unsigned char *bytes = p;
    for (size_t i = 0, run = 0; i < size; i++) {
        run = bytes[i] == SECRET ? run + 1 : 0;
        if (run == 8)
            return true;
    }
    return false;
}

static inline struct jg_arena_stats stats_now(void)
{
    struct jg_arena_stats stats;
    jg_arena_stats_get(&stats);
    return stats;
}

// Runs `body` in a child and gives its exit code; -1 when a signal ended it.
static inline int in_child(int (*body)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(body());
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// In threads and children, where cmocka's assertions have nowhere to go: the line that failed.
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
