#!/usr/bin/env bash
# Tests and measures Clinfer on a machine with a GPU on which there is nothing but its driver: no JDK, no Maven, no
# OpenCL loader, no network. Time there may be short: both commands end by themselves in time, print as they go, and leave
# what they have.
#
# Usage: src/dev/gpu-run.sh prepare                      here, with JDK, Maven and apt-get: fills out/gpu (33 MB)
#        src/dev/gpu-run.sh tests [RESULTS [SECONDS]]    there, in a copy of this checkout with out/gpu: kernels for GPUs in
#                                                        every operator, and the tests that use a device
#        src/dev/gpu-run.sh bench [RESULTS [SECONDS]]    there: networks, matrix products and moves, beside PyTorch where
#                                                        Python has it
#
# RESULTS is a folder for logs and tables, default out/gpu-results; SECONDS the time it may take, default 540. bench writes
# RESULTS/gpu.md, with goals and ratios. Built programs are packed into RESULTS/cache.tgz; as out/gpu/cache.tgz the next run
# begins with them.
# OPENCL_DRIVER names the driver's library, default NVIDIA's, wherever it is. TYPES and CASES are the data types of operators
# and how many cases of each run, default float32,float16,int8 and 1: NVIDIA's compiler takes 0.3 to 1 s a program.
# WORKERS processes test at the same time, default one for each processor.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
kit=out/gpu
results=${2:-out/gpu-results}
deadline=$(($(date +%s) + ${3:-540}))
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml
modules=$modules,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs
console=org.junit.platform:junit-platform-console-standalone
shards=24
# the longest first
classes="FusionParityTest Float16Test opencl.FaultInjectionTest LaunchesTest opencl.LwjglOpenClTest opencl.JoclOpenClTest \
    GpuFusionParityTest opencl.LwjglKernelTest opencl.JoclKernelTest MatrixUnitsTest OpenClSessionTest PinnedTransferTest \
    Tf32Test MixedPlacementTest SeveralDevicesTest"
packages="networks run plan"

