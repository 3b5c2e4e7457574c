package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Rewrites a transposed convolution of stride 1 as a convolution whose weights have the channels exchanged and the taps
 * reversed.
 *
 * <pre>
 * y = FusedConvTranspose(x, w) {strides: [1, 1]}
 * y = FusedConv(x, w') {weights_format: OIX}
 * </pre>
 *
 * <p>Not where the weights are no constant, or the result is cut by more than a window; nor where the result has more than
 * twice as many elements in a channel as the input: most terms of the convolution would be padding.
 */
final class TransposedConvToConv implements FusionRule {

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Optional<FusableConvolution> found = FusableConvolution.at(position, graph)
                .filter(FusableConvolution::isTransposed)
                .filter(convolution ->
                        convolution.binding().text("weights_format").equals("IOX"));
        return found.isPresent() && rewrite(found.get(), graph);
    }

    private static boolean rewrite(FusableConvolution transposed, Rewriting graph) {
        Binding binding = transposed.binding();
        Optional<Map<String, ExpressionValue>> params = params(binding);
        Optional<Tensor> before = graph.constant(transposed.input(FusableConvolution.WEIGHTS));
        if (params.isEmpty() || before.isEmpty()) {
            return false;
        }
        long[] sizes = before.get().shape().sizes();
        int groups = Math.toIntExact(binding.integer("groups"));
        long[] exchanged = sizes.clone();
        exchanged[0] = sizes[1] * groups;
        exchanged[1] = sizes[0] / groups;
        TensorType type = TensorType.of(before.get().dtype(), exchanged);
        Optional<String> weights = graph.folded()
                .of(
                        List.of(transposed.input(FusableConvolution.WEIGHTS), "exchanged in groups of " + exchanged[1]),
                        type,
                        () -> Optional.of(exchanged(before.get(), groups, type)))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
        if (weights.isEmpty()) {
            return false;
        }
        List<String> inputs = new ArrayList<>(transposed.placed().inputs());
        inputs.set(FusableConvolution.WEIGHTS, weights.get());
        Node by = transposed.placed().as("FusedConv", inputs);
        return graph.replace(transposed.position(), by, params.get(), List.of());
    }

    /** Empty with a stride, where padding would be negative, or most of what is read. */
    private static Optional<Map<String, ExpressionValue>> params(Binding binding) {
        long[] strides = binding.integers("strides");
        long[] dilations = binding.integers("dilations");
        long[] kernel = binding.integers("kernel");
        long[] cut = binding.integers("pads_begin");
        long[] in = binding.integers("in_size");
        long[] out = binding.integers("out_size");
        if (Arrays.stream(out).reduce(1, Math::multiplyExact)
                > 2 * Arrays.stream(in).reduce(1, Math::multiplyExact)) {
            return Optional.empty();
        }
        long[] begin = new long[strides.length];
        long[] end = new long[strides.length];
        for (int i = 0; i < strides.length; i++) {
            long reach = dilations[i] * (kernel[i] - 1);
            begin[i] = reach - cut[i];
            end[i] = out[i] + reach - in[i] - begin[i];
            if (strides[i] != 1 || begin[i] < 0 || end[i] < 0) {
                return Optional.empty();
            }
        }
        Map<String, ExpressionValue> params = new HashMap<>();
        for (String name : List.of(
                "dilations", "groups", "data_format", "activation", "alpha", "beta", "residual_add", "out_type")) {
            params.put(name, binding.params().getOrDefault(name, ExpressionValue.absent()));
        }
        params.put("weights_format", ExpressionValue.of("OIX"));
        params.put("pads_begin", ExpressionValue.ints(begin));
        params.put("pads_end", ExpressionValue.ints(end));
        return Optional.of(params);
    }

    /** [I, O / groups, taps] as [O, I / groups, taps], the taps last to first. */
    private static Tensor exchanged(Tensor weights, int groups, TensorType type) {
        Tensor result = Tensor.allocate(type);
        int in = Math.toIntExact(type.shape().size(1));
        int out = Math.toIntExact(weights.shape().size(1));
        int taps = Math.toIntExact(weights.elements() / Math.max(1, (long) groups * in * out));
        int to = 0;
        for (int channel = 0; channel < groups * out; channel++) {
            int group = channel / out;
            for (int i = 0; i < in; i++) {
                int from = ((group * in + i) * out + channel % out) * taps;
                for (int tap = taps - 1; tap >= 0; tap--) {
                    result.setDouble(to++, weights.getDouble(from + tap));
                }
            }
        }
        return result;
    }
}
