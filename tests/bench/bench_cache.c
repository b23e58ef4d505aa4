// SPDX-License-Identifier: Apache-2.0
//
// What the cache costs: `bench_cache DATABASE CACHE-FOLDER` parses all units of a database and
// keeps them, then looks for them as a second run would. Prints one JSON object; times are CPU
// milliseconds of this process. See README.md.

#include "analyzer/ir/unit_file.h"
#include "analyzer/project/cache.h"
#include "analyzer/project/project.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

struct costs {
    double parse, keep, open, find, view, results;
    unsigned units, kept, found, sound;
    unsigned long long bytes;
};

static void keep(struct jg_cache *c, const struct jg_compile_command *command,
                 const struct jg_unit *u, struct costs *out)
{
    struct JG_VEC(struct jg_cache_input) inputs = {0};
    for (uint32_t i = 0; i < u->inputs.count; i++)
        *JG_VEC_PUSH(&inputs) =
            (struct jg_cache_input){jg_unit_str(u, u->inputs.data[i].path), u->inputs.data[i].hash};
    size_t size;
    void *bytes = jg_unit_write(u, &size);
    double begin = now();
    if (jg_cache_keep_unit(c, command, inputs.data, inputs.count, bytes, size)) {
        out->kept++;
        out->bytes += size;
    }
    out->keep += now() - begin;
    free(bytes);
    JG_VEC_FREE(&inputs);
}

static void cold(const struct jg_project *p, struct costs *out)
{
    char *error = NULL;
    struct jg_frontend *frontend = jg_frontend_new(&error);
    struct jg_cache *c = jg_cache_open("bench");
    for (uint32_t i = 0; i < p->entries.count; i++) {
        struct jg_unit u;
        double begin = now();
        jg_frontend_parse(frontend, &p->entries.data[i].command, &u);
        out->parse += now() - begin;
        out->units++;
        if (u.status != JG_UNIT_FAILED)
            keep(c, &p->entries.data[i].command, &u, out);
        jg_unit_fini(&u);
    }
    jg_cache_close(c);
    jg_frontend_free(frontend);
}

static void warm(const struct jg_project *p, struct costs *out)
{
    double begin = now();
    struct jg_cache *c = jg_cache_open("bench");
    out->open = now() - begin;
    for (uint32_t i = 0; i < p->entries.count; i++) {
        struct jg_cache_bytes bytes;
        begin = now();
        bool found = jg_cache_find_unit(c, &p->entries.data[i].command, &bytes);
        out->find += now() - begin;
        if (!found)
            continue;
        out->found++;
        struct jg_unit u;
        begin = now();
        char *error = jg_unit_view(&u, bytes.data, bytes.size);
        out->view += now() - begin;
        out->sound += !error;
        free(error);
        jg_unit_fini(&u);
        jg_cache_unmap(&bytes);
    }
    jg_cache_close(c);
}

// 20 records of 500 bytes for each unit: written, and found.
static void results(const struct jg_project *p, struct costs *out)
{
    for (unsigned run = 0; run < 2; run++) {
        struct jg_cache *c = jg_cache_open("bench");
        double begin = now();
        for (uint32_t i = 0; i < p->entries.count; i++) {
            struct jg_hash unit = jg_hash_of(&i, sizeof i);
            struct jg_cache_results *r = jg_cache_results_open(c, &unit);
            for (uint32_t k = 0; k < 20; k++) {
                char record[500] = "";
                struct jg_hash key = jg_hash_of(&k, sizeof k);
                jg_cache_results_put(r, &key, record, sizeof record);
            }
            jg_cache_results_close(r);
        }
        out->results = now() - begin; // the second time: nothing to write
        jg_cache_close(c);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: bench_cache DATABASE CACHE-FOLDER\n", stderr);
        return 2;
    }
    setenv("XDG_CACHE_HOME", argv[2], 1);
    struct jg_project project;
    struct costs costs = {0};
    jg_project_init(&project);
    char *error = jg_project_read(&project, argv[1]);
    if (error) {
        fprintf(stderr, "bench_cache: %s\n", error);
        free(error);
        return 2;
    }
    cold(&project, &costs);
    warm(&project, &costs);
    results(&project, &costs);
    printf("{\"units\":%u,\"kept\":%u,\"found\":%u,\"sound\":%u,\"bytes\":%llu,\"parse\":%.1f,"
           "\"keep\":%.1f,\"open\":%.1f,\"find\":%.1f,\"view\":%.1f,\"results\":%.1f}\n",
           costs.units, costs.kept, costs.found, costs.sound, costs.bytes, costs.parse, costs.keep,
           costs.open, costs.find, costs.view, costs.results);
    jg_project_fini(&project);
    return 0;
}
