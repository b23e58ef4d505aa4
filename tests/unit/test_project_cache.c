// SPDX-License-Identifier: Apache-2.0
//
// The cache as a store: what comes back is what was put, or nothing, whatever happens to the files,
// the folder, the disk, and however many processes use it.

#include "cache_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { UNITS = 8 };

static struct jg_cache *open_cache(void)
{
    struct jg_cache *c = jg_cache_open("test");
    assert_null(jg_cache_trouble(c));
    assert_null(jg_cache_why_off(c));
    return c;
}

// ---- units without includes, distinguished by a number ------------------------------------------

struct number {
    char file[80];
    struct jg_compile_command command;
};

static void number_init(struct number *n, unsigned number)
{
    static const char *const argv[] = {"cc", "x.c"};
    snprintf(n->file, sizeof n->file, "%s/%u.c", folder, number);
    n->command = (struct jg_compile_command){folder, n->file, argv, 2};
}

static void make_sources(void)
{
    for (unsigned i = 0; i < UNITS; i++) {
        struct number n;
        number_init(&n, i);
        write_file(n.file, "int x;\n");
    }
    usleep(20000);
}

// The bytes of the unit: different for each, some hundreds to some thousands.
static size_t content(unsigned number, char out[8192])
{
    size_t size = 300 + 777 * number;
    for (size_t i = 0; i < size; i++)
        out[i] = (char)(i * (number + 1) + i / 256);
    return size;
}

static bool keep(struct jg_cache *c, unsigned number)
{
    struct number n;
    char bytes[8192];
    number_init(&n, number);
    struct jg_cache_input input = {n.file, jg_hash_of("int x;\n", 7)};
    return jg_cache_keep_unit(c, &n.command, &input, 1, bytes, content(number, bytes));
}

enum outcome { MISS, SAME, OTHER };

static enum outcome find(struct jg_cache *c, unsigned number)
{
    struct number n;
    char bytes[8192];
    number_init(&n, number);
    size_t size = content(number, bytes);
    struct jg_cache_bytes found;
    if (!jg_cache_find_unit(c, &n.command, &found))
        return MISS;
    bool same = found.size == size && memcmp(found.data, bytes, size) == 0;
    jg_cache_unmap(&found);
    return same ? SAME : OTHER;
}

// ---- records ------------------------------------------------------------------------------------

static struct jg_hash hash_of(unsigned number)
{
    return jg_hash_of(&number, sizeof number);
}

static void put(struct jg_cache_results *r, unsigned number)
{
    char bytes[8192];
    struct jg_hash key = hash_of(number);
    jg_cache_results_put(r, &key, bytes, content(number % UNITS, bytes));
}

static enum outcome find_record(struct jg_cache_results *r, unsigned number)
{
    char bytes[8192];
    struct jg_hash key = hash_of(number);
    size_t size = content(number % UNITS, bytes), found_size;
    const void *found;
    if (!jg_cache_results_find(r, &key, &found, &found_size))
        return MISS;
    assert_int_equal((uintptr_t)found % 8, 0);
    return found_size == size && memcmp(found, bytes, size) == 0 ? SAME : OTHER;
}

static struct jg_cache_results *open_results(struct jg_cache *c)
{
    struct jg_hash unit = hash_of(12345);
    return jg_cache_results_open(c, &unit);
}

static void records_come_back(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 3; run++) {
        struct jg_cache *c = open_cache();
        struct jg_cache_results *r = open_results(c);
        assert_non_null(r);
        for (unsigned i = 0; i < 100; i++) {
            assert_int_equal(find_record(r, i), run ? SAME : MISS);
            put(r, i);
            assert_int_equal(find_record(r, i), SAME);
        }
        struct jg_hash key = hash_of(1000);
        const void *data;
        size_t size;
        assert_int_equal(jg_cache_results_find(r, &key, &data, &size), run > 0);
        jg_cache_results_put(r, &key, NULL, 0); // a record may be empty
        assert_true(jg_cache_results_find(r, &key, &data, &size));
        assert_int_equal(size, 0);
        jg_cache_results_close(r);
        jg_cache_close(c);
    }
}

