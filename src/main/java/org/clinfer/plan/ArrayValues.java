package org.clinfer.plan;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The values of the host that can be arrays of floats: those of blocked channels, {@code [batch, blocks, rows, columns, 16]}. */
final class ArrayValues {

    private static final int RANK = 5;

    private ArrayValues() {}

    static boolean isBlocked(@Nullable TensorType type) {
        return type != null && type.dtype() == DType.FLOAT32 && type.shape().rank() == RANK;
    }

    /**
     * The values of the host that a step needs in direct memory.
     *
     * @param operators those that take arrays
     */
    static List<String> notInArrays(Step step, Set<String> operators) {
        if (step instanceof Step.Upload upload) {
            return List.of(upload.value());
        }
        if (step instanceof Step.Download download) {
            return List.of(download.value());
        }
        if (!(step instanceof Step.HostCall call) || call.done()) {
            return List.of();
        }
        Node node = call.node().form();
        if (operators.contains(node.op())) {
            return List.of();
        }
        return Stream.concat(
                        node.inputs().stream().filter(name -> !name.isEmpty()),
                        IntStream.range(0, node.outputs().size()).mapToObj(i -> OutputNames.of(node, i)))
                .toList();
    }
}
