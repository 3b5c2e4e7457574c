package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;

/**
 * Fuses DequantizeLinear, Conv and QuantizeLinear into one quantized convolution.
 *
 * <pre>
 * a = DequantizeLinear(x);  w = DequantizeLinear(v);  b = FusedConv(a, w, bias);  c = Relu(b);  y = QuantizeLinear(c)
 * y = QuantizedConv(x, v, bias in int32)
 * </pre>
 *
 * <p>The sum of products is exact then, and rounded once; y differs by one quantization step at most. Not where scales, weights or
 * bias are computed, where a sum could leave int32, where an activation cuts more than the range of the quantized type, or where only a
 * kernel for any layout would take it that is slower than the one for real values.
 */
final class FuseQdqConv implements FusionRule {

    private static final List<String> PARAMETERS =
            List.of("strides", "pads_begin", "pads_end", "dilations", "groups", "data_format");

    @Override
    public Set<String> needs() {
        return Quantized.ENDS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Optional<FusableConvolution> found = FusableConvolution.at(position, graph)
                .filter(convolution -> !convolution.isTransposed() && !convolution.hasActivation())
                .filter(convolution -> !convolution.hasResidual())
                .filter(convolution ->
                        convolution.binding().text("weights_format").equals("OIX"));
        if (found.isEmpty()) {
            return false;
        }
        FusableConvolution convolution = found.get();
        Optional<Dequantized> x =
                Dequantized.of(convolution.input(FusableConvolution.X), graph).filter(Dequantized::isPlain);
        Optional<Dequantized> weights = Dequantized.of(convolution.input(FusableConvolution.WEIGHTS), graph);
        Optional<Quantized> y =
                x.isPresent() && weights.isPresent() ? Quantized.of(convolution.output(), graph) : Optional.empty();
        return y.isPresent() && rewrite(convolution, x.get(), weights.get(), y.get(), graph);
    }

    private static boolean rewrite(
            FusableConvolution convolution, Dequantized x, Dequantized weights, Quantized y, Rewriting graph) {
        String bias = convolution.input(FusableConvolution.BIAS);
        Optional<IntegerProduct> product =
                QuantizedWeights.of(weights, 0).flatMap(quantized -> IntegerProduct.of(x, quantized, bias, y, graph));
        if (product.isEmpty()) {
            return false;
        }
        Node by = convolution
                .placed()
                .as("QuantizedConv", product.get().inputs(weights.quantized()), List.of(y.quantized()));
        Map<String, ExpressionValue> params = new HashMap<>();
        PARAMETERS.forEach(name -> params.put(name, convolution.binding().value(name)));
        List<Integer> parts = new ArrayList<>(y.parts());
        x.own(convolution.input(FusableConvolution.X), graph).ifPresent(parts::add);
        weights.own(convolution.input(FusableConvolution.WEIGHTS), graph).ifPresent(parts::add);
        bias(bias, graph).ifPresent(parts::add);
        return graph.takeOver(
                convolution.position(), by, params, parts, taken -> IntegerProduct.pays(convolution.placed(), taken));
    }

    private static Optional<Integer> bias(String bias, Rewriting graph) {
        return Dequantized.of(bias, graph).flatMap(found -> found.own(bias, graph));
    }
}