static void unused_records_go_when_others_come(void **state)
{
    (void)state;
    static const struct {
        unsigned first, end; // used in this run
        enum outcome zero, nine, nineteen;
    } runs[] = {
        {0, 10, MISS, MISS, MISS},                            // writes 0 to 9
        {5, 10, MISS, SAME, MISS},                            // nothing new: the file stays
        {0, 10, SAME, SAME, MISS}, {9, 20, MISS, SAME, MISS}, // 10 to 19 are new: 0 to 8 go
        {9, 20, MISS, SAME, SAME}, {0, 1, MISS, MISS, MISS},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct jg_cache *c = open_cache();
        struct jg_cache_results *r = open_results(c);
        for (unsigned k = runs[i].first; k < runs[i].end; k++) {
            enum outcome found = find_record(r, k);
            if (k == 0)
                assert_int_equal(found, runs[i].zero);
            if (k == 9)
                assert_int_equal(found, runs[i].nine);
            if (k == 19)
                assert_int_equal(found, runs[i].nineteen);
            put(r, k);
        }
        jg_cache_results_close(r);
        jg_cache_close(c);
    }
}

static void records_belong_to_unit_and_tool(void **state)
{
    (void)state;
    struct jg_cache *c = open_cache();
    struct jg_cache_results *r = open_results(c);
    put(r, 1);
    jg_cache_results_close(r);
    struct jg_hash other = hash_of(2);
    r = jg_cache_results_open(c, &other);
    assert_int_equal(find_record(r, 1), MISS);
    jg_cache_results_close(r);
    jg_cache_close(c);
    c = jg_cache_open("another tool");
    r = open_results(c);
    assert_int_equal(find_record(r, 1), MISS);
    jg_cache_results_close(r);
    jg_cache_close(c);
}

// ---- damage -------------------------------------------------------------------------------------

// xorshift64*
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static char *paths[64];
static unsigned path_count;

static int collect(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    if (type == FTW_F && ftw->level == 2 && path_count < 64)
        paths[path_count++] = jg_strdup(path);
    return 0;
}

static void collect_blobs(void)
{
    path_count = 0;
    assert_int_equal(nftw("cache/jniguard/v1", collect, 16, FTW_PHYS), 0);
}

static void free_paths(void)
{
    for (unsigned i = 0; i < path_count; i++)
        free(paths[i]);
    path_count = 0;
}

// Changes one byte, cuts the file off, or lengthens it. A copy takes the place of the file, as the
// damage of a disk would not show in what is mapped already.
static void damage(const char *path, uint64_t *random)
{
    char bytes[16384];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes - 1, f);
    fclose(f);
    unsigned how = (unsigned)(next_random(random) % 8);
    size_t at = (size_t)(next_random(random) % size);
    if (next_random(random) % 2)
        at %= 64; // the header
    if (how == 0)
        size = at;
    else if (how == 1)
        bytes[size++] = 'x';
    else
        bytes[at] = (char)(bytes[at] ^ (1 << next_random(random) % 8));
    unlink(path);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void a_damaged_file_is_a_miss(void **state)
{
    (void)state;
    uint64_t random = 20240607;
    make_sources();
    struct jg_cache *c = open_cache();
    for (unsigned i = 0; i < UNITS; i++)
        assert_true(keep(c, i));
    for (unsigned round = 0; round < 1000; round++) {
        struct jg_cache_results *r = open_results(c);
        put(r, round);
        jg_cache_results_close(r);
        collect_blobs();
        const char *path = paths[next_random(&random) % path_count];
        damage(path, &random);
        bool unit = strstr(path, "/units/") || strstr(path, "/manifests/");
        unsigned missed = 0;
        for (unsigned i = 0; i < UNITS; i++) {
            enum outcome found = find(c, i);
            assert_int_not_equal(found, OTHER);
            missed += found == MISS;
        }
        r = open_results(c);
        assert_int_equal(find_record(r, round), strstr(path, "/results/") ? MISS : SAME);
        jg_cache_results_close(r);
        assert_int_equal(missed, unit);
        if (!strstr(path, "/units/")) // what is wrong has been removed
            assert_int_not_equal(access(path, F_OK), 0);
        free_paths();
        for (unsigned i = 0; i < UNITS && missed; i++)
            assert_true(keep(c, i));
    }
    jg_cache_close(c);
}

