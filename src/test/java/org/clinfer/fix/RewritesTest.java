package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.graph.Graph;
import org.clinfer.ops.CeilMode;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.ops.ResizeOp;
import org.clinfer.ops.UpsampleOp;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each rewrite makes of a node gives the same results; which rewrites apply to which nodes. */
class RewritesTest {

    private static Tensor random(long seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() * 2 - 1);
        }
        return tensor;
    }

    private static Tensor positive(long seed, long... sizes) {
        Tensor tensor = random(seed, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, Math.abs(tensor.getDouble(i)) + 0.5);
        }
        return tensor;
    }

    /**
     * A network of some nodes, one of which is called {@code node}.
     *
     * @param rewrites the rewrites that apply to it, separated by blanks, the others do not
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Case(String name, long[] x, String rewrites, BiFunction<Ops, Edge, Edge> body) {

        Graph graph() {
            Ops ops = Ops.graph("net");
            Edge x = ops.input("x", TensorType.of(DType.FLOAT32, this.x));
            return ops.output("y", body.apply(ops, x)).build();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, String rewrites, BiFunction<Ops, Edge, Edge> body, long... x) {
        return new Case(name, x, rewrites, body);
    }

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
                        9),
                of(
                        "maximum rounded up",
                        "PoolRoundedDown SplitPool PoolStrideAsSlice",
                        (ops, x) -> ops.maxPool(x)
                                .kernelSize(3, 3)
                                .strides(2, 2)
                                .ceilMode(CeilMode.CEIL)
                                .named("node")
                                .y(),
                        1,
                        3,
                        8,
                        10),
                of(
                        "padded maximum behind a rectifier",
                        "PadBeforeMaximum SplitPool PoolStrideAsSlice",
                        (ops, x) -> ops.maxPool(ops.relu(x))
                                .kernelSize(5, 4)
                                .strides(2, 1)
                                .padding(2, 2, 1, 3)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        10),
                of(
                        "mean over parts",
                        "SplitPool PoolStrideAsSlice MeanAsOther",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(6, 4)
                                .strides(6, 4)
                                .named("node")
                                .y(),
                        1,
                        3,
                        13,
                        12),
                of(
                        "padded mean",
                        "PadBeforeMean MeanAsOther PoolStrideAsSlice",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 3)
                                .strides(2, 2)
                                .padding(1, 1, 1, 1)
                                .countIncludePad(true)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        9),
                of(
                        "padded mean without its padding",
                        "",
                        (ops, x) -> ops.avgPool(x)
                                .kernelSize(3, 3)
                                .padding(1, 1, 1, 1)
                                .countIncludePad(false)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        9),
                of(
                        "mean of pictures",
                        "MeanAsOther",
                        (ops, x) -> ops.mean(x)
                                .axis(2, 3)
                                .keepDims(false)
                                .named("node")
                                .y(),
                        2,
                        3,
                        6,
                        7),
                of(
                        "mean of channels",
                        "",
                        (ops, x) -> ops.mean(x).axis(1).named("node").y(),
                        2,
                        3,
                        6,
                        7),
                of(
                        "global mean",
                        "MeanAsOther SplitBatch SplitPool",
                        (ops, x) -> ops.avgPool(x).isGlobal(true).named("node").y(),
                        2,
                        3,
                        6,
                        8),
                of(
                        "Relu",
                        "ActivationAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.relu(x).named("node"),
                        2,
                        3,
                        4,
                        5),
                of(
                        "Relu6",
                        "ActivationAsOther BatchAsChannels",
                        (ops, x) -> ops.relu6(x).named("node"),
                        1,
                        2,
                        3,
                        4,
                        5),
                of(
                        "Clip",
                        "ActivationAsOther",
                        (ops, x) -> ops.clip(x).min(-0.5).max(2).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "LeakyRelu",
                        "ActivationAsOther",
                        (ops, x) -> ops.leakyRelu(x).alpha(0.1).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "PRelu",
                        "ActivationAsOther",
                        (ops, x) -> ops.pRelu(x, ops.constant("s", random(1, 3, 1, 1)))
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "HardSwish",
                        "ActivationAsOther",
                        (ops, x) -> ops.hardSwish(x).named("node"),
                        1,
                        3,
                        4,
                        5),
                of(
                        "HardSigmoid",
                        "ActivationAsOther",
                        (ops, x) -> ops.hardSigmoid(x)
                                .alpha(0.3)
                                .beta(0.4)
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "Swish",
                        "ActivationAsOther",
                        (ops, x) -> ops.swish(x).alpha(1.7).named("node").y(),
                        1,
                        3,
                        4,
                        5),
                of("Sigmoid", "ActivationAsOther", (ops, x) -> ops.sigmoid(x).named("node"), 1, 3, 4, 5),
                of("Tanh", "ActivationAsOther", (ops, x) -> ops.tanh(x).named("node"), 1, 3, 4, 5),
                of(
                        "Abs",
                        "ArithmeticAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.abs(x).named("node"),
                        3,
                        5),
                of(
                        "square",
                        "ArithmeticAsOther",
                        (ops, x) -> ops.pow(x, ops.constant("two", Tensor.scalar(2f)))
                                .named("node"),
                        3,
                        5),
                of(
                        "difference",
                        "ArithmeticAsOther BatchAsChannels SplitBatch",
                        (ops, x) -> ops.sub(x, ops.relu(x)).named("node"),
                        3,
                        5),
                of(
                        "product with a gate",
                        "BroadcastFirst",
                        (ops, x) ->
                                ops.mul(x, ops.avgPool(x).isGlobal(true).y()).named("node"),
                        1,
                        3,
                        5,
                        4),
                of(
                        "matrix",
                        "ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.gemm(x, ops.constant("w", random(1, 5, 7)))
                                .c(ops.constant("c", random(2, 5)))
                                .transposeB(true)
                                .named("node")
                                .y(),
                        3,
                        7),
                of(
                        "flattened pictures",
                        "FlattenIntoConvolution ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.gemm(ops.flatten(x).y(), ops.constant("w", random(1, 24, 5)))
                                .c(ops.constant("c", random(2, 5)))
                                .named("node")
                                .y(),
                        2,
                        2,
                        3,
                        4),
                of(
                        "product of many rows",
                        "ProductAsOther ProductAsConvolution",
                        (ops, x) -> ops.matMul(x, ops.constant("w", random(1, 7, 4)))
                                .named("node"),
                        2,
                        3,
                        7),
                of(
                        "Softmax",
                        "SoftmaxOverLast",
                        (ops, x) -> ops.softmax(x).axis(2).named("node").y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "transpose of single rows",
                        "MoveAsOther",
                        (ops, x) ->
                                ops.transpose(x).perm(0, 2, 1, 3).named("node").y(),
                        2,
                        1,
                        4,
                        5),
                of(
                        "transpose",
                        "",
                        (ops, x) ->
                                ops.transpose(x).perm(0, 2, 1, 3).named("node").y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "channels in another order",
                        "MovesAsOne",
                        (ops, x) -> ops.reshape(
                                        ops.transpose(ops.reshape(x, 2, 2, 3, 4, 5)
                                                        .named("node")
                                                        .y())
                                                .perm(0, 2, 1, 3, 4)
                                                .y(),
                                        2,
                                        6,
                                        4,
                                        5)
                                .y(),
                        2,
                        6,
                        4,
                        5),
                of(
                        "every second channel",
                        "MovesAsOne MoveAsOther",
                        (ops, x) -> ops.gather(
                                        ops.transpose(ops.reshape(x, 1, 3, 2, 4, 5)
                                                        .y())
                                                .perm(2, 0, 1, 3, 4)
                                                .y(),
                                        ops.constant("i", Tensor.scalar(1L)))
                                .axis(0)
                                .named("node")
                                .y(),
                        1,
                        6,
                        4,
                        5),
                of(
                        "depth to space",
                        "MovesAsOne",
                        (ops, x) -> ops.reshape(
                                        ops.transpose(ops.reshape(x, 1, 3, 2, 2, 4, 5)
                                                        .y())
                                                .perm(0, 1, 4, 2, 5, 3)
                                                .named("node")
                                                .y(),
                                        1,
                                        3,
                                        8,
                                        10)
                                .y(),
                        1,
                        12,
                        4,
                        5),
                of(
                        "slice in steps",
                        "MoveAsOther",
                        (ops, x) -> ops.slice(x, new long[] {1, 2}, 8, 9)
                                .axes(2, 3)
                                .steps(2, 3)
                                .named("node")
                                .y(),
                        1,
                        3,
                        9,
                        10),
                of(
                        "one row of many",
                        "MoveAsOther",
                        (ops, x) -> ops.gather(x, ops.constant("i", Tensor.scalar(2L)))
                                .axis(1)
                                .named("node")
                                .y(),
                        2,
                        4,
                        5),
                of(
                        "repeated elements",
                        "MoveAsOther",
                        (ops, x) -> ops.upsample(x)
                                .scale(2, 2)
                                .mode(UpsampleOp.Mode.NEAREST)
                                .named("node")
                                .y(),
                        1,
                        3,
                        4,
                        5),
                of(
                        "normalization of each channel",
                        "NormalizationAsSteps",
                        (ops, x) -> ops.instanceNorm(
                                        x, ops.constant("s", positive(1, 3)), ops.constant("b", random(2, 3)))
                                .epsilon(1e-3)
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "normalization by what is not known",
                        "",
                        (ops, x) -> ops.instanceNorm(
                                        x,
                                        ops.constant("s", positive(1, 3)),
                                        ops.input("b", TensorType.of(DType.FLOAT32, 3)))
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "bilinear, twice and three times",
                        "BilinearAsConvolution",
                        (ops, x) -> ops.resize(x)
                                .scales(1, 1, 2, 3)
                                .mode(ResizeOp.Mode.LINEAR)
                                .named("node")
                                .y(),
                        2,
                        3,
                        4,
                        5),
                of(
                        "bilinear, four times and once, to a size",
                        "BilinearAsConvolution",
                        (ops, x) -> ops.resize(x)
                                .sizes(1, 2, 12, 4)
                                .mode(ResizeOp.Mode.LINEAR)
                                .named("node")
                                .y(),
                        1,
                        2,
                        3,
                        4),
                of(
                        "bilinear between corners",
                        "",
                        (ops, x) -> ops.resize(x)
                                .scales(1, 1, 2, 2)
                                .mode(ResizeOp.Mode.LINEAR)
                                .coordinateMode(ResizeOp.CoordinateMode.ALIGN_CORNERS)
                                .named("node")
                                .y(),
                        1,
                        2,
                        3,
                        4),
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

    @ParameterizedTest
    @MethodSource("cases")
    void resultsAreTheSame(Case of) {
        List<Rewritten> all = Rewritten.all(of.graph(), "node");
        assertThat(all.stream().map(Rewritten::rewrite).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(List.of(of.rewrites.split(" +")).stream()
                        .filter(name -> !name.isEmpty())
                        .toList());
        Map<String, String> wrong = new TreeMap<>();
        all.forEach(each -> each.difference().fault().ifPresent(fault -> wrong.put(each.step(), fault)));
        assertThat(wrong).isEmpty();
    }
}
