package org.clinfer.run;

import java.util.List;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** A node on the CPU; its runs follow one another. */
@FunctionalInterface
interface HostNode {

    /**
     * Runs it.
     *
     * @param inputs in the description's order, null for one that is left out
     * @param outputs filled completely
     * @param arrays values among them that lie in arrays, whose tensors have a type alone
     * @throws org.clinfer.graph.GraphException if the operator is not defined for the elements it gets
     */
    void run(List<@Nullable Tensor> inputs, List<Tensor> outputs, FloatArrays arrays, Parallel parallel);
}