// A sound blob under the name of another one is refused, too: it carries its own key.
static void a_file_in_another_ones_place_is_a_miss(void **state)
{
    (void)state;
    make_sources();
    struct jg_cache *c = open_cache();
    assert_true(keep(c, 1));
    assert_true(keep(c, 2));
    collect_blobs();
    assert_int_equal(path_count, 4);
    for (unsigned i = 0; i < path_count; i++)
        for (unsigned k = i + 1; k < path_count; k++)
            if (strncmp(paths[i], paths[k], 24) == 0) { // the same folder
                assert_int_equal(rename(paths[i], "x"), 0);
                assert_int_equal(rename(paths[k], paths[i]), 0);
                assert_int_equal(rename("x", paths[k]), 0);
            }
    assert_int_equal(find(c, 1), MISS);
    assert_int_equal(find(c, 2), MISS);
    free_paths();
    jg_cache_close(c);
}

// ---- several processes --------------------------------------------------------------------------

static int work(unsigned seed)
{
    uint64_t random = seed + 1;
    struct jg_cache *c = jg_cache_open("test");
    for (unsigned round = 0; round < 200; round++) {
        unsigned number = (unsigned)(next_random(&random) % UNITS);
        if (next_random(&random) % 2 ? !keep(c, number) : find(c, number) == OTHER)
            return 1;
        struct jg_cache_results *r = open_results(c);
        if (find_record(r, number) == OTHER)
            return 2;
        put(r, number);
        jg_cache_results_close(r);
    }
    bool trouble = jg_cache_trouble(c) != NULL;
    jg_cache_close(c);
    return trouble ? 3 : 0;
}

// The exit code of a child that runs `body`.
#define IN_CHILD(body)                                                                             \
    __extension__({                                                                                \
        fflush(NULL);                                                                              \
        pid_t child = fork();                                                                      \
        if (child == 0)                                                                            \
            _exit(body);                                                                           \
        int status_ = -1;                                                                          \
        waitpid(child, &status_, 0);                                                               \
        WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;                                            \
    })

static void writers_do_not_disturb_each_other(void **state)
{
    (void)state;
    make_sources();
    fflush(NULL);
    pid_t children[4];
    for (unsigned i = 0; i < 4; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(work(i));
    }
    for (unsigned i = 0; i < 4; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    struct jg_cache *c = open_cache();
    for (unsigned i = 0; i < UNITS; i++)
        assert_int_equal(find(c, i), SAME);
    jg_cache_close(c);
    collect_blobs();
    for (unsigned i = 0; i < path_count; i++)
        assert_null(strstr(paths[i], "/" JG_CACHE_TEMPORARY));
    free_paths();
}

static void a_folder_that_vanishes_is_survived(void **state)
{
    (void)state;
    make_sources();
    struct jg_cache *c = open_cache();
    assert_true(keep(c, 1));
    struct jg_cache_info info;
    assert_null(jg_cache_clear(&info));
    free(info.folder);
    assert_int_equal(find(c, 1), MISS);
    assert_false(keep(c, 1));
    assert_non_null(jg_cache_trouble(c));
    jg_cache_close(c);
}

// ---- disks --------------------------------------------------------------------------------------

// Writes until it fails; what was written before is still found. 0 when all is as it should be.
static int fill(void)
{
    struct jg_cache *c = jg_cache_open("test");
    unsigned kept = 0;
    while (kept < UNITS && keep(c, kept))
        kept++;
    if (kept == 0 || kept == UNITS || !jg_cache_trouble(c))
        return 1;
    for (unsigned i = 0; i < kept; i++)
        if (find(c, i) != SAME)
            return 2;
    if (find(c, kept) != MISS || keep(c, 0)) // no further attempts
        return 3;
    jg_cache_close(c);
    c = jg_cache_open("test");
    int code = find(c, 0) == SAME ? 0 : 4;
    jg_cache_close(c);
    return code;
}

static int fill_limited(void)
{
    struct rlimit limit = {3000, 3000};
    signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 ? fill() : 99;
}

static void a_limit_on_files_is_survived(void **state)
{
    (void)state;
    make_sources();
    assert_int_equal(IN_CHILD(fill_limited()), 0);
}

enum { NOT_ALLOWED = 77 };

static int fill_small_disk(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
        mount("none", "cache", "tmpfs", 0, "size=40k") != 0)
        return NOT_ALLOWED;
    return fill();
}

