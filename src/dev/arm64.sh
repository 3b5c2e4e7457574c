#!/usr/bin/env bash
# Runs the operator cases on the CPU path, with vectors and in plain Java, and `clinfer devices` on arm64, under qemu, on a
# Debian of another architecture. Nothing is installed: packages for arm64, with an apt configuration of their own, and
# qemu lie in out/arm64 (0.8 GB). No root. PoCL is asked what it is, no more: told to build a kernel, it does not find its
# library of kernels in the folder for arm64, and aborts.
#
# Usage: src/dev/arm64.sh [OPERATOR,... [LARGEST [TYPE,...]]]
#
#        OPERATOR: the operators to run, default all; LARGEST: the most input elements of a case, default 40; TYPE: the
#        data types, default float32,int8. QEMU_CPU names the processor, default cortex-a72 (vectors of 128 bits; "max"
#        has SVE, with 512).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$PWD/out/arm64
export QEMU_CPU=${QEMU_CPU:-cortex-a72}

if [ ! -e "$folder/complete" ]; then
    mkdir -p "$folder"/apt/lists/partial "$folder"/apt/cache/archives/partial "$folder/root"
    : >"$folder/apt/status"
    cat >"$folder/apt.conf" <<EOF
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
Debug::NoLocking "true";
EOF
    APT_CONFIG=$folder/apt.conf apt-get update -q
    APT_CONFIG=$folder/apt.conf apt-get install -q -y --no-install-recommends --download-only \
        openjdk-17-jre-headless ocl-icd-libopencl1 pocl-opencl-icd
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg -x "$package" "$folder/root"
    done
    (cd "$folder" && apt-get download -q qemu-user-static && dpkg -x qemu-user-static_*.deb "$folder")
    touch "$folder/complete"
fi

mvn -o -q -B test-compile
mvn -o -q -B dependency:build-classpath -DincludeScope=test -Dmdep.outputFile="$folder/classpath"
version=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' pom.xml)
console=org.junit.platform:junit-platform-console-standalone:1.${version#*.}
mvn -q -B dependency:copy "-Dartifact=$console" "-DoutputDirectory=$folder"
classpath=target/test-classes:target/classes:$(cat "$folder/classpath")

java() {
    "$folder/usr/bin/qemu-aarch64-static" -L "$folder/root" \
        "$folder/root/usr/lib/jvm/java-17-openjdk-arm64/bin/java" --add-modules=jdk.incubator.vector -cp "$@"
}

mkdir -p "$folder/none"
for binding in lwjgl jocl; do
    echo "== devices, $binding"
    java "$classpath" org.clinfer.cli.Main devices --binding "$binding"
    echo "== devices, $binding, no driver"
    OCL_ICD_VENDORS=$folder/none java "$classpath" org.clinfer.cli.Main devices --binding "$binding" |
        tee /dev/stderr | grep -q "finds no driver"
done
echo "== operator cases"
export OCL_ICD_VENDORS=$folder/none
java "$(ls "$folder"/junit-platform-console-standalone-*.jar):$classpath" -Dclinfer.cache=off -Dbasedir="$PWD" \
    -Doperators="${1:-}" -Dlargest.case="${2:-40}" -Dtypes="${3:-float32,int8}" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=verbose \
    --details-theme=ascii --select-class=org.clinfer.conformance.OperatorConformanceTest \
    --select-class=org.clinfer.conformance.ConvolutionConformanceTest \
    --select-class=org.clinfer.conformance.WindowConformanceTest --include-methodname='.*#onTheCpu.*' |
    grep --line-buffered -vE "tags:|uniqueId:|parent:|source:|dynamically registered"
