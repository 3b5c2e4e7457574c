package org.clinfer.fix;

import java.util.stream.Stream;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;

/** Rewrites of convolutions and of what stands before and behind them. */
class ConvolutionRewritesTest extends RewriteTests {

    private static Edge conv(
            Ops ops, Edge x, long outs, long group, long kernel, long stride, long dilation, long... pads) {
        long ins = x.type().orElseThrow().shape().size(1);
        return ops.conv2d(x, ops.constant("w", random(1, outs, ins / group, kernel, kernel + 1)))
                .bias(ops.constant("b", random(2, outs)))
                .group(group)
                .strides(stride, stride)
                .dilation(dilation, dilation)
                .padding(pads)
                .y();
    }

    /** A convolution of any number of axes, with groups, strides of 2, a dilation of the first axis, and less padding at its end. */
    private static Edge ofAnyAxes(Ops ops, Edge x, boolean isLast, long[] weights, long groups, long dilation) {
        int axes = weights.length - 2;
        long outs = isLast ? weights[weights.length - 1] : weights[0];
        long[] strides = new long[axes];
        long[] begin = new long[axes];
        long[] end = new long[axes];
        long[] dilations = new long[axes];
        for (int i = 0; i < axes; i++) {
            dilations[i] = i == 0 ? dilation : 1;
            strides[i] = i == axes - 1 ? 1 : 2;
            begin[i] = 1;
            end[i] = i == 0 ? 0 : 1;
        }
        return ops.convolution(x, ops.constant("w", random(1, weights)), strides, begin, end, dilations)
                .groups(groups)
                .bias(ops.constant("b", random(2, outs)))
                .dataFormat(isLast ? ConvolutionOp.DataFormat.NXC : ConvolutionOp.DataFormat.NCX)
                .weightsFormat(isLast ? ConvolutionOp.WeightsFormat.XIO : ConvolutionOp.WeightsFormat.OIX)
                .dst();
    }

    private static final String CONVOLUTION = "SplitInputChannels SplitKernel SplitOutputChannels SplitPictures ";