static void a_full_disk_is_survived(void **state)
{
    (void)state;
    make_sources();
    mkdir("cache", 0700);
    int code = IN_CHILD(fill_small_disk());
    if (code == NOT_ALLOWED) {
        print_message("skipped: mounting a small disk is not allowed here\n");
        skip();
    }
    assert_int_equal(code, 0);
}

static int chown_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return lchown(path, 65534, 65534);
}

static int use_without_write(void)
{
    if (geteuid() == 0) { // whom permissions do not stop
        if (nftw(folder, chown_one, 16, FTW_PHYS) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
            return NOT_ALLOWED;
    }
    struct jg_cache *c = jg_cache_open("test");
    if (jg_cache_trouble(c) || !keep(c, 1))
        return 1;
    jg_cache_close(c);
    chmod("cache/jniguard/v1/units", 0500);
    chmod("cache/jniguard/v1/manifests", 0500);
    c = jg_cache_open("test");
    int code = find(c, 1) != SAME ? 2 : keep(c, 2) ? 3 : !jg_cache_trouble(c) ? 4 : 0;
    jg_cache_close(c);
    chmod("cache/jniguard/v1/units", 0700);
    chmod("cache/jniguard/v1/manifests", 0700);
    return code;
}

static void a_folder_that_cannot_be_written_still_serves(void **state)
{
    (void)state;
    make_sources();
    int code = IN_CHILD(use_without_write());
    if (code == NOT_ALLOWED) {
        print_message("skipped: root, and cannot become somebody else\n");
        skip();
    }
    assert_int_equal(code, 0);
}

// ---- folders that must not be used --------------------------------------------------------------

static void assert_off(const char *part)
{
    make_sources();
    struct jg_cache *c = jg_cache_open("test");
    assert_non_null(jg_cache_why_off(c));
    assert_non_null(strstr(jg_cache_why_off(c), part));
    assert_non_null(strstr(jg_cache_trouble(c), part));
    assert_false(keep(c, 1));
    assert_int_equal(find(c, 1), MISS);
    assert_null(open_results(c));
    jg_cache_close(c);
}

static void a_link_in_the_place_of_the_folder_is_refused(void **state)
{
    (void)state;
    mkdir("cache", 0700);
    mkdir("cache/jniguard", 0700);
    mkdir("elsewhere", 0700);
    assert_int_equal(symlink("../../elsewhere", "cache/jniguard/v1"), 0);
    assert_off("v1");
    unlink("cache/jniguard/v1");
    mkdir("cache/jniguard/v1", 0700);
    assert_int_equal(symlink("../../../elsewhere", "cache/jniguard/v1/units"), 0);
    assert_off("v1/units");
    assert_int_equal(rmdir("elsewhere"), 0); // nothing was written there
}

static void a_link_in_the_place_of_a_file_is_not_followed(void **state)
{
    (void)state;
    make_sources();
    struct jg_cache *c = open_cache();
    assert_true(keep(c, 1));
    collect_blobs();
    for (unsigned i = 0; i < path_count; i++) {
        char *away = jg_format("away%u", i);
        char *target = jg_format("%s/%s", folder, away);
        assert_int_equal(rename(paths[i], away), 0);
        assert_int_equal(symlink(target, paths[i]), 0);
        assert_int_equal(find(c, 1), MISS);
        assert_int_not_equal(access(paths[i], F_OK), 0); // removed
        assert_int_equal(symlink(target, paths[i]), 0);
        assert_true(keep(c, 1)); // takes its place
        struct stat st;
        assert_int_equal(lstat(paths[i], &st), 0);
        assert_true(S_ISREG(st.st_mode));
        assert_int_equal(access(away, F_OK), 0); // as it was
        free(target);
        free(away);
    }
    free_paths();
    jg_cache_close(c);
}

static void a_folder_that_others_can_write_is_refused(void **state)
{
    (void)state;
    jg_cache_close(open_cache());
    chmod("cache/jniguard/v1", 0777);
    assert_off("can be written by others");
    chmod("cache/jniguard/v1", 0700);
    chmod("cache/jniguard", 0777);
    assert_off("can be written by others");
    chmod("cache/jniguard", 0700);
    chmod("cache/jniguard/v1/units", 0720);
    assert_off("can be written by others");
    chmod("cache/jniguard/v1/units", 0700);
    jg_cache_close(open_cache());
}

static void a_folder_of_somebody_else_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("skipped: only root can give a folder away\n");
        skip();
    }
    jg_cache_close(open_cache());
    assert_int_equal(chown("cache/jniguard/v1", 65534, 65534), 0);
    assert_off("belongs to another user (65534)");
}

