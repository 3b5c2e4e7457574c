package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.clinfer.DeviceChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Activations, normalizations and dense layers of Keras. */
abstract class ActivationLayerContract extends LayerContract {

    ActivationLayerContract(DeviceChoice device) {
        super(device);
    }

    @Test
    void activations() throws IOException {
        Map<String, DoubleUnaryOperator> functions = new LinkedHashMap<>();
        functions.put("linear", x -> x);
        functions.put("relu", x -> Math.max(x, 0));
        functions.put("relu6", x -> Math.min(Math.max(x, 0), 6));
        functions.put("sigmoid", ActivationLayerContract::sigmoid);
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
}
