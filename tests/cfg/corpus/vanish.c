// SPDX-License-Identifier: Apache-2.0
// Code that ought to leave no trace in the graph: debug macros, empty branches, dead code.

int next(int);
void use(int);

#define NOTHING                                                                                    \
    do {                                                                                           \
    } while (0)
#define DEBUG 0
#define LOG(x)                                                                                     \
    do {                                                                                           \
        if (DEBUG)                                                                                 \
            use(x);                                                                                \
    } while (0)
#define LOG2(x)                                                                                    \
    if (DEBUG)                                                                                     \
        use(x);                                                                                    \
    else                                                                                           \
        (void)0
#define ASSERT(x) ((void)sizeof(x))

int nothing(int n)
{
    NOTHING;
    NOTHING;
    return n;
}
int logging(int n)
{
    LOG(n);
    n = next(n);
    LOG(n);
    LOG2(n);
    return n;
}
int assertion(int n)
{
    ASSERT(n && next(n));
    return n;
}
int empty_if(int n)
{
    if (n) {
    }
    if (n)
        ;
    else {
    }
    return n;
}
int empty_blocks(int n)
{
    {{;
}
}
;
;
{
}
return n;
}
int dead_code(int n)
{
    return n;
    n = next(n);
    if (n)
        use(n);
}
int dead_branch(int n)
{
    if (n) {
        return 1;
        use(2);
    } else {
        return 2;
    }
    return 3;
}
int dead_break(int n)
{
    while (n) {
        break;
        n--;
    }
    return n;
}
int dead_loop(int n)
{
    return n;
    for (;;) {
        if (n)
            break;
    }
    return 0;
}
int both_arms_return(int n)
{
    if (n)
        return 1;
    else
        return 2;
}
int infinite_empty(int n)
{
    if (n)
        for (;;)
            ;
    return n;
}
void void_return(int n)
{
    if (n)
        return;
    use(n);
    return;
}
void falls_off(int n)
{
    if (n)
        use(n);
}
int nested_do(int n)
{
    do {
        do {
            if (n)
                break;
            use(1);
        } while (0);
        use(2);
    } while (0);
    return n;
}
int constant_chain(int n)
{
    if (1 && 1)
        use(1);
    if (0 || n)
        use(2);
    if (!0)
        use(3);
    while (0 && n)
        use(4);
    return n;
}
int constant_conditional(int n)
{
    return 1 ? n : next(n);
}
int constant_or_value(int n)
{
    return 0 || n;
}
int null_constants(void *p)
{
    if ((void *)0)
        return 1;
    if (p == (void *)0)
        return 2;
    return 3;
}
int casts(long l)
{
    (void)l;
    (void)(l && 1);
    return (int)l ? (char)l : (short)l;
}
