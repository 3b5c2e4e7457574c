package org.clinfer.describe;

/** A description that uses every field of the format, but for those that speak of a whole file and other files. */
final class FullDescription {

    static final String JSON = """
            {"ops": [
              {"optype": "Full", "author": "me", "arch": "none", "doc": "all fields", "cpu_work": "movement",
               "tensors_in": [
                 {"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["float32", "float16"], "dtype_doc": "why not", "ndim": 4,
                  "checks": [{"check": "x.len > 0, \\"x is empty\\""}]},
                 {"arg_name": "k", "mtype": "LN_MEM_NONE", "optional": true, "value": true, "dtype": "int64"},
                 {"arg_name": "rest", "mtype": "LN_MEM_NONE", "variadic": true, "sametype": "x", "sameshape": "x",
                  "static": true, "len": "x.len", "zero_border": "sizes", "check": "len(rest) < 3"}],
               "params": [
                 {"arg_name": "axis", "ptype": "LN_PARAM_NUMBER", "realtype": "int", "default": null, "from_input": "k",
                  "ge": "-x.ndim", "lt": 4},
                 {"arg_name": "scale", "ptype": "LN_PARAM_ARRAY_NUMBER", "realtype": "float", "default": "fill(2, 1)",
                  "len": 2, "eq": [1, 2.5]},
                 {"arg_name": "mode", "ptype": "LN_PARAM_STRING", "default": "a + b", "one_of": ["a + b", "c"]}],
               "extra_privs": [{"type": "ints", "name": "sizes", "value": "[axis, 2]"}],
               "checks": [{"check": "sizes[0] > 0"}],
               "autogen": true, "custom": "sizes[1] == 2",
               "tensors_out": [
                 {"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": [2, "x.dims[0]"], "owner": "x",
                  "ndim": 2},
                 {"arg_name": "z", "mtype": "LN_MEM_NONE", "dtype": "int8", "dims": "y.dims + [index]",
                  "variadic": true, "optional": true}]},
              {"optype": "Full_fast", "author": "me", "arch": "opencl", "inherits": "Full", "variant": "fast",
               "device_kind": "gpu",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_OPENCL"}],
               "checks": [{"check": "device.kind == 'gpu'"}],
               "extra_privs": [{"type": "int", "name": "tile", "value": "8"}],
               "run": [{"kernel": "full/full_fast.cl#run", "build": {"TILE": "tile", "N": 3},
                        "args": {"x": "x", "n": "z.len * index"}, "global": ["y.len", 1], "local": ["tile", 1],
                        "each": "z", "when": "has(k)"}]},
              {"optype": "Same_cpu", "author": "me", "arch": "cpu", "inherits": "Same", "variant": "plain",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_CPU", "dtype": ["numeric"]}],
               "run": [{"tensor": "y", "value": "element(x, at)"}]},
              {"optype": "Full_packed", "author": "me", "arch": "opencl", "inherits": "Full", "variant": "packed",
               "tensors_out": [{"arg_name": "packed", "mtype": "LN_MEM_OPENCL", "dtype": "x.dtype", "dims": [64],
                 "static": true, "doc": "weights in tiles"}],
               "static_run": [{"kernel": "full/pack.cl#pack", "args": {"packed": "packed"}, "global": [64]}],
               "run": [],
               "post_run": [{"kernel": "full/pack.cl#end", "args": {"packed": "packed"}, "global": [1]}]},
              {"optype": "Same", "author": "me", "arch": "none", "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "params": [{"arg_name": "how", "ptype": "LN_PARAM_STRING", "realtype": "int", "default": "on",
                 "from_func": "value == 'on' ? 1 : 0", "ge": 0}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims",
                 "cleanup": ""}], "elementwise": true, "moves": true, "layout": "nChw16c",
               "variants": [{"variant": "copied", "checks": [{"fits_int": ["x.len", "2 * y.len"]}],
                 "run": [{"like": "copy", "from": "x", "when": "how > 0"}]}]},
              {"optype": "Twin", "author": "me", "arch": "none", "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Twin_parts", "author": "me", "arch": "graph", "inherits": "Twin", "variant": "parts",
               "ops": [
                 {"name": "first", "optype": "Same", "tensors_in": [{"arg_name": "x", "name": "x"}],
                  "tensors_out": [{"arg_name": "y", "name": "t"}], "params": [{"arg_name": "how", "value": "'off'"}],
                  "when": "x.ndim > 1"},
                 {"name": "second", "optype": "Same", "tensors_in": [{"arg_name": "x", "name": "t"}],
                  "tensors_out": [{"arg_name": "y", "name": "y"}]}]}
             ],
             "families": {"copy": {"defaults": {"group": 64}, "kernel": "full/copy.cl#copy",
               "args": {"x": "$from", "y": "y"}, "global": ["ceil_div($from.len, $group) * $group"], "local": ["$group"]}}
            }
            """;

    private FullDescription() {}
}
