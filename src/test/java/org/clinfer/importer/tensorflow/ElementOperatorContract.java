package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.importer.tensorflow.Nhwc.Walk;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators of TensorFlow that compute or move elements. */
abstract class ElementOperatorContract extends OperatorContract {

    ElementOperatorContract(DeviceChoice device) {
        super(device);
    }

    @Test
    void reversed() throws IOException {
        Nhwc x = Nhwc.random(1, 2, 3, 4, 2);
        Nhwc expected = new Nhwc(2, 3, 4, 2);
        for (int i = 0; i < x.data.length; i++) {
            expected.data[x.at(i / 24, 2 - i / 8 % 3, i / 2 % 4, 1 - i % 2)] = x.data[i];
        }
        TfGraph graph = with(x).ints("axes", 1, -1)
                .node("MaxPool", "p", "x", "padding=VALID", "ksize=[1,1,1,1]", "strides=[1,1,1,1]")
                .node("ReverseV2", "y", "p axes");
        check(graph, x, expected);
    }

    @Test
    void normalization() throws IOException {
        Nhwc x = Nhwc.random(1, 2, 3, 4, 2);
        TfGraph given = with(x).floats("scale", new long[] {2}, 2, 3)
                .floats("shift", new long[] {2}, -1, 1)
                .floats("mean", new long[] {2}, 0.5f, 0.25f)
                .floats("variance", new long[] {2}, 4, 0.25f)
                .node("FusedBatchNormV3", "y", "x scale shift mean variance", "epsilon=0.5", "is_training=false");
        Nhwc expected = new Nhwc(2, 3, 4, 2);
        for (int i = 0; i < x.data.length; i++) {
            expected.data[i] = (float)
                    (i % 2 == 0
                            ? (x.data[i] - 0.5) / Math.sqrt(4.5) * 2 - 1
                            : (x.data[i] - 0.25) / Math.sqrt(0.75) * 3 + 1);
        }
        check(given, x, expected);
        TfGraph own = with(x).floats("scale", new long[] {2}, 2, 3)
                .floats("shift", new long[] {2}, -1, 1)
                .floats("none", new long[] {0})
                .node("FusedBatchNorm", "y", "x scale shift none none", "epsilon=0.5");
        for (int c = 0; c < 2; c++) {
            double mean = 0;
            double square = 0;
            for (int i = c; i < x.data.length; i += 2) {
                mean += x.data[i] / 24.0;
                square += x.data[i] * (double) x.data[i] / 24;
            }
            for (int i = c; i < x.data.length; i += 2) {
                double normal = (x.data[i] - mean) / Math.sqrt(square - mean * mean + 0.5);
                expected.data[i] = (float) (c == 0 ? normal * 2 - 1 : normal * 3 + 1);
            }
        }
        check(own, x, expected);
        TfGraph variance = new TfGraph()
                .input("x", 1, 2, 2, 1)
                .floats("scale", new long[] {1}, 1)
                .floats("shift", new long[] {1}, 0)
                .floats("none", new long[] {0})
                .node("FusedBatchNorm", "b", "x scale shift none none")
                .node("Identity", "y", "b:2");
        Tensor four = Tensor.of(new float[] {1, 2, 3, 4}, 1, 2, 2, 1);
        assertThat(run(variance, four).toFloatArray()[0]).isCloseTo(5f / 3, within(1e-6f));
    }

    @Test
    void neighbouringChannels() throws IOException {
        Nhwc x = Nhwc.random(1, 1, 2, 3, 7);
        Nhwc expected = new Nhwc(1, 2, 3, 7);
        for (int i = 0; i < x.data.length; i++) {
            double sum = 0;
            for (int c = Math.max(i % 7 - 2, 0); c <= Math.min(i % 7 + 2, 6); c++) {
                sum += Math.pow(x.data[i - i % 7 + c], 2);
            }
            expected.data[i] = (float) (x.data[i] / Math.pow(1.5 + 0.3 * sum, 0.75));
        }
        check(with(x).node("LRN", "y", "x", "depth_radius=2", "alpha=0.3", "beta=0.75", "bias=1.5"), x, expected);
    }

