package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.graph.WorkBudget;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.run.HostOperators;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Computes what is known beforehand as long as there is memory for it, and it is not too much work for what the model's
 * file has: a large file may have much to unpack, a small one that asks for long computations is no network. The rest is
 * left to the plan.
 */
public final class Folding implements ConstantEvaluator {

    /** Multiplications with an addition that are no work worth counting, whatever the model has. */
    private static final long USUAL_WORK = 1L << 30;

    /** And so many for each byte of the model's own constants. */
    private static final long WORK_OF_A_BYTE = 64;

    /** So many for each node, too: sizes are always found, which take next to nothing. */
    private static final long WORK_OF_A_NODE = 4096;

    /** The operator whose large results wait: where a quantized node takes what it unpacks, nothing reads them. */
    private static final String UNPACKING = "DequantizeLinear";

    /** Bytes of such a result. */
    private static final int LARGE = 1 << 16;

    private final HostOperators operators;
    private final Parallel parallel;
    private final long limit;
    private final WorkBudget work;
    private long held;

    /**
     * An evaluator for one check.
     *
     * @param limit bytes that constants may take in all
     * @param own bytes of the model's own constants
     * @param made bytes that were made of them before
     */
    public Folding(HostOperators operators, Parallel parallel, long limit, long own, long made) {
        this.operators = operators;
        this.parallel = parallel;
        this.limit = limit;
        this.work = WorkBudget.of(USUAL_WORK + WORK_OF_A_BYTE * own);
        this.held = own + made;
    }

    @Override
    public Optional<List<Tensor>> evaluate(CheckedNode node, List<@Nullable Tensor> inputs) {
        if (operators.refusal(node).isPresent()) {
            return Optional.empty();
        }
        long more = node.outputTypes().stream().mapToLong(TensorType::bytes).sum();
        if (held + more > limit || !work.spend(Math.max(0, FoldingWork.of(node) - WORK_OF_A_NODE))) {
            return Optional.empty();
        }
        held += more;
        if (node.node().op().equals(UNPACKING) && more >= LARGE) {
            TensorType type = node.outputTypes().get(0);
            return Optional.of(List.of(Tensor.deferred(
                    type, target -> operators.run(node, inputs, List.of(Tensor.wrap(type, target)), parallel))));
        }
        List<Tensor> outputs = new ArrayList<>();
        node.outputTypes().forEach(type -> outputs.add(Tensor.allocate(type)));
        operators.run(node, inputs, outputs, parallel);
        return Optional.of(outputs);
    }

    /** Multiplications with an addition that were taken so far, at most, beyond those that each node has. */
    long spent() {
        return work.spent();
    }
}
