package org.clinfer.fix;

import java.util.List;

/**
 * Takes a row for a picture of one row.
 *
 * <pre>
 * y = Convolution(x, w)                                     [batch, channels, width]
 * y = Reshape(Conv2d(Reshape(x), w'))                       [batch, channels, 1, width] in between
 * </pre>
 */
final class RowAsPicture implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        return RewritableConvolution.at(site)
                .filter(RewritableConvolution::isRow)
                .map(of -> of.by(
                        "row as a picture of one row",
                        draft -> of.whole(draft, of.x(draft), of.weights(), of.geometry())))
                .orElse(List.of());
    }
}
