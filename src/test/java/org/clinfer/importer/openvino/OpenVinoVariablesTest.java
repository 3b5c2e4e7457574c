package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.IoBinding;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables are inputs, which may be left out where their first value is known, and outputs. */
class OpenVinoVariablesTest {

    @TempDir
    Path folder;

    /** A running total, twice what it was and the input. */
    private static IrNet total(String read, String attributes, Out... first) {
        IrNet net = new IrNet();
        return total(net, read, attributes, first);
    }

    private static IrNet total(IrNet net, String read, String attributes, Out... first) {
        Out x = net.parameter("f32", "2");
        Out before = net.add(read, attributes, "f32:2", first);
        Out twice = net.add("Add", "auto_broadcast=numpy", "f32:2", before, before);
        Out after = net.add("Add", "auto_broadcast=numpy", "f32:2", twice, x);
        net.layer("Assign:opset6", "variable_id=total", List.of(after), "f32:2");
        return net.results(net.add("Negative", "", "f32:2", after));
    }

    private static Tensor value(Result result, String name) {
        return Objects.requireNonNull(result.outputs().get(name));
    }

    private void runs(IrNet net, double... first) throws IOException {
        Path file = net.write(folder);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(engine.read(file));
                Session session = model.session()) {
            Graph graph = model.graph();
            assertThat(graph.inputs()).hasSize(1);
            assertThat(graph.defaults()).extracting(Graph.Input::name).containsExactly("total");
            assertThat(graph.outputs()).last().isEqualTo("total_last");
            String x = graph.inputs().get(0).name();
            try (Result result = session.run(Map.of(x, IrNet.of(new float[] {3, 4}, 2)))) {
                assertThat(value(result, "total_last").toDoubleArray())
                        .containsExactly(2 * first[0] + 3, 2 * first[1] + 4);
            }
            try (IoBinding binding = session.bind()) {
                binding.carry("total_last", "total");
                binding.set("total", IrNet.of(new float[] {1, 0}, 2));
                binding.run(Map.of(x, IrNet.of(new float[] {3, 4}, 2))).close();
                try (Result result = binding.run(Map.of(x, IrNet.of(new float[] {1, 1}, 2)))) {
                    assertThat(result.outputs().values())
                            .anySatisfy(y -> assertThat(y.toDoubleArray()).containsExactly(-11, -9));
                }
            }
        }
    }

    @Test
    void theFirstValueIsAConstant() throws IOException {
        IrNet net = new IrNet();
        Out first = net.floats("2", 5, 6);
        runs(total(net, "ReadValue:opset3", "variable_id=total", first), 5, 6);
    }

    @Test
    void withoutAFirstValueItIsZeros() throws IOException {
        runs(total("ReadValue:opset6", "variable_id=total variable_type=f32 variable_shape=2"), 0, 0);
    }

    @Test
    void aComputedFirstValueIsAnInput() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "?,3");
        Out first = net.add("Exp", "", "f32:?,3", x);
        String attributes = "variable_id=cache variable_type=f32 variable_shape=?,3";
        Out before = net.add("ReadValue:opset6", attributes, "f32:?,3", first);
        Out after = net.add("Concat", "axis=0", "f32:?,3", before, x);
        net.layer("Assign:opset6", "variable_id=cache", List.of(after), "f32:?,3");
        net.results(net.add("ReduceSum", "keep_dims=false", "f32:3", after, net.longs(0)));
        Tensor row = IrNet.of(new float[] {1, 2, 3}, 1, 3);
        Tensor kept = IrNet.of(new float[] {4, 5, 6, 7, 8, 9}, 2, 3);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            List<Tensor> results = IrNet.run(engine, net.write(folder), row, kept);
            assertThat(results.get(0).toDoubleArray()).containsExactly(12, 15, 18);
            assertThat(results.get(1).toDoubleArray()).containsExactly(4, 5, 6, 7, 8, 9, 1, 2, 3);
        }
    }

    @Test
    void aVariableThatIsAssignedTwiceIsRefused() throws IOException {
        IrNet net = total("ReadValue:opset6", "variable_id=total variable_type=f32 variable_shape=2");
        net.layer("Assign:opset6", "variable_id=total", List.of(net.floats("2", 1, 2)), "f32:2");
        net.refused(folder, "the variable 'total' is assigned twice");
    }

    @Test
    void otherTypesAndAttributesAreRefused() throws IOException {
        total("ReadValue:opset6", "variable_id=total variable_type=f16 variable_shape=2")
                .refused(folder, "variable_type");
        total("ReadValue:opset6", "variable_id=total foreign=1 variable_type=f32 variable_shape=2")
                .refused(folder, "foreign");
        total("ReadValue:opset6", "variable_type=f32 variable_shape=2").refused(folder, "variable_id");
    }

    @Test
    void aVariableOfABodyIsRefused() throws IOException {
        IrNet net = new IrNet();
        Out condition = net.bytes("boolean", "", 1);
        IrNet then = net.inner();
        then.results(then.add("ReadValue:opset6", "variable_id=v variable_type=f32 variable_shape=2", "f32:2"));
        IrNet otherwise = net.inner();
        otherwise.results(otherwise.floats("2", 1, 2));
        String bodies = then.body("then_body") + otherwise.body("else_body");
        String maps = "<then_port_map><output external_port_id=\"1\" internal_layer_id=\"1\"/></then_port_map>"
                + "<else_port_map><output external_port_id=\"1\" internal_layer_id=\"1\"/></else_port_map>";
        net.results(net.layer("If:opset8", "", maps + bodies, List.of(condition), "f32:2")
                .get(0));
        net.refused(folder, "a variable in a network that a layer runs");
    }
}
