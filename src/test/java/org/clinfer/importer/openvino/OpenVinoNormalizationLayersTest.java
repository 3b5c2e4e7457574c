package org.clinfer.importer.openvino;

import static org.clinfer.importer.openvino.IrNet.same;
import static org.clinfer.importer.openvino.OpenVinoArithmeticLayersTest.numbers;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Normalisations and reductions. */
class OpenVinoNormalizationLayersTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "ReduceMean, true, '2,1', 1:4",
        "ReduceSum, false, '2', 3:12",
        "ReduceMax, false, '2', 2:5",
        "ReduceMin, true, '2,1', 0:3",
        "ReduceProd, false, '2', 0:60",
        "ReduceL1:opset4, false, '2', 3:12",
        "ReduceL2:opset4, false, '2', 2.2360679775:7.0710678119"
    })
    void reductions(String type, boolean keep, String dims, String wanted) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        net.results(net.add(type, "keep_dims=" + keep, "f32:" + dims, x, net.longs(-1)));
        same(net.run(folder, IrNet.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3)), numbers(wanted));
    }

    @Test
    void softmax() throws IOException {
        Tensor x = IrNet.of(new float[] {0, 0, (float) Math.log(3), (float) Math.log(3)}, 1, 2, 2);
        IrNet first = new IrNet();
        first.results(first.add("SoftMax", "axis=1", "f32:1,2,2", first.parameter("f32", "1,2,2")));
        same(first.run(folder, x), 0.25, 0.25, 0.75, 0.75);
        IrNet last = new IrNet();
        last.results(last.add("Softmax:opset8", "axis=-1", "f32:1,2,2", last.parameter("f32", "1,2,2")));
        same(last.run(folder, x), 0.5, 0.5, 0.5, 0.5);
    }

    /** The first form has the data between shift and mean. */
    @ParameterizedTest
    @CsvSource({"opset1", "opset5"})
    void batches(String opset) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,2");
        Out gamma = net.floats("2", 2, 3);
        Out beta = net.floats("2", 10, 20);
        Out mean = net.floats("2", 1, 2);
        Out variance = net.floats("2", 3, 8);
        String type = "BatchNormInference:" + opset;
        Out y = opset.equals("opset1")
                ? net.add(type, "epsilon=1", "f32:1,2,2", gamma, beta, x, mean, variance)
                : net.add(type, "epsilon=1", "f32:1,2,2", x, gamma, beta, mean, variance);
        same(net.results(y).run(folder, IrNet.of(new float[] {1, 2, 3, 4}, 1, 2, 2)), 10, 11, 21, 22);
    }

    @ParameterizedTest
    @CsvSource({
        "'MVN', 'across_channels=false normalize_variance=true eps=0.5', '', true, 1",
        "'MVN:opset6', 'normalize_variance=true eps=0.5 eps_mode=INSIDE_SQRT', '2', true, 1",
        "'MVN:opset6', 'normalize_variance=true eps=0.5 eps_mode=outside_sqrt', '2', false, 1",
        "'MVN:opset6', 'normalize_variance=false eps=0.5 eps_mode=inside_sqrt', '2', true, 0"
    })
    void meanAndVariance(String type, String attributes, String axis, boolean inside, int divided) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,3");
        Out y = axis.isEmpty()
                ? net.add(type, attributes, "f32:1,2,3", x)
                : net.add(type, attributes, "f32:1,2,3", x, net.longs(Long.parseLong(axis)));
        double variance = 2.0 / 3;
        double divisor = divided == 0 ? 1 : inside ? Math.sqrt(variance + 0.5) : Math.sqrt(variance) + 0.5;
        same(
                net.results(y).run(folder, IrNet.of(new float[] {1, 2, 3, 5, 6, 7}, 1, 2, 3)),
                -1 / divisor,
                0,
                1 / divisor,
                -1 / divisor,
                0,
                1 / divisor);
    }

    @Test
    void lengthsAndNeighbours() throws IOException {
        IrNet length = new IrNet();
        Out x = length.parameter("f32", "1,2,2");
        length.results(length.add("NormalizeL2", "eps=0 eps_mode=add", "f32:1,2,2", x, length.longs(1)));
        same(length.run(folder, IrNet.of(new float[] {3, 0, 4, 5}, 1, 2, 2)), 0.6, 0, 0.8, 1);
        IrNet responses = new IrNet();
        Out z = responses.parameter("f32", "1,3,1,1");
        responses.results(responses.add("LRN", "size=3 alpha=3 beta=1 bias=2", "f32:1,3,1,1", z, responses.longs(1)));
        same(responses.run(folder, IrNet.of(new float[] {1, 2, 3}, 1, 3, 1, 1)), 1 / 7.0, 2 / 16.0, 3 / 15.0);
    }

    @Test
    void groups() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,4,2");
        net.results(net.add(
                "GroupNormalization:opset12",
                "num_groups=2 epsilon=0",
                "f32:1,4,2",
                x,
                net.floats("4", 1, 2, 1, 1),
                net.floats("4", 0, 0, 1, 1)));
        double root = Math.sqrt(5);
        same(
                net.run(folder, IrNet.of(new float[] {1, 2, 3, 4, 8, 6, 4, 2}, 1, 4, 2)),
                -3 / root,
                -1 / root,
                2 / root,
                6 / root,
                1 + 3 / root,
                1 + 1 / root,
                1 - 1 / root,
                1 - 3 / root);
    }
}
