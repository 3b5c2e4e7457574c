package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.openvino.IrNet.random;
import static org.clinfer.importer.openvino.IrNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of each element, against their formulas. */
class OpenVinoActivationLayersTest {

    @TempDir
    Path folder;

    private static Arguments function(String type, String attributes, DoubleUnaryOperator wanted, float... more) {
        return Arguments.of(type, attributes, more, wanted);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                function("Abs", "", Math::abs),
                function("Ceiling", "", Math::ceil),
                function("Cos", "", Math::cos),
                function("Exp", "", Math::exp),
                function("Floor", "", Math::floor),
                function("Negative", "", x -> -x),
                function("Sin", "", Math::sin),
                function("Tanh", "", Math::tanh),
                function("Atan:opset3", "", Math::atan),
                function("ReLU", "", x -> Math.max(x, 0)),
                function("Sigmoid", "", OpenVinoActivationLayersTest::sigmoid),
                function("SoftPlus:opset4", "", x -> Math.log1p(Math.exp(x))),
                function("HSwish:opset4", "", x -> x * Math.min(6, Math.max(0, x + 3)) / 6),
                function("HSigmoid:opset5", "", x -> Math.min(6, Math.max(0, x + 3)) / 6),
                function("Mish:opset4", "", x -> x * Math.tanh(Math.log1p(Math.exp(x)))),
                function("Swish:opset4", "", x -> x * sigmoid(x)),
                function("Swish:opset4", "", x -> x * sigmoid(1.5 * x), 1.5f),
                function("Clamp", "min=-1 max=0.5", x -> Math.min(0.5, Math.max(-1, x))),
                function("Elu", "alpha=2", x -> x < 0 ? 2 * Math.expm1(x) : x),
                function("Selu", "", x -> 1.5 * (x < 0 ? 2 * Math.expm1(x) : x), 2, 1.5f),
                function("HardSigmoid", "", x -> Math.min(1, Math.max(0, 0.25 * x + 0.4)), 0.25f, 0.4f),
                function("PReLU", "", x -> x < 0 ? x / 4 : x, 0.25f),
                function("Round:opset5", "mode=half_to_even", Math::rint),
                function(
                        "Gelu:opset7",
                        "approximation_mode=TANH",
                        x -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void functionsOfEachElement(String type, String attributes, float[] more, DoubleUnaryOperator wanted)
            throws IOException {
        IrNet net = new IrNet();
        Out[] inputs = new Out[1 + more.length];
        inputs[0] = net.parameter("f32", "1,2,3,5");
        for (int i = 0; i < more.length; i++) {
            inputs[i + 1] = type.equals("PReLU") ? net.floats("1", more[i]) : net.floats("", more[i]);
        }
        net.results(net.add(type, attributes, "f32:1,2,3,5", inputs));
        Tensor x = random(1, 1, 2, 3, 5);
        same(net.run(folder, x), Arrays.stream(x.toDoubleArray()).map(wanted).toArray());
    }

    @Test
    void slopesOfChannels() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,2");
        net.results(net.add("PReLU", "", "f32:1,2,2", x, net.floats("2", 2, 10)));
        same(net.run(folder, IrNet.of(new float[] {-1, 1, -1, 2}, 1, 2, 2)), -2, 1, -10, 2);
    }

    @Test
    void otherTypes() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "4");
        Out whole = net.add("Convert", "destination_type=i32", "i32:4", x);
        Out like = net.add("ConvertLike:opset8", "", "f32:4", whole, x);
        net.results(whole, net.add("Add", "auto_broadcast=numpy", "f32:4", like, net.floats("", 0.5f)));
        Tensor given = IrNet.of(new float[] {-1.5f, 0.25f, 2, 3.75f}, 4);
        same(net.runAll(folder, given).get(1), -0.5, 0.5, 2.5, 3.5);
        assertThat(net.runAll(folder, given).get(0).dtype()).isEqualTo(DType.INT32);
    }

    /** Weights in half the bits are constants all the same. */
    @Test
    void weightsThatAreKeptAsFloat16() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2");
        Out wide = net.add("Convert", "destination_type=f32", "f32:2", net.halves("2", 0x3c00, 0x4000));
        net.results(net.add("Multiply", "", "f32:2", x, wide));
        same(net.run(folder, IrNet.of(new float[] {3, 5}, 2)), 3, 10);
    }

    @Test
    void whatIsNotTaken() throws IOException {
        IrNet round = new IrNet();
        round.results(round.add("Round:opset5", "mode=half_away_from_zero", "f32:2", round.parameter("f32", "2")));
        round.refused(folder, "Round with mode='half_away_from_zero'");
        IrNet unknown = new IrNet();
        unknown.results(unknown.add("Sigmoid", "colour=red", "f32:2", unknown.parameter("f32", "2")));
        unknown.refused(folder, "Sigmoid with colour='red'");
    }
}
