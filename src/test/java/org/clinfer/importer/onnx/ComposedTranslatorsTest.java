package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that others say together give what ONNX defines, computed from its text. */
class ComposedTranslatorsTest extends FirstOutputRuns {

    @ParameterizedTest
    @CsvSource({
        "-1, 4",
        "-1, 1",
        "-1, 1x1x4",
        "-1, 1x1x1",
        "2, 1x4",
        "1, 3x4",
        "1, 1x4",
        "1, 3x1",
        "1, 1x1x4",
        "1, 1x3x1",
        "-2, 4",
        "-2, 1",
        "0, 2x3x4",
        "0, 2x1x1",
        "0, 4"
    })
    void factorsOfRowsBroadcast(long axis, String factors) {
        Tensor x = floats(2, 3, 4);
        Tensor scale = floats(EinsumTest.sizes(factors));
        for (String op : List.of("LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization")) {
            boolean centred = op.startsWith("Layer");
            TestModel test = TestModel.opset(23)
                    .input("x", 2, 3, 4)
                    .input("scale", EinsumTest.sizes(factors))
                    .node(op, centred ? "x,scale,scale" : "x,scale", "y", integer("axis", axis), real("epsilon", 1e-5f))
                    .output("y");
            double[] y = values(run(test, Map.of("x", x, "scale", scale)));
            int rows = (int)
                    LongStream.of(2, 3, 4).limit(axis < 0 ? 3 + axis : axis).reduce(1, (a, b) -> a * b);
            int length = 24 / rows;
            for (int i = 0; i < 24; i++) {
                int row = i / length * length;
                double mean = centred
                        ? IntStream.range(row, row + length)
                                .mapToDouble(x::getDouble)
                                .average()
                                .orElseThrow()
                        : 0;
                double variance = IntStream.range(row, row + length)
                        .mapToDouble(at -> Math.pow(x.getDouble(at) - mean, 2))
                        .average()
                        .orElseThrow();
                double factor = scale.getDouble(broadcast(i, scale.shape().sizes(), 2, 3, 4));
                double wanted = (x.getDouble(i) - mean) / Math.sqrt(variance + 1e-5) * factor;
                assertThat(y[i])
                        .as("%s [%s]", op, i)
                        .isCloseTo(centred ? wanted + factor : wanted, Offset.offset(1e-4));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scalar", "3", "2x3", "2x3x4x5"})
    void anInputWithoutAShapeTakesAny(String sizes) {
        TestModel test = TestModel.opset(17)
                .input("x")
                .node("Relu", "x", "r")
                .node("Shape", "r", "s")
                .node("ConstantOfShape", "s", "z")
                .node("Sub", "z,r", "y")
                .output("y");
        test.graph().getInputBuilder(0).getTypeBuilder().getTensorTypeBuilder().clearShape();
        Tensor x = floats(EinsumTest.sizes(sizes));

        Tensor y = run(test, Map.of("x", x));

        assertThat(y.shape()).isEqualTo(x.shape());
        assertThat(y.toDoubleArray())
                .containsExactly(Arrays.stream(x.toDoubleArray())
                        .map(value -> 0 - Math.max(value, 0))
                        .toArray());
    }

    @Test
    void factorsThatDifferBetweenRowsAreRefused() {
        TestModel test = TestModel.opset(17)
                .input("x", 2, 3, 4)
                .input("scale", 3, 4)
                .node("LayerNormalization", "x,scale", "y")
                .output("y");

        assertThatThrownBy(() -> test.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("which differ between rows");
    }

    /** Where the element of a whole is in what broadcasts to it. */
    private static long broadcast(int index, long[] sizes, long... whole) {
        long at = 0;
        long step = 1;
        long rest = index;
        for (int axis = whole.length - 1; axis >= 0; axis--) {
            int own = axis - whole.length + sizes.length;
            if (own >= 0) {
                at += sizes[own] == 1 ? 0 : rest % whole[axis] * step;
                step *= sizes[own];
            }
            rest /= whole[axis];
        }
        return at;
    }

    @Test
    void notANumberAndInfinity() {
        Tensor x = Tensor.of(new float[] {1, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0}, 5);
        assertThat(values(run(unary("IsNaN"), Map.of("x", x)))).containsExactly(0, 1, 0, 0, 0);
        assertThat(values(run(unary("IsInf"), Map.of("x", x)))).containsExactly(0, 0, 1, 1, 0);
        TestModel positive = TestModel.opset(20)
                .input("x", 5)
                .node("IsInf", "x", "y", integer("detect_negative", 0))
                .output("y");
        assertThat(values(run(positive, Map.of("x", x)))).containsExactly(0, 0, 1, 0, 0);
        TestModel negative = TestModel.opset(20)
                .input("x", 5)
                .node("IsInf", "x", "y", integer("detect_positive", 0))
                .output("y");
        assertThat(values(run(negative, Map.of("x", x)))).containsExactly(0, 0, 0, 1, 0);
        TestModel neither = TestModel.opset(20)
                .input("x", 5)
                .node("IsInf", "x", "y", integer("detect_positive", 0), integer("detect_negative", 0))
                .output("y");
        assertThat(values(run(neither, Map.of("x", x)))).containsExactly(0, 0, 0, 0, 0);
    }

    private static TestModel unary(String op) {
        return TestModel.opset(20).input("x", 5).node(op, "x", "y").output("y");
    }

    @Test
    void mishAndGatedSwish() {
        Tensor x = Tensor.of(new float[] {-3, -0.5f, 0, 1, 4}, 5);
        Tensor mish = run(unary("Mish"), Map.of("x", x));
        TestModel gated = TestModel.opset(28)
                .input("x", 5)
                .node("SwiGLU", "x,x", "y", real("alpha", 2))
                .output("y");
        Tensor swish = run(gated, Map.of("x", x));
        for (int i = 0; i < 5; i++) {
            double v = x.getDouble(i);
            assertThat(mish.getDouble(i)).isCloseTo(v * Math.tanh(Math.log1p(Math.exp(v))), Offset.offset(1e-6));
            assertThat(swish.getDouble(i)).isCloseTo(v * v / (1 + Math.exp(-2 * v)), Offset.offset(1e-5));
        }
    }

    @Test
    void meanAndVarianceOfAllButTheChannels() {
        TestModel model = TestModel.opset(13)
                .input("x", 2, 2, 1, 2)
                .node("MeanVarianceNormalization", "x", "y")
                .output("y");
        Tensor x = Tensor.of(new float[] {1, 3, 10, 10, 5, 7, 30, 30}, 2, 2, 1, 2);
        double[] y = values(run(model, Map.of("x", x)));
        double deviation = Math.sqrt(5);
        double[] expected = {-3, -1, -10, -10, 1, 3, 10, 10};
        for (int i = 0; i < y.length; i++) {
            double by = i % 4 < 2 ? deviation : 10;
            assertThat(y[i]).isCloseTo(expected[i] / by, Offset.offset(1e-6));
        }
    }

    @Test
    void anyAndAllOfTruths() {
        Tensor x = Tensor.allocate(DType.BOOL, 2, 2);
        x.setDouble(1, 1);
        for (String op : new String[] {"ReduceMax", "ReduceMin"}) {
            TestModel model = TestModel.opset(20)
                    .typed("x", TestModel.BOOL, 2, 2)
                    .longs("axes", 1)
                    .node(op, "x,axes", "y", integer("keepdims", 0))
                    .output("y");
            Tensor y = run(model, Map.of("x", x));
            assertThat(y.type()).hasToString("2:bool");
            assertThat(values(y)).containsExactly(op.equals("ReduceMax") ? 1 : 0, 0);
        }
    }

    @Test
    void hardmaxOfAnAxisAndOfAllFromOneOn() {
        Tensor x = Tensor.of(new float[] {1, 3, 3, 2, 0, 9, 4, 9, 1, 1, 1, 1}, 2, 2, 3);
        TestModel last = TestModel.opset(13)
                .input("x", 2, 2, 3)
                .node("Hardmax", "x", "y")
                .output("y");
        assertThat(values(run(last, Map.of("x", x)))).containsExactly(0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0);
        TestModel first = TestModel.opset(13)
                .input("x", 2, 2, 3)
                .node("Hardmax", "x", "y", integer("axis", 0))
                .output("y");
        assertThat(values(run(first, Map.of("x", x)))).containsExactly(0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0);
        TestModel flat = TestModel.opset(11)
                .input("x", 2, 2, 3)
                .node("Hardmax", "x", "y")
                .output("y");
        assertThat(values(run(flat, Map.of("x", x)))).containsExactly(0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"11,1", "11,2", "13,1", "13,0"})
    void hardmaxOfNothingIsNothing(int opset, int axis) {
        TestModel model = TestModel.opset(opset)
                .input("x", 2, -1, 3)
                .node("Hardmax", "x", "y", integer("axis", axis))
                .output("y");
        Tensor y = run(model, Map.of("x", Tensor.allocate(DType.FLOAT32, 2, 0, 3)));
        assertThat(y.shape()).hasToString("2x0x3");
    }

    /** Pools have one to three axes of space. */
    @ParameterizedTest
    @ValueSource(strings = {"GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"})
    void globalPoolsOfAnyNumberOfAxes(String op) {
        for (int rank = 2; rank < 8; rank++) {
            long[] sizes = new long[rank];
            Arrays.fill(sizes, 2);
            Tensor x = floats(sizes);
            Tensor y =
                    run(TestModel.opset(13).input("x", sizes).node(op, "x", "y").output("y"), Map.of("x", x));
            Arrays.fill(sizes, 2, rank, 1);
            assertThat(y.shape().sizes()).containsExactly(sizes);
            int each = 1 << (rank - 2);
            for (int plane = 0; plane < 4; plane++) {
                double[] elements = Arrays.copyOfRange(values(x), plane * each, (plane + 1) * each);
                double expected = op.equals("GlobalMaxPool")
                        ? DoubleStream.of(elements).max().orElseThrow()
                        : op.equals("GlobalAveragePool")
                                ? DoubleStream.of(elements).average().orElseThrow()
                                : Math.sqrt(DoubleStream.of(elements)
                                        .map(v -> v * v)
                                        .sum());
                assertThat(y.getDouble(plane)).isCloseTo(expected, Offset.offset(1e-6));
            }
        }
    }

    @Test
    void oneHotCountsFromTheEndAndLeavesOutWhatIsOutside() {
        TestModel model = TestModel.opset(11)
                .typed("i", TestModel.INT64, 4)
                .longs("depth", 3)
                .reals("values", 2, 5)
                .node("OneHot", "i,depth,values", "y", integer("axis", 0))
                .output("y");
        Tensor y = run(model, Map.of("i", Tensor.of(new long[] {0, -1, 3, -4}, 4)));
        assertThat(y.shape()).hasToString("3x4");
        assertThat(values(y)).containsExactly(5, 2, 2, 2, 2, 2, 2, 2, 2, 5, 2, 2);
    }

    @Test
    void triangles() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 2, 3);
        TestModel upper =
                TestModel.opset(14).input("x", 2, 2, 3).node("Trilu", "x", "y").output("y");
        assertThat(values(run(upper, Map.of("x", x)))).containsExactly(1, 2, 3, 0, 5, 6, 7, 8, 9, 0, 11, 12);
        TestModel lower = TestModel.opset(14)
                .input("x", 2, 2, 3)
                .longs("k", -1)
                .node("Trilu", "x,k", "y", integer("upper", 0))
                .output("y");
        assertThat(values(run(lower, Map.of("x", x)))).containsExactly(0, 0, 0, 4, 0, 0, 0, 0, 0, 10, 0, 0);
        TestModel eye = TestModel.opset(9)
                .input("x", 2, 3)
                .node("EyeLike", "x", "y", integer("k", 1), integer("dtype", 7))
                .output("y");
        assertThat(values(run(eye, Map.of("x", floats(2, 3))))).containsExactly(0, 1, 0, 0, 0, 1);
    }

    @Test
    void centerCropPadCutsAndPadsHalfOnEitherSide() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2, 5);
        TestModel model = TestModel.opset(18)
                .input("x", 2, 5)
                .longs("shape", 3, 2)
                .node("CenterCropPad", "x,shape", "y")
                .output("y");
        assertThat(values(run(model, Map.of("x", x)))).containsExactly(2, 3, 7, 8, 0, 0);
        TestModel axes = TestModel.opset(18)
                .input("x", 2, 5)
                .longs("shape", 8)
                .node("CenterCropPad", "x,shape", "y", ints("axes", -1))
                .output("y");
        assertThat(values(run(axes, Map.of("x", x)))).containsExactly(0, 1, 2, 3, 4, 5, 0, 0, 0, 6, 7, 8, 9, 10, 0, 0);
    }

