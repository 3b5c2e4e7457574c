package org.clinfer.importer.darknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.IoBinding;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recurrent layers against darknet's own loops over their steps, written out here, with random weights. */
class RecurrentLayersTest {

    private static final int STEPS = 3;
    private static final int INPUTS = 4;
    private static final int UNITS = 5;

    /** The revision that the second branch of darknet writes. */
    private static final int OF_SECOND_BRANCH = 5;

    @TempDir
    Path folder;

    private final Random random = new Random(3);

    private Path write(String layer, int steps) throws IOException {
        String net = "[net]\ninputs=" + INPUTS + "\ntime_steps=" + steps + "\n" + layer;
        return Files.writeString(folder.resolve("net.cfg"), net);
    }

    /** The numbers of a file, and how a reader of darknet takes them. */
    private static final class Numbers {

        private final List<Float> all = new ArrayList<>();
        private final Random random;

        Numbers(Random random) {
            this.random = random;
        }

        private double[] next(int count, double least) {
            float[] made = new float[count];
            for (int i = 0; i < count; i++) {
                made[i] = (float) (least + random.nextDouble());
                all.add(made[i]);
            }
            return IntStream.range(0, count).mapToDouble(i -> made[i]).toArray();
        }

        void write(Path file, int revision) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(20 + 4 * all.size()).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(0).putInt(2).putInt(revision).putLong(9);
            all.forEach(bytes::putFloat);
            Files.write(file, bytes.array());
        }

