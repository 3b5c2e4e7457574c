package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators that exist only as descriptions and kernels in a folder. */
class UserOperatorTest {

    private static final String SCALED_SUM = """
            {"ops": [
              {"optype": "ScaledSum", "author": "me", "arch": "none", "doc": "x + factor * weights",
               "tensors_in": [
                 {"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["float32", "int8"]},
                 {"arg_name": "weights", "mtype": "LN_MEM_NONE", "sametype": "x"}],
               "params": [
                 {"arg_name": "factor", "ptype": "LN_PARAM_STRING", "realtype": "int", "one_of": ["ONCE", "TWICE"],
                  "from_func": "1 + index_of(['ONCE', 'TWICE'], value)", "default": "TWICE", "le": 2}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims",
                  "custom": "y.len == x.len"}]},
              {"optype": "ScaledSum_packed", "author": "me", "arch": "opencl", "inherits": "ScaledSum",
               "variant": "packed",
               "tensors_in": [{"arg_name": "x", "dtype": ["float32"]}],
               "tensors_out": [
                 {"arg_name": "packed", "mtype": "LN_MEM_OPENCL", "dtype": "x.dtype", "dims": "weights.dims",
                  "static": true},
                 {"arg_name": "passing", "mtype": "LN_MEM_OPENCL", "dtype": "float32", "dims": ["x.len"]}],
               "static_run": [{"kernel": "sum.cl#pack", "args": {"weights": "weights", "packed": "packed",
                  "factor": "factor"}, "global": ["weights.len"]}],
               "run": [
                 {"kernel": "sum.cl#negate", "args": {"x": "x", "y": "passing"}, "global": ["x.len"]},
                 {"kernel": "sum.cl#add_packed", "args": {"x": "passing", "packed": "packed", "y": "y",
                  "width": "weights.len"}, "global": ["x.len"]}],
               "post_run": [{"kernel": "sum.cl#wipe", "args": {"packed": "packed"}, "global": ["packed.len"]}]},
              {"optype": "ScaledSum_elements", "author": "me", "arch": "cpu", "inherits": "ScaledSum",
               "variant": "elements",
               "run": [{"tensor": "y", "value": "element(x, at) + factor * element(weights, at)"}]}]}
            """;

    private static final String KERNELS = """
            #include "common/element.h"
            __kernel void pack(__global const float *weights, __global float *packed, const int factor) {
                packed[get_global_id(0)] = factor * weights[get_global_id(0)];
            }
            __kernel void negate(__global const float *x, __global float *y) {
                y[get_global_id(0)] = -x[get_global_id(0)];
            }
            __kernel void add_packed(__global const float *x, __global const float *packed, __global float *y,
                                     const int width) {
                y[get_global_id(0)] = packed[get_global_id(0) % width] - x[get_global_id(0)];
            }
            __kernel void wipe(__global float *packed) {
                packed[get_global_id(0)] = 0;
            }
            """;

