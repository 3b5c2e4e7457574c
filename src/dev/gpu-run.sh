#!/usr/bin/env bash
# Tests and measures Clinfer on a machine with a GPU on which there is nothing but its driver: no JDK, no Maven, no
# OpenCL loader, no network.
#
# Usage: src/dev/gpu-run.sh prepare           here, with JDK, Maven and apt-get: fills out/gpu (50 MB) with all it takes
#        src/dev/gpu-run.sh tests [RESULTS]   there, in a copy of this checkout with out/gpu: the tests that use a device
#        src/dev/gpu-run.sh bench [RESULTS]   there: networks and matrix products, beside PyTorch where Python has it
#
# RESULTS is a folder for logs and tables, default out/gpu-results; bench writes its tables to RESULTS/gpu.md.
# OPENCL_DRIVER names the driver's library, default libnvidia-opencl.so.1.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
kit=out/gpu
results=${2:-out/gpu-results}
driver=${OPENCL_DRIVER:-libnvidia-opencl.so.1}
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml
modules=$modules,jdk.incubator.vector,jdk.unsupported,jdk.zipfs
console=org.junit.platform:junit-platform-console-standalone

prepare() {
    rm -rf "$kit"
    mkdir -p "$kit/lib" "$kit/loader"
    mvn -q -B -DskipTests -Dspotless.check.skip package
    mvn -q -B dependency:copy-dependencies -DincludeScope=test -DoutputDirectory="$PWD/$kit/lib"
    local version
    version=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' pom.xml)
    mvn -q -B dependency:copy "-Dartifact=$console:1.${version#*.}" "-DoutputDirectory=$PWD/$kit"
    mv "$kit"/junit-platform-console-standalone-*.jar "$kit/console.jar"
    # the console has the platform and the engines in it
    rm -f "$kit"/lib/junit-* "$kit"/lib/archunit* "$kit"/lib/lwjgl-*-natives-linux-arm64.jar "$kit"/lib/opentest4j-* "$kit"/lib/apiguardian-*
    tar -C target -cJf "$kit/classes.txz" classes test-classes
    jlink --add-modules "$modules" --strip-debug --no-man-pages --no-header-files --compress=0 --output "$kit/jdk"
    rm -rf "$kit/jdk/legal"
    tar -C "$kit" -cJf "$kit/jdk.txz" jdk
    rm -rf "$kit/jdk"
    (cd "$kit/loader" && apt-get download -q ocl-icd-libopencl1 && dpkg -x ocl-icd-libopencl1_*.deb . && rm ./*.deb)
    du -sh "$kit"
}

# Unpacks the kit, and lets the loader find the driver.
unpack() {
    work=$(mktemp -d)
    tar -C "$work" -xJf "$kit/jdk.txz"
    tar -C "$work" -xJf "$kit/classes.txz"
    mkdir -p "$work/vendors" "$results"
    echo "$driver" >"$work/vendors/gpu.icd"
    export OCL_ICD_VENDORS=$work/vendors
    LD_LIBRARY_PATH=$PWD/$(dirname "$(find "$kit/loader" -name 'libOpenCL.so.1' | head -n 1)"):${LD_LIBRARY_PATH:-}
    export LD_LIBRARY_PATH
    classpath=$work/test-classes:$work/classes:$PWD/$kit/lib/*
    # -Dbasedir as Surefire sets it: tests read test-data and kernels from the checkout
    java=("$work/jdk/bin/java" -Xmx16g "-Dbasedir=$PWD" --add-modules=jdk.incubator.vector -cp)
    clinfer=("${java[@]}" "$classpath" org.clinfer.cli.Main)
    "${clinfer[@]}" devices | tee "$results/devices.txt"
}

tests() {
    unpack
    "${java[@]}" "$kit/console.jar:$classpath" -Drequire.opencl=true \
        org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=summary \
        --select-package=org.clinfer.conformance --select-package=org.clinfer.opencl --select-package=org.clinfer.run \
        --select-package=org.clinfer.plan --select-package=org.clinfer.networks \
        2>&1 | tee "$results/tests.log"
}

networks() {
    local batch=$1
    shift
    "${java[@]}" "$classpath" org.clinfer.networks.WriteNetworks "$work/networks$batch" true "$(IFS=,; echo "$*")" "$batch"
}

# Networks of one product of two matrices of this size.
product() {
    local size=$1 file=$work/product$1.json
    input() {
        echo "{\"name\": \"$1\", \"optype\": \"Input\", \"tensors_out\": [{\"arg_name\": \"y\", \"name\": \"$1\"}], \"params\": [" \
            "{\"arg_name\": \"dtype\", \"value\": \"float32\"}, {\"arg_name\": \"dims\", \"value\": [$size, $size]}]},"
    }
    {
        echo '{"ops": ['
        input a
        input b
        echo '{"name": "product", "optype": "MatMul",' \
            '"tensors_in": [{"arg_name": "a", "name": "a"}, {"arg_name": "b", "name": "b"}],' \
            '"tensors_out": [{"arg_name": "y", "name": "y"}]},'
        echo '{"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}]}]}'
    } >"$file"
    echo "$file"
}

# Measures a model in every precision, and adds what comes of it to the page.
measure() {
    local file=$1 title=$2 precision name
    for precision in float32 tf32 float16; do
        name=$(basename "${file%.*}")-${title//[^0-9a-z]/}-$precision
        "${clinfer[@]}" bench "$file" --device opencl --precision "$precision" --by-operator --json -o "$results/$name.json"
        {
            echo
            echo "## $(basename "${file%.*}")$title, $precision"
            echo
            echo '```'
            "${clinfer[@]}" bench "$file" --device opencl --precision "$precision" --by-operator --runs 30
            echo '```'
        } >>"$results/gpu.md"
    done
}

bench() {
    unpack
    {
        echo "# GPU"
        echo
        echo '```'
        cat "$results/devices.txt"
        echo '```'
    } >"$results/gpu.md"
    local batch file size
    for size in 4096 8192; do
        measure "$(product "$size")" ""
    done
    for batch in 1 8 64; do
        for file in $(networks "$batch" resnet50 vgg19); do
            measure "$file" ", batch $batch"
            rm -f "$file"
        done
    done
    if command -v python3 >/dev/null && python3 -c 'import torch' 2>/dev/null; then
        {
            echo
            echo "## PyTorch on the same machine, in the same precisions"
            echo
            echo '```'
            python3 src/dev/gpu_peer.py
            echo '```'
        } >>"$results/gpu.md"
    fi
    cat "$results/gpu.md"
}

case ${1:-} in
    prepare) prepare ;;
    tests) tests ;;
    bench) bench ;;
    *) sed -n '2,/^set -/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 2 ;;
esac