    @Test
    void normalizationByANorm() {
        Tensor x = Tensor.of(new float[] {3, 4, 0, 0, -1, 3}, 3, 2);
        TestModel two = TestModel.opset(22)
                .input("x", 3, 2)
                .node("LpNormalization", "x", "y")
                .output("y");
        double[] y = values(run(two, Map.of("x", x)));
        assertThat(y[0]).isEqualTo((double) 0.6f);
        assertThat(y[1]).isEqualTo((double) 0.8f);
        assertThat(y[2]).isZero();
        assertThat(y[3]).isZero();
        TestModel one = TestModel.opset(22)
                .input("x", 3, 2)
                .node("LpNormalization", "x", "y", integer("p", 1), integer("axis", 0))
                .output("y");
        assertThat(values(run(one, Map.of("x", x))))
                .containsExactly(0.75, (double) (4f / 7f), 0, 0, -0.25, (double) (3f / 7f));
        TestModel three = TestModel.opset(22)
                .input("x", 3, 2)
                .node("LpNormalization", "x", "y", integer("p", 3))
                .output("y");
        assertThatThrownBy(() -> three.read(folder)).isInstanceOf(UnsupportedException.class);
    }

    /** Scale and bias are those of groups before operator set 21, and of channels from then on. */
    @Test
    void groupNormalization() {
        Tensor x = Tensor.of(new float[] {1, 3, 5, 7, 2, 2, 4, 4}, 1, 4, 2);
        TestModel old = TestModel.opset(18)
                .input("x", 1, 4, 2)
                .reals("s", 1, 2)
                .reals("b", 0, 1)
                .node("GroupNormalization", "x,s,b", "y", integer("num_groups", 2), real("epsilon", 0))
                .output("y");
        double root = Math.sqrt(5);
        assertThat(values(run(old, Map.of("x", x))))
                .containsExactly(
                        new double[] {-3 / root, -1 / root, 1 / root, 3 / root, -1, -1, 3, 3}, Offset.offset(1e-5));
        TestModel recent = TestModel.opset(21)
                .input("x", 1, 4, 2)
                .reals("s", 1, 2, 3, 4)
                .reals("b", 0, 1, 0, 0)
                .node("GroupNormalization", "x,s,b", "y", integer("num_groups", 2), real("epsilon", 0))
                .output("y");
        assertThat(values(run(recent, Map.of("x", x))))
                .containsExactly(
                        new double[] {-3 / root, -1 / root, 2 / root + 1, 6 / root + 1, -3, -3, 4, 4},
                        Offset.offset(1e-5));
    }

