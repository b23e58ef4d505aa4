// SPDX-License-Identifier: Apache-2.0
// goto in every direction, computed goto, labels in macros, __label__, asm goto.

int next(int), more(int);
void use(int);
void *get(int);
void put(void *);

int forward(int n)
{
    if (n)
        goto out;
    use(n);
out:
    return n;
}
int backward(int n)
{
again:
    n = next(n);
    if (n)
        goto again;
    return n;
}
int cleanup(int n)
{
    int rc = -1;
    void *a = get(1), *b = 0, *c = 0;
    if (!a)
        goto out;
    b = get(2);
    if (!b)
        goto free_a;
    c = get(3);
    if (!c)
        goto free_b;
    rc = n;
    put(c);
free_b:
    put(b);
free_a:
    put(a);
out:
    return rc;
}
void into_loop(int n)
{
    if (n)
        goto middle;
    while (n < 10) {
        use(n);
    middle:
        n++;
    }
}
void out_of_loops(int n)
{
    for (;;) {
        for (;;) {
            while (1) {
                if (n++ > 5)
                    goto done;
            }
        }
    }
done:
    use(n);
}
void into_block(int n)
{
    if (n > 3)
        goto inner;
    if (n) {
        int x;
    inner:
        x = n;
        use(x);
    }
}
void two_gotos(int n)
{
    goto b;
a:
    use(n);
    goto c;
b:
    if (n)
        goto a;
c:
    use(0);
}
void unused_label(int n)
{
    use(n);
unused:
    __attribute__((unused)) use(n + 1);
}
void dead_label(int n)
{
    return;
dead:
    use(n);
    goto dead;
}
void label_at_end(int n)
{
    if (n)
        goto end;
    use(1);
end:;
}
int computed(int n)
{
    static void *const table[] = {&&zero, &&one, &&two};
    goto *table[n];
zero:
    return 0;
one:
    n++;
two:
    return n;
}
int interpreter(const unsigned char *code)
{
    void *next_op;
    int acc = 0;
fetch:
    next_op = *code++ ? &&op_add : &&op_stop;
    goto *next_op;
op_add:
    acc += *code++;
    goto fetch;
op_stop:
    return acc;
}
#define FAIL_IF(x)                                                                                 \
    do {                                                                                           \
        if (x)                                                                                     \
            goto fail;                                                                             \
    } while (0)
int macro_goto(int n)
{
    FAIL_IF(n < 0);
    FAIL_IF(more(n));
    return 0;
fail:
    return -1;
}
#define WITH(v, n)                                                                                 \
    {                                                                                              \
        int v = next(n);                                                                           \
        if (!v)                                                                                    \
            goto end_with;                                                                         \
        {
#define END_WITH(v)                                                                                \
    }                                                                                              \
    end_with:                                                                                      \
    use(0);                                                                                        \
    }
void macro_label(int n)
{
    WITH(v, n) use(v);
    if (more(v))
        goto end_with;
    END_WITH(v)
}
#define RETRY(x)                                                                                   \
    ({                                                                                             \
        __label__ top;                                                                             \
        int r_;                                                                                    \
    top:                                                                                           \
        r_ = (x);                                                                                  \
        if (r_ < 0)                                                                                \
            goto top;                                                                              \
        r_;                                                                                        \
    })
int local_labels(int n)
{
    int a = RETRY(next(n));
    int b = RETRY(next(a));
    return a + b;
}
int local_label_block(int n)
{
    {
        __label__ l;
        if (n)
            goto l;
        use(1);
    l:
        use(2);
    }
    {
        __label__ l;
        if (n > 2)
            goto l;
        use(3);
    l:
        use(4);
    }
    return n;
}
int asm_goto(int n)
{
    __asm__ goto("# %l1" : : "r"(n) : : yes);
    return 0;
yes:
    return 1;
}
int asm_goto_two(int n)
{
    __asm__ volatile goto("# %l1 %l2" : : "r"(n) : "memory" : one, two);
    return 0;
one:
    return 1;
two:
    return 2;
other:
    __attribute__((unused)) return 3;
}
int asm_plain(int n)
{
    int r;
    __asm__ volatile("mov %1, %0" : "=r"(r) : "r"(n) : "cc");
    return r;
}
int goto_in_switch(int n)
{
    switch (n) {
    case 1:
        goto shared;
    case 2:
        use(2);
    shared:
        use(3);
        break;
    case 3:
        goto out;
    }
    use(4);
out:
    return n;
}
int loop_by_goto(int n)
{
    int i = 0;
head:
    if (i >= n)
        goto tail;
    use(i);
    i++;
    goto head;
tail:
    return i;
}
