package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.errors.InputException;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Inputs that do not fit the model, and outputs it does not have. */
class SessionInputsTest {

    private final Engine engine = Engine.open(
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(1));

    @AfterEach
    void close() {
        engine.close();
    }

    private static void refuses(Session session, Map<String, Tensor> inputs, String message) {
        assertThatThrownBy(() -> session.run(inputs))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void saysWhichInputIsWrong() {
        try (Session session = engine.load(TestGraphs.rectifier(5)).session()) {
            Tensor x = TestGraphs.numbers(1, 2, 5);
            refuses(session, Map.of(), "input 'x' (batchx5:float32) is missing; given are []");
            refuses(session, Map.of("z", x), "input 'x' (batchx5:float32) is missing; given are [z]");
            refuses(session, Map.of("x", x, "z", x), "the model has no input 'z'; it has [x]");
            for (TensorType wrong : List.of(
                    TensorType.of(DType.FLOAT64, 2, 5),
                    TensorType.of(DType.FLOAT32, 2, 6),
                    TensorType.of(DType.FLOAT32, 5),
                    TensorType.of(DType.FLOAT32, 2, 5, 1))) {
                refuses(
                        session,
                        Map.of("x", Tensor.allocate(wrong)),
                        "input 'x' must be batchx5:float32, but is " + wrong);
            }
            assertThat(session.run(Map.of("x", x)).get("y").toFloatArray())
                    .isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    @Test
    void equalNamesMeanEqualSizes() {
        TensorType named = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"))));
        Ops ops = Ops.graph("net");
        ops.output("y", ops.add(ops.input("a", named), ops.input("b", named)));
        try (Session session = engine.load(ops.build()).session()) {
            refuses(
                    session,
                    Map.of("a", TestGraphs.numbers(1, 4), "b", TestGraphs.numbers(1, 5)),
                    "input 'b' must be n:float32, but is 5:float32; n is 4 before, and 5 here");
        }
    }

    @Test
    void aDeclaredScalarTakesAnyShape() {
        Ops ops = Ops.graph("net");
        ops.output("y", ops.neg(ops.input("x", new TensorType(DType.FLOAT32, Shape.SCALAR))));
        try (Session session = engine.load(ops.build()).session()) {
            Tensor x = TestGraphs.numbers(1, 2, 3);
            assertThat(session.run(Map.of("x", x)).get("y").shape()).isEqualTo(Shape.of(2, 3));
        }
    }

    @Test
    void knowsItsOutputs() {
        try (Session session = engine.load(TestGraphs.rectifier(5)).session()) {
            Result result = session.run(Map.of("x", TestGraphs.numbers(1, 2, 5)));
            assertThatThrownBy(() -> result.get("z"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no output 'z'; there are [y]");
        }
    }
}
