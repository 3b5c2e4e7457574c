package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every field that Keras knows for a layer's configuration changes the result, or is refused by its name. */
class TfjsFieldsTest {

    /** Fields that change no result of any layer, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("momentum", "training"),
            Map.entry("renorm", "training"),
            Map.entry("renorm_clipping", "training"),
            Map.entry("renorm_momentum", "training"),
            Map.entry("virtual_batch_size", "training"),
            Map.entry("synchronized", "training"),
            Map.entry("fused", "how it is computed"),
            Map.entry("kernel_initializer", "training"),
            Map.entry("kernel_regularizer", "training"),
            Map.entry("kernel_constraint", "training"),
            Map.entry("shared_axes", "the slopes have their shape"),
            Map.entry("filters DepthwiseConv2D", "channels and depth_multiplier tell them"),
            Map.entry("rate", "nothing is dropped at inference"),
            Map.entry("stddev", "no noise at inference"),
            Map.entry("seed", "nothing is random at inference"),
            Map.entry("noise_shape", "nothing is dropped at inference"),
            Map.entry("l1", "training"),
            Map.entry("l2", "training"));

    /** Fields that say what weights or inputs must be, which are other ones then. */
    private static final Set<String> OF_SHAPES =
            Set.of("data_format", "axis", "groups", "target_shape", "dims", "center", "scale");

    private static final String REFUSED = "refused: ";

    /**
     * A layer with what it is given.
     *
     * @param inputs sizes of what it takes, the batch in front
     * @param weights names with sizes
     * @param given fields with a value
     * @param others fields with other values
     */
    private record Layer(String kind, String inputs, String weights, String given, List<String> others) {
        Layer(String kind, String inputs, String weights, String given, String... others) {
            this(kind, inputs, weights, given, List.of(others));
        }

        String config(String without) {
            return parts(given).stream()
                    .filter(each -> without.isEmpty() || !name(each).equals(without))
                    .collect(Collectors.joining(","));
        }
    }

    private static final String PICTURE = "1,6,6,2";
    private static final String[] TRAINING = {
        "'kernel_initializer':'zeros'", "'kernel_regularizer':'l2'", "'kernel_constraint':'a'"
    };

    private static List<Layer> all() {
        List<Layer> all = new ArrayList<>(LAYERS);
        for (int axes = 1; axes <= 3; axes++) {
            String sides = ",5".repeat(axes);
            String kernel = ",3".repeat(axes).substring(1);
            for (String kind : List.of("Conv" + axes + "D", "Convolution" + axes + "D")) {
                all.add(new Layer(
                        kind,
                        "1" + sides + ",2",
                        "kernel:" + kernel + ",2,4 bias:4",
                        "'filters':4;'kernel_size':3",
                        "'filters':2",
                        "'kernel_size':2",
                        "'strides':2",
                        "'padding':'same'",
                        "'dilation_rate':2",
                        "'data_format':'channels_first'",
                        "'groups':2",
                        "'use_bias':false",
                        "'activation':'relu'"));
                all.add(new Layer(
                        kind + "Transpose",
                        "1" + sides + ",2",
                        "kernel:" + kernel + ",4,2 bias:4",
                        "'filters':4;'kernel_size':3;'strides':2",
                        "'filters':2",
                        "'kernel_size':2",
                        "'strides':1",
                        "'padding':'same'",
                        "'dilation_rate':2",
                        "'data_format':'channels_first'",
                        "'groups':2",
                        "'use_bias':false",
                        "'activation':'relu'",
                        "'output_padding':1"));
            }
            for (String kind : List.of("MaxPooling" + axes + "D", "AveragePooling" + axes + "D")) {
                all.add(new Layer(
                        kind,
                        "1" + sides + ",2",
                        "",
                        "'pool_size':2",
                        "'pool_size':3",
                        "'strides':1",
                        "'padding':'same'",
                        "'data_format':'channels_first'"));
            }
            for (String kind : List.of("GlobalMaxPooling" + axes + "D", "GlobalAveragePooling" + axes + "D")) {
                all.add(new Layer(
                        kind, "1" + sides + ",2", "", "", "'keepdims':true", "'data_format':'channels_first'"));
            }
            all.add(new Layer(
                    "UpSampling" + axes + "D",
                    "1" + sides + ",2",
                    "",
                    "",
                    "'size':3",
                    "'data_format':'channels_first'",
                    "'interpolation':'bilinear'",
                    "'interpolation':'area'"));
            all.add(new Layer(
                    "ZeroPadding" + axes + "D",
                    "1" + sides + ",2",
                    "",
                    "",
                    "'padding':2",
                    "'data_format':'channels_first'"));
            all.add(new Layer(
                    "Cropping" + axes + "D",
                    "1" + sides + ",3",
                    "",
                    "'cropping':1",
                    "'cropping':2",
                    "'data_format':'channels_first'"));
        }
        for (int axes = 1; axes <= 2; axes++) {
            String sides = ",5".repeat(axes);
            String kernel = ",3".repeat(axes).substring(1);
            String ones = "1,".repeat(axes);
            all.add(new Layer(
                    "DepthwiseConv" + axes + "D",
                    "1" + sides + ",2",
                    "depthwise_kernel:" + kernel + ",2,2 bias:4",
                    "'kernel_size':3;'depth_multiplier':2",
                    "'kernel_size':2",
                    "'depth_multiplier':1",
                    "'strides':2",
                    "'padding':'same'",
                    "'dilation_rate':2",
                    "'data_format':'channels_first'",
                    "'use_bias':false",
                    "'activation':'relu'"));
            all.add(new Layer(
                    "SeparableConv" + axes + "D",
                    "1" + sides + ",2",
                    "depthwise_kernel:" + kernel + ",2,2 pointwise_kernel:" + ones + "4,3 bias:3",
                    "'filters':3;'kernel_size':3;'depth_multiplier':2",
                    "'filters':4",
                    "'kernel_size':2",
                    "'depth_multiplier':1",
                    "'strides':2",
                    "'padding':'same'",
                    "'dilation_rate':2",
                    "'data_format':'channels_first'",
                    "'use_bias':false",
                    "'activation':'relu'"));
        }
        Stream.of("BatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2", "SyncBatchNormalization")
                .map(kind -> new Layer(
                        kind,
                        "1,2,2,2",
                        "gamma:2 beta:2 moving_mean:2 moving_variance:2",
                        "'axis':3",
                        "'axis':1",
                        "'epsilon':0.5",
                        "'center':false",
                        "'scale':false",
                        "'momentum':0.5",
                        "'renorm':true",
                        "'renorm_clipping':{'a':1}",
                        "'renorm_momentum':0.5",
                        "'virtual_batch_size':2",
                        "'synchronized':true",
                        "'fused':true"))
                .forEach(all::add);
        Stream.of(
                        "Dropout",
                        "SpatialDropout1D",
                        "SpatialDropout2D",
                        "SpatialDropout3D",
                        "GaussianDropout",
                        "GaussianNoise",
                        "AlphaDropout",
                        "ActivityRegularization",
                        "Identity")
                .map(kind -> new Layer(
                        kind,
                        PICTURE,
                        "",
                        "",
                        "'rate':0.5",
                        "'stddev':0.5",
                        "'seed':3",
                        "'noise_shape':[1]",
                        "'l1':0.1",
                        "'l2':0.1"))
                .forEach(all::add);
        Stream.of("Add", "Maximum", "Minimum", "Average", "Multiply", "Subtract")
                .map(kind -> new Layer(kind, "1,2,3 1,2,3", "", "", "'axis':1"))
                .forEach(all::add);
        return all;
    }

