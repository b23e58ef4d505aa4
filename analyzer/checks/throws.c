// SPDX-License-Identifier: Apache-2.0
//
// What is thrown, and when: a throw while another exception is pending, and a class or an object
// thrown that is no Throwable.
//
// A class counts as no Throwable by its name alone, and only below java/, whose throwables all end
// in one of a few words. Not seen here: classes that come out of a cache, a parameter or a field.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

static const struct jg_insn *jni_call(const struct jg_insn *in)
{
    return in && jg_insn_jni(in) ? in : NULL;
}

// The JNI call that an argument is the result of, through a local variable that is set once.
static const struct jg_insn *argument_from(const struct jg_engine *e, const struct jg_unit *u,
                                           const struct jg_insn *call, uint32_t index)
{
    if (index >= call->arg_count)
        return NULL;
    uint32_t temp = u->args.data[call->first_arg + index];
    uint32_t var = jg_engine_loaded(e, temp);
    const struct jg_insn *store = var == JG_NONE ? NULL : jg_engine_sole_store(e, var);
    return jni_call(jg_engine_definition(e, store ? store->b : temp));
}

// ---- over another one ---------------------------------------------------------------------------

// Is the object thrown the exception that is pending: `Throw(env, ExceptionOccurred(env))`?
static bool is_the_same(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *in = &d->unit->insns.data[v->insn];
    if (in->a != JG_JNI_Throw || in->arg_count < 2)
        return false;
    const struct jg_insn *made = argument_from(d->engine, d->unit, in, 1);
    return made && made->a == JG_JNI_ExceptionOccurred;
}

bool jg_describe_throw_over(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *throws = jg_called(d, v->insn), *origin = jg_called(d, v->origin);
    bool checked = strncmp(origin, "Exception", 9) == 0;
    bool java = strncmp(origin, "Call", 4) == 0;
    bool same = is_the_same(d);
    if (same) // nothing is lost
        d->finding->severity = JG_NOTE;
    if (same)
        jg_describe_at(
            d, v->insn,
            "Throw is called in '%s' with the exception that is pending already; only the "
            "exception functions and those that clean up are legal then: return, and "
            "it reaches the Java caller by itself",
            d->function);
    else
        jg_describe_at(
            d, v->insn,
            "%s is called in '%s' while another exception is pending%s; that is illegal, "
            "and the first one, which says what went wrong, is lost: return and leave "
            "it pending, or call ExceptionClear first",
            throws, d->function, jg_whence(d));
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin,
                         checked ? "exception found here"
                         : java  ? "the Java method threw here"
                                 : "first exception thrown here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called with it still pending", throws);
    return true;
}

// ---- no throwable -------------------------------------------------------------------------------

// The literal that a FindClass is given; NULL.
static const char *class_name(const struct jg_moment *m, const struct jg_insn *find)
{
    const struct jg_insn *name =
        find->arg_count < 2
            ? NULL
            : jg_engine_definition(m->engine, m->unit->args.data[find->first_arg + 1]);
    return name && name->op == JG_OP_STR ? jg_unit_str(m->unit, name->a) : NULL;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

// Every throwable of the packages below java/ is called so (java/sql/SQLWarning, DataTruncation).
static bool is_throwable(const char *name)
{
    static const char *const ends[] = {"Exception", "Error",   "Throwable",
                                       "Death",     "Warning", "DataTruncation"};
    if (strncmp(name, "java/", 5) != 0 || strchr(name, '.') || strchr(name, ';'))
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(name, ends[i]))
            return true;
    return false;
}

static bool makes_string_or_array(const struct jg_insn *in)
{
    const char *name = jg_jni_function(in->a)->name;
    return strncmp(name, "NewString", 9) == 0 ||
           (strncmp(name, "New", 3) == 0 && ends_in(name, "Array"));
}