prepare() {
    rm -rf "$kit/lib" "$kit/loader" "$kit/models"
    mkdir -p "$kit/lib" "$kit/loader" "$kit/models"
    mvn -q -B -DskipTests -Dspotless.check.skip package
    mvn -q -B dependency:copy-dependencies -DexcludeScope=runtime -DoutputDirectory="$PWD/$kit/lib"
    local version
    version=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' pom.xml)
    mvn -q -B dependency:copy "-Dartifact=$console:1.${version#*.}" "-DoutputDirectory=$PWD/$kit"
    mv "$kit"/junit-platform-console-standalone-*.jar "$kit/console.jar"
    # the console has the platform and the engines in it; AssertJ has Byte Buddy for what no test uses
    rm -f "$kit"/lib/junit-* "$kit"/lib/byte-buddy-* "$kit"/lib/archunit* "$kit"/lib/opentest4j-* "$kit"/lib/apiguardian-*
    # the program without its service and what only other systems load, stored: an archive of all is then half as large
    rm -rf "$kit/program"
    mkdir "$kit/program"
    (
        cd "$kit/program"
        unzip -q ../../../target/clinfer-cli.jar
        rm -rf io/grpc io/prometheus io/micrometer org/eclipse com/google/a* com/google/c* com/google/r* META-INF/native \
            META-INF/windows META-INF/macos
        jar -c -0 -f ../clinfer-cli.jar -m META-INF/MANIFEST.MF .
    )
    rm -rf "$kit/program"
    tar -cJf "$kit/classes.txz" -C target test-classes -C "../$kit" clinfer-cli.jar
    rm "$kit/clinfer-cli.jar"
    jlink --add-modules "$modules" --strip-debug --no-man-pages --no-header-files --compress=0 --output "$kit/jdk"
    rm -rf "$kit/jdk/legal"
    tar -C "$kit" -cJf "$kit/jdk.txz" jdk
    rm -rf "$kit/jdk"
    (cd "$kit/loader" && apt-get download -q ocl-icd-libopencl1 && dpkg -x ocl-icd-libopencl1_*.deb . && rm ./*.deb)
    python3 src/dev/gpu_models.py "$kit/models"
    du -sh "$kit"
}

left() {
    echo $((deadline - $(date +%s)))
}

driver() {
    local found=${OPENCL_DRIVER:-}
    [ -n "$found" ] || found=$(find /usr /opt -name 'libnvidia-opencl.so*' 2>/dev/null | sort | head -n 1 || true)
    echo "${found:-libnvidia-opencl.so.1}"
}

# tar alone where there is xz, else Python
extract() {
    tar -C "$work" -xJf "$1" 2>/dev/null || python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$1" "$work"
}

# Unpacks the kit, and lets the loader find the driver.
unpack() {
    work=$(mktemp -d)
    extract "$kit/jdk.txz"
    extract "$kit/classes.txz"
    # as a JDK that is installed: its own classes in an archive
    "$work/jdk/bin/java" -Xshare:dump >/dev/null 2>&1 || true
    [ ! -f "$kit/cache.tgz" ] || tar -C "$work" -xzf "$kit/cache.tgz"
    mkdir -p "$work/vendors" "$work/cache" "$results"
    local library
    library=$(driver)
    echo "$library" >"$work/vendors/gpu.icd"
    export OCL_ICD_VENDORS=$work/vendors CLINFER_CACHE=$work/cache
    LD_LIBRARY_PATH=$PWD/$(dirname "$(find "$kit/loader" -name 'libOpenCL.so.1' | head -n 1)"):$(dirname "$library"):${LD_LIBRARY_PATH:-}
    export LD_LIBRARY_PATH
    # the program's jar has what it needs from others
    classpath=$work/test-classes:$PWD/$kit/lib/*:$work/clinfer-cli.jar
    # -Dbasedir as Surefire sets it: tests read test-data and kernels from the checkout
    java=("$work/jdk/bin/java" "-Dbasedir=$PWD" --add-modules=jdk.incubator.vector)
    "${java[@]}" -cp "$classpath" org.clinfer.cli.Main devices 2>/dev/null | tee "$results/devices.txt"
}

# Keeps what was built for the next run, without questions to the driver that a process was asking when its time was over.
pack() {
    find "$work/cache" -name '*asked-*' -delete
    tar -C "$work" -czf "$results/cache.tgz" cache
}

# Runs one group of tests, NAME with properties and selectors, in the time that is left, and prints a line for it.
group() {
    local name=$1 log=$results/log.$1 began state=0 properties=() selectors=() argument
    for argument in "${@:2}"; do
        case $argument in
            -D*) properties+=("$argument") ;;
            *) selectors+=("$argument") ;;
        esac
    done
    began=$(date +%s)
    if [ "$(left)" -lt 20 ]; then
        echo "$name: not run, no time is left"
        return
    fi
    timeout -k 2 $(($(left) - 10)) "${java[@]}" -Xmx4g -Drequire.opencl=true "-XX:ErrorFile=$results/crash.$name" \
        "${properties[@]}" -cp "$kit/console.jar:$classpath" org.junit.platform.console.ConsoleLauncher execute \
        --disable-banner --disable-ansi-colors --details=testfeed "${selectors[@]}" >"$log" 2>&1 || state=$?
    case $state in
        0) state=ended ;;
        1) state=FAILED ;;
        124 | 137) state="cut off in $(grep ':: STARTED' "$log" | tail -n 1 | sed 's/^JUnit Jupiter > \(.*\) :: STARTED/\1/')" ;;
        *) state="CRASHED ($state)" ;;
    esac
    echo "$name: $(grep -c ':: SUCCESSFUL' "$log" || true) passed, $(grep -c ':: FAILED' "$log" || true) failed," \
        "$(($(date +%s) - began)) s, $state"
}

# Starts a group as soon as one of WORKERS is free.
start() {
    while [ "$(jobs -rp | wc -l)" -ge "${WORKERS:-$(nproc)}" ]; do
        wait -n || true
    done
    group "$@" &
}

groups() {
    local name method selectors=()
    for name in $classes; do
        start "$name" "--select-class=org.clinfer.$name"
    done
    for name in Convolution Window Operator; do
        for method in withEveryVariantForAnotherKind withItsOwnMatrixUnits; do
            selectors+=("--select-method=org.clinfer.conformance.${name}ConformanceTest#$method(java.lang.String)")
        done
    done
    for ((name = 0; name < shards; name++)); do
        start "operators$name" "-Dshard=$name/$shards" "-Dcases.each=${CASES:-1}" "-Dtypes=${TYPES:-float32,float16,int8}" \
            "${selectors[@]}"
    done
    for name in $packages; do
        start "$name" "--select-package=org.clinfer.$name"
    done
    wait
}

tests() {
    unpack
    groups | tee "$results/tests.txt"
    grep -h -A 12 ':: FAILED' "$results"/log.* | tee "$results/failures.txt" || true
    pack
}

# Writes networks of this batch into a folder of its own.
networks() {
    "${java[@]}" -cp "$classpath" org.clinfer.networks.WriteNetworks "$work/b$1" true "$2" "$1" >/dev/null 2>&1
}

# Builds the programs of files with their precisions, several files at a time: the driver builds one at a time in a process.
warm() {
    local argument precision
    for argument in "$@"; do
        for precision in $(tr ',' ' ' <<<"${argument#*=}"); do
            while [ "$(jobs -rp | wc -l)" -ge "${WORKERS:-$(nproc)}" ]; do
                wait -n || true
            done
            timeout -k 2 60 "${java[@]}" -cp "$classpath" org.clinfer.cli.Main bench "${argument%%=*}" --runs 1 --warmup 0 \
                --device opencl --precision "${precision%+cpu}" >/dev/null 2>>"$results/errors.txt" &
        done
    done
    wait
}

# Measures files, each with its precisions, in one process.
measure() {
    timeout -k 2 "$1" "${java[@]}" -Xmx24g -cp "$classpath" org.clinfer.networks.MeasureGpu "$results/steps" "${@:2}" \
        2>>"$results/errors.txt" || echo "cut off or failed ($?)" >>"$results/errors.txt"
}

# Times a run by the launcher, with everything cached, as a whole process: seconds of REPEATS runs behind one that is left out.
launched() {
    local program=$work/program demo=src/main/resources/org/clinfer/demo i began
    mkdir -p "$program/target" "$program/$demo"
    cp clinfer "$program/"
    cp "$demo/shapes.onnx" "$program/$demo/"
    cp "$work/clinfer-cli.jar" "$program/target/"
    for ((i = 0; i <= ${REPEATS:-4}; i++)); do
        began=$(date +%s%N)
        if ! JAVA_HOME=$work/jdk CLINFER_CACHE=$work/first CUDA_CACHE_PATH=$work/driver timeout -k 2 60 "$program/clinfer" \
            run "$work/b1/resnet50.onnx" --input random --device opencl >/dev/null 2>>"$results/errors.txt"; then
            echo "failed"
        elif [ "$i" != 0 ]; then
            echo "$((($(date +%s%N) - began) / 1000000)) ms"
        fi
    done
}

bench() {
    unpack
    rm -rf "$results/steps"
    mkdir -p "$results/steps"
    : >"$results/errors.txt"
    networks 1 all &
    networks 64 resnet50,vgg19 &
    wait
    local network order=() product moves=("$kit"/models/*.json)
    "${java[@]}" -cp "$classpath" org.clinfer.cli.Main bench "$kit/models/relu.json" --device opencl --runs 5 --warmup 1 --json \
        -o "$results/machine.json" 2>/dev/null || true
    # nothing cached, here and by the driver, and in a second process everything
    for network in nothing everything; do
        CLINFER_CACHE=$work/first CUDA_CACHE_PATH=$work/driver measure 40 "$work/b1/resnet50.onnx=float32" >"$results/first-$network.md"
    done
    launched | tee "$results/first-process.txt"
    for network in resnet50 squeezenet1.1 mobilenetv2 deit_tiny unet vgg19 squeezenet1.0 inception_v1 densenet121 fcn_head; do
        order+=("$work/b1/$network.onnx=float32+cpu")
    done
    order+=("$work/b64/resnet50.onnx=float32,tf32,float16" "$work/b64/vgg19.onnx=float32,tf32,float16")
    for product in 4096 8192 1024; do
        order+=("$kit/models/product$product.json=float32,tf32,float16")
    done
    for network in "${moves[@]}"; do
        [[ $network == *product* ]] || order+=("$network=float32")
    done
    for network in resnet50 deit_tiny vgg19 unet mobilenetv2 squeezenet1.1; do
        order+=("$work/b1/$network.onnx=tf32,float16+cpu")
    done
    warm "${order[@]}"
    measure $(($(left) * 6 / 10)) "${order[@]}" | tee "$results/rows.md"
    pack
    if python3 -c 'import torch' 2>/dev/null; then
        timeout -k 2 $(($(left) - 3)) python3 src/dev/gpu_peer.py "$results/peer.json" $(($(left) - 15)) || true
    fi
    python3 src/dev/gpu_results.py "$results" | tee "$results/gpu.md"
}

case ${1:-} in
    prepare) prepare ;;
    tests) tests ;;
    bench) bench ;;
    *) sed -n '2,/^set -/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 2 ;;
esac
