package org.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Operators on int32 whose kernels can run in chains, with parameters of every kind: vectors, 64 bits, local memory,
 * tensors that are left out, static and passing ones. Their elements depend on elements that other items made, so that
 * one read too early shows in the result.
 */
final class ChainOperators {

    private static final String DESCRIPTIONS = """
            {"ops": [
              {"optype": "Mix", "author": "test", "arch": "none",
               "tensors_in": [
                 {"arg_name": "a", "mtype": "LN_MEM_NONE", "dtype": ["int32"]},
                 {"arg_name": "b", "mtype": "LN_MEM_NONE", "sametype": "a", "sameshape": "a"}],
               "params": [{"arg_name": "step", "ptype": "LN_PARAM_NUMBER", "realtype": "int", "default": 1}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "a.dtype", "dims": "a.dims"}]},
              {"optype": "Mix_one", "author": "test", "arch": "opencl", "inherits": "Mix", "variant": "one",
               "run": [{"kernel": "chain.cl#mingle", "args": {"a": "a", "b": "b", "y": "y", "len": "y.len",
                  "step": "step", "shift": "[1, step, 3]", "salt": "step * 10000000019", "factor": "0.5"},
                  "global": ["y.len"]}]},
              {"optype": "Turn", "author": "test", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["int32"]}],
               "params": [{"arg_name": "width", "ptype": "LN_PARAM_NUMBER", "realtype": "int"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Turn_plane", "author": "test", "arch": "opencl", "inherits": "Turn", "variant": "plane",
               "run": [{"kernel": "chain.cl#turn", "args": {"x": "x", "y": "y", "size": "[width, x.len / width]"},
                  "global": ["width", "x.len / width"], "local": ["1", "1"]}]},
              {"optype": "Cells", "author": "test", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["int32"]}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Cells_space", "author": "test", "arch": "opencl", "inherits": "Cells", "variant": "space",
               "run": [{"kernel": "chain_cells.cl#cells", "args": {"x": "x", "y": "y", "len": "x.len"},
                  "global": ["3", "5", "ceil_div(x.len, 15)"], "local": ["3", "1", "1"]}]},
              {"optype": "Weigh", "author": "test", "arch": "none",
               "tensors_in": [
                 {"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["int32"]},
                 {"arg_name": "weights", "mtype": "LN_MEM_NONE", "sametype": "x"},
                 {"arg_name": "bias", "mtype": "LN_MEM_NONE", "sametype": "x", "sameshape": "weights",
                  "optional": true}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Weigh_packed", "author": "test", "arch": "opencl", "inherits": "Weigh", "variant": "packed",
               "tensors_out": [
                 {"arg_name": "packed", "mtype": "LN_MEM_OPENCL", "dtype": "x.dtype", "dims": "weights.dims",
                  "static": true},
                 {"arg_name": "passing", "mtype": "LN_MEM_OPENCL", "dtype": "x.dtype", "dims": "x.dims"}],
               "static_run": [{"kernel": "chain_weigh.cl#pack", "args": {"weights": "weights", "packed": "packed"},
                  "global": ["weights.len"]}],
               "run": [
                 {"kernel": "chain_weigh.cl#mirror", "args": {"x": "x", "y": "passing", "len": "x.len"},
                  "global": ["x.len"]},
                 {"kernel": "chain_weigh.cl#weigh", "args": {"x": "passing", "packed": "packed", "bias": "bias",
                  "y": "y", "len": "x.len", "width": "weights.len", "first": "64", "second": "100"},
                  "global": ["ceil_div(x.len, 16)"], "local": ["1"]}]}]}
            """;

    private static final String MIX = """
            #define AT(i) ((int)((long)(i) * step % len))
            static void mingle_item(__global const int *a, __global const int *b, __global int *y, const int len,
                    const int step, const int3 shift, const long salt, const float factor, const int3 at) {
                const int i = at.x;
                y[i] = a[i] * 31 + b[AT(i)] + shift.x + 2 * shift.y + 4 * shift.z + (int)(salt >> 7) + (int)(factor * 8);
            }
            __kernel void mingle(__global const int *a, __global const int *b, __global int *y, const int len,
                    const int step, const int3 shift, const long salt, const float factor) {
                mingle_item(a, b, y, len, step, shift, salt, factor,
                        (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
            }
            __kernel void turn(__global const int *x, __global int *y, const int2 size) {
                const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
                y[at.x * size.y + at.y] = x[at.y * size.x + at.x];
            }
            """;

