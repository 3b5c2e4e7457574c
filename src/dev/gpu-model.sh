#!/usr/bin/env bash
# GPUs on paper: plans the ten networks of the benchmarks for the GPUs of device-profiles, compiles what they launch, and
# writes docs/benchmarks/gpu-model.md with the times that are predicted. No GPU takes part.
#
# Usage: src/dev/gpu-model.sh [page]   everything; some minutes
#        src/dev/gpu-model.sh predictions   the times of networks in that page alone, without compilers
#        src/dev/gpu-model.sh check    no page: fails if registers of a planned kernel spill on gfx1030 or sm_80
#
# Needs Maven, python3, clang-15 and libclc-15; ptxas for NVIDIA's columns. Intel's compiler (ocloc) is taken where it is
# installed; page downloads Debian's into target/ocloc where apt-get can: installed, its driver would be a platform in
# every test. out/gpu-model keeps what was compiled.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

unpack_ocloc() {
    local folder=$PWD/target/ocloc package
    if [ ! -x "$folder/usr/bin/ocloc" ]; then
        mkdir -p "$folder"
        (cd "$folder" && apt-get download -q intel-opencl-icd libigc1 libigdfcl1 libigdgmm12 libopencl-clang14 \
            libllvmspirvlib14 libllvm14 libclang-cpp14) || return
        for package in "$folder"/*.deb; do
            dpkg -x "$package" "$folder" || return
        done
        rm -f "$folder"/*.deb
    fi
    PATH=$folder/usr/bin:$PATH
    LD_LIBRARY_PATH=$(dirname "$(find "$folder/usr/lib" -name 'libigc.so.1' | head -n 1)"):${LD_LIBRARY_PATH:-}
    export PATH LD_LIBRARY_PATH
}

case ${1:-page} in
    page)
        mvn -B -q process-test-classes -Pgpu-model
        if ! command -v ocloc >/dev/null && command -v apt-get >/dev/null; then
            unpack_ocloc || echo "ocloc cannot be had; Intel's columns stay empty"
        fi
        python3 src/dev/gpu_model.py page
        ;;
    predictions)
        mvn -B -q process-test-classes -Pgpu-model
        python3 src/dev/gpu_model.py predictions
        ;;
    check)
        mvn -B -q process-test-classes -Pgpu-model
        COMPILERS=gfx1030,sm_80 python3 src/dev/gpu_model.py check
        ;;
    *) sed -n '2,/^set -/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 2 ;;
esac
