package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Zeros around an input that become the padding of the convolution that reads it.
 *
 * <pre>
 * p = Pad(x, zeros);  y = FusedConv(p, weights, pads)
 * y = FusedConv(x, weights, pads + zeros)
 * </pre>
 *
 * <p>The padding is then at most half as wide as the dilated kernel, which every converter takes that folds it.
 */
final class PadFolding {

    private static final Set<String> CONVOLUTIONS = Set.of("FusedConv", "QuantizedConv");

    /** The input of a convolution of quantized numbers that is the one which stands for 0. */
    private static final int ZERO_POINT = 3;

    private static final String AUTO = "auto_pad";
    private static final ExpressionValue NONE = ExpressionValue.of("none");
    private static final ExpressionValue VALID = ExpressionValue.of("valid");
    private static final String BEGIN = "pads_begin";
    private static final String END = "pads_end";

    private PadFolding() {}

    /**
     * The convolution with the padding of both; empty where they are not of this form.
     *
     * @param constants the values that are known beforehand
     */
    static Optional<CheckedNode> of(
            CheckedNode pad, CheckedNode reader, Map<String, Tensor> constants, Bindings bindings) {
        CheckedNode convolution = reader;
        while (convolution.lowered() != null
                && !CONVOLUTIONS.contains(convolution.node().op())) {
            convolution = convolution.lowered();
        }
        TensorType padded = pad.inputTypes().get(0);
        if (!CONVOLUTIONS.contains(convolution.node().op()) || padded == null) {
            return Optional.empty();
        }
        OptionalDouble zero = zero(convolution, constants);
        return zero.isPresent() && isOf(zero.getAsDouble(), pad)
                ? folded(pad, padded, convolution, bindings)
                : Optional.empty();
    }

    /** The number that stands for 0 in the input of a convolution; empty where it is not known. */
    private static OptionalDouble zero(CheckedNode convolution, Map<String, Tensor> constants) {
        List<String> inputs = convolution.node().inputs();
        boolean isReal = convolution.node().op().equals("FusedConv");
        if (isReal || inputs.size() <= ZERO_POINT || inputs.get(ZERO_POINT).isEmpty()) {
            return OptionalDouble.of(0);
        }
        Tensor zero = constants.get(inputs.get(ZERO_POINT));
        return zero == null ? OptionalDouble.empty() : OptionalDouble.of(zero.getDouble(0));
    }

    /** Tells whether a border is of one number, and none is cut off. */
    private static boolean isOf(double border, CheckedNode pad) {
        Scope scope = pad.binding().scope();
        return scope.find("mode").filter(ExpressionValue.of("CONSTANT")::equals).isPresent()
                && areAll(border, scope.find("constant_values"))
                && ints(scope.find("before")).stream().allMatch(width -> width >= 0)
                && ints(scope.find("after")).stream().allMatch(width -> width >= 0);
    }

    private static Optional<CheckedNode> folded(
            CheckedNode pad, TensorType padded, CheckedNode convolution, Bindings bindings) {
        Scope own = convolution.binding().scope();
        int rank = padded.shape().rank();
        boolean isChannelsLast = own.find("data_format")
                .filter(ExpressionValue.of("NXC")::equals)
                .isPresent();
        int first = isChannelsLast ? 1 : 2;
        List<Long> before = ints(pad.binding().scope().find("before"));
        List<Long> after = ints(pad.binding().scope().find("after"));
        ExpressionValue auto = own.find(AUTO).orElse(NONE);
        if (!auto.equals(NONE) && !auto.equals(VALID)) {
            return Optional.empty();
        }
        List<Long> begin = auto.equals(NONE) ? ints(own.find(BEGIN)) : Collections.nCopies(rank - 2, 0L);
        List<Long> end = auto.equals(NONE) ? ints(own.find(END)) : begin;
        List<Long> extents = ints(own.find("effective_kernel"));
        if (before.size() != rank || after.size() != rank || begin.size() != rank - 2 || extents.size() != rank - 2) {
            return Optional.empty();
        }
        boolean isSpatial = IntStream.range(0, rank)
                .filter(axis -> axis < first || axis >= first + begin.size())
                .allMatch(axis -> before.get(axis) == 0 && after.get(axis) == 0);
        List<ExpressionValue> begins = new ArrayList<>();
        List<ExpressionValue> ends = new ArrayList<>();
        boolean isNarrow = true;
        for (int i = 0; i < begin.size(); i++) {
            long from = begin.get(i) + before.get(first + i);
            long to = end.get(i) + after.get(first + i);
            isNarrow &= Math.max(from, to) <= extents.get(i) / 2;
            begins.add(ExpressionValue.of(from));
            ends.add(ExpressionValue.of(to));
        }
        return isSpatial && isNarrow
                ? bound(pad, padded, convolution, Map.of(BEGIN, begins, END, ends), bindings)
                : Optional.empty();
    }

    private static Optional<CheckedNode> bound(
            CheckedNode pad,
            TensorType padded,
            CheckedNode convolution,
            Map<String, List<ExpressionValue>> pads,
            Bindings bindings) {
        Node node = convolution.node();
        List<String> inputs = new ArrayList<>(node.inputs());
        inputs.set(0, pad.node().inputs().get(0));
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (int i = 1; i < inputs.size(); i++) {
            TensorType type = convolution.inputTypes().get(i);
            if (type != null) {
                types.put(inputs.get(i), type);
            }
        }
        types.put(inputs.get(0), padded);
        Map<String, ExpressionValue> params =
                new LinkedHashMap<>(convolution.binding().params());
        pads.forEach((name, values) -> params.put(name, ExpressionValue.list(values)));
        params.computeIfPresent(AUTO, (name, word) -> NONE);
        return CheckedNode.of(
                bindings,
                convolution.op(),
                new Node(node.name(), node.op(), inputs, node.outputs(), Map.of(), node.source()),
                params,
                input -> new ArgValue(requireNonNull(types.get(input)), null));
    }

    private static List<Long> ints(Optional<ExpressionValue> value) {
        List<Long> numbers = new ArrayList<>();
        if (value.isPresent() && value.get() instanceof ExpressionValue.ListOf list) {
            for (ExpressionValue element : list.elements()) {
                if (!(element instanceof ExpressionValue.Int number)) {
                    return List.of();
                }
                numbers.add(number.value());
            }
        }
        return numbers;
    }

    private static boolean areAll(double number, Optional<ExpressionValue> value) {
        return value.isPresent()
                && value.get() instanceof ExpressionValue.ListOf list
                && list.elements().stream()
                        .allMatch(element -> element instanceof ExpressionValue.Real real && real.value() == number);
    }
}
