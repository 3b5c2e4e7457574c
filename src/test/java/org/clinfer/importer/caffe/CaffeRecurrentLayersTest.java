package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.IoBinding;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recurrent layers against Caffe's unrolled nets, written out here as loops over their steps, with random weights. */
class CaffeRecurrentLayersTest {

    private static final int SEQUENCES = 2;
    private static final int INPUTS = 4;
    private static final int STATIC = 3;
    private static final int UNITS = 5;

    /** Factors of the states before each step: 0 where a sequence begins, 1 where it goes on, and one between the two. */
    private static final float[] FACTORS = {0, 1, 1, 0.5f, 0, 1};

    @TempDir
    Path folder;

    private final Random random = new Random(5);

    private float[] numbers(int count) {
        float[] made = new float[count];
        for (int i = 0; i < count; i++) {
            made[i] = random.nextFloat() - 0.5f;
        }
        return made;
    }

    /** {@code weights * x}, for a matrix with a row for each result. */
    private static double[] product(float[] weights, double[] x) {
        return IntStream.range(0, weights.length / x.length)
                .mapToDouble(row -> IntStream.range(0, x.length)
                        .mapToDouble(i -> weights[row * x.length + i] * x[i])
                        .sum())
                .toArray();
    }

    private static double[] sum(double[]... summands) {
        return IntStream.range(0, summands[0].length)
                .mapToDouble(i ->
                        Arrays.stream(summands).mapToDouble(each -> each[i]).sum())
                .toArray();
    }

