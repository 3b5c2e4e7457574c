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
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fourier transforms against their definition, and complex numbers that only their own operators take. */
class TfFourierTest {

    private static final Offset<Float> TOLERANCE = Offset.offset(1e-5f);

    @TempDir
    Path folder;

    private float[] run(TfGraph graph, float[] x, long... sizes) throws IOException {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(engine.read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(x, sizes)))) {
            return result.outputs().values().iterator().next().copy().toFloatArray();
        }
    }

    private static float[] signal(int size) {
        float[] x = new float[size];
        for (int i = 0; i < size; i++) {
            x[i] = (i * 7 % 5 - 2) * 0.5f + i * 0.1f;
        }
        return x;
    }

    /** The real and the imaginary part of one frequency of a signal, with zeros behind it or without its end. */
    private static double[] frequency(float[] x, int from, int size, int number, int length) {
        double[] sums = new double[2];
        for (int i = 0; i < Math.min(size, length); i++) {
            double turn = -2 * Math.PI * i * number / length;
            sums[0] += x[from + i] * Math.cos(turn);
            sums[1] += x[from + i] * Math.sin(turn);
        }
        return sums;
    }

    @ParameterizedTest
    @CsvSource({"8, 8, 8", "8, 8, -1", "7, 7, 7", "9, 6, 9", "9, 6, -1", "3, 8, -1"})
    void transformsOfRealSignals(int size, int length, int declared) throws IOException {
        float[] x = signal(2 * size);
        int count = length / 2 + 1;
        float[] real = new float[2 * count];
        float[] imaginary = new float[2 * count];
        float[] distance = new float[2 * count];
        float[] angle = new float[2 * count];
        for (int i = 0; i < 2 * count; i++) {
            double[] parts = frequency(x, i / count * size, size, i % count, length);
            real[i] = (float) parts[0];
            imaginary[i] = (float) parts[1];
            distance[i] = (float) Math.hypot(parts[0], parts[1]);
            angle[i] = (float) Math.atan2(parts[1], parts[0]);
        }
        for (Map.Entry<String, float[]> wanted : Map.of(
                        "Real", real,
                        "Imag", imaginary,
                        "ComplexAbs", distance,
                        "Angle", angle)
                .entrySet()) {
            TfGraph graph = new TfGraph()
                    .input("x", 2, declared)
                    .ints("length", length)
                    .node("RFFT", "c", "x length")
                    .node(wanted.getKey(), "y", "c");
            float[] found = run(graph, x, 2, size);
            for (int i = 0; i < found.length; i++) {
                boolean isDefined = !wanted.getKey().equals("Angle") || Math.abs(imaginary[i]) > 1e-4;
                if (isDefined) {
                    assertThat(found[i]).as(wanted.getKey() + " " + i).isCloseTo(wanted.getValue()[i], TOLERANCE);
                }
            }
            assertThat(found).hasSameSizeAs(wanted.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8})
    void signalsComeBackFromTheirHalf(int size) throws IOException {
        float[] x = signal(3 * size);
        TfGraph graph = new TfGraph()
                .input("x", 3, size)
                .ints("length", size)
                .node("RFFT", "c", "x length")
                .node("Identity", "same", "c")
                .node("IRFFT", "y", "same length");
        assertThat(run(graph, x, 3, size)).containsExactly(x, TOLERANCE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8})
    void complexSignalsAreTransformedThereAndBack(int size) throws IOException {
        float[] x = signal(2 * size);
        float[] imaginary = Arrays.copyOf(signal(size), size);
        float[] wanted = new float[2 * size];
        for (int i = 0; i < 2 * size; i++) {
            double[] own = frequency(x, i / size * size, size, i % size, size);
            double[] other = frequency(imaginary, 0, size, i % size, size);
            wanted[i] = (float) (own[0] - other[1]);
        }
        TfGraph forth = new TfGraph()
                .input("x", 2, size)
                .floats("i", new long[] {size}, imaginary)
                .node("Complex", "c", "x i")
                .node("FFT", "f", "c");
        assertThat(run(forth.node("Real", "y", "f"), x, 2, size)).containsExactly(wanted, TOLERANCE);
        TfGraph back = new TfGraph()
                .input("x", 2, size)
                .floats("i", new long[] {size}, imaginary)
                .node("Complex", "c", "x i")
                .node("FFT", "f", "c")
                .node("IFFT", "b", "f")
                .node("Real", "y", "b");
        assertThat(run(back, x, 2, size)).containsExactly(x, TOLERANCE);
    }

    /** The parts of the transform of a plane, with the sign -1 forth and 1 back, and its scale. */
    private static float[] plane(float[] real, float[] imaginary, int rows, int columns, int sign) {
        float[] parts = new float[2 * rows * columns];
        double scale = sign < 0 ? 1 : 1.0 / (rows * columns);
        for (int down = 0; down < rows; down++) {
            for (int across = 0; across < columns; across++) {
                double[] sums = new double[2];
                for (int row = 0; row < rows; row++) {
                    for (int column = 0; column < columns; column++) {
                        int i = row * columns + column;
                        double turn =
                                sign * 2 * Math.PI * ((double) row * down / rows + (double) column * across / columns);
                        sums[0] += real[i] * Math.cos(turn) - imaginary[i] * Math.sin(turn);
                        sums[1] += real[i] * Math.sin(turn) + imaginary[i] * Math.cos(turn);
                    }
                }
                int place = 2 * (down * columns + across);
                parts[place] = (float) (scale * sums[0]);
                parts[place + 1] = (float) (scale * sums[1]);
            }
        }
        return parts;
    }

    private static float[] every(float[] all, int first, int step) {
        float[] some = new float[(all.length - first + step - 1) / step];
        for (int i = 0; i < some.length; i++) {
            some[i] = all[first + i * step];
        }
        return some;
    }

    @ParameterizedTest
    @CsvSource({"FFT2D, -1", "IFFT2D, 1"})
    void planesAreTransformed(String op, int sign) throws IOException {
        float[] x = signal(15);
        float[] imaginary = new float[15];
        for (int i = 0; i < imaginary.length; i++) {
            imaginary[i] = 0.25f * (i % 4) - x[i] / 2;
        }
        float[] wanted = plane(x, imaginary, 3, 5, sign);
        for (int part = 0; part < 2; part++) {
            TfGraph graph = new TfGraph()
                    .input("x", 3, 5)
                    .floats("i", new long[] {3, 5}, imaginary)
                    .node("Complex", "c", "x i")
                    .node(op, "f", "c")
                    .node(part == 0 ? "Real" : "Imag", "y", "f");
            assertThat(run(graph, x, 3, 5)).containsExactly(every(wanted, part, 2), TOLERANCE);
        }
    }

    @Test
    void planesComeBackFromTheirHalf() throws IOException {
        float[] x = signal(2 * 3 * 4);
        TfGraph graph = new TfGraph()
                .input("x", 2, 3, 4)
                .ints("length", 3, 4)
                .node("RFFT2D", "c", "x length")
                .node("IRFFT2D", "y", "c length");
        assertThat(run(graph, x, 2, 3, 4)).containsExactly(x, TOLERANCE);
    }

    /** Of z = x + 2i x and w = 1 + x - i. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mul | 4 3 0 0 -2 1",
                "RealDiv | 0 1 0 0 2 -1",
                "Sub | -1 3 -1 1 -1 -1",
                "AddV2 | 3 1 1 -1 -1 -3",
            })
    void arithmeticOfComplexNumbers(String op, String parts) throws IOException {
        float[] x = {1, 0, -1};
        float[] wanted = parts(parts);
        for (int part = 0; part < 2; part++) {
            TfGraph graph = new TfGraph()
                    .input("x", 3)
                    .number("two", 2)
                    .number("one", 1)
                    .number("minus", -1)
                    .node("Mul", "twice", "x two")
                    .node("Add", "more", "x one")
                    .node("Complex", "z", "x twice")
                    .node("Complex", "w", "more minus")
                    .node(op, "c", "z w")
                    .node(part == 0 ? "Real" : "Imag", "y", "c");
            assertThat(run(graph, x, 3)).as(op).containsExactly(every(wanted, part, 2), TOLERANCE);
        }
    }

    private static float[] parts(String numbers) {
        String[] words = numbers.split(" ", -1);
        float[] parts = new float[words.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Float.parseFloat(words[i]);
        }
        return parts;
    }

    /** Of z = x + i. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Conj | z | 1 -1 2 -1",
                "Neg | z | -1 -1 -2 -1",
                "Exp | z | 1.468694 2.2873552 3.992324 6.217676",
                "ReverseV2 | z axis | 2 1 1 1",
                "Reshape | z shape | 1 1 2 1",
                "ExpandDims | z axis | 1 1 2 1",
                "ConcatV2 | z z axis | 1 1 2 1 1 1 2 1",
                "Sum | z axis | 3 2",
            })
    void operatorsOfComplexNumbers(String op, String inputs, String parts) throws IOException {
        float[] wanted = parts(parts);
        for (int part = 0; part < 2; part++) {
            TfGraph graph = new TfGraph()
                    .input("x", 2)
                    .number("one", 1)
                    .ints("shape", 2, 1)
                    .integer("axis", 0);
            if (op.equals("ReverseV2")) {
                graph = new TfGraph().input("x", 2).number("one", 1).ints("axis", 0);
            }
            graph.node("Complex", "z", "x one").node(op, "c", inputs).node(part == 0 ? "Real" : "Imag", "y", "c");
            assertThat(run(graph, new float[] {1, 2}, 2)).as(op).containsExactly(every(wanted, part, 2), TOLERANCE);
        }
    }

    @Test
    void realNumbersAreComplexOnesAndBack() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 2, 3)
                .constant(
                        "w",
                        TfGraph.tensor(DataType.DT_COMPLEX64, 3)
                                .addScomplexVal(2)
                                .addScomplexVal(1)
                                .addScomplexVal(-1)
                                .addScomplexVal(3))
                .node("Cast", "c", "x", "SrcT=DT_FLOAT", "DstT=DT_COMPLEX64")
                .node("Mul", "d", "c w")
                .node("Imag", "i", "d")
                .node("Cast", "r", "d", "SrcT=DT_COMPLEX64", "DstT=DT_FLOAT")
                .node("Sub", "y", "r i");
        // the last of a constant's numbers is repeated
        assertThat(run(graph, new float[] {1, 2, 3, 4, 5, 6}, 2, 3))
                .containsExactly(new float[] {1, -8, -12, 4, -20, -24}, TOLERANCE);
    }

    @Test
    void sizesOfComplexNumbersAreThoseOfTheirParts() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", -1, 3)
                .node("Complex", "c", "x x")
                .node("Shape", "s", "c")
                .node("Cast", "y", "s", "SrcT=int32", "DstT=float");
        assertThat(run(graph, new float[6], 2, 3)).containsExactly(2, 3);
    }

    @Test
    void complexConstantsThatDoNotFitAreRefused() throws IOException {
        for (int parts : new int[] {1, 6}) {
            TensorProto.Builder value = TfGraph.tensor(DataType.DT_COMPLEX64, 2);
            for (int i = 0; i < parts; i++) {
                value.addScomplexVal(i);
            }
            Path file = new TfGraph()
                    .input("x", 2)
                    .constant("w", value)
                    .node("Real", "r", "w")
                    .node("Add", "y", "x r")
                    .write(folder);
            assertThatThrownBy(() -> Importers.builtIn().read(file))
                    .hasMessageContaining("its 2 complex numbers have " + parts + " parts");
        }
    }

    @Test
    void otherOperatorsTakeNoComplexNumbers() throws IOException {
        TfGraph transform = new TfGraph().input("x", 2, 8).ints("length", 8).node("RFFT", "c", "x length");
        Path given = transform.write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(given))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("with complex numbers");
        assertThat(Importers.builtIn().read(given, UnsupportedLayers.OPAQUE).nodes())
                .singleElement()
                .matches(node -> node.opaque().isPresent());
        Path read = transform.node("Relu", "s", "c").write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(read))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator Relu with complex numbers");
        Path real = new TfGraph()
                .input("x", DataType.DT_FLOAT, 2, 8)
                .node("Real", "y", "x")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(real))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator Real with an input that is no complex number");
    }

    @Test
    void transformsAreNoLongerThanTheirMatricesMayBe() throws IOException {
        Path path = new TfGraph()
                .input("x", 2, 8)
                .ints("length", 1 << 13)
                .node("RFFT", "c", "x length")
                .node("ComplexAbs", "y", "c")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(path))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator RFFT with a matrix of 8192 x 8194");
        Path two = new TfGraph()
                .input("x", 2, 8)
                .ints("length", 4000)
                .node("RFFT", "c", "x length")
                .node("ComplexAbs", "a", "c")
                .node("RFFT", "d", "a length")
                .node("ComplexAbs", "y", "d")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(two))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("node 4 'd' (RFFT): operator RFFT with a matrix of 4000 x 4002");
    }
}
