// Runs networks with TensorFlow Lite, which the npm package @tensorflow/tfjs-tflite (0.0.1-alpha.10) has as WebAssembly, and
// prints a line for each: the network, and of each output its shape and type, and elements that are so many apart.
// What that version of TensorFlow Lite refuses is left out. Where the package is installed:
//
//     node record.js DIR node_modules/@tensorflow/tfjs-tflite/wasm > recorded.txt
//
// DIR is what mvn test -Dtest=TfliteRecordedTest -Dtflite.cases=DIR writes.

const fs = require('fs');
const path = require('path');

const MOST_ELEMENTS = 48;
const [folder, library] = process.argv.slice(2);
const script = path.resolve(library, 'tflite_web_api_cc.js');
const source = fs.readFileSync(script, 'utf8') + ';return tflite_web_api_ModuleFactory;';
const factory = new Function('require', 'process', '__filename', '__dirname', source)(
    require, process, script, path.dirname(script));

function list(vector) {
  return Array.from({length: vector.size()}, (unused, i) => vector.get(i));
}

function text(value) {
  return Number.isInteger(Number(value)) ? String(Number(value)) : Number(value).toPrecision(8);
}

function shown(tensor) {
  const data = tensor.data();
  const apart = Math.max(1, Math.ceil(data.length / MOST_ELEMENTS));
  const elements = [];
  for (let i = 0; i < data.length; i += apart) {
    elements.push(text(data[i]));
  }
  const shape = tensor.shape.split(',').join('x');
  return [(shape === '' ? 'scalar' : shape) + ':' + tensor.dataType, apart, ...elements].join(' ');
}

/** The results of one network; undefined where it is refused. */
function run(module, own) {
  const file = fs.readFileSync(path.join(own, 'net.tflite'));
  const memory = module._malloc(file.length);
  module.HEAPU8.set(file, memory);
  const options = {numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 16};
  const created = module.TFLiteWebModelRunner.CreateFromBufferAndOptions(memory, file.length, options);
  if (!created.ok()) {
    return undefined;
  }
  const runner = created.value();
  list(runner.GetInputs()).forEach((tensor, i) => {
    const data = tensor.data();
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).set(fs.readFileSync(path.join(own, `input_${i}.bin`)));
  });
  const outputs = list(runner.GetOutputs());
  const known = outputs.every((tensor) => tensor.dataType !== 'unknown'); // as int64 is in this package
  return known && runner.Infer() ? outputs.map(shown).join(' ; ') : undefined;
}

(async () => {
  const wasmBinary = fs.readFileSync(path.resolve(library, 'tflite_web_api_cc.wasm'));
  const load = () => factory({wasmBinary, print: () => {}, printErr: () => {}});
  let module = await load();
  for (const name of fs.readdirSync(folder).sort()) {
    const own = path.join(folder, name);
    let results;
    try {
      results = run(module, own);
    } catch (trap) {
      module = await load(); // it reads beyond its memory where sizes do not fit each other
    }
    if (results !== undefined) {
      console.log(fs.readFileSync(path.join(own, 'case.txt'), 'utf8') + ' => ' + results);
    }
  }
})();
