// SPDX-License-Identifier: Apache-2.0
//
// How many cores this process may use.

#ifndef JG_PROJECT_CORES_H
#define JG_PROJECT_CORES_H

// By its affinity and the CPU quota of its control groups (version 1 or 2), the smaller of the two,
// a quota rounded up; at least 1.
unsigned jg_cores_usable(void);

// For the tests: the quota alone, from a file like /proc/self/cgroup and the folder where control
// groups are mounted. 0: none is set, or none can be read.
unsigned jg_cores_quota(const char *membership, const char *mount);

#endif
