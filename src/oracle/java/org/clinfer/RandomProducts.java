package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.real;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.DType;

/** Products of matrices, normalisations and reductions, and attention, which is made of them. */
final class RandomProducts {

    private RandomProducts() {}

    /** A product with a constant matrix: MatMul, perhaps with what is added, or Gemm. */
    static void linear(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        long terms = x.size(x.rank() - 1);
        long columns = network.one(1, 3, 8, 16, 32, 33, 64);
        long[] sizes = x.sizesWith(x.rank() - 1, columns);
        if (!RandomNetwork.isSmall(terms, sizes)) {
            return;
        }
        double scale = RandomNetwork.scale(terms);
        if (x.rank() == 2 && network.chance(0.5)) {
            boolean isTurned = network.chance(0.5);
            String weights = isTurned ? network.weights(scale, columns, terms) : network.weights(scale, terms, columns);
            network.node(
                    "Gemm",
                    x.name() + "," + weights + "," + network.weights(0.5, columns),
                    sizes,
                    integer("transB", isTurned ? 1 : 0),
                    real("alpha", network.one(1f, 1f, 0.7f)));
            return;
        }
        Value y = network.node("MatMul", x.name() + "," + network.weights(scale, terms, columns), sizes);
        if (network.chance(0.6)) {
            network.node("Add", y.name() + "," + network.weights(0.5, columns), sizes);
        }
    }

    /** A product of two values of the network, of which one is transposed. */
    static void product(RandomNetwork network) {
        network.pick(value -> value.rank() >= 3).ifPresent(x -> {
            int last = x.rank() - 1;
            long[] order = new long[x.rank()];
            Arrays.setAll(order, axis -> axis < last - 1 ? axis : 2 * last - 1 - axis);
            long[] turned = x.sizes();
            turned[last] = x.size(last - 1);
            turned[last - 1] = x.size(last);
            long[] sizes = x.sizesWith(last, x.size(last - 1));
            if (!RandomNetwork.isSmall(x.size(last), sizes)) {
                return;
            }
            String scale = network.scalar(RandomNetwork.scale(x.size(last)));
            Value left = network.node("Mul", x.name() + "," + scale, x.sizes());
            Value right = network.node("Transpose", x.name(), turned, ints("perm", order));
            network.node("MatMul", left.name() + "," + right.name(), sizes);
        });
    }

    /** Attention of several heads, as exporters write it out. */
    static void attention(RandomNetwork network) {
        Optional<Value> picked =
                network.pick(value -> value.rank() == 3 && value.size(2) % 4 == 0 && value.size(1) <= 64);
        if (picked.isEmpty()) {
            return;
        }
        Value x = picked.orElseThrow();
        long batch = x.size(0);
        long length = x.size(1);
        long width = x.size(2);
        long heads = network.one(1, 2, 4);
        long[] rows = {batch, heads, length, width / heads};
        long[] scores = {batch, heads, length, length};
        if (!RandomNetwork.isSmall(width, x.sizes()) || !RandomNetwork.isSmall(width, scores)) {
            return;
        }
        Value queries = heads(network, x, heads, 0, 2, 1, 3);
        Value keys = heads(network, x, heads, 0, 2, 3, 1);
        Value values = heads(network, x, heads, 0, 2, 1, 3);
        Value y = network.node("MatMul", queries.name() + "," + keys.name(), scores);
        y = network.node("Mul", y.name() + "," + network.scalar(RandomNetwork.scale(width / heads)), scores);
        y = network.node("Softmax", y.name(), scores, integer("axis", -1));
        y = network.node("MatMul", y.name() + "," + values.name(), rows);
        y = network.node(
                "Transpose", y.name(), new long[] {batch, length, heads, width / heads}, ints("perm", 0, 2, 1, 3));
        y = network.node("Reshape", y.name() + "," + network.longs(x.sizes()), x.sizes());
        if (network.chance(0.7)) {
            network.node("Add", y.name() + "," + x.name(), x.sizes());
        }
    }