    private static final List<Layer> LAYERS = List.of(
            new Layer(
                    "Conv1D",
                    "1,5,2",
                    "kernel:3,2,4 bias:4",
                    "'filters':4;'kernel_size':3",
                    Stream.concat(
                                    Stream.of("'filters':2", "'kernel_size':2", "'padding':'causal'"),
                                    Stream.of(TRAINING))
                            .toArray(String[]::new)),
            new Layer(
                    "DepthwiseConv2D",
                    "1,5,5,2",
                    "depthwise_kernel:3,3,2,2 bias:4",
                    "'kernel_size':3",
                    "'kernel_size':2",
                    "'filters':9"),
            new Layer(
                    "Dense",
                    "2,3",
                    "kernel:3,4 bias:4",
                    "'units':4",
                    "'units':3",
                    "'use_bias':false",
                    "'activation':'relu'",
                    "'lora_rank':4"),
            new Layer("Flatten", "1,2,3,2", "", "", "'data_format':'channels_first'"),
            new Layer("Reshape", "1,6", "", "'target_shape':[2,3]", "'target_shape':[3,2]"),
            new Layer("Permute", "1,2,3", "", "'dims':[1,2]", "'dims':[2,1]"),
            new Layer("RepeatVector", "1,3", "", "'n':2", "'n':3"),
            new Layer("Rescaling", "1,3", "", "'scale':2", "'scale':3", "'offset':1"),
            new Layer("ReLU", "1,40", "", "", "'max_value':0.5", "'negative_slope':0.5", "'threshold':0.5"),
            new Layer("LeakyReLU", "1,40", "", "", "'alpha':0.5", "'negative_slope':0.5"),
            new Layer("LeakyReLU", "1,40", "", "'alpha':0.5", "'alpha':0.1", "'negative_slope':0.2"),
            new Layer("ELU", "1,40", "", "", "'alpha':0.5"),
            new Layer("Softmax", "1,3,4", "", "", "'axis':1"),
            new Layer("PReLU", PICTURE, "alpha:1,1,2", "", "'shared_axes':[1,2]"),
            new Layer(
                    "Activation",
                    "1,40",
                    "",
                    "'activation':'relu'",
                    "'activation':'tanh'",
                    "'activation':{'class_name':'LeakyReLU','config':{'alpha':0.5}}"),
            new Layer(
                    "LayerNormalization",
                    "1,3,4",
                    "gamma:4 beta:4",
                    "'axis':-1",
                    "'axis':1",
                    "'epsilon':0.5",
                    "'center':false",
                    "'scale':false",
                    "'rms_scaling':true"),
            new Layer(
                    "InstanceNormalization",
                    "1,2,2,2",
                    "gamma:2 beta:2",
                    "'axis':3",
                    "'axis':1",
                    "'epsilon':0.5",
                    "'center':false",
                    "'scale':false"),
            new Layer(
                    "Addons>InstanceNormalization",
                    "1,2,2,2",
                    "gamma:2 beta:2",
                    "'axis':3",
                    "'axis':1",
                    "'epsilon':0.5",
                    "'center':false",
                    "'scale':false",
                    "'groups':1"),
            new Layer(
                    "Addons>GroupNormalization",
                    "1,2,2,4",
                    "gamma:4 beta:4",
                    "'axis':3;'groups':2",
                    "'axis':1",
                    "'epsilon':0.5",
                    "'center':false",
                    "'scale':false",
                    "'groups':4"),
            new Layer(
                    "GroupNormalization",
                    "1,2,2,4",
                    "gamma:4 beta:4",
                    "'axis':3;'groups':2",
                    "'axis':1",
                    "'epsilon':0.5",
                    "'center':false",
                    "'scale':false",
                    "'groups':4"),
            new Layer("Concatenate", "1,2,3 1,2,3", "", "", "'axis':1"));