static void without_a_folder_it_is_off_and_quiet(void **state)
{
    (void)state;
    unsetenv("HOME");
    setenv("XDG_CACHE_HOME", "relative", 1);
    struct jg_cache *c = jg_cache_open("test");
    assert_non_null(strstr(jg_cache_why_off(c), "HOME"));
    assert_null(jg_cache_trouble(c));
    jg_cache_close(c);
    setenv("HOME", folder, 1);
    jg_cache_close(open_cache());
    assert_int_equal(access(".cache/jniguard/v1/units", F_OK), 0);
    assert_int_not_equal(access("relative", F_OK), 0);
    setenv("HOME", "/nonexistent/home", 1);
    c = jg_cache_open("test");
    assert_non_null(jg_cache_trouble(c));
    jg_cache_close(c);
    jg_cache_close(NULL);
    assert_null(jg_cache_trouble(NULL));
    assert_non_null(jg_cache_why_off(NULL));
}

// ---- size ---------------------------------------------------------------------------------------

static void set_age(const char *path, time_t seconds)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static time_t age_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return time(NULL) - st.st_mtime;
}

static void the_oldest_go_first(void **state)
{
    (void)state;
    struct jg_cache *c = open_cache();
    char bytes[936] = ""; // 1,000 with the header
    for (unsigned i = 0; i < 10; i++) {
        struct jg_hash key = hash_of(i);
        char hex[JG_HASH_HEX];
        assert_true(jg_cache_write(c, JG_CACHE_UNIT, &key, bytes, sizeof bytes));
        char *path = jg_format("cache/jniguard/v1/units/%s", jg_hash_hex(&key, hex));
        set_age(path, 1000 - 10 * (time_t)i);
        free(path);
    }
    write_file("cache/jniguard/v1/units/strange", "");
    char left[] = "cache/jniguard/v1/units/" JG_CACHE_TEMPORARY
                  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    write_file(left, "12345");
    assert_int_equal(jg_cache_sweep(&c->folders, 20000), 10005);
    assert_int_equal(access(left, F_OK), 0); // its writer may live
    set_age(left, 2 * 60 * 60);
    assert_int_equal(jg_cache_sweep(&c->folders, 10000), 10000);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(jg_cache_sweep(&c->folders, 9999), 7000);
    for (unsigned i = 0; i < 10; i++) {
        struct jg_hash key = hash_of(i);
        struct jg_cache_bytes found;
        assert_int_equal(jg_cache_map(c, JG_CACHE_UNIT, &key, &found), i >= 3);
        jg_cache_unmap(&found);
    }
    assert_int_equal(access("cache/jniguard/v1/units/strange", F_OK), 0);
    jg_cache_close(c);
}

