package org.clinfer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ConverterStep;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Swish and HardSwish as exporters write them: a product of a value and its Sigmoid; a product of a value and its
 * HardSigmoid, or of a value, the same with 3 added between 0 and 6, and a sixth.
 */
final class WrittenSwish {

    private static final double SIXTH = 1.0 / 6;
    private static final double TOLERANCE = 1e-6;

    private final CheckedGraph checked;
    private final Map<String, CheckedNode> givers;
    private final Map<String, Integer> readers;
    private final Conversion.Kinds kinds;

    /**
     * @param givers the node that gives each value
     * @param readers how many read each value
     * @param kinds the kinds of a node in the words of the rules
     */
    WrittenSwish(
            CheckedGraph checked,
            Map<String, CheckedNode> givers,
            Map<String, Integer> readers,
            Conversion.Kinds kinds) {
        this.checked = checked;
        this.givers = givers;
        this.readers = readers;
        this.kinds = kinds;
    }

    /**
     * An activation in several nodes, of which the last one gives it.
     *
     * @param op the operator that it is
     * @param input the value to which it is applied
     * @param parts the nodes before the last one
     */
    record Match(ConverterStep step, String op, String input, List<CheckedNode> parts) {
        Match {
            parts = List.copyOf(parts);
        }

        private static Match hard(String input, List<CheckedNode> parts) {
            return new Match(ConverterStep.FUSE_HARD_SWISH, "HardSwish", input, parts);
        }
    }

    /** The activation that ends with this node; empty for a node that ends none. */
    Optional<Match> endingIn(CheckedNode node) {
        List<String> inputs = node.node().inputs();
        if (inputs.size() != 2) {
            return Optional.empty();
        }
        if (kinds.of(node).contains("eltwise-mul")) {
            for (int i = 0; i < 2; i++) {
                Optional<Match> match = gated(inputs.get(i), inputs.get(1 - i));
                if (match.isPresent()) {
                    return match;
                }
            }
        }
        return sixth(node).flatMap(this::product);
    }

    /** A value times a gate made of it. */
    private Optional<Match> gated(String x, String value) {
        CheckedNode gate = onlyReadBy(value);
        if (gate == null) {
            return Optional.empty();
        }
        boolean isOfValue = gate.node().inputs().get(0).equals(x);
        if (isOfValue && kinds.of(gate).contains("sigmoid")) {
            return Optional.of(new Match(ConverterStep.FUSE_SWISH, "Swish", x, List.of(gate)));
        }
        if (isOfValue && kinds.of(gate).contains("hard-sigmoid") && is(gate, "alpha", SIXTH) && is(gate, "beta", 0.5)) {
            return Optional.of(Match.hard(x, List.of(gate)));
        }
        return sixth(gate).flatMap(bounded -> clipped(bounded, x)).map(parts -> Match.hard(x, with(parts, gate)));
    }

    /** A value times itself with 3 added between 0 and 6, whose sixth the last node gives. */
    private Optional<Match> product(String value) {
        CheckedNode product = onlyReadBy(value);
        if (product == null || !kinds.of(product).contains("eltwise-mul")) {
            return Optional.empty();
        }
        List<String> inputs = product.node().inputs();
        for (int i = 0; i < 2; i++) {
            String x = inputs.get(i);
            Optional<List<CheckedNode>> parts = clipped(inputs.get(1 - i), x);
            if (parts.isPresent()) {
                return Optional.of(Match.hard(x, with(parts.get(), product)));
            }
        }
        return Optional.empty();
    }

    /** The value of which a node gives the sixth. */
    private Optional<String> sixth(CheckedNode node) {
        List<String> inputs = node.node().inputs();
        if (inputs.size() != 2) {
            return Optional.empty();
        }
        List<String> own = kinds.of(node);
        if (own.contains("eltwise-div") && isConstant(inputs.get(1), 6)) {
            return Optional.of(inputs.get(0));
        }
        return own.contains("eltwise-mul") ? besides(inputs, SIXTH) : Optional.empty();
    }

    /** The nodes that add 3 to a value and keep that between 0 and 6. */
    private Optional<List<CheckedNode>> clipped(String value, String x) {
        CheckedNode clip = onlyReadBy(value);
        CheckedNode sum = clip == null || !kinds.of(clip).contains("relu6")
                ? null
                : onlyReadBy(clip.node().inputs().get(0));
        boolean isSum = sum != null
                && kinds.of(sum).contains("eltwise-add")
                && besides(sum.node().inputs(), 3).equals(Optional.of(x));
        return isSum ? Optional.of(List.of(sum, clip)) : Optional.empty();
    }

    /** The one of two inputs beside which the other is this number. */
    private Optional<String> besides(List<String> inputs, double number) {
        if (isConstant(inputs.get(1), number)) {
            return Optional.of(inputs.get(0));
        }
        return isConstant(inputs.get(0), number) ? Optional.of(inputs.get(1)) : Optional.empty();
    }

    private boolean isConstant(String value, double number) {
        Tensor constant = checked.constants().get(value);
        return constant != null
                && constant.type().dtype() == DType.FLOAT32
                && constant.floats().remaining() == 1
                && Math.abs(constant.floats().get(0) - number) < TOLERANCE;
    }

    private static boolean is(CheckedNode node, String parameter, double number) {
        return node.binding()
                .scope()
                .find(parameter)
                .filter(value ->
                        value instanceof ExpressionValue.Real real && Math.abs(real.value() - number) < TOLERANCE)
                .isPresent();
    }

    /** The node that gives a value which one node alone reads. */
    private @Nullable CheckedNode onlyReadBy(String value) {
        CheckedNode giver = readers.getOrDefault(value, 0) == 1 ? givers.get(value) : null;
        return giver == null || giver.node().inputs().isEmpty() ? null : giver;
    }

    private static List<CheckedNode> with(List<CheckedNode> parts, CheckedNode last) {
        List<CheckedNode> all = new ArrayList<>(parts);
        all.add(last);
        return all;
    }
}
