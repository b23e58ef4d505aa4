// SPDX-License-Identifier: Apache-2.0
//
// Settings: their defaults, the program's (jg_arena_configure), the environment's (JNIGUARD_ARENA),
// checked, put in force at the first arena and not changed after.
//
// What is wrong in the environment is said once on stderr, with what is used instead; it never
// stops the program. A size goes through jg_arena_configure and the variable into each arena as the
// end of its pool, so that no value of it can make inlined code write behind one.

#include "runtime-checks/arena/internal.h"

#include <stdarg.h>
#include <stdio.h>

#define SIZE_LEAST ((size_t)8)
#define SIZE_MOST ((size_t)1 << 20)

// key, what a value must be
#define KEYS(X)                                                                                    \
    X(size, "must be a power of two from 8 to 1048576")                                            \
    X(count, "must be 0, 1, 2, 4 or 8")                                                            \
    X(debug, "must be 0 or 1")                                                                     \
    X(separate, "must be 0, 1 or auto")                                                            \
    X(wipe, "must be 0 or 1")

enum key {
#define KEY_NAME(name, rule) KEY_##name,
    KEYS(KEY_NAME)
#undef KEY_NAME
        KEY_COUNT
};

static const struct {
    const char *name, *rule;
} keys[] = {
#define KEY_ROW(name, rule) {#name, rule},
    KEYS(KEY_ROW)
#undef KEY_ROW
};

extern void __asan_poison_memory_region(const volatile void *p, size_t size) __attribute__((weak));

struct jg_arena_settings jg_settings;
pthread_mutex_t jg_arena_lock = PTHREAD_MUTEX_INITIALIZER;

static bool started, configured; // under the lock

void jg_arena_config_init(struct jg_arena_config *config)
{
    memset(config, 0, sizeof *config);
    config->struct_size = sizeof *config;
    config->pool_size = JG_ARENA_POOL_SIZE;
    config->pool_count = JG_ARENA_POOL_COUNT;
    config->separate = -1;
}

// ---- checking -----------------------------------------------------------------------------------

static bool good_size(size_t size)
{
    return size >= SIZE_LEAST && size <= SIZE_MOST && (size & (size - 1)) == 0;
}

static bool good_count(size_t count)
{
    return count == 0 || count == 1 || count == 2 || count == 4 || count == 8;
}

static bool good(const struct jg_arena_config *config)
{
    bool backing = config->backing.alloc != NULL
                       ? config->backing.free != NULL
                       : config->backing.free == NULL && config->backing.zalloc == NULL;
    return config->struct_size == sizeof *config && good_size(config->pool_size) &&
           good_count(config->pool_count) && (config->debug & ~1) == 0 && backing &&
           config->separate >= -1 && config->separate <= 1 && (config->wipe & ~1) == 0;
}

// ---- text ---------------------------------------------------------------------------------------

struct span {
    const char *text;
    size_t length;
};

struct message {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct message *message, const char *format,
                                                      ...)
{
    if (message->used + 1 >= message->size)
        return;
    va_list args;
    va_start(args, format);
    size_t room = message->size - message->used;
    int n = vsnprintf(message->text + message->used, room, format, args);
    va_end(args);
    size_t added = n <= 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
    char *text = message->text + message->used;
    for (size_t i = 0; i < added; i++) // what the settings bring along goes to no terminal
        if (((unsigned char)text[i] < ' ' || text[i] == 0x7f) &&
            !(text[i] == '\n' && i + 1 == added))
            text[i] = '?';
    message->used += added;
}

static bool is(struct span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}

// Digits only, nine at most: no sign, no blank, no overflow.
static bool number(struct span span, size_t *value)
{
    size_t n = 0;
    if (span.length == 0 || span.length > 9)
        return false;
    for (size_t i = 0; i < span.length; i++) {
        if (span.text[i] < '0' || span.text[i] > '9')
            return false;
        n = n * 10 + (size_t)(span.text[i] - '0');
    }
    *value = n;
    return true;
}

// Insertions, deletions and replacements that turn `span` into `word`.
static size_t distance(struct span span, const char *word)
{
    size_t row[16], length = strlen(word);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; i < span.length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (span.text[i] != word[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (diagonal + 1 < best)
                best = diagonal + 1;
            row[j + 1] = best;
        }
    }
    return row[length];
}

static void say_unknown(struct message *message, struct span key)
{
    size_t nearest = 0, best = SIZE_MAX;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        size_t d = distance(key, keys[i].name);
        if (d < best) {
            best = d;
            nearest = i;
        }
    }
    say(message, "%.*s: no such key", (int)key.length, key.text);
    if (best <= 2)
        say(message, ", did you mean %s?", keys[nearest].name);
    say(message, " (keys: size, count, debug, separate, wipe)\n");
}

