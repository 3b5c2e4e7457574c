package org.clinfer.plan.layout;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.rule.ChannelScale;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Constants of a model in the form in which operators of blocked channels read them. */
final class ChannelConstants {

    private final Map<String, Tensor> ofModel;
    private final FoldedConstants folded;
    private final Map<String, Tensor> made = new HashMap<>();

    /** @param ofModel the constants that depend on the model alone */
    ChannelConstants(Map<String, Tensor> ofModel, FoldedConstants folded) {
        this.ofModel = ofModel;
        this.folded = folded;
    }

    /** The constants that were made, by name. */
    Map<String, Tensor> made() {
        return made;
    }

    /** The name of a convolution's weights as [out channels, in channels / groups, rows, columns]. */
    Optional<String> weights(PlacedNode placed, String format) {
        String name = placed.inputs().get(1);
        Tensor weights = ofModel.get(name);
        if (weights == null || format.equals("XIO")) {
            return Optional.empty();
        }
        long[] sizes = weights.shape().sizes();
        if (format.equals("OIX")) {
            return Optional.of(name);
        }
        // one kernel for each channel: [1, channels, rows, columns]
        return sizes[0] == 1
                ? add(folded.reshaped(List.of(name, "by channel"), weights, Shape.of(sizes[1], 1, sizes[2], sizes[3])))
                : Optional.empty();
    }

    /** The names of what a BatchNorm multiplies each channel by, and of what it adds. */
    Optional<List<String>> scaleAndShift(PlacedNode placed) {
        return ChannelScale.ofBatchNorm(placed, name -> Optional.ofNullable(ofModel.get(name)))
                .flatMap(scale -> floats("scale of", placed, scale.factors())
                        .flatMap(factors ->
                                floats("shift of", placed, scale.addends()).map(addends -> List.of(factors, addends))));
    }

    /** The name of a constant with these values; empty where float32 does not hold one. */
    private Optional<String> floats(String what, PlacedNode placed, double[] values) {
        TensorType type = TensorType.of(DType.FLOAT32, values.length);
        return add(folded.of(List.of(what, placed.written().name()), type, () -> {
            Tensor tensor = Tensor.allocate(type);
            tensor.setDoubles(values);
            return Optional.of(tensor)
                    .filter(filled -> Arrays.stream(filled.toDoubleArray()).allMatch(Double::isFinite));
        }));
    }

    private Optional<String> add(Optional<FoldedConstants.Named> constant) {
        constant.ifPresent(named -> made.put(named.name(), named.tensor()));
        return constant.map(FoldedConstants.Named::name);
    }
}
