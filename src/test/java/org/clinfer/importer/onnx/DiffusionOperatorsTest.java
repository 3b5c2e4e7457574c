package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.RuntimeModelRunner.assertClose;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.util.List;
import java.util.Objects;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ONNX Runtime's operators of diffusion models against loops. */
class DiffusionOperatorsTest extends RuntimeOperatorTests {

    @ParameterizedTest
    @CsvSource({"GroupNorm, 0, 1", "GroupNorm, 1, 1", "GroupNorm, 1, 0", "SkipGroupNorm, 1, 1"})
    void groupsOfChannelsAreNormalized(String op, int activation, int last) {
        int pixels = 6;
        int channels = 8;
        int groups = 2;
        RuntimeModel test = new RuntimeModel(activation)
                .input("s", 2, channels)
                .input("c", channels)
                .output("y");
        if (last == 1) {
            test.input("x", 2, 2, 3, channels);
        } else {
            test.input("x", 2, channels, 2, 3);
        }
        Tensor gamma = test.normal(1, channels);
        Tensor beta = test.normal(1, channels);
        test.constant("gamma", gamma).constant("beta", beta);
        boolean skips = op.startsWith("Skip");
        test.node(
                op,
                skips ? "x,gamma,beta,s,c" : "x,gamma,beta",
                "y",
                integer("groups", groups),
                integer("activation", activation),
                integer("channels_last", last));
        double[] sums = new double[2 * pixels * channels];
        for (int i = 0; i < sums.length; i++) {
            int batch = i / (pixels * channels);
            int channel = last == 1 ? i % channels : i / pixels % channels;
            sums[i] = Objects.requireNonNull(test.inputs().get("x")).getDouble(i);
            if (skips) {
                sums[i] += Objects.requireNonNull(test.inputs().get("s")).getDouble(batch * channels + channel)
                        + Objects.requireNonNull(test.inputs().get("c")).getDouble(channel);
            }
        }
        double[] y = new double[sums.length];
        for (int i = 0; i < y.length; i++) {
            double mean = 0;
            double squares = 0;
            int count = pixels * channels / groups;
            for (int j = 0; j < y.length; j++) {
                if (group(i, last) == group(j, last)) {
                    mean += sums[j] / count;
                    squares += sums[j] * sums[j] / count;
                }
            }
            int channel = last == 1 ? i % channels : i / pixels % channels;
            double normal = (sums[i] - mean) / Math.sqrt(squares - mean * mean + 1e-5);
            y[i] = normal * gamma.getDouble(channel) + beta.getDouble(channel);
            y[i] = activation == 1 ? y[i] / (1 + Math.exp(-y[i])) : y[i];
        }
        assertClose(runner.run(test, folder).get(0), y);
    }

    /** Which of two batches and two groups of four channels of six pixels an element is of. */
    private static int group(int element, int last) {
        int channel = last == 1 ? element % 8 : element / 6 % 8;
        return element / 48 * 2 + channel / 4;
    }

    @Test
    void convolutionsMayHaveTheChannelsLast() {
        RuntimeModel test = new RuntimeModel(4)
                .input("x", 1, 4, 5, 2)
                .output("y")
                .node("NhwcConv", "x,w,b", "y", TestModel.ints("pads", 1, 1, 1, 1), TestModel.ints("strides", 2, 1));
        Tensor weights = test.normal(1, 3, 3, 3, 2);
        Tensor bias = test.normal(1, 3);
        test.constant("w", weights).constant("b", bias);
        Tensor x = Objects.requireNonNull(test.inputs().get("x"));
        double[] y = new double[2 * 5 * 3];
        for (int i = 0; i < y.length; i++) {
            int out = i % 3;
            y[i] = bias.getDouble(out);
            for (int tap = 0; tap < 9; tap++) {
                int row = i / 15 * 2 + tap / 3 - 1;
                int column = i / 3 % 5 + tap % 3 - 1;
                for (int in = 0; in < 2 && row >= 0 && row < 4 && column >= 0 && column < 5; in++) {
                    y[i] += x.getDouble((row * 5L + column) * 2 + in) * weights.getDouble((out * 9L + tap) * 2 + in);
                }
            }
        }
        assertClose(runner.run(test, folder).get(0), y);
    }

    @Test
    void halvesOfFeaturesAreGated() {
        RuntimeModel test = new RuntimeModel(4)
                .input("x", 1, 2, 6)
                .input("b", 6)
                .input("s", 1, 2, 6)
                .output("y", "z")
                .node("BiasSplitGelu", "x,b", "y")
                .node("BiasAdd", "x,b,s", "z");
        double[] sums = new double[12];
        double[] added = new double[12];
        for (int i = 0; i < 12; i++) {
            sums[i] = Objects.requireNonNull(test.inputs().get("x")).getDouble(i)
                    + Objects.requireNonNull(test.inputs().get("b")).getDouble(i % 6);
            added[i] = sums[i] + Objects.requireNonNull(test.inputs().get("s")).getDouble(i);
        }
        RuntimeModel gelu = new RuntimeModel(4).output("y").node("Gelu", "x", "y");
        double[] second = new double[6];
        for (int i = 0; i < 6; i++) {
            second[i] = sums[i / 3 * 6 + 3 + i % 3];
        }
        gelu.input("x", Tensor.of(floats(second), 6));
        Tensor gates = runner.run(gelu, folder).get(0);
        double[] y = new double[6];
        for (int i = 0; i < 6; i++) {
            y[i] = sums[i / 3 * 6 + i % 3] * gates.getDouble(i);
        }
        List<Tensor> outputs = runner.run(test, folder);
        assertClose(outputs.get(0), y);
        assertClose(outputs.get(1), added);
    }

    private static float[] floats(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }
}
