package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldScaleIntoConvTest {

    private static final FoldScaleIntoConv RULE = new FoldScaleIntoConv();

    private static Rewritten with(String op, String inputs, long... sizes) {
        return Rewritten.convolution(DType.FLOAT32)
                .constant("c", sizes)
                .node(op, inputs, "y")
                .output("y");
    }

    private static float[] constant(PlacedGraph graph, int argument) {
        PlacedNode convolution = Rewritten.convolution(graph);
        String name = convolution.inputs().get(argument);
        return Objects.requireNonNull(graph.constants().get(name)).toFloatArray();
    }

    @Test
    void foldsBatchNorm() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .constant("scale", Tensor.of(new float[] {2, 1, 1, 1}, 4))
                .constant("shift", Tensor.of(new float[] {0, 10, 0, 0}, 4))
                .constant("mean", Tensor.of(new float[] {0, 0, 1, 0}, 4))
                .constant("variance", Tensor.of(new float[] {1, 1, 1, 4}, 4))
                .node("BatchNorm", "a,scale,shift,mean,variance", "y", Map.of("epsilon", Attribute.of(0.0)))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("y");
        assertThat(constant(graph, FusableConvolution.WEIGHTS))
                .containsExactly(1, 2, 3, 2, 2.5f, 3, 3.5f, 4, 4.5f, 2.5f, 2.75f, 3);
        assertThat(constant(graph, FusableConvolution.BIAS)).containsExactly(1, 11, 0.5f, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "Mul,'a,c',0.25,2.0", "Mul,'c,a',0.25,2.0", "Div,'a,c',1.0,1.0",
        "Add,'a,c',1.0,3.0", "Sub,'a,c',0.0,0.0", "Sub,'c,a',0.0,0.0"
    })
    void foldsArithmetic(String op, String inputs, float firstBias, float thirdBias) {
        float third = op.equals("Mul") ? 2.25f : thirdBias;
        PlacedGraph graph = with(op, inputs, 4, 1, 1).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a");
        float[] bias = constant(graph, FusableConvolution.BIAS);
        assertThat(bias[0]).isEqualTo(firstBias);
        assertThat(bias[2]).isEqualTo(third);
        float expected = switch (op) {
            case "Mul" -> 0.25f;
            case "Div" -> 1;
            case "Sub" -> inputs.startsWith("c") ? -0.5f : 0.5f;
            default -> 0.5f;
        };
        assertThat(constant(graph, FusableConvolution.WEIGHTS)[0]).isEqualTo(expected);
    }

    @Test
    void foldsOneAfterTheOther() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .constant("two", Tensor.scalar(2f))
                .constant("one", Tensor.scalar(1f))
                .node("Mul", "a,two", "m")
                .node("Add", "one,m", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("m", "y");
        assertThat(constant(graph, FusableConvolution.BIAS)).containsExactly(2, 3, 4, 5);
        assertThat(constant(graph, FusableConvolution.WEIGHTS)).startsWith(1, 2, 3);
    }

    @Test
    void knowsTheChannelsOfTransposedWeights() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 1, 4, 5, 7)
                .constant("w", Tensor.of(new float[] {1, 1, 1, 1, 1, 1, 1, 1}, 4, 2, 1, 1))
                .constant("c", Tensor.of(new float[] {2, 3, 4, 5}, 4, 1, 1))
                .node("Conv2dTranspose", "x,w", "a", Map.of("group", Attribute.of(2)))
                .node("Mul", "a,c", "y")
                .output("y")
                .by(RULE);
        assertThat(constant(graph, FusableConvolution.WEIGHTS)).containsExactly(2, 3, 2, 3, 4, 5, 4, 5);
        assertThat(constant(graph, FusableConvolution.BIAS)).containsExactly(0, 0, 0, 0);
    }

    @Test
    void knowsTheChannelsOfDepthwiseWeights() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 1, 2, 5, 7)
                .constant("w", Tensor.of(new float[] {1, 1, 1, 1}, 2, 2, 1, 1))
                .constant("c", Tensor.of(new float[] {2, 3, 4, 5}, 4, 1, 1))
                .node("DepthwiseConv2d", "x,w", "a")
                .node("Mul", "a,c", "y")
                .output("y")
                .by(RULE);
        // channel c * 2 + m has weights [m, c]
        assertThat(constant(graph, FusableConvolution.WEIGHTS)).containsExactly(2, 4, 3, 5);
    }

    @ParameterizedTest
    @CsvSource({"XIO,false", "XOI,true"})
    void knowsTheChannelsWhereTheyAreLast(String format, boolean transposed) {
        Map<String, Attribute> params = Map.of(
                "strides", Attribute.ofInts(1, 1),
                "pads_begin", Attribute.ofInts(0, 0),
                "dilations", Attribute.ofInts(1, 1),
                "data_format", Attribute.of("NXC"),
                "weights_format", Attribute.of(format));
        Map<String, Attribute> all = new HashMap<>(params);
        if (transposed) {
            all.put("out_size", Attribute.ofInts(4, 4));
        }
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 1, 4, 4, 2)
                .constant("w", Tensor.of(new float[] {1, 1, 1, 1, 1, 1}, 1, 1, transposed ? 3 : 2, transposed ? 2 : 3))
                .constant("c", Tensor.of(new float[] {2, 3, 4}, 3))
                .node(transposed ? "FusedConvTranspose" : "FusedConv", "x,w", "a", all)
                .node("Mul", "a,c", "y")
                .output("y")
                .by(RULE);
        float[] expected = transposed ? new float[] {2, 2, 3, 3, 4, 4} : new float[] {2, 3, 4, 2, 3, 4};
        assertThat(constant(graph, FusableConvolution.WEIGHTS)).containsExactly(expected);
    }

    /** More weights than one thread scales at a time, in pieces that end within a channel's and within a pixel's. */
    @ParameterizedTest
    @CsvSource({"NCX,OIX", "NXC,XIO"})
    void scalesLargeWeights(String data, String weights) {
        boolean channelsLast = weights.equals("XIO");
        long[] sizes = channelsLast ? new long[] {3, 3, 130, 70} : new long[] {70, 130, 3, 3};
        int count = 70 * 130 * 9;
        float[] values = new float[count];
        float[] expected = new float[count];
        float[] factors = new float[70];
        for (int channel = 0; channel < factors.length; channel++) {
            factors[channel] = 1 + 0.5f * channel;
        }
        for (int i = 0; i < count; i++) {
            values[i] = i % 97 - 50;
            expected[i] = values[i] * factors[channelsLast ? i % 70 : i / (130 * 9)];
        }
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 1, channelsLast ? 5 : 130, 5, channelsLast ? 130 : 5)
                .constant("w", Tensor.of(values, sizes))
                .constant("c", channelsLast ? Tensor.of(factors, 70) : Tensor.of(factors, 70, 1, 1))
                .node(
                        "FusedConv",
                        "x,w",
                        "a",
                        Map.of("data_format", Attribute.of(data), "weights_format", Attribute.of(weights)))
                .node("Mul", "a,c", "y")
                .output("y")
                .by(RULE);
        assertThat(constant(graph, FusableConvolution.WEIGHTS)).containsExactly(expected);
    }

    @Test
    void leavesOtherAxesAndComputedTerms() {
        assertThat(Rewritten.names(with("Mul", "a,c", 7).by(RULE))).containsExactly("a", "y");
        assertThat(Rewritten.names(with("Mul", "a,c", 1, 1, 1, 1, 1).by(RULE))).containsExactly("a", "y");
        assertThat(Rewritten.names(with("Div", "c,a", 4, 1, 1).by(RULE))).containsExactly("a", "y");
        assertThat(Rewritten.names(Rewritten.convolution(DType.FLOAT32)
                        .input("c", 4, 1, 1)
                        .node("Mul", "a,c", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
    }

    @Test
    void leavesWhatFollowsAnActivation() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .constant("c", 4, 1, 1)
                .node("Relu", "a", "r")
                .node("Mul", "r,c", "y")
                .output("y")
                .by(new FuseActivationIntoConv(), RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
    }

    @Test
    void leavesWhatOthersUseAndOtherSides() {
        assertThat(Rewritten.names(with("Mul", "a,c", 4, 1, 1).output("a").by(RULE)))
                .containsExactly("a", "y");
        assertThat(Rewritten.names(with("Mul", "a,c", 4, 1, 1).onCpu("y").by(RULE)))
                .containsExactly("a", "y");
    }

    @Test
    void leavesWeightsThatWouldLoseDigits() {
        assertThat(scaledHalves(0x1p-10)).hasSize(1);
        assertThat(scaledHalves(0x1p-16)).as("too small").hasSize(2);
        assertThat(scaledHalves(0x1p15)).as("too large").hasSize(2);
    }

    private static List<String> scaledHalves(double factor) {
        Tensor by = Tensor.allocate(DType.FLOAT16, 1);
        by.setDouble(0, factor);
        return Rewritten.names(Rewritten.convolution(DType.FLOAT16)
                .constant("c", by)
                .node("Mul", "a,c", "y")
                .output("y")
                .by(RULE));
    }

    @Test
    void leavesWhatDividesByZero() {
        assertThat(Rewritten.names(Rewritten.convolution(DType.FLOAT32)
                        .constant("c", Tensor.scalar(0f))
                        .node("Div", "a,c", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
    }

    @Test
    void leavesItWhereThereIsNoMemory() {
        long model = 4 * (12 + 4 + 4);
        long made = 4 * (12 + 4);
        assertThat(Rewritten.names(
                        with("Mul", "a,c", 4, 1, 1).limit(model + made).by(RULE)))
                .containsExactly("a");
        assertThat(Rewritten.names(
                        with("Mul", "a,c", 4, 1, 1).limit(model + made - 1).by(RULE)))
                .containsExactly("a", "y");
    }
}
