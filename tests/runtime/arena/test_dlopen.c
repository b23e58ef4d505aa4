// SPDX-License-Identifier: Apache-2.0
//
// Libraries that come and go: loaded at run time, used by several threads, unloaded before those
// threads end. This program itself is not linked with the arena library.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct user {
    int (*use)(void);
    pthread_barrier_t *barrier;
    int bad;
};

static void *thread(void *arg)
{
    struct user *user = arg;
    user->bad = user->use();
    pthread_barrier_wait(user->barrier); // used
    pthread_barrier_wait(user->barrier); // unloaded
    return NULL;
}

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fprintf(stderr, "%s\n", dlerror());
    assert_non_null(library);
    return library;
}

// ISO C has no conversion from object to function pointer.
static int (*use_of(void *library))(void)
{
    int (*use)(void);
    void *symbol = dlsym(library, "plugin_use");
    assert_non_null(symbol);
    *(void **)&use = symbol;
    return use;
}

static void load_use_unload(const char *path)
{
    for (int round = 0; round < 3; round++) {
        pthread_barrier_t barrier;
        pthread_barrier_init(&barrier, NULL, 3);
        void *library = load(path);
        struct user users[2];
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) {
            users[i] = (struct user){use_of(library), &barrier, -1};
            assert_int_equal(pthread_create(&threads[i], NULL, thread, &users[i]), 0);
        }
        pthread_barrier_wait(&barrier);
        assert_int_equal(use_of(library)(), 0);
        assert_int_equal(dlclose(library), 0);
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0); // survives its end
            assert_int_equal(users[i].bad, 0);
        }
        pthread_barrier_destroy(&barrier);
    }
}

static void shared_library(void **state)
{
    (void)state;
    load_use_unload(PLUGIN_SHARED);
    // -z nodelete: still there after the last dlclose.
    void *library = dlopen(ARENA_SHARED, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(library);
    dlclose(library);
}

static void static_archive_inside(void **state)
{
    (void)state;
    load_use_unload(PLUGIN_STATIC);
}

static void global_dynamic(void **state)
{
    (void)state;
    load_use_unload(PLUGIN_GD);
}

// Each of two libraries has the static archive inside and shows its symbols to the other: one copy
// works for both, and the other one leaves it alone when it is unloaded.
static void *use_in_thread(void *arg)
{
    struct user *user = arg;
    user->bad = user->use();
    return NULL;
}

static int copies_in_child(void)
{
    void *libraries[2] = {dlopen(PLUGIN_MEETS_0, RTLD_NOW | RTLD_GLOBAL),
                          dlopen(PLUGIN_MEETS_1, RTLD_NOW | RTLD_GLOBAL)};
    if (libraries[0] == NULL || libraries[1] == NULL)
        return 1;
    struct user user = {use_of(libraries[0]), NULL, -1};
    if (user.use() != 0 || use_of(libraries[1])() != 0 || dlclose(libraries[1]) != 0)
        return 2;
    pthread_t thread;
    if (pthread_create(&thread, NULL, use_in_thread, &user) != 0 ||
        pthread_join(thread, NULL) != 0 || user.bad != 0 || user.use() != 0)
        return 3;
    uint64_t (*opens)(void);
    *(void **)&opens = dlsym(libraries[0], "plugin_opens");
    return opens != NULL && opens() == 4 * 6 ? 0 : 4;
}

// The names of its files are gone with a library, the arenas that it left open are not.
static int report_in_child(void)
{
    void *library = dlopen(PLUGIN_DEBUG, RTLD_NOW);
    void *arena = dlopen(ARENA_SHARED, RTLD_NOW);
    if (library == NULL || arena == NULL)
        return 1;
    int (*leave_open)(void);
    size_t (*report)(int);
    *(void **)&leave_open = dlsym(library, "plugin_leave_open");
    *(void **)&report = dlsym(arena, "jg_arena_leak_report");
    if (leave_open == NULL || report == NULL || leave_open() != 0 || dlclose(library) != 0)
        return 2;
    char text[1024] = "";
    int ends[2];
    if (pipe(ends) != 0 || report(ends[1]) != 1 || read(ends[0], text, sizeof text - 1) <= 0)
        return 3;
    return strstr(text, "plugin.c:") != NULL ? 0 : 4;
}

static int in_child(int (*body)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL); // not cmocka's, which would go on with the next test
        _exit(body());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void copies_that_meet(void **state)
{
    (void)state;
    assert_int_equal(in_child(copies_in_child), 0);
}

static void reports_outlive_libraries(void **state)
{
    (void)state;
    assert_int_equal(in_child(report_in_child), 0);
}

static void plain_calls(void **state)
{
    (void)state;
    void *library = load(ARENA_SHARED);
    int (*open_arena)(void *), (*close_arena)(void *);
    void *(*alloc)(void *, size_t, size_t);
    *(void **)&open_arena = dlsym(library, "jg_arena_open");
    *(void **)&close_arena = dlsym(library, "jg_arena_close");
    *(void **)&alloc = dlsym(library, "jg_arena_alloc");
    assert_true(open_arena != NULL && close_arena != NULL && alloc != NULL);
    assert_null(dlsym(library, "jg_refuse")); // internals stay inside
    uint64_t arena[8];
    assert_int_equal(open_arena(arena), 0);
    assert_non_null(alloc(arena, 20, 1));
    assert_int_equal(close_arena(arena), 0);
    assert_int_equal(close_arena(arena), 2);
    dlclose(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_calls),           cmocka_unit_test(shared_library),
        cmocka_unit_test(static_archive_inside), cmocka_unit_test(global_dynamic),
        cmocka_unit_test(copies_that_meet),      cmocka_unit_test(reports_outlive_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
