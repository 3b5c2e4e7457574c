#!/bin/sh
# Shows, without a GPU, what compilers for GPUs make of a kernel: registers, spills and local memory of each entry point by
# NVIDIA's assembler (sm_90) and by LLVM's back end for AMD (gfx906), and where their assembly is to be read. A kernel that
# spills, or whose registers leave room for one work-group alone, is slow whatever else it does.
#
# Usage: src/dev/gpu-registers.sh FILE.cl [-DMACRO=VALUE ...]
#        src/dev/gpu-registers.sh kernels-cl/linalg/matmul_strided_groups.cl -DELEMENT=float32 -DTILE=128
#
# Needs clang 15 and libclc 15 (Debian: apt-get install clang-15 libclc-15); ptxas of NVIDIA's CUDA tools for the first.
set -eu

[ $# -gt 0 ] || { sed -n '2,/^set /p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 2; }
file=$1
shift
folder=$(cd "$(dirname "$0")/../.." && pwd)/kernels-cl
work=$(mktemp -d)

compile() {
    target=$1
    library=$2
    shift 2
    clang-15 -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -O3 -w -I"$folder" -Dcl_khr_fp64 -target "$target" \
        -Xclang -mlink-builtin-bitcode -Xclang "/usr/lib/clc/$library.bc" "$@" -S "$file"
}

compile nvptx64-nvidia-nvcl nvptx64--nvidiacl -Xclang -target-cpu -Xclang sm_80 -Xclang -target-feature -Xclang +ptx72 \
    -Dcl_clang_storage_class_specifiers "$@" -o "$work/nvidia.ptx"
if command -v ptxas >/dev/null; then
    ptxas -v -arch=sm_90 -o /dev/null "$work/nvidia.ptx" 2>&1 | grep -E 'Compiling|spill|Used' |
        sed 's/ptxas info *: //; s/Compiling entry function/NVIDIA/'
fi
compile amdgcn-mesa-mesa3d gfx906-amdgcn-mesa-mesa3d -mcpu=gfx906 "$@" -o "$work/amd.s"
sed -n 's/^\t\.globl\t/AMD /p; s/^; \(NumVgprs\|ScratchSize\|Occupancy\|LDSByteSize\)/    \1/p' "$work/amd.s"
echo "$work/nvidia.ptx $work/amd.s"
