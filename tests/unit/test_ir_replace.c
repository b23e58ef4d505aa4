// SPDX-License-Identifier: Apache-2.0
//
// A replaced file is there whole or is the old one, links stay, and nothing is left behind.

#include "analyzer/ir/mem.h"
#include "analyzer/ir/replace.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/jg-replace-XXXXXX";
static char path[64], link_path[64];

static int begin(void **state)
{
    (void)state;
    strcpy(dir + sizeof dir - 7, "XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/file", dir);
    snprintf(link_path, sizeof link_path, "%s/link", dir);
    return 0;
}

static unsigned entries(void)
{
    unsigned count = 0;
    DIR *d = opendir(dir);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    unlink(link_path);
    return rmdir(dir);
}

static void assert_holds(const char *text)
{
    char got[16] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(got, 1, sizeof got - 1, f) < sizeof got);
    fclose(f);
    assert_string_equal(got, text);
}

static void put(const char *where, const char *text)
{
    struct jg_replacement r;
    assert_null(jg_replace_begin(&r, where));
    fputs(text, r.file);
    assert_null(jg_replace_end(&r));
}

static void the_old_file_stays_until_the_end(void **state)
{
    (void)state;
    struct jg_replacement r;
    put(path, "old");
    assert_null(jg_replace_begin(&r, path));
    fputs("new", r.file);
    fflush(r.file);
    assert_holds("old");
    assert_null(jg_replace_end(&r));
    assert_holds("new");
    assert_int_equal(entries(), 1);
}

static void giving_up_leaves_nothing(void **state)
{
    (void)state;
    struct jg_replacement r;
    assert_null(jg_replace_begin(&r, path));
    fputs("new", r.file);
    jg_replace_cancel(&r);
    assert_int_equal(entries(), 0);
    jg_replace_cancel(&r); // does nothing
}

static void a_link_stays(void **state)
{
    (void)state;
    struct stat st;
    put(path, "old");
    assert_int_equal(symlink("file", link_path), 0);
    put(link_path, "new");
    assert_holds("new");
    assert_int_equal(lstat(link_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(entries(), 2);
}

static void a_link_to_nothing_makes_its_target(void **state)
{
    (void)state;
    assert_int_equal(symlink("file", link_path), 0);
    put(link_path, "new");
    assert_holds("new");
}

// As /dev/stdout when the standard output is a file.
static void a_descriptor_is_written_to(void **state)
{
    (void)state;
    int fd = open(path, O_CREAT | O_RDWR, 0600);
    char *name = jg_format("/dev/fd/%d", fd);
    put(name, "new");
    assert_holds("new");
    assert_int_equal(entries(), 1);
    close(fd);
    free(name);
}

static void errors_name_the_file(void **state)
{
    (void)state;
    struct jg_replacement r;
    char *error = jg_replace_begin(&r, "/nonexistent/x");
    assert_string_equal(error, "/nonexistent/x: No such file or directory");
    free(error);
    assert_null(jg_replace_begin(&r, "/dev/full"));
    fputs("new", r.file);
    error = jg_replace_end(&r);
    assert_string_equal(error, "/dev/full: No space left on device");
    free(error);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_old_file_stays_until_the_end),
        TEST(giving_up_leaves_nothing),
        TEST(a_link_stays),
        TEST(a_link_to_nothing_makes_its_target),
        TEST(a_descriptor_is_written_to),
        TEST(errors_name_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