    static Stream<Case> cases() {
        return Stream.of(
                of(
                        "convolution",
                        CONVOLUTION + "PadBeforeConvolution WidenKernel",
                        (ops, x) -> conv(ops, x, 5, 1, 3, 1, 1, 1, 2, 0, 3).named("node"),
                        1,
                        3,
                        13,
                        11),
                of(
                        "strided convolution",
                        CONVOLUTION + "PadBeforeConvolution WidenKernel StrideAsSlice StrideAsDepth",
                        (ops, x) ->
                                ops.relu(conv(ops, x, 4, 1, 5, 4, 1, 2, 2, 2, 2).named("node")),
                        1,
                        2,
                        23,
                        26),
                of(
                        "strided convolution of single elements",
                        "SplitInputChannels SplitOutputChannels SplitPictures StrideAsSlice StrideAsDepth WidenKernel",
                        (ops, x) -> ops.conv2d(x, ops.constant("w", random(1, 4, 3, 1, 1)))
                                .strides(2, 2)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        10),
                of(
                        "dilated convolution",
                        CONVOLUTION + "PadBeforeConvolution DilationAsZeros StrideAsSlice",
                        (ops, x) -> conv(ops, x, 4, 1, 3, 2, 3, 3, 2, 4, 3).named("node"),
                        1,
                        2,
                        17,
                        19),
                of(
                        "groups",
                        "SplitKernel SplitPictures SplitGroups GroupsAsZeros WidenKernel",
                        (ops, x) -> ops.leakyRelu(
                                        conv(ops, x, 8, 4, 2, 1, 1, 0, 0, 0, 0).named("node"))
                                .alpha(0.3)
                                .y(),
                        1,
                        12,
                        7,
                        9),
                of(
                        "batch of depthwise convolutions",
                        "PadBeforeConvolution SplitKernel SplitPictures SplitGroups GroupsAsZeros WidenKernel"
                                + " SplitBatch",
                        (ops, x) -> ops.depthwiseConv2d(x, ops.constant("w", random(1, 2, 3, 3, 3)))
                                .padding(1, 1, 1, 1)
                                .named("node")
                                .y(),
                        3,
                        3,
                        7,
                        6),
                of(
                        "row",
                        "RowAsPicture SplitKernel SplitOutputChannels SplitInputChannels PadBeforeConvolution"
                                + " SplitPictures WidenKernel",
                        (ops, x) -> ops.convolution(
                                        x,
                                        ops.constant("w", random(1, 3, 2, 4)),
                                        new long[] {1},
                                        new long[] {1},
                                        new long[] {2},
                                        1)
                                .dataFormat(ConvolutionOp.DataFormat.NCX)
                                .weightsFormat(ConvolutionOp.WeightsFormat.OIX)
                                .named("node")
                                .dst(),
                        1,
                        2,
                        21),
                of(
                        "channels last",
                        CONVOLUTION + "ChannelsSecond PadBeforeConvolution StrideAsSlice WidenKernel",
                        (ops, x) -> ops.relu(ofAnyAxes(ops, x, true, new long[] {3, 2, 4, 5}, 1, 1)
                                .named("node")),
                        1,
                        9,
                        8,
                        4),
                of(
                        "groups of rows with channels last",
                        "ChannelsSecond RowAsPicture GroupsAsZeros PadBeforeConvolution SplitGroups SplitKernel"
                                + " SplitPictures WidenKernel SplitBatch",
                        (ops, x) -> ofAnyAxes(ops, x, true, new long[] {3, 2, 6}, 2, 1)
                                .named("node"),
                        2,
                        15,
                        4),
                of(
                        "volumes",
                        "DepthAsChannels VolumeAsPictures SplitBatch",
                        (ops, x) -> ofAnyAxes(ops, x, false, new long[] {5, 3, 3, 2, 4}, 1, 2)
                                .named("node"),
                        2,
                        3,
                        6,
                        9,
                        8),
                of(
                        "groups of volumes with channels last",
                        "DepthAsChannels VolumeAsPictures",
                        (ops, x) -> ofAnyAxes(ops, x, true, new long[] {2, 3, 3, 2, 6}, 3, 1)
                                .named("node"),
                        1,
                        7,
                        9,
                        8,
                        6),
                of(
                        "volumes of one step in depth",
                        "DepthAsChannels VolumeAsPictures",
                        (ops, x) -> ops.convolution(
                                        x,
                                        ops.constant("w", random(1, 5, 3, 1, 3, 3)),
                                        new long[] {1, 1, 2},
                                        new long[] {0, 1, 0},
                                        new long[] {0, 0, 2},
                                        new long[] {1, 1, 1})
                                .dataFormat(ConvolutionOp.DataFormat.NCX)
                                .weightsFormat(ConvolutionOp.WeightsFormat.OIX)
                                .named("node")
                                .dst(),
                        1,
                        3,
                        4,
                        7,
                        9),
                of(
                        "factors behind a convolution with channels last",
                        "FoldIntoConvolution BroadcastFirst",
                        (ops, x) -> ops.mul(
                                        ofAnyAxes(ops, x, true, new long[] {3, 3, 3, 4}, 1, 1),
                                        ops.constant("s", random(3, 4)))
                                .named("node"),
                        1,
                        8,
                        9,
                        3),
                of(
                        "normalization behind a convolution",
                        "FoldIntoConvolution ScaleAsMulAdd ScaleAsConvolution",
                        (ops, x) -> ops.relu(ops.batchNorm(
                                        conv(ops, x, 4, 1, 3, 1, 1, 0, 0, 0, 0),
                                        ops.constant("s", random(3, 4)),
                                        ops.constant("o", random(4, 4)),
                                        ops.constant("m", random(5, 4)),
                                        ops.constant("v", positive(6, 4)))
                                .named("node")
                                .y()),
                        1,
                        3,
                        8,
                        9),
                of(
                        "factors behind a convolution",
                        "FoldIntoConvolution ScaleAsMulAdd ScaleAsConvolution BroadcastFirst",
                        (ops, x) -> ops.mul(
                                        conv(ops, x, 4, 1, 3, 1, 1, 0, 0, 0, 0), ops.constant("s", random(3, 4, 1, 1)))
                                .named("node"),
                        1,
                        3,
                        8,
                        9),
                of(
                        "constant minus x",
                        "ScaleAsMulAdd ScaleAsConvolution ArithmeticAsOther BroadcastFirst",
                        (ops, x) -> ops.sub(ops.constant("s", random(3, 1, 3, 1, 1)), x)
                                .named("node"),
                        1,
                        3,
                        5,
                        4),
                of(
                        "quotient",
                        "ScaleAsMulAdd ArithmeticAsOther BroadcastFirst SplitBatch",
                        (ops, x) ->
                                ops.div(x, ops.constant("s", positive(3, 1))).named("node"),
                        2,
                        7),
                of(
                        "padding before a convolution",
                        "PadIntoConvolution MoveAsOther",
                        (ops, x) -> conv(
                                ops,
                                ops.pad(x)
                                        .padWith(0, 0, 0, 0, 1, 2, 3, 0)
                                        .named("node")
                                        .y(),
                                4,
                                1,
                                3,
                                2,
                                1,
                                0,
                                1,
                                0,
                                1),
                        1,
                        3,
                        8,
                        9));
    }
}
