#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a program of a given size, for measuring the link step.

FOLDER gets FILES C files with FUNCTIONS functions in all, a header, and compile_commands.json. A
tenth of the functions are native methods; the rest are helpers with a JNI call or two, each of
which calls up to two helpers further down, in any file. One helper in ten begins a chain of calls
of length CHAIN that passes through all others of the chain, so that their summaries can only be
made one after the other; with --chain 0 there is none. The same arguments give the same program.

    tests/bench/generate_program.py --functions 10000 --files 200 --chain 1000 /tmp/program
    jniguard check -p /tmp/program --stats
    tests/bench/generate_program.py --measure --jobs 1,2,4 --sizes 10,100,1000,10000 /tmp/program

--measure makes programs of several sizes, their units, and reports the CPU and clock time of
`jniguard link` (the least of --rounds runs)."""

import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

HELPERS = [
    """    jclass c = (*env)->FindClass(env, name);
    if (c == NULL)
        return NULL;
    jmethodID m = (*env)->GetMethodID(env, c, "toString", "()Ljava/lang/String;");
    if (m == NULL)
        return NULL;
    {calls}
    return (*env)->CallObjectMethod(env, o, m);
""",
    """    if (o == NULL) {{
        (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/NullPointerException"), name);
        return NULL;
    }}
    for (int i = 0; i < depth; i++) {{
        jobject next = (*env)->NewLocalRef(env, o);
        if (next == NULL)
            break;
        (*env)->DeleteLocalRef(env, next);
    }}
    {calls}
    return o;
""",
    """    const char *text = (*env)->GetStringUTFChars(env, (jstring)o, NULL);
    if (text == NULL)
        return NULL;
    depth += text[0] == name[0];
    (*env)->ReleaseStringUTFChars(env, (jstring)o, text);
    {calls}
    return depth > 3 ? o : NULL;
""",
]


def call(callee, last):
    if last:
        return f"return f{callee}(env, o, name, depth - 1);"
    return (f"jobject r{callee} = f{callee}(env, o, name, depth - 1);\n"
            f"    if (r{callee} == NULL || (*env)->ExceptionCheck(env))\n        return NULL;")


def function(number, callees, linked, chance):
    """`linked`: the next of its chain; None."""
    calls = [call(c, False) for c in callees if c != linked]
    if linked is not None:
        calls.append(f"if (depth > 0)\n        {call(linked, True)}")
    text = "\n    ".join(calls) or "(void)depth;"
    if number % 10 == 0:
        return (f"JNIEXPORT jobject JNICALL Java_P_f{number}(JNIEnv *env, jclass k, jobject o)\n"
                f"{{\n    int depth = 9;\n    const char *name = \"P\";\n    (void)k;\n    {text}\n"
                f"    (void)name;\n    return o;\n}}\n")
    body = chance.choice(HELPERS).format(calls=text)
    return (f"jobject f{number}(JNIEnv *env, jobject o, const char *name, int depth)\n"
            f"{{\n    (void)env, (void)o, (void)name;\n{body}}}\n")


def callees_of(number, functions, chance):
    """Helpers with a greater number: nothing calls itself."""
    found = set()
    for _ in range(chance.randrange(3)):
        callee = number + 1 + chance.randrange(50)
        if callee < functions and callee % 10:
            found.add(callee)
    return sorted(found)


def chain_of(functions, length):
    """{helper: the next one}: helpers in the order of their numbers."""
    helpers = [n for n in range(functions) if n % 10][:length]
    return dict(zip(helpers, helpers[1:]))


def generate(folder, functions, files, chain, jni):
    folder.mkdir(parents=True, exist_ok=True)
    chance, following = random.Random(1), chain_of(functions, chain)
    (folder / "program.h").write_text(
        "#include <jni.h>\n#include <stddef.h>\n" +
        "".join(f"jobject f{n}(JNIEnv *env, jobject o, const char *name, int depth);\n"
                for n in range(functions) if n % 10))
    each, commands = -(-functions // files), []
    for k in range(files):
        path = folder / f"part{k:04}.c"
        text = "".join(function(n, callees_of(n, functions, chance), following.get(n), chance)
                       for n in range(k * each, min(functions, (k + 1) * each)))
        path.write_text('#include "program.h"\n' + text)
        commands.append({"directory": str(folder), "file": str(path),
                         "arguments": ["cc", f"-I{jni}", f"-I{jni}/linux", "-c", str(path)]})
    (folder / "compile_commands.json").write_text(json.dumps(commands, indent=1))
    return commands


def run(command):
    """CPU and clock seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if code not in (0, 1):
        sys.exit(f"generate_program: '{' '.join(command[:4])} ...' ended with {code}")
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - begin)


def measure(o):
    print(f"{'functions':>9} {'files':>6} {'chain':>6} {'jobs':>4} {'CPU s':>8} {'clock s':>8} "
          f"{'us/function':>11}")
    for size in (int(word) for word in o.sizes.split(",")):
        files, chain = max(1, size // 50), min(o.chain, size * 9 // 10)
        folder = (o.folder / str(size)).resolve()
        units = []
        for entry in generate(folder, size, files, chain, o.jni):
            units.append(entry["file"][:-1] + "jgu")
            run([o.jniguard, "unit", "-o", units[-1], "--", *entry["arguments"]])
        for jobs in o.jobs.split(","):
            times = [run([o.jniguard, "link", "-j", jobs, *units]) for _ in range(o.rounds)]
            cpu, clock = (min(t[i] for t in times) for i in (0, 1))
            print(f"{size:9} {files:6} {chain:6} {jobs:>4} {cpu:8.3f} {clock:8.3f} "
                  f"{cpu / size * 1e6:11.1f}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--functions", type=int, default=1000)
    p.add_argument("--files", type=int, default=20)
    p.add_argument("--chain", type=int, default=1000, help="length of the chain of calls")
    p.add_argument("--jni", default=os.environ.get(
        "JG_JNI_INCLUDE", "/usr/lib/jvm/java-17-openjdk-amd64/include"), help="folder of jni.h")
    p.add_argument("--measure", action="store_true")
    p.add_argument("--sizes", default="10,100,1000,10000")
    p.add_argument("--jobs", default="1,2,4")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--jniguard", default=str(ROOT / "build/release/bin/jniguard"))
    o = p.parse_args()
    if o.measure:
        measure(o)
    else:
        generate(o.folder.resolve(), o.functions, o.files, o.chain, o.jni)


if __name__ == "__main__":
    main()
