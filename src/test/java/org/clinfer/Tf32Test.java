package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels that round factors to TF32 run where that is allowed, and placements tell of it. */
class Tf32Test {

    private static final String SQUARE = """
            {"ops": [
              {"optype": "Square", "author": "me", "arch": "none", "doc": "x * x",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["float32"]}],
               "multiply_adds": "x.len",
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Square_rounded", "author": "me", "arch": "opencl", "inherits": "Square", "variant": "rounded",
               "checks": [{"check": "device.tf32, \\"factors must not be rounded\\""}],
               "run": [{"kernel": "square.cl#rounded", "args": {"x": "x", "y": "y"}, "global": ["x.len"]}]},
              {"optype": "Square_ref", "author": "me", "arch": "opencl", "inherits": "Square", "variant": "ref",
               "run": [{"kernel": "square.cl#square", "args": {"x": "x", "y": "y"}, "global": ["x.len"]}]},
              {"optype": "Square_elements", "author": "me", "arch": "cpu", "inherits": "Square", "variant": "elements",
               "run": [{"tensor": "y", "value": "element(x, at) * element(x, at)"}]}]}
            """;

    private static final String KERNELS = """
            __kernel void rounded(__global const float *x, __global float *y) {
                float factor = as_float((as_uint(x[get_global_id(0)]) + 0x1000u) & 0xffffe000u);
                y[get_global_id(0)] = factor * factor;
            }
            __kernel void square(__global const float *x, __global float *y) {
                y[get_global_id(0)] = x[get_global_id(0)] * x[get_global_id(0)];
            }
            """;

    @TempDir
    private Path folder;

    private static Graph graph() {
        return TestGraphs.builder()
                .input("x", DType.FLOAT32, 2)
                .node("Square", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private record Ran(Tensor y, Placement.Entry node) {}

    private Ran run(DeviceChoice device, Precision precision, boolean trusts) throws IOException {
        Files.writeString(folder.resolve("square.json"), SQUARE);
        Files.writeString(folder.resolve("square.cl"), KERNELS);
        EngineOptions options = EngineOptions.defaults()
                .withDevice(device)
                .withOperators(List.of(folder))
                .withPrecision(precision)
                .withTrust(trusts);
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph());
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(new float[] {1.5f, 1 + 0x1p-12f}, 2)))) {
            return new Ran(result.get("y").copy(), session.placement().nodes().get(0));
        }
    }

    @Test
    @RequiresOpenCl
    void areTakenWhereTheyAreAllowed() throws IOException {
        for (boolean trusts : new boolean[] {true, false}) {
            Ran ran = run(new DeviceChoice.FirstOpenCl(), Precision.TF32, trusts);
            assertThat(ran.y().toFloatArray()).containsExactly(2.25f, 1f);
            assertThat(ran.node().variant()).isEqualTo("rounded");
            assertThat(ran.node().precision()).contains(Precision.TF32);
            assertThat(ran.node().reasons()).isEmpty();
        }
    }

    @Test
    @RequiresOpenCl
    void areNotTakenOtherwise() throws IOException {
        for (Precision precision : List.of(Precision.FLOAT32, Precision.FLOAT16)) {
            Ran ran = run(new DeviceChoice.FirstOpenCl(), precision, true);
            assertThat(ran.y().getDouble(1)).isGreaterThan(1);
            assertThat(ran.node().variant()).isEqualTo("ref");
            assertThat(ran.node().precision()).contains(Precision.FLOAT32);
            assertThat(ran.node().reasons()).anyMatch(reason -> reason.contains("factors must not be rounded"));
        }
    }

    @Test
    void theCpuSaysThatItDoesNotRound() throws IOException {
        Ran ran = run(new DeviceChoice.Cpu(), Precision.TF32, true);
        assertThat(ran.y().getDouble(1)).isGreaterThan(1);
        assertThat(ran.node().precision()).contains(Precision.FLOAT32);
        assertThat(ran.node().reasons()).containsExactly("in float32: the CPU does not round to TF32");
        assertThat(run(new DeviceChoice.Cpu(), Precision.FLOAT32, true).node().reasons())
                .isEmpty();
        assertThat(run(new DeviceChoice.Cpu(), Precision.FLOAT16, true).node().reasons())
                .containsExactly("in float32: Square is not there in float16");
    }
}
