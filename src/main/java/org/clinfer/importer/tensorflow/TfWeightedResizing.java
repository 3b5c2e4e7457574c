package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.clinfer.importer.Integers;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Resampling in which each pixel is a weighted sum of as many as the scale asks for: products with a matrix of weights for each
 * axis of the picture. Source: tensorflow/core/kernels/image/scale_and_translate_op.cc, resize_area_op.cc.
 */
final class TfWeightedResizing {

    /** A function of the distance from the centre, which is 0 from a radius on. */
    private record Kernel(double radius, DoubleUnaryOperator weight) {}

    private static final double LEAST_SUM = 1000 * Float.MIN_NORMAL;

    private static final int MOST_WEIGHTS = 1 << 24;

    private final TfNetwork network;

    TfWeightedResizing(TfNetwork network) {
        this.network = network;
    }

    Map<String, TfTranslator> all() {
        return Map.of("ScaleAndTranslate", this::scaled, "ResizeArea", TfWeightedResizing::area);
    }

    private static Kernel kernel(TfCall call) {
        String type = call.node().text("kernel_type", "lanczos3");
        return switch (type) {
            case "lanczos1" -> lanczos(1);
            case "lanczos3" -> lanczos(3);
            case "lanczos5" -> lanczos(5);
            case "gaussian" -> new Kernel(1.5, x -> Math.exp(-2 * x * x));
            case "box" -> new Kernel(1, x -> x < 0.5 ? 1 : x == 0.5 ? 0.5 : 0);
            case "triangle" -> new Kernel(1, x -> 1 - x);
            case "keyscubic" ->
                new Kernel(2, x -> x >= 1 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : (1.5 * x - 2.5) * x * x + 1);
            case "mitchellcubic" ->
                new Kernel(
                        2,
                        x -> x >= 1
                                ? ((-7 / 18.0 * x + 2) * x - 10 / 3.0) * x + 16 / 9.0
                                : (7 / 6.0 * x - 2) * x * x + 8 / 9.0);
            default -> throw call.unsupportedUse("kernel_type " + type);
        };
    }

    private static Kernel lanczos(double radius) {
        return new Kernel(
                radius,
                x -> x <= 1e-3
                        ? 1
                        : radius
                                * Math.sin(Math.PI * x)
                                * Math.sin(Math.PI * x / radius)
                                / (Math.PI * Math.PI * x * x));
    }

    private void scaled(TfCall call) {
        Kernel kernel = kernel(call);
        boolean isSmoothed = call.node().flag("antialias", true);
        double[] scale = quotient(call).orElseGet(() -> pair(call, 2, "scale"));
        if (!((float) scale[0] > 0 && (float) scale[1] > 0)) {
            throw call.malformed("its scale is " + Arrays.toString(scale));
        }
        double[] translation = pair(call, 3, "translation");
        long[] sizes = sizes(call);
        Tensor[] weights = new Tensor[2];
        for (int side = 0; side < 2; side++) {
            weights[side] = weights(
                    kernel, size(call, side), sizes[side], (float) scale[side], (float) translation[side], isSmoothed);
        }
        give(call, weights);
    }

    /** The scale as {@code tf.image.resize} has it: the sizes of the result by those of the picture. */
    private Optional<double[]> quotient(TfCall call) {
        if (call.node().inputs().size() < 4) {
            throw call.malformed("it has " + call.node().inputs().size() + " inputs");
        }
        TfNode division = network.origin(call.node().inputs().get(2));
        if (!division.op().equals("RealDiv") || division.inputs().size() != 2) {
            return Optional.empty();
        }
        Optional<long[]> to = sizes(call, division.inputs().get(0));
        Optional<long[]> from = sizes(call, division.inputs().get(1)).filter(sizes -> sizes[0] > 0 && sizes[1] > 0);
        return to.flatMap(over -> from.map(
                under -> new double[] {(float) over[0] / (float) under[0], (float) over[1] / (float) under[1]}));
    }

    private Optional<long[]> sizes(TfCall call, Ref real) {
        TfNode cast = network.origin(real);
        return Optional.of(cast)
                .filter(node -> node.op().equals("Cast") && !node.inputs().isEmpty())
                .flatMap(node -> call.translated(node.inputs().get(0)))
                .flatMap(whole -> call.graph().integers(whole))
                .flatMap(Integers::all)
                .filter(sizes -> sizes.length == 2);
    }

