#!/usr/bin/env bash
# Tries the README's two commands on a machine with a JDK, Maven and nothing else: a minimal Debian in a folder, with a
# clone of what is committed here. Needs root, debootstrap and some minutes; fails if one of the commands does.
#
# Usage: src/dev/fresh-machine.sh [--without-test] [--repository FOLDER] [--suite NAME] [--jdk PACKAGE]
#
#        --without-test        install the packages that ./test installs, and leave ./test itself out
#        --repository FOLDER   a local Maven repository to use, instead of loading all libraries anew
#        --suite NAME          the Debian, default bookworm (JDK 17, PoCL 3.1); trixie has PoCL 6.0, JDK 21 and 25
#        --jdk PACKAGE         default default-jdk-headless; openjdk-25-jdk-headless, for example
#
# Mirror and proxies are those of this machine's apt, Maven's settings those of ~/.m2/settings.xml. Mounts are seen by
# this program alone, and end with it however it ends.
set -euo pipefail

suite=bookworm
checkout=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

with_test=true
repository=
jdk=default-jdk-headless
while [ $# -gt 0 ]; do
    case $1 in
        --without-test) with_test=false ;;
        --suite) suite=$2 && shift ;;
        --jdk) jdk=$2 && shift ;;
        --repository) repository=$(cd -- "$2" && pwd) && shift ;;
        *) sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    esac
    shift
done
[ "$(id -u)" -eq 0 ] || { echo "fresh-machine: needs root" >&2; exit 2; }
for tool in debootstrap unshare git; do
    command -v "$tool" >/dev/null || { echo "fresh-machine: $tool is missing (apt-get install debootstrap util-linux git)" >&2; exit 2; }
done

machine=$(mktemp -d)
export machine
trap 'rm -rf --one-file-system "$machine"' EXIT

# Runs a command line in the clone, or in the home folder before there is one.
inside() {
    local passed=() name
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!name:-}" ] || passed+=("$name=${!name}")
    done
    chroot "$machine" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${passed[@]+"${passed[@]}"} \
        bash -c "cd ~/clinfer 2>/dev/null || cd; $1"
}

make_machine() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" 2>/dev/null | head -n 1)
    debootstrap --variant=minbase "$suite" "$machine" ${mirror:+"$mirror"}
    apt-config dump | grep -E '^Acquire::(http|https|Check|Retries)' >"$machine/etc/apt/apt.conf.d/90host" || true
    cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
    mount -t proc proc "$machine/proc"
    mount --rbind /dev "$machine/dev"
    mount --rbind /sys "$machine/sys"
    inside "apt-get update -q && apt-get install -q -y --no-install-recommends $jdk maven ca-certificates"
    if [ -d /usr/local/share/ca-certificates ]; then
        cp -R /usr/local/share/ca-certificates/. "$machine/usr/local/share/ca-certificates/"
        inside update-ca-certificates
    fi
    git clone -q --no-local "$checkout" "$machine/root/clinfer"
    mkdir -p "$machine/root/.m2"
    if [ -f ~/.m2/settings.xml ]; then
        cp ~/.m2/settings.xml "$machine/root/.m2/"
    fi
    if [ -n "$repository" ]; then
        mkdir "$machine/root/.m2/repository"
        mount --bind "$repository" "$machine/root/.m2/repository"
    fi
    if [ -d "$checkout/../shared" ]; then
        mkdir "$machine/root/shared"
        mount --bind "$checkout/../shared" "$machine/root/shared"
        mount -o remount,bind,ro "$machine/root/shared"
    fi
}


# passes NAME COMMAND [PATTERN]: the command succeeds, and prints a line that has the pattern.
passes() {
    local log=$machine/log started=$SECONDS result=passed
    echo "== $1"
    inside "$2" 2>&1 | tee "$log" || result=FAILED
    if [ -n "${3:-}" ] && ! grep -q -E -- "$3" "$log"; then
        result="FAILED: does not print $3"
    fi
    [ "$result" = passed ] || failed=1
    results+=("$(printf '%-44s %5d s  %s' "$1" $((SECONDS - started)) "$result")")
}

try_all() {
    make_machine
    passes 'no OpenCL: ./clinfer demo, built first' './clinfer demo && test -s clinfer-demo.png' 'everything runs on the CPU'
    passes 'no OpenCL: ./clinfer devices' './clinfer devices' '^No OpenCL device: '
    if $with_test; then
        passes './test' './test' '^Tests run: [0-9]+, Failures: 0, Errors: 0'
    else
        passes 'packages of ./test' 'apt-get install -q -y pocl-opencl-icd ocl-icd-libopencl1'
    fi
    passes 'no development package' '! ls /usr/lib/*/libOpenCL.so'
    passes 'OpenCL: ./clinfer devices' './clinfer devices' '^device 0: '
    passes 'OpenCL, JOCL: ./clinfer devices' './clinfer devices --binding jocl' '^device 0: '
    passes 'OpenCL: ./clinfer demo' 'rm -f clinfer-demo.png; ./clinfer demo --device opencl && test -s clinfer-demo.png'
    echo
    printf '%s\n' "${results[@]}"
    return "$failed"
}

# In a namespace of its own, what is mounted is gone with the last process in it, before the folder is deleted.
export -f inside make_machine passes try_all
export suite jdk checkout with_test repository
unshare --mount --propagation private bash -euo pipefail -c 'results=(); failed=0; try_all'
