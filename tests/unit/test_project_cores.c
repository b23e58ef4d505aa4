// SPDX-License-Identifier: Apache-2.0
//
// How many cores may be used: control groups of both versions.

#include "analyzer/project/cores.h"

#include "analyzer/ir/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/jg-cores-XXXXXX";

// Writes a file and the folders above it.
static void put(const char *path, const char *text)
{
    char *whole = jg_format("%s/%s", folder, path);
    for (char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(whole);
}

static unsigned quota(const char *membership)
{
    put("membership", membership);
    char *path = jg_format("%s/membership", folder), *mount = jg_format("%s/cg", folder);
    unsigned cores = jg_cores_quota(path, mount);
    free(mount);
    free(path);
    return cores;
}

static void version_2(void **state)
{
    (void)state;
    assert_int_equal(quota("0::/a/b\n"), 0);
    put("cg/a/b/cpu.max", "max 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 0);
    put("cg/a/b/cpu.max", "400000 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 4);
    put("cg/a/b/cpu.max", "150000 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 2); // rounded up
    put("cg/a/b/cpu.max", "1000 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 1);
    put("cg/a/b/cpu.max", "800000 100000\n");
    put("cg/a/cpu.max", "300000 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 3); // the tightest level
    put("cg/cpu.max", "200000 100000\n");
    assert_int_equal(quota("0::/host/only\n"), 2); // a path that is not visible here
}

static void version_1(void **state)
{
    (void)state;
    put("cg/cpu.max", "max 100000\n");
    put("cg/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    put("cg/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota("8:pids:/job\n4:cpu,cpuacct:/job\n"), 0);
    put("cg/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
    assert_int_equal(quota("8:pids:/job\n4:cpu,cpuacct:/job\n0::/\n"), 3);
    assert_int_equal(quota("8:pids:/job\n"), 0);
    put("cg/cpu/cpu.cfs_quota_us", "100000\n");
    put("cg/cpu/cpu.cfs_period_us", "50000\n");
    assert_int_equal(quota("1:cpu:/docker/0123\n"), 2);
}

static void nonsense_is_no_quota(void **state)
{
    (void)state;
    assert_int_equal(quota(""), 0);
    assert_int_equal(quota("nonsense\n:\n::\n"), 0);
    put("cg/odd/cpu.max", "9 0\n");
    assert_int_equal(quota("0::/odd\n"), 0);
    assert_int_equal(jg_cores_quota("/nonexistent", "/nonexistent"), 0);
}

static void there_is_at_least_one(void **state)
{
    (void)state;
    long online = sysconf(_SC_NPROCESSORS_CONF);
    assert_in_range(jg_cores_usable(), 1, (uintmax_t)online);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_2),
        cmocka_unit_test(version_1),
        cmocka_unit_test(nonsense_is_no_quota),
        cmocka_unit_test(there_is_at_least_one),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
