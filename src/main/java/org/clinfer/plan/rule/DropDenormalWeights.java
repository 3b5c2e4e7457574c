package org.clinfer.plan.rule;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Sets weights and biases of convolutions and products to 0 where they are denormal floats.
 *
 * <p>Training with weight decay leaves channels with such weights, which are as good as 0, and everything that they reach: a
 * processor takes some hundred times as long for each sum with one as for others. Not where all weights of a tensor are so
 * small that the denormal ones could be seen beside them, and not where none is met by a look at some of a large tensor.
 */
final class DropDenormalWeights implements FusionRule {

    private static final Set<String> OPERATORS = Set.of("FusedConv", "FusedConvTranspose", "MatMul", "Gemm");

    private static final int WEIGHTS = 1;
    private static final int BIAS = 2;

    /** Beside the bits of a number of this size those of denormal ones are of no account: they are less than 2^-62 of it. */
    private static final int NORMAL_BITS = Float.floatToRawIntBits(0x1p-64f);

    private static final int LEAST_NORMAL_BITS = Float.floatToRawIntBits(Float.MIN_NORMAL);

    /** Elements of which all are looked at. */
    private static final int FEW = 1 << 12;

    /** The distance of those that are looked at in a larger tensor. */
    private static final int STEP = 37;

    @Override
    public Set<String> needs() {
        return OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part part = Part.at(position, graph);
        if (!OPERATORS.contains(part.op()) || graph.type(part.output()).dtype() != DType.FLOAT32) {
            return false;
        }
        List<String> inputs = new ArrayList<>(part.placed().inputs());
        for (int i = WEIGHTS; i <= Math.min(BIAS, inputs.size() - 1); i++) {
            Optional<String> dropped = dropped(inputs.get(i), graph);
            if (dropped.isPresent()) {
                inputs.set(i, dropped.get());
            }
        }
        if (inputs.equals(part.placed().inputs())) {
            return false;
        }
        Node by = part.placed().as(part.placed().op(), inputs);
        return graph.takeOver(
                position,
                by,
                part.binding().params(),
                List.of(),
                placed -> placed.kernel().equals(part.placed().kernel()));
    }

    /** The name of the constant without denormal numbers; empty where it is none, or has none. */
    private static Optional<String> dropped(String name, Rewriting graph) {
        Optional<Tensor> constant = graph.constant(name).filter(known -> known.dtype() == DType.FLOAT32);
        return constant.flatMap(weights -> graph.folded()
                .of(List.of(name, "without denormal numbers"), weights.type(), () -> dropped(weights))
                .filter(graph::add)
                .map(FoldedConstants.Named::name));
    }

    private static Optional<Tensor> dropped(Tensor weights) {
        IntBuffer from = weights.bytes().asIntBuffer();
        return hasDenormal(from)
                ? Optional.of(Tensor.deferred(weights.type(), target -> {
                    IntBuffer to = target.asIntBuffer();
                    IntBuffer given = weights.bytes().asIntBuffer();
                    for (int i = 0; i < given.limit(); i++) {
                        int bits = given.get(i);
                        to.put(i, isDenormal(bits) ? 0 : bits);
                    }
                }))
                : Optional.empty();
    }

    private static boolean hasDenormal(IntBuffer weights) {
        boolean hasNormal = false;
        boolean hasDenormal = false;
        int step = weights.limit() > FEW ? STEP : 1;
        for (int i = 0; i < weights.limit(); i += step) {
            int bits = weights.get(i);
            hasDenormal |= isDenormal(bits);
            hasNormal |= (bits & Integer.MAX_VALUE) >= NORMAL_BITS;
        }
        return hasDenormal && hasNormal;
    }

    private static boolean isDenormal(int bits) {
        int size = bits & Integer.MAX_VALUE;
        return size > 0 && size < LEAST_NORMAL_BITS;
    }
}
