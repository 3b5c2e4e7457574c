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
        Path read = transform.node("Shape", "s", "c").write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(read))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator Shape with complex numbers");
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
