// SPDX-License-Identifier: Apache-2.0
// Calls: function pointers of all kinds, callbacks, functions that do not return, variadic ones.

#include <stdarg.h>

_Noreturn void die(const char *);
void die_gnu(int) __attribute__((noreturn));
void abort(void);
void exit(int);
int next(int);
void use(int);
typedef int (*callback)(int);
struct ops {
    callback open;
    int (*read)(struct ops *, int);
    void (*table[4])(int);
    struct ops *inner;
};

int direct(int n)
{
    return next(next(n));
}
int pointer(callback f, int n)
{
    return f(n) + (*f)(n) + (**f)(n);
}
int address(int n)
{
    return (&next)(n) + (*next)(n);
}
int field(struct ops *o, int n)
{
    return o->open ? o->open(n) : o->read(o, n);
}
int field_deref(struct ops *o, int n)
{
    return (*o->open)(n) + (*o->inner->read)(o, n);
}
void table(struct ops *o, int n)
{
    o->table[n](n);
    (*o->table[1])(2);
}
int chosen(int n, callback f)
{
    return (n ? f : next)(n);
}
int cast_pointer(void *p, int n)
{
    return ((callback)p)(n);
}
static callback pick(int n)
{
    return n ? next : 0;
}
int returned(int n)
{
    return pick(n)(n);
}
int noreturn_else(int n)
{
    if (n)
        die("x");
    else
        use(n);
    return n;
}
int noreturn_gnu(int n)
{
    if (!n)
        die_gnu(1);
    return n;
}
void noreturn_end(int n)
{
    use(n);
    exit(1);
}
int noreturn_value(int n)
{
    return n ? n : (abort(), 0);
}
int noreturn_or(int n)
{
    n || (die("x"), 1);
    return n;
}
int noreturn_switch(int n)
{
    switch (n) {
    case 1:
        return 2;
    case 2:
        die("two");
    default:
        exit(3);
    }
}
int unreachable(int n)
{
    if (n > 3)
        __builtin_unreachable();
    return n;
}
int trap(int n)
{
    if (n > 3)
        __builtin_trap();
    return n;
}
int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
int old_style(a, b)
int a;
char *b;
{
    if (a)
        return *b;
    return 0;
}
static inline int twice(int n)
{
    return n > 0 ? 2 * n : 0;
}
int inlined(int n)
{
    return twice(n) + twice(n + 1);
}
int recursion(int n)
{
    return n < 2 ? 1 : n * recursion(n - 1);
}
int arguments(int n)
{
    return sum(3, n && 1, n ? 2 : 3, ({
                   use(n);
                   n;
               }));
}
void assert_like(int n)
{
    ((n > 3) ? (void)(0) : die("n > 3"));
    use(n);
}
