# SPDX-License-Identifier: Apache-2.0
#
# Shared by samples/run and tests/run: finds what is missing, installs it or says how, builds.
# POSIX sh, sourced with the root of the repository as the current folder.

jg_say() {
    printf '%s\n' "$*"
}

# Ends with the one closing line.
jg_finish() { # code text
    jg_say "$0: $2"
    exit "$1"
}

jg_header() { # header
    for folder in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
        [ -e "$folder/$1" ] && return 0
    done
    return 1
}

jg_any() { # file...: does one of them exist?
    for file in "$@"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

jg_command() { # name
    command -v "$1" >/dev/null 2>&1
}

# The Debian packages that are missing, on one line.
jg_missing() {
    jg_command gcc || printf ' gcc'
    jg_header stdio.h || printf ' libc6-dev'
    jg_command cmake || printf ' cmake'
    jg_command ninja || printf ' ninja-build'
    jg_command python3 || printf ' python3'
    jg_any /usr/lib/llvm-19/include/clang-c/Index.h /usr/lib/llvm-1[78]/include/clang-c/Index.h \
        /usr/lib/llvm-2[0-9]/include/clang-c/Index.h || printf ' libclang-19-dev'
    jg_header jansson.h || printf ' libjansson-dev'
    jg_header xxhash.h || printf ' libxxhash-dev'
    jg_header sodium.h || printf ' libsodium-dev'
    jg_header yaml.h || printf ' libyaml-dev'
    jg_header pcre2.h || printf ' libpcre2-dev'
    jg_header cmocka.h || printf ' libcmocka-dev'
    jg_any "${JAVA_HOME:-/nonexistent}/include/jni.h" /usr/lib/jvm/*17*/include/jni.h ||
        printf ' openjdk-17-jdk-headless'
    for tool in "$@"; do # command=package, what only some callers need
        jg_command "${tool%%=*}" || printf ' %s' "${tool#*=}"
    done
}

jg_install() { # command=package...
    missing=$(jg_missing "$@")
    [ -z "$missing" ] && return 0
    # The list is split on purpose.
    # shellcheck disable=SC2086
    if [ "$(id -u)" = 0 ] && jg_command apt-get; then
        jg_say "installing:$missing"
        log=$(mktemp)
        if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y \
            --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
            tail -n 20 "$log"
            rm -f "$log"
            jg_finish 2 "could not install$missing"
        fi
        rm -f "$log"
        missing=$(jg_missing "$@")
        [ -z "$missing" ] && return 0
        jg_finish 2 "still missing after the installation:$missing"
    fi
    jg_say "missing; install with:"
    jg_say "    sudo apt-get update && sudo apt-get install$missing"
    jg_finish 2 "stopped: packages are missing"
}

# Ends when build/ is somebody else's: before anything is installed for nothing.
jg_writable() { # preset...
    for preset in "$@"; do
        for path in . build "build/$preset" "build/$preset.log"; do
            [ ! -e "$path" ] || [ -w "$path" ] || jg_finish 2 \
                "$path belongs to $(stat -c %U "$path"); use a clone of your own"
        done
    done
}

# Configures and builds build/<preset>; silent unless it fails.
jg_build() { # preset cmake-arguments...
    preset=$1
    shift
    mkdir -p build
    if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } \
        >"build/$preset.log" 2>&1; then
        tail -n 40 "build/$preset.log"
        jg_finish 2 "the $preset build failed (build/$preset.log)"
    fi
}

# Tests build/<preset>; of what passed the summary alone is shown. Adds to $jg_failed.
jg_test() { # preset
    log=build/$1-tests.log
    names=build/$1/Testing/Temporary/LastTestsFailed.log
    rm -f "$names"
    jg_say "testing $1 ($log)"
    if ctest --test-dir "build/$1" --output-on-failure -j "$(nproc 2>/dev/null || echo 2)" \
        >"$log" 2>&1; then
        grep -E 'tests passed|^Total Test time' "$log" || true
        return 0
    fi
    cat "$log"
    names=$(sed 's/^[0-9]*://' "$names" 2>/dev/null | paste -sd ' ' -)
    jg_failed="${jg_failed:+$jg_failed; }$1: ${names:-ctest itself} (see $log)"
}
