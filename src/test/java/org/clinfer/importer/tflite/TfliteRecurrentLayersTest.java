package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LSTM, a cell of one step, in its two forms. */
class TfliteRecurrentLayersTest {

    private static final int BATCH = 2;
    private static final int INPUTS = 3;
    private static final int UNITS = 4;

    @TempDir
    Path folder;

    private static float[] random(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat() * 2 - 1;
        }
        return values;
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** The basic kernel with all of its outputs, the last two of which are its working memory. */
    private static TfliteNet basic(float[] weights, float[] bias) {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", BATCH, INPUTS);
        int h = net.input("h", "float32", BATCH, UNITS);
        int c = net.input("c", "float32", BATCH, UNITS);
        int w = net.floats("w", weights, 4 * UNITS, INPUTS + UNITS);
        int b = net.floats("b", bias, 4 * UNITS);
        int newH = net.value("new_h", "float32", BATCH, UNITS);
        int newC = net.value("new_c", "float32", BATCH, UNITS);
        int joined = net.value("joined", "float32", BATCH, INPUTS + UNITS);
        int sums = net.value("sums", "float32", BATCH, 4 * UNITS);
        return net.op(
                        "LSTM",
                        new int[] {x, h, w, b, c},
                        new int[] {newH, newC, joined, sums},
                        "fused_activation_function=4 kernel_type=1")
                .output(newH)
                .output(newC);
    }

    @Test
    void theBasicCellIsThatOfItsDefinition() throws IOException {
        Random random = new Random(3);
        float[] weights = random(random, 4 * UNITS * (INPUTS + UNITS));
        float[] bias = random(random, 4 * UNITS);
        float[] x = random(random, BATCH * INPUTS);
        float[] h = random(random, BATCH * UNITS);
        float[] c = random(random, BATCH * UNITS);
        Map<String, Tensor> results = basic(weights, bias)
                .run(
                        folder,
                        Map.of(
                                "x", Tensor.of(x, BATCH, INPUTS),
                                "h", Tensor.of(h, BATCH, UNITS),
                                "c", Tensor.of(c, BATCH, UNITS)));
        Tensor newH = Objects.requireNonNull(results.get("new_h"));
        Tensor newC = Objects.requireNonNull(results.get("new_c"));
        for (int batch = 0; batch < BATCH; batch++) {
            for (int unit = 0; unit < UNITS; unit++) {
                double[] gates = new double[4];
                for (int gate = 0; gate < 4; gate++) {
                    int row = gate * UNITS + unit;
                    gates[gate] = bias[row];
                    for (int i = 0; i < INPUTS + UNITS; i++) {
                        float value = i < INPUTS ? x[batch * INPUTS + i] : h[batch * UNITS + i - INPUTS];
                        gates[gate] += (double) weights[row * (INPUTS + UNITS) + i] * value;
                    }
                }
                int at = batch * UNITS + unit;
                double cell = sigmoid(gates[2]) * c[at] + sigmoid(gates[0]) * Math.tanh(gates[1]);
                assertThat(newC.getDouble(at)).isCloseTo(cell, within(1e-5));
                assertThat(newH.getDouble(at)).isCloseTo(sigmoid(gates[3]) * Math.tanh(cell), within(1e-5));
            }
        }
    }

    @Test
    void workingMemoryIsNotRead() {
        TfliteNet net = basic(new float[4 * UNITS * (INPUTS + UNITS)], new float[4 * UNITS]);
        int joined = IntStream.range(0, net.tensors.size())
                .filter(i -> net.tensors.get(i).name().equals("joined"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> net.output(joined).read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("'joined'")
                .hasMessageContaining("no operator gives it");
    }

    /** A cell, or a sequence with the steps first, on the same numbers. */
    private static TfliteNet full(boolean isSequence, Map<String, float[]> constants) {
        TfliteNet net = new TfliteNet();
        int[] steps = isSequence ? new int[] {1, BATCH, INPUTS} : new int[] {BATCH, INPUTS};
        int[] from = new int[24];
        Arrays.fill(from, -1);
        from[0] = net.input("x", "float32", steps);
        for (int gate = 0; gate < 4; gate++) {
            from[1 + gate] = net.floats("w" + gate, Objects.requireNonNull(constants.get("w" + gate)), UNITS, INPUTS);
            from[5 + gate] = net.floats("r" + gate, Objects.requireNonNull(constants.get("r" + gate)), UNITS, UNITS);
            from[12 + gate] = net.floats("b" + gate, Objects.requireNonNull(constants.get("b" + gate)), UNITS);
        }
        from[18] = net.value("h", "float32", BATCH, UNITS);
        from[19] = net.value("c", "float32", BATCH, UNITS);
        net.variable(from[18]).variable(from[19]);
        int y = net.value("y", "float32", isSequence ? new int[] {1, BATCH, UNITS} : new int[] {BATCH, UNITS});
        String options = "fused_activation_function=4 cell_clip=0.5";
        return net.op(
                        isSequence ? "UNIDIRECTIONAL_SEQUENCE_LSTM" : "LSTM",
                        y,
                        isSequence ? options + " time_major=1" : options,
                        from)
                .output(y);
    }

    @Test
    void aCellIsASequenceOfOneStep() throws IOException {
        Random random = new Random(4);
        Map<String, float[]> constants = new LinkedHashMap<>();
        for (int gate = 0; gate < 4; gate++) {
            constants.put("w" + gate, random(random, UNITS * INPUTS));
            constants.put("r" + gate, random(random, UNITS * UNITS));
            constants.put("b" + gate, random(random, UNITS));
        }
        float[] x = random(random, BATCH * INPUTS);
        Tensor cell = full(false, constants).one(folder, Map.of("x", Tensor.of(x, BATCH, INPUTS)));
        Tensor sequence = full(true, constants).one(folder, Map.of("x", Tensor.of(x, 1, BATCH, INPUTS)));
        assertThat(cell.shape().sizes()).containsExactly(BATCH, UNITS);
        assertThat(cell.toFloatArray()).containsExactly(sequence.toFloatArray());
    }
}
