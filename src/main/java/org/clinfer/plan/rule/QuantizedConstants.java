package org.clinfer.plan.rule;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Constants of integer arithmetic that a model in real values lacks. */
final class QuantizedConstants {

    private QuantizedConstants() {}

    /** The name of a zero point that is 0; empty where there is no memory for it. */
    static Optional<String> zero(DType type, Rewriting graph) {
        TensorType one = TensorType.of(type, 1);
        return name(
                graph.folded().of(List.of("zero point", type.label()), one, () -> Optional.of(Tensor.allocate(one))),
                graph);
    }

    /** The name of a matrix of bytes with its axes exchanged; empty where there is no memory for it. */
    static Optional<String> transposed(String matrix, Tensor data, Rewriting graph) {
        long[] sizes = data.shape().sizes();
        TensorType type = TensorType.of(data.dtype(), sizes[1], sizes[0]);
        return name(
                graph.folded().of(List.of(matrix, "transposed"), type, () -> Optional.of(transposed(data, type))),
                graph);
    }

    private static Tensor transposed(Tensor data, TensorType type) {
        Tensor result = Tensor.allocate(type);
        ByteBuffer from = data.bytes();
        ByteBuffer to = result.bytes();
        int rows = Math.toIntExact(data.shape().sizes()[0]);
        int columns = Math.toIntExact(data.shape().sizes()[1]);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                to.put(column * rows + row, from.get(row * columns + column));
            }
        }
        return result;
    }

    static Optional<String> name(Optional<FoldedConstants.Named> constant, Rewriting graph) {
        return constant.filter(graph::add).map(FoldedConstants.Named::name);
    }
}