    private static final String CELLS = """
            #define AT(x, y, z) (((z) * 5 + (y)) * 3 + (x))
            __kernel void cells(__global const int *x, __global int *y, const int len) {
                const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
                const int i = AT(at.x, at.y, at.z);
                if (i < len) {
                    y[i] = x[len - 1 - i] ^ (at.x + 10 * at.y + 100 * at.z);
                }
            }
            """;

    private static final String WEIGH = """
            __kernel void pack(__global const int *weights, __global int *packed) {
                packed[get_global_id(0)] = 2 * weights[get_global_id(0)] + 1;
            }
            static void mirror_item(__global const int *x, __global int *y, const int len, const int3 at) {
                y[at.x] = 3 * x[at.x] - x[len - 1 - at.x];
            }
            __kernel void mirror(__global const int *x, __global int *y, const int len) {
                mirror_item(x, y, len, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
            }
            __kernel void weigh(__global const int *x, __global const int *packed, __global const int *bias,
                    __global int *y, const int len, const uint width, __local int *first, __local int *second) {
                const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
                const int count = min(len - at.x * 16, 16);
                for (int i = 0; i < count; ++i) {
                    first[i] = x[at.x * 16 + i];
                    second[15 - i] = first[i] * 7;
                }
                for (int i = 0; i < count; ++i) {
                    const uint lane = (at.x * 16 + i) % width;
                    y[at.x * 16 + i] = first[count - 1 - i] * packed[lane] + second[15 - i] + (bias ? bias[lane] : 0);
                }
            }
            """;

    private ChainOperators() {}

    /** Writes descriptions and kernels. */
    static void describe(Path folder) throws IOException {
        Files.writeString(folder.resolve("chain.json"), DESCRIPTIONS);
        Files.writeString(folder.resolve("chain.cl"), MIX);
        Files.writeString(folder.resolve("chain_cells.cl"), CELLS);
        Files.writeString(folder.resolve("chain_weigh.cl"), WEIGH);
    }

    /**
     * A network of these operators from {@code x[len]} to {@code y} and a value between.
     *
     * @param folder where they are described
     */
    static Graph random(Path folder, long seed, int nodes, int len) {
        Random random = new Random(seed);
        Ops ops = Ops.graph("net", List.of(folder));
        List<Edge> values = new ArrayList<>();
        Edge x = ops.input("x", TensorType.of(DType.INT32, len));
        values.add(x);
        for (int i = 0; i < nodes; i++) {
            Edge other = values.get(random.nextInt(values.size()));
            x = switch (random.nextInt(4)) {
                case 0 ->
                    ops.op("Mix", other, x)
                            .with("step", Attribute.of(1 + random.nextInt(9)))
                            .y();
                case 1 ->
                    ops.op("Turn", x)
                            .with("width", Attribute.of(divisor(random, len)))
                            .y();
                case 2 -> ops.op("Cells", x).y();
                default -> weighed(ops, x, i, random);
            };
            values.add(x);
        }
        ops.output("y", x);
        if (nodes > 2) {
            ops.output("between", values.get(1 + nodes / 2));
        }
        return ops.build();
    }

    private static Edge weighed(Ops ops, Edge x, int number, Random random) {
        int width = 1 + random.nextInt(40);
        Edge weights = ops.constant("weights" + number, numbers(random.nextLong(), width));
        return random.nextBoolean()
                ? ops.op("Weigh", x, weights, ops.constant("bias" + number, numbers(random.nextLong(), width)))
                        .y()
                : ops.op("Weigh", x, weights).y();
    }

    private static int divisor(Random random, int len) {
        int width = 1 + random.nextInt(len);
        while (len % width != 0) {
            width--;
        }
        return width;
    }

    static Tensor numbers(long seed, int len) {
        Random random = new Random(seed);
        Tensor tensor = Tensor.allocate(DType.INT32, len);
        for (int i = 0; i < len; i++) {
            tensor.setLong(i, random.nextInt());
        }
        return tensor;
    }
}
