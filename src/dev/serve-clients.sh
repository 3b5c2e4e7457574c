#!/usr/bin/env bash
# Uses the service with clients that others have written: curl for REST; for gRPC Buf's curl (Go) and gRPC's library for
# JavaScript, both of which learn the schema by reflection. Takes the latter two from npm into an empty folder. Fails with
# the first answer that is not as it should be. Needs curl, openssl, npm, a network and a minute.
#
# Usage: src/dev/serve-clients.sh
#
#        CLINFER=COMMAND in the environment serves with another command than ./clinfer
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
clinfer=${CLINFER:-$root/clinfer}
folder=$(mktemp -d)
. "$root/src/dev/serve-start.sh"
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT

fail() {
    echo "serve-clients: $1" >&2
    exit 1
}

# is WHAT EXPECTED ACTUAL: the actual text contains the expected one
is() {
    case $3 in
        *"$2"*) ;;
        *) fail "$1: expected '$2' in: $3" ;;
    esac
}

start() {
    start_service --device cpu --port 0 --grpc-port 0 "$@"
}

mkdir -p "$folder/models/scaled/1" "$folder/npm"
cat >"$folder/models/scaled/1/model.json" <<'MODEL'
{"name": "scaled", "ops": [
  {"name": "x", "optype": "Input", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "x"}],
   "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": ["batch", 2]}]},
  {"name": "f", "optype": "Const", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "f"}],
   "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": []},
              {"arg_name": "data", "value": [2.0]}]},
  {"name": "mul", "optype": "Mul", "tensors_in": [{"arg_name": "a", "name": "x"}, {"arg_name": "b", "name": "f"}],
   "tensors_out": [{"arg_name": "y", "name": "y"}]},
  {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}], "tensors_out": []}
]}
MODEL
(cd "$folder/npm" && npm install --silent --no-audit --no-fund @bufbuild/buf@1.75.0 @grpc/grpc-js@1.14.7 \
    @grpc/proto-loader@0.8.1 grpc-reflection-js@0.3.0)
buf=$folder/npm/node_modules/.bin/buf

start
is 'live' 200 "$(curl -sS -o /dev/null -w '%{http_code}' "$rest/v2/health/live")"
is 'metadata' '"datatype":"FP32"' "$(curl -sS "$rest/v2/models/scaled")"
json='{"inputs": [{"name": "x", "shape": [1, 2], "datatype": "FP32", "data": [1, 2]}]}'
is 'JSON' '[2.0,4.0]' "$(curl -sS "$rest/v2/models/scaled/infer" -d "$json")"
header='{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":8}}],'
header+='"parameters":{"binary_data_output":true}}'
{ printf %s "$header" && printf '\0\0\x80\x3f\0\0\0\x40'; } >"$folder/request"
curl -sS -D "$folder/headers" -o "$folder/response" --data-binary "@$folder/request" \
    -H "Inference-Header-Content-Length: ${#header}" "$rest/v2/models/scaled/infer"
is 'bytes' '0000004000008040' "$(tail -c 8 "$folder/response" | od -An -tx1 | tr -d ' \n')"
is 'no model' 404 "$(curl -sS -o /dev/null -w '%{http_code}' "$rest/v2/models/none/infer" -d "$json")"
is 'metrics' '# TYPE' "$(curl -sS "$rest/metrics")"
echo "REST: $(curl --version | sed -n '1s/ (.*//p')"

ask() {
    "$buf" curl --protocol grpc "${@:3}" -d "$2" "$scheme://$grpc/$1" 2>&1 || true
}
scheme=http
plain=--http2-prior-knowledge
infer='{"model_name": "scaled", "inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 2],
    "contents": {"fp32_contents": [1, 2]}}]}'
is 'methods' 'inference.GRPCInferenceService/ModelInfer' "$("$buf" curl --protocol grpc $plain --list-methods "http://$grpc")"
is 'live' '"live":true' "$(ask inference.GRPCInferenceService/ServerLive '{}' $plain | tr -d ' ')"
is 'infer' 'AAAAQAAAgEA=' "$(ask inference.GRPCInferenceService/ModelInfer "$infer" $plain)"
is 'no model' not_found "$(ask inference.GRPCInferenceService/ModelInfer "${infer/scaled/none}" $plain)"
is 'health' SERVING "$(ask grpc.health.v1.Health/Check '{}' $plain)"
echo "gRPC: buf $("$buf" --version)"

(cd "$folder/npm" && node "$root/src/dev/serve_clients.js" "$grpc")
echo "gRPC: @grpc/grpc-js $(node -p "require('$folder/npm/node_modules/@grpc/grpc-js/package.json').version")," \
    "node $(node --version)"
stop_service

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
echo secret >"$folder/token"
start --tls-certificate "$folder/certificate.pem" --tls-key "$folder/key.pem" --token-file "$folder/token"
scheme=https
trust=(--cacert "$folder/certificate.pem")
is 'REST without token' 401 \
    "$(curl -sS "${trust[@]}" -o /dev/null -w '%{http_code}' "$rest/v2/models/scaled/infer" -d "$json")"
is 'REST with token' '[2.0,4.0]' \
    "$(curl -sS "${trust[@]}" -H 'Authorization: Bearer secret' "$rest/v2/models/scaled/infer" -d "$json")"
schema=(--schema "$root/src/main/protobuf")
is 'gRPC without token' unauthenticated \
    "$(ask inference.GRPCInferenceService/ModelInfer "$infer" "${trust[@]}" "${schema[@]}")"
is 'gRPC with token' 'AAAAQAAAgEA=' \
    "$(ask inference.GRPCInferenceService/ModelInfer "$infer" "${trust[@]}" -H 'Authorization: Bearer secret' \
        --reflect-header 'Authorization: Bearer secret')"
echo "TLS and token: curl and buf"
stop_service
echo "all as it should be"
