package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** The factor and the addend of a normalised value: the weights gamma and beta, each if there is one. */
record Affine(Optional<Tensor> gamma, Optional<Tensor> beta) {

    /** The weights of a layer, by its fields {@code scale} and {@code center}; they have so many axes. */
    static Affine of(TfjsLayerCall call, int axes) {
        boolean scale = call.config().flag("scale", true);
        boolean center = call.config().flag("center", true);
        Optional<Tensor> gamma = scale ? Optional.of(call.weight(call.weightName("gamma", 0), axes)) : Optional.empty();
        int number = scale ? 1 : 0;
        Optional<Tensor> beta =
                center ? Optional.of(call.weight(call.weightName("beta", number), axes)) : Optional.empty();
        return new Affine(gamma, beta);
    }

    /** The number of weights. */
    int count() {
        return (gamma.isPresent() ? 1 : 0) + (beta.isPresent() ? 1 : 0);
    }

    /** Scales and shifts; the weights line up with the axes that end so many before the last. */
    Value apply(TfjsLayerCall call, Value x, int axesBehind) {
        Value result = x;
        if (gamma.isPresent()) {
            result = call.add("Mul", result, call.own("gamma", () -> withAxesBehind(gamma.get(), axesBehind)));
        }
        if (beta.isPresent()) {
            result = call.add("Add", result, call.own("beta", () -> withAxesBehind(beta.get(), axesBehind)));
        }
        return result;
    }

    /** The same tensor with axes of size 1 at the end. */
    static Tensor withAxesBehind(Tensor tensor, int count) {
        LongStream sizes = Arrays.stream(tensor.shape().sizes());
        return tensor.reshaped(
                Shape.of(LongStream.concat(sizes, LongStream.generate(() -> 1).limit(count))
                        .toArray()));
    }
}
