package org.clinfer.fix;

import java.util.List;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Writes a factor and a summand for each channel as a depthwise convolution of one element.
 *
 * <pre>
 * y = BatchNorm(x, scale, bias, mean, variance)     or Mul(x, factors), Add(x, summands)
 * y = Conv2d(x, w) + bias' {group: channels}
 * </pre>
 */
final class ScaleAsConvolution implements Rewrite {

    private static final int PICTURES = 4;

    @Override
    public List<Replacement> of(Site site) {
        return ScaleAndShift.of(site, site.node())
                .filter(of -> site.outputSizes().length == PICTURES)
                .map(of -> site.by("as a depthwise convolution", draft -> {
                    int channels = Math.toIntExact(site.outputSizes()[1]);
                    DType dtype = site.outputType().dtype();
                    Tensor weights = Weights.of(dtype, channels, 1, 1, 1, (o, i, y, x) -> of.scale(o));
                    Tensor bias = Tensor.allocate(dtype, channels);
                    for (int i = 0; i < channels; i++) {
                        bias.setDouble(i, of.shift(i));
                    }
                    return draft.ops()
                            .conv2d(draft.edge(of.x()), draft.constant(weights))
                            .bias(draft.constant(bias))
                            .group(channels)
                            .y();
                }))
                .orElse(List.of());
    }
}
