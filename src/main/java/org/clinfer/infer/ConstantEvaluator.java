package org.clinfer.infer;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Computes a node whose inputs are all known; supplied from outside because checking itself computes nothing. */
@FunctionalInterface
public interface ConstantEvaluator {

    /** Folds nothing. */
    ConstantEvaluator NONE = (node, inputs) -> Optional.empty();

    /**
     * {@return the node's outputs, or empty if they cannot be computed beforehand}
     *
     * @param node the node
     * @param inputs in the description's order; {@code null} where an optional one is left out
     */
    Optional<List<Tensor>> evaluate(CheckedNode node, List<@Nullable Tensor> inputs);
}
