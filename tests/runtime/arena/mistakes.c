// SPDX-License-Identifier: Apache-2.0
//
// One mistake of a caller, for valgrind to find (check_valgrind): mistakes KIND.

#include <jniguard/arena.h>

int main(int argc, char **argv)
{
    const char *kind = argc == 2 ? argv[1] : "";
    struct jg_arena a;
    (void)jg_arena_open(&a);
    char *volatile p = (char *)jg_arena_alloc(&a, 20, 8);
    char *volatile q = (char *)jg_arena_alloc(&a, 5, 8);
    if (p == NULL || q == NULL)
        return 2;
    p[19] = q[4] = 1;
    if (strcmp(kind, "behind") == 0)
        p[20] = 1;
    if (strcmp(kind, "far") == 0)
        q[5] = 1;
    if (strcmp(kind, "before") == 0)
        p[-1] = 1;
    (void)jg_arena_close(&a);
    if (strcmp(kind, "closed") == 0)
        p[0] = 1;
    return 0;
}
