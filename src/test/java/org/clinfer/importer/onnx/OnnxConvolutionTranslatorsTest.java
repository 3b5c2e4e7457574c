package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.graph.Attribute.ofInts;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxConvolutionTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel conv2d() {
        return TestModel.opset(11)
                .input("x", 1, 4, 9, 7)
                .floats("w", 6, 2, 3, 5)
                .floats("b", 6)
                .output("y");
    }

    @Test
    void conv2dTurnsPadsIntoBeginAndEndOfEachAxis() {
        Node node = conv2d().node(
                        "Conv",
                        "x,w,b",
                        "y",
                        integer("group", 2),
                        ints("kernel_shape", 3, 5),
                        ints("pads", 1, 2, 3, 4),
                        ints("strides", 2, 1),
                        ints("dilations", 1, 2))
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Conv2d");
        assertThat(node.name()).isEqualTo("conv");
        assertThat(node.inputs()).containsExactly("x", "w", "b");
        assertThat(node.source()).hasToString("test.onnx: node 0 'conv' (Conv)");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "group", Attribute.of(2),
                        "kernel_size", ofInts(3, 5),
                        "padding", ofInts(1, 3, 2, 4),
                        "pad_mode", Attribute.of("PADDING"),
                        "strides", ofInts(2, 1),
                        "dilation", ofInts(1, 2)));
    }

    @ParameterizedTest
    @CsvSource({"NOTSET,PADDING", "SAME_UPPER,SAME", "SAME_LOWER,SAME_LOWER", "VALID,VALID"})
    void autoPad(String onnx, String expected) {
        Node node = conv2d().node("Conv", "x,w", "y", text("auto_pad", onnx)).readNode(folder);

        assertThat(node.inputs()).containsExactly("x", "w");
        assertThat(node.params()).isEqualTo(Map.of("group", Attribute.of(1), "pad_mode", Attribute.of(expected)));
    }

    @Test
    void autoPadBesidePadsIsMalformed() {
        TestModel model = conv2d().node("Conv", "x,w", "y", text("auto_pad", "SAME_UPPER"), ints("pads", 0, 1, 0, 0));

        assertThatThrownBy(() -> model.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("node 0 'conv' (Conv)")
                .hasMessageContaining("auto_pad is SAME_UPPER, but pads are given too");
    }

    @Test
    void kernelShapeMustBeThatOfTheWeights() {
        TestModel model = conv2d().node("Conv", "x,w", "y", ints("kernel_shape", 5, 5));

        assertThatThrownBy(() -> model.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("kernel_shape is [5, 5], but the weights are 6x2x3x5");
    }

    @Test
    void oneAndThreeAxesAreConvolution() {
        Node one = TestModel.opset(1)
                .input("x", 1, 4, 9)
                .floats("w", 6, 4, 3)
                .node("Conv", "x,w", "y", ints("pads", 1, 2))
                .output("y")
                .readNode(folder);
        Node three = TestModel.opset(22)
                .input("x", 1, 4, 9, 8, 7)
                .floats("w", 6, 4, 3, 3, 3)
                .node("Conv", "x,w", "y", text("auto_pad", "SAME_LOWER"), ints("strides", 2, 1, 3))
                .output("y")
                .readNode(folder);

        assertThat(one.op()).isEqualTo("Convolution");
        assertThat(one.params())
                .isEqualTo(Map.of(
                        "data_format", Attribute.of("NCX"),
                        "weights_format", Attribute.of("OIX"),
                        "groups", Attribute.of(1),
                        "strides", ofInts(1),
                        "dilations", ofInts(1),
                        "auto_pad", Attribute.of("none"),
                        "pads_begin", ofInts(1),
                        "pads_end", ofInts(2)));
        assertThat(three.op()).isEqualTo("Convolution");
        assertThat(three.params())
                .containsEntry("auto_pad", Attribute.of("same_lower"))
                .containsEntry("strides", ofInts(2, 1, 3))
                .containsEntry("pads_end", ofInts(0, 0, 0));
    }

    @Test
    void weightsWithoutAShapeHaveTheAxesOfTheKernel() {
        TestModel model = TestModel.opset(11)
                .node("Conv", "x,w", "y", ints("kernel_shape", 3, 3))
                .output("y");
        model.graph().addInput(withoutShape("x")).addInput(withoutShape("w"));

        assertThat(model.readNode(folder).op()).isEqualTo("Conv2d");
    }

    @Test
    void weightsOfUnknownRankAreRefused() {
        TestModel model = TestModel.opset(11).node("Conv", "x,w", "y").output("y");
        model.graph().addInput(withoutShape("x")).addInput(withoutShape("w"));

        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("Conv");
    }

    private static ValueInfoProto.Builder withoutShape(String name) {
        ValueInfoProto.Builder info = TestModel.info(name, TestModel.FLOAT);
        info.getTypeBuilder().getTensorTypeBuilder().clearShape();
        return info;
    }

    @Test
    void fourSpatialAxesAreRefused() {
        TestModel model = TestModel.opset(11)
                .input("x", 1, 1, 2, 2, 2, 2)
                .floats("w", 1, 1, 1, 1, 1, 1)
                .node("Conv", "x,w", "y")
                .output("y");

        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo("operator Conv with 4 spatial axes"));
    }

    @Test
    void transposedConvolution() {
        Node node = TestModel.opset(11)
                .input("x", 1, 4, 9, 7)
                .floats("w", 4, 3, 3, 3)
                .node(
                        "ConvTranspose",
                        "x,w",
                        "y",
                        ints("pads", 0, 1, 2, 3),
                        ints("strides", 2, 2),
                        ints("output_padding", 1, 0))
                .output("y")
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Conv2dTranspose");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "group", Attribute.of(1),
                        "padding", ofInts(0, 2, 1, 3),
                        "pad_mode", Attribute.of("PADDING"),
                        "strides", ofInts(2, 2),
                        "output_padding", ofInts(1, 0)));
    }

    @Test
    void outputShapeGetsBatchAndChannelsAndStandsAbovePads() {
        Node node = TestModel.opset(11)
                .input("x", 5, 4, 9)
                .floats("w", 4, 3, 3)
                .node("Relu", "x", "r")
                .node(
                        "ConvTranspose",
                        "r,w",
                        "y",
                        ints("output_shape", 20),
                        ints("pads", 1, 1),
                        integer("group", 2),
                        ints("strides", 2))
                .output("y")
                .readNode(folder);

        assertThat(node.op()).isEqualTo("ConvTranspose");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "group", Attribute.of(2),
                        "output_shape", ofInts(5, 6, 20),
                        "pad_mode", Attribute.of("PADDING"),
                        "strides", ofInts(2)));
    }

    @Test
    void outputShapeMayAlreadyHaveBatchAndChannels() {
        Node node = TestModel.opset(11)
                .input("x", 5, 4, 9)
                .floats("w", 4, 3, 3)
                .node("ConvTranspose", "x,w", "y", ints("output_shape", -1, 3, 20), text("auto_pad", "SAME_LOWER"))
                .output("y")
                .readNode(folder);

        assertThat(node.params())
                .containsEntry("output_shape", ofInts(5, 3, 20))
                .containsEntry("pad_mode", Attribute.of("PADDING"));
    }

    @Test
    void outputShapeWithANamedBatch() {
        TestModel model = TestModel.opset(11)
                .input("x", 5, 4, 9)
                .floats("w", 4, 3, 3)
                .node("ConvTranspose", "x,w", "y", ints("output_shape", 20))
                .output("y");
        model.graph()
                .getInputBuilder(0)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .getShapeBuilder()
                .getDimBuilder(0)
                .setDimParam("batch");

        assertThat(model.readNode(folder).params()).containsEntry("output_shape", ofInts(-1, 3, 20));
    }

    /** Elements that no input reaches are at the end, whatever the mode. */
    @ParameterizedTest
    @ValueSource(strings = {"SAME_UPPER", "SAME_LOWER", "NOTSET"})
    void outputShapeBeyondTheFullResult(String mode) {
        TestModel model = TestModel.opset(11)
                .input("x", 1, 1, 2)
                .floats("w", 1, 1, 3)
                .node("ConvTranspose", "x,w", "y", ints("output_shape", 6), ints("strides", 2), text("auto_pad", mode))
                .output("y");
        assertThat(model.readNode(folder).params())
                .containsEntry("output_shape", ofInts(1, 1, 6))
                .containsEntry("pad_mode", Attribute.of("PADDING"));
    }

    /** The mode says only where an odd pixel of padding is. */
    @ParameterizedTest
    @CsvSource({"SAME_UPPER, 1 12 120 1200", "SAME_LOWER, 12 120 1200 2000", "NOTSET, 12 120 1200 2000"})
    void outputShapeAndPaddingMode(String mode, String wanted) {
        TestModel model = TestModel.opset(11)
                .input("x", 1, 1, 2)
                .reals("flat", 1, 10, 100, 1000)
                .longs("sizes", 1, 1, 4)
                .node("Reshape", "flat,sizes", "w")
                .node("ConvTranspose", "x,w", "y", ints("output_shape", 4), text("auto_pad", mode))
                .output("y");
        Tensor x = Tensor.of(new float[] {1, 2}, 1, 1, 2);
        for (DeviceChoice device : List.of(new DeviceChoice.Cpu(), new DeviceChoice.Auto())) {
            try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                    Model loaded = engine.load(model.write(folder));
                    Session session = loaded.session();
                    Result result = session.run(Map.of("x", x))) {
                assertThat(result.get("y").toLongArray())
                        .containsExactly(Stream.of(wanted.split(" ", -1))
                                .mapToLong(Long::parseLong)
                                .toArray());
            }
        }
    }
}
