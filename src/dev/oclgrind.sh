#!/bin/sh
# Runs the kernel tests on oclgrind's simulated device, which reports out-of-bounds accesses, data races, reads of
# uninitialised memory and wrong API use. Fails if a test fails or oclgrind reports anything.
#
# Usage: src/dev/oclgrind.sh [OPERATOR,... [LARGEST [TYPE,... [CASES]]]]
#        src/dev/oclgrind.sh processors [OPERATOR,... [CASES [TYPE,...]]]
#        src/dev/oclgrind.sh units [OPERATOR,... [LARGEST [TYPE,...]]]
#        src/dev/oclgrind.sh chains [LARGEST]
#        src/dev/oclgrind.sh both [CASES]
#
#        The simulator says that it is of every kind, and counts as a GPU: without a word before, kernels for processors
#        are not tried. "processors" tries these alone, on a device that says it is one; "units" those for matrix units, on
#        one that emulates them, in cases of at most 2000 elements unless LARGEST says otherwise. "chains" stands for launches of
#        several operators: their work-groups run one after the other there, and none may wait for a later one.
#        "both" runs the first two with every operator, at the same time: the simulator takes one processor.
#        OPERATOR: the operators to run, default all; LARGEST: the most input elements of a case, default 300; CASES: in
#        how many of the smallest cases of a type that it takes each kernel variant runs, default all, and 12 of those for
#        processors; TYPE: the data types, default one of each kind of load and store, because all types walk memory alike
#
# Kernels are built without optimisation: oclgrind cannot interpret the `freeze` instructions of optimised code.
set -eu

cd "$(dirname "$0")/../.."
command -v oclgrind >/dev/null || { echo "oclgrind is not installed (Debian: apt-get install oclgrind)" >&2; exit 2; }

if [ "${1:-}" = both ]; then
    [ -n "${COMPILED:-}" ] || mvn -o -q -B test-compile
    COMPILED=1 "$0" "" "" "" "${2:-}" & kernels=$!
    status=0
    COMPILED=1 "$0" processors "" "${2:-12}" || status=$?
    wait $kernels || status=$?
    exit $status
fi

each() {
    echo "ConvolutionConformanceTest#$1,OperatorConformanceTest#$1,WindowConformanceTest#$1"
}

# it can follow reads of uninitialised memory of these tests alone: every tensor is a buffer of its own there
checks="--data-races --uninitialized --check-api"
case ${1:-} in
chains)
    test="ChainTest#randomChains*+builtIn*"
    # it cannot follow writes to sub-buffers, and takes an allocation of a chain for unwritten
    checks="--data-races --check-api --num-threads 1"
    options="-Dlargest.case=${2:-300}"
    ;;
units)
    test="$(each 'withMatrixUnits*')"
    options="-Doperators=${2:-} -Dlargest.case=${3:-2000} -Dtypes=${4:-float16,float32}"
    ;;
processors)
    test="$(each withEveryVariantForAnotherKind)"
    options="-Dother.kind=CPU -Doperators=${2:-} -Dcases.each=${3:-12} -Dtypes=${4:-int8,float16,float32,bool}"
    ;;
*)
    test="$(each withEveryVariant)"
    options="-Doperators=${1:-} -Dlargest.case=${2:-300} -Dtypes=${3:-int8,float16,float32,bool} ${4:+-Dcases.each=$4}"
    ;;
esac

# Wrong API use stands among what the tests print, and not in the log. Puts it into a file, and prints the rest. That the
# device does not know a property is no error: all are asked that any OpenCL has. Lines of another test may stand between
# those of an error.
api_errors() {
    awk -v file="$1" '
        function end() {
            if (error != "" && error !~ /Function: clGetDeviceInfo/) print error >file
            error = ""
        }
        /Oclgrind - OpenCL runtime error detected/ { end(); error = $0; next }
        error != "" && /^\t/ { error = error $0; next }
        error != "" && /^$/ { end(); next }
        /^$/ { next }
        { end(); print; fflush() }
        END { end() }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${COMPILED:-}" ] || mvn -o -q -B test-compile

status=0
# oclgrind works by LD_PRELOAD, which Surefire must hand on to the JVM that it starts. The library that it preloads has
# the name libOpenCL.so in its file: whoever asks the system's linker for that name gets the simulator.
# shellcheck disable=SC2016,SC2086
{
    oclgrind --local-mem-size 1048576 $checks --build-options "-cl-opt-disable" --log "$work/log" \
        sh -c 'work=$1; shift; mvn -o -q -B surefire:test -Dtest="$0" -Dtest.preload="$LD_PRELOAD" \
            -Dtest.reports="$work/reports" -DtempDir="surefire-${work##*.}" \
            -Dclinfer.opencl.library=libOpenCL.so -Drequire.opencl=true -Drequire.device=Oclgrind -Dunpoisoned=true "$@"' \
        "$test" "$work" $options 2>&1 || echo $? >"$work/status"
} | api_errors "$work/api"
[ ! -s "$work/status" ] || status=$(cat "$work/status")

if [ -s "$work/log" ] || [ -s "$work/api" ]; then
    echo "oclgrind reported:" >&2
    cat "$work/log" "$work/api" | grep -v '^$' | head -n 60 >&2
    exit 1
fi
if [ "$status" -ne 0 ]; then
    echo "the tests failed under oclgrind (exit status $status)" >&2
    exit 1
fi
echo "oclgrind: no findings"
