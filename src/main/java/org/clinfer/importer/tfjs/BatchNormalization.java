package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Normalisation by the statistics of training. With the channels second it is the operator BatchNorm; elsewhere a factor
 * and an addend for each channel say the same without moving the channels.
 */
final class BatchNormalization {

    private static final double EPSILON = 1e-3;

    private BatchNormalization() {}

    static Map<String, LayerTranslator> all() {
        LayerTranslator translator = BatchNormalization::translate;
        return Map.of(
                "BatchNormalization", translator,
                "BatchNormalizationV1", translator,
                "BatchNormalizationV2", translator,
                "SyncBatchNormalization", translator);
    }

    private record Statistics(Tensor mean, Tensor variance, Affine affine, double epsilon) {

        static Statistics of(LayerCall call) {
            Affine affine = Affine.of(call, 1);
            Tensor mean = call.weight(call.weightName("moving_mean", affine.count()), 1);
            Tensor variance = call.weight(call.weightName("moving_variance", affine.count() + 1), 1);
            Stream.of(Optional.of(mean), Optional.of(variance), affine.gamma(), affine.beta())
                    .flatMap(Optional::stream)
                    .filter(each -> !each.type().equals(mean.type()) || each.dtype() != DType.FLOAT32)
                    .forEach(each -> {
                        throw call.malformed("its weights are " + mean.type() + " and " + each.type());
                    });
            return new Statistics(mean, variance, affine, call.config().real("epsilon", EPSILON));
        }

        double factor(int channel) {
            double gamma = affine.gamma().map(each -> each.getDouble(channel)).orElse(1.0);
            return gamma / Math.sqrt(variance.getDouble(channel) + epsilon);
        }

        double addend(int channel) {
            double beta = affine.beta().map(each -> each.getDouble(channel)).orElse(0.0);
            return beta - mean.getDouble(channel) * factor(channel);
        }

        /** One number for each channel. */
        Tensor each(IntToDoubleFunction value) {
            Tensor vector = Tensor.allocate(mean.type());
            for (int channel = 0; channel < mean.elements(); channel++) {
                vector.setDouble(channel, value.applyAsDouble(channel));
            }
            return vector;
        }
    }

    private static Value translate(LayerCall call) {
        Value x = call.input();
        int rank = call.rank(x);
        int axis = NormalizationLayers.axis(call, rank);
        call.config().ignore("momentum", "synchronized", "fused", "virtual_batch_size"); // how it is trained
        call.config().ignore("renorm", "renorm_clipping", "renorm_momentum");
        Statistics statistics = Statistics.of(call);
        Affine affine = statistics.affine();
        if (axis == 1) {
            List<String> operands = List.of(
                    x.name(),
                    call.ownConstant("scale", () -> affine.gamma().orElseGet(() -> statistics.each(i -> 1))),
                    call.ownConstant("shift", () -> affine.beta().orElseGet(() -> statistics.each(i -> 0))),
                    call.ownConstant("mean", statistics::mean),
                    call.ownConstant("variance", statistics::variance));
            return call.add("BatchNorm", operands, rank, new Params().put("epsilon", statistics.epsilon()));
        }
        int behind = rank - 1 - axis;
        String factor =
                call.ownConstant("factor", () -> Affine.withAxesBehind(statistics.each(statistics::factor), behind));
        String addend =
                call.ownConstant("addend", () -> Affine.withAxesBehind(statistics.each(statistics::addend), behind));
        Value scaled = call.add("Mul", List.of(x.name(), factor), rank, new Params());
        return call.add("Add", List.of(scaled.name(), addend), rank, new Params());
    }
}
