package org.clinfer.fix;

import java.util.stream.Stream;

/** Rewrites of transposed convolutions. */
class TransposedConvolutionRewritesTest extends RewriteTests {

    static Stream<Case> cases() {
        return Stream.of(
                of(
                        "transposed convolution",
                        "TransposedAsOther",
                        (ops, x) -> ops.conv2dTranspose(x, ops.constant("w", random(1, 3, 4, 5, 3)))
                                .bias(ops.constant("b", random(2, 4)))
                                .strides(2, 2)
                                .padding(2, 1, 0, 1)
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "transposed convolution of groups",
                        "TransposedAsOther",
                        (ops, x) -> ops.conv2dTranspose(x, ops.constant("w", random(1, 4, 3, 3, 3)))
                                .group(2)
                                .dilation(2, 1)
                                .strides(1, 2)
                                .named("node")
                                .y(),
                        1,
                        4,
                        4,
                        5));
    }
}
