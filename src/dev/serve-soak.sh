#!/usr/bin/env bash
# Serves a small network for a long time while h2load (nghttp2) asks for results over REST and gRPC without a pause and the
# model is loaded anew every few seconds; half of the time before, half of it after kill -9 and a new start. Every request
# must be answered with a result, before and after; resident memory, of which Java's heap is there from the start, must not
# grow by more than a tenth and 64 MiB from the first minute (of a short run: sixth) to the end of its half.
#
# Usage: src/dev/serve-soak.sh [--minutes N] [--device DEVICE]
#
#        --minutes N         default 60
#        --device DEVICE     default cpu
#        CLINFER=COMMAND in the environment serves with another command than ./clinfer
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
clinfer=${CLINFER:-$root/clinfer}
minutes=60
device=cpu
while [ $# -gt 0 ]; do
    case $1 in
        --minutes) minutes=$2 && shift ;;
        --device) device=$2 && shift ;;
        *) sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    esac
    shift
done
folder=$(mktemp -d)
. "$root/src/dev/serve-start.sh"
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null; rm -rf "$folder"' EXIT
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:-} -Xms512m -Xmx512m -XX:+AlwaysPreTouch"

fail() {
    echo "serve-soak: $1" >&2
    exit 1
}

start() {
    start_service --device "$device" --max-batch 16 --port "${port:-0}" --grpc-port "${grpc_port:-0}"
    port=${rest##*:}
    grpc_port=${grpc##*:}
}

resident() {
    awk '/^VmRSS/ {print int($2 / 1024)}' "/proc/$server/status"
}

# ask PROTOCOL REQUESTS: the bytes of all responses; fails where a status is none of success
ask() {
    if [ "$1" = rest ]; then
        set -- "$@" --h1 -d "$folder/rest" -H "Inference-Header-Content-Length: $header" "$rest/v2/models/mlp/infer"
    else
        set -- "$@" -d "$folder/grpc" -H 'content-type: application/grpc' -H 'te: trailers' \
            "http://$grpc/inference.GRPCInferenceService/ModelInfer"
    fi
    h2load -c 8 -n "$2" -m 1 "${@:3}" >"$folder/h2load"
    grep -q "requests: $2 total, $2 started, $2 done, $2 succeeded, 0 failed, 0 errored" "$folder/h2load" \
        || fail "$1: $(grep -E '^(requests|status)' "$folder/h2load")"
    sed -n 's/^traffic:.* (\([0-9]*\)) data$/\1/p' "$folder/h2load"
}

# half SECONDS: asks for so long
half() {
    local end=$((SECONDS + $1)) warm=$((SECONDS + $1 / 6)) begin= answered=0 loaded=0 one many
    [ "$1" -lt 360 ] || warm=$((SECONDS + 60))
    one=$(($(ask grpc 8) / 8))
    while [ $SECONDS -lt $end ]; do
        ask rest 1000 >"$folder/data" &
        local first=$!
        curl -sS -f -X POST "$rest/v2/repository/models/mlp/load" -d '{}' >/dev/null && loaded=$((loaded + 1))
        wait $first || exit 1
        many=$(ask grpc 1000)
        [ "$many" -eq $((1000 * one)) ] || fail "gRPC: $many bytes of results, not $((1000 * one))"
        answered=$((answered + 2000))
        [ -n "$begin" ] || [ $SECONDS -lt $warm ] || begin=$(resident)
    done
    local last
    last=$(resident)
    echo "$answered requests answered, $loaded times loaded anew; ${begin:-$last} MiB resident, at the end $last MiB"
    [ "$last" -le $((${begin:-$last} * 11 / 10 + 64)) ] || fail "resident memory grew"
}

mkdir -p "$folder/models/mlp/1"
node "$root/src/dev/serve_load.js" mlp "$folder/models/mlp/1/model.json"
header=$(node "$root/src/dev/serve_load.js" rest mlp "$folder/rest" x 1 64)
node "$root/src/dev/serve_load.js" grpc mlp "$folder/grpc" x 1 64
start
half $((minutes * 30))
{ ask rest 100000 || true; } >/dev/null 2>&1 &
loading=$!
kill -9 "$server"
wait "$server" 2>/dev/null || true
wait $loading || true
start
echo "killed and started again"
half $((minutes * 30))
kill "$server"
wait "$server" || [ $? -eq 143 ] || fail "the server did not end as it was told"
server=
echo "all as it should be"
