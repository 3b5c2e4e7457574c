package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.tensorflow.Nhwc.Walk;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that few networks have, against what TensorFlow says they compute. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TfRareOperatorsTest {

    private static final Offset<Float> TOLERANCE = Offset.offset(2e-5f);

    @TempDir
    Path folder;

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @AfterAll
    void close() {
        engine.close();
    }

    private Tensor run(TfGraph graph, float[] x, long... sizes) throws IOException {
        try (Model model = engine.load(engine.read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(x, sizes)))) {
            return result.outputs().values().iterator().next().copy();
        }
    }

    private void check(TfGraph graph, float[] x, long[] sizes, float... expected) throws IOException {
        assertThat(run(graph, x, sizes).toFloatArray()).containsExactly(expected, TOLERANCE);
    }

    private static TfGraph input(long... sizes) {
        return new TfGraph().input("x", sizes);
    }

    private static long[] sizes(long... sizes) {
        return sizes;
    }

    @Test
    void bounds() throws IOException {
        TfGraph graph = input(4).number("low", -1).number("high", 2).node("ClipByValue", "y", "x low high");
        check(graph, new float[] {-3, 0.5f, 7, 2}, sizes(4), -1, 0.5f, 2, 2);
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, '1 3 6 4 9 15'", "true, false, '0 1 3 0 4 9'",
        "false, true, '6 5 3 15 11 6'", "true, true, '5 3 0 11 6 0'"
    })
    void runningSums(boolean exclusive, boolean reverse, String expected) throws IOException {
        String[] words = expected.split(" ", -1);
        float[] sums = new float[words.length];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Float.parseFloat(words[i]);
        }
        String[] attributes = {"exclusive=" + exclusive, "reverse=" + reverse};
        TfGraph rows = input(2, 3).integer("axis", -1).node("Cumsum", "y", "x axis", attributes);
        check(rows, new float[] {1, 2, 3, 4, 5, 6}, sizes(2, 3), sums);
        TfGraph columns = input(3, 2).integer("axis", 0).node("Cumsum", "y", "x axis", attributes);
        float[] turned = {sums[0], sums[3], sums[1], sums[4], sums[2], sums[5]};
        check(columns, new float[] {1, 4, 2, 5, 3, 6}, sizes(3, 2), turned);
    }

    /** The scale is the quotient of the sizes, as {@code tf.image.resize} writes it; weights 3:3:1 and 1:3:3 of 7. */
    @Test
    void smoothedResizing() throws IOException {
        TfGraph graph = input(1, 1, 4, 1)
                .ints("size", 1, 2)
                .node("Shape", "shape", "x")
                .ints("begin", 1)
                .ints("end", 3)
                .ints("step", 1)
                .node("StridedSlice", "sides", "shape begin end step")
                .node("Cast", "to", "size", "DstT=float")
                .node("Cast", "from", "sides", "DstT=float")
                .node("RealDiv", "scale", "to from")
                .floats("zeros", new long[] {2}, 0, 0)
                .node("ScaleAndTranslate", "y", "x size scale zeros", "kernel_type=triangle", "antialias=true");
        check(graph, new float[] {7, 14, 21, 28}, sizes(1, 1, 4, 1), 12, 23);
    }

    /** A scale that TensorFlow refuses, weights that fill the memory, inputs that are not there, and diagonals far off. */
    @ParameterizedTest
    @CsvSource({
        "0, 2, x size scale zeros, its scale is",
        "-1, 2, x size scale zeros, its scale is",
        "1, 2000000000, x size" + " scale zeros, sides of 4 and 2000000000",
        "1, 2, x size, inputs"
    })
    void hostileResizing(float scale, int wide, String inputs, String reason) {
        TfGraph graph = input(1, 1, 4, 1)
                .ints("size", 1, wide)
                .floats("scale", new long[] {2}, 1, scale)
                .floats("zeros", new long[] {2}, 0, 0)
                .node("ScaleAndTranslate", "y", inputs, "kernel_type=triangle", "antialias=true");
        assertThatThrownBy(() -> engine.read(graph.write(folder))).hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20})
    void diagonalsFarOff(int diagonal) {
        TfGraph graph = input(4).integer("k", diagonal)
                .integer("size", -1)
                .number("other", 0)
                .node("MatrixDiagV3", "y", "x k size size other", "align=LEFT_RIGHT");
        assertThatThrownBy(() -> engine.read(graph.write(folder))).isInstanceOf(UnsupportedException.class);
    }

    /** Each node draws numbers of its own, the same in every run. */
    @ParameterizedTest
    @CsvSource({"RandomUniform, 0.5, 0.2887", "RandomStandardNormal, 0, 1"})
    void randomNumbers(String op, double mean, double deviation) throws IOException {
        float[] x = {1, 1};
        TfGraph one = input(2).ints("shape", 2000, 2)
                .node(op, "noise", "shape", "dtype=DT_FLOAT", "seed=87654321", "seed2=3")
                .node("Mul", "y", "noise x");
        float[] drawn = run(one, x, 2).toFloatArray();
        double sum = 0;
        double squares = 0;
        for (float each : drawn) {
            sum += each;
            squares += (each - mean) * (each - mean);
        }
        assertThat(sum / 4000).isCloseTo(mean, Offset.offset(4 * deviation / Math.sqrt(4000)));
        assertThat(Math.sqrt(squares / 4000)).isCloseTo(deviation, Offset.offset(deviation / 20));
        assertThat(run(one, x, 2).toFloatArray()).containsExactly(drawn);
        TfGraph two = input(2).ints("shape", 2000, 2)
                .node(op, "noise", "shape", "dtype=DT_FLOAT", "seed=87654321", "seed2=4")
                .node("Mul", "y", "noise x");
        assertThat(run(two, x, 2).toFloatArray()).isNotEqualTo(drawn);
    }

    @Test
    void elementsByTheirPlaces() throws IOException {
        float[] x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        TfGraph elements =
                input(2, 3, 2).ints("i", new long[] {2, 3}, 1, 2, 0, 0, 1, 1).node("GatherNd", "y", "x i");
        check(elements, x, sizes(2, 3, 2), 10, 3);
        TfGraph rows =
                input(2, 3, 2).ints("i", new long[] {1, 2, 2}, 1, 0, 0, 2).node("GatherNd", "y", "x i");
        check(rows, x, sizes(2, 3, 2), 6, 7, 4, 5);
    }

    @Test
    void reductionsOfConditionsAndSquares() throws IOException {
        float[] x = {3, 0, 4, -1, 2, 2};
        TfGraph all = input(2, 3)
                .number("zero", 0)
                .ints("axis", 1)
                .node("NotEqual", "c", "x zero")
                .node("All", "a", "c axis")
                .node("Cast", "y", "a", "DstT=float");
        check(all, x, sizes(2, 3), 0, 1);
        TfGraph any = input(2, 3)
                .number("zero", 0)
                .ints("axis", 0)
                .node("Less", "c", "x zero")
                .node("Any", "a", "c axis", "keep_dims=true")
                .node("Cast", "y", "a", "DstT=float");
        check(any, x, sizes(2, 3), 1, 0, 0);
        check(input(2, 3).ints("axis", 1).node("EuclideanNorm", "y", "x axis"), x, sizes(2, 3), 5, 3);
        check(input(2, 3).node("L2Loss", "y", "x"), x, sizes(2, 3), 17);
    }

    @Test
    void functions() throws IOException {
        float[] x = {-1, 0.5f, 2};
        float[] tangent = new float[3];
        float[] sine = new float[3];
        float[] cosine = new float[3];
        for (int i = 0; i < 3; i++) {
            tangent[i] = (float) Math.tan(x[i]);
            sine[i] = (float) Math.sinh(x[i]);
            cosine[i] = (float) Math.cosh(x[i]);
        }
        check(input(3).node("Tan", "y", "x"), x, sizes(3), tangent);
        check(input(3).node("Sinh", "y", "x"), x, sizes(3), sine);
        check(input(3).node("Cosh", "y", "x"), x, sizes(3), cosine);
        check(input(3).node("Erfc", "y", "x"), x, sizes(3), 1.8427008f, 0.4795001f, 0.0046777f);
        TfGraph nan = input(3).node("IsNan", "n", "x").node("Cast", "y", "n", "DstT=float");
        check(nan, new float[] {1, Float.NaN, Float.POSITIVE_INFINITY}, sizes(3), 0, 1, 0);
        TfGraph either = input(3).number("zero", 0)
                .number("one", 1)
                .node("Greater", "a", "x zero")
                .node("Greater", "b", "x one")
                .node("LogicalXor", "c", "a b")
                .node("Cast", "y", "c", "DstT=float");
        check(either, x, sizes(3), 0, 1, 0);
    }

    /** A few bytes in a file, of which many more would be made when it is read. */
    @Test
    void aLargeConstantOfOneValueIsMadeInTheRun() throws IOException {
        for (boolean given : new boolean[] {true, false}) {
            TensorProto.Builder large = TfGraph.tensor(DataType.DT_FLOAT, (1L << 22) + 1, 4);
            TfGraph graph = input(4).constant("w", given ? large.addFloatVal(1.5f) : large)
                    .integer("axis", 0)
                    .node("Mul", "product", "x w")
                    .node("Max", "y", "product axis");
            float w = given ? 1.5f : 0;
            check(graph, new float[] {1, 2, 3, 4}, sizes(4), w, 2 * w, 3 * w, 4 * w);
        }
    }

    @Test
    void roundingToSteps() throws IOException {
        // 256 steps from -1 to 1.55: 0.01 each, with 0 among them
        TfGraph given = input(5).node("FakeQuantWithMinMaxArgs", "y", "x", "min=-1.0", "max=1.55", "num_bits=8");
        check(given, new float[] {-7, 0.004f, 0.0151f, 1.2345f, 9}, sizes(5), -1, 0, 0.02f, 1.23f, 1.55f);
        TfGraph read = input(3).number("min", -0.1f)
                .number("max", 1.3f)
                .node("FakeQuantWithMinMaxVars", "y", "x min max", "num_bits=3", "narrow_range=false");
        // 8 steps of 0.2, of which half a one is below 0: it is moved up to begin at -0.2
        check(read, new float[] {-1, 0.29f, 5}, sizes(3), -0.2f, 0.2f, 1.2f);
        // 256 steps of 0.01 as from 1 to 3.55, but from 0
        TfGraph above = input(4).node("FakeQuantWithMinMaxArgs", "y", "x", "min=1.0", "max=3.55");
        check(above, new float[] {-1, 0.5f, 1.234f, 3}, sizes(4), 0, 0.5f, 1.23f, 2.55f);
        TfGraph below = input(4).node("FakeQuantWithMinMaxArgs", "y", "x", "min=-3.55", "max=-1.0");
        check(below, new float[] {-4, -0.5f, -1.234f, 1}, sizes(4), -2.55f, -0.5f, -1.23f, 0);
        TfGraph untrained =
                input(3).number("min", 0).number("max", 0).node("FakeQuantWithMinMaxVars", "y", "x min max");
        check(untrained, new float[] {-1, 0.5f, 3}, sizes(3), 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"false, REFLECT", "true, SYMMETRIC"})
    void convolutionOfWhatIsResampledAndPadded(boolean align, String mode) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 4, 5, 2);
        Nhwc w = Nhwc.random(2, 3, 2, 2, 3);
        Nhwc larger = x.resampled(7, 6, align, false, false);
        int edge = mode.equals("REFLECT") ? 0 : 1;
        Nhwc padded = new Nhwc(2, 10, 7, 2);
        for (int i = 0; i < padded.data.length; i++) {
            int row = i / 14 % 10 - 1;
            int column = i / 2 % 7;
            row = row < 0 ? -row - edge : row > 6 ? 12 - row + edge : row;
            column = column > 5 ? 10 - column + edge : column;
            padded.data[i] = larger.get(i / 140, row, column, i % 2);
        }
        TfGraph graph = input(2, 4, 5, 2)
                .ints("size", 7, 6)
                .ints("pads", new long[] {4, 2}, 0, 0, 1, 2, 0, 1, 0, 0)
                .floats("w", w.sizes(), w.data)
                .node(
                        "FusedResizeAndPadConv2D",
                        "y",
                        "x size pads w",
                        "mode=" + mode,
                        "resize_align_corners=" + align,
                        "padding=VALID",
                        "strides=[1,2,1,1]");
        Nhwc expected = padded.convolved(w, Walk.valid(10, 3, 2, 1), Walk.valid(7, 2, 1, 1));
        check(graph, x.data, x.sizes(), expected.data);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 5, 7", "3, 2, 7, 8", "3, 1, 5, 5", "2, 3, 8, 8"})
    void gradientsOfMaxima(int kernel, int stride, int height, int width) throws IOException {
        Nhwc x = Nhwc.random(1, 2, height, width, 3);
        for (int i = 0; i < x.data.length; i++) {
            x.data[i] = Math.round(x.data[i] * 3); // so that some are equal
        }
        int rows = (height - kernel) / stride + 1;
        int columns = (width - kernel) / stride + 1;
        Nhwc gradient = Nhwc.random(2, 2, rows, columns, 3);
        Nhwc expected = new Nhwc(2, height, width, 3);
        for (int i = 0; i < gradient.data.length; i++) {
            int best = -1;
            for (int place = 0; place < kernel * kernel; place++) {
                int row = i / 3 / columns % rows * stride + place / kernel;
                int column = i / 3 % columns * stride + place % kernel;
                int at = x.at(i / 3 / columns / rows, row, column, i % 3);
                best = best < 0 || x.data[at] > x.data[best] ? at : best;
            }
            expected.data[best] += gradient.data[i];
        }
        String[] pool = {
            "padding=VALID", "ksize=[1," + kernel + "," + kernel + ",1]", "strides=[1," + stride + "," + stride + ",1]"
        };
        TfGraph graph = input(2, -1, -1, 3)
                .floats("g", gradient.sizes(), gradient.data)
                .node("MaxPool", "p", "x", pool)
                .node("MaxPoolGrad", "y", "x p g", pool);
        check(graph, x.data, x.sizes(), expected.data);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void cubicResampling(boolean align, boolean half) throws IOException {
        Nhwc x = Nhwc.random(1, 1, 4, 6, 2);
        Nhwc expected = new Nhwc(1, 8, 3, 2);
        for (int i = 0; i < expected.data.length; i++) {
            double sum = 0;
            double all = 0;
            double down = place(i / 6, 4, 8, align, half);
            double across = place(i / 2 % 3, 6, 3, align, half);
            for (int row = (int) Math.floor(down) - 1; row < Math.floor(down) + 3; row++) {
                for (int column = (int) Math.floor(across) - 1; column < Math.floor(across) + 3; column++) {
                    boolean inside = row >= 0 && row < 4 && column >= 0 && column < 6;
                    double weight = weight(row - down, half) * weight(column - across, half);
                    if (inside || !half) {
                        sum += weight
                                * x.get(0, Math.max(0, Math.min(3, row)), Math.max(0, Math.min(5, column)), i % 2);
                        all += weight;
                    }
                }
            }
            expected.data[i] = (float) (sum / all);
        }
        TfGraph graph = input(1, 4, 6, 2)
                .ints("size", 8, 3)
                .node("ResizeBicubic", "y", "x size", "align_corners=" + align, "half_pixel_centers=" + half);
        check(graph, x.data, x.sizes(), expected.data);
    }

    private static double place(int at, int in, int out, boolean align, boolean half) {
        return half ? (at + 0.5) * in / out - 0.5 : align ? at * (in - 1.0) / (out - 1) : (double) at * in / out;
    }

    /** The cubic convolution of Keys, with the coefficient that belongs to the kind of pixels. */
    private static double weight(double distance, boolean half) {
        double a = half ? -0.5 : -0.75;
        double t = Math.abs(distance);
        return t <= 1 ? ((a + 2) * t - (a + 3)) * t * t + 1 : t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
    }

    /** Gates stand in one order in the first version, and in another one in the second. */
    @ParameterizedTest
    @CsvSource({
        "BlockLSTM, 1, 0.5, 3, 3",
        "BlockLSTMV2, 2, 0, 2, 3",
        "BlockLSTMV2, 2, 0, 2, -1",
        "LSTMBlockCell, 1, 0.5, 1, 1"
    })
    void longShortTermMemories(String op, int version, float forget, int steps, int length) throws IOException {
        Nhwc x = Nhwc.random(1, 1, 3, 1, 2);
        Nhwc w = Nhwc.random(2, 1, 1, 5, 12);
        Nhwc b = Nhwc.random(3, 1, 1, 7, 3);
        float[] bias = Arrays.copyOf(b.data, 12);
        float[] peephole = {b.data[12], b.data[13], b.data[14]};
        float[] h = {0.1f, 0.2f, 0.3f};
        float[] c = {-0.3f, 0.4f, 2};
        float[] expected = new float[9];
        double[] before = {h[0], h[1], h[2]};
        double[] cells = {c[0], c[1], c[2]};
        for (int t = 0; t < steps; t++) {
            double[] sums = new double[12];
            for (int gate = 0; gate < 12; gate++) {
                sums[gate] = bias[gate];
                for (int i = 0; i < 5; i++) {
                    sums[gate] += w.data[i * 12 + gate] * (i < 2 ? x.data[t * 2 + i] : before[i - 2]);
                }
            }
            for (int unit = 0; unit < 3; unit++) {
                double added = sums[(version == 1 ? 3 : 6) + unit];
                double kept = sums[(version == 1 ? 6 : 3) + unit] + forget;
                double old = cells[unit];
                cells[unit] = old * sigmoid(kept + peephole[unit] * old)
                        + Math.tanh(added) * sigmoid(sums[unit] + peephole[unit] * old);
                cells[unit] = Math.max(-0.9, Math.min(0.9, cells[unit]));
                before[unit] = Math.tanh(cells[unit]) * sigmoid(sums[9 + unit] + peephole[unit] * cells[unit]);
                expected[t * 3 + unit] = (float) before[unit];
            }
        }
        boolean single = op.equals("LSTMBlockCell");
        TfGraph graph = (single ? input(1, 2) : input(length, 1, 2))
                .floats("w", new long[] {5, 12}, w.data)
                .floats("b", new long[] {12}, bias)
                .floats("p", new long[] {3}, peephole)
                .floats("h", new long[] {1, 3}, h)
                .floats("c", new long[] {1, 3}, c)
                .integer("steps", steps);
        String operands = single ? "x c h w p p p b" : "steps x c h w p p p b";
        if (version == 1) {
            graph.node(op, "l", operands, "use_peephole=true", "cell_clip=0.9", "forget_bias=" + forget);
        } else {
            graph.node(op, "l", operands, "use_peephole=true", "cell_clip=0.9");
        }
        graph.node("Identity", "y", "l:6");
        float[] given = Arrays.copyOf(x.data, single ? 2 : 6);
        float[] wanted = Arrays.copyOf(expected, single ? 3 : 9);
        check(graph, given, single ? sizes(1, 2) : sizes(3, 1, 2), wanted);
    }

    private static double sigmoid(double value) {
        return 1 / (1 + Math.exp(-value));
    }

    @Test
    void whatIsNotMeantIsRefused() throws IOException {
        Path same = input(1, 4, 4, 1)
                .node("MaxPool", "p", "x", "padding=SAME", "ksize=[1,2,2,1]", "strides=[1,2,2,1]")
                .node("MaxPoolGrad", "y", "x p p", "padding=SAME", "ksize=[1,2,2,1]", "strides=[1,2,2,1]")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(same))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator MaxPoolGrad with padding SAME");
        Path gates = input(1, 2)
                .floats("w", new long[] {3, 4}, new float[12])
                .floats("b", new long[] {4}, new float[4])
                .floats("z", new long[] {1, 1}, 0)
                .floats("p", new long[] {1}, 0)
                .node("LSTMBlockCell", "l", "x z z w p p p b")
                .node("Relu", "y", "l:3")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(gates))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator LSTMBlockCell with gates that are read");
        Path open = input(-1).integer("axis", 0).node("Cumprod", "y", "x axis").write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(open))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator Cumprod with an axis whose size is not known");
    }
}
