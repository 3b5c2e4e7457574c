package org.clinfer.fix;

import java.util.List;
import org.clinfer.tensor.Tensor;

/**
 * Puts the zeros of a dilated kernel between its weights.
 *
 * <pre>
 * y = Conv2d(x, w) {dilation: [2, 2]}     w of 3 x 3
 * y = Conv2d(x, w')                       w' of 5 x 5 with zeros in between
 * </pre>
 */
final class DilationAsZeros implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        return RewritableConvolution.at(site)
                .filter(of -> of.geometry().isDilated())
                .map(of -> of.by("zeros between the weights instead of a dilation", draft -> {
                    Geometry window = of.geometry();
                    long[] kernel = {window.extent(0), window.extent(1)};
                    Tensor weights = site.made()
                            .add(Weights.among(of.weights(), kernel[0], kernel[1], new long[2], window.dilations()));
                    long[] ones = {1, 1};
                    return of.whole(
                            draft, of.x(draft), weights, window.withKernel(kernel, ones, window.begin(), window.end()));
                }))
                .orElse(List.of());
    }
}
