// SPDX-License-Identifier: Apache-2.0
// `for` with every combination of its three parts, in files, in macros and in macro arguments.

int next(int), more(int);
void use(int);

#define LOOP_NONE for (;;)
#define LOOP_INIT(i) for (i = 0;;)
#define LOOP_COND(c) for (; c;)
#define LOOP_INC(i) for (;; i++)
#define LOOP_INIT_COND(i, n) for (i = 0; i < (n);)
#define LOOP_INIT_INC(i) for (i = 0;; i++)
#define LOOP_COND_INC(c, i) for (; c; i++)
#define LOOP_ALL(i, n) for (i = 0; i < (n); i++)
#define TWICE(x) x x
#define ID(...) __VA_ARGS__
#define HEADER(i, n)                                                                               \
    i = 0;                                                                                         \
    i < (n);                                                                                       \
    i++
#define TAIL(n)                                                                                    \
    ;                                                                                              \
    n--;

void none(int n)
{
    for (;;) {
        if (!n--)
            break;
    }
}
void init(int n)
{
    for (n = 3;;) {
        if (!more(n))
            break;
    }
}
void condition(int n)
{
    for (; n;)
        n = next(n);
}
void increment(int n)
{
    for (;; n--) {
        if (n < 0)
            break;
    }
}
void init_cond(int n)
{
    int i;
    for (i = 0; i < n;)
        i = next(i);
}
void init_inc(int n)
{
    int i;
    for (i = 0;; i++)
        if (i == n)
            break;
}
void cond_inc(int n)
{
    for (; n; n--)
        use(n);
}
void all(int n)
{
    for (int i = 0; i < n; i++)
        use(i);
}
void declared(void)
{
    for (int i = 3;;) {
        if (!i--)
            return;
    }
}
void declared_inc(void)
{
    for (int i = 3;; i--) {
        if (!i)
            return;
    }
}
void declared_cond(int n)
{
    for (int i = 0; i < n;)
        i = next(i);
}
void commas(int n)
{
    int i, j;
    for (i = 0, j = n; i < j; i++, j--)
        use(i);
}
void comments(int n)
{
    for (/* ; */; n /* ; */; /* x */)
        n--;
}
void strings(const char *s)
{
    for (; *s && *s != ';';)
        s++;
}
void strings_inc(const char *s)
{
    for (;; s += *s == ';' ? 2 : 1)
        if (!*s)
            break;
}
void call_cond(int n)
{
    for (; more(n);)
        n = next(n);
}
void call_inc(int n)
{
    for (;; use(n))
        if (!more(n))
            return;
}
void multi_line(int n)
{
    for (; n;)
        n = next(n);
}
void macro_none(int n)
{
    LOOP_NONE
    {
        if (n)
            break;
    }
}
void macro_init(int i)
{
    LOOP_INIT(i)
    {
        if (more(i))
            break;
    }
}
void macro_cond(int n)
{
    LOOP_COND(n--) use(n);
}
void macro_inc(int n)
{
    LOOP_INC(n)
    {
        if (n > 5)
            break;
    }
}
void macro_init_cond(int n)
{
    int i;
    LOOP_INIT_COND(i, n) i = next(i);
}
void macro_init_inc(int n)
{
    int i;
    LOOP_INIT_INC(i)
    {
        if (i == n)
            break;
    }
}
void macro_cond_inc(int n)
{
    LOOP_COND_INC(n < 9, n) use(n);
}
void macro_all(int n)
{
    int i;
    LOOP_ALL(i, n) use(i);
}
void macro_twice(int n)
{
    TWICE(for (; n > 3;) n--;)
}
void macro_argument(int n)
{
    ID(for (; n;) n = next(n);) ID(for (;; n++) if (n) break;)
}
void macro_header(int n)
{
    int i;
    for (HEADER(i, n))
        use(i);
}
void macro_tail(int n)
{
    for (TAIL(n))
        use(n);
}
void macro_nested(int n)
{
    int i;
    LOOP_COND(n)
    {
        LOOP_INC(i)
        {
            if (i > n)
                break;
            for (; i;)
                i--;
        }
        n--;
    }
}
void macro_second(int n)
{
    for (;;) {
        if (n)
            break;
    }
    LOOP_COND(n) n--;
    LOOP_INC(n) if (n > 2) break;
}
void condition_macro(int n)
{
    enum { MAX = 3 };
#define IN_RANGE n < MAX
    for (; IN_RANGE;)
        n++;
    for (;; n--)
        if (!(IN_RANGE))
            break;
}
