#!/usr/bin/env bash
# Kills tune and run (SIGKILL) at random times, damages what they left in the cache folder, and holds the next run against
# the recorded result of the demo network. Fails if a run after a kill is not right, or takes too long.
#
# Usage: src/dev/kills.sh [KILLS [SEED]]
#
#        KILLS: how many, default 50; SEED: of the random numbers, default 1
#
# CLINFER names the program, default ./clinfer; what is killed is not its build.
# The OpenCL driver's own cache (POCL_CACHE_DIR) is one of the trials' as well, but is not damaged: it is not Clinfer's.
set -u

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
kills=${1:-50}
RANDOM=${2:-1}
clinfer=${CLINFER:-./clinfer}
limit_seconds=120
model=src/main/resources/org/clinfer/demo/shapes.onnx

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CLINFER_CACHE=$work/cache POCL_CACHE_DIR=$work/pocl
folder=$work/demo
mkdir -p "$POCL_CACHE_DIR" "$folder/test_data_set_0"
cp "$model" "$folder/model.onnx"
cp test-data/demo/*.npy "$folder/test_data_set_0/"

"$clinfer" --version || exit 3

milliseconds() {
    echo $(($(date +%s%N) / 1000000))
}

# The process, and not the shell that started it: the launcher becomes java by exec.
begin() {
    case $1 in
        tune) "$clinfer" tune "$model" --device opencl ;;
        run) "$clinfer" run "$model" --device opencl --input random -o "$work/out" ;;
    esac >"$work/killed.log" 2>&1 &
    process=$!
}

# What a process that ends in the middle, or a full disk, may leave: half a file, wrong bytes, an empty file.
damage() {
    local files file size
    mapfile -t files < <(find "$CLINFER_CACHE" -type f 2>/dev/null | sort)
    [ ${#files[@]} -gt 0 ] || return
    file=${files[RANDOM % ${#files[@]}]}
    size=$(stat -c %s "$file")
    case $((RANDOM % 4)) in
        0) truncate -s $((size / 2)) "$file" && damaged=half ;;
        1) printf 'damage' | dd of="$file" bs=1 seek=$((size > 6 ? RANDOM % (size - 6) : 0)) conv=notrunc status=none && damaged=bytes ;;
        2) : >"$file" && damaged=empty ;;
        3) head -c 4096 /dev/urandom >"$file" && damaged=random ;;
    esac
    damaged="$damaged:$(basename "$(dirname "$file")")"
}

# How long a whole command takes here once the driver has its kernels, so that kills fall into all of it.
declare -A whole
for command in tune run tune run; do
    started=$(milliseconds)
    begin "$command"
    wait "$process" || { cat "$work/killed.log"; exit 3; }
    whole[$command]=$(($(milliseconds) - started))
done

declare -A count
wrong=0
longest=0
for ((kill = 1; kill <= kills; kill++)); do
    command=tune
    [ $((RANDOM % 2)) -eq 0 ] || command=run
    [ $((RANDOM % 4)) -ne 0 ] || rm -rf "$CLINFER_CACHE"
    begin "$command"
    after=$((RANDOM * ${whole[$command]} / 32768))
    sleep "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))"
    kill -9 "$process" 2>/dev/null
    state=killed
    wait "$process" 2>/dev/null
    [ $? -eq 137 ] || state=ended
    damaged=none
    [ $((kill % 2)) -ne 0 ] || damage
    started=$(milliseconds)
    timeout "$limit_seconds" "$clinfer" verify "$folder" --device opencl >"$work/next.log" 2>&1
    code=$?
    [ "$code" -ne 0 ] || grep -q '^1 passed' "$work/next.log" || code=3
    took=$(($(milliseconds) - started))
    [ "$took" -le "$longest" ] || longest=$took
    echo "$kill: $command $state after $after ms, damage $damaged, next run exit code $code in $took ms"
    count[$command $state]=$((${count[$command $state]:-0} + 1))
    count[damage ${damaged%%:*}]=$((${count[damage ${damaged%%:*}]:-0} + 1))
    if [ "$code" -ne 0 ]; then
        wrong=$((wrong + 1))
        cat "$work/next.log"
    fi
done

for what in "${!count[@]}"; do
    echo "$what: ${count[$what]}"
done | sort
echo "$kills trials, next run wrong: $wrong, longest next run: $longest ms"
[ "$wrong" -eq 0 ]
