#!/usr/bin/env bash
# Measures the service under load by h2load (nghttp2), which nobody here wrote, beside sessions in one process ('clinfer
# bench --clients'), in turns: requests in a second, p50 and p99 in ms, and the share of the plain sessions' throughput. The
# load is on the same processors. MobileNetV2 (target/networks; mvn -q process-test-classes -Pnetworks) and a small MLP.
# Then the MLP on the OpenCL device at 64 clients, with and without dynamic batches.
#
# Usage: src/dev/serve-load.sh [--rounds N] [--clients "1 8 64"] [--models "mlp mobilenetv2"] [--device DEVICE]
#
#        --rounds N          turns, of which the median counts (default 3)
#        --device DEVICE     where both compute (default cpu)
#        --no-batches        leave the second part out
#        CLINFER=COMMAND in the environment measures another command than ./clinfer
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
clinfer=${CLINFER:-$root/clinfer}
rounds=3
clients="1 8 64"
models="mlp mobilenetv2"
device=cpu
batches=yes
warm=20000 # small requests, until Java has compiled what all requests go through
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=$2 && shift ;;
        --clients) clients=$2 && shift ;;
        --models) models=$2 && shift ;;
        --device) device=$2 && shift ;;
        --no-batches) batches= ;;
        *) sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    esac
    shift
done
folder=$(mktemp -d)
. "$root/src/dev/serve-start.sh"
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT

fail() {
    echo "serve-load: $1" >&2
    exit 1
}

start() {
    start_service --port 0 --grpc-port 0 "$@"
}

# answered MODEL: the requests that the server has answered
answered() {
    curl -sS "$rest/v2/models/$1/stats" | sed 's/.*"success":{"count":\([0-9]*\).*/\1/'
}

# load PROTOCOL MODEL CLIENTS REQUESTS: prints requests in a second, p50, p99
load() {
    local before after
    before=$(answered "$2")
    if [ "$1" = rest ]; then
        set -- "$@" --h1 -d "$folder/$2.rest" -H "Inference-Header-Content-Length: $(cat "$folder/$2.header")" \
            "$rest/v2/models/$2/infer"
    else
        set -- "$@" -d "$folder/$2.grpc" -H 'content-type: application/grpc' -H 'te: trailers' \
            "http://$grpc/inference.GRPCInferenceService/ModelInfer"
    fi
    rm -f "$folder/requests"
    h2load -c "$3" -n "$4" -m 1 --log-file="$folder/requests" "${@:5}" >"$folder/h2load"
    after=$(answered "$2")
    [ $((after - before)) -eq "$4" ] || fail "$1 $2: $((after - before)) of $4 requests were answered with a result"
    echo "$(sed -n 's/.*, \([0-9.]*\) req\/s.*/\1/p' "$folder/h2load") $(node "$root/src/dev/serve_load.js" percentiles "$folder/requests")"
}

file() {
    case $1 in
        mlp) echo "$folder/models/mlp/1/model.json" ;;
        *) echo "$folder/models/$1/1/$1.onnx" ;;
    esac
}

plain() {
    "$clinfer" bench "$(file "$1")" --device "$device" --clients "$2" ${open[@]+"${open[@]}"} 2>/dev/null \
        | tail -1 | awk '{print $4, $5, $6}'
}

median() {
    sort -n | awk '{all[NR] = $1} END {print all[int((NR + 1) / 2)]}'
}

for model in mlp $models; do
    mkdir -p "$folder/models/$model/1"
    if [ "$model" = mlp ]; then
        node "$root/src/dev/serve_load.js" mlp "$folder/models/mlp/1/model.json"
        shape=(x 1 64)
    else
        cp "$root/target/networks/$model".onnx* "$folder/models/$model/1/"
        shape=(image 1 3 224 224)
    fi
    node "$root/src/dev/serve_load.js" rest "$model" "$folder/$model.rest" "${shape[@]}" >"$folder/$model.header"
    node "$root/src/dev/serve_load.js" grpc "$model" "$folder/$model.grpc" "${shape[@]}"
done

echo "model        clients  what   requests/s    p50 ms    p99 ms   of plain"
for model in $models; do
    open=()
    [ "$model" != mlp ] || open=(--input=x=1x64)
    for count in $clients; do
        for round in $(seq "$rounds"); do
            plain "$model" "$count" >>"$folder/plain.$model.$count"
            # measured for about 5 s, after four times as many, because Java compiles what requests go through for long
            requests=$(tail -1 "$folder/plain.$model.$count" | awk '{print int(5 * $1) + 1}')
            start --device "$device"
            for protocol in rest grpc; do
                load "$protocol" mlp 8 "$warm" >/dev/null
                load "$protocol" "$model" "$count" $((4 * requests)) >/dev/null
                load "$protocol" "$model" "$count" "$requests" >>"$folder/$protocol.$model.$count"
            done
            stop_service
        done
        base=$(cut -d' ' -f1 "$folder/plain.$model.$count" | median)
        for what in plain rest grpc; do
            all=$folder/$what.$model.$count
            rate=$(cut -d' ' -f1 "$all" | median)
            printf '%-12s %7s  %-5s %11.1f %9s %9s %9.1f%%\n' "$model" "$count" "$what" "$rate" \
                "$(cut -d' ' -f2 "$all" | median)" "$(cut -d' ' -f3 "$all" | median)" \
                "$(awk "BEGIN {print 100 * $rate / $base}")"
        done
    done
done

[ -n "$batches" ] || exit 0
for round in $(seq "$rounds"); do
    for batch in 1 64; do
        start --device opencl --max-batch "$batch" --max-delay 1
        for protocol in rest grpc; do
            load "$protocol" mlp 64 "$warm" >/dev/null
            load "$protocol" mlp 64 10000 >>"$folder/batch.$protocol.$batch"
        done
        stop_service
    done
done
for protocol in rest grpc; do
    alone=$(cut -d' ' -f1 "$folder/batch.$protocol.1" | median)
    joined=$(cut -d' ' -f1 "$folder/batch.$protocol.64" | median)
    echo "mlp on the device, 64 clients, $protocol: $alone requests/s alone, $joined in batches of up to 64:" \
        "$(awk "BEGIN {printf \"%.2f\", $joined / $alone}") times"
done
