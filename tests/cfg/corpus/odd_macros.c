// SPDX-License-Identifier: Apache-2.0
// Functions, blocks and conditions that come out of macros.

int next(int), more(int);
void use(int);

#define DEFINE(name) int name(int n)
#define DEFINE_BODY(name, op)                                                                      \
    int name(int a, int b)                                                                         \
    {                                                                                              \
        if (a op b)                                                                                \
            return a;                                                                              \
        return b;                                                                                  \
    }
#define BEGIN {
#define END }
#define IF(c) if (c) {
#define ELSE                                                                                       \
    }                                                                                              \
    else                                                                                           \
    {
#define FI }
#define FOREVER for (;;)
#define REPEAT do {
#define UNTIL(c)                                                                                   \
    }                                                                                              \
    while (!(c))
#define UNLESS(c) if (!(c))
#define EACH(i, n) for (int i = 0, end_##i = (n); i < end_##i; i++)
#define CASE(n, x)                                                                                 \
    case n:                                                                                        \
        use(x);                                                                                    \
        break;
#define TRY_TWICE(x) ((x) || (x))

DEFINE(simple)
{
    return next(n);
}
DEFINE(branching)
{
    if (n)
        return 1;
    return 0;
}
DEFINE_BODY(maximum, >)
DEFINE_BODY(minimum, <)
DEFINE_BODY(both, &&)
int algol(int n) BEGIN IF(n > 3) use(1);
ELSE use(2);
FI REPEAT n = next(n);
UNTIL(more(n));
return n;
END int forever(int n)
{
    FOREVER
    {
        if (n)
            break;
        n = next(n);
    }
    return n;
}
int unless(int n)
{
    UNLESS(n) return 1;
    UNLESS(n && more(n)) return 2;
    return 3;
}
int each(int n)
{
    EACH(i, n) EACH(j, i)
    {
        if (i == j)
            continue;
        use(i * j);
    }
    return n;
}
int cases(int n)
{
    switch (n) {
        CASE(1, 10) CASE(2, 20) default : CASE(3, 30)
    }
    return n;
}
int tried(int n)
{
    if (TRY_TWICE(more(n)))
        return 1;
    return TRY_TWICE(next(n));
}
#define PASTE_INNER(a, b) a##b
#define PASTE(a, b) PASTE_INNER(a, b)
int PASTE(pas, ted)(int n)
{
    return n ? next(n) : 0;
}
#line 500 "generated.y"
int renumbered(int n)
{
    while (n) {
        n--;
        if (more(n))
            break;
    }
    return n;
}
