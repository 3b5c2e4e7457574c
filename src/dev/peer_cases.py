#!/usr/bin/env python3
"""Records what other programs compute, as folders for `./clinfer verify DIR`: a model beside inputs and outputs.

    peer_cases.py onnx-node DIR              the node tests of the installed package onnx
    peer_cases.py tflite DIR MODEL.tflite... what TensorFlow Lite gives for models and random inputs
    peer_cases.py keras DIR                  layers of Keras with random weights: SavedModels and TensorFlow Lite
    peer_cases.py timm DIR [SECONDS]         an architecture of each module of timm with random weights, exported by PyTorch

Each takes the Python packages that its name says (tflite and keras: tensorflow; timm: timm, torch, torchvision, onnx,
onnxscript). Nothing of what is written belongs into the repository.
"""

import os
import re
import shutil
import sys
import time

import numpy as np

SEED = 0

# TensorFlow's other kernels differ from its own by up to several percent
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def folder(root, name):
    """An empty folder for a case, and that for its inputs and outputs."""
    case = os.path.join(root, name)
    shutil.rmtree(case, ignore_errors=True)
    data = os.path.join(case, "test_data_set_0")
    os.makedirs(data)
    return case, data


def onnx_node(root):
    from onnx import TensorProto, numpy_helper
    from onnx.backend.test.case.node import collect_testcases

    def proto(value, info):
        kind = info.type
        if kind.HasField("sequence_type"):
            return numpy_helper.from_list(value, info.name)
        if kind.HasField("optional_type"):
            return numpy_helper.from_optional(value, info.name)
        return value if isinstance(value, TensorProto) else numpy_helper.from_array(value, info.name)

    for case in collect_testcases(None):
        path, _ = folder(root, case.name)
        with open(os.path.join(path, "model.onnx"), "wb") as file:
            file.write(case.model.SerializeToString())
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = os.path.join(path, f"test_data_set_{number}")
            os.makedirs(data, exist_ok=True)
            graph = case.model.graph
            for kind, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output)):
                for i, value in enumerate(values):
                    with open(os.path.join(data, f"{kind}_{i}.pb"), "wb") as file:
                        file.write(proto(value, infos[i]).SerializeToString())


def random_input(random, shape, dtype):
    if np.issubdtype(dtype, np.floating):
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 5, shape).astype(dtype)


def record_tflite(case, data, content, random):
    import tensorflow as tf

    # the reference kernels: others of TensorFlow Lite differ from them by several codes in deep quantized networks
    resolver = tf.lite.experimental.OpResolverType.BUILTIN_REF
    interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for i, each in enumerate(interpreter.get_input_details()):
        value = random_input(random, each["shape"], each["dtype"])
        interpreter.set_tensor(each["index"], value)
        np.save(os.path.join(data, f"input_{i}.npy"), value)
    interpreter.invoke()
    for i, each in enumerate(interpreter.get_output_details()):
        np.save(os.path.join(data, f"output_{i}.npy"), interpreter.get_tensor(each["index"]))
    with open(os.path.join(case, "model.tflite"), "wb") as file:
        file.write(content)


def tflite(root, models):
    random = np.random.default_rng(SEED)
    for model in models:
        case, data = folder(root, os.path.basename(model).removesuffix(".tflite"))
        with open(model, "rb") as file:
            record_tflite(case, data, file.read(), random)


def keras(root):
    import keras as k
    import tensorflow as tf

    random = np.random.default_rng(SEED)
    layers = k.layers
    networks = {
        "lstm": ((9, 5), [layers.LSTM(7, return_sequences=True), layers.Bidirectional(layers.LSTM(4))]),
        "gru": ((9, 5), [layers.GRU(7, return_sequences=True), layers.GRU(4, reset_after=False)]),
        "holes": ((20, 5), [layers.Conv1D(8, 3, padding="causal", dilation_rate=2), layers.PReLU()]),
        "volumes": ((6, 7, 8, 3), [layers.Conv3D(5, 3, padding="same", strides=2), layers.ELU()]),
        "transposed": (
            (7, 9, 4),
            [
                layers.Conv2DTranspose(6, 3, strides=2, padding="same"),
                layers.LeakyReLU(),
                layers.Conv2DTranspose(3, 4, strides=3),
                layers.UpSampling2D(2, interpolation="bilinear"),
            ],
        ),
        "separable": (
            (15, 13, 6),
            [
                layers.SeparableConv2D(8, 3, depth_multiplier=2),
                layers.BatchNormalization(),
                layers.ReLU(6),
                layers.ZeroPadding2D(((1, 2), (3, 0))),
                layers.DepthwiseConv2D(5, strides=2, padding="same"),
                layers.Activation("hard_swish"),
            ],
        ),
        "norms": ((6, 8, 8), [layers.LayerNormalization(), layers.GroupNormalization(4), layers.Softmax()]),
    }
    for name, (shape, stack) in networks.items():
        network = k.Sequential([k.Input(shape), *stack])
        case, data = folder(root, name + "_saved")
        network.export(os.path.join(case, "model"), verbose=False)
        x = random_input(random, (1, *shape), np.float32)
        np.save(os.path.join(data, "input_0.npy"), x)
        np.save(os.path.join(data, "output_0.npy"), np.asarray(network(x, training=False)))
        try:
            content = tf.lite.TFLiteConverter.from_keras_model(network).convert()
        except Exception as refused:  # operators that TensorFlow Lite does not have
            print(f"{name}: not converted: {str(refused)[:100]}")
            continue
        record_tflite(*folder(root, name + "_lite"), content, random)


def timm(root, seconds):
    import torch
    from onnx import numpy_helper

    import timm as zoo

    torch.manual_seed(SEED)
    start = time.time()
    small = re.compile(r"test_|atto|femto|pico|nano|tiny|micro|xxs|_xs|mini|small|_t0|_t_|_s_|lite|18|b0|050|x0")
    for module in zoo.list_modules():
        names = zoo.list_models(module=module)
        names = [name for name in names if small.search(name)] or names
        if not names or time.time() - start > seconds:
            continue
        name = min(names, key=lambda each: (not each.startswith("test_"), len(each)))
        network = zoo.create_model(name).eval()
        for part in network.modules():
            if isinstance(part, torch.nn.modules.batchnorm._BatchNorm) and part.running_mean is not None:
                part.running_mean.normal_(0, 0.1)
                part.running_var.uniform_(0.5, 1.5)
        x = torch.randn(1, *network.default_cfg.get("input_size", (3, 224, 224)))
        case, data = folder(root, name)
        try:
            with torch.no_grad():
                y = network(x)
            file = os.path.join(case, "model.onnx")
            torch.onnx.export(network, (x,), file, dynamo=True, external_data=False, verbose=False)
        except Exception as refused:  # what PyTorch does not export
            print(f"{name}: not exported: {str(refused)[:100]}")
            shutil.rmtree(case)
            continue
        for kind, value in (("input_0", x), ("output_0", y)):
            with open(os.path.join(data, kind + ".pb"), "wb") as out:
                out.write(numpy_helper.from_array(value.numpy()).SerializeToString())


def main(arguments):
    match arguments:
        case ["onnx-node", root]:
            onnx_node(root)
        case ["tflite", root, *models] if models:
            tflite(root, models)
        case ["keras", root]:
            keras(root)
        case ["timm", root, *seconds] if len(seconds) < 2:
            timm(root, float(seconds[0]) if seconds else 1e9)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
