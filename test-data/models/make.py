"""Writes the recorded tensors and weights of the models beside it; every number is exact in its data type."""

import json
import struct
from pathlib import Path

HERE = Path(__file__).parent


def npy(path, descr, code, shape, values):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, tuple(shape))
    text += " " * (-(len(text) + 11) % 64) + "\n"
    data = struct.pack("<%d%s" % (len(values), code), *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def two_branches():
    batch, channels, width = 2, 2, 3
    shift = [0.5, -2.0]
    x = [(i - 5) * 0.75 for i in range(batch * channels * width)]
    both, total = [], []
    for b in range(batch):
        rows = [x[(b * channels + c) * width:][:width] for c in range(channels)]
        left = [[v if v >= 0 else 0.25 * v for v in row] for row in rows]
        right = [[v + shift[c] for v in row] for c, row in enumerate(rows)]
        both += sum(left + right, [])
        total += [sum(row[i] for row in left + right) for i in range(width)]
    folder = HERE / "two_branches"
    npy(folder / "input_0.npy", "<f4", "f", [batch, channels, width], x)
    npy(folder / "output_0.npy", "<f4", "f", [batch, 2 * channels, width], both)
    npy(folder / "output_1.npy", "<f4", "f", [batch, width], total)


def half_weights():
    x = [(i - 3) * 0.5 for i in range(8)]
    w = [((7 * i) % 5 - 2) * 0.25 for i in range(12)]
    bias = [0.125, -0.5, 1.0]
    y = [max(0.0, sum(x[r * 4 + k] * w[k * 3 + c] for k in range(4)) + bias[c]) for r in range(2) for c in range(3)]
    folder = HERE / "half_weights"
    npy(folder / "input_0.npy", "<f2", "e", [2, 4], x)
    npy(folder / "output_0.npy", "<f2", "e", [2, 3], y)
    header = json.dumps({
        "w": {"dtype": "F16", "shape": [4, 3], "data_offsets": [0, 24]},
        "bias": {"dtype": "F16", "shape": [3], "data_offsets": [24, 30]},
    }).encode()
    header += b" " * (-len(header) % 8)
    data = struct.pack("<12e3e", *w, *bias)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)


two_branches()
half_weights()
