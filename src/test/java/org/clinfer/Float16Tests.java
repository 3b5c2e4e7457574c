package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Engines that compute in float16 what networks have in float32, beside one in float32; fresh memory of the device is full of NaN. */
@RequiresOpenCl
abstract class Float16Tests {

    /** Of the largest number of an output: a rounding is 2^-11 of a number, and the errors of several add up. */
    static final double BOUND = 0x1p-8;

    /** The places where networks run. */
    enum Where {
        CPU,
        PROCESSOR,
        CHAINED_PROCESSOR,
        GPU
    }

    static final EngineOptions OPTIONS =
            EngineOptions.defaults().withByCost(false).withPrecision(Precision.FLOAT16);
    static final Map<Where, Engine> ENGINES = new HashMap<>();
    static Engine reference = Engine.open(OPTIONS.withDevice(new DeviceChoice.Cpu()));

    @BeforeAll
    static void open() {
        EngineOptions cpu = OPTIONS.withDevice(new DeviceChoice.Cpu());
        reference = Engine.open(cpu.withPrecision(Precision.FLOAT32));
        ENGINES.put(Where.CPU, Engine.open(cpu));
        ENGINES.put(Where.PROCESSOR, poisoned());
        ENGINES.put(Where.CHAINED_PROCESSOR, Engine.open(OPTIONS.withDevice(new DeviceChoice.FirstOpenCl())));
        ENGINES.put(Where.GPU, gpu(OPTIONS));
    }

    static Engine poisoned() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        return Engine.open(
                OPTIONS.withDevice(new DeviceChoice.FirstOpenCl()).withChain(false),
                () -> OpenCl.over(SeparateBuffersClApi.over(counting.api(), true)));
    }

    static Engine gpu(EngineOptions options) {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        return Engine.open(
                options.withDevice(new DeviceChoice.FirstOpenCl()),
                () -> OpenCl.over(DeviceAnswers.gpu(8, SeparateBuffersClApi.over(counting.api(), true))));
    }

    @AfterAll
    static void close() {
        ENGINES.values().forEach(Engine::close);
        ENGINES.clear();
        reference.close();
    }

    static Engine engine(Where where) {
        return Objects.requireNonNull(ENGINES.get(where));
    }

    /** The outputs of a run, and where and in which precision each node was computed. */
    record Ran(Map<String, Tensor> outputs, Map<String, Placement.Entry> nodes) {

        Tensor output(String name) {
            return Objects.requireNonNull(outputs.get(name));
        }

        Precision precision(String node) {
            return Objects.requireNonNull(nodes.get(node)).precision().orElseThrow();
        }

        List<String> reasons(String node) {
            return Objects.requireNonNull(nodes.get(node)).reasons();
        }
    }

    static Ran run(Engine engine, Graph graph, Map<String, Tensor> inputs) {
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new HashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            Map<String, Placement.Entry> nodes = new HashMap<>();
            session.placement().nodes().forEach(entry -> nodes.put(entry.node(), entry));
            assertThat(session.recoveries()).isEmpty();
            return new Ran(outputs, nodes);
        }
    }

    /** Runs a network in float16, and in float32 to compare: types are the same, numbers within the bound. */
    static Ran close(Where where, Graph graph, Map<String, Tensor> inputs) {
        Ran expected = run(reference, graph, inputs);
        Ran actual = run(engine(where), graph, inputs);
        expected.outputs().forEach((name, tensor) -> {
            assertThat(actual.output(name).type()).isEqualTo(tensor.type());
            assertThat(error(tensor, actual.output(name)))
                    .as("%s of %s", name, graph.nodes())
                    .isLessThanOrEqualTo(BOUND);
        });
        return actual;
    }

    /** The largest difference of two elements by the largest number of the output; NaN or infinite where one of them is not finite and the other is. */
    static double error(Tensor expected, Tensor actual) {
        double[] one = expected.toDoubleArray();
        double[] other = actual.toDoubleArray();
        double largest = Arrays.stream(one).map(Math::abs).max().orElse(0);
        double error = 0;
        for (int i = 0; i < one.length; i++) {
            error = Math.max(error, one[i] == other[i] ? 0 : Math.abs(one[i] - other[i]));
        }
        return error == 0 ? 0 : error / largest;
    }

    static void equal(Where where, Graph graph, Map<String, Tensor> inputs) {
        Ran expected = run(reference, graph, inputs);
        Ran actual = run(engine(where), graph, inputs);
        expected.outputs().forEach((name, tensor) -> {
            assertThat(actual.output(name).type()).isEqualTo(tensor.type());
            assertThat(actual.output(name).toDoubleArray()).as(name).isEqualTo(tensor.toDoubleArray());
        });
    }

    static Graph net(UnaryOperator<Ops> nodes) {
        return nodes.apply(Ops.graph("net")).build();
    }

    static Edge input(Ops ops, long... sizes) {
        return ops.input("x", TensorType.of(DType.FLOAT32, sizes));
    }

    static Tensor scaled(Tensor numbers, double factor) {
        for (long i = 0; i < numbers.elements(); i++) {
            numbers.setDouble(i, numbers.getDouble(i) * factor);
        }
        return numbers;
    }

    static Tensor floats(double... values) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, values.length);
        tensor.setDoubles(values);
        return tensor;
    }
}
