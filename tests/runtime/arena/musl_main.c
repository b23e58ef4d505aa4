// SPDX-License-Identifier: Apache-2.0
//
// What check_musl runs: a plugin with the static archive inside is loaded, used by two threads,
// unloaded before they end. Arguments: a plugin that must load, one that must be refused.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void *thread(void *arg)
{
    int (*use)(void);
    *(void **)&use = arg;
    int bad = use();
    pthread_barrier_wait(&barrier); // used
    pthread_barrier_wait(&barrier); // closed
    return bad != 0 ? arg : NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    pthread_t threads[2];
    int bad = 0;
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, thread, dlsym(plugin, "plugin_use")) != 0)
            return 2;
    pthread_barrier_wait(&barrier);
    dlclose(plugin); // musl keeps it loaded
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 2; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        bad += result != NULL;
    }
    void *refused = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    printf("global-dynamic: %s\n", bad == 0 ? "works" : "fails");
    printf("initial-exec: %s\n", refused == NULL ? "refused" : "loaded");
    return bad != 0;
}
