// SPDX-License-Identifier: Apache-2.0
//
// jg_buffer: slices come back as they were added, sorted stably, in memory and in a file, and
// whatever fails leaves them as they were.

#include <jniguard/buffer.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- helpers ------------------------------------------------------------------------------------

struct backing {
    unsigned asked, fail_at; // the n-th request fails, from 1; 0: none
    size_t bytes, peak;
};

static void *backing_alloc(size_t size, void *context)
{
    struct backing *b = context;
    if (++b->asked == b->fail_at || size > ((size_t)1 << 40))
        return NULL;
    void *p = malloc(size);
    assert_non_null(p);
    memset(p, 0xa5, size);
    b->bytes += size;
    b->peak = b->bytes > b->peak ? b->bytes : b->peak;
    return p;
}

static void backing_free(void *block, size_t size, void *context)
{
    struct backing *b = context;
    memset(block, 0xdd, size);
    free(block);
    b->bytes -= size;
}

static void init(struct jg_buffer *b, const struct jg_buffer_options *options)
{
    assert_int_equal(jg_buffer_init(b, options), JG_MEMORY_OK);
}

static void append(struct jg_buffer *b, const char *text)
{
    assert_int_equal(jg_buffer_append(b, text, strlen(text)), JG_MEMORY_OK);
}

// The slices of the buffer, each followed by a comma.
static const char *text_of(const struct jg_buffer *b)
{
    static char text[4096];
    size_t length = 0, at = 0;
    for (struct jg_slice s; jg_buffer_next(b, &at, &s);) {
        assert_true(length + s.size + 2 < sizeof text);
        memcpy(text + length, s.data, s.size);
        length += s.size;
        text[length++] = ',';
    }
    text[length] = 0;
    return text;
}

// A slice whose bytes and length follow from its number.
static void append_number(struct jg_buffer *b, uint32_t n)
{
    uint32_t words[16] = {n};
    size_t count = 1 + n % 16;
    for (size_t i = 1; i < count; i++)
        words[i] = n * (uint32_t)i;
    assert_int_equal(jg_buffer_append(b, words, 4 * count), JG_MEMORY_OK);
}

static uint32_t number_of(const struct jg_slice *s)
{
    const uint32_t *words = (const uint32_t *)(const void *)s->data;
    assert_int_equal((uintptr_t)words % 8, 0);
    size_t count = 1 + words[0] % 16;
    assert_int_equal(s->size, 4 * count);
    for (size_t i = 1; i < count; i++)
        assert_int_equal(words[i], words[0] * (uint32_t)i);
    return words[0];
}

static void assert_numbers(const struct jg_buffer *b, uint32_t count)
{
    size_t at = 0;
    uint32_t n = 0;
    for (struct jg_slice s; jg_buffer_next(b, &at, &s); n++)
        assert_int_equal(number_of(&s), n);
    assert_int_equal(n, count);
    assert_int_equal(b->count, count);
    assert_int_equal(at, b->used);
}

// ---- slices -------------------------------------------------------------------------------------

static void slices_come_back(void **state)
{
    (void)state;
    struct jg_buffer b;
    init(&b, NULL);
    assert_string_equal(text_of(&b), "");
    append(&b, "one");
    append(&b, "");
    append(&b, "exactly8");
    assert_int_equal(jg_buffer_append(&b, NULL, 0), JG_MEMORY_OK);
    append(&b, "nine bytes");
    assert_string_equal(text_of(&b), "one,,exactly8,,nine bytes,");
    assert_int_equal(b.count, 5);
    assert_int_equal(b.used, 16 + 8 + 16 + 8 + 24);
    jg_buffer_reset(&b);
    assert_string_equal(text_of(&b), "");
    append(&b, "again");
    assert_string_equal(text_of(&b), "again,");
    jg_buffer_fini(&b);
    jg_buffer_fini(&b);
    assert_int_equal(jg_buffer_append(&b, "x", 1), JG_MEMORY_MAXIMUM);
}

static void padding_is_zero(void **state)
{
    (void)state;
    struct backing backing = {.asked = 0};
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.backing = {backing_alloc, backing_free, &backing}});
    append(&b, "x");
    assert_memory_equal(b.region.data + 8, "x\0\0\0\0\0\0", 8);
    jg_buffer_fini(&b);
    assert_int_equal(backing.bytes, 0);
}

