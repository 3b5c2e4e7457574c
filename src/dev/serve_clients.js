// A gRPC client in JavaScript that knows nothing of the server but its address: the schema comes by reflection. Used by
// serve-clients.sh, from a folder that has its packages.
//
// Usage: node serve_clients.js HOST:PORT
'use strict';
const assert = require('node:assert/strict');
const {createRequire} = require('node:module');
const fetched = createRequire(process.cwd() + '/');
const grpc = fetched('@grpc/grpc-js');
const loader = fetched('@grpc/proto-loader');
const {Client} = fetched('grpc-reflection-js');

const address = process.argv[2];
const credentials = grpc.credentials.createInsecure();

async function service(name) {
  const root = await new Client(address, credentials).fileContainingSymbol(name);
  const options = {keepCase: true, longs: Number, enums: String, defaults: true, arrays: true};
  const found = name.split('.').reduce((at, part) => at[part], grpc.loadPackageDefinition(
      loader.fromJSON(root.toJSON({keepComments: false}), options)));
  return new found(address, credentials);
}

function call(client, method, request, options = {}) {
  return new Promise((resolve, reject) => client[method](request, options,
      (error, response) => error ? reject(error) : resolve(response)));
}

function raw(values) {
  return Buffer.from(Float32Array.from(values).buffer);
}

function request(values, extra = {}) {
  return {model_name: 'scaled', id: '7', inputs: [{name: 'x', datatype: 'FP32', shape: [1, values.length]}],
    raw_input_contents: [raw(values)], ...extra};
}

function floats(bytes) {
  return [...new Float32Array(Uint8Array.from(bytes).buffer)];
}

async function refused(code, promise) {
  const error = await promise.then(() => assert.fail('it was answered'), each => each);
  assert.equal(error.code, code, error.message);
}

function stream(client, requests) {
  return new Promise((resolve, reject) => {
    const answers = [];
    const open = client.ModelStreamInfer();
    open.on('data', answer => answers.push(answer));
    open.on('error', reject);
    open.on('end', () => resolve(answers));
    requests.forEach(each => open.write(each));
    open.end();
  });
}

async function main() {
  const names = await new Client(address, credentials).listServices();
  assert.ok(names.includes('inference.GRPCInferenceService') && names.includes('grpc.health.v1.Health'), names.join());
  const client = await service('inference.GRPCInferenceService');
  assert.equal((await call(client, 'ServerLive', {})).live, true);
  assert.equal((await call(client, 'ServerReady', {})).ready, true);
  assert.equal((await call(client, 'ModelReady', {name: 'scaled'})).ready, true);
  assert.equal((await call(client, 'ServerMetadata', {})).name, 'clinfer');
  const metadata = await call(client, 'ModelMetadata', {name: 'scaled'});
  assert.deepEqual(metadata.inputs, [{name: 'x', datatype: 'FP32', shape: [-1, 2]}]);
  const answer = await call(client, 'ModelInfer', request([1, 2]));
  assert.deepEqual(floats(answer.raw_output_contents[0]), [2, 4]);
  assert.equal(answer.id, '7');
  const typed = {model_name: 'scaled',
    inputs: [{name: 'x', datatype: 'FP32', shape: [1, 2], contents: {fp32_contents: [3, 4]}}]};
  assert.deepEqual(floats((await call(client, 'ModelInfer', typed)).raw_output_contents[0]), [6, 8]);
  const many = await Promise.all(Array.from({length: 200}, (_, n) => call(client, 'ModelInfer', request([n, 0]))));
  many.forEach((each, n) => assert.equal(floats(each.raw_output_contents[0])[0], 2 * n));
  const answers = await stream(client, [request([1, 1]), request([1, 1], {model_name: 'none'}), request([5, 0])]);
  assert.deepEqual(answers.map(each => each.error_message === ''), [true, false, true]);
  assert.deepEqual(floats(answers[2].infer_response.raw_output_contents[0]), [10, 0]);
  await refused(grpc.status.NOT_FOUND, call(client, 'ModelInfer', request([1, 2], {model_name: 'none'})));
  await refused(grpc.status.INVALID_ARGUMENT, call(client, 'ModelInfer', request([1, 2, 3])));
  await refused(grpc.status.DEADLINE_EXCEEDED,
      call(client, 'ModelInfer', request([1, 2]), {deadline: Date.now() - 1000}));
  await call(client, 'RepositoryModelUnload', {model_name: 'scaled'});
  assert.equal((await call(client, 'ModelReady', {name: 'scaled'})).ready, false);
  await call(client, 'RepositoryModelLoad', {model_name: 'scaled'});
  assert.equal((await call(client, 'RepositoryIndex', {ready: true})).models[0].state, 'READY');
  await call(client, 'ModelInfer', request([1, 2]));
  const statistics = (await call(client, 'ModelStatistics', {name: 'scaled'})).model_stats[0];
  assert.ok(statistics.inference_stats.success.count >= 1);
  const health = await service('grpc.health.v1.Health');
  assert.equal((await call(health, 'Check', {})).status, 'SERVING');
  process.exit(0);
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