    @Test
    void poolsOfPowers() {
        Tensor x = Tensor.of(new float[] {3, -4, 0, 5}, 1, 1, 2, 2);
        TestModel whole = TestModel.opset(18)
                .input("x", 1, 1, 2, 2)
                .node("LpPool", "x", "y", ints("kernel_shape", 2, 1))
                .output("y");
        assertThat(values(run(whole, Map.of("x", x)))).containsExactly(3, (double) (float) Math.sqrt(41));
        TestModel padded = TestModel.opset(18)
                .input("x", 1, 1, 2, 2)
                .node("LpPool", "x", "y", ints("kernel_shape", 2, 2), ints("pads", 1, 1, 0, 0), integer("p", 1))
                .output("y");
        assertThat(values(run(padded, Map.of("x", x)))).containsExactly(3, 7, 3, 12);
        TestModel global = TestModel.opset(18)
                .input("x", 1, 1, 2, 2)
                .node("GlobalLpPool", "x", "y", integer("p", 3))
                .output("y");
        assertThat(values(run(global, Map.of("x", x)))[0]).isCloseTo(Math.cbrt(27 + 64 + 125), Offset.offset(1e-5));
    }

    /** Windows that are rounded up; one that would begin behind the picture is none. */
    @ParameterizedTest
    @CsvSource({"'1 2 3 4', 3, 2, '6 7'", "'1 2 3', 1, 3, '1'", "'1 2 3 4 5', 2, 2, '3 7 5'"})
    void poolsOfPowersRoundedUp(String numbers, int kernel, int stride, String wanted) {
        Tensor x = Tensor.ofArray(new float[][][] {{floats(numbers)}});
        TestModel model = TestModel.opset(18)
                .input("x", x.shape().sizes())
                .node(
                        "LpPool",
                        "x",
                        "y",
                        ints("kernel_shape", kernel),
                        ints("strides", stride),
                        integer("p", 1),
                        integer("ceil_mode", 1))
                .output("y");
        assertThat(run(model, Map.of("x", x)).toFloatArray()).containsExactly(floats(wanted));
    }

