package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Concat and Split cost nothing where the parts can lie in the whole, and are right everywhere. */
class InPlaceTest {

    /** A multiple of every device's alignment, in float32 elements. */
    private static final int ALIGNED = 1024;

    private static final int UNALIGNED = 7;

    /** A graph with the rectified inputs p and q, a and b. */
    private record Rectified(Ops ops, Edge a, Edge b) {

        static Rectified of(int width) {
            Ops ops = Ops.graph("net");
            TensorType type = TensorType.of(DType.FLOAT32, 1, width);
            return new Rectified(ops, ops.relu(ops.input("p", type)), ops.relu(ops.input("q", type)));
        }

        Edge joined() {
            return ops.concat(a, b).axis(0).y();
        }

        List<Edge> parts(Edge whole, int count) {
            return ops.split(whole).numOutputs(count).y(count);
        }

        Graph sumOfParts() {
            List<Edge> parts = parts(joined(), 2);
            return ops.output("y", ops.add(parts.get(0), parts.get(1))).build();
        }
    }

    /** Split of a concatenation, a part used twice, a nested concatenation, and values that are outputs as well. */
    private static Graph everything(int width) {
        Rectified rectified = Rectified.of(width);
        Ops ops = rectified.ops();
        Edge whole = ops.concat(rectified.joined(), rectified.a(), rectified.a())
                .axis(0)
                .y();
        List<Edge> parts = rectified.parts(whole, 4);
        return ops.output(
                        "y",
                        ops.concat(parts.get(3), ops.neg(parts.get(1))).axis(0).y())
                .output("abaa", whole)
                .output("b", rectified.b())
                .output("z", ops.concat(rectified.a(), rectified.b()).axis(1).y())
                .build();
    }

    private static float[] rectified(Tensor tensor) {
        float[] values = tensor.toFloatArray();
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.max(values[i], 0);
        }
        return values;
    }

    private static float[] joined(float[]... parts) {
        float[] all =
                new float[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    static Stream<DeviceChoice> devices() {
        return Stream.of(new DeviceChoice.Cpu(), new DeviceChoice.Auto());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void partsAreRightWhereverTheyLie(DeviceChoice device) {
        for (int width : new int[] {ALIGNED, UNALIGNED, 1}) {
            try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                    Model model = engine.load(everything(width));
                    Session session = model.session()) {
                for (int seed = 1; seed < 4; seed++) {
                    Tensor p = TestGraphs.numbers(seed, 1, width);
                    Tensor q = TestGraphs.numbers(seed + 10, 1, width);
                    float[] a = rectified(p);
                    float[] b = rectified(q);
                    float[] negated = b.clone();
                    for (int i = 0; i < b.length; i++) {
                        negated[i] = -b[i];
                    }
                    try (Result result = session.run(Map.of("p", p, "q", q))) {
                        assertThat(result.get("y").toFloatArray()).isEqualTo(joined(a, negated));
                        assertThat(result.get("abaa").toFloatArray()).isEqualTo(joined(a, b, a, a));
                        assertThat(result.get("b").toFloatArray()).isEqualTo(b);
                        assertThat(result.get("z").toFloatArray()).isEqualTo(joined(a, b));
                    }
                }
            }
        }
    }

    private static List<String> launches(Graph graph, int width) {
        LaunchLog log = new LaunchLog(CountingClApi.over(ClBinding.LWJGL).api());
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withChain(false);
        try (Engine engine = Engine.open(options, () -> OpenCl.over(log.api()));
                Model model = engine.load(graph);
                Session session = model.session()) {
            session.run(Map.of("p", TestGraphs.numbers(1, 1, width), "q", TestGraphs.numbers(2, 1, width)))
                    .close();
            return log.take();
        }
    }

    @Test
    @RequiresOpenCl
    void nothingIsLaunchedForPartsInPlace() {
        assertThat(launches(Rectified.of(ALIGNED).sumOfParts(), ALIGNED)).hasSize(3);
    }

    @Test
    @RequiresOpenCl
    void whatTheDeviceCannotAlignIsCopied() {
        // the first part of each begins where the whole begins
        assertThat(launches(Rectified.of(UNALIGNED).sumOfParts(), UNALIGNED)).hasSize(5);
    }

    @Test
    @RequiresOpenCl
    void aTensorThatStandsTwiceIsCopiedOnce() {
        Rectified rectified = Rectified.of(ALIGNED);
        Edge whole = rectified
                .ops()
                .concat(rectified.a(), rectified.b(), rectified.a())
                .axis(0)
                .y();
        assertThat(launches(rectified.ops().output("y", whole).build(), ALIGNED))
                .hasSize(3);
    }
}