        /** A connected layer. */
        DoubleArrayFunction dense(int outputs, int inputs, boolean normalized) {
            double[] bias = next(outputs, -0.5);
            double[] weights = next(outputs * inputs, -0.5);
            double[] scale = normalized ? next(outputs, 0.5) : new double[0];
            double[] mean = normalized ? next(outputs, -0.5) : new double[0];
            double[] variance = normalized ? next(outputs, 0.5) : new double[0];
            return x -> {
                double[] y = new double[outputs];
                for (int o = 0; o < outputs; o++) {
                    for (int i = 0; i < inputs; i++) {
                        y[o] += weights[o * inputs + i] * x[i];
                    }
                    if (normalized) {
                        y[o] = (y[o] - mean[o]) / (Math.sqrt(variance[o]) + 1e-6) * scale[o];
                    }
                    y[o] += bias[o];
                }
                return y;
            };
        }
    }

    private interface DoubleArrayFunction {
        double[] apply(double[] x);
    }

    private static double logistic(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static double[] each(DoubleUnaryOperator function, double[]... summands) {
        return IntStream.range(0, summands[0].length)
                .mapToDouble(i -> {
                    double sum = 0;
                    for (double[] summand : summands) {
                        sum += summand[i];
                    }
                    return function.applyAsDouble(sum);
                })
                .toArray();
    }

    private static double[] times(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).toArray();
    }

    private static <K, V> V of(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key));
    }

    private float[] input(int steps) {
        float[] x = new float[steps * INPUTS];
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextFloat() - 0.5f;
        }
        return x;
    }

    private static double[] step(float[] x, int step) {
        return IntStream.range(0, INPUTS).mapToDouble(i -> x[step * INPUTS + i]).toArray();
    }

    /** The outputs of a run by their names. */
    private static Map<String, float[]> run(Path model, float[] x, Map<String, float[]> states) {
        Map<String, Tensor> inputs = new HashMap<>();
        inputs.put("data", Tensor.of(x, x.length / INPUTS, INPUTS));
        states.forEach((name, state) -> inputs.put(name, Tensor.of(state, 1, state.length)));
        return run(model, inputs);
    }

    private static Map<String, float[]> run(Path model, Map<String, Tensor> inputs) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            Map<String, float[]> outputs = new HashMap<>();
            result.outputs().forEach((name, value) -> outputs.put(name, value.toFloatArray()));
            return outputs;
        }
    }

    private static void assertClose(float[] actual, List<double[]> expected) {
        double[] all = expected.stream().flatMapToDouble(Arrays::stream).toArray();
        assertThat(actual).hasSize(all.length);
        for (int i = 0; i < all.length; i++) {
            assertThat((double) actual[i]).isCloseTo(all[i], within(1e-5));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,0,0,0", "3,0,0,0", "3,1,1,1", "3,0,2,0"})
    void rnn(int steps, int normalized, int logistic, int shortcut) throws IOException {
        Path file = write(
                "[rnn]\noutput=2\nhidden=" + UNITS + "\nactivation=tanh\nbatch_normalize=" + normalized + "\nlogistic="
                        + logistic + "\nshortcut=" + shortcut + "\n",
                steps);
        Numbers numbers = new Numbers(random);
        DoubleArrayFunction input = numbers.dense(UNITS, INPUTS, normalized == 1);
        DoubleArrayFunction self = numbers.dense(UNITS, UNITS, normalized == 1);
        DoubleArrayFunction output = numbers.dense(2, UNITS, normalized == 1);
        numbers.write(folder.resolve("net.weights"), 0);
        DoubleUnaryOperator own = switch (logistic) {
            case 1 -> RecurrentLayersTest::logistic;
            case 2 -> x -> 2 * logistic(x) - 1;
            default -> Math::tanh;
        };
        float[] x = input(steps);
        double[] state = new double[UNITS];
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double[] given = each(Math::tanh, input.apply(step(x, step)));
            double[] next = each(v -> v, given, each(own, self.apply(state)));
            state = shortcut == 1 ? each(v -> v, next, state) : next;
            expected.add(each(Math::tanh, output.apply(state)));
        }
        Map<String, float[]> outputs = run(file, x, Map.of());
        assertClose(of(outputs, "rnn_0"), expected);
        assertClose(of(outputs, "rnn_0_last_state"), List.of(state));
    }

    /** A convolution that keeps the size of a picture, in the order of a file. */
    private static DoubleArrayFunction convolution(
            Numbers numbers, int[] sides, int channels, int filters, int groups) {
        double[] bias = numbers.next(filters, -0.5);
        int each = channels / groups;
        double[] weights = numbers.next(filters * each * 9, -0.5);
        int height = sides[0];
        int width = sides[1];
        return x -> {
            double[] y = new double[filters * height * width];
            for (int i = 0; i < y.length; i++) {
                int filter = i / (height * width);
                y[i] = bias[filter];
                for (int tap = 0; tap < each * 9; tap++) {
                    int row = i / width % height + tap / 3 % 3 - 1;
                    int column = i % width + tap % 3 - 1;
                    if (row >= 0 && column >= 0 && row < height && column < width) {
                        int channel = filter / (filters / groups) * each + tap / 9;
                        y[i] += weights[filter * each * 9 + tap] * x[(channel * height + row) * width + column];
                    }
                }
            }
            return y;
        };
    }

    @ParameterizedTest
    @CsvSource({"1,0,1", "3,0,1", "3,1,2"})
    void crnn(int steps, int shortcut, int groups) throws IOException {
        int[] sides = {3, 4};
        int places = 12;
        Path file = Files.writeString(
                folder.resolve("net.cfg"),
                "[net]\nchannels=2\nheight=3\nwidth=4\ntime_steps=" + steps
                        + "\n[crnn]\noutput=2\nhidden=4\npad=1\nactivation=tanh\nshortcut=" + shortcut + "\ngroups="
                        + groups + "\n");
        Numbers numbers = new Numbers(random);
        DoubleArrayFunction input = convolution(numbers, sides, 2, 4, groups);
        DoubleArrayFunction self = convolution(numbers, sides, 4, 4, groups);
        DoubleArrayFunction output = convolution(numbers, sides, 4, 2, groups);
        numbers.write(folder.resolve("net.weights"), OF_SECOND_BRANCH);
        float[] x = new float[steps * 2 * places];
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextFloat() - 0.5f;
        }
        float[] initial = new float[4 * places];
        Arrays.fill(initial, 0.25f);
        double[] state =
                IntStream.range(0, initial.length).mapToDouble(i -> initial[i]).toArray();
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int start = step * 2 * places;
            double[] given = IntStream.range(0, 2 * places)
                    .mapToDouble(i -> x[start + i])
                    .toArray();
            double[] next = each(v -> v, each(Math::tanh, input.apply(given)), each(Math::tanh, self.apply(state)));
            state = shortcut == 1 ? each(v -> v, next, state) : next;
            expected.add(each(Math::tanh, output.apply(state)));
        }
        Map<String, Tensor> inputs =
                Map.of("data", Tensor.of(x, steps, 2, 3, 4), "crnn_0_state", Tensor.of(initial, 1, initial.length));
        Map<String, float[]> outputs = run(file, inputs);
        assertClose(of(outputs, "crnn_0"), expected);
        assertClose(of(outputs, "crnn_0_last_state"), List.of(state));
    }

    @ParameterizedTest
    @CsvSource({"1,0,0", "3,0,1", "3,1,0"})
    void convolutionalLstm(int steps, int peephole, int limit) throws IOException {
        int[] sides = {3, 4};
        int places = 12;
        Path file = Files.writeString(
                folder.resolve("net.cfg"),
                "[net]\nchannels=2\nheight=3\nwidth=4\ntime_steps=" + steps
                        + "\n[conv_lstm]\noutput=3\npad=1\npeephole=" + peephole + "\n"
                        + (limit == 0 ? "" : "state_constrain=" + limit + "\n"));
        Numbers numbers = new Numbers(random);
        Map<String, DoubleArrayFunction> layers = new HashMap<>();
        for (String name : (peephole == 1 ? "vf vi vo " : "")
                .concat("wf wi wg wo uf ui ug uo")
                .split(" ", -1)) {
            layers.put(name, convolution(numbers, sides, name.startsWith("u") ? 2 : 3, 3, 1));
        }
        numbers.write(folder.resolve("net.weights"), OF_SECOND_BRANCH);
        float[] x = new float[steps * 2 * places];
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextFloat() - 0.5f;
        }
        float[] initial = new float[3 * places];
        Arrays.fill(initial, 6);
        double[] state = new double[3 * places];
        double[] cell =
                IntStream.range(0, initial.length).mapToDouble(i -> initial[i]).toArray();
        double[] none = new double[3 * places];
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int start = step * 2 * places;
            double[] given = IntStream.range(0, 2 * places)
                    .mapToDouble(i -> x[start + i])
                    .toArray();
            Map<Character, double[]> sums = new HashMap<>();
            for (char gate : "figo".toCharArray()) {
                double[] sum = each(
                        v -> v,
                        of(layers, "w" + gate).apply(state),
                        of(layers, "u" + gate).apply(given));
                sums.put(gate, sum);
            }
            double[] f = of(sums, 'f');
            double[] i = of(sums, 'i');
            double[] forget = each(
                    RecurrentLayersTest::logistic,
                    f,
                    peephole == 1 ? of(layers, "vf").apply(cell) : none);
            double[] input = each(
                    RecurrentLayersTest::logistic,
                    i,
                    peephole == 1 ? of(layers, "vi").apply(cell) : none);
            cell = each(v -> v, times(forget, cell), times(input, each(Math::tanh, of(sums, 'g'))));
            double[] seen = peephole == 1 ? of(layers, "vo").apply(cell) : none;
            state = times(each(RecurrentLayersTest::logistic, of(sums, 'o'), seen), each(Math::tanh, cell));
            cell = each(v -> limit == 0 ? v : Math.max(-limit, Math.min(limit, v)), cell);
            expected.add(state);
        }
        Map<String, Tensor> inputs =
                Map.of("data", Tensor.of(x, steps, 2, 3, 4), "conv_lstm_0_cell", Tensor.of(initial, 1, initial.length));
        Map<String, float[]> outputs = run(file, inputs);
        assertClose(of(outputs, "conv_lstm_0"), expected);
        assertClose(of(outputs, "conv_lstm_0_last_state"), List.of(state));
        assertClose(of(outputs, "conv_lstm_0_last_cell"), List.of(cell));
    }

    @Test
    void convolutionsOfStatesKeepTheSize() throws IOException {
        String net = "[net]\nheight=5\nwidth=5\n[crnn]\n";
        Path file = Files.writeString(folder.resolve("net.cfg"), net);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("does not keep the size of pictures 1x3x5x5, but makes 1x1x3x3");
        Path large = Files.writeString(
                folder.resolve("net.cfg"), "[net]\nheight=30000\nwidth=30000\n[crnn]\npad=1\nhidden=100000000\n");
        assertThatThrownBy(() -> Importers.builtIn().read(large))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("crnn");
    }

    /** In files of darknet's first branch the layers of the state stand first, in those of the second the ones of the input. */
    @ParameterizedTest
    @CsvSource({"0,0,0", "0,1,1", "5,0,1", "5,1,0"})
    void gru(int revision, int normalized, int tanh) throws IOException {
        Path file =
                write("[gru]\noutput=" + UNITS + "\nbatch_normalize=" + normalized + "\ntanh=" + tanh + "\n", STEPS);
        Numbers numbers = new Numbers(random);
        List<DoubleArrayFunction> layers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boolean ofState = i < 3 == (revision == 0);
            layers.add(numbers.dense(UNITS, ofState ? UNITS : INPUTS, normalized == 1));
        }
        numbers.write(folder.resolve("net.weights"), revision);
        List<DoubleArrayFunction> w = revision == 0 ? layers.subList(0, 3) : layers.subList(3, 6);
        List<DoubleArrayFunction> u = revision == 0 ? layers.subList(3, 6) : layers.subList(0, 3);
        float[] x = input(STEPS);
        double[] state = new double[UNITS];
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            double[] given = step(x, step);
            double[] z = each(
                    RecurrentLayersTest::logistic,
                    u.get(0).apply(given),
                    w.get(0).apply(state));
            double[] r = each(
                    RecurrentLayersTest::logistic,
                    u.get(1).apply(given),
                    w.get(1).apply(state));
            double[] h = each(
                    tanh == 1 ? Math::tanh : RecurrentLayersTest::logistic,
                    u.get(2).apply(given),
                    w.get(2).apply(times(r, state)));
            state = each(v -> v, times(z, state), times(each(v -> 1 - v, z), h));
            expected.add(state);
        }
        Map<String, float[]> outputs = run(file, x, Map.of());
        assertClose(of(outputs, "gru_0"), expected);
        assertClose(of(outputs, "gru_0_last_state"), List.of(state));
    }

    /** The two branches of darknet write the gates of forgetting, input, output and cell in another order. */
    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "5,0"})
    void lstm(int revision, int normalized) throws IOException {
        Path file = write("[lstm]\noutput=" + UNITS + "\nbatch_normalize=" + normalized + "\n", STEPS);
        Numbers numbers = new Numbers(random);
        String order = revision == 0 ? "ifog" : "figo";
        Map<Character, DoubleArrayFunction> w = new HashMap<>();
        Map<Character, DoubleArrayFunction> u = new HashMap<>();
        order.chars().forEach(gate -> w.put((char) gate, numbers.dense(UNITS, UNITS, normalized == 1)));
        order.chars().forEach(gate -> u.put((char) gate, numbers.dense(UNITS, INPUTS, normalized == 1)));
        numbers.write(folder.resolve("net.weights"), revision);
        float[] x = input(STEPS);
        double[] state = new double[UNITS];
        double[] cell = new double[UNITS];
        List<double[]> expected = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Map<Character, double[]> gates = new HashMap<>();
            for (char gate : "fiog".toCharArray()) {
                DoubleUnaryOperator function = gate == 'g' ? Math::tanh : RecurrentLayersTest::logistic;
                gates.put(
                        gate,
                        each(
                                function,
                                of(u, gate).apply(step(x, step)),
                                of(w, gate).apply(state)));
            }
            cell = each(v -> v, times(of(gates, 'f'), cell), times(of(gates, 'i'), of(gates, 'g')));
            state = times(of(gates, 'o'), each(Math::tanh, cell));
            expected.add(state);
        }
        Map<String, float[]> outputs = run(file, x, Map.of());
        assertClose(of(outputs, "lstm_0"), expected);
        assertClose(of(outputs, "lstm_0_last_state"), List.of(state));
        assertClose(of(outputs, "lstm_0_last_cell"), List.of(cell));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rnn", "gru", "lstm"})
    void stepsOneAtATimeAreTheSameAsAllAtOnce(String type) throws IOException {
        String layer = "[" + type + "]\noutput=" + UNITS + "\n[connected]\noutput=2\nactivation=linear\n[softmax]\n";
        Path file = write(layer, STEPS);
        Numbers numbers = new Numbers(random);
        int dense = UNITS * (UNITS + 1);
        int gates = switch (type) {
            case "rnn" -> 1;
            case "gru" -> 3;
            default -> 4;
        };
        numbers.next(gates * (dense + UNITS * (INPUTS + 1)) + (type.equals("rnn") ? dense : 0) + 2 * (UNITS + 1), -0.5);
        numbers.write(folder.resolve("net.weights"), OF_SECOND_BRANCH);
        float[] x = input(STEPS);
        float[] together = of(run(file, x, Map.of()), "softmax_2");
        write(layer, 1);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                IoBinding binding = session.bind()) {
            for (Graph.Input state : model.defaults()) {
                binding.carry(state.name().replace("_0_", "_0_last_"), state.name());
                binding.set(state.name(), Tensor.of(new float[UNITS], 1, UNITS));
            }
            for (int step = 0; step < STEPS; step++) {
                float[] given = new float[INPUTS];
                System.arraycopy(x, step * INPUTS, given, 0, INPUTS);
                try (Result result = binding.run(Map.of("data", Tensor.of(given, 1, INPUTS)))) {
                    assertThat(of(result.outputs(), "softmax_2").toFloatArray())
                            .containsExactly(new float[] {together[2 * step], together[2 * step + 1]}, within(1e-5f));
                }
            }
        }
    }

    @Test
    void stepsAreBounded() throws IOException {
        Path file = write("[rnn]\n".repeat(40), 1000);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.cfg: [net]: time_steps: 1000 steps of 40 layers are too many");
        Path picture = Files.writeString(
                folder.resolve("net.cfg"),
                "[net]\nheight=1073741823\nwidth=1073741823\ntime_steps=1073741823\n[avgpool]\n");
        assertThatThrownBy(() -> Importers.builtIn().read(picture))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.cfg: [net]: its input 1073741823x3x1073741823x1073741823:float32 is too large");
        Path large = write("[gru]\noutput=2000000\n", 1);
        assertThatThrownBy(() -> Importers.builtIn().read(large))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.cfg: layer 0 [gru]: layer gru with a state of 2000000 numbers is not supported");
    }
}
