package org.clinfer.fix;

import java.util.Optional;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.tensor.DType;

/** Writes a network with int64 as one with int32, where all of its numbers are known to fit: inputs, outputs and constants. */
final class Int32Network {

    static final String STEP = "int32 instead of int64 in the whole network, its inputs and outputs as well";

    private Int32Network() {}

    /** The network so; empty where it has no int64, runs graphs of its own, or may have numbers that int32 does not hold. */
    static Optional<Graph> of(CheckedGraph checked, MadeTensors made) {
        boolean isThere = checked.types().values().stream().anyMatch(type -> type.dtype() == DType.INT64);
        return isThere && IntegerBounds.allFit(checked)
                ? new RetypedNetwork(checked, DType.INT64, DType.INT32).written(IntegerBounds::fits, made)
                : Optional.empty();
    }
}