    private static double[] row(float[] values, int row, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> values[row * length + i])
                .toArray();
    }

    private static double[] times(double[] x, double factor) {
        return Arrays.stream(x).map(v -> v * factor).toArray();
    }

    private static double[] tanh(double[] x) {
        return Arrays.stream(x).map(Math::tanh).toArray();
    }

    private static double logistic(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static <V> V of(Map<String, V> map, String key) {
        return Objects.requireNonNull(map.get(key));
    }

    private static void assertClose(Tensor actual, List<double[]> expected, long... shape) {
        assertThat(actual.shape().sizes()).containsExactly(shape);
        double[] all = expected.stream().flatMapToDouble(Arrays::stream).toArray();
        assertThat(actual.toDoubleArray()).containsExactly(all, within(1e-5));
    }

    /** A network of one layer with a given number of steps, what the caller supplies for it, and its states before them. */
    private final class Case {

        private final int steps;
        private final boolean constant;
        private final boolean exposed;
        private final Map<String, Tensor> inputs = new HashMap<>();
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder bottoms = new StringBuilder();
        private final float[] x;
        private final float[] beside = numbers(SEQUENCES * STATIC);
        private final Map<String, double[][]> states = new HashMap<>();
        private final List<float[]> blobs = new ArrayList<>();
        private final List<long[]> shapes = new ArrayList<>();

        Case(int steps, boolean constant, boolean exposed, String... states) {
            this.steps = steps;
            this.constant = constant;
            this.exposed = exposed;
            this.x = numbers(steps * SEQUENCES * INPUTS);
            input("x", x, steps, SEQUENCES, 2, INPUTS / 2);
            input("cont", Arrays.copyOf(FACTORS, steps * SEQUENCES), steps, SEQUENCES);
            if (constant) {
                input("static", beside, SEQUENCES, STATIC);
            }
            for (String state : states) {
                float[] values = exposed ? numbers(SEQUENCES * UNITS) : new float[SEQUENCES * UNITS];
                if (exposed) {
                    input(state + "_0", values, 1, SEQUENCES, UNITS);
                }
                double[][] rows = IntStream.range(0, SEQUENCES)
                        .mapToObj(i -> row(values, i, UNITS))
                        .toArray(double[][]::new);
                this.states.put(state, rows);
            }
        }

        private void input(String name, float[] values, long... shape) {
            text.append("input: '").append(name).append("' input_shape {");
            Arrays.stream(shape).forEach(size -> text.append(" dim: ").append(size));
            text.append(" }\n");
            bottoms.append(" bottom: '").append(name).append('\'');
            inputs.put(name, Tensor.of(values, shape));
        }

        float[] blob(int... shape) {
            float[] values = numbers(Arrays.stream(shape).reduce(1, (a, b) -> a * b));
            blobs.add(values);
            shapes.add(Arrays.stream(shape).asLongStream().toArray());
            return values;
        }

        float[] staticBlob(int rows) {
            return constant ? blob(rows, STATIC) : new float[0];
        }

        /** The sum of a step's inputs. */
        double[] given(int step, int sequence, float[] weights, float[] bias, float[] ofStatic) {
            double[] sum =
                    sum(product(weights, row(x, step * SEQUENCES + sequence, INPUTS)), row(bias, 0, bias.length));
            return constant ? sum(sum, product(ofStatic, row(beside, sequence, STATIC))) : sum;
        }

        double[] state(String name, int sequence) {
            return of(states, name)[sequence];
        }

        void setState(String name, int sequence, double[] values) {
            of(states, name)[sequence] = values;
        }

        CaffeNet net(String type) {
            String tops = exposed
                    ? states.keySet().stream().sorted().toList().equals(List.of("h"))
                            ? " top: 'h_T'"
                            : " top: 'h_T' top: 'c_T'"
                    : "";
            text.append("layer { name: 'l' type: '")
                    .append(type)
                    .append('\'')
                    .append(bottoms)
                    .append(" top: 'y'");
            text.append(tops).append(" recurrent_param { num_output: ").append(UNITS);
            text.append(exposed ? " expose_hidden: true" : "").append(" } }\n");
            CaffeNet net = CaffeNet.of(text.toString());
            for (int i = 0; i < blobs.size(); i++) {
                net.blob("l", blobs.get(i), shapes.get(i));
            }
            return net;
        }

        void assertResults(String type, List<double[]> expected) throws IOException {
            Map<String, Tensor> outputs = CaffeNet.run(net(type).write(folder, "net"), inputs);
            assertClose(of(outputs, "y"), expected, steps, SEQUENCES, UNITS);
            states.forEach((name, rows) -> {
                if (exposed) {
                    assertClose(of(outputs, name + "_T"), List.of(rows), 1, SEQUENCES, UNITS);
                } else {
                    assertClose(of(outputs, "l_last_" + name), List.of(rows), SEQUENCES, UNITS);
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"1,false,false", "3,false,false", "3,true,false", "3,false,true", "3,true,true"})
    void lstm(int steps, boolean constant, boolean exposed) throws IOException {
        Case of = new Case(steps, constant, exposed, "h", "c");
        float[] weights = of.blob(4 * UNITS, INPUTS);
        float[] bias = of.blob(4 * UNITS);
        float[] ofStatic = of.staticBlob(4 * UNITS);
        float[] recurrence = of.blob(4 * UNITS, UNITS);
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            for (int n = 0; n < SEQUENCES; n++) {
                double factor = FACTORS[step * SEQUENCES + n];
                double[] before = times(of.state("h", n), factor);
                double[] gates = sum(product(recurrence, before), of.given(step, n, weights, bias, ofStatic));
                double[] h = new double[UNITS];
                double[] c = new double[UNITS];
                for (int d = 0; d < UNITS; d++) {
                    double i = logistic(gates[d]);
                    double f = factor * logistic(gates[UNITS + d]);
                    double o = logistic(gates[2 * UNITS + d]);
                    double g = Math.tanh(gates[3 * UNITS + d]);
                    c[d] = f * of.state("c", n)[d] + i * g;
                    h[d] = o * Math.tanh(c[d]);
                }
                of.setState("h", n, h);
                of.setState("c", n, c);
                expected.add(h);
            }
        }
        of.assertResults("LSTM", expected);
    }

    @ParameterizedTest
    @CsvSource({"1,false,false", "3,false,false", "3,true,false", "3,false,true", "3,true,true"})
    void rnn(int steps, boolean constant, boolean exposed) throws IOException {
        Case of = new Case(steps, constant, exposed, "h");
        float[] weights = of.blob(UNITS, INPUTS);
        float[] bias = of.blob(UNITS);
        float[] ofStatic = of.staticBlob(UNITS);
        float[] recurrence = of.blob(UNITS, UNITS);
        float[] outputWeights = of.blob(UNITS, UNITS);
        float[] outputBias = of.blob(UNITS);
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            for (int n = 0; n < SEQUENCES; n++) {
                double[] before = times(of.state("h", n), FACTORS[step * SEQUENCES + n]);
                double[] h = tanh(sum(product(recurrence, before), of.given(step, n, weights, bias, ofStatic)));
                of.setState("h", n, h);
                expected.add(tanh(sum(product(outputWeights, h), row(outputBias, 0, UNITS))));
            }
        }
        of.assertResults("RNN", expected);
    }

    /** A net of one step keeps its state from call to call in Caffe; here the caller carries it. */
    @ParameterizedTest
    @ValueSource(strings = {"LSTM", "RNN"})
    void stepsOneAtATimeAreTheSameAsAllAtOnce(String type) throws IOException {
        boolean lstm = type.equals("LSTM");
        int gates = lstm ? 4 : 1;
        Case all = new Case(3, false, false, lstm ? new String[] {"h", "c"} : new String[] {"h"});
        List<int[]> shapes = new ArrayList<>(List.of(
                new int[] {gates * UNITS, INPUTS}, new int[] {gates * UNITS}, new int[] {gates * UNITS, UNITS}));
        if (!lstm) {
            shapes.addAll(List.of(new int[] {UNITS, UNITS}, new int[] {UNITS}));
        }
        shapes.forEach(all::blob);
        Tensor together = of(CaffeNet.run(all.net(type).write(folder, "net"), all.inputs), "y");
        Case one = new Case(1, false, false, lstm ? new String[] {"h", "c"} : new String[] {"h"});
        Path file = one.net(type).write(folder, "net");
        List<Double> apart = new ArrayList<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                IoBinding binding = session.bind()) {
            for (Graph.Input state : model.defaults()) {
                binding.carry(state.name().replace("l_", "l_last_"), state.name());
                binding.set(state.name(), Tensor.of(new float[SEQUENCES * UNITS], SEQUENCES, UNITS));
            }
            int length = SEQUENCES * INPUTS;
            for (int step = 0; step < 3; step++) {
                float[] x = Arrays.copyOfRange(all.x, step * length, (step + 1) * length);
                float[] factors = Arrays.copyOfRange(FACTORS, step * SEQUENCES, (step + 1) * SEQUENCES);
                Map<String, Tensor> inputs = Map.of(
                        "x", Tensor.of(x, 1, SEQUENCES, 2, INPUTS / 2), "cont", Tensor.of(factors, 1, SEQUENCES));
                try (Result result = binding.run(inputs)) {
                    Arrays.stream(of(result.outputs(), "y").toDoubleArray()).forEach(apart::add);
                }
            }
        }
        assertThat(apart.stream().mapToDouble(Double::doubleValue).toArray())
                .containsExactly(together.toDoubleArray(), within(1e-6));
    }

    private static final String NET = """
            input: 'x' input_shape { dim: %s dim: %s dim: 4 }
            input: 'c' input_shape { dim: %s dim: 2 }
            layer { name: 'l' type: 'LSTM' bottom: 'x' bottom: 'c' %s top: 'y' recurrent_param { num_output: %s } }
            """;

    private String refusal(Object... of) throws IOException {
        Path file = CaffeNet.of(NET.formatted(of)).write(folder, "net");
        try {
            CaffeNet.run(file, Map.of());
            return "";
        } catch (GraphException | InputException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void sizesAreBounded() throws IOException {
        assertThat(refusal(100000, 2, 100000, "", 3)).contains("layer LSTM with 100000 steps, which are too many");
        assertThat(refusal(3, 2, 3, "", 1000000000)).contains("a state of 2 times 1000000000 numbers");
        assertThat(refusal(0, 2, 0, "", 3)).contains("a number of steps or sequences that is not known");
        assertThat(refusal(3, 2, 2, "", 3)).contains("but are 3x2x4 and 2x2");
        assertThat(refusal(3, 1, 3, "", 3)).contains("but are 3x1x4 and 3x2");
        assertThat(refusal(3, 2, 3, "bottom: 'x'", 3))
                .contains("its third bottom must have a row for each of 2 sequences, but is 3x2x4");
        assertThat(refusal(3, 2, 3, "bottom: 'x' bottom: 'x'", 3))
                .contains("it takes 2 or 3 bottoms without expose_hidden, but is given 4");
    }

    @Test
    void stepsAreThoseOfTheFile() throws IOException {
        Path file = CaffeNet.of(NET.formatted(3, 2, 3, "", 1)).write(folder, "net");
        Map<String, Tensor> longer = Map.of("x", Tensor.of(new float[32], 4, 2, 4), "c", Tensor.of(new float[8], 4, 2));
        assertThatThrownBy(() -> CaffeNet.run(file, longer)).isInstanceOf(InputException.class);
    }
}
