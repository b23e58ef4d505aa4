// SPDX-License-Identifier: Apache-2.0
//
// What all child processes have in common; see child.h.

#include "analyzer/project/child.h"

#include "analyzer/ir/mem.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t jg_child_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// In the middle of a job it would not look at its socket for minutes.
void jg_child_die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it ended before
        _exit(0);
}

// ---- memory -------------------------------------------------------------------------------------

// The limit is one of data, heap and stacks: mapped files cost nothing that is scarce. The shadow
// of AddressSanitizer would be over any limit.
uint64_t jg_child_memory(uint64_t wanted)
{
#ifdef __SANITIZE_ADDRESS__
    (void)wanted;
    return 0;
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    return wanted && wanted < limit.rlim_cur ? wanted : limit.rlim_cur;
#endif
}

void jg_child_limit_memory(uint64_t bytes)
{
    struct rlimit limit;
    if (bytes && getrlimit(RLIMIT_DATA, &limit) == 0) {
        limit.rlim_cur = (rlim_t)bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

// ---- the end ------------------------------------------------------------------------------------

// Allocation that fails ends a child through jg_out_of_memory(), with code 2; libclang aborts or
// crashes, near the limit, of which stacks take a part that was never touched.
static bool was_hungry(int status, const struct rusage *usage, const struct jg_child_limit *limit)
{
    uint64_t peak = (uint64_t)usage->ru_maxrss * 1024;
    return (WIFEXITED(status) && WEXITSTATUS(status) == 2) ||
           (limit->memory && peak >= limit->hungry);
}

enum jg_job_end jg_child_ended(int status, const struct rusage *usage,
                               const struct jg_child_limit *limit, char **why)
{
    if (was_hungry(status, usage, limit)) {
        *why = limit->own && limit->memory ? jg_format("out of memory, limit %llu MB",
                                                       (unsigned long long)(limit->memory >> 20))
                                           : jg_strdup("out of memory");
        return JG_JOB_OUT_OF_MEMORY;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        *why = jg_strdup("signal 9 (Killed), perhaps since the system is short of memory");
    else if (WIFSIGNALED(status))
        *why = jg_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        *why = jg_format("exit code %d", WEXITSTATUS(status));
    return JG_JOB_CRASHED;
}
