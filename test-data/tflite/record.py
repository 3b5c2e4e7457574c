#!/usr/bin/env python3
"""Does what record.js does with the TensorFlow Lite of the Python package tensorflow, which is newer: prints a line for each
network whose operator is named. What it refuses is left out.

    TF_ENABLE_ONEDNN_OPTS=0 record.py DIR OPERATOR... >> recorded.txt

DIR is what mvn test -Dtest=TfliteRecordedTest -Dtflite.cases=DIR writes.
"""

import os
import sys

import numpy as np
import tensorflow as tf

MOST_ELEMENTS = 48


def shown(array):
    apart = max(1, -(-array.size // MOST_ELEMENTS))
    sizes = "x".join(map(str, array.shape)) or "scalar"
    texts = [str(int(v)) if float(v).is_integer() else f"{float(v):#.8g}" for v in array.ravel()[::apart]]
    return " ".join([f"{sizes}:{array.dtype.name}", str(apart), *texts])


def run(own):
    interpreter = tf.lite.Interpreter(
        model_path=os.path.join(own, "net.tflite"),
        experimental_op_resolver_type=tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    interpreter.allocate_tensors()
    for i, each in enumerate(interpreter.get_input_details()):
        data = np.fromfile(os.path.join(own, f"input_{i}.bin"), each["dtype"])
        interpreter.set_tensor(each["index"], data.reshape(each["shape"]))
    interpreter.invoke()
    return " ; ".join(shown(interpreter.get_tensor(each["index"])) for each in interpreter.get_output_details())


folder, *operators = sys.argv[1:]
for name in sorted(os.listdir(folder)):
    own = os.path.join(folder, name)
    with open(os.path.join(own, "case.txt")) as file:
        key = file.read()
    if key.split(" ")[0] in operators:
        try:
            print(f"{key} => {run(own)}")
        except (RuntimeError, ValueError) as refused:
            print(key, str(refused)[:300], file=sys.stderr)
