#!/bin/sh
# Runs the kernel tests on oclgrind's simulated device, which reports out-of-bounds accesses, data races, reads of
# uninitialised memory and wrong API use. Fails if a test fails or oclgrind reports anything. The operator "chains" stands
# for launches of several operators: their work-groups run one after the other there, and none may wait for a later one.
#
# Usage: src/dev/oclgrind.sh [OPERATOR,... [LARGEST [TYPE,...]]]
#        the operators to run, default all; the most input elements of a case, default 300; the data types, default one
#        of each kind of load and store, because all types walk memory alike
#
# The simulator says it is of every kind and counts as a GPU here, so kernels for processors are not among them.
#
# Kernels are built without optimisation: oclgrind cannot interpret the `freeze` instructions of optimised code.
set -eu

cd "$(dirname "$0")/../.."
operators=${1:-}
largest=${2:-300}
types=${3:-int8,float16,float32,bool}
command -v oclgrind >/dev/null || { echo "oclgrind is not installed (Debian: apt-get install oclgrind)" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -o -q -B test-compile

if [ "$operators" = chains ]; then
    test="ChainTest#randomChains*+builtIn*"
    # it cannot follow writes to sub-buffers, and takes an allocation of a chain for unwritten
    checks="--data-races --check-api --num-threads 1"
else
    test="OperatorConformanceTest#withEveryVariant"
    checks="--data-races --uninitialized --check-api"
fi

status=0
# oclgrind works by LD_PRELOAD, which Surefire must hand on to the JVM that it starts.
# shellcheck disable=SC2016,SC2086
oclgrind --local-mem-size 1048576 $checks --build-options "-cl-opt-disable" --log "$work/log" \
    sh -c 'mvn -o -q -B surefire:test -Dtest="$3" -Dtest.preload="$LD_PRELOAD" \
        -Drequire.opencl=true -Drequire.device=Oclgrind -Dunpoisoned=true -Doperators="$0" -Dlargest.case="$1" -Dtypes="$2"' \
    "$operators" "$largest" "$types" "$test" || status=$?

if [ -s "$work/log" ]; then
    echo "oclgrind reported:" >&2
    grep -v '^$' "$work/log" | head -n 60 >&2
    exit 1
fi
if [ "$status" -ne 0 ]; then
    echo "the tests failed under oclgrind (exit status $status)" >&2
    exit 1
fi
echo "oclgrind: no findings"
