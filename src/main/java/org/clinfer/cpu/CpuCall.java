package org.clinfer.cpu;

import java.util.Collections;
import java.util.List;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * One invocation of a CPU operator.
 *
 * @param parameters resolved parameters and scratch values
 * @param inputs in the description's order, variadic ones in place; {@code null} where an optional one is left out
 * @param outputs to be filled completely; their memory holds arbitrary bytes before
 * @param parallel where to run work on several threads
 */
public record CpuCall(Parameters parameters, List<@Nullable Tensor> inputs, List<Tensor> outputs, Parallel parallel) {

    public CpuCall {
        inputs = Collections.unmodifiableList(inputs);
        outputs = List.copyOf(outputs);
    }

    /**
     * The input at {@code position}.
     *
     * @throws IllegalArgumentException if it was left out
     */
    public Tensor input(int position) {
        Tensor tensor = optionalInput(position);
        if (tensor == null) {
            throw new IllegalArgumentException("input " + position + " was left out");
        }
        return tensor;
    }

    /** The input at {@code position}, or null where it was left out. */
    public @Nullable Tensor optionalInput(int position) {
        return position < inputs.size() ? inputs.get(position) : null;
    }

    public Tensor output() {
        return outputs.get(0);
    }
}