    @Test
    void depthAndSpace() throws IOException {
        Nhwc x = Nhwc.random(1, 1, 4, 6, 3);
        Nhwc deep = new Nhwc(1, 2, 3, 12);
        for (int y = 0; y < 4; y++) {
            for (int z = 0; z < 6; z++) {
                for (int c = 0; c < 3; c++) {
                    deep.data[deep.at(0, y / 2, z / 2, (y % 2 * 2 + z % 2) * 3 + c)] = x.get(0, y, z, c);
                }
            }
        }
        check(with(x).node("SpaceToDepth", "y", "x", "block_size=2"), x, deep);
        check(with(deep).node("DepthToSpace", "y", "x", "block_size=2"), deep, x);
    }

    static Stream<String> slices() {
        return Stream.of(
                "1 0 2,3 4 5,1 1 1,,2x4x3;shape",
                "-1 -1 -1,0 0 0,-1 -1 -1,end=7,3x4x5;reversed",
                "1 0,2 0,1 1,shrink=1 end=2,4x5;row",
                "0 1,0 3,1 1,ellipsis=1,3x4x2;ellipsis",
                "0 0 1,0 0 2,1 1 1,new=2 begin=1 end=1,3x1x1x5;new",
                "0 0 1,9 9 2,2 3 1,shrink=4,2x2;strides");
    }

    /** Element i j k of x is 100 i + 10 j + k. */
    @ParameterizedTest
    @MethodSource("slices")
    void stridedSlices(String text) throws IOException {
        String[] parts = text.substring(0, text.indexOf(';')).split(",", -1);
        TfGraph graph = new TfGraph().input("x", 3, 4, 5);
        String[] names = {"begin", "end", "stride"};
        for (int i = 0; i < 3; i++) {
            graph.ints(
                    names[i],
                    Stream.of(parts[i].split(" ")).mapToInt(Integer::parseInt).toArray());
        }
        String[] masks = Stream.of(parts[3].split(" "))
                .filter(mask -> !mask.isEmpty())
                .map(mask -> mask.replace("shrink=", "shrink_axis=")
                        .replace("new=", "new_axis=")
                        .replace("=", "_mask="))
                .toArray(String[]::new);
        graph.node("StridedSlice", "y", "x begin end stride", masks);
        float[] x = new float[60];
        for (int i = 0; i < 60; i++) {
            x[i] = 100 * (i / 20) + 10 * (i / 5 % 4) + i % 5;
        }
        Tensor y = run(graph, Tensor.of(x, 3, 4, 5));
        assertThat(y.shape()).hasToString(parts[4]);
        float[] expected = switch (text.substring(text.indexOf(';') + 1)) {
            case "shape" -> of(24, i -> 100 * (1 + i / 12) + 10 * (i / 3 % 4) + 2 + i % 3);
            case "reversed" -> of(60, i -> x[59 - i]);
            case "row" -> of(20, i -> 100 + 10 * (i / 5) + i % 5);
            case "ellipsis" -> of(24, i -> 100 * (i / 8) + 10 * (i / 2 % 4) + 1 + i % 2);
            case "new" -> of(15, i -> 100 * (i / 5) + 10 + i % 5);
            default -> of(4, i -> 200 * (i / 2) + 30 * (i % 2) + 1);
        };
        assertThat(y.toFloatArray()).containsExactly(expected);
    }

    private interface Element {
        float at(int index);
    }

