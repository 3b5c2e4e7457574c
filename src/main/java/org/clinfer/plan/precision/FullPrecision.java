package org.clinfer.plan.precision;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a graph that have to compute in float32, because float16 has not enough digits for what they are about.
 *
 * <pre>
 * Cast(ids to float32), Mul, Sin                    computed of integers alone
 * Floor, Cast(to int64)                             become integers
 * Add(x, 1e-12), Sqrt; Mul(mask, -1e9), Softmax     numbers that float16 does not have
 * DequantizeLinear, MatMulNBits                     codes of 8 bits and less
 * </pre>
 */
final class FullPrecision {

    private static final String OF_INTEGERS = "it is computed of integers alone, of which float16 has few";
    private static final String TO_INTEGERS = "integers or float64 are made of it, for which float16 has few digits";
    private static final String CODES = "it computes with codes of 8 bits or less";

    private final PlacedGraph graph;
    private final ConvertedConstants constants;
    private final Map<Integer, String> reasons = new HashMap<>();

    private FullPrecision(PlacedGraph graph, ConvertedConstants constants) {
        this.graph = graph;
        this.constants = constants;
    }

    /** Why, by the position of the node. */
    static Map<Integer, String> of(PlacedGraph graph, ConvertedConstants constants) {
        FullPrecision kept = new FullPrecision(graph, constants);
        kept.forwards();
        kept.backwards();
        return kept.reasons;
    }

    /**
     * The nodes that follow element by element have a reason of their producers; the softmax of what is too large for
     * float16, too.
     */
    private void forwards() {
        Map<String, String> handedOn = new HashMap<>();
        List<PlacedNode> nodes = graph.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            PlacedNode node = nodes.get(i);
            Optional<String> reason = own(node)
                    .or(() -> ofIntegers(node, handedOn))
                    .or(() -> node.inputs().stream()
                            .map(input -> handedOn.getOrDefault(input, OF_INTEGERS))
                            .filter(handed -> !handed.equals(OF_INTEGERS) && (follows(node) || isSoftmax(node)))
                            .findFirst());
            if (reason.isPresent()) {
                reasons.put(i, reason.get());
                if (!reason.get().equals(CODES) && !isSoftmax(node)) {
                    node.outputs().forEach(output -> handedOn.put(output, reason.get()));
                }
            }
        }
    }

    /** A reason that does not come from other nodes. */
    private Optional<String> own(PlacedNode node) {
        if (isCast(node)) {
            boolean isOfIntegers = isWide(node.inputTypes().get(0))
                    && isFloat32(node.outputTypes().get(0));
            return isOfIntegers ? Optional.of(OF_INTEGERS) : Optional.empty();
        }
        boolean hasCodes = node.inputTypes().stream().anyMatch(FullPrecision::isCode)
                || node.outputTypes().stream().anyMatch(FullPrecision::isCode);
        if (hasCodes) {
            return Optional.of(CODES);
        }
        for (int i = 0; i < node.inputs().size(); i++) {
            if (FloatConversion.NARROWING.isElements(node, i)
                    && constants.has(node.inputs().get(i))) {
                Optional<String> refusal = constants.refusal(node.inputs().get(i));
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The reason of a node of which all that it takes beside constants is made of integers, in a way that keeps their
     * digits.
     */
    private Optional<String> ofIntegers(PlacedNode node, Map<String, String> handedOn) {
        boolean any = false;
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (FloatConversion.NARROWING.isElements(node, i) && !constants.has(input)) {
                if (!OF_INTEGERS.equals(handedOn.get(input))) {
                    return Optional.empty();
                }
                any = true;
            }
        }
        return any && (follows(node) || isOuterProduct(node)) ? Optional.of(OF_INTEGERS) : Optional.empty();
    }

    private void backwards() {
        Set<String> wanted = new HashSet<>();
        for (int i = graph.nodes().size() - 1; i >= 0; i--) {
            PlacedNode node = graph.nodes().get(i);
            boolean makes = (isCast(node) || node.op().equals("BitCast"))
                    && isFloat32(node.inputTypes().get(0))
                    && isWide(node.outputTypes().get(0));
            boolean continues = follows(node) && node.outputs().stream().anyMatch(wanted::contains);
            if (makes || continues) {
                reasons.putIfAbsent(i, TO_INTEGERS);
                wanted.addAll(node.inputs());
            }
        }
    }

    static boolean isCast(PlacedNode node) {
        return node.op().equals("Cast");
    }

    static boolean isFloat32(@Nullable TensorType type) {
        return type != null && type.dtype() == DType.FLOAT32;
    }

    private static boolean isSoftmax(PlacedNode node) {
        return node.op().equals("Softmax");
    }

    private static boolean follows(PlacedNode node) {
        return node.description().elementwise() || moves(node);
    }

    /** {@return whether elements only change their places} */
    static boolean moves(PlacedNode node) {
        return node.description().moves() || node.isView();
    }

    /** A product of columns and rows, each element of which is one product. */
    private static boolean isOuterProduct(PlacedNode node) {
        if (!node.op().equals("MatMul")) {
            return false;
        }
        TensorType columns = node.inputTypes().get(0);
        int rank = columns == null ? 0 : columns.shape().rank();
        return columns != null && rank > 0 && columns.shape().sizes()[rank - 1] == 1;
    }

    private static boolean isWide(@Nullable TensorType type) {
        return type != null
                && (type.dtype() == DType.FLOAT64
                        || (type.dtype().isInteger() && type.dtype().bits() > Byte.SIZE));
    }

    private static boolean isCode(@Nullable TensorType type) {
        return type != null
                && (type.dtype() == DType.U1
                        || type.dtype().isSmallFloat()
                        || (type.dtype().isInteger() && type.dtype().bits() <= Byte.SIZE));
    }
}