    @TempDir
    Path folder;

    private static List<String> parts(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(";", -1));
    }

    private static String name(String field) {
        return field.substring(1, field.indexOf('\'', 1));
    }

    private static long[] longs(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static Tensor numbers(int seed, long[] sizes, float least) {
        float[] numbers = new float[(int) LongStream.of(sizes).reduce(1, (a, b) -> a * b)];
        Random random = new Random(seed);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 4 * random.nextFloat();
        }
        return Tensor.of(numbers, sizes);
    }

    /** The result, or the refusal. */
    private String outcome(Engine engine, Layer layer, String config) throws IOException {
        TfjsModel model = new TfjsModel();
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        for (String sizes : layer.inputs().split(" ", -1)) {
            String name = "x" + inputs.size();
            model.input(name, longs(sizes));
            inputs.put(name, numbers(inputs.size() + 3, longs(sizes), -2));
        }
        model.layer(layer.kind(), "l", config, inputs.keySet().toArray(String[]::new));
        int number = 10;
        for (String weight :
                layer.weights().isEmpty() ? new String[0] : layer.weights().split(" ", -1)) {
            String[] both = weight.split(":", -1);
            model.weight("l/" + both[0], numbers(number++, longs(both[1]), .2f));
        }
        try (Model loaded = engine.load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            return result.outputs().values().stream()
                    .map(y -> y + Arrays.toString(y.toDoubleArray()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private static String joined(String config, String field) {
        return config.isEmpty() ? field : config + "," + field;
    }

    private static Engine cpu() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Test
    void everyKindHasACase() {
        assertThat(all().stream().map(Layer::kind).collect(Collectors.toSet()))
                .isEqualTo(TfjsTranslation.LAYERS.types());
    }

    @Test
    void everyFieldChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (Layer layer : all()) {
                String before = outcome(engine, layer, layer.config(""));
                if (before.startsWith(REFUSED)) {
                    wrong.add(layer + ": " + before);
                }
                for (String other : layer.others()) {
                    String name = name(other);
                    String after = outcome(engine, layer, joined(layer.config(name), other));
                    boolean told = after.startsWith(REFUSED)
                            ? after.contains(name) || OF_SHAPES.contains(name)
                            : !after.equals(before);
                    boolean excused =
                            WITHOUT_EFFECT.containsKey(name) || WITHOUT_EFFECT.containsKey(name + " " + layer.kind());
                    if (excused ? !after.equals(before) : !told) {
                        wrong.add(layer.kind() + " " + other + ": " + after);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void fieldsThatNoLayerHasAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (Layer layer : all()) {
                String after = outcome(engine, layer, joined(layer.config(""), "'foreign':1"));
                if (!after.startsWith(REFUSED) || !after.contains("'foreign'")) {
                    wrong.add(layer.kind() + ": " + after);
                }
            }
            Layer activation = new Layer("Activation", "1,4", "", "");
            for (String config : List.of("'alpha':0.5,'foreign':1", "'alpha':0.5,'negative_slope':0.1")) {
                String after = outcome(
                        engine, activation, "'activation':{'class_name':'LeakyReLU','config':{" + config + "}}");
                if (!after.startsWith(REFUSED) || !(after.contains("foreign") || after.contains("negative_slope"))) {
                    wrong.add("Activation " + config + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }
}
