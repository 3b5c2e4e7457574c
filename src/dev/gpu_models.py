"""Writes networks of one operator each for src/dev/gpu-run.sh: products of matrices, and what moves 256 MiB of float32.

Usage: gpu_models.py FOLDER
"""

import json
import sys
from pathlib import Path

SIDES = (1024, 4096, 8192)
LARGE = [64, 1024, 1024]
MOVES = {
    "relu": ("Relu", {"x": LARGE}, {}),
    "add": ("Add", {"a": LARGE, "b": LARGE}, {}),
    "transpose_021": ("Transpose", {"x": LARGE}, {"perm": [0, 2, 1]}),
    "transpose_0231": ("Transpose", {"x": [64, 256, 64, 64]}, {"perm": [0, 2, 3, 1]}),
    "softmax_last": ("Softmax", {"x": LARGE}, {}),
    "softmax_middle": ("Softmax", {"x": LARGE}, {"axis": 1}),
    "sum_last": ("ReduceSum", {"x": LARGE}, {"axis": [2]}),
    "sum_first": ("ReduceSum", {"x": LARGE}, {"axis": [0]}),
    "cumsum": ("CumSum", {"x": LARGE}, {"axis": 2}),
    "argmax": ("ArgMax", {"x": LARGE}, {"axis": 2}),
    "concat": ("Concat", {"x0": LARGE, "x1": [64, 1024, 512]}, {"axis": 2}),
}


def operation(name, optype, tensors_in, tensors_out, params):
    def tensors(named):
        return [{"arg_name": argument, "name": tensor} for argument, tensor in named]

    made = {"name": name, "optype": optype}
    if tensors_in:
        made["tensors_in"] = tensors(tensors_in)
    if tensors_out:
        made["tensors_out"] = tensors(tensors_out)
    if params:
        made["params"] = [{"arg_name": argument, "value": value} for argument, value in params.items()]
    return made


def network(optype, inputs, params):
    """A network of one node; Concat takes several tensors as its one argument."""
    operations = [operation(name, "Input", [], [("y", name)], {"dtype": "float32", "dims": sizes}) for name, sizes in inputs.items()]
    arguments = [("x" if optype == "Concat" else name, name) for name in inputs]
    operations.append(operation("node", optype, arguments, [("y", "result")], params))
    operations.append(operation("out", "Output", [("x", "result")], [], {}))
    return {"ops": operations}


def main(folder):
    networks = {f"product{side}": ("MatMul", {"a": [side, side], "b": [side, side]}, {}) for side in SIDES}
    for name, parts in {**networks, **MOVES}.items():
        (Path(folder) / f"{name}.json").write_text(json.dumps(network(*parts)))


if __name__ == "__main__":
    main(*sys.argv[1:])