    private static double[] pair(TfCall call, int input, String what) {
        Tensor given = call.constant(input).orElseThrow(() -> call.unsupportedUse("a computed " + what));
        if (given.elements() != 2) {
            throw call.malformed("its " + what + " has " + given.elements() + " elements");
        }
        return given.toDoubleArray();
    }

    private static Tensor weights(
            Kernel kernel, int from, long to, float scale, float translation, boolean isSmoothed) {
        Tensor weights = Tensor.allocate(DType.FLOAT32, to, from);
        float inverse = 1 / scale;
        float wide = isSmoothed ? Math.max(inverse, 1) : 1;
        double reach = kernel.radius * wide;
        for (int i = 0; i < to; i++) {
            float centre = (i + 0.5f) * inverse - inverse * translation;
            if (centre < 0 || centre > from) {
                continue;
            }
            int first = Math.min(from - 1, Math.max(0, (int) Math.ceil(centre - reach - 0.5)));
            int last = Math.min(from - 1, Math.max(0, (int) Math.floor(centre + reach - 0.5)));
            double[] each = new double[last - first + 1];
            double sum = 0;
            for (int k = first; k <= last; k++) {
                double distance = Math.abs((k + 0.5 - centre) / wide);
                each[k - first] = distance >= kernel.radius ? 0 : kernel.weight.applyAsDouble(distance);
                sum += each[k - first];
            }
            for (int k = first; k <= last && Math.abs(sum) >= LEAST_SUM; k++) {
                weights.setDouble((long) i * from + k, each[k - first] / sum);
            }
        }
        return weights;
    }

    /** Each pixel is the mean of the area that it covers. */
    private static void area(TfCall call) {
        long[] sizes = sizes(call);
        Tensor[] weights = new Tensor[2];
        for (int side = 0; side < 2; side++) {
            int from = size(call, side);
            boolean isAligned = call.node().flag("align_corners", false) && sizes[side] > 1;
            float scale = isAligned ? (from - 1) / (float) (sizes[side] - 1) : from / (float) sizes[side];
            weights[side] = Tensor.allocate(DType.FLOAT32, sizes[side], from);
            for (int i = 0; i < sizes[side]; i++) {
                float start = i * scale;
                float end = (i + 1) * scale;
                for (int k = (int) Math.floor(start); k < Math.ceil(end); k++) {
                    double covered = k < start ? (k + 1 > end ? scale : k + 1 - start) : k + 1 > end ? end - k : 1;
                    long place = (long) i * from + Math.min(Math.max(k, 0), from - 1);
                    weights[side].setDouble(place, weights[side].getDouble(place) + covered / scale);
                }
            }
        }
        give(call, weights);
    }

    private static long[] sizes(TfCall call) {
        long[] sizes = call.requiredIntegers(1, "size");
        if (sizes.length != 2 || Math.min(sizes[0], sizes[1]) < 1) {
            throw call.malformed("its size is " + Arrays.toString(sizes));
        }
        for (int side = 0; side < 2; side++) {
            if (sizes[side] > MOST_WEIGHTS / size(call, side)) {
                throw call.unsupportedUse("sides of " + size(call, side) + " and " + sizes[side] + " elements");
            }
        }
        return sizes;
    }

    private static int size(TfCall call, int side) {
        return call.input(0, 4)
                .size(side + 1)
                .filter(size -> size > 0 && size <= MOST_WEIGHTS)
                .map(Long::intValue)
                .orElseThrow(() -> call.unsupportedUse("pictures whose size is not known"));
    }

    private static void give(TfCall call, Tensor[] weights) {
        String x = call.cast(call.second(call.input(0, 4)), DType.FLOAT32);
        long from = weights[1].shape().size(1);
        long to = weights[1].shape().size(0);
        Tensor across = Tensor.allocate(DType.FLOAT32, from, to);
        for (long i = 0; i < from * to; i++) {
            across.setDouble(i, weights[1].getDouble(i % to * from + i / to));
        }
        String wide = call.step("MatMul", x, call.constant("columns", across));
        call.give("MatMul", List.of(call.constant("rows", weights[0]), wide), new Params(), true);
    }
}