    private static Value heads(RandomNetwork network, Value x, long heads, long... order) {
        long width = x.size(2);
        String weights = network.weights(RandomNetwork.scale(width), width, width);
        Value y = network.node("MatMul", x.name() + "," + weights, x.sizes());
        y = network.node("Add", y.name() + "," + network.weights(0.1, width), x.sizes());
        long[] parted = {x.size(0), x.size(1), heads, width / heads};
        y = network.node("Reshape", y.name() + "," + network.longs(parted), parted);
        long[] sizes = new long[order.length];
        Arrays.setAll(sizes, axis -> parted[(int) order[axis]]);
        return network.node("Transpose", y.name(), sizes, ints("perm", order));
    }

    static void normalization(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int last = x.rank() - 1;
        switch (network.between(0, 4)) {
            case 4 -> {
                if (x.size(last) > 3) {
                    normalizationInParts(network, x);
                }
            }
            case 0 -> {
                if (x.size(last) > 3) {
                    String constants = network.weights(1, x.size(last)) + "," + network.weights(1, x.size(last));
                    network.node(
                            "LayerNormalization",
                            x.name() + "," + constants,
                            x.sizes(),
                            integer("axis", -1),
                            real("epsilon", 0.1f));
                }
            }
            case 1 -> {
                if (x.rank() >= 3 && Arrays.stream(x.sizes(), 2, x.rank()).reduce(1, (a, b) -> a * b) > 3) {
                    String constants = network.weights(1, x.size(1)) + "," + network.weights(1, x.size(1));
                    network.node("InstanceNormalization", x.name() + "," + constants, x.sizes(), real("epsilon", 0.1f));
                }
            }
            default ->
                network.node(
                        network.one("Softmax", "Softmax", "LogSoftmax"),
                        x.name(),
                        x.sizes(),
                        integer("axis", network.between(0, last)));
        }
    }

    /** Layer normalization, or that by the root of the mean square, in one of the forms that exporters write. */
    private static void normalizationInParts(RandomNetwork network, Value x) {
        boolean isWidened = network.type() == DType.FLOAT16;
        String data = isWidened ? network.aside("Cast", x.name(), integer("to", OnnxModel.FLOAT)) : x.name();
        if (network.chance(0.3)) {
            data = network.aside("Sub", data + "," + mean(network, data));
        }
        String square = network.chance(0.5)
                ? network.aside("Pow", data + "," + network.reals(2))
                : network.aside("Mul", data + "," + data);
        String sum = network.aside("Add", mean(network, square) + "," + network.reals(0.1f));
        String root = network.aside("Sqrt", sum);
        String normal = switch (network.between(0, 3)) {
            case 0 -> network.aside("Div", data + "," + root);
            case 1 -> network.aside("Mul", network.aside("Reciprocal", root) + "," + data);
            case 2 -> network.aside("Mul", data + "," + network.aside("Div", network.reals(1) + "," + root));
            default -> network.aside("Mul", data + "," + network.aside("Pow", sum + "," + network.reals(-0.5f)));
        };
        if (isWidened) {
            normal = network.aside("Cast", normal, integer("to", RandomPieces.number(DType.FLOAT16)));
        }
        String weights = network.weights(1, x.size(x.rank() - 1));
        network.node("Mul", network.chance(0.5) ? normal + "," + weights : weights + "," + normal, x.sizes());
    }

    private static String mean(RandomNetwork network, String of) {
        return network.aside("ReduceMean", of, ints("axes", -1), integer("keepdims", 1));
    }

    static void reduction(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int axis = network.between(0, x.rank() - 1);
        Value reduced = network.node(
                network.one("ReduceMean", "ReduceMax", "ReduceMin", "ReduceL2", "ReduceSumSquare"),
                x.name(),
                x.sizesWith(axis, 1),
                ints("axes", axis),
                integer("keepdims", 1));
        if (network.chance(0.5)) {
            network.node("Sub", x.name() + "," + reduced.name(), x.sizes());
        }
    }
}