static bool set(struct jg_arena_config *config, enum key key, struct span value)
{
    size_t n = 0;
    bool numeric = number(value, &n);
    if (key == KEY_separate && is(value, "auto")) {
        config->separate = -1;
        return true;
    }
    if (!numeric)
        return false;
    switch (key) {
    case KEY_size:
        if (!good_size(n))
            return false;
        config->pool_size = n;
        return true;
    case KEY_count:
        if (!good_count(n))
            return false;
        config->pool_count = (unsigned)n;
        return true;
    default:
        if (n > 1)
            return false;
        *(key == KEY_debug      ? &config->debug
          : key == KEY_separate ? &config->separate
                                : &config->wipe) = (int)n;
        return true;
    }
}

static void say_used(struct message *message, const struct jg_arena_config *config, enum key key)
{
    long long value = key == KEY_size       ? (long long)config->pool_size
                      : key == KEY_count    ? (long long)config->pool_count
                      : key == KEY_debug    ? config->debug
                      : key == KEY_separate ? config->separate
                                            : config->wipe;
    if (key == KEY_separate && value < 0)
        say(message, "; auto is used\n");
    else
        say(message, "; %lld is used\n", value);
}

static bool parse_item(struct jg_arena_config *config, struct span item, struct message *message)
{
    const char *equals = memchr(item.text, '=', item.length);
    struct span key = {item.text, equals != NULL ? (size_t)(equals - item.text) : item.length};
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!is(key, keys[i].name))
            continue;
        struct span value = {item.text + key.length, 0};
        if (equals != NULL)
            value = (struct span){equals + 1, item.length - key.length - 1};
        if (equals != NULL && set(config, (enum key)i, value))
            return true;
        say(message, "%.*s: %s %s", (int)item.length, item.text, keys[i].name, keys[i].rule);
        say_used(message, config, (enum key)i);
        return false;
    }
    say_unknown(message, key);
    return false;
}

enum jg_arena_status jg_arena_config_parse(struct jg_arena_config *config, const char *text,
                                           char *message, size_t size)
{
    struct message out = {message, size, 0};
    bool well = true;
    if (size != 0)
        message[0] = '\0';
    while (*text != '\0') {
        struct span item = {text, strcspn(text, ",")};
        // A stray comma is harmless: variables are put together by scripts.
        if (item.length != 0)
            well = parse_item(config, item, &out) && well;
        text += item.length + (text[item.length] == ',');
    }
    return well ? JG_ARENA_OK : JG_ARENA_BAD_CONFIG;
}

// ---- in force -----------------------------------------------------------------------------------

enum jg_arena_status jg_arena_configure(const struct jg_arena_config *config)
{
    if (!good(config))
        return JG_ARENA_BAD_CONFIG;
    pthread_mutex_lock(&jg_arena_lock);
    enum jg_arena_status status = started ? JG_ARENA_TOO_LATE : JG_ARENA_OK;
    if (!started) {
        jg_settings.config = *config;
        configured = true;
    }
    pthread_mutex_unlock(&jg_arena_lock);
    return status;
}

static void read_environment(void)
{
    const char *text = secure_getenv("JNIGUARD_ARENA");
    char message[1024];
    if (text == NULL ||
        jg_arena_config_parse(&jg_settings.config, text, message, sizeof message) == JG_ARENA_OK)
        return;
    char *rest = NULL;
    for (char *line = strtok_r(message, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        dprintf(2, "jniguard-arena: JNIGUARD_ARENA: %s\n", line);
}

void jg_settings_start(void)
{
    if (started)
        return;
    if (!configured)
        jg_arena_config_init(&jg_settings.config);
    read_environment();
    jg_settings.asan = __asan_poison_memory_region != NULL;
    jg_settings.valgrind = RUNNING_ON_VALGRIND != 0;
    jg_settings.separate = jg_settings.config.separate >= 0
                               ? jg_settings.config.separate != 0
                               : jg_settings.asan || jg_settings.valgrind;
    jg_settings.plain = !jg_settings.separate && jg_settings.config.backing.alloc == NULL &&
                        jg_settings.config.wipe == 0;
    jg_thread_start();
    started = true;
}

void jg_arena_config_get(struct jg_arena_config *config)
{
    pthread_mutex_lock(&jg_arena_lock);
    jg_settings_start();
    *config = jg_settings.config;
    config->separate = jg_settings.separate;
    pthread_mutex_unlock(&jg_arena_lock);
}
