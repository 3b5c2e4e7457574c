package org.clinfer.cpu;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.TensorType;

/** The CPU implementation of one operator; stateless and usable from many threads. */
public interface CpuOperator {

    /**
     * Why this implementation cannot take tensors of these types, or empty if it can.
     *
     * @param inputs in the description's order
     * @param outputs in the description's order
     */
    Optional<String> refusal(List<TensorType> inputs, List<TensorType> outputs);

    /** Computes the outputs of a call that {@link #refusal} accepts. */
    void run(CpuCall call);
}
