// SPDX-License-Identifier: Apache-2.0
// GNU statement expressions: values, control flow inside, nesting, in conditions.

int next(int), more(int);
void use(int);

#define MAX(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) a_ = (a);                                                                    \
        __typeof__(b) b_ = (b);                                                                    \
        a_ > b_ ? a_ : b_;                                                                         \
    })
#define CHECK(x)                                                                                   \
    ({                                                                                             \
        int v_ = (x);                                                                              \
        if (v_ < 0)                                                                                \
            return -1;                                                                             \
        v_;                                                                                        \
    })
#define SKIP_IF(x)                                                                                 \
    ({                                                                                             \
        if (x)                                                                                     \
            continue;                                                                              \
    })
#define swap(a, b)                                                                                 \
    do {                                                                                           \
        __typeof__(a) t_ = (a);                                                                    \
        (a) = (b);                                                                                 \
        (b) = t_;                                                                                  \
    } while (0)

int value(int a)
{
    return ({
        int b = next(a);
        b + 1;
    });
}
int maximum(int a, int b)
{
    return MAX(a, b);
}
int maximum3(int a, int b, int c)
{
    return MAX(a, MAX(b, c));
}
int early_return(int a)
{
    int b = CHECK(next(a));
    int c = CHECK(next(b));
    return b + c;
}
int loop_skip(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        SKIP_IF(i & 1);
        s += i;
    }
    return s;
}
int in_condition(int a)
{
    if (({
            int b = next(a);
            b > 2 && more(b);
        }))
        return 1;
    return 0;
}
int in_argument(int a)
{
    return next(({
        use(a);
        a * 2;
    }));
}
int in_while(int n)
{
    while (({
        n--;
        more(n);
    }))
        use(n);
    return n;
}
void discarded(int a)
{
    ({
        use(a);
        a + 1;
    });
    (void)({
        if (a)
            use(1);
        3;
    });
}
int with_loop(int n)
{
    return ({
        int s = 0;
        while (n)
            s += n--;
        s;
    });
}
int with_switch(int n)
{
    int r = ({
        int q;
        switch (n) {
        case 1:
            q = 5;
            break;
        default:
            q = 6;
        }
        q;
    });
    return r;
}
int nested(int n)
{
    return ({
        int a = ({
            int b = next(n);
            if (b)
                use(b);
            b;
        });
        a ?: 3;
    });
}
int swapped(int a, int b)
{
    swap(a, b);
    return a - b;
}
int initialiser(int n)
{
    int a[2] = {({
                    use(n);
                    1;
                }),
                n ? 2 : 3};
    return a[0] + a[1];
}
int break_out(int n)
{
    for (;;) {
        int x = ({
            if (n > 5)
                break;
            n++;
        });
        use(x);
    }
    return n;
}
int void_value(int n)
{
    ({ use(n); });
    ({});
    return n;
}
int sizeof_unevaluated(int n)
{
    return (int)sizeof(({
        while (n)
            n--;
        n;
    }));
}
int typeof_unevaluated(int n)
{
    __typeof__(next(n) && more(n)) x = 3;
    return x;
}
