package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.clinfer.conformance.BinaryRuns.Expected;
import org.clinfer.graph.Attribute;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Values that OpenVINO publishes for BinaryConvolution-1, on all devices and bindings, in the types of its tests. */
class BinaryConvolutionValuesTest {

    private static final List<DType> TYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.INT64, DType.INT32);

    private static final double[] X4 = digits("1001 1100 0001 1011");
    private static final double[] X4_COMPLEMENT = digits("0110 0011 1110 0100");
    private static final double[] X4_SECOND = digits("0000 1110 1101 1010");
    private static final double[] X5 = digits("01101 11010 00101 11010 00111");
    private static final double[] X7 = digits("1100010 0010100 1111011 0001110 0100111 1011000 1110100");

    private static double[] digits(String text) {
        return text.chars().filter(c -> c != ' ').mapToDouble(c -> c - '0').toArray();
    }

    private static double[] joined(double[] first, double[] second) {
        return IntStream.range(0, first.length + second.length)
                .mapToDouble(i -> i < first.length ? first[i] : second[i - first.length])
                .toArray();
    }

    /** A square picture and a 3x3 kernel of one output channel. */
    private static BinaryCase square(double[] x, long batch, long channels, int[] bytes, long[] geometry, double pad) {
        long size = Math.round(Math.sqrt((double) x.length / (batch * channels)));
        long[] stride = {geometry[0], geometry[0]};
        long[] pads = {geometry[1], geometry[1]};
        long[] dilation = {geometry[2], geometry[2]};
        return new BinaryCase(
                new Array(new long[] {batch, channels, size, size}, x),
                BinaryCase.weights(bytes, 1, channels, 3, 3),
                BinaryCase.params(stride, pads, pads, dilation, pad));
    }

    private static void add(List<Expected> to, String name, BinaryCase of, double... y) {
        for (DType type : TYPES) {
            Tensor expected = of.expected(type);
            assertThat(expected.toFloatArray()).as("%s: the reference", name).containsExactly(floats(y));
            to.add(new Expected(name, of, type, expected));
        }
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private static List<Expected> published() {
        int[] aa = {0xaa, 0x80};
        int[] aaaa = {0xaa, 0xaa, 0x80};
        int[] sixB = {0x6b, 0};
        List<Expected> cases = new ArrayList<>();
        add(cases, "1", square(X4, 1, 1, aa, new long[] {1, 0, 1}, 0), 1, 1, 3, -1);
        BinaryCase padded = square(X4, 1, 1, aa, new long[] {1, 1, 1}, 0);
        add(cases, "2", padded, 1, -3, -1, 1, -3, 1, 1, -5, -3, 3, -1, 1, 1, -5, 1, -3);
        BinaryCase paddedWithOne = square(X4, 1, 1, aa, new long[] {1, 1, 1}, 1);
        add(cases, "3", paddedWithOne, 3, -1, 1, 3, -1, 1, 1, -3, -1, 3, -1, 3, 3, -3, 3, -1);
        add(cases, "4", square(X5, 1, 1, new int[] {0x2e, 0}, new long[] {2, 0, 1}, 0), -1, 3, 1, 1);
        add(cases, "5", square(X7, 1, 1, sixB, new long[] {1, 0, 2}, 0), -5, -3, -5, 5, 1, 3, -1, -1, 3);
        BinaryCase dilated = square(X7, 1, 1, sixB, new long[] {2, 2, 2}, 0);
        add(cases, "6", dilated, 1, 1, -1, 1, 1, -5, -5, 5, 3, -1, 3, 3, -1, -1, 3, -3);
        BinaryCase dilatedWithOne = square(X7, 1, 1, sixB, new long[] {2, 2, 2}, 1);
        add(cases, "7", dilatedWithOne, 3, 3, 1, -1, -1, -5, -5, 3, 1, -1, 3, 1, -3, 1, 5, -1);
        add(cases, "8", square(joined(X4, X4_COMPLEMENT), 1, 2, aaaa, new long[] {1, 0, 1}, 0), 2, 2, 6, -2);
        add(cases, "9", square(joined(X4, X4_SECOND), 2, 1, aa, new long[] {1, 0, 1}, 0), 1, 1, 3, -1, -3, 3, 5, -7);

        // The same with other readings of the padding; in these every tap counts no more, or none matches.
        add(cases, "2 padded with -1", padded.with("pad_value", Attribute.of(-1.0)), new double[] {
            -3, -5, -3, -3, -5, 1, 1, -7, -5, 3, -1, -1, -3, -7, -1, -7
        });
        Attribute exclude = Attribute.of("EXCLUDE_PAD");
        add(cases, "2 without padded taps", padded.with("pad_semantics", exclude), new double[] {
            2, -2, 0, 2, -2, 1, 1, -4, -2, 3, -1, 2, 2, -4, 2, -2
        });
        add(cases, "6 without padded taps", dilated.with("pad_semantics", exclude), new double[] {
            2, 2, 0, 0, 0, -5, -5, 4, 2, -1, 3, 2, -2, 0, 4, -2
        });
        return cases;
    }

    @Test
    void publishedValuesOnTheCpu() {
        BinaryRuns.onTheCpu(published());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void publishedValuesWithEveryVariant() {
        BinaryRuns.withEveryVariant(published());
    }

    @Test
    @RequiresOpenCl(ClBinding.JOCL)
    void publishedValuesAsPlaced() {
        BinaryRuns.asPlaced(published());
    }

    private static long[] longs(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .mapToLong(JsonNode::asLong)
                .toArray();
    }

    private static double[] doubles(JsonNode list) {
        return Arrays.stream(longs(list)).asDoubleStream().toArray();
    }

    private static List<Expected> recorded() {
        List<Expected> cases = new ArrayList<>();
        for (JsonNode each : new ObjectMapper()
                .readTree(BinaryRuns.published("openvino_reference_values.json"))
                .get("cases")) {
            Array weights = new Array(longs(each.get("w")), doubles(each.get("wbits")));
            int[] bytes = Arrays.stream(longs(each.get("filter")))
                    .mapToInt(b -> (int) b)
                    .toArray();
            assertThat(BinaryCase.weights(bytes, weights.dims()).values()).isEqualTo(weights.values());
            BinaryCase of = new BinaryCase(
                    new Array(longs(each.get("x")), doubles(each.get("data"))),
                    weights,
                    BinaryCase.params(
                            longs(each.get("s")),
                            longs(each.get("pb")),
                            longs(each.get("pe")),
                            longs(each.get("d")),
                            each.get("pad").asDouble()));
            assertThat(of.expected(DType.INT32).shape().sizes()).isEqualTo(longs(each.get("y")));
            add(cases, each.get("id").asString(), of, doubles(each.get("ref")));
        }
        assertThat(cases).isNotEmpty();
        return cases;
    }

    @Test
    void recordedValuesOnTheCpu() {
        BinaryRuns.onTheCpu(recorded());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void recordedValuesWithEveryVariant() {
        BinaryRuns.withEveryVariant(recorded());
    }

    @Test
    @RequiresOpenCl(ClBinding.JOCL)
    void recordedValuesAsPlaced() {
        BinaryRuns.asPlaced(recorded());
    }
}
