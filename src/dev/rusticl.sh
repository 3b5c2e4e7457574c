#!/bin/sh
# Runs kernel tests on rusticl, Mesa's OpenCL, with its device for processors (llvmpipe) as the only one: a driver with a
# compiler, a queue and rules of its own, 32 KiB of local memory, and neither float64 nor float16. Fails if a test fails.
#
# Usage: src/dev/rusticl.sh [OPERATOR,... [LARGEST [TYPE,... [CASES]]]]
#
#        OPERATOR: the operators to run, "all" for all of them, default a share; LARGEST: the most input elements of a
#        case, default 60; TYPE: the data types, default float32 and int8; CASES: in how many of the smallest cases of a
#        type that it takes each kernel variant runs, default 4. It compiles slowly.
#
# RUSTICL_ICD names the file of the driver and RUSTICL_LIBRARIES the folder of its libraries, where they are not the
# system's.
# COMPILED=1: the tests are compiled already.
set -eu

cd "$(dirname "$0")/../.."
icd=${RUSTICL_ICD:-/etc/OpenCL/vendors/rusticl.icd}
[ -e "$icd" ] || { echo "rusticl is not installed: $icd is missing (Debian: apt-get install mesa-opencl-icd)" >&2; exit 2; }

share=Abs,Add,ArgMax,Ceil,Clip,Concat,CumSum,Div,Equal,Exp,Floor,Gather,Greater,LayerNorm,LeakyRelu,Mul,Neg,Pad,Pow
share=$share,ReduceSum,Relu,Round,Sigmoid,Slice,Softmax,Split,Sub,Tanh,Transpose,Where
operators=${1:-$share}
[ "$operators" != all ] || operators=

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendors"
cp "$icd" "$work/vendors/rusticl.icd"
[ -n "${COMPILED:-}" ] || mvn -o -q -B test-compile

[ -z "${RUSTICL_LIBRARIES:-}" ] || export LD_LIBRARY_PATH="$RUSTICL_LIBRARIES${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS="$work/vendors"
# the driver's compiler takes all memory for some kernels of convolutions: it is to fail before the machine does
# shellcheck disable=SC3045
ulimit -v 14000000
if ! mvn -o -q -B surefire:test -Dtest="ConvolutionConformanceTest#withEveryVariant,OperatorConformanceTest#withEveryVariant,WindowConformanceTest#withEveryVariant" \
    -Dtest.reports="$work/reports" -DtempDir="surefire-${work##*.}" -Drequire.opencl=true -Drequire.device=llvmpipe \
    -Dclinfer.opencl.refused=use \
    -Doperators="$operators" -Dlargest.case="${2:-60}" -Dtypes="${3:-float32,int8}" -Dcases.each="${4:-4}"; then
    echo "the tests failed on rusticl" >&2
    exit 1
fi
echo "rusticl: no findings"
