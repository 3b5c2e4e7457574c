package org.clinfer.fix;

import java.util.List;

/**
 * Brings the channels of a convolution from the last place to the second.
 *
 * <pre>
 * y = Convolution(x, w) {data_format: NXC}                  [batch, height, width, channels]
 * y = Transpose(Conv2d(Transpose(x), w'))                   [batch, channels, height, width] in between
 * </pre>
 */
final class ChannelsSecond implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        return RewritableConvolution.at(site)
                .filter(RewritableConvolution::isChannelsLast)
                .map(of -> of.by(
                        "channels second, between transposes",
                        draft -> of.whole(draft, of.x(draft), of.weights(), of.geometry())))
                .orElse(List.of());
    }
}
