// SPDX-License-Identifier: Apache-2.0
// Logical operators as conditions and as values, conditional operators, commas.

int next(int), more(int);
void use(int);
void fail(void);

int and3(int a, int b, int c)
{
    if (a && b && c)
        return 1;
    return 0;
}
int or3(int a, int b, int c)
{
    if (a || b || c)
        return 1;
    return 0;
}
int mixed(int a, int b, int c, int d)
{
    if ((a && b) || (c && !d))
        return 1;
    return 0;
}
int negated(int a, int b)
{
    if (!(a && !b))
        return 1;
    return 0;
}
int double_negation(const char *p)
{
    if (!!p)
        return 1;
    return 0;
}
int compare_chain(int a, int b, int c)
{
    if (a < b && b <= c && a != c)
        return 1;
    else
        return 2;
}
int value_and(int a, int b)
{
    int r = a && b;
    return r;
}
int value_or(int a, int b)
{
    return a || more(b);
}
int value_not(int a)
{
    return !a;
}
int value_not_and(int a, int b)
{
    return !(a && b);
}
int value_mixed(int a, int b, int c)
{
    int x = (a || b) && c;
    return x + 1;
}
int value_argument(int a, int b)
{
    return next(a && b) + next(a || b);
}
int value_in_sum(int a, int b)
{
    return 2 + (a && more(b)) * 3;
}
int ternary(int a, int b)
{
    return a ? b : -b;
}
int ternary_nested(int a, int b, int c)
{
    return a ? b ? 1 : 2 : c ? 3 : 4;
}
int ternary_calls(int a)
{
    return a ? next(a) : more(a);
}
void ternary_statement(int a)
{
    a ? use(1) : use(2);
}
void ternary_void(int a, int b)
{
    a ? (void)0 : b ? use(1) : fail();
}
int ternary_of_logic(int a, int b)
{
    return a && b ? 1 : 0;
}
int ternary_argument(int a, int b)
{
    return next(a ? b : 3);
}
int gnu_ternary(int a, int b)
{
    return a ?: b;
}
int gnu_ternary_calls(int a)
{
    return next(a) ?: more(a) ?: 7;
}
int gnu_condition(int a, int b)
{
    if (a ?: b)
        return 1;
    return 0;
}
int comma(int a, int b)
{
    if (use(a), more(b))
        return 1;
    return (a++, b++, a + b);
}
void statement_and(int a, int b)
{
    a &&more(b);
    a || (use(b), 1);
}
int assign_in_condition(int a)
{
    int b;
    if ((b = next(a)) && (a = next(b)) > 3)
        return a;
    return b;
}
int bits(unsigned flags)
{
    if (flags & 1u)
        return 1;
    if (!(flags & 2u))
        return 2;
    return 3;
}
int pointers(int *p, int **q)
{
    if (p && q && *q && **q)
        return **q;
    return p == 0;
}
int expected(int a, int *p)
{
    if (__builtin_expect(!!(a), 0))
        return 1;
    if (__builtin_expect(p == 0, 0))
        return 2;
    return 3;
}
int else_if(int n)
{
    if (n == 1)
        return 1;
    else if (n == 2)
        return 2;
    else if (n == 3)
        use(3);
    else {
        use(4);
    }
    return 0;
}
int dangling(int a, int b)
{
    if (a)
        if (b)
            return 1;
        else
            return 2;
    return 3;
}
int constant_true(int n)
{
    if (1)
        return n;
    return 0;
}
int constant_false(int n)
{
    if (0) {
        use(n);
    } else
        use(0);
    return n;
}
int constant_sizeof(int n)
{
    if (sizeof(int) == 4)
        return n;
    return 0;
}
int constant_and(int n)
{
    if (n && 0)
        use(n);
    if (n || 1)
        use(2);
    return n;
}
enum { FEATURE = 0, LIMIT = 8 };
int constant_enum(int n)
{
    if (FEATURE)
        use(n);
    if (LIMIT > 4 && n)
        use(1);
    return FEATURE ? n : 0;
}
int float_condition(double d)
{
    if (d)
        return 1;
    if (!d)
        return 2;
    return d > 1.0 && d < 2.0;
}
_Bool boolean(int a, _Bool b)
{
    _Bool c = a;
    if (b)
        c = !c;
    return c && b;
}
