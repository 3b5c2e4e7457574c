#!/usr/bin/env bash
# Holds that a build depends on its sources alone. Builds those of HEAD in two new folders, the second time on another day, in
# another time zone and language, with another umask and other times of files, and compares every artifact byte by byte;
# then builds again in the first folder: as it is, after a change of sources, and after going back. Needs Maven, a network
# (without one the SBOM is not made) and five builds; fails with the first artifact that differs, and its first entries.
# A umask that takes reading away from others is seen in the jars of sources and Javadoc; 022 and 002 are alike.
#
# Usage: src/dev/builds.sh [MAVEN_OPTION...]
# faketime(1) makes the other day, where it is installed.
set -euo pipefail

case ${1:-} in -h | --help) sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}" && exit ;; esac
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "builds: $1" >&2
    exit 1
}

# FOLDER [COMMAND...]: all artifacts, without tests, by Maven as the command starts it
build() {
    local in=$1 log=$folder/log
    shift
    (cd "$in" && "$@" mvn -B -DskipTests "${options[@]}" verify >"$log" 2>&1) ||
        fail "the build fails: $(grep -m 5 ERROR "$log")"
}

# FOLDER: the artifacts of a build there, with their hashes
artifacts() {
    (cd "$1" && sha256sum pom.xml target/clinfer*.jar $(ls target/clinfer-sbom.json 2>/dev/null))
}

# ONE OTHER MESSAGE
compare() {
    local one=$1 other=$2 file
    diff "$one/artifacts" <(artifacts "$other") >"$folder/difference" && return
    while read -r file; do
        echo "builds: $file differs" >&2
        case $file in
            *.jar) diff <(unzip -lv "$one/kept/$file") <(unzip -lv "$other/$file") | head -n 20 >&2 || true ;;
            *) diff "$one/kept/$file" "$other/$file" | head -n 20 >&2 || true ;;
        esac
    done < <(sed -n 's/^[<>] [0-9a-f]*  //p' "$folder/difference" | sort -u)
    fail "$3"
}

options=("$@")
(umask 022 && git clone -q "$root" "$folder/one")
(umask 002 && git clone -q "$root" "$folder/other")
echo "builds: the first"
build "$folder/one" env
artifacts "$folder/one" | tee "$folder/one/artifacts"
mkdir -p "$folder/one/kept/target"
cp "$folder/one"/target/clinfer* "$folder/one/kept/target/"
cp "$folder/one/pom.xml" "$folder/one/kept/"

echo "builds: another day, time zone, language and umask"
later=(env TZ=Asia/Kathmandu LC_ALL=C MAVEN_OPTS=-Duser.language=de)
command -v faketime >/dev/null && later=(env FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "+40d" "${later[@]}")
find "$folder/other" -path "$folder/other/.git" -prune -o -exec touch -h -d '2025-03-01 03:04' {} +
(umask 002 && build "$folder/other" "${later[@]}")
compare "$folder/one" "$folder/other" "two builds of the same sources differ"

echo "builds: once more in the same folder"
build "$folder/one" env
compare "$folder/one" "$folder/one" "a second build in the same folder differs"

echo "builds: other sources, and back"
added=$folder/one/src/main/java/org/clinfer/options/Added.java
printf 'package org.clinfer.options;\n\n/** An interface that goes again. */\npublic interface Added {}\n' >"$added"
build "$folder/one" env
unzip -l "$folder/one/target/clinfer.jar" | grep -q 'options/Added.class' || fail "an added class is not in the jar"
rm "$added"
build "$folder/one" env
compare "$folder/one" "$folder/one" "a build after going back to its sources differs"
echo "builds: all are the same"
