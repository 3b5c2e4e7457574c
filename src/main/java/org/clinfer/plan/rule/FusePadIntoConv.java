package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.place.PlacedNode;

/**
 * Fuses a Pad with zeros into the convolution after it.
 *
 * <pre>
 * a = Pad(x) {CONSTANT, 0};  y = FusedConv(a, w) {pads_begin: [0, 0]}
 * y = FusedConv(x, w) {pads_begin: [1, 1]}
 * </pre>
 *
 * <p>Not where anything else uses what was padded, where batch or channels are padded, where something is cut, or where the
 * padding is not 0. Not for transposed convolutions, whose padding means something else.
 */
final class FusePadIntoConv implements FusionRule {

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Optional<FusableConvolution> found = FusableConvolution.at(position, graph)
                .filter(convolution -> !convolution.isTransposed())
                .filter(convolution -> graph.isUsedOnce(convolution.input(FusableConvolution.X)));
        Optional<Integer> at = found.flatMap(convolution -> graph.producer(convolution.input(FusableConvolution.X)));
        if (at.isEmpty()) {
            return false;
        }
        FusableConvolution convolution = found.orElseThrow();
        PlacedNode pad = graph.node(at.get()).orElseThrow();
        if (pad.target() != convolution.placed().target() || !isOfZeros(pad, convolution.channelAxis())) {
            return false;
        }
        Binding binding = pad.binding();
        return convolution
                .input(FusableConvolution.X, pad.inputs().get(0))
                .param("pads_begin", sum("pads_begin", binding.integers("before"), convolution))
                .param("pads_end", sum("pads_end", binding.integers("after"), convolution))
                .takeOver(at.get(), graph);
    }

    /** {@return whether a node adds zeros along the axes of a picture, and does nothing else} */
    static boolean isOfZeros(PlacedNode pad, int channelAxis) {
        Binding binding = pad.binding();
        if (!pad.op().equals("Pad") || !binding.text("mode").equals("CONSTANT")) {
            return false;
        }
        long[] before = binding.integers("before");
        long[] after = binding.integers("after");
        double[] constants = binding.reals("real_constants");
        for (int axis = 0; axis < before.length; axis++) {
            boolean spatial = axis != 0 && axis != channelAxis;
            boolean none = before[axis] == 0 && after[axis] == 0;
            boolean zeros = constants[2 * axis] == 0 && constants[2 * axis + 1] == 0;
            if (before[axis] < 0 || after[axis] < 0 || (!none && !(spatial && zeros))) {
                return false;
            }
        }
        return true;
    }

    /** The convolution's own padding and that of the spatial axes. */
    private static ExpressionValue sum(String name, long[] more, FusableConvolution convolution) {
        int first = convolution.channelAxis() == 1 ? 2 : 1;
        long[] own = convolution.binding().integers(name);
        long[] spatial = Arrays.copyOfRange(more, first, first + own.length);
        List<ExpressionValue> sums = new ArrayList<>();
        for (int i = 0; i < own.length; i++) {
            sums.add(ExpressionValue.of(own[i] + spatial[i]));
        }
        return ExpressionValue.list(sums);
    }
}
