package org.clinfer.importer.openvino;

import static org.clinfer.importer.openvino.IrNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells and sequences of them, one step after another. */
class OpenVinoRecurrentLayersTest {

    @TempDir
    Path folder;

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** One step; the gates are those of forgetting, input, cell and output. */
    private static double[] lstm(double x, double h, double c) {
        double forget = sigmoid(x + 0.1 - h);
        double in = sigmoid(2 * x + 0.2 - 2 * h);
        double cell = forget * c + in * Math.tanh(3 * x + 0.3 - 3 * h);
        double out = sigmoid(4 * x + 0.4 - 4 * h);
        return new double[] {out * Math.tanh(cell), cell};
    }

    @Test
    void cells() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1");
        List<Out> states = net.layer(
                "LSTMCell:opset4",
                "hidden_size=1 activations=sigmoid,tanh,tanh clip=0",
                List.of(
                        x,
                        net.floats("1,1", 0.25f),
                        net.floats("1,1", -0.5f),
                        net.floats("4,1", 1, 2, 3, 4),
                        net.floats("4,1", -1, -2, -3, -4),
                        net.floats("4", 0.1f, 0.2f, 0.3f, 0.4f)),
                "f32:1,1",
                "f32:1,1");
        net.results(states.get(0), states.get(1));
        List<Tensor> found = net.runAll(folder, IrNet.of(new float[] {0.5f}, 1, 1));
        double[] wanted = lstm(0.5, 0.25, -0.5);
        same(found.get(0), wanted[0]);
        same(found.get(1), wanted[1]);
    }

    @Test
    void sequencesInBothDirections() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,1");
        List<Out> all = net.layer(
                "LSTMSequence:opset5",
                "hidden_size=1 direction=bidirectional",
                List.of(
                        x,
                        net.floats("1,2,1", 0, 0),
                        net.floats("1,2,1", 0, 0),
                        net.longs(2),
                        net.floats("2,4,1", 1, 2, 3, 4, 1, 2, 3, 4),
                        net.floats("2,4,1", -1, -2, -3, -4, -1, -2, -3, -4),
                        net.floats("2,4", 0.1f, 0.2f, 0.3f, 0.4f, 0.1f, 0.2f, 0.3f, 0.4f)),
                "f32:1,2,2,1",
                "f32:1,2,1",
                "f32:1,2,1");
        net.results(all.get(0), all.get(1), all.get(2));
        List<Tensor> found = net.runAll(folder, IrNet.of(new float[] {0.5f, -1}, 1, 2, 1));
        double[] first = lstm(0.5, 0, 0);
        double[] second = lstm(-1, first[0], first[1]);
        double[] last = lstm(-1, 0, 0);
        double[] before = lstm(0.5, last[0], last[1]);
        same(found.get(0), first[0], second[0], before[0], last[0]);
        same(found.get(1), second[0], before[0]);
        same(found.get(2), second[1], before[1]);
    }

    @Test
    void gatedUnits() throws IOException {
        for (boolean before : new boolean[] {false, true}) {
            IrNet net = new IrNet();
            Out x = net.parameter("f32", "1,1");
            Out bias = before ? net.floats("4", 0.1f, 0.2f, 0.3f, 0.4f) : net.floats("3", 0.1f, 0.2f, 0.3f);
            net.results(net.add(
                    "GRUCell:opset3",
                    "hidden_size=1 linear_before_reset=" + before,
                    "f32:1,1",
                    x,
                    net.floats("1,1", 0.25f),
                    net.floats("3,1", 1, 2, 3),
                    net.floats("3,1", -1, -2, -3),
                    bias));
            double update = sigmoid(0.5 + 0.1 - 0.25);
            double reset = sigmoid(1 + 0.2 - 0.5);
            double fresh =
                    before ? Math.tanh(1.5 + 0.3 + reset * (-0.75 + 0.4)) : Math.tanh(1.5 + 0.3 - 3 * reset * 0.25);
            same(net.run(folder, IrNet.of(new float[] {0.5f}, 1, 1)), (1 - update) * fresh + update * 0.25);
        }
    }

    @Test
    void plainCellsAndOtherFunctions() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,1");
        Out[] rest = {
            net.floats("1,1,1", 0.5f),
            net.longs(2),
            net.floats("1,1,1", 2),
            net.floats("1,1,1", -1),
            net.floats("1,1", 0.1f)
        };
        List<Out> all = net.layer(
                "RNNSequence:opset5",
                "hidden_size=1 direction=forward activations=tanh",
                List.of(x, rest[0], rest[1], rest[2], rest[3], rest[4]),
                "f32:1,1,2,1",
                "f32:1,1,1");
        net.results(all.get(0));
        double first = Math.tanh(1 + 0.1 - 0.5);
        same(net.run(folder, IrNet.of(new float[] {0.5f, -1}, 1, 2, 1)), first, Math.tanh(-2 + 0.1 - first));
        IrNet other = new IrNet();
        other.results(other.add(
                "RNNCell",
                "hidden_size=1 activations=relu",
                "f32:1,1",
                other.parameter("f32", "1,1"),
                other.floats("1,1", 0),
                other.floats("1,1", 0),
                other.floats("1,1", 0),
                other.floats("1", 0)));
        other.refused(folder, "RNNCell with activations='relu'");
    }
}