    @ParameterizedTest
    @CsvSource({"strides, 0, strides must be at least 1", "pads, 0 0 0 0, pads must be begin and end of 1 axes"})
    void wrongPoolsOfPowersAreRefused(String attribute, String values, String message) {
        float[] numbers = floats(values);
        long[] given = new long[numbers.length];
        for (int i = 0; i < given.length; i++) {
            given[i] = (long) numbers[i];
        }
        TestModel model = TestModel.opset(18)
                .input("x", 1, 1, 4)
                .node("LpPool", "x", "y", ints("kernel_shape", 2), ints(attribute, given), integer("ceil_mode", 1))
                .output("y");
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    private static float[] floats(String words) {
        String[] numbers = words.split(" ", -1);
        float[] values = new float[numbers.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.parseFloat(numbers[i]);
        }
        return values;
    }

    /** An element of a picture has a scale, a shift, a mean and a variance of its own. */
    @Test
    void normalizationOfElements() {
        TestModel model = TestModel.opset(7)
                .input("x", 2, 1, 2)
                .reals("s", 2, 3)
                .reals("b", 0, 1)
                .reals("m", 1, 2)
                .reals("v", 4, 1)
                .node("BatchNormalization", "x,s,b,m,v", "y", integer("spatial", 0), real("epsilon", 0))
                .output("y");
        Tensor x = Tensor.of(new float[] {3, 4, -1, 2}, 2, 1, 2);
        assertThat(values(run(model, Map.of("x", x)))).containsExactly(2, 7, -2, 1);
    }

    /** A grid of one pixel along an axis has it in the middle. */
    @Test
    void gridsOfOnePixel() {
        TestModel model = TestModel.opset(20)
                .input("theta", 1, 2, 3)
                .longs("size", 1, 1, 2, 1)
                .node("AffineGrid", "theta,size", "y", integer("align_corners", 1))
                .output("y");
        Tensor theta = Tensor.of(new float[] {2, 0, 0.5f, 0, 1, 0}, 1, 2, 3);
        assertThat(values(run(model, Map.of("theta", theta)))).containsExactly(0.5, -1, 0.5, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -70, 9, Long.MAX_VALUE})
    void axesOutsideAreRefused(long axis) {
        TestModel hard = TestModel.opset(13)
                .input("x", 2, 3)
                .node("Hardmax", "x", "y", integer("axis", axis))
                .output("y");
        assertThatThrownBy(() -> run(hard, Map.of("x", Tensor.allocate(DType.FLOAT32, 2, 3))))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("axis");
        TestModel hot = TestModel.opset(13)
                .typed("i", TestModel.INT64, 2)
                .longs("depth", 3)
                .reals("values", 0, 1)
                .node("OneHot", "i,depth,values", "y", integer("axis", axis))
                .output("y");
        assertThatThrownBy(() -> run(hot, Map.of("i", Tensor.allocate(DType.INT64, 2))))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("axis");
    }
}
