package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Normalisation by statistics, by neighbouring channels, and Softmax. */
final class TfNormalizationTranslators {

    private static final double EPSILON = 1e-4f;
    private static final long RADIUS = 5;

    private TfNormalizationTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "FusedBatchNorm", TfNormalizationTranslators::batchNorm,
                "FusedBatchNormV2", TfNormalizationTranslators::batchNorm,
                "FusedBatchNormV3", TfNormalizationTranslators::batchNorm,
                "BatchNormWithGlobalNormalization", TfNormalizationTranslators::globalNormalization,
                "AdjustContrastv2", TfNormalizationTranslators::contrast,
                "LRN", TfNormalizationTranslators::lrn,
                "Softmax", call -> softmax(call, "Softmax"),
                "LogSoftmax", call -> softmax(call, "LogSoftmax"));
    }

    /** The distance of each element from the mean of its channel in its picture is multiplied. */
    private static void contrast(TfCall call) {
        String x = call.plain(0);
        int rank = call.rank(call.input(0));
        if (rank < 3) {
            throw call.malformed("it takes pictures, but is given " + rank + " axes");
        }
        Params over =
                new Params().put("axis", new long[] {rank - 3L, rank - 2L}).put("keep_dims", true);
        String mean = call.step("Mean", List.of(x), over);
        String factor = call.cast(call.plain(1), call.dtype(call.input(0)));
        call.give("Add", call.step("Mul", call.step("Sub", x, mean), factor), mean);
    }

    /** In training form by the statistics of the batch itself, else by those that are given. */
    private static void batchNorm(TfCall call) {
        TfValue x = fourOrFive(call);
        DataFormat format = DataFormat.of(call);
        double epsilon = call.node().real("epsilon", EPSILON);
        if (call.node().flag("is_training", true)) {
            byOwnStatistics(call, x, format, epsilon);
            return;
        }
        List<String> operands =
                List.of(format.read(call, x), call.plain(1), call.plain(2), call.plain(3), call.plain(4));
        call.give("BatchNorm", operands, new Params().put("epsilon", epsilon), format.second());
        call.give(1, call.input(3));
        call.give(2, call.input(4));
    }

    private static TfValue fourOrFive(TfCall call) {
        TfValue x = call.input(0);
        return x.hasRank(5) ? x : call.input(0, 4);
    }

    private static void byOwnStatistics(TfCall call, TfValue picture, DataFormat format, double epsilon) {
        String x = format.read(call, picture);
        int rank = call.rank(picture);
        long[] axes = IntStream.range(0, rank)
                .filter(axis -> axis != 1)
                .asLongStream()
                .toArray();
        Params over = new Params().put("axis", axes).put("keep_dims", true);
        String mean = call.step("Mean", List.of(x), over);
        String centred = call.step("Sub", x, mean);
        String squares = call.step("Mul", centred, centred);
        String variance = call.step("Mean", List.of(squares), over);
        String small = call.scalar(picture.dtype().orElse(DType.FLOAT32), epsilon);
        String sum = call.step("Add", variance, small);
        String deviation = call.step("Sqrt", sum);
        String normal = call.step("Div", centred, deviation);
        String scale = Operands.perChannel(call, call.input(1, 1), rank);
        String shift = Operands.perChannel(call, call.input(2, 1), rank);
        String scaled = call.step("Mul", normal, scale);
        call.give("Add", List.of(scaled, shift), new Params(), format.second());
        if (call.node().real("exponential_avg_factor", 1) != 1) {
            // the statistics would be mixed with those of before
            return;
        }
        call.give(1, "Reshape", List.of(mean), new Params().put("shape", new long[] {-1}), false);
        int channels = format == DataFormat.CHANNELS_LAST ? rank - 1 : 1;
        OptionalDouble elements = elementsBeside(picture, channels, rank);
        if (elements.isEmpty()) {
            return; // nobody knows by how many to divide
        }
        // what is given is the variance of the whole of which the pictures are a sample
        double sample = elements.getAsDouble() / Math.max(1, elements.getAsDouble() - 1);
        String factor = call.scalar(picture.dtype().orElse(DType.FLOAT32), sample);
        String corrected = call.step("Mul", variance, factor);
        call.give(2, "Reshape", List.of(corrected), new Params().put("shape", new long[] {-1}), false);
    }

    /** The elements of a channel; empty where a size is not known. */
    private static OptionalDouble elementsBeside(TfValue picture, int channels, int rank) {
        double elements = 1;
        for (int axis = 0; axis < rank; axis++) {
            Optional<Long> size = picture.size(axis);
            if (axis != channels && size.isEmpty()) {
                return OptionalDouble.empty();
            }
            elements *= axis == channels ? 1 : size.get();
        }
        return OptionalDouble.of(elements);
    }

    /** The operator of the first networks: x, mean, variance, shift, scale. */
    private static void globalNormalization(TfCall call) {
        TfValue x = call.input(0, 4);
        boolean scaled = call.node().flag("scale_after_normalization", true);
        TfValue scale = call.input(4, 1);
        if (!scaled) {
            throw call.unsupportedUse("scale_after_normalization false");
        }
        List<String> operands = List.of(call.second(x), call.plain(scale), call.plain(3), call.plain(1), call.plain(2));
        double epsilon = call.node().real("variance_epsilon", EPSILON);
        call.give("BatchNorm", operands, new Params().put("epsilon", epsilon), true);
    }

    /** Alpha counts for each neighbour here, for all of them in our operator. */
    private static void lrn(TfCall call) {
        TfValue x = call.input(0, 4);
        long radius = call.node().integer("depth_radius", RADIUS);
        if (radius < 0 || radius >= 1 << 20) {
            throw call.malformed("attribute 'depth_radius' is " + radius);
        }
        long size = 2 * radius + 1;
        Params params = new Params()
                .put("size", size)
                .put("alpha", call.node().real("alpha", 1) * size)
                .put("beta", call.node().real("beta", 0.5))
                .put("bias", call.node().real("bias", 1));
        call.give("Lrn", List.of(call.second(x)), params, true);
    }

    private static void softmax(TfCall call, String op) {
        TfValue x = call.input(0);
        call.give(op, List.of(x.stored()), new Params().put("axis", x.second() ? 1 : -1), x.second());
    }
}
