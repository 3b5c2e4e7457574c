// What serve-load.sh needs beside its tools: a small network, the bodies of requests, and percentiles.
//
// Usage: node serve_load.js mlp FILE                    a network of three products, 64 numbers to 10
//        node serve_load.js rest NAME FILE INPUT SIZE…  a binary request; prints the length of its header
//        node serve_load.js grpc NAME FILE INPUT SIZE…  a message of gRPC with its prefix
//        node serve_load.js percentiles FILE            p50 and p99 in ms of the log of h2load
'use strict';
const fs = require('node:fs');
const [what, ...args] = process.argv.slice(2);

function floats(count) {
  return Float32Array.from({length: count}, (_, at) => Math.sin(at + 1));
}

function mlp(file) {
  const value = (name, from) => ({arg_name: name, name: from});
  const ops = [{name: 'x', optype: 'Input', tensors_in: [], tensors_out: [value('y', 'x')],
    params: [{arg_name: 'dtype', value: 'float32'}, {arg_name: 'dims', value: ['batch', 64]}]}];
  let before = 'x';
  [[64, 128], [128, 128], [128, 10]].forEach(([rows, columns], layer) => {
    const weights = [...floats(rows * columns)].map(each => each / rows);
    ops.push({name: 'w' + layer, optype: 'Const', tensors_in: [], tensors_out: [value('y', 'w' + layer)],
      params: [{arg_name: 'dtype', value: 'float32'}, {arg_name: 'dims', value: [rows, columns]},
        {arg_name: 'data', value: weights}]});
    ops.push({name: 'm' + layer, optype: 'MatMul', tensors_in: [value('a', before), value('b', 'w' + layer)],
      tensors_out: [value('y', 'm' + layer)]});
    before = 'm' + layer;
    if (layer < 2) {
      ops.push({name: 'r' + layer, optype: 'Relu', tensors_in: [value('x', before)],
        tensors_out: [value('y', 'r' + layer)]});
      before = 'r' + layer;
    }
  });
  ops.push({name: 'out', optype: 'Output', tensors_in: [value('x', before)], tensors_out: []});
  fs.writeFileSync(file, JSON.stringify({name: 'mlp', ops}));
}

function input(sizes) {
  return Buffer.from(floats(sizes.reduce((product, size) => product * size, 1)).buffer);
}

function rest(name, file, key, ...sizes) {
  const bytes = input(sizes.map(Number));
  const header = Buffer.from(JSON.stringify({
    inputs: [{name: key, datatype: 'FP32', shape: sizes.map(Number), parameters: {binary_data_size: bytes.length}}],
    parameters: {binary_data_output: true}}));
  fs.writeFileSync(file, Buffer.concat([header, bytes]));
  console.log(header.length);
}

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      return Buffer.from([...bytes, rest]);
    }
    bytes.push(rest % 128 + 128);
  }
}

function field(number, content) {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function grpc(name, file, key, ...sizes) {
  const tensor = Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from('FP32')),
    field(3, Buffer.concat(sizes.map(size => varint(Number(size)))))]);
  const message = Buffer.concat([field(1, Buffer.from(name)), field(5, tensor), field(7, input(sizes.map(Number)))]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  fs.writeFileSync(file, Buffer.concat([prefix, message]));
}

function percentiles(file) {
  const micros = fs.readFileSync(file, 'utf8').trim().split('\n').map(line => Number(line.split('\t')[2]));
  micros.sort((a, b) => a - b);
  const at = share => (micros[Math.floor((micros.length - 1) * share)] / 1000).toFixed(2);
  console.log(at(0.5), at(0.99));
}

({mlp, rest, grpc, percentiles})[what](...args);
