#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes compile_commands.json for the native code of the JDK, as its build compiles it on Linux.

    database.py SRC GEN OUT [--cxx]

SRC is the unpacked source tree, GEN the folder with headers/<module>/ and include/. The table below
repeats what the JDK says in make/modules/*/Lib*.gmk. A file that belongs to several libraries (the
part shared by the AWT with and without a display) is listed once, for the first that takes it.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

AWT = ["common/awt/utility", "libawt/awt/image", "libawt/awt/image/cvutils", "libawt/java2d",
       "libawt/java2d/loops", "libawt/java2d/pipe"]
JDWP = ["jdk.jdwp.agent:include", "jdk.jdwp.agent:libjdwp/export"]


@dataclass
class Lib:
    """One library or program; folders are looked up below {linux,unix,share}/native of the module,
    or of another one when written module:folder."""
    module: str
    name: str
    flags: list = field(default_factory=list)
    extra: list = field(default_factory=list)    # more source folders
    include: list = field(default_factory=list)  # EXTRA_HEADER_DIRS
    exclude: str = r"(?!)"                       # files left out: a regular expression on the path
    packages: list = field(default_factory=list)  # pkg-config names


# The rows a build for Linux has; the order decides who gets a shared file.
LIBS = [
    Lib("java.base", "libfdlibm"),
    Lib("java.base", "libverify"),
    Lib("java.base", "libjava", ['-DARCHPROPNAME="@OSARCH@"', "@VERSION@"], include=["libfdlibm"]),
    Lib("java.base", "libzip", ["-DUSE_MMAP", "-UDEBUG"], include=["libzip/zlib"]),
    Lib("java.base", "libjli", ["@VERSION@"], include=["libzip/zlib"]),
    Lib("java.base", "libnet"),
    Lib("java.base", "libnio", include=["libnio/ch", "libnio/fs", "libnet"]),
    Lib("java.base", "libjsig", ['-DHOTSPOT_VM_DISTRO="OpenJDK"']),
    Lib("java.base", "libjimage", ["-UDEBUG"]),
    Lib("java.base", "jspawnhelper", ["@VERSION@"], include=["libjava"]),
    Lib("java.base", "launcher", ["@VERSION@", '-DLAUNCHER_NAME="openjdk"', '-DPROGNAME="java"'],
        include=["libjli"]),
    Lib("java.desktop", "libmlib_image",
        ["-D__USE_J2D_NAMES", "-D__MEDIALIB_OLD_NAMES", "-DMLIB_NO_LIBSUNMATH", "-DMLIB_OS64BIT"],
        extra=["common/awt/medialib"], exclude=r"/mlib_c_ImageBlendTable\.c$"),
    Lib("java.desktop", "libawt", ["-D__MEDIALIB_OLD_NAMES", "-D__USE_J2D_NAMES"],
        extra=["common/awt/debug"],
        include=AWT + ["libawt/awt/medialib", "libawt/java2d/opengl", "common/awt/medialib",
                       "libmlib_image", "include", "common/awt"],
        exclude=r"/java2d/d3d/", packages=["x11"]),
    Lib("java.desktop", "libawt_xawt", ["-DXAWT", "-DXAWT_HACK", "-Wno-int-conversion"],
        extra=["common/awt", "common/java2d", "common/font"],
        include=AWT + ["libawt_xawt/awt", "include", "common/awt/debug", "common/awt/systemscale",
                       "common/font", "common/java2d/opengl", "common/java2d/x11",
                       "libpipewire/include"],
        exclude=r"/medialib/|/common/awt/debug/", packages=["x11", "fontconfig"]),
    Lib("java.desktop", "libawt_headless", ["-DHEADLESS=true"],
        include=AWT + ["common/awt", "common/awt/debug", "common/font", "common/java2d/opengl"],
        packages=["x11"]),
    Lib("java.desktop", "libjawt", include=["include", "common/awt"] + AWT, packages=["x11"]),
    Lib("java.desktop", "liblcms", ["-DCMS_DONT_USE_FAST_FLOOR", "-DCMS_NO_HALF_SUPPORT"],
        include=["common/awt/debug", "libawt/java2d"]),
    Lib("java.desktop", "libjavajpeg"),
    Lib("java.desktop", "libfreetype", ["-DFT2_BUILD_LIBRARY"], include=["libfreetype/include"]),
    Lib("java.desktop", "libfontmanager", ["-DLE_STANDALONE", "-DHEADLESS"],
        include=["libfreetype/include", "libharfbuzz", "common/awt", "common/awt/utility",
                 "common/font", "libawt/java2d", "libawt/java2d/pipe", "libawt/java2d/loops"],
        packages=["x11"]),
    Lib("java.desktop", "libsplashscreen",
        ["-DSPLASHSCREEN", "-DPNG_NO_MMX_CODE", "-DPNG_ARM_NEON_OPT=0", "-DWITH_X11",
         "-Wno-incompatible-pointer-types"],
        include=["common/awt/utility", "common/awt/systemscale", "libsplashscreen/giflib",
                 "libsplashscreen/libpng", "libjavajpeg", "java.base:libzip/zlib"],
        exclude=r"/pngtest\.c$", packages=["x11"]),
    Lib("java.desktop", "libjsound",
        ["-DX_PLATFORM=X_LINUX", "-DUSE_PORTS=TRUE", "-DUSE_DAUDIO=TRUE",
         "-DUSE_PLATFORM_MIDI_OUT=TRUE", "-DUSE_PLATFORM_MIDI_IN=TRUE"], packages=["alsa"]),
    Lib("java.instrument", "libinstrument", ["-DNO_JPLIS_LOGGING"], include=["java.base:libjli"]),
    Lib("java.management", "libmanagement"),
    Lib("java.prefs", "libprefs"),
    Lib("java.rmi", "librmi"),
    Lib("java.security.jgss", "libj2gss"),
    Lib("java.smartcardio", "libj2pcsc", ["-D__sun_jdk"], include=["libj2pcsc/MUSCLE"],
        packages=["libpcsclite"]),
    Lib("jdk.attach", "libattach"),
    Lib("jdk.crypto.cryptoki", "libj2pkcs11"),
    Lib("jdk.hotspot.agent", "libsaproc", ["-D_FILE_OFFSET_BITS=64"]),
    Lib("jdk.incubator.foreign", "libsyslookup"),
    Lib("jdk.jdwp.agent", "libjdwp", ["-DJDWP_LOGGING"], include=["include", "libjdwp/export"]),
    Lib("jdk.jdwp.agent", "libdt_socket", ["-DUSE_MMAP"], include=JDWP),
    Lib("jdk.jpackage", "applauncher", exclude=r"\.cpp$"),
    Lib("jdk.jpackage", "libapplauncher", extra=["applauncher", "common"]),
    Lib("jdk.management", "libmanagement_ext"),
    Lib("jdk.management.agent", "libmanagement_agent"),
    Lib("jdk.net", "libextnet"),
    Lib("jdk.sctp", "libsctp", include=["java.base:libnet", "java.base:libnio/ch"]),
    Lib("jdk.security.auth", "libjaas"),
]

# Folders below share, unix or linux that a build for Linux does not compile, and why.
NOT_BUILT = {
    "java.base/share/native/common": "no library of its own",
    "java.desktop/share/native/libawt/java2d/d3d": "Windows only",
    "jdk.jdi/share/native/libdt_shmem": "Windows only (its other half is windows/native)",
}

CPU = {"x86_64": ("amd64", "amd64"), "aarch64": ("aarch64", "aarch64")}


class Tree:
    def __init__(self, src, gen):
        self.src, self.gen = src, gen
        self.machine = os.uname().machine
        self.version = self.version_flags()

    def dirs(self, module, name):
        """The folders of that name, the most special first, as the JDK's build orders them."""
        if ":" in name:
            module, name = name.split(":")
        found = [f"{self.src}/src/{module}/{kind}/native/{name}"
                 for kind in ("linux", "unix", "share")]
        return [d for d in found if os.path.isdir(d)]

    def version_flags(self):
        """VERSION_CFLAGS of make/autoconf/spec.gmk.in, from make/conf/version-numbers.conf."""
        text = open(f"{self.src}/make/conf/version-numbers.conf", encoding="utf-8").read()
        conf = dict(re.findall(r"^DEFAULT_VERSION_(\w+)=(\d+)", text, re.M))
        names = ("FEATURE", "INTERIM", "UPDATE", "PATCH", "EXTRA1", "EXTRA2", "EXTRA3")
        numbers = [conf.get(n, "0") for n in names]
        flags = [f"-DVERSION_{n}={v}" for n, v in zip(names, numbers)]
        number = ".".join(numbers[:3])
        texts = {"PRE": "", "OPT": "", "NUMBER": number, "STRING": number, "SHORT": number,
                 "SPECIFICATION": numbers[0], "DATE": "1970-01-01", "CLASSFILE_MAJOR": "61"}
        flags += [f'-DVERSION_{n}="{v}"' for n, v in texts.items()]
        return flags + ["-DVERSION_BUILD=0", '-DVENDOR_VERSION_STRING=""', '-DVENDOR="OpenJDK"']

    def common_flags(self):
        """CFLAGS_JDKLIB of make/autoconf/flags-cflags.m4 for gcc."""
        arch, define = CPU.get(self.machine, (self.machine, self.machine))
        flags = ["-pipe", "-fPIC", "-D_GNU_SOURCE", "-D_REENTRANT", "-D_LARGEFILE64_SOURCE",
                 "-DLINUX", "-DLIBC=gnu", "-DNDEBUG", "-D_LP64=1", f'-DARCH="{arch}"',
                 f"-D{define}", "-D_LITTLE_ENDIAN", "-fno-strict-aliasing", "-fvisibility=hidden",
                 "-O2", "-g", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused"]
        includes = [f"{self.gen}/include"]
        includes += self.dirs("java.base", "include") + self.dirs("java.base", "libjava")
        includes += [f"{self.src}/src/hotspot/share/include",
                     f"{self.src}/src/hotspot/os/posix/include"]
        return flags + [f"-I{d}" for d in includes]

    def lib_flags(self, lib):
        flags = []
        for flag in lib.flags:
            if flag == "@VERSION@":
                flags += self.version
            else:
                flags.append(flag.replace("@OSARCH@", CPU.get(self.machine, (self.machine,))[0]))
        dirs = [d for name in [lib.name] + lib.extra for d in self.dirs(lib.module, name)]
        dirs.append(f"{self.gen}/headers/{lib.module}")
        dirs += [d for name in lib.include for d in self.dirs(lib.module, name)]
        dirs.append(f"{self.gen}/headers/java.base")
        flags += [f"-I{d}" for d in dict.fromkeys(dirs)]
        return flags + pkg_config(lib.packages)

    def sources(self, lib, suffix):
        for name in [lib.name] + lib.extra:
            for top in self.dirs(lib.module, name):
                for folder, subs, files in os.walk(top):
                    subs.sort()
                    for f in sorted(files):
                        path = os.path.join(folder, f)
                        if f.endswith(suffix) and not re.search(lib.exclude, path):
                            yield path


def pkg_config(packages):
    if not packages:
        return []
    out = subprocess.run(["pkg-config", "--cflags"] + packages, capture_output=True, text=True)
    return out.stdout.split() if out.returncode == 0 else []


def entries(tree, suffix):
    compiler = ["cc", "-std=c99"] if suffix == ".c" else ["c++", "-std=c++14"]
    seen = set()
    for lib in LIBS:
        arguments = compiler + tree.lib_flags(lib) + tree.common_flags()
        for path in tree.sources(lib, suffix):
            if path not in seen:
                seen.add(path)
                yield {"directory": tree.src, "file": path,
                       "arguments": arguments + ["-c", path, "-o", os.path.basename(path) + ".o"]}


def left_out(tree, listed):
    """Every C file in a Linux folder that no row takes, so that a silent loss shows."""
    for folder, _, files in os.walk(f"{tree.src}/src"):
        if re.search(r"/src/[^/]+/(share|unix|linux)/native(/|$)", folder):
            for f in files:
                path = os.path.join(folder, f)
                if f.endswith(".c") and path not in listed:
                    yield os.path.relpath(path, f"{tree.src}/src")


def write(path, database):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as out:
        json.dump(database, out, indent=1)
        out.write("\n")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("src")
    parser.add_argument("gen")
    parser.add_argument("out", help="folder of compile_commands.json")
    parser.add_argument("--cxx", action="store_true", help="also OUT/cxx/compile_commands.json")
    options = parser.parse_args()
    tree = Tree(os.path.abspath(options.src), os.path.abspath(options.gen))
    database = list(entries(tree, ".c"))
    write(f"{options.out}/compile_commands.json", database)
    print(f"{len(database)} C files", file=sys.stderr)
    if options.cxx:
        cxx = list(entries(tree, ".cpp"))
        write(f"{options.out}/cxx/compile_commands.json", cxx)
        print(f"{len(cxx)} C++ files", file=sys.stderr)
    for path in sorted(left_out(tree, {e["file"] for e in database})):
        why = next((w for p, w in NOT_BUILT.items() if path.startswith(p)), "see database.py")
        print(f"left out: {path}: {why}", file=sys.stderr)


if __name__ == "__main__":
    main()
