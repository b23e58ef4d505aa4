// SPDX-License-Identifier: Apache-2.0
// switch: fallthrough, ranges, nesting, Duff's device, constants.

int next(int);
void use(int);
enum color { RED, GREEN, BLUE };

int plain(int n)
{
    switch (n) {
    case 1:
        return 10;
    case 2:
        return 20;
    default:
        return 0;
    }
}
int no_default(int n)
{
    switch (n) {
    case 1:
        n = 5;
        break;
    case 7:
        n = 6;
    }
    return n;
}
void fallthrough(int n)
{
    switch (n) {
    case 1:
        use(1);
    case 2:
        use(2);
        break;
    case 3:
        use(3);
        __attribute__((fallthrough));
    default:
        use(4);
    }
}
int adjacent(int n)
{
    switch (n) {
    case 1:
    case 2:
    case 3:
        return 1;
    case 4:
    case 5:
        return 2;
    }
    return 0;
}
int ranges(int n)
{
    switch (n) {
    case 0 ... 9:
        return 1;
    case 10 ... 99:
        return 2;
    case -5:
        return 3;
    default:
        return 4;
    }
}
int default_first(int n)
{
    switch (n) {
    default:
        n++;
    case 1:
        return n;
    case 2:
        break;
    }
    return 0;
}
int default_middle(int n)
{
    switch (n) {
    case 1:
    case 2:
        return 1;
    default:
    case 3:
        return 2;
    case 4:
        return 3;
    }
}
int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1:
            return 1;
        case 2:
            break;
        default:
            return 3;
        }
        break;
    case 2:
        return 4;
    }
    return 5;
}
void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
        case 7:
            *to++ = *from++;
        case 6:
            *to++ = *from++;
        case 5:
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}
int case_in_if(int n)
{
    switch (n) {
        if (n) {
        case 1:
            n = 4;
        } else {
        case 2:
            n = 5;
        }
    }
    return n;
}
int case_in_loop(int n)
{
    switch (n) {
    case 0:
        for (; n < 10; n++) {
        case 3:
            use(n);
        }
    }
    return n;
}
const char *all_colors(enum color c)
{
    switch (c) {
    case RED:
        return "r";
    case GREEN:
        return "g";
    case BLUE:
        return "b";
    }
    return 0;
}
int some_colors(enum color c)
{
    switch (c) {
    case RED:
        return 1;
    case BLUE:
        return 2;
    }
    return 0;
}
int constant(int n)
{
    switch (sizeof(long)) {
    case 4:
        return n;
    case 8:
        return n + 1;
    default:
        return 0;
    }
}
int constant_none(int n)
{
    switch (3) {
    case 1:
        return n;
    }
    return 2;
}
int characters(char c)
{
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case '\n':
    case ' ':
        return 2;
    case '\\':
        return 3;
    }
    return 0;
}
int in_loop(const char *s)
{
    int n = 0;
    for (;; s++)
        switch (*s) {
        case 0:
            return n;
        case '%':
            n++;
            continue;
        default:
            break;
        }
}
int empty(int n)
{
    switch (n) {
    }
    return n;
}
int only_default(int n)
{
    switch (n) {
    default:
        n++;
    }
    return n;
}
int no_braces(int n)
{
    switch (n)
    case 3:
        return 1;
    return 0;
}
int long_cases(long long n)
{
    switch (n) {
    case 0x7fffffffffffffffLL:
        return 1;
    case -1:
        return 2;
    }
    return 0;
}
int logical_switch(int a, int b)
{
    switch (a ? a : b) {
    case 1:
        return 1;
    default:
        return 2;
    }
}