// What a class object made by `in` stands for when that is no throwable; NULL when it may be one.
static const char *bad_class(const struct jg_moment *m, const struct jg_insn *in, int depth)
{
    if (!in || depth > 3)
        return NULL;
    if (in->a == JG_JNI_FindClass) {
        const char *name = class_name(m, in);
        return name && !is_throwable(name) ? name : NULL;
    }
    if (in->a == JG_JNI_NewGlobalRef || in->a == JG_JNI_NewLocalRef)
        return bad_class(m, argument_from(m->engine, m->unit, in, 1), depth + 1);
    if (in->a != JG_JNI_GetObjectClass)
        return NULL;
    const struct jg_insn *object = argument_from(m->engine, m->unit, in, 1);
    if (!object || !makes_string_or_array(object))
        return NULL;
    return strncmp(jg_jni_function(object->a)->name, "NewString", 9) == 0 ? "java/lang/String"
                                                                          : "an array";
}

static bool makes_class(const struct jg_insn *in)
{
    return in->a == JG_JNI_FindClass || in->a == JG_JNI_GetObjectClass ||
           in->a == JG_JNI_GetSuperclass || in->a == JG_JNI_DefineClass;
}

// number: 1 a class given to Throw, 2 an object given to Throw, 3 a class given to ThrowNew.
static void report(const struct jg_moment *m, const char *what, int number, jg_value thrown,
                   const struct jg_insn *made)
{
    struct jg_violation v = jg_violation_of(JG_RULE_EXCEPTION_CLASS_NOT_THROWABLE);
    v.detail = what;
    v.number = number;
    v.name = jg_moment_name(m, thrown);
    v.origin = jg_insn_index(m->unit, made);
    jg_moment_report(m, v, m->insn);
}

void jg_watch_thrown(const struct jg_moment *m)
{
    bool object = jg_moment_calls(m, JG_JNI_Throw);
    if ((!object && !jg_moment_calls(m, JG_JNI_ThrowNew)) || m->call->arg_count < 2)
        return;
    uint32_t insn = jg_moment_made(m, m->args[1]);
    const struct jg_insn *made = insn == JG_NONE ? NULL : jni_call(&m->unit->insns.data[insn]);
    if (!made)
        return;
    const char *what;
    if (!object) {
        what = bad_class(m, made, 0);
        if (what)
            report(m, what, 3, m->args[1], made);
    } else if (makes_class(made)) {
        report(m, NULL, 1, m->args[1], made);
    } else if (makes_string_or_array(made)) {
        bool string = strncmp(jg_jni_function(made->a)->name, "NewString", 9) == 0;
        report(m, string ? "java/lang/String" : "an array", 2, m->args[1], made);
    } else if (strncmp(jg_jni_function(made->a)->name, "NewObject", 9) == 0 ||
               made->a == JG_JNI_AllocObject) {
        what = makes_string_or_array(made)
                   ? NULL
                   : bad_class(m, argument_from(m->engine, m->unit, made, 1), 0);
        if (what)
            report(m, what, 2, m->args[1], made);
    }
}

bool jg_describe_not_throwable(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    const char *it = v->name ? jg_bump_format(d->arena, "'%s'", v->name)
                             : jg_bump_format(d->arena, "from %s", made);
    if (v->number == 1)
        jg_describe_at(
            d, v->insn,
            "Throw is given the class %s in '%s'; it throws an object that exists already: use "
            "ThrowNew(env, class, message), which makes one of the class",
            it, d->function);
    else if (v->number == 2)
        jg_describe_at(d, v->insn,
                       "Throw is given the object %s of class %s in '%s'; that is no Throwable, "
                       "and what is thrown is undefined: throw an instance of an exception class",
                       it, v->detail, d->function);
    else
        jg_describe_at(
            d, v->insn,
            "ThrowNew is given the class %s, %s, in '%s'; that is no Throwable, and what "
            "is thrown is undefined: name an exception class such as "
            "java/lang/IllegalArgumentException",
            it, v->detail, d->function);
    jg_describe_path_past(d, 1, v->origin, jg_bump_format(d->arena, "made by %s", made));
    jg_describe_step(d, v->insn, "thrown here");
    return true;
}
