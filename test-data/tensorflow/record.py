#!/usr/bin/env python3
"""Prints the lines of operators.txt for cases that `./clinfer verify` takes: model.pb, a graph of one operator beside inputs,
constants and identities, and test_data_set_0 with what TensorFlow was given and gave, as ONNX's TensorProto.

    record.py CASE... > operators.txt

It takes the Python packages tensorflow and onnx. Cases are recorded with TF_ENABLE_ONEDNN_OPTS=0, because oneDNN's
convolutions differ from TensorFlow's own by more than rounding.
"""

import os
import sys

import numpy as np
import tensorflow as tf
from onnx import TensorProto, numpy_helper
from tensorflow.core.framework import graph_pb2, types_pb2


def number(value):
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(int(value))
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    plain = value == 0 or 1e-4 < abs(value) < 1e7
    show = np.format_float_positional if plain else np.format_float_scientific
    return show(value, unique=True, trim="-")


def tensor(array):
    array = np.asarray(array)
    sizes = ",".join(map(str, array.shape))
    return f"{array.dtype.name}[{sizes}]: " + " ".join(number(value) for value in array.ravel())


def attribute(name, value):
    kind = value.WhichOneof("value")
    if kind == "list":
        types = [types_pb2.DataType.Name(type) for type in value.list.type]
        reals = [np.format_float_positional(np.float32(f), unique=True, trim="0") for f in value.list.f]
        entries = [str(i) for i in value.list.i] + reals + [s.decode() for s in value.list.s] + types
        return f"{name}=[{','.join(entries)}]"
    if kind == "f":
        text = number(np.float32(value.f))
        return f"{name}={text if '.' in text or 'e' in text else text + '.0'}"
    shown = {
        "i": lambda: str(value.i),
        "b": lambda: str(value.b).lower(),
        "s": lambda: value.s.decode(),
        "type": lambda: types_pb2.DataType.Name(value.type),
    }
    return f"{name}={shown[kind]()}"


def read(path):
    proto = TensorProto()
    with open(path, "rb") as file:
        proto.ParseFromString(file.read())
    return proto.name, numpy_helper.to_array(proto)


def line(case):
    graph = graph_pb2.GraphDef()
    with open(os.path.join(case, "model.pb"), "rb") as file:
        graph.ParseFromString(file.read())
    nodes = {node.name: node for node in graph.node}
    (node,) = [each for each in graph.node if each.op not in ("Placeholder", "Const", "Identity")]
    data = os.path.join(case, "test_data_set_0")
    values = dict(read(os.path.join(data, name)) for name in sorted(os.listdir(data)))
    operands = []
    for name in node.input:
        source = nodes[name.split(":")[0]]
        if source.op == "Const":
            operands.append("const " + tensor(tf.make_ndarray(source.attr["value"].tensor)))
        else:
            is_open = any(size.size == -1 for size in source.attr["shape"].shape.dim)
            operands.append(("open " if is_open else "") + tensor(values[source.name]))
    outputs = [tensor(values[name]) for name in sorted(values) if name.startswith("y")]
    told = [name for name in sorted(node.attr) if node.attr[name].WhichOneof("value") != "shape"]  # the operands have shapes
    attributes = " ".join(attribute(name, node.attr[name]) for name in told)
    return f"{node.op} | {attributes} | {' ; '.join(operands)} | {' ; '.join(outputs)}"


for folder in sys.argv[1:]:
    print(line(folder))
