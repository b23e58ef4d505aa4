// SPDX-License-Identifier: Apache-2.0
//
// How many cores this process may use. See cores.h.
//
// A quota may stand at any level of the hierarchy, and the tightest one holds. In a container the
// path of the group may be the host's, of which only the mount itself is visible: walking upwards
// ends there. Source: the kernel's cgroup-v2 and sched-bwc documents, cgroups(7).

#include "analyzer/project/cores.h"

#include "analyzer/ir/mem.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned affinity(void)
{
    unsigned count = 0;
    for (int most = 1024; most <= 1 << 20 && !count; most *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)most);
        size_t size = CPU_ALLOC_SIZE((size_t)most);
        if (set && sched_getaffinity(0, size, set) == 0) // EINVAL: the set is too small
            count = (unsigned)CPU_COUNT_S(size, set);
        CPU_FREE(set);
    }
    return count;
}

// The first word of a file as a number; false for "max", -1 and what cannot be read.
static bool read_number(const char *folder, const char *name, unsigned index, unsigned long *value)
{
    char *path = jg_format("%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    free(path);
    if (!f)
        return false;
    long word = 0;
    bool ok = true;
    for (unsigned i = 0; i <= index && ok; i++)
        ok = fscanf(f, "%ld", &word) == 1 && word > 0;
    fclose(f);
    *value = (unsigned long)word;
    return ok;
}

static unsigned quota_in(const char *folder)
{
    unsigned long quota, period;
    if ((read_number(folder, "cpu.max", 0, &quota) && read_number(folder, "cpu.max", 1, &period)) ||
        (read_number(folder, "cpu.cfs_quota_us", 0, &quota) &&
         read_number(folder, "cpu.cfs_period_us", 0, &period)))
        return (unsigned)((quota + period - 1) / period);
    return 0;
}

static void tighten(unsigned *least, unsigned quota)
{
    if (quota && (!*least || quota < *least))
        *least = quota;
}

// From the group at `path` up to the mount.
static void walk(const char *mount, const char *controller, const char *path, unsigned *least)
{
    char *root = jg_format("%s%s%s", mount, *controller ? "/" : "", controller);
    char *rest = jg_strdup(path);
    for (char *slash = rest; slash;) {
        char *folder = jg_format("%s%s", root, rest);
        tighten(least, quota_in(folder));
        free(folder);
        slash = strrchr(rest, '/');
        if (slash)
            *slash = '\0';
    }
    free(rest);
    free(root);
}

unsigned jg_cores_quota(const char *membership, const char *mount)
{
    unsigned least = 0;
    FILE *f = fopen(membership, "re");
    if (!f)
        return 0;
    char line[4096];
    while (fgets(line, sizeof line, f)) { // "4:cpu,cpuacct:/path", version 2: "0::/path"
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        controllers++;
        if (!*controllers) {
            walk(mount, "", path, &least);
            walk(mount, "unified", path, &least); // beside version 1
        } else if (strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0 ||
                   strstr(controllers, ",cpu")) {
            walk(mount, controllers, path, &least);
            walk(mount, "cpu", path, &least);
        }
    }
    fclose(f);
    return least;
}

unsigned jg_cores_usable(void)
{
    unsigned least = affinity();
    tighten(&least, jg_cores_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    return least ? least : 1;
}
