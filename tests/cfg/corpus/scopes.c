// SPDX-License-Identifier: Apache-2.0
// Ends of scopes: the cleanup attribute, variable-length arrays, compound literals, initialisers.

int next(int), more(int);
void use(int);
void *get(int);
void release(void **);
void unlock(int *);
struct point {
    int x, y;
};
struct line {
    struct point from, to;
    const char *name;
};
void draw(struct line *);
int length(struct point);

#define AUTO(f) __attribute__((cleanup(f)))

int cleanup_one(int n)
{
    AUTO(release) void *p = get(n);
    if (!p)
        return -1;
    use(n);
    return 0;
}
int cleanup_two(int n)
{
    AUTO(unlock) int lock = n;
    AUTO(release) void *p = get(n);
    if (n)
        return 1;
    return p != 0;
}
int cleanup_loop(int n)
{
    for (int i = 0; i < n; i++) {
        AUTO(release) void *p = get(i);
        if (!p)
            break;
        if (i == 3)
            continue;
        if (i == 4)
            return 1;
        use(i);
    }
    return 0;
}
int cleanup_goto(int n)
{
    {
        AUTO(release) void *p = get(n);
        if (!p)
            goto out;
        use(1);
    }
    use(2);
out:
    return n;
}
int cleanup_backward(int n)
{
again:;
    AUTO(release) void *p = get(n);
    if (!p && n--)
        goto again;
    return n;
}
int cleanup_nested(int n)
{
    AUTO(release) void *a = get(1);
    if (n) {
        AUTO(release) void *b = get(2);
        if (b)
            return 1;
    }
    return a != 0;
}
int cleanup_switch(int n)
{
    switch (n) {
    case 1: {
        AUTO(release) void *p = get(1);
        if (p)
            break;
        return 2;
    }
    case 2:
        return 3;
    }
    return 0;
}
int vla(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[n - 1];
}
int vla_side_effect(int n)
{
    int a[next(n) ? n : 1];
    return (int)sizeof(a);
}
int vla_loop(int n)
{
    while (n) {
        char buf[n];
        buf[0] = 1;
        if (buf[n - 1])
            break;
        n--;
    }
    return n;
}
int literals(int n)
{
    draw(&(struct line){.from = {1, 2}, .to.x = n, .name = n ? "a" : "b"});
    return length((struct point){n, n});
}
int array_literal(int n)
{
    int *p = (int[]){1, n, n && 3};
    return p[2];
}
int designated(int n)
{
    int a[8] = {[2] = n, [4 ... 6] = 7};
    struct line l = {.to = {n, 0}, .name = 0};
    return a[4] + l.to.x;
}
int record_copy(struct line *p)
{
    struct line a = *p, b;
    b = a;
    b.from = a.to;
    return b.from.x;
}
int record_conditional(int n, struct point *p, struct point *q)
{
    struct point r = n ? *p : *q;
    return (n ? *q : *p).x + r.y;
}
int statics(void)
{
    static int count;
    static const char *names[] = {"a", "b"};
    return count++ ? names[0][0] : names[1][0];
}
int shadow(int x)
{
    int y = x;
    {
        int x = next(y);
        if (x) {
            int y = x + 1;
            use(y);
        }
    }
    return x;
}
int extern_inside(int n)
{
    extern int global;
    int helper(int);
    return global ? helper(n) : 0;
}
int unsized(void)
{
    const char s[] = "text", t[10] = {'a', 0};
    return s[0] == t[0];
}
