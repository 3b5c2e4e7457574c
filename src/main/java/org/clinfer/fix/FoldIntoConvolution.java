package org.clinfer.fix;

import java.util.List;

/**
 * Makes a batch normalization, or a factor or summand for each channel, part of the convolution in front of it.
 *
 * <pre>
 * y = BatchNorm(Conv2d(x, w), scale, bias, mean, variance)
 * y = Conv2d(x, w') + bias'
 * </pre>
 */
final class FoldIntoConvolution implements Rewrite {

    @Override
    public boolean isJoint() {
        return true;
    }

    @Override
    public List<Replacement> of(Site site) {
        return site.node().node().inputs().stream()
                .flatMap(input -> site.region().giver(input).stream())
                .flatMap(giver -> RewritableConvolution.at(site.at(giver)).stream())
                .filter(of ->
                        of.members().contains(site.node()) && !of.activations().contains(site.node()))
                .findFirst()
                .map(of -> of.by(
                        "folded into the convolution",
                        draft -> of.whole(draft, of.x(draft), of.weights(), of.geometry())))
                .orElse(List.of());
    }
}
