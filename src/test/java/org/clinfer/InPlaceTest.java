package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.opencl.ClBinding;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Concat and Split cost nothing where the parts can lie in the whole, and are right everywhere. */
class InPlaceTest {

    /** A multiple of every device's alignment, in float32 elements. */
    private static final int ALIGNED = 1024;

    private static final int UNALIGNED = 7;

    private static GraphBuilder twoRectified(int width) {
        GraphBuilder builder =
                TestGraphs.builder().input("p", DType.FLOAT32, 1, width).input("q", DType.FLOAT32, 1, width);
        TestGraphs.node(builder, "Relu", "p", "a");
        return TestGraphs.node(builder, "Relu", "q", "b");
    }

    private static GraphBuilder concat(GraphBuilder builder, String inputs, String output, int axis) {
        return builder.node(
                "Concat", List.of(inputs.split(",", -1)), List.of(output), Map.of("axis", Attribute.of(axis)));
    }

    private static GraphBuilder split(GraphBuilder builder, String input, String outputs) {
        List<String> names = List.of(outputs.split(",", -1));
        return builder.node("Split", List.of(input), names, Map.of("num_outputs", Attribute.of(names.size())));
    }

    /** Split of a concatenation, a part used twice, a nested concatenation, and values that are outputs as well. */
    private static Graph everything(int width) {
        GraphBuilder builder = twoRectified(width);
        concat(builder, "a,b", "ab", 0);
        concat(builder, "ab,a,a", "abaa", 0);
        split(builder, "abaa", "s0,s1,s2,s3");
        TestGraphs.node(builder, "Neg", "s1", "n");
        concat(builder, "s3,n", "y", 0);
        concat(builder, "a,b", "z", 1);
        return builder.output("y").output("abaa").output("b").output("z").build();
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
        GraphBuilder builder = twoRectified(ALIGNED);
        concat(builder, "a,b", "ab", 0);
        split(builder, "ab", "c,d");
        TestGraphs.node(builder, "Add", "c,d", "y");
        assertThat(launches(builder.output("y").build(), ALIGNED)).hasSize(3);
    }

    @Test
    @RequiresOpenCl
    void whatTheDeviceCannotAlignIsCopied() {
        GraphBuilder builder = twoRectified(UNALIGNED);
        concat(builder, "a,b", "ab", 0);
        split(builder, "ab", "c,d");
        TestGraphs.node(builder, "Add", "c,d", "y");
        // the first part of each begins where the whole begins
        assertThat(launches(builder.output("y").build(), UNALIGNED)).hasSize(5);
    }

    @Test
    @RequiresOpenCl
    void aTensorThatStandsTwiceIsCopiedOnce() {
        GraphBuilder builder = twoRectified(ALIGNED);
        concat(builder, "a,b,a", "y", 0);
        assertThat(launches(builder.output("y").build(), ALIGNED)).hasSize(3);
    }
}
