// SPDX-License-Identifier: Apache-2.0
//
// compile_models OUTPUT FILE...: the shipped models as a C file, at build time. So an installed
// jniguard needs no files, and starting it costs no parsing. The loader is the one for users'
// files.

#include "analyzer/models/document.h"
#include "analyzer/models/internal.h"

#include <stdio.h>

static void put_string(FILE *out, const char *s)
{
    if (!s) {
        fputs("0", out);
        return;
    }
    fputc('"', out);
    for (; *s; s++)
        if (*s == '"' || *s == '\\' || *s == '?')
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
    fputc('"', out);
}

static void put_param(FILE *out, const struct jg_model_param *p)
{
    fprintf(out, "{%u, %u, %u, %u, %u}", p->uses, p->releases, p->acquires, p->elements, p->fields);
}

static void put_model(FILE *out, const struct jg_model *m)
{
    fputs("    {.name = ", out);
    put_string(out, m->name);
    fputs(", .record = ", out);
    put_string(out, m->record);
    fputs(", .file = ", out);
    put_string(out, m->file);
    fprintf(out,
            ", .line = %u, .column = %u, .is_pattern = %d, .confidence = %u,\n"
            "     .when = %u, .when_not = %u, .when_params = %d, .throws = %u, .does = %u,\n"
            "     .does_not = %u, .result = %u, .result_not = %u, .fresh = %u,\n"
            "     .result_param = %d, .length_of = %d, .params_said = %u,\n     .params = {",
            m->line, m->column, m->is_pattern, m->confidence, m->when, m->when_not, m->when_params,
            m->throws, m->does, m->does_not, m->result, m->result_not, m->fresh, m->result_param,
            m->length_of, m->params_said);
    for (int i = 0; i < JG_MODEL_PARAMS && m->params_said >> i; i++) {
        put_param(out, &m->params[i]);
        fputs(", ", out);
    }
    fputs(m->params_said ? "}, .further = " : "{0}}, .further = ", out);
    put_param(out, &m->further);
    fputs("},\n", out);
}

static void put_models(FILE *out, const char *name, const struct jg_model *models, uint32_t count)
{
    fprintf(out, "\nstatic const struct jg_model %s[] = {\n", name);
    for (uint32_t i = 0; i < count; i++)
        put_model(out, &models[i]);
    fputs(count ? "};\n" : "    {0}};\n", out); // C11 has no empty initialiser
}

static void put_names(FILE *out, const char *const *names, uint32_t count)
{
    fputs("(const char *const[]){", out);
    for (uint32_t i = 0; i < count; i++) {
        put_string(out, names[i]);
        fputs(", ", out);
    }
    fprintf(out, "%s}", count ? "" : "0");
}

static void put_pairs(FILE *out, const struct jg_model_set *set)
{
    fputs("\nstatic const struct jg_model_pair pairs[] = {\n", out);
    for (uint32_t i = 0; i < set->pairs.count; i++) {
        const struct jg_model_pair *p = &set->pairs.data[i];
        fputs("    {.acquire = ", out);
        put_names(out, p->acquire, p->acquire_count);
        fputs(", .release = ", out);
        put_names(out, p->release, p->release_count);
        fprintf(out,
                ",\n     .acquire_count = %u, .release_count = %u, .object = %d, .released = %d, "
                ".what = ",
                p->acquire_count, p->release_count, p->object, p->released);
        put_string(out, p->what);
        fputs(", .file = ", out);
        put_string(out, p->file);
        fprintf(out, ", .line = %u},\n", p->line);
    }
    fputs(set->pairs.count ? "};\n" : "    {0}};\n", out);
}

static void put_hints(FILE *out, const struct jg_model_set *set)
{
    fputs("\nstatic const struct jg_model_hint_row hints[] = {\n", out);
    for (uint32_t i = 0; i < set->hints.count; i++) {
        const struct jg_model_hint_row *h = &set->hints.data[i];
        fprintf(out, "    {.hint = %u, .words = ", h->hint);
        put_names(out, h->words, h->word_count);
        fprintf(out, ", .word_count = %u, .pattern = ", h->word_count);
        put_string(out, h->pattern);
        fputs(", .file = ", out);
        put_string(out, h->file);
        fprintf(out, ", .line = %u},\n", h->line);
    }
    fputs(set->hints.count ? "};\n" : "    {0}};\n", out);
}

static void put_all(FILE *out, const struct jg_model_set *set, const struct jg_hash *hash)
{
    fputs("// Made by compile_models from rules/models. Do not edit.\n\n"
          "#include \"analyzer/models/internal.h\"\n",
          out);
    put_models(out, "names", set->names.data, set->names.count);
    put_models(out, "patterns", set->patterns.data, set->patterns.count);
    put_pairs(out, set);
    put_hints(out, set);
    fprintf(out,
            "\nconst struct jg_model_layer jg_shipped_models = {names, patterns, pairs, hints,\n"
            "                                                  %u, %u, %u, %u, {{",
            set->names.count, set->patterns.count, set->pairs.count, set->hints.count);
    for (size_t i = 0; i < sizeof hash->bytes; i++)
        fprintf(out, "%u, ", hash->bytes[i]);
    fputs("}}};\n", out);
}

// Adds one file; duplicates across files are found when all are sorted.
static char *add_file(struct jg_model_set *all, struct jg_hash *hash, struct jg_bump *arena,
                      const char *path)
{
    const char *slash = strrchr(path, '/');
    char *shown = jg_format("rules/models/%s", slash ? slash + 1 : path);
    struct jg_model_set set = {0};
    size_t length;
    char *error = NULL, *text = jg_document_read(path, &length, &error);
    if (text)
        error = jg_model_set_read(&set, arena, shown, text, length);
    if (text)
        *hash = jg_hash_join(*hash, jg_hash_of(text, length));
    for (uint32_t i = 0; i < set.names.count; i++)
        *JG_VEC_PUSH(&all->names) = set.names.data[i];
    for (uint32_t i = 0; i < set.patterns.count; i++)
        *JG_VEC_PUSH(&all->patterns) = set.patterns.data[i];
    for (uint32_t i = 0; i < set.pairs.count; i++)
        *JG_VEC_PUSH(&all->pairs) = set.pairs.data[i];
    for (uint32_t i = 0; i < set.hints.count; i++)
        *JG_VEC_PUSH(&all->hints) = set.hints.data[i];
    jg_model_set_fini(&set);
    free(text);
    free(shown);
    return error;
}

int main(int argc, char **argv)
{
    struct jg_model_set all = {0};
    struct jg_bump arena = {0};
    struct jg_hash hash = {{0}};
    char *error = argc < 2 ? jg_strdup("usage: compile_models OUTPUT FILE...") : NULL;
    for (int i = 2; i < argc && !error; i++)
        error = add_file(&all, &hash, &arena, argv[i]);
    jg_model_set_sort(&all);
    for (uint32_t i = 1; i < all.names.count && !error; i++)
        if (jg_model_compare(all.names.data[i].name, all.names.data[i].record,
                             &all.names.data[i - 1]) == 0)
            error = jg_models_duplicate(&all.names.data[i], &all.names.data[i - 1]);
    FILE *out = error ? NULL : fopen(argv[1], "w");
    if (out)
        put_all(out, &all, &hash);
    if (!error && (!out || fclose(out) != 0))
        error = jg_format("%s: cannot be written", argv[1]);
    if (error)
        fprintf(stderr, "compile_models: %s\n", error);
    int code = error != NULL;
    free(error);
    jg_model_set_fini(&all);
    jg_bump_fini(&arena);
    return code;
}
