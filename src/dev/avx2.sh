#!/bin/bash
# Runs the command line on a processor with AVX-512 as on one that has AVX2 alone: Clinfer's kernels and vectors, and
# ONNX Runtime as the peer of `bench`.
#
# Usage: src/dev/avx2.sh COMMAND ARGUMENT...        such as bench target/networks/*.onnx --peer onnxruntime
#
# PoCL takes the processor and its built-in functions from the environment, the JVM has a flag. ONNX Runtime asks the
# processor: in a copy of its library each CPUID instruction is a breakpoint, and a library loaded before answers it
# without the bits of AVX-512, VNNI and AMX. Needs gcc, objdump, python3, unzip, Debian's PoCL and ONNX Runtime in
# Maven's local repository (mvn -Poracle test-compile); caches and the copy lie in target/avx2.
set -euo pipefail
cd "$(dirname "$0")/../.."
at=$PWD/target/avx2
mkdir -p "$at/pocl" "$at/onnxruntime"

if [ ! -e "$at/onnxruntime/libonnxruntime.so" ]; then
    jar=$(ls "${HOME}"/.m2/repository/com/microsoft/onnxruntime/onnxruntime/*/onnxruntime-*.jar | tail -1)
    unzip -qjo "$jar" 'ai/onnxruntime/native/linux-x64/*' -d "$at/onnxruntime"
    library=$at/onnxruntime/libonnxruntime.so
    objdump -d --no-show-raw-insn "$library" | awk '$2 == "cpuid" { print $1 }' | tr -d : > "$at/cpuid"
    python3 - "$library" "$at/cpuid" <<'PYTHON'
import sys
with open(sys.argv[1], 'r+b') as library, open(sys.argv[2]) as places:
    for place in places:
        library.seek(int(place, 16))
        if library.read(2) != b'\x0f\xa2':
            sys.exit('addresses are not offsets in ' + library.name)
        library.seek(-2, 1)
        library.write(b'\xcc\x90')
PYTHON
fi

[ -e "$at/cpuid.so" ] || gcc -O2 -shared -fPIC -o "$at/cpuid.so" -x c - <<'C'
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <ucontext.h>

#define BIT(n) (1u << (n))

static void answer(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
    __cpuid_count(leaf, part, a, b, c, d);
    if (leaf == 7 && part == 0) {
        b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31));
        c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));
        d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));
    } else if (leaf == 7 && part == 1) {
        a &= ~(BIT(4) | BIT(5) | BIT(21));
    }
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
}

__attribute__((constructor)) static void listen(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGTRAP, &action, 0);
}
C

export POCL_LLVM_CPU_NAME=haswell POCL_KERNELLIB_NAME=avx2 POCL_CACHE_DIR="$at/pocl"
export JAVA_TOOL_OPTIONS="-Dclinfer.opencl.lanes=8 -Dclinfer.cache=$at/clinfer -XX:UseAVX=2
    -Donnxruntime.native.path=$at/onnxruntime"
exec env LD_PRELOAD="$at/cpuid.so" ./clinfer "$@"