static void growth_keeps_the_slices(void **state)
{
    (void)state;
    for (size_t initial = 1; initial <= 100000; initial *= 10) {
        struct jg_buffer b;
        init(&b, &(struct jg_buffer_options){.initial = initial});
        for (uint32_t n = 0; n < 5000; n++)
            append_number(&b, n);
        assert_numbers(&b, 5000);
        jg_buffer_fini(&b);
    }
}

static void iteration_stops_where_nothing_begins(void **state)
{
    (void)state;
    struct jg_buffer b;
    init(&b, NULL);
    struct jg_slice s;
    size_t at = 0;
    assert_false(jg_buffer_next(&b, &at, &s));
    append(&b, "text");
    static const size_t wrong[] = {1, 16, 24, 4096, SIZE_MAX, SIZE_MAX - 7};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        at = wrong[i];
        assert_false(jg_buffer_next(&b, &at, &s));
        assert_int_equal(at, wrong[i]);
    }
    jg_buffer_fini(&b);
}

static void a_buffer_can_append_from_itself(void **state)
{
    (void)state;
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.initial = 16});
    append(&b, "1234567");
    for (int i = 0; i < 10; i++) {
        size_t at = 0;
        struct jg_slice s;
        assert_true(jg_buffer_next(&b, &at, &s));
        assert_int_equal(jg_buffer_append(&b, s.data, s.size), JG_MEMORY_OK);
    }
    size_t at = 0, count = 0;
    for (struct jg_slice s; jg_buffer_next(&b, &at, &s); count++)
        assert_memory_equal(s.data, "1234567", 7);
    assert_int_equal(count, 11);
    jg_buffer_fini(&b);
}

static void a_reservation_becomes_a_slice(void **state)
{
    (void)state;
    struct jg_buffer b;
    void *room;
    init(&b, &(struct jg_buffer_options){.initial = 8});
    assert_int_equal(jg_buffer_commit(&b, 0), JG_MEMORY_RESERVE);
    assert_int_equal(jg_buffer_reserve(&b, 100, &room), JG_MEMORY_OK);
    assert_int_equal((uintptr_t)room % 8, 0);
    memset(room, 'x', 100);
    assert_string_equal(text_of(&b), "");
    assert_int_equal(jg_buffer_commit(&b, 101), JG_MEMORY_RESERVE);
    assert_int_equal(jg_buffer_commit(&b, SIZE_MAX), JG_MEMORY_RESERVE);
    assert_int_equal(jg_buffer_commit(&b, 3), JG_MEMORY_OK);
    assert_string_equal(text_of(&b), "xxx,");
    assert_int_equal(jg_buffer_commit(&b, 0), JG_MEMORY_RESERVE);
    // Nothing of the room is a legal slice, too.
    assert_int_equal(jg_buffer_reserve(&b, 0, &room), JG_MEMORY_OK);
    assert_int_equal(jg_buffer_commit(&b, 0), JG_MEMORY_OK);
    // An append drops the reservation.
    assert_int_equal(jg_buffer_reserve(&b, 10, &room), JG_MEMORY_OK);
    append(&b, "y");
    assert_int_equal(jg_buffer_commit(&b, 1), JG_MEMORY_RESERVE);
    assert_string_equal(text_of(&b), "xxx,,y,");
    jg_buffer_fini(&b);
}

// ---- limits -------------------------------------------------------------------------------------

