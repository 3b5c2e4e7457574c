package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuseActivationIntoConvTest {

    private static final FuseActivationIntoConv RULE = new FuseActivationIntoConv();

    private static Rewritten with(String op, Map<String, Attribute> params) {
        return Rewritten.convolution(DType.FLOAT32).node(op, "a", "y", params).output("y");
    }

    @ParameterizedTest
    @CsvSource({"Relu,RELU", "Relu6,RELU6", "Sigmoid,SIGMOID", "HardSwish,HARD_SWISH", "Tanh,TANH", "Swish,SWISH"})
    void takesThePlainOnes(String op, String activation) {
        PlacedGraph graph = with(op, Map.of()).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a");
        PlacedNode convolution = graph.nodes().get(0);
        assertThat(Rewritten.text(convolution, "activation")).isEqualTo(activation);
        assertThat(convolution.outputs()).containsExactly("y");
        assertThat(convolution.written().op()).isEqualTo("Conv2d");
        assertThat(Rewritten.parts(convolution)).containsExactly("y");
    }

    @Test
    void takesCoefficients() {
        PlacedNode leaky = Rewritten.convolution(
                with("LeakyRelu", Map.of("alpha", Attribute.of(0.25))).by(RULE));
        assertThat(leaky.binding().real("alpha")).isEqualTo(0.25);
        PlacedNode clip = Rewritten.convolution(
                with("Clip", Map.of("min", Attribute.of(-1.5))).by(RULE));
        assertThat(Rewritten.text(clip, "activation")).isEqualTo("CLIP");
        assertThat(clip.binding().real("alpha")).isEqualTo(-1.5);
        assertThat(clip.binding().real("beta")).isEqualTo(Double.POSITIVE_INFINITY);
        PlacedNode six = Rewritten.convolution(with("Clip", Map.of("min", Attribute.of(0), "max", Attribute.of(6)))
                .by(RULE));
        assertThat(Rewritten.text(six, "activation")).isEqualTo("RELU6");
    }

    @Test
    void leavesSwishOfAnotherSlope() {
        assertThat(Rewritten.names(
                        with("Swish", Map.of("alpha", Attribute.of(1.702))).by(RULE)))
                .containsExactly("a", "y");
    }

    @Test
    void takesGeluThatIsNotApproximate() {
        PlacedGraph graph = gelu(Map.of()).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(Rewritten.text(graph.nodes().get(0), "activation")).isEqualTo("GELU");
        assertThat(Rewritten.names(
                        gelu(Map.of("approximate", Attribute.of("TANH"))).by(RULE)))
                .containsExactly("a", "y");
    }

    private static Rewritten gelu(Map<String, Attribute> params) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 1, 12, 5, 7)
                .constant("w", 16, 12, 1, 1)
                .node("Conv2d", "x,w", "a")
                .node("Gelu", "a", "y", params)
                .output("y");
    }

    @Test
    void takesSlopesOfChannels() {
        PlacedNode broadcast = Rewritten.convolution(Rewritten.convolution(DType.FLOAT32)
                .constant("s", 4, 1, 1)
                .node("PRelu", "a,s", "y")
                .output("y")
                .by(RULE));
        assertThat(broadcast.inputTypes().get(FusableConvolution.SLOPE)).hasToString("4:float32");
        PlacedNode vector = Rewritten.convolution(Rewritten.convolution(DType.FLOAT32)
                .constant("s", 4)
                .node("PRelu", "a,s", "y", Map.of("per_channel", Attribute.of(true)))
                .output("y")
                .by(RULE));
        assertThat(vector.inputs().get(FusableConvolution.SLOPE)).isEqualTo("s");
    }

    @Test
    void leavesSlopesOfOtherAxes() {
        Rewritten alongWidth = Rewritten.convolution(DType.FLOAT32)
                .constant("s", 7)
                .node("PRelu", "a,s", "y")
                .output("y");
        assertThat(Rewritten.names(alongWidth.by(RULE))).containsExactly("a", "y");
        Rewritten computed = Rewritten.convolution(DType.FLOAT32)
                .input("s", 4, 1, 1)
                .node("PRelu", "a,s", "y")
                .output("y");
        assertThat(Rewritten.names(computed.by(RULE))).containsExactly("a", "y");
    }

    @Test
    void theLastAxisCountsWhereChannelsAreLast() {
        Map<String, Attribute> ones = Map.of(
                "strides", Attribute.ofInts(1, 1),
                "pads_begin", Attribute.ofInts(0, 0),
                "pads_end", Attribute.ofInts(0, 0),
                "dilations", Attribute.ofInts(1, 1));
        for (long slopes : new long[] {4, 1}) {
            PlacedGraph graph = new Rewritten(DType.FLOAT32)
                    .input("x", 1, 4, 4, 3)
                    .constant("w", 1, 1, 3, 4)
                    .constant("s", slopes)
                    .node("Convolution", "x,w", "a", ones)
                    .node("PRelu", "a,s", "y", Map.of("per_channel", Attribute.of(false)))
                    .output("y")
                    .by(RULE);
            assertThat(Rewritten.names(graph)).containsExactly("a");
        }
        PlacedGraph alongRows = new Rewritten(DType.FLOAT32)
                .input("x", 1, 4, 4, 3)
                .constant("w", 1, 1, 3, 4)
                .constant("s", 4)
                .node("Convolution", "x,w", "a", ones)
                .node("PRelu", "a,s", "y", Map.of("per_channel", Attribute.of(true)))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(alongRows)).containsExactly("a", "y");
    }

    @Test
    void leavesWhatOthersUse() {
        assertThat(Rewritten.names(with("Relu", Map.of()).output("a").by(RULE))).containsExactly("a", "y");
        Rewritten twice = with("Relu", Map.of()).node("Neg", "a", "z").output("z");
        assertThat(Rewritten.names(twice.by(RULE))).containsExactlyInAnyOrder("a", "y", "z");
    }

    @Test
    void leavesASecondActivation() {
        Rewritten chain = Rewritten.convolution(DType.FLOAT32)
                .node("Relu", "a", "r")
                .node("Tanh", "r", "z")
                .output("z");
        assertThat(Rewritten.names(chain.by(RULE))).containsExactly("a", "z");
    }

    @Test
    void leavesIntegers() {
        assertThat(Rewritten.names(Rewritten.convolution(DType.INT8)
                        .node("Relu", "a", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
    }

    @Test
    void leavesNodesOfDifferentSides() {
        assertThat(Rewritten.names(with("Relu", Map.of()).onCpu("y").by(RULE))).containsExactly("a", "y");
        assertThat(Rewritten.names(with("Relu", Map.of()).onCpu("a").by(RULE))).containsExactly("a", "y");
        PlacedGraph both = with("Relu", Map.of()).onCpu("a").onCpu("y").by(RULE);
        assertThat(Rewritten.names(both)).containsExactly("a");
        assertThat(both.nodes().get(0).target()).isEqualTo(PlacedNode.Target.CPU);
        assertThat(both.nodes().get(0).reasons()).isEqualTo(List.of("forbidden"));
    }

    @Test
    void leavesBoundsThatCross() {
        Map<String, Attribute> crossed = Map.of("min", Attribute.of(1.0), "max", Attribute.of(-1.0));
        assertThat(Rewritten.names(with("Clip", crossed).by(RULE))).containsExactly("a", "y");
    }
}
