# Sourced by the scripts that run the service, which set clinfer (its command) and folder (with models), and have fail.
server=

# start_service OPTION...: serves, waits until it is ready, and sets server, rest and grpc
start_service() {
    "$clinfer" serve "$folder/models" "$@" >"$folder/log" 2>&1 &
    server=$!
    for _ in $(seq 1200); do
        grep -qx ready "$folder/log" && break
        kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$folder/log")"
        sleep 0.1
    done
    rest=$(sed -n 's/^listens at //p' "$folder/log")
    grpc=$(sed -n 's/^gRPC listens at //p' "$folder/log")
}

stop_service() {
    kill "$server"
    wait "$server" || true
    server=
}
