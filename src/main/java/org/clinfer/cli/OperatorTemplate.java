package org.clinfer.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The files of an operator to begin with: scale * x, described, with a kernel, and a network that uses it. */
final class OperatorTemplate {

    /** The input of the network. */
    static final float[] INPUT = {-3, -2, -1, 0, 1, 2, 3};

    /** The parameter that the network gives. */
    static final float SCALE = 1.5f;

    private static final String DESCRIPTION = """
            {
              "ops": [
                {
                  "optype": "NAME",
                  "author": "you",
                  "arch": "none",
                  "doc": "scale * x",
                  "elementwise": true,
                  "tensors_in": [
                    {"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["floating"], "dtype_doc": "scale is a real number"}
                  ],
                  "params": [
                    {"arg_name": "scale", "ptype": "LN_PARAM_NUMBER", "realtype": "float", "default": 2,
                     "doc": "The factor of each element."}
                  ],
                  "tensors_out": [
                    {"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}
                  ]
                },
                {
                  "optype": "NAME_ref",
                  "author": "you",
                  "arch": "opencl",
                  "inherits": "NAME",
                  "variant": "ref",
                  "checks": [
                    {"check": "x.len < 2147483648, \\"2^31 elements or more in one tensor\\""}
                  ],
                  "run": [
                    {"kernel": "FILE.cl#FILE_kernel", "build": {"ELEMENT": "x.dtype"},
                     "args": {"x": "x", "y": "y", "len": "x.len", "scale": "scale"},
                     "global": ["ceil_div(x.len, 64) * 64"]}
                  ]
                },
                {
                  "optype": "NAME_elements",
                  "author": "you",
                  "arch": "cpu",
                  "inherits": "NAME",
                  "variant": "elements",
                  "run": [
                    {"tensor": "y", "value": "element(x, at) * scale"}
                  ]
                }
              ]
            }
            """;

    private static final String KERNEL = """
            // y[i] = scale * x[i]
            //
            // Layout: any, x and y alike and dense.
            // Assumes: len < 2^31; the global size is at least len (items beyond it do nothing).
            // Macros: ELEMENT  the data type, of common/element.h: one source for float16, bfloat16, float32 and float64.
            #include "common/element.h"

            __kernel void FILE_kernel(__global const STORED *x, __global STORED *y, const int len, const REAL scale) {
                const int i = get_global_id(0);
                if (i < len) {
                    store_element(load_element(x, i) * scale, y, i);
                }
            }
            """;

    private static final String MODEL = """
            {"name": "test of NAME", "ops": [
              {"name": "x", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "x"}],
               "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [7]}]},
              {"name": "node", "optype": "NAME",
               "tensors_in": [{"arg_name": "x", "name": "x"}], "tensors_out": [{"arg_name": "y", "name": "y"}],
               "params": [{"arg_name": "scale", "value": 1.5}]},
              {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}]}
            ]}
            """;

    private static final String README = """
            # NAME

            | file | what it is |
            |---|---|
            | `FILE.json` | what NAME takes and gives; how it runs on OpenCL devices, and each element for the CPU |
            | `FILE.cl` | the kernel, one source for all floating types |
            | `FILE-test/` | a network that uses it, with an input and the output that it must give |

            From this folder:

            ```
            clinfer ops NAME --operators .
            clinfer verify --operators .
            clinfer verify FILE-test --operators .
            clinfer run FILE-test/model.json --operators . --input FILE-test/input_0.npy --placement
            ```

            The reference of the format is docs/descriptions.md of Clinfer.
            """;

    private OperatorTemplate() {}

    /** The texts of the files by their names. */
    static Map<String, String> files(String name) {
        String file = file(name);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(file + ".json", filled(DESCRIPTION, name));
        files.put(file + ".cl", filled(KERNEL, name));
        files.put(file + "-test/model.json", filled(MODEL, name));
        files.put(file + ".md", filled(README, name));
        return files;
    }

    /** The name of an operator as that of a file: {@code my_shrink}. That of its kernel ends so that OpenCL has none like it. */
    static String file(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static String filled(String template, String name) {
        return template.replace("NAME", name).replace("FILE", file(name));
    }
}