    private static float[] of(int count, Element element) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = element.at(i);
        }
        return values;
    }

    /** A place that is computed from the shape of an input of unknown size: all but the last row. */
    @Test
    void slicesWithComputedPlaces() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", -1, -1)
                .node("Shape", "shape", "x", "out_type=int32")
                .ints("ones", 1, 0)
                .ints("zeros", 0, 1)
                .ints("strides", 1, 1)
                .node("Sub", "end", "shape ones", "T=int32")
                .node("StridedSlice", "y", "x zeros end strides", "begin_mask=0", "end_mask=2");
        check(run(graph, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2)), new long[] {2, 1}, 2, 4);
        TfGraph sized = new TfGraph()
                .input("x", -1, -1)
                .node("Shape", "shape", "x", "out_type=int32")
                .ints("ones", 1, 1)
                .ints("begin", 1, 0)
                .node("Sub", "size", "shape ones", "T=int32")
                .node("Slice", "y", "x begin size");
        check(run(sized, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2)), new long[] {2, 1}, 3, 5);
    }

    @Test
    void placesOfExtremes() throws IOException {
        Tensor x = Tensor.of(new float[] {1, 7, 7, -2, 3, -2}, 2, 3);
        TfGraph most = new TfGraph().input("x", 2, 3).integer("axis", -1).node("ArgMax", "y", "x axis");
        Tensor y = run(most, x);
        assertThat(y.dtype()).isEqualTo(DType.INT64);
        assertThat(y.toLongArray()).containsExactly(1, 1);
        TfGraph least =
                new TfGraph().input("x", -1, -1).integer("axis", 0).node("ArgMin", "y", "x axis", "output_type=int32");
        y = run(least, x);
        assertThat(y.dtype()).isEqualTo(DType.INT32);
        assertThat(y.toLongArray()).containsExactly(1, 1, 1);
    }

    @Test
    void arithmetic() throws IOException {
        Tensor x = Tensor.of(new float[] {-7, -6, 0, 5, 6, 7}, 6);
        assertThat(run(two("FloorDiv", 4), x).toFloatArray()).containsExactly(-2, -2, 0, 1, 1, 1);
        assertThat(run(two("FloorMod", 4), x).toFloatArray()).containsExactly(1, 2, 0, 1, 2, 3);
        assertThat(run(two("SquaredDifference", 4), x).toFloatArray()).containsExactly(121, 100, 16, 1, 4, 9);
        assertThat(run(two("DivNoNan", 0), x).toFloatArray()).containsOnly(0);
        TfGraph select = two("Greater", 1).number("no", -1).node("Select", "z", "y x no");
        assertThat(run(select, x).toFloatArray()).containsExactly(-1, -1, -1, 5, 6, 7);
        TfGraph rounded = new TfGraph()
                .input("x", 6)
                .node("Cast", "i", "x", "DstT=int32")
                .constant(
                        "four",
                        TfGraph.tensor(org.clinfer.importer.tensorflow.proto.DataType.DT_INT32)
                                .addIntVal(4))
                .node("FloorDiv", "y", "i four", "T=int32");
        assertThat(run(rounded, x).toLongArray()).containsExactly(-2, -2, 0, 1, 1, 1);
    }

    /** FloorMod has the sign of the divisor, Mod and TruncateMod that of the dividend, as C has it. */
    @Test
    void remainders() throws IOException {
        Tensor x = Tensor.of(new float[] {-7, 7, 6, 1e6f}, 4);
        for (String op : List.of("Mod", "TruncateMod")) {
            TfGraph graph = new TfGraph().input("x", 4).number("right", 3).node(op, "y", "x right");
            assertThat(run(graph, x).toFloatArray()).containsExactly(-1, 1, 0, 1);
            TfGraph whole = new TfGraph()
                    .input("x", 4)
                    .node("Cast", "i", "x", "DstT=int32")
                    .integer("right", -3)
                    .node(op, "y", "i right", "T=int32");
            assertThat(run(whole, x).toLongArray()).containsExactly(-1, 1, 0, 1);
        }
        TfGraph turns = new TfGraph().input("x", 4).number("right", 6.2831855f).node("FloorMod", "y", "x right");
        float[] floors = run(turns, x).toFloatArray();
        assertThat(floors[0]).isCloseTo(5.566371f, within(1e-5f));
        assertThat(floors[3]).isEqualTo((float) (1e6 % (double) 6.2831855f));
    }

    @Test
    void meansOfIntegersAreCutOff() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 2, 4)
                .node("Cast", "i", "x", "DstT=int32")
                .ints("axes", 1)
                .node("Mean", "y", "i axes", "T=int32");
        Tensor y = run(graph, Tensor.of(new float[] {2, 2, 2, 1, -1, -1, -1, 0}, 2, 4));
        assertThat(y.dtype()).isEqualTo(DType.INT32);
        assertThat(y.toLongArray()).containsExactly(1, 0);
    }

    @Test
    void smallNumbersKeepTheirDigits() throws IOException {
        float[] x = {1e-8f, -1e-8f, 1e-5f, 0, -0.75f, 0.3f, 20, Float.POSITIVE_INFINITY};
        float[] logs = run(new TfGraph().input("x", 8).node("Log1p", "y", "x"), Tensor.of(x, 8))
                .toFloatArray();
        float[] powers = run(new TfGraph().input("x", 8).node("Expm1", "y", "x"), Tensor.of(x, 8))
                .toFloatArray();
        for (int i = 0; i < x.length; i++) {
            assertThat(logs[i]).as("log1p(%s)", x[i]).isCloseTo((float) Math.log1p(x[i]), withinPercentage(1e-3));
            assertThat(powers[i]).as("expm1(%s)", x[i]).isCloseTo((float) Math.expm1(x[i]), withinPercentage(1e-3));
        }
    }

    private static TfGraph two(String op, float right) {
        return new TfGraph().input("x", 6).number("right", right).node(op, "y", "x right");
    }

    @Test
    void rowsOfOne() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 3)
                .node("Cast", "i", "x", "DstT=int32")
                .integer("depth", 4)
                .number("on", 5)
                .number("off", -1)
                .node("OneHot", "y", "i depth on off");
        check(
                run(graph, Tensor.of(new float[] {2, 0, 9}, 3)),
                new long[] {3, 4},
                -1,
                -1,
                5,
                -1,
                5,
                -1,
                -1,
                -1,
                -1,
                -1,
                -1,
                -1);
    }

    /** Values with the channels second meet vectors, full tensors, and values whose order matters. */
    @Test
    void ordersOfAxes() throws IOException {
        Nhwc x = Nhwc.random(1, 2, 4, 6, 3);
        Nhwc plus = Nhwc.random(2, 1, 4, 3, 3);
        TfGraph graph = with(x).floats("vector", new long[] {3}, 1, 2, 3)
                .floats("tensor", plus.sizes(), plus.data)
                .ints("axes", 1, 2)
                .ints("shape", 2, -1)
                .ints("channel", new long[] {1}, 3)
                .node("MaxPool", "p", "x", "padding=VALID", "ksize=[1,1,2,1]", "strides=[1,1,2,1]")
                .node("Mul", "m", "p vector")
                .node("AddV2", "a", "tensor m")
                .node("Mean", "mean", "a axes", "keep_dims=true")
                .node("Sub", "d", "a mean")
                .integer("last", -1)
                .node("ConcatV2", "c", "d a last", "N=2")
                .node("Reshape", "y", "c shape");
        Nhwc pooled = x.pooled(Walk.valid(4, 1, 1, 1), Walk.valid(6, 2, 2, 1), false);
        float[] expected = new float[2 * 4 * 3 * 6];
        double[] means = new double[6];
        float[] sums = new float[pooled.data.length];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = pooled.data[i] * (1 + i % 3) + plus.data[i % 36];
            means[i / 36 * 3 + i % 3] += sums[i] / 12.0;
        }
        for (int i = 0; i < sums.length; i++) {
            int place = i / 3 * 6 + i % 3;
            expected[place] = (float) (sums[i] - means[i / 36 * 3 + i % 3]);
            expected[place + 3] = sums[i];
        }
        check(run(graph, Tensor.of(x.data, x.sizes())), new long[] {2, 72}, expected);
    }
}
