package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Normalisation by the statistics of training. With the channels second it is the operator BatchNorm; elsewhere a factor
 * and an addend for each channel say the same without moving the channels.
 */
final class BatchNormalization {

    private static final double EPSILON = 1e-3;

    private BatchNormalization() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        for (String kind : List.of(
                "BatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2", "SyncBatchNormalization")) {
            all.one(kind, BatchNormalization::translate);
        }
    }

    private record Statistics(Tensor mean, Tensor variance, Affine affine, double epsilon) {

        static Statistics of(TfjsLayerCall call) {
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

    private static Value translate(TfjsLayerCall call) {
        Value x = call.input();
        int axis = TfjsNormalizationLayers.axis(call, x);
        call.config().ignore("momentum", "synchronized", "fused", "virtual_batch_size"); // how it is trained
        call.config().ignore("renorm", "renorm_clipping", "renorm_momentum");
        Statistics statistics = Statistics.of(call);
        Affine affine = statistics.affine();
        if (axis == 1) {
            return call.add(
                    "BatchNorm",
                    new Params().put("epsilon", statistics.epsilon()),
                    x,
                    call.own("scale", () -> affine.gamma().orElseGet(() -> statistics.each(i -> 1))),
                    call.own("shift", () -> affine.beta().orElseGet(() -> statistics.each(i -> 0))),
                    call.own("mean", statistics::mean),
                    call.own("variance", statistics::variance));
        }
        int behind = x.rank() - 1 - axis;
        Value factor = call.own("factor", () -> Affine.withAxesBehind(statistics.each(statistics::factor), behind));
        Value addend = call.own("addend", () -> Affine.withAxesBehind(statistics.each(statistics::addend), behind));
        return call.add("Add", call.add("Mul", x, factor), addend);
    }
}
