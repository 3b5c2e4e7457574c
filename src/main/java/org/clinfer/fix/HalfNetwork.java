package org.clinfer.fix;

import java.util.Optional;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Writes a network of float32 as one of float16: its inputs, outputs and weights. */
final class HalfNetwork {

    static final String STEP = "the whole network in float16, its inputs and outputs as well";

    private static final double LARGEST = 65504;

    private HalfNetwork() {}

    /** The network so; empty where it has no float32, runs graphs of its own, or has weights that float16 does not hold. */
    static Optional<Graph> of(CheckedGraph checked, MadeTensors made) {
        boolean isFloat =
                checked.graph().inputs().stream().anyMatch(input -> input.type().dtype() == DType.FLOAT32);
        return isFloat
                ? new RetypedNetwork(checked, DType.FLOAT32, DType.FLOAT16).written(HalfNetwork::fits, made)
                : Optional.empty();
    }

    private static boolean fits(Tensor tensor) {
        for (long i = 0; i < tensor.elements(); i++) {
            double value = tensor.getDouble(i);
            if (!Double.isFinite(value) || Math.abs(value) > LARGEST) {
                return false;
            }
        }
        return true;
    }
}
