package org.clinfer.plan.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.place.PlacedNode;
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

    /** What was made, by name. */
    Map<String, Tensor> made() {
        return made;
    }

    /** The name of a convolution's weights as [out channels, in channels / groups, rows, columns]. */
    Optional<String> weights(PlacedNode placed, String format) {
        String name = placed.node().node().inputs().get(1);
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
                ? add(folded.of(
                        List.of(name, "by channel"),
                        weights.type(),
                        () -> Optional.of(weights.reshaped(Shape.of(sizes[1], 1, sizes[2], sizes[3])))))
                : Optional.empty();
    }

    /** The names of what a BatchNorm multiplies each channel by, and of what it adds. */
    Optional<List<String>> scaleAndShift(PlacedNode placed) {
        List<String> inputs = placed.node().node().inputs();
        List<Tensor> terms = inputs.subList(1, 5).stream()
                .filter(ofModel::containsKey)
                .map(ofModel::get)
                .toList();
        if (terms.size() < 4) {
            return Optional.empty();
        }
        double epsilon = placed.node().binding().real("epsilon");
        TensorType type = TensorType.of(DType.FLOAT32, terms.get(0).elements());
        Tensor scale = Tensor.allocate(type);
        Tensor shift = Tensor.allocate(type);
        for (int i = 0; i < scale.elements(); i++) {
            double factor = terms.get(0).getDouble(i) / Math.sqrt(terms.get(3).getDouble(i) + epsilon);
            scale.setDouble(i, factor);
            shift.setDouble(i, terms.get(1).getDouble(i) - terms.get(2).getDouble(i) * factor);
            if (!Double.isFinite(scale.getDouble(i)) || !Double.isFinite(shift.getDouble(i))) {
                return Optional.empty();
            }
        }
        String by = placed.written().name();
        Optional<String> scaleName = add(folded.of(List.of("scale of", by), type, () -> Optional.of(scale)));
        Optional<String> shiftName = add(folded.of(List.of("shift of", by), type, () -> Optional.of(shift)));
        return scaleName.flatMap(name -> shiftName.map(other -> List.of(name, other)));
    }

    private Optional<String> add(Optional<FoldedConstants.Named> constant) {
        constant.ifPresent(named -> made.put(named.name(), named.tensor()));
        return constant.map(FoldedConstants.Named::name);
    }
}