static void a_use_is_noted_once_a_day(void **state)
{
    (void)state;
    make_sources();
    struct jg_cache *c = open_cache();
    assert_true(keep(c, 1));
    collect_blobs();
    static const time_t ages[] = {1000, 2 * 24 * 60 * 60};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < path_count; k++)
            set_age(paths[k], ages[i]);
        assert_int_equal(find(c, 1), SAME);
        for (unsigned k = 0; k < path_count; k++)
            assert_int_equal(age_of(paths[k]) < 1000, i == 1);
    }
    free_paths();
    jg_cache_close(c);
}

static unsigned long long read_usage(void)
{
    unsigned long long bytes = 0;
    FILE *f = fopen("cache/jniguard/v1/usage", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%llu", &bytes), 1);
    fclose(f);
    return bytes;
}

static void the_total_is_counted(void **state)
{
    (void)state;
    make_sources();
    struct jg_cache_info info;
    static const char *const wrong[] = {"", "nonsense", "-1 -1", "18446744073709551615 0",
                                        "5 99999999999999"};
    for (unsigned i = 0; i < UNITS; i++) {
        struct jg_cache *c = open_cache();
        assert_true(keep(c, i));
        jg_cache_close(c);
        assert_null(jg_cache_info(&info));
        assert_int_equal(info.bytes, read_usage());
        assert_int_equal(info.units, i + 1);
        assert_int_equal(info.files, 2 * (i + 1));
        free(info.folder);
        if (i < sizeof wrong / sizeof *wrong)
            write_file("cache/jniguard/v1/usage", wrong[i]); // is then counted anew
    }
}

static void clear_removes_what_the_cache_made(void **state)
{
    (void)state;
    struct jg_cache_info info;
    assert_null(jg_cache_clear(&info));
    assert_false(info.exists);
    assert_non_null(strstr(info.folder, "/cache/jniguard/v1"));
    free(info.folder);
    make_sources();
    for (unsigned round = 0; round < 2; round++) {
        struct jg_cache *c = open_cache();
        assert_true(keep(c, 1));
        jg_cache_close(c);
        if (round == 0)
            mkdir("cache/jniguard/realworld", 0700);
        else
            write_file("cache/jniguard/v1/units/strange", "");
        assert_null(jg_cache_clear(&info));
        assert_true(info.exists);
        assert_int_equal(info.files, 2);
        free(info.folder);
        assert_int_equal(access("cache/jniguard/realworld", F_OK), 0);
        assert_int_equal(access("cache/jniguard/v1", F_OK) == 0, round == 1);
    }
    assert_int_equal(access("cache/jniguard/v1/units/strange", F_OK), 0);
    assert_int_not_equal(access("cache/jniguard/v1/manifests", F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_come_back),
        TEST(unused_records_go_when_others_come),
        TEST(records_belong_to_unit_and_tool),
        TEST(a_damaged_file_is_a_miss),
        TEST(a_file_in_another_ones_place_is_a_miss),
        TEST(writers_do_not_disturb_each_other),
        TEST(a_folder_that_vanishes_is_survived),
        TEST(a_limit_on_files_is_survived),
        TEST(a_full_disk_is_survived),
        TEST(a_folder_that_cannot_be_written_still_serves),
        TEST(a_link_in_the_place_of_the_folder_is_refused),
        TEST(a_link_in_the_place_of_a_file_is_not_followed),
        TEST(a_folder_that_others_can_write_is_refused),
        TEST(a_folder_of_somebody_else_is_refused),
        TEST(without_a_folder_it_is_off_and_quiet),
        TEST(the_oldest_go_first),
        TEST(a_use_is_noted_once_a_day),
        TEST(the_total_is_counted),
        TEST(clear_removes_what_the_cache_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
