// SPDX-License-Identifier: Apache-2.0
//
// jg_buffer and jg_chunks against a model, in random walks of a fixed seed, with a backing
// allocator that fails now and then, small maxima and spilling to a file.

#include <jniguard/buffer.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { WALKS = 60, STEPS = 150, MOST = STEPS };

static uint32_t seed;

static size_t below(size_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (size_t)(seed >> 8) % n;
}

// ---- backing ------------------------------------------------------------------------------------

static size_t live;
static size_t fails; // one request in so many; 0: none

static void *take(size_t size, void *context)
{
    (void)context;
    if (fails != 0 && below(fails) == 0)
        return NULL;
    void *p = malloc(size);
    assert_non_null(p);
    memset(p, 0xEE, size);
    live += size;
    return p;
}

static void give(void *p, size_t size, void *context)
{
    (void)context;
    memset(p, 0xDD, size);
    free(p);
    live -= size;
}

static struct jg_memory_backing some_backing(void)
{
    fails = below(3) == 0 ? 8 : 0;
    if (below(2) == 0)
        return (struct jg_memory_backing){NULL, NULL, NULL};
    return (struct jg_memory_backing){take, give, NULL};
}

// ---- buffer -------------------------------------------------------------------------------------

struct piece {
    unsigned char *bytes;
    size_t size, place;
};

static struct piece pieces[MOST];
static size_t count;

static int key(const unsigned char *bytes, size_t size)
{
    return size != 0 ? bytes[0] / 8 : -1;
}

static int compare_slices(const struct jg_slice *a, const struct jg_slice *b, void *context)
{
    (void)context;
    return key((const unsigned char *)a->data, a->size) -
           key((const unsigned char *)b->data, b->size);
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = key(x->bytes, x->size) - key(y->bytes, y->size);
    return order != 0 ? order : x->place < y->place ? -1 : 1;
}

static void note(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    pieces[count++] = (struct piece){copy, size, 0};
}

static void forget(void)
{
    while (count != 0)
        free(pieces[--count].bytes);
}

static void assert_as_noted(const struct jg_buffer *b)
{
    size_t at = 0, i = 0;
    for (struct jg_slice s; jg_buffer_next(b, &at, &s); i++) {
        assert_true(i < count && s.size == pieces[i].size);
        assert_int_equal((uintptr_t)s.data % 8, 0);
        assert_memory_equal(s.data, pieces[i].bytes, s.size);
    }
    assert_int_equal(i, count);
    assert_int_equal(b->count, count);
}

static void add(struct jg_buffer *b)
{
    unsigned char bytes[3000];
    size_t size = below(4) == 0 ? 0 : below(below(10) == 0 ? sizeof bytes : 60);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)below(256);
    void *out;
    if (below(2) == 0) {
        if (jg_buffer_append(b, bytes, size) == JG_MEMORY_OK)
            note(bytes, size);
    } else if (jg_buffer_reserve(b, size + below(20), &out) == JG_MEMORY_OK) {
        memcpy(out, bytes, size);
        assert_int_equal(jg_buffer_commit(b, size), JG_MEMORY_OK);
        note(bytes, size);
    }
}

static void add_from_itself(struct jg_buffer *b)
{
    size_t at = 0, i = below(count) + 1;
    struct jg_slice s;
    while (i-- != 0)
        assert_true(jg_buffer_next(b, &at, &s));
    note(s.data, s.size);
    if (jg_buffer_append(b, s.data, s.size) != JG_MEMORY_OK)
        free(pieces[--count].bytes);
}

static void sort(struct jg_buffer *b)
{
    for (size_t i = 0; i < count; i++)
        pieces[i].place = i;
    if (jg_buffer_sort(b, compare_slices, NULL) == JG_MEMORY_OK && count != 0)
        qsort(pieces, count, sizeof *pieces, compare_pieces);
}

static void buffers_hold_what_was_added(void **state)
{
    (void)state;
    seed = 1;
    for (int walk = 0; walk < WALKS; walk++) {
        struct jg_buffer_options o = {
            .initial = below(300),
            .maximum = below(3) == 0 ? 2000 + below(20000) : 0,
            .spill = below(3) == 0 ? 500 + below(5000) : 0,
            .backing = some_backing(),
        };
        struct jg_buffer b;
        if (jg_buffer_init(&b, &o) != JG_MEMORY_OK)
            continue;
        for (int step = 0; step < STEPS; step++) {
            size_t action = below(20);
            if (action < 14)
                add(&b);
            else if (action < 16)
                sort(&b);
            else if (action < 18 && count != 0)
                add_from_itself(&b);
            else if (action == 18 && below(5) == 0) {
                jg_buffer_reset(&b);
                forget();
            }
            assert_as_noted(&b);
            assert_true(o.maximum == 0 || b.used <= o.maximum);
        }
        jg_buffer_fini(&b);
        forget();
        assert_int_equal(live, 0);
    }
}

// ---- chunks -------------------------------------------------------------------------------------

struct block {
    unsigned char *p, mark;
    size_t size;
};

static void assert_untouched(const struct block *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < blocks[i].size; j++)
            assert_int_equal(blocks[i].p[j], blocks[i].mark);
}

static bool allocate(struct jg_chunks *c, struct block *block)
{
    size_t size = 1 + below(below(15) == 0 ? 20000 : 100);
    size_t align = (size_t)1 << below(below(20) == 0 ? 21 : 7);
    bool zeroed = below(2) == 0;
    unsigned char *p = zeroed ? jg_chunks_zalloc(c, size, align) : jg_chunks_alloc(c, size, align);
    if (p == NULL) {
        assert_true(c->status == JG_MEMORY_NOMEM || c->status == JG_MEMORY_CHUNKS);
        return false;
    }
    assert_int_equal((uintptr_t)p % align, 0);
    for (size_t i = 0; zeroed && i < size; i++)
        assert_int_equal(p[i], 0);
    *block = (struct block){p, (unsigned char)below(256), size};
    memset(p, block->mark, size);
    return true;
}

static void chunks_keep_what_was_given_out(void **state)
{
    (void)state;
    static struct block blocks[STEPS];
    seed = 2;
    for (int walk = 0; walk < WALKS; walk++) {
        struct jg_chunks_options o = {
            .first = below(5000),
            .largest = below(2) == 0 ? 5000 + below(100000) : 0,
            .backing = some_backing(),
        };
        struct jg_chunks c;
        size_t n = 0;
        assert_int_equal(jg_chunks_init_at(&c, &o, "walk", walk, below(2) == 0), JG_MEMORY_OK);
        for (int step = 0; step < STEPS; step++) {
            size_t action = below(30);
            if (action < 27)
                n += allocate(&c, &blocks[n]);
            else if (action < 29)
                jg_chunks_trim(&c, below(100000));
            else if (below(3) == 0) {
                assert_untouched(blocks, n);
                jg_chunks_reset(&c);
                n = 0;
            }
        }
        assert_untouched(blocks, n);
        jg_chunks_fini(&c);
        assert_int_equal(live, 0);
        assert_int_equal(jg_chunks_bytes_live(), 0);
        assert_int_equal(jg_chunks_leaks(NULL, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_what_was_added),
        cmocka_unit_test(chunks_keep_what_was_given_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
