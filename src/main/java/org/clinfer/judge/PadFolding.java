package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
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

    private static final String CONVOLUTION = "FusedConv";
    private static final String BEGIN = "pads_begin";
    private static final String END = "pads_end";

    private PadFolding() {}

    /** The convolution with the padding of both; empty where they are not of this form. */
    static Optional<CheckedNode> of(CheckedNode pad, CheckedNode reader, Bindings bindings) {
        CheckedNode convolution = reader;
        while (convolution.lowered() != null && !convolution.node().op().equals(CONVOLUTION)) {
            convolution = convolution.lowered();
        }
        TensorType padded = pad.inputTypes().get(0);
        if (!convolution.node().op().equals(CONVOLUTION) || padded == null || !isOfZeros(pad)) {
            return Optional.empty();
        }
        return folded(pad, padded, convolution, bindings);
    }

    private static boolean isOfZeros(CheckedNode pad) {
        Scope scope = pad.binding().scope();
        return scope.find("mode").filter(ExpressionValue.of("CONSTANT")::equals).isPresent()
                && isOfZeros(scope.find("constant_values"))
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
        List<Long> begin = ints(own.find(BEGIN));
        List<Long> end = ints(own.find(END));
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

    private static boolean isOfZeros(Optional<ExpressionValue> value) {
        return value.isPresent()
                && value.get() instanceof ExpressionValue.ListOf list
                && list.elements().stream()
                        .allMatch(element -> element instanceof ExpressionValue.Real number && number.value() == 0);
    }
}