static void hostile_sizes_are_refused(void **state)
{
    (void)state;
    struct backing backing = {.asked = 0};
    struct jg_buffer b;
    void *room = &b;
    init(&b, &(struct jg_buffer_options){.backing = {backing_alloc, backing_free, &backing}});
    append(&b, "text");
    static const struct {
        size_t size;
        enum jg_memory_status status;
    } cases[] = {{SIZE_MAX, JG_MEMORY_SIZE},
                 {SIZE_MAX - 7, JG_MEMORY_SIZE},
                 {(size_t)PTRDIFF_MAX, JG_MEMORY_SIZE},
                 {(size_t)PTRDIFF_MAX - 16, JG_MEMORY_MAXIMUM},
                 {(size_t)PTRDIFF_MAX - 4096, JG_MEMORY_NOMEM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(jg_buffer_append(&b, "x", cases[i].size), cases[i].status);
        assert_int_equal(jg_buffer_reserve(&b, cases[i].size, &room), cases[i].status);
        assert_null(room);
    }
    assert_string_equal(text_of(&b), "text,");
    jg_buffer_fini(&b);
}

static void hostile_options_are_refused(void **state)
{
    (void)state;
    static const struct jg_buffer_options cases[] = {
        {.initial = SIZE_MAX},
        {.maximum = (size_t)PTRDIFF_MAX + 1},
        {.spill = SIZE_MAX},
        {.directory = ""},
        {.backing = {backing_alloc, NULL, NULL}},
        {.backing = {NULL, backing_free, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_buffer b;
        assert_int_equal(jg_buffer_init(&b, &cases[i]), JG_MEMORY_OPTION);
        assert_int_equal(jg_buffer_append(&b, "x", 1), JG_MEMORY_MAXIMUM);
        jg_buffer_fini(&b);
    }
}

static void the_maximum_is_never_exceeded(void **state)
{
    (void)state;
    for (size_t maximum = 4090; maximum < 4100; maximum++) {
        struct backing backing = {.asked = 0};
        struct jg_buffer b;
        init(&b, &(struct jg_buffer_options){.initial = 100,
                                             .maximum = maximum,
                                             .backing = {backing_alloc, backing_free, &backing}});
        size_t count = 0;
        while (!jg_buffer_append(&b, "12345678", 8))
            count++;
        assert_int_equal(count, maximum / 16);
        assert_int_equal(jg_buffer_append(&b, "1", 1), JG_MEMORY_MAXIMUM);
        assert_true(b.region.size <= maximum);
        assert_int_equal(b.count, count);
        jg_buffer_fini(&b);
    }
}

static void a_failing_backing_loses_nothing(void **state)
{
    (void)state;
    for (unsigned fail = 1; fail < 12; fail++) {
        struct backing backing = {.fail_at = fail};
        struct jg_buffer b;
        init(&b, &(struct jg_buffer_options){.initial = 8,
                                             .backing = {backing_alloc, backing_free, &backing}});
        unsigned failed = 0;
        for (uint32_t n = 0; n < 500; n++) {
            uint32_t words[2] = {16 * n, 0};
            if (jg_buffer_append(&b, words, 4))
                failed++;
            else
                continue;
            assert_int_equal(b.count, n);
            assert_int_equal(jg_buffer_append(&b, words, 4), JG_MEMORY_OK);
        }
        // The second try with what is needed at least mostly hides the failure.
        assert_true(failed <= 1);
        size_t at = 0;
        uint32_t n = 0;
        for (struct jg_slice s; jg_buffer_next(&b, &at, &s); n++)
            assert_int_equal(number_of(&s), 16 * n);
        assert_int_equal(n, 500);
        jg_buffer_fini(&b);
        assert_int_equal(backing.bytes, 0);
    }
    struct backing backing = {.fail_at = 1};
    struct jg_buffer b;
    assert_int_equal(
        jg_buffer_init(
            &b, &(struct jg_buffer_options){.spill = 1,
                                            .backing = {backing_alloc, backing_free, &backing}}),
        JG_MEMORY_NOMEM);
    jg_buffer_fini(&b);
}

// ---- the temporary file -------------------------------------------------------------------------

static int entries_of(const char *directory)
{
    DIR *d = opendir(directory);
    assert_non_null(d);
    int count = 0;
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static char *make_directory(void)
{
    static char name[64];
    strcpy(name, "/tmp/jniguard-test-XXXXXX");
    assert_non_null(mkdtemp(name));
    return name;
}

static void crossing_the_threshold_keeps_the_slices(void **state)
{
    (void)state;
    char *directory = make_directory();
    static const size_t spills[] = {1, 100, 4096, 5000, 65536};
    for (size_t i = 0; i < sizeof spills / sizeof *spills; i++) {
        struct backing backing = {.asked = 0};
        struct jg_buffer b;
        init(&b, &(struct jg_buffer_options){.spill = spills[i],
                                             .directory = directory,
                                             .backing = {backing_alloc, backing_free, &backing}});
        for (uint32_t n = 0; n < 10000; n++) {
            append_number(&b, n);
            assert_int_equal(jg_buffer_in_file(&b), b.used > spills[i]);
        }
        assert_numbers(&b, 10000);
        assert_int_equal(entries_of(directory), 0);
        assert_true(backing.peak <= spills[i] * 2 + 4096);
        jg_buffer_reset(&b);
        append(&b, "again");
        assert_string_equal(text_of(&b), "again,");
        jg_buffer_fini(&b);
        assert_int_equal(backing.bytes, 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void no_descriptor_stays_open(void **state)
{
    (void)state;
    int before = entries_of("/proc/self/fd");
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.spill = 1});
    append(&b, "text");
    assert_int_equal(entries_of("/proc/self/fd"), before + 1);
    assert_int_equal(fcntl(b.region.file - 1, F_GETFD), FD_CLOEXEC);
    struct stat st;
    assert_int_equal(fstat(b.region.file - 1, &st), 0);
    assert_int_equal(st.st_nlink, 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    jg_buffer_fini(&b);
    assert_int_equal(entries_of("/proc/self/fd"), before);
}

// Where standard input is closed, the file becomes descriptor 0.
static void descriptor_0_is_one_like_others(void **state)
{
    (void)state;
    int saved = dup(0);
    if (saved < 0)
        skip(); // closed already
    close(0);
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.spill = 1});
    append(&b, "slice");
    bool in_file = jg_buffer_in_file(&b);
    bool is_open = fcntl(0, F_GETFD) >= 0;
    assert_string_equal(text_of(&b), "slice,");
    jg_buffer_fini(&b);
    bool is_closed = fcntl(0, F_GETFD) < 0;
    dup2(saved, 0);
    close(saved);
    assert_true(in_file && is_open && is_closed);
}

static void a_directory_that_is_not_there_is_a_status(void **state)
{
    (void)state;
    int before = entries_of("/proc/self/fd");
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    const char *const names[] = {"/nowhere/at/all", "/dev/null", longest};
    for (size_t i = 0; i < 3; i++) {
        struct jg_buffer b;
        init(&b, &(struct jg_buffer_options){.spill = 20, .directory = names[i]});
        append(&b, "kept");
        assert_int_equal(jg_buffer_append(&b, "lost", 4), JG_MEMORY_FILE);
        assert_string_equal(text_of(&b), "kept,");
        assert_false(jg_buffer_in_file(&b));
        jg_buffer_fini(&b);
    }
    assert_int_equal(entries_of("/proc/self/fd"), before);
}

static int compare_numbers(const struct jg_slice *a, const struct jg_slice *b, void *context)
{
    (void)context;
    uint32_t x = number_of(a), y = number_of(b);
    return (x < y) - (x > y); // downwards
}

// Fills a buffer until the disk is full: the status says so and nothing is lost.
static void fill_the_disk(const char *directory, size_t spill, enum jg_memory_status sort)
{
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.spill = spill, .directory = directory});
    enum jg_memory_status status = JG_MEMORY_OK;
    uint32_t n = 0;
    for (; n < 1000000; n++) {
        uint32_t words[16] = {16 * n};
        status = jg_buffer_append(&b, words, 4);
        if (status)
            break;
    }
    assert_int_equal(status, JG_MEMORY_DISK);
    assert_true(b.used > spill - 16);
    for (int i = 0; i < 2; i++) {
        size_t at = 0;
        uint32_t k = 0;
        for (struct jg_slice s; jg_buffer_next(&b, &at, &s); k++)
            assert_int_equal(number_of(&s), 16 * k);
        assert_int_equal(k, n);
        // Scratch memory of half the size is a file if it is beyond the threshold.
        if (b.used / 2 > spill && !i)
            assert_int_equal(jg_buffer_sort(&b, compare_numbers, NULL), sort);
        if (sort == JG_MEMORY_OK)
            break;
    }
    jg_buffer_fini(&b);
}

static void a_full_tmpfs_is_a_status(void **state)
{
    (void)state;
    char *directory = make_directory();
    if (mount("none", directory, "tmpfs", 0, "size=64k,mode=0700")) {
        assert_int_equal(rmdir(directory), 0);
        skip(); // not root, or not allowed here
    }
    static const size_t spills[] = {1000, 20000, 60000, 200000};
    for (size_t i = 0; i < sizeof spills / sizeof *spills; i++)
        fill_the_disk(directory, spills[i], JG_MEMORY_DISK);
    assert_int_equal(entries_of(directory), 0);
    assert_int_equal(umount(directory), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void a_file_size_limit_is_a_status(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0); // SIGXFSZ is not ignored
    fill_the_disk("/tmp", 1000, JG_MEMORY_OK);
    fill_the_disk("/tmp", 99990, JG_MEMORY_OK);
    fill_the_disk("/tmp", 150000, JG_MEMORY_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

// ---- sorting ------------------------------------------------------------------------------------

// Slices {key, serial, filler}; the comparison sees the key only.
struct record {
    uint32_t key, serial;
};

static unsigned comparisons;

static int compare_keys(const struct jg_slice *a, const struct jg_slice *b, void *context)
{
    struct record x, y;
    assert_string_equal(context, "context");
    memcpy(&x, a->data, sizeof x);
    memcpy(&y, b->data, sizeof y);
    comparisons++;
    return (x.key > y.key) - (x.key < y.key);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

enum shape { RANDOM, FEW_KEYS, ONE_KEY, SORTED, REVERSE, ORGAN_PIPES, SHAPES };

static uint32_t key_of(enum shape shape, uint32_t i, uint32_t count, uint32_t random)
{
    switch (shape) {
    case RANDOM:
        return random;
    case FEW_KEYS:
        return random % 5;
    case SORTED:
        return i;
    case REVERSE:
        return count - i;
    case ORGAN_PIPES:
        return i < count / 2 ? i : count - i;
    default:
        return 7;
    }
}

static void append_record(struct jg_buffer *b, uint32_t key, uint32_t serial, size_t filler)
{
    static char bytes[8 + 5000];
    struct record r = {key, serial};
    memcpy(bytes, &r, sizeof r);
    memset(bytes + 8, (int)(serial & 0x7f), filler);
    assert_int_equal(jg_buffer_append(b, bytes, 8 + filler), JG_MEMORY_OK);
}

static void assert_sorted(const struct jg_buffer *b, uint32_t count)
{
    static unsigned char found[4000];
    memset(found, 0, sizeof found);
    struct record last = {0, 0};
    size_t at = 0;
    uint32_t n = 0;
    for (struct jg_slice s; jg_buffer_next(b, &at, &s); n++) {
        struct record r;
        memcpy(&r, s.data, sizeof r);
        assert_true(r.serial < count && !found[r.serial]);
        found[r.serial] = 1;
        for (size_t i = 8; i < s.size; i++)
            assert_int_equal(s.data[i], (char)(r.serial & 0x7f));
        assert_true(!n || last.key < r.key || (last.key == r.key && last.serial < r.serial));
        last = r;
    }
    assert_int_equal(n, count);
    assert_int_equal(at, b->used);
}

static void sort_is_stable_for_every_shape(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 17, 100, 1023, 1024, 3000};
    for (size_t spill = 0; spill <= 3000; spill += 3000) {
        for (int shape = 0; shape < SHAPES; shape++) {
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                struct backing backing = {.asked = 0};
                struct jg_buffer b;
                init(&b, &(struct jg_buffer_options){
                             .spill = spill, .backing = {backing_alloc, backing_free, &backing}});
                uint32_t seed = 12345, count = counts[i];
                for (uint32_t n = 0; n < count; n++)
                    append_record(&b, key_of((enum shape)shape, n, count, next_random(&seed)), n,
                                  next_random(&seed) % 40);
                comparisons = 0;
                backing.peak = backing.bytes;
                size_t before = backing.bytes;
                assert_int_equal(jg_buffer_sort(&b, compare_keys, "context"), JG_MEMORY_OK);
                assert_sorted(&b, count);
                assert_true(backing.peak - before <= b.used / 2);
                if (count && (shape == SORTED || shape == ONE_KEY))
                    assert_int_equal(comparisons, count - 1);
                jg_buffer_fini(&b);
                assert_int_equal(backing.bytes, 0);
            }
        }
    }
}

static void sort_copes_with_one_huge_slice(void **state)
{
    (void)state;
    for (uint32_t huge = 0; huge < 6; huge++) {
        for (int shape = 0; shape < SHAPES; shape++) {
            struct backing backing = {.asked = 0};
            struct jg_buffer b;
            init(&b,
                 &(struct jg_buffer_options){.backing = {backing_alloc, backing_free, &backing}});
            uint32_t seed = 99;
            for (uint32_t n = 0; n < 6; n++)
                append_record(&b, key_of((enum shape)shape, n, 6, next_random(&seed)), n,
                              n == huge ? 5000 : n);
            size_t before = backing.bytes;
            backing.peak = before;
            assert_int_equal(jg_buffer_sort(&b, compare_keys, "context"), JG_MEMORY_OK);
            assert_sorted(&b, 6);
            assert_true(backing.peak - before <= b.used / 2);
            jg_buffer_fini(&b);
        }
    }
}

static int compare_text(const struct jg_slice *a, const struct jg_slice *b, void *context)
{
    (void)context;
    int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void empty_slices_are_sorted_too(void **state)
{
    (void)state;
    struct jg_buffer b;
    init(&b, NULL);
    static const char *const words[] = {"pear", "", "fig", "apple", "", "figs", "pear"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        append(&b, words[i]);
    assert_int_equal(jg_buffer_sort(&b, compare_text, NULL), JG_MEMORY_OK);
    assert_string_equal(text_of(&b), ",,apple,fig,figs,pear,pear,");
    append(&b, "last");
    assert_string_equal(text_of(&b), ",,apple,fig,figs,pear,pear,last,");
    jg_buffer_fini(&b);
}

static int compare_nonsense(const struct jg_slice *a, const struct jg_slice *b, void *context)
{
    (void)a;
    (void)b;
    return (int)(next_random(context) % 3) - 1;
}

static void a_comparison_without_sense_keeps_the_slices(void **state)
{
    (void)state;
    struct jg_buffer b;
    init(&b, NULL);
    uint32_t seed = 4711, sum = 0;
    for (uint32_t n = 0; n < 1000; n++)
        append_number(&b, n);
    assert_int_equal(jg_buffer_sort(&b, compare_nonsense, &seed), JG_MEMORY_OK);
    size_t at = 0, count = 0;
    for (struct jg_slice s; jg_buffer_next(&b, &at, &s); count++)
        sum += number_of(&s);
    assert_int_equal(count, 1000);
    assert_int_equal(sum, 999 * 1000 / 2);
    jg_buffer_fini(&b);
}

static void sort_without_scratch_changes_nothing(void **state)
{
    (void)state;
    struct backing backing = {.asked = 0};
    struct jg_buffer b;
    init(&b, &(struct jg_buffer_options){.backing = {backing_alloc, backing_free, &backing}});
    for (uint32_t n = 0; n < 1000; n++)
        append_number(&b, n);
    backing.fail_at = backing.asked + 1;
    assert_int_equal(jg_buffer_sort(&b, compare_numbers, NULL), JG_MEMORY_NOMEM);
    assert_numbers(&b, 1000);
    assert_int_equal(jg_buffer_sort(&b, compare_numbers, NULL), JG_MEMORY_OK);
    jg_buffer_fini(&b);
    assert_int_equal(backing.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_come_back),
        cmocka_unit_test(padding_is_zero),
        cmocka_unit_test(growth_keeps_the_slices),
        cmocka_unit_test(iteration_stops_where_nothing_begins),
        cmocka_unit_test(a_buffer_can_append_from_itself),
        cmocka_unit_test(a_reservation_becomes_a_slice),
        cmocka_unit_test(hostile_sizes_are_refused),
        cmocka_unit_test(hostile_options_are_refused),
        cmocka_unit_test(the_maximum_is_never_exceeded),
        cmocka_unit_test(a_failing_backing_loses_nothing),
        cmocka_unit_test(crossing_the_threshold_keeps_the_slices),
        cmocka_unit_test(no_descriptor_stays_open),
        cmocka_unit_test(descriptor_0_is_one_like_others),
        cmocka_unit_test(a_directory_that_is_not_there_is_a_status),
        cmocka_unit_test(a_full_tmpfs_is_a_status),
        cmocka_unit_test(a_file_size_limit_is_a_status),
        cmocka_unit_test(sort_is_stable_for_every_shape),
        cmocka_unit_test(sort_copes_with_one_huge_slice),
        cmocka_unit_test(empty_slices_are_sorted_too),
        cmocka_unit_test(a_comparison_without_sense_keeps_the_slices),
        cmocka_unit_test(sort_without_scratch_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
