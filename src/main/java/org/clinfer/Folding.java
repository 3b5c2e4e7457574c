package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.check.CheckedNode;
import org.clinfer.check.ConstantEvaluator;
import org.clinfer.cpu.Parallel;
import org.clinfer.run.HostOperators;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Computes what is known beforehand as long as there is memory for it; the rest is left to the plan. */
final class Folding implements ConstantEvaluator {

    private final HostOperators operators;
    private final Parallel parallel;
    private final long limit;
    private long held;

    /**
     * An evaluator for one check.
     *
     * @param limit bytes that constants may take in all
     * @param held bytes that they take already
     */
    Folding(HostOperators operators, Parallel parallel, long limit, long held) {
        this.operators = operators;
        this.parallel = parallel;
        this.limit = limit;
        this.held = held;
    }

    @Override
    public Optional<List<Tensor>> evaluate(CheckedNode node, List<@Nullable Tensor> inputs) {
        if (operators.refusal(node).isPresent()) {
            return Optional.empty();
        }
        long more = node.outputTypes().stream().mapToLong(TensorType::bytes).sum();
        if (held + more > limit) {
            return Optional.empty();
        }
        held += more;
        List<Tensor> outputs = new ArrayList<>();
        node.outputTypes().forEach(type -> outputs.add(Tensor.allocate(type)));
        operators.run(node, inputs, outputs, parallel);
        return Optional.of(outputs);
    }
}
