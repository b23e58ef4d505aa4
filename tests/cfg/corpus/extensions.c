// SPDX-License-Identifier: Apache-2.0
// _Generic, builtins, atomics, complex numbers, unions, bit-fields, attributes, odd declarations.

#include <stdatomic.h>
#include <stddef.h>

int next(int), more(int);
double nextd(double);
void use(int);
struct bits {
    unsigned a : 3, b : 5;
    int c;
};
union any {
    int i;
    float f;
    void *p;
};
struct outer {
    int tag;
    union {
        int i;
        struct {
            char *name;
            int size;
        };
    };
    int tail[];
};

#define NEXT(x) _Generic((x), int : next, double : nextd)(x)
#define IS_INT(x) _Generic((x), int : 1, default : 0)

int generic(int n, double d)
{
    return NEXT(n) + (int)NEXT(d);
}
int generic_constant(int n)
{
    if (IS_INT(n))
        return 1;
    return 0;
}
int generic_condition(long n)
{
    return IS_INT(n) ? 1 : more(2);
}
int choose(int n)
{
    return __builtin_choose_expr(sizeof(n) == 4, n, next(n));
}
int compatible(int n)
{
    if (__builtin_types_compatible_p(__typeof__(n), int))
        return n;
    return 0;
}
int offsets(void)
{
    return (int)(offsetof(struct outer, name) + offsetof(struct bits, c));
}
int overflow(int a, int b)
{
    int r;
    if (__builtin_add_overflow(a, b, &r))
        return -1;
    return r;
}
int counted(unsigned n)
{
    return n ? __builtin_ctz(n) : 32;
}
void *stack(int n)
{
    char *p = __builtin_alloca((unsigned)n);
    return p[0] ? p : 0;
}
int atomics(_Atomic int *p)
{
    int old = atomic_load(p);
    while (!atomic_compare_exchange_weak(p, &old, old + 1))
        use(old);
    return atomic_fetch_add(p, 1);
}
int atomic_builtins(int *p, int n)
{
    __atomic_store_n(p, n, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(p, __ATOMIC_ACQUIRE))
        return 1;
    return __atomic_exchange_n(p, 3, __ATOMIC_SEQ_CST);
}
int sync_builtins(int *p)
{
    if (__sync_bool_compare_and_swap(p, 0, 1))
        return __sync_fetch_and_add(p, 4);
    __sync_synchronize();
    return 0;
}
atomic_int counter;
void atomic_variable(int n)
{
    counter = n;
    counter += 2;
    if (counter)
        use(n);
}
double complex_numbers(double a)
{
    _Complex double z = a + 2.0i;
    __real__ z = 3;
    return __imag__ z > 0 ? __real__ z : a;
}
int bit_fields(struct bits *b)
{
    b->a++;
    b->b |= 3;
    if (b->a && !b->b)
        return b->c;
    return b->a + b->b;
}
int unions(union any u)
{
    u.f = 1.0f;
    if (u.p)
        return u.i;
    return 0;
}
int anonymous(struct outer *o, int n)
{
    o->i = n;
    if (o->name)
        return o->size;
    return o->tail[n];
}
int union_cast(int n)
{
    union any u = (union any)n;
    return u.i;
}
int reversed_index(int *a, int i)
{
    return i[a] + 2 [a] + *(a + i) + *(i + a);
}
int strings(int n)
{
    return "abc"[n] + *"x" + __func__[0] +
           (int)sizeof("abc"
                       "def");
}
int compound_assign(int a, char c, int *p)
{
    a += c;
    c += a;
    a <<= 2;
    *p++ -= 3;
    p[a] *= c;
    a = c = *p;
    return a / 2 % 3;
}
int increments(int *p, int i)
{
    int a = i++ + ++i - i--;
    (*p)++;
    ++*p;
    *p++ = a;
    return *--p;
}
void *pointer_arithmetic(char *p, char *q)
{
    if (p + 3 < q)
        return p + (q - p) / 2;
    return &p[3];
}
int string_condition(int n)
{
    if ("text" && n)
        return 1;
    return 0;
}
int extension(int n)
{
    return __extension__(n ? 1 : 2) + __extension__ 3;
}
typedef int matrix[3][4];
int matrices(matrix m, int (*p)[4], int i)
{
    m[1][2] = i;
    p[0][1] = 2;
    return m[i][0] + (*p)[3] + **m;
}
