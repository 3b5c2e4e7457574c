package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.tfjs.KerasReference.Window;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every layer computes what Keras says, on a device or on the CPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LayerContract {

    private static final double TOLERANCE = 2e-5;

    @TempDir
    Path folder;

    private final Engine engine;
    private final boolean onDevice;

    LayerContract(DeviceChoice device) {
        this.engine = Engine.open(EngineOptions.defaults().withDevice(device));
        this.onDevice = !(device instanceof DeviceChoice.Cpu);
    }

    @BeforeAll
    void open() {
        assertThat(engine.device().isPresent()).isEqualTo(onDevice);
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private static Volume random(int... dims) {
        Random random = new Random(Arrays.hashCode(dims));
        return Volume.of(dims, at -> (float) random.nextGaussian());
    }

    private Volume run(TfjsModel model, Map<String, Volume> inputs) throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        inputs.forEach((name, volume) -> tensors.put(name, volume.tensor()));
        try (Model loaded = engine.load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(tensors)) {
            if (onDevice) {
                assertThat(session.placement().nodes())
                        .filteredOn(node -> node.target() == Placement.Target.CPU)
                        .isEmpty();
            }
            return Volume.of(result.outputs().values().iterator().next());
        }
    }

    private static void assertSame(Volume found, Volume expected) {
        assertThat(found.dims()).isEqualTo(expected.dims());
        double largest = Arrays.stream(expected.values()).map(Math::abs).max().orElse(1);
        for (int i = 0; i < expected.values().length; i++) {
            assertThat(found.values()[i])
                    .as("element " + i)
                    .isCloseTo(expected.values()[i], within(TOLERANCE * Math.max(largest, 1)));
        }
    }

    private void check(TfjsModel model, Volume x, Volume expected) throws IOException {
        assertSame(run(model, Map.of("x", x)), expected);
    }

    private static TfjsModel taking(Volume x) {
        long[] sizes = Arrays.stream(x.dims()).asLongStream().toArray();
        sizes[0] = -1;
        return new TfjsModel().input("x", sizes);
    }

    private static int[] ints(String list) {
        return Arrays.stream(list.split("[x,]", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private static long[] longs(String list) {
        return Arrays.stream(ints(list)).asLongStream().toArray();
    }

    /** The permutation that puts the channels second. */
    private static int[] second(int rank) {
        return IntStream.range(0, rank)
                .map(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
    }

    private static String window(Window window, String more) {
        return "'kernel_size':" + Arrays.toString(window.kernel()) + ",'strides':" + Arrays.toString(window.strides())
                + ",'dilation_rate':" + Arrays.toString(window.dilations()) + ",'padding':'"
                + (window.same() ? "same" : "valid") + "'" + more;
    }

    private static Window window(String kernel, String strides, String dilations, String padding) {
        int spatial = ints(kernel).length - 2;
        return new Window(Arrays.copyOf(ints(kernel), spatial), ints(strides), ints(dilations), padding.equals("same"));
    }

    private static Volume weight(TfjsModel model, String name) {
        return Volume.of(model.weight(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2x9x3     | 3x3x4     | 1     | 1     | valid | 1",
                "1x10x2    | 4x2x3     | 3     | 1     | same  | 1",
                "1x11x2    | 3x2x2     | 1     | 3     | same  | 1",
                "1x7x6x3   | 3x3x3x5   | 1,1   | 1,1   | same  | 1",
                "2x7x8x3   | 3x2x3x4   | 2,2   | 1,1   | same  | 1",
                "1x8x8x2   | 5x5x2x3   | 2,3   | 1,1   | valid | 1",
                "1x9x9x4   | 3x3x2x6   | 1,1   | 2,1   | same  | 2",
                "1x2x3x3   | 4x4x3x2   | 2,2   | 1,1   | same  | 1",
                "1x6x6x3   | 1x1x3x17  | 3,2   | 1,1   | same  | 1",
                "1x5x6x4x2 | 3x3x3x2x5 | 1,1,1 | 1,1,1 | same  | 1",
                "1x5x6x4x1 | 3x3x3x1x4 | 2,1,2 | 1,1,1 | same  | 1",
                "2x9x8x7x5 | 3x3x3x5x5 | 1,1,1 | 4,2,1 | same  | 1",
                "1x5x5x6x2 | 2x3x2x2x3 | 2,1,1 | 1,1,2 | valid | 1",
                "1x4x4x4x6 | 1x1x1x6x3 | 1,1,1 | 1,1,1 | same  | 1",
            })
    void convolutions(String x, String kernel, String strides, String dilations, String padding, int groups)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        long filters = ints(kernel)[spatial + 1];
        String config = window(window, ",'groups':" + groups + ",'filters':" + filters);
        for (boolean bias : new boolean[] {true, false}) {
            TfjsModel model = taking(input)
                    .weight("c/kernel", longs(kernel))
                    .weight("c/bias", filters)
                    .layer("Conv" + spatial + "D", "c", config + ",'use_bias':" + bias, "x");
            Volume expected = KerasReference.convolution(
                    input, weight(model, "c/kernel"), bias ? weight(model, "c/bias") : null, window, groups);
            check(model, input, expected);
        }
        TfjsModel first = taking(input.permuted(second(input.rank())))
                .weight("c/kernel", longs(kernel))
                .layer("Conv" + spatial + "D", "c", config + ",'use_bias':false,'data_format':'channels_first'", "x");
        Volume expected = KerasReference.convolution(input, weight(first, "c/kernel"), null, window, groups);
        check(first, input.permuted(second(input.rank())), expected.permuted(second(input.rank())));
    }

    @Test
    void causalConvolution() throws IOException {
        Volume x = random(1, 9, 2);
        TfjsModel model = taking(x)
                .weight("c/kernel", 3, 2, 4)
                .layer("Conv1D", "c", "'kernel_size':[3],'padding':'causal','dilation_rate':[2],'use_bias':false", "x");
        Volume padded = Volume.of(new int[] {1, 13, 2}, at -> at[1] < 4 ? 0 : x.at(0, at[1] - 4, at[2]));
        Window valid = new Window(new int[] {3}, new int[] {1}, new int[] {2}, false);
        check(model, x, KerasReference.convolution(padded, weight(model, "c/kernel"), null, valid, 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x7x8x5 | 3x3x5x1 | 1,1 | 1,1 | same  | depthwise_kernel",
                "2x7x7x3 | 3x3x3x2 | 2,2 | 1,1 | same  | depthwise_kernel",
                "1x8x6x2 | 3x2x2x3 | 1,1 | 2,1 | valid | kernel",
                "1x9x4   | 3x4x2   | 2   | 1   | same  | depthwise_kernel",
            })
    void depthwiseConvolutions(String x, String kernel, String strides, String dilations, String padding, String weight)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        int multiplier = ints(kernel)[spatial + 1];
        int channels = ints(kernel)[spatial];
        TfjsModel model = taking(input)
                .weight("c/" + weight, longs(kernel))
                .weight("c/bias", (long) channels * multiplier)
                .layer("DepthwiseConv" + spatial + "D", "c", window(window, ",'depth_multiplier':" + multiplier), "x");
        Volume expected =
                KerasReference.depthwise(input, weight(model, "c/" + weight), weight(model, "c/bias"), window);
        check(model, input, expected);
    }

    @Test
    void separableConvolution() throws IOException {
        Volume x = random(1, 7, 6, 3);
        Window window = new Window(new int[] {3, 3}, new int[] {2, 2}, new int[] {1, 1}, true);
        TfjsModel model = taking(x)
                .weight("c/depthwise_kernel", 3, 3, 3, 2)
                .weight("c/pointwise_kernel", 1, 1, 6, 4)
                .weight("c/bias", 4)
                .layer(
                        "SeparableConv2D",
                        "c",
                        window(window, ",'depth_multiplier':2,'filters':4,'activation':'relu'"),
                        "x");
        Volume each = KerasReference.depthwise(x, weight(model, "c/depthwise_kernel"), null, window);
        Window point = new Window(new int[] {1, 1}, new int[] {1, 1}, new int[] {1, 1}, false);
        Volume mixed = KerasReference.convolution(
                each, weight(model, "c/pointwise_kernel"), weight(model, "c/bias"), point, 1);
        check(model, x, mixed.map(value -> Math.max(value, 0)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x5x3     | 4x2x3     | 2     | 1     | same  |",
                "1x5x3     | 4x2x3     | 2     | 1     | valid |",
                "1x5x3     | 2x2x3     | 3     | 1     | valid |",
                "1x5x3     | 2x2x3     | 3     | 1     | same  |",
                "2x4x5x3   | 3x3x4x3   | 2,2   | 1,1   | same  |",
                "1x4x5x3   | 3x3x4x3   | 2,2   | 1,1   | valid |",
                "1x4x4x2   | 5x4x3x2   | 1,2   | 1,1   | same  |",
                "1x4x4x2   | 3x3x3x2   | 1,1   | 2,2   | same  |",
                "1x4x4x2   | 3x3x3x2   | 2,2   | 1,1   | same  | 1,1",
                "1x4x4x2   | 3x2x3x2   | 3,2   | 1,1   | valid | 2,1",
                "1x3x4x2x3 | 3x3x3x2x3 | 2,2,2 | 1,1,1 | same  |",
                "1x3x2x2x3 | 2x2x2x4x3 | 2,2,2 | 1,1,1 | valid |",
                "1x2x2x3x2 | 2x1x3x2x2 | 3,2,1 | 1,1,1 | valid |",
            })
    void transposedConvolutions(
            String x, String kernel, String strides, String dilations, String padding, String outputPadding)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        int filters = ints(kernel)[spatial];
        int[] extra = outputPadding == null ? new int[0] : ints(outputPadding);
        String more = ",'filters':" + filters
                + (extra.length == 0 ? ",'output_padding':null" : ",'output_padding':" + Arrays.toString(extra));
        TfjsModel model = taking(input)
                .weight("c/kernel", longs(kernel))
                .weight("c/bias", filters)
                .layer("Conv" + spatial + "DTranspose", "c", window(window, more), "x");
        Volume expected =
                KerasReference.transposed(input, weight(model, "c/kernel"), weight(model, "c/bias"), window, extra);
        check(model, input, expected);
    }

    @Test
    void transposedConvolutionWithChannelsFirst() throws IOException {
        Volume x = random(1, 4, 5, 3);
        Window window = new Window(new int[] {3, 3}, new int[] {2, 2}, new int[] {1, 1}, true);
        TfjsModel model = taking(x.permuted(0, 3, 1, 2))
                .weight("c/kernel", 3, 3, 2, 3)
                .weight("c/bias", 2)
                .layer("Conv2DTranspose", "c", window(window, ",'data_format':'channels_first'"), "x");
        Volume expected = KerasReference.transposed(x, weight(model, "c/kernel"), weight(model, "c/bias"), window);
        check(model, x.permuted(0, 3, 1, 2), expected.permuted(0, 3, 1, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2x9x3     | 2     | 2     | valid",
                "1x9x3     | 3     | 2     | same",
                "1x7x8x3   | 2,2   | 2,2   | valid",
                "1x7x8x3   | 3,3   | 2,2   | same",
                "2x6x5x2   | 3,2   | 1,3   | same",
                "1x5x6x5x3 | 2,2,2 | 2,2,2 | valid",
                "1x5x6x5x3 | 3,2,3 | 2,1,2 | same",
            })
    void pools(String x, String size, String strides, String padding) throws IOException {
        Volume input = random(ints(x));
        int spatial = input.rank() - 2;
        int[] ones = IntStream.generate(() -> 1).limit(spatial).toArray();
        Window window = new Window(ints(size), ints(strides), ones, padding.equals("same"));
        for (boolean max : new boolean[] {true, false}) {
            String kind = (max ? "MaxPooling" : "AveragePooling") + spatial + "D";
            String config = "'pool_size':" + Arrays.toString(ints(size)) + ",'padding':'" + padding + "','strides':"
                    + (size.equals(strides) ? "null" : Arrays.toString(ints(strides)));
            Volume expected = KerasReference.pool(input, window, max);
            check(taking(input).layer(kind, "p", config, "x"), input, expected);
            int[] second = second(input.rank());
            Volume moved = input.permuted(second);
            TfjsModel first = taking(moved).layer(kind, "p", config + ",'data_format':'channels_first'", "x");
            check(first, moved, expected.permuted(second));
        }
    }

    @Test
    void globalPools() throws IOException {
        for (int spatial = 1; spatial <= 3; spatial++) {
            Volume x = random(Arrays.copyOf(new int[] {2, 4, 5, 3, 6}, spatial + 2));
            int channels = x.dim(-1);
            int[] flat = {2, x.values().length / 2 / channels, channels};
            Volume rows = new Volume(flat, x.values());
            Window all = new Window(new int[] {flat[1]}, new int[] {1}, new int[] {1}, false);
            Volume max = new Volume(
                    new int[] {2, channels},
                    KerasReference.pool(rows, all, true).values());
            Volume mean = new Volume(
                    new int[] {2, channels},
                    KerasReference.pool(rows, all, false).values());
            check(taking(x).layer("GlobalMaxPooling" + spatial + "D", "p", "", "x"), x, max);
            check(taking(x).layer("GlobalAveragePooling" + spatial + "D", "p", "'keepdims':false", "x"), x, mean);
            Volume moved = x.permuted(second(x.rank()));
            String first = "'data_format':'channels_first','keepdims':true";
            int[] kept = moved.dims().clone();
            Arrays.fill(kept, 2, kept.length, 1);
            check(
                    taking(moved).layer("GlobalMaxPooling" + spatial + "D", "p", first, "x"),
                    moved,
                    new Volume(kept, max.values()));
        }
    }

    @Test
    void activations() throws IOException {
        Map<String, DoubleUnaryOperator> functions = new LinkedHashMap<>();
        functions.put("linear", x -> x);
        functions.put("relu", x -> Math.max(x, 0));
        functions.put("relu6", x -> Math.min(Math.max(x, 0), 6));
        functions.put("sigmoid", LayerContract::sigmoid);
        functions.put("tanh", Math::tanh);
        functions.put("elu", x -> x > 0 ? x : Math.expm1(x));
        functions.put("selu", x -> 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x)));
        functions.put("softplus", x -> Math.log1p(Math.exp(x)));
        functions.put("softsign", x -> x / (1 + Math.abs(x)));
        functions.put("exponential", Math::exp);
        functions.put("hard_sigmoid", x -> Math.min(Math.max(0.2 * x + 0.5, 0), 1));
        functions.put("swish", x -> x * sigmoid(x));
        functions.put("silu", x -> x * sigmoid(x));
        functions.put("mish", x -> x * Math.tanh(Math.log1p(Math.exp(x))));
        functions.put("leaky_relu", x -> x > 0 ? x : 0.2 * x);
        functions.put("hard_silu", x -> x * Math.min(Math.max(x + 3, 0), 6) / 6);
        functions.put("gelu", x -> x * normalDistribution(x));
        functions.put(
                "gelu_new", x -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * Math.pow(x, 3)))));
        Volume x = Volume.of(new int[] {2, 41}, at -> at[0] == 0 ? at[1] * 0.35 - 7 : at[1] * 0.07 - 1.4)
                .map(value -> (float) value);
        for (Map.Entry<String, DoubleUnaryOperator> function : functions.entrySet()) {
            TfjsModel model = taking(x).layer("Activation", "a", "'activation':'" + function.getKey() + "'", "x");
            check(model, x, x.map(function.getValue()));
        }
        TfjsModel newer = taking(x)
                .version("3.4.1")
                .layer(
                        "Activation",
                        "a",
                        "'activation':{'class_name':'function','config':'hard_sigmoid','registered_name':'hard_sigmoid'}",
                        "x");
        check(newer, x, x.map(value -> Math.min(Math.max(value / 6 + 0.5, 0), 1)));
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** By the trapezoidal rule, far enough from the left. */
    private static double normalDistribution(double x) {
        double step = 1e-3;
        double sum = 0;
        for (double t = -12; t < x - step / 2; t += step) {
            double width = Math.min(step, x - t);
            sum += width * (Math.exp(-t * t / 2) + Math.exp(-(t + width) * (t + width) / 2)) / 2;
        }
        return sum / Math.sqrt(2 * Math.PI);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ReLU      | 'max_value':null,'negative_slope':0.0,'threshold':0.0 | 0    | 1e9",
                "ReLU      | 'max_value':6.0                                      | 0    | 6",
                "ReLU      | 'max_value':1                                        | 0    | 1",
                "ReLU      | 'negative_slope':0.25                                | 0.25 | 1e9",
                "ReLU      | 'negative_slope':0.25,'max_value':1.5                | 0.25 | 1.5",
                "LeakyReLU |                                                      | 0.3  | 1e9",
                "LeakyReLU | 'alpha':0.1                                          | 0.1  | 1e9",
                "LeakyReLU | 'negative_slope':0.05                                | 0.05 | 1e9",
            })
    void rectifiers(String kind, String config, double slope, double top) throws IOException {
        Volume x = random(2, 5, 3).map(value -> 4 * value);
        Volume expected = x.map(value -> value < 0 ? slope * value : Math.min(value, top));
        check(taking(x).layer(kind, "a", config == null ? "" : config, "x"), x, expected);
        TfjsModel within = taking(x)
                .weight(
                        "d/kernel",
                        Volume.of(new int[] {3, 3}, at -> at[0] == at[1] ? 1 : 0)
                                .tensor())
                .layer(
                        "Dense",
                        "d",
                        "'units':3,'use_bias':false,'activation':{'class_name':'" + kind + "','config':{"
                                + (config == null ? "" : config) + "}}",
                        "x");
        check(within, x, expected);
    }

    @Test
    void otherActivationLayers() throws IOException {
        Volume x = random(2, 4, 3);
        check(
                taking(x).layer("ELU", "a", "'alpha':0.5", "x"),
                x,
                x.map(value -> value > 0 ? value : 0.5 * Math.expm1(value)));
        TfjsModel slopes = taking(x).weight("a/alpha", 1, 3).layer("PReLU", "a", "'shared_axes':[1]", "x");
        Volume alpha = weight(slopes, "a/alpha");
        check(slopes, x, Volume.of(x.dims(), at -> x.at(at) > 0 ? x.at(at) : x.at(at) * alpha.at(0, at[2])));
        for (int axis : new int[] {1, 2}) {
            Volume exponentials = x.map(Math::exp);
            Volume expected = Volume.of(x.dims(), at -> {
                double sum = 0;
                for (int i = 0; i < x.dim(axis); i++) {
                    sum += axis == 1 ? exponentials.at(at[0], i, at[2]) : exponentials.at(at[0], at[1], i);
                }
                return exponentials.at(at) / sum;
            });
            check(taking(x).layer("Softmax", "a", "'axis':" + axis, "x"), x, expected);
            if (axis == 2) {
                check(taking(x).layer("Softmax", "a", "'axis':[-1]", "x"), x, expected);
                check(taking(x).layer("Activation", "a", "'activation':'softmax'", "x"), x, expected);
                check(
                        taking(x).layer("Activation", "a", "'activation':'log_softmax'", "x"),
                        x,
                        expected.map(Math::log));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2x5       | 1   | true  | true",
                "2x5       | -1  | true  | true",
                "2x4x5x3   | 3   | true  | true",
                "2x4x5x3   | [3] | false | true",
                "2x4x5x3   | 1   | true  | false",
                "2x4x5x3   | -3  | false | false",
                "2x4x5x3   | 2   | true  | true",
                "1x3x4x2x5 | -1  | true  | true",
                "1x3x4x2x5 | [4] | false | false",
            })
    void batchNormalization(String x, String axis, boolean scale, boolean center) throws IOException {
        Volume input = random(ints(x));
        int number = Integer.parseInt(axis.replaceAll("[\\[\\]]", ""));
        int place = number < 0 ? number + input.rank() : number;
        int channels = input.dim(place);
        TfjsModel model = taking(input);
        if (scale) {
            model.weight("b/gamma", channels);
        }
        if (center) {
            model.weight("b/beta", channels);
        }
        Volume variance = Volume.of(new int[] {channels}, at -> 0.25 + at[0]);
        model.weight("b/moving_mean", channels).weight("b/moving_variance", variance.tensor());
        model.layer(
                "BatchNormalization",
                "b",
                "'axis':" + axis + ",'momentum':0.99,'renorm':false,'renorm_momentum':0.99,'epsilon':0.01,'scale':"
                        + scale + ",'center':" + center + ",'gamma_initializer':{'class_name':'Ones','config':{}}",
                "x");
        Volume expected = KerasReference.alongAxis(input, place, weight(model, "b/moving_mean"), (v, mean) -> v - mean);
        expected = KerasReference.alongAxis(expected, place, variance, (v, each) -> v / Math.sqrt(each + 0.01));
        if (scale) {
            expected = KerasReference.alongAxis(expected, place, weight(model, "b/gamma"), (v, gamma) -> v * gamma);
        }
        if (center) {
            expected = KerasReference.alongAxis(expected, place, weight(model, "b/beta"), Double::sum);
        }
        check(model, input, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LayerNormalization           | 2x5x6     | 'axis':-1           | 2   | 1 | false",
                "LayerNormalization           | 2x5x6     | 'axis':[2],'epsilon':0.1 | 2 | 1 | false",
                "InstanceNormalization        | 2x5x4x3   | 'axis':3            | 12  | 1 | true",
                "InstanceNormalization        | 2x4x3x2x3 | 'axis':-1,'scale':false | 123 | 1 | true",
                "InstanceNormalization        | 2x5x3     | 'axis':2,'center':false | 1 | 1 | true",
                "Addons>InstanceNormalization | 2x5x4x3   | 'axis':-1,'groups':-1 | 12 | 1 | false",
                "Addons>InstanceNormalization | 1x4x3x2x3 | 'axis':4            | 123 | 1 | false",
                "Addons>GroupNormalization    | 2x5x4x6   | 'axis':-1,'groups':2 | 12 | 3 | false",
                "GroupNormalization           | 2x5x4x6   | 'axis':3,'groups':3 | 12  | 2 | false",
                "GroupNormalization           | 1x4x3x2x6 | 'axis':-1,'groups':1 | 123 | 6 | false",
            })
    void otherNormalizations(String kind, String x, String config, String over, int groupSize, boolean epsilonOutside)
            throws IOException {
        Volume input = random(ints(x));
        int channels = input.dim(-1);
        double epsilon = config.contains("epsilon") ? 0.1 : 1e-3;
        TfjsModel model = taking(input);
        boolean scale = !config.contains("'scale':false");
        boolean center = !config.contains("'center':false");
        if (scale) {
            model.weight("n/gamma", channels);
        }
        if (center) {
            model.weight("n/beta", channels);
        }
        model.layer(kind, "n", config, "x");
        Volume expected = KerasReference.normalized(
                input, axis -> over.contains(Integer.toString(axis)), groupSize, epsilon, epsilonOutside);
        int last = input.rank() - 1;
        if (scale) {
            expected = KerasReference.alongAxis(expected, last, weight(model, "n/gamma"), (v, gamma) -> v * gamma);
        }
        if (center) {
            expected = KerasReference.alongAxis(expected, last, weight(model, "n/beta"), Double::sum);
        }
        check(model, input, expected);
    }

    @Test
    void layerNormalizationOverTwoAxes() throws IOException {
        Volume x = random(3, 4, 5);
        TfjsModel model = taking(x)
                .weight("n/gamma", 4, 5)
                .weight("n/beta", 4, 5)
                .layer("LayerNormalization", "n", "'axis':[1,2]", "x");
        Volume normal = KerasReference.normalized(x, axis -> axis > 0, 1, 1e-3, false);
        Volume gamma = weight(model, "n/gamma");
        Volume beta = weight(model, "n/beta");
        check(model, x, Volume.of(x.dims(), at -> normal.at(at) * gamma.at(at[1], at[2]) + beta.at(at[1], at[2])));
    }

    @Test
    void dense() throws IOException {
        for (int[] dims : List.of(new int[] {3, 5}, new int[] {2, 4, 5}, new int[] {2, 3, 2, 5})) {
            Volume x = random(dims);
            TfjsModel model = taking(x)
                    .weight("d/kernel", 5, 7)
                    .weight("d/bias", 7)
                    .layer("Dense", "d", "'units':7,'activation':'tanh'", "x");
            Volume kernel = weight(model, "d/kernel");
            Volume bias = weight(model, "d/bias");
            int[] out = dims.clone();
            out[out.length - 1] = 7;
            check(model, x, Volume.of(out, at -> {
                int[] from = at.clone();
                double sum = bias.at(at[at.length - 1]);
                for (int i = 0; i < 5; i++) {
                    from[from.length - 1] = i;
                    sum += x.at(from) * kernel.at(i, at[at.length - 1]);
                }
                return Math.tanh(sum);
            }));
        }
    }

    @Test
    void shapes() throws IOException {
        Volume x = random(2, 3, 4, 2);
        check(taking(x).layer("Flatten", "f", "", "x"), x, new Volume(new int[] {2, 24}, x.values()));
        Volume last = x.permuted(0, 2, 3, 1);
        check(
                taking(x).layer("Flatten", "f", "'data_format':'channels_first'", "x"),
                x,
                new Volume(new int[] {2, 24}, last.values()));
        check(
                taking(x).layer("Reshape", "r", "'target_shape':[8,-1]", "x"),
                x,
                new Volume(new int[] {2, 8, 3}, x.values()));
        check(
                taking(x).layer("Reshape", "r", "'target_shape':[null,2,4]", "x"),
                x,
                new Volume(new int[] {2, 3, 2, 4}, x.values()));
        check(taking(x).layer("Permute", "p", "'dims':[3,1,2]", "x"), x, x.permuted(0, 3, 1, 2));
        check(taking(x).layer("Dropout", "d", "'rate':0.5,'seed':3", "x"), x, x);
        check(taking(x).layer("Rescaling", "s", "'scale':0.5,'offset':-1", "x"), x, x.map(value -> value / 2 - 1));
        Volume row = random(2, 3);
        check(
                taking(row).layer("RepeatVector", "v", "'n':4", "x"),
                row,
                Volume.of(new int[] {2, 4, 3}, at -> row.at(at[0], at[2])));
    }

    @Test
    void bordersOfImages() throws IOException {
        Volume x = random(1, 5, 6, 2);
        check(
                taking(x).layer("ZeroPadding2D", "p", "'padding':[[1,2],[0,3]]", "x"),
                x,
                Volume.of(
                        new int[] {1, 8, 9, 2},
                        at -> at[1] < 1 || at[1] > 5 || at[2] > 5 ? 0 : x.at(0, at[1] - 1, at[2], at[3])));
        check(
                taking(x).layer("ZeroPadding2D", "p", "'padding':[1,2]", "x"),
                x,
                Volume.of(
                        new int[] {1, 7, 10, 2},
                        at -> at[1] < 1 || at[1] > 5 || at[2] < 2 || at[2] > 7
                                ? 0
                                : x.at(0, at[1] - 1, at[2] - 2, at[3])));
        check(
                taking(x).layer("Cropping2D", "p", "'cropping':[[1,0],[2,1]]", "x"),
                x,
                Volume.of(new int[] {1, 4, 3, 2}, at -> x.at(0, at[1] + 1, at[2] + 2, at[3])));
        Volume row = random(2, 7, 3);
        check(
                taking(row).layer("ZeroPadding1D", "p", "'padding':[2,0]", "x"),
                row,
                Volume.of(new int[] {2, 9, 3}, at -> at[1] < 2 ? 0 : row.at(at[0], at[1] - 2, at[2])));
        check(
                taking(row).layer("Cropping1D", "p", "'cropping':2", "x"),
                row,
                Volume.of(new int[] {2, 3, 3}, at -> row.at(at[0], at[1] + 2, at[2])));
        Volume box = random(1, 2, 3, 4, 2);
        check(
                taking(box).layer("ZeroPadding3D", "p", "'padding':1,'data_format':'channels_first'", "x"),
                box,
                Volume.of(
                        new int[] {1, 2, 5, 6, 4},
                        at -> at[2] < 1 || at[2] > 3 || at[3] < 1 || at[3] > 4 || at[4] < 1 || at[4] > 2
                                ? 0
                                : box.at(0, at[1], at[2] - 1, at[3] - 1, at[4] - 1)));
        check(
                taking(box).layer("Cropping3D", "p", "'cropping':[[0,1],[1,1],[0,0]]", "x"),
                box,
                Volume.of(new int[] {1, 1, 1, 4, 2}, at -> box.at(0, 0, 1, at[3], at[4])));
    }

    @Test
    void enlargedImages() throws IOException {
        Volume x = random(1, 3, 4, 2);
        check(
                taking(x).layer("UpSampling2D", "u", "'size':[2,3],'interpolation':'nearest'", "x"),
                x,
                Volume.of(new int[] {1, 6, 12, 2}, at -> x.at(0, at[1] / 2, at[2] / 3, at[3])));
        for (String version : List.of("2.7.0", "tfjs-layers 4.2.0")) {
            double shift = version.startsWith("2") ? 0.5 : 0;
            TfjsModel model =
                    taking(x).version(version).layer("UpSampling2D", "u", "'size':2,'interpolation':'bilinear'", "x");
            check(model, x, Volume.of(new int[] {1, 6, 8, 2}, at -> {
                double row = Math.min(Math.max((at[1] + shift) / 2 - shift, 0), 2);
                double column = Math.min(Math.max((at[2] + shift) / 2 - shift, 0), 3);
                double sum = 0;
                for (int i = 0; i < 4; i++) {
                    int r = (int) Math.min(Math.floor(row) + (i >> 1), 2);
                    int c = (int) Math.min(Math.floor(column) + i % 2, 3);
                    double down = row - Math.floor(row);
                    double right = column - Math.floor(column);
                    sum += (i / 2 == 1 ? down : 1 - down) * (i % 2 == 1 ? right : 1 - right) * x.at(0, r, c, at[3]);
                }
                return sum;
            }));
        }
        Volume row = random(2, 4, 3);
        check(
                taking(row).layer("UpSampling1D", "u", "'size':3", "x"),
                row,
                Volume.of(new int[] {2, 12, 3}, at -> row.at(at[0], at[1] / 3, at[2])));
        Volume box = random(1, 2, 3, 2, 3);
        check(
                taking(box).layer("UpSampling3D", "u", "'size':[2,2,2]", "x"),
                box,
                Volume.of(new int[] {1, 4, 6, 4, 3}, at -> box.at(0, at[1] / 2, at[2] / 2, at[3] / 2, at[4])));
        check(
                taking(x).layer("UpSampling2D", "u", "'size':[1,2],'data_format':'channels_first'", "x"),
                x,
                Volume.of(new int[] {1, 3, 4, 4}, at -> x.at(0, at[1], at[2], at[3] / 2)));
    }

    @Test
    void merges() throws IOException {
        Volume x = random(2, 4, 3);
        Volume y = random(2, 4, 1);
        Volume z = random(2, 3);
        Map<String, Volume> inputs = Map.of("x", x, "y", y, "z", z);
        Map<String, java.util.function.ToDoubleFunction<double[]>> functions = Map.of(
                "Add", v -> v[0] + v[1] + v[2],
                "Multiply", v -> v[0] * v[1] * v[2],
                "Average", v -> (v[0] + v[1] + v[2]) / 3,
                "Maximum", v -> Math.max(v[0], Math.max(v[1], v[2])),
                "Minimum", v -> Math.min(v[0], Math.min(v[1], v[2])));
        for (String kind : functions.keySet().stream().sorted().collect(Collectors.toList())) {
            TfjsModel model = taking(x).input("y", -1, 4, 1).input("z", -1, 3).layer(kind, "m", "", "x", "y", "z");
            var function = Objects.requireNonNull(functions.get(kind));
            Volume expected = Volume.of(
                    x.dims(),
                    at -> function.applyAsDouble(new double[] {x.at(at), y.at(at[0], at[1], 0), z.at(at[0], at[2])}));
            assertSame(run(model, inputs), expected);
        }
        TfjsModel difference = taking(x).input("y", -1, 4, 1).layer("Subtract", "m", "", "x", "y");
        assertSame(
                run(difference, Map.of("x", x, "y", y)), Volume.of(x.dims(), at -> x.at(at) - y.at(at[0], at[1], 0)));
        for (String axis : List.of("-1", "2")) {
            TfjsModel joined = taking(x).input("y", -1, 4, 1).layer("Concatenate", "m", "'axis':" + axis, "x", "y");
            assertSame(
                    run(joined, Map.of("x", x, "y", y)),
                    Volume.of(new int[] {2, 4, 4}, at -> at[2] < 3 ? x.at(at) : y.at(at[0], at[1], 0)));
        }
    }
}
