#!/usr/bin/env python3
"""Prints the lines of operators.txt: for each case of cases.py its operator, attributes and operands, and what ONNX Runtime
gave for them, or what the case defines where ONNX Runtime has no operator for processors.

    record.py > operators.txt

It takes the Python packages onnxruntime and onnx.
"""

import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from cases import CASES

DOMAINS = ["", "ai.onnx.ml", "com.microsoft"]


def number(value):
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(int(value))
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    plain = value == 0 or 1e-4 < abs(value) < 1e7
    show = np.format_float_positional if plain else np.format_float_scientific
    return show(value, unique=True, trim="0")


def tensor(array):
    array = np.asarray(array)
    sizes = ",".join(map(str, array.shape))
    return f"{array.dtype.name}[{sizes}]: " + " ".join(number(value) for value in array.ravel())


def attribute(name, value):
    if isinstance(value, np.ndarray):
        return f"{name}={tensor(value).replace(': ', ':').replace(' ', ',')}"
    if isinstance(value, list):
        return f"{name}=[{','.join(v if isinstance(v, str) else number(plain(v)) for v in value)}]"
    return f"{name}={value if isinstance(value, str) else number(plain(value))}"


def plain(value):
    return np.float32(value) if isinstance(value, float) else value


def given(operand):
    return operand[1] if isinstance(operand, tuple) else operand


def line(op, version, attributes, operands, outputs, definition=None):
    """Operands are arrays, tuples ("const", array), or None where there is none; a definition takes them and gives the outputs."""
    found = runtime(op, version, attributes, operands, outputs) if definition is None else definition(*map(given, operands))
    shown = ["none" if each is None else ("const " if isinstance(each, tuple) else "") + tensor(given(each)) for each in operands]
    texts = [
        f"{op}:{version}",
        " ".join(attribute(key, value) for key, value in attributes.items()),
        " ; ".join(shown),
        " ; ".join("text" if each.dtype == object else tensor(each) for each in map(np.asarray, found)),
    ]
    return " | ".join(texts)


def runtime(op, version, attributes, operands, outputs):
    domain, _, name = op.rpartition(".")
    names = ["" if operand is None else f"x{i}" for i, operand in enumerate(operands)]
    fields = {
        key: numpy_helper.from_array(value, key) if isinstance(value, np.ndarray) else value
        for key, value in attributes.items()
    }
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(name, names, results, domain=domain, **fields)
    inputs, constants = [], []
    for key, operand in zip(names, operands):
        if operand is None:
            continue
        array = given(operand)
        if isinstance(operand, tuple):
            constants.append(numpy_helper.from_array(array, key))
        else:
            kind = helper.np_dtype_to_tensor_dtype(array.dtype)
            inputs.append((helper.make_tensor_value_info(key, kind, array.shape), array))
    graph = helper.make_graph(
        [node],
        "case",
        [info for info, _ in inputs],
        [helper.make_empty_tensor_value_info(result) for result in results],
        constants,
    )
    sets = [helper.make_opsetid(each, version if each == domain else 1) for each in DOMAINS]
    if domain:
        sets[0] = helper.make_opsetid("", 21)
    model = helper.make_model(graph, opset_imports=sets, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(results, {info.name: array for info, array in inputs})


if __name__ == "__main__":
    print("# What ONNX Runtime", onnxruntime.__version__, "gave, by record.py.")
    for case in CASES:
        try:
            print(line(*case))
        except Exception as refused:
            print(case[0], refused, file=sys.stderr)
