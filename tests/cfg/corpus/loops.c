// SPDX-License-Identifier: Apache-2.0
// while, do, continue and break, nested and constant.

int next(int), more(int);
void use(int);

void while_plain(int n)
{
    while (n)
        n = next(n);
}
void while_assign(int n)
{
    while ((n = next(n)) != 0)
        use(n);
}
void while_and(int a, int b)
{
    while (a && b) {
        a = next(a);
        b--;
    }
}
void while_or_not(int a, int b)
{
    while (a || !b) {
        a = next(a);
        b++;
    }
}
void while_true(int n)
{
    while (1) {
        if (!more(n))
            break;
        n = next(n);
    }
}
void while_false(int n)
{
    while (0)
        use(n);
    use(n);
}
void while_forever(int n)
{
    while (1)
        use(n);
}
void do_plain(int n)
{
    do {
        n = next(n);
    } while (n);
}
void do_once(int n)
{
    do {
        use(n);
        if (n)
            break;
        use(n + 1);
    } while (0);
}
void do_forever(int n)
{
    do {
        if (n++ > 4)
            return;
    } while (1);
}
void do_continue(int n)
{
    do {
        if (n & 1)
            continue;
        use(n);
    } while (--n);
}
void while_continue(int n)
{
    while (n--) {
        if (n & 1)
            continue;
        if (n == 6)
            break;
        use(n);
    }
}
void for_continue(int n)
{
    for (int i = 0; i < n; i++) {
        if (i & 1)
            continue;
        use(i);
    }
}
void nested(int n)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i) {
            do {
                if (j == 3)
                    break;
                if (i == 4)
                    continue;
                use(j);
            } while (j++ < 2);
            if (i == j)
                break;
        }
        if (i == 9)
            return;
    }
}
void break_in_switch(int n)
{
    while (n) {
        switch (n) {
        case 1:
            break;
        case 2:
            continue;
        default:
            return;
        }
        n--;
    }
}
int search(const int *a, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return i;
    return -1;
}
void empty_body(const char *s)
{
    while (*s++)
        ;
    for (; *s; s++)
        ;
}
void spin(volatile int *flag)
{
    while (!*flag)
        ;
}
void comma_condition(int n)
{
    while (n--, more(n))
        use(n);
}
void conditional_condition(int a, int b)
{
    while (a > b ? more(a) : more(b))
        a--;
}
void dead_after_loop(int n)
{
    for (;;) {
        if (n)
            return;
    }
    use(n);
}
int return_in_do(int n)
{
    do {
        return n;
    } while (n);
}
