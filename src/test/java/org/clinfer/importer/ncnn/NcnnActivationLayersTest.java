package org.clinfer.importer.ncnn;

import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.sigmoid;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of each element, against their formulas. */
class NcnnActivationLayersTest {

    @TempDir
    Path folder;

    private static Arguments function(String type, String params, DoubleUnaryOperator wanted) {
        return Arguments.of(type, params, wanted);
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                function("AbsVal", "", Math::abs),
                function("BNLL", "", x -> Math.log1p(Math.exp(x))),
                function("Softplus", "", x -> Math.log1p(Math.exp(x))),
                function("Sigmoid", "", NcnnNet::sigmoid),
                function("TanH", "", Math::tanh),
                function("Swish", "", x -> x * sigmoid(x)),
                function("Mish", "", x -> x * Math.tanh(Math.log1p(Math.exp(x)))),
                function("ReLU", "", x -> Math.max(x, 0)),
                function("ReLU", "0=0.25", x -> x < 0 ? x / 4 : x),
                function("ELU", "", x -> x < 0 ? 0.1 * Math.expm1(x) : x),
                function("ELU", "0=2.0", x -> x < 0 ? 2 * Math.expm1(x) : x),
                function("SELU", "0=2.0 1=1.5", x -> 1.5 * (x < 0 ? 2 * Math.expm1(x) : x)),
                function("HardSigmoid", "", x -> Math.min(1, Math.max(0, 0.2 * x + 0.5))),
                function("HardSwish", "0=0.25 1=0.4", x -> x * Math.min(1, Math.max(0, 0.25 * x + 0.4))),
                function("HardSwish", "0=1.666667e-01 1=0.5", x -> x * Math.min(1, Math.max(0, x / 6 + 0.5))),
                function(
                        "GELU",
                        "0=1",
                        x -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))),
                function("CELU", "", x -> x < 0 ? Math.expm1(x) : x),
                function("CELU", "0=2.0", x -> x < 0 ? 2 * Math.expm1(x / 2) : x),
                function("DeepCopy", "", x -> x),
                function("Shrink", "", x -> Math.abs(x) > 0.5 ? x : 0),
                function("Shrink", "0=0.25 1=0.3", x -> Math.abs(x) > 0.3 ? x - 0.25 * Math.signum(x) : 0),
                function("Clip", "0=-1.0 1=0.5", x -> Math.min(0.5, Math.max(-1, x))),
                function("Clip", "0=0.0 1=6.0", x -> Math.min(6, Math.max(0, x))),
                function("Clip", "1=0.5", x -> Math.min(0.5, x)),
                function("Threshold", "0=0.3", x -> x > 0.3 ? 1 : 0),
                function("Power", "0=2.0 1=3.0 2=1.0", x -> (3 * x + 1) * (3 * x + 1)),
                function("Exp", "1=0.5 2=0.1", x -> Math.exp(0.5 * x + 0.1)),
                function("Exp", "0=2.0 1=0.5", x -> Math.pow(2, 0.5 * x)),
                function("Log", "0=10.0 2=5.0", x -> Math.log10(x + 5)),
                function("Dropout", "0=0.5", x -> x / 2),
                function("Noop", "", x -> x),
                function("BinaryOp", "0=7 1=1 2=3.0", x -> 3 - x),
                function("BinaryOp", "0=8 1=1 2=3.0", x -> 3 / x),
                function("BinaryOp", "0=4 1=1 2=0.5", x -> Math.max(x, 0.5)),
                function("UnaryOp", "0=1", x -> -x),
                function("UnaryOp", "0=2", Math::floor),
                function("UnaryOp", "0=3", Math::ceil),
                function("UnaryOp", "0=4", x -> x * x),
                function("UnaryOp", "0=9", Math::sin),
                function("UnaryOp", "0=14", Math::atan),
                function("UnaryOp", "0=15", x -> 1 / x),
                function("UnaryOp", "0=16", Math::tanh));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void functionsOfEachElement(String type, String params, DoubleUnaryOperator wanted) throws IOException {
        float[] x = random(1, 30);
        Tensor y = NcnnNet.of(5, 3, 2).layer(type, params).run(folder, x, 1, 2, 3, 5);
        double[] expected = new double[30];
        for (int i = 0; i < 30; i++) {
            expected[i] = wanted.applyAsDouble(x[i]);
        }
        same(y, expected);
    }
}