    private static final String HALF_RELU = """
            {"ops": [
              {"optype": "HalfRelu", "author": "me", "arch": "none", "doc": "Relu of x / 2, summed with itself if asked",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["floating"]}],
               "params": [{"arg_name": "twice", "ptype": "LN_PARAM_BOOL", "default": false}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "HalfRelu_composed", "author": "me", "arch": "graph", "inherits": "HalfRelu",
               "variant": "composed",
               "ops": [
                 {"name": "half", "optype": "Const", "tensors_out": [{"arg_name": "y", "name": "half"}],
                  "params": [{"arg_name": "dtype", "value": "x.dtype"}, {"arg_name": "dims", "value": "[1]"},
                             {"arg_name": "data", "value": "twice ? 1.0 : 0.5"}]},
                 {"name": "relu", "optype": "Relu", "tensors_in": [{"arg_name": "x", "name": "x"}],
                  "tensors_out": [{"arg_name": "y", "name": "positive"}]},
                 {"name": "mul", "optype": "Mul",
                  "tensors_in": [{"arg_name": "a", "name": "positive"}, {"arg_name": "b", "name": "half"}],
                  "tensors_out": [{"arg_name": "y", "name": "y"}]}]}]}
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void describe() throws IOException {
        describe(folder);
    }

    /** Writes the descriptions and kernels of ScaledSum and HalfRelu. */
    static void describe(Path folder) throws IOException {
        Files.writeString(folder.resolve("scaled_sum.json"), SCALED_SUM);
        Files.writeString(folder.resolve("half_relu.json"), HALF_RELU);
        Files.writeString(folder.resolve("sum.cl"), KERNELS);
    }

    private EngineOptions options(DeviceChoice device) {
        return EngineOptions.defaults().withDevice(device).withOperators(List.of(folder));
    }

    private static Graph graph(DType dtype, Function<GraphBuilder, GraphBuilder> nodes) {
        return nodes.apply(TestGraphs.builder().input("x", dtype, 2, 3))
                .output("y")
                .build();
    }

    static Graph scaledSum(DType dtype, String factor) {
        Tensor weights = Tensor.allocate(dtype, 3);
        for (int i = 0; i < 3; i++) {
            weights.setDouble(i, 10 * (i + 1));
        }
        return graph(
                dtype,
                builder -> builder.constant("w", weights)
                        .node("ScaledSum", List.of("x", "w"), List.of("y"), Map.of("factor", Attribute.of(factor))));
    }

    static void check(Session session, Tensor x, double... expected) {
        try (Result result = session.run(Map.of("x", x))) {
            for (int i = 0; i < expected.length; i++) {
                assertThat(result.get("y").getDouble(i)).isEqualTo(expected[i]);
            }
        }
    }

    @Test
    void theCpuComputesElementsByExpressions() {
        try (Engine engine = Engine.open(options(new DeviceChoice.Cpu()));
                Model model = engine.load(scaledSum(DType.FLOAT32, "TWICE"));
                Session session = model.session()) {
            check(session, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3), 21, 42, 63, 24, 45, 66);
        }
    }

    @Test
    void integersSaturate() {
        try (Engine engine = Engine.open(options(new DeviceChoice.Cpu()));
                Model model = engine.load(scaledSum(DType.INT8, "ONCE"));
                Session session = model.session()) {
            Tensor x = Tensor.allocate(DType.INT8, 2, 3);
            x.setLong(0, 120);
            x.setLong(1, -128);
            check(session, x, 127, -108, 30, 10, 20, 30);
        }
    }

    @Test
    @RequiresOpenCl
    void kernelsOfAllPhasesRunWhenTheyShould() {
        LaunchLog log = new LaunchLog(CountingClApi.over(ClBinding.LWJGL).api());
        try (Engine engine = Engine.open(options(new DeviceChoice.FirstOpenCl()), () -> OpenCl.over(log.api()));
                Model model = engine.load(scaledSum(DType.FLOAT32, "TWICE"))) {
            try (Session session = model.session();
                    Session second = model.session()) {
                check(session, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3), 21, 42, 63, 24, 45, 66);
                assertThat(log.take()).containsExactly("pack", "negate", "add_packed");
                check(session, Tensor.of(new float[] {0, 0, 0, 0, 0, 0}, 2, 3), 20, 40, 60, 20, 40, 60);
                check(second, Tensor.of(new float[] {1, 1, 1, 1, 1, 1}, 2, 3), 21, 41, 61, 21, 41, 61);
                assertThat(log.take()).containsExactly("negate", "add_packed", "negate", "add_packed");
                assertThat(session.placement().nodes().get(0).variant()).isEqualTo("packed");
            }
            assertThat(log.take()).isEmpty();
        }
        assertThat(log.take()).containsExactly("wipe");
    }

    @Test
    @RequiresOpenCl
    void whatNoKernelTakesIsComputedByExpressionsOnTheCpu() {
        try (Engine engine = Engine.open(options(new DeviceChoice.FirstOpenCl()));
                Model model = engine.load(scaledSum(DType.INT8, "TWICE"));
                Session session = model.session()) {
            check(session, Tensor.allocate(DType.INT8, 2, 3), 20, 40, 60, 20, 40, 60);
            assertThat(session.placement().nodes().get(0).reasons())
                    .containsExactly("packed: x: expected dtype float32, found int8");
        }
    }

    @Test
    void staticRunNeedsConstants() {
        Graph graph = TestGraphs.builder()
                .input("x", DType.FLOAT32, 2, 3)
                .input("w", DType.FLOAT32, 3)
                .node("ScaledSum", List.of("x", "w"), List.of("y"), Map.of())
                .output("y")
                .build();
        try (Engine engine = Engine.open(options(new DeviceChoice.Auto()));
                Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(
                        Map.of("x", Tensor.allocate(DType.FLOAT32, 2, 3), "w", Tensor.of(new float[] {1, 2, 3}, 3)))) {
            assertThat(result.get("y").toFloatArray()).containsExactly(2, 4, 6, 2, 4, 6);
            if (engine.device().isPresent()) {
                assertThat(session.placement().nodes().get(0).reasons())
                        .containsExactly(
                                "packed: static_run: 'weights' of pack is neither a constant nor a static tensor"
                                        + " of the variant");
            }
        }
    }

    @Test
    void composedOperatorsBecomeTheirParts() {
        try (Engine engine = Engine.open(options(new DeviceChoice.Auto()));
                Model model = engine.load(graph(
                        DType.FLOAT32, builder -> builder.node("HalfRelu", List.of("x"), List.of("y"), Map.of())));
                Session session = model.session()) {
            check(session, Tensor.of(new float[] {1, -2, 3, -4, 5, 6}, 2, 3), 0.5, 0, 1.5, 0, 2.5, 3);
            assertThat(session.placement().nodes())
                    .extracting(Placement.Entry::op)
                    .containsExactly("Relu", "Mul");
        }
    }

    @Test
    void aMistakeInTheUseNamesOperatorAndArgument() {
        try (Engine engine = Engine.open(options(new DeviceChoice.Cpu()));
                Model model = engine.load(scaledSum(DType.FLOAT32, "THRICE"));
                Session session = model.session()) {
            assertThatThrownBy(() -> session.run(Map.of("x", Tensor.allocate(DType.FLOAT32, 2, 3))))
                    .isInstanceOf(GraphException.class)
                    .hasMessageContaining("ScaledSum 'scaledsum_0': factor: expected one of ONCE, TWICE, found THRICE");
        }
    }
}
