package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.openvino.IrNet.random;
import static org.clinfer.importer.openvino.IrNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers that are said by others, against their definitions. */
class ComposedLayersTest {

    @TempDir
    Path folder;

    private static double[] counted(int count) {
        return IntStream.range(0, count).asDoubleStream().toArray();
    }

    private static Tensor whole(int count, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        tensor.setDoubles(counted(count));
        return tensor;
    }

    @ParameterizedTest
    @CsvSource({
        "IsNaN,'',0 0 0 1 0",
        "IsInf,'',0 1 1 0 0",
        "IsInf,detect_negative=false,0 1 0 0 0",
        "IsInf,detect_positive=false,0 0 1 0 0",
        "IsFinite,'',1 0 0 0 1"
    })
    void testsOfElements(String type, String attributes, String wanted) throws IOException {
        IrNet net = new IrNet();
        net.results(net.add(type + ":opset10", attributes, "boolean:5", net.parameter("f32", "5")));
        float[] x = {1, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, -2};
        double[] truths = Arrays.stream(wanted.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        same(net.run(folder, IrNet.of(x, 5)), truths);
    }

    @Test
    void truthsOfAnAxis() throws IOException {
        IrNet net = new IrNet();
        Out x = net.add("Convert", "destination_type=boolean", "boolean:2,3", net.parameter("f32", "2,3"));
        Out axis = net.longs(1);
        net.results(
                net.add("ReduceLogicalAnd", "keep_dims=false", "boolean:2", x, axis),
                net.add("ReduceLogicalOr", "keep_dims=true", "boolean:2,1", x, axis));
        var all = net.runAll(folder, IrNet.of(new float[] {1, 0, 2, 1, 1, 1}, 2, 3));
        same(all.get(0), 0, 1);
        same(all.get(1), 1, 1);
    }

    @Test
    void rolls() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,4");
        net.results(net.add("Roll:opset7", "", "f32:2,4", x, net.longs(1, -1), net.longs(0, -1)));
        same(net.run(folder, whole(8, 2, 4)), 5, 6, 7, 4, 1, 2, 3, 0);
    }

    /** Blocks put together again what they took apart; the batch is the last part of the new one. */
    @Test
    void blocks() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,3");
        Out block = net.longs(1, 2, 2);
        Out none = net.longs(0, 0, 0);
        Out one = net.longs(0, 0, 1);
        Out batches = net.add("SpaceToBatch:opset2", "", "f32:4,1,2", x, block, none, one);
        net.results(batches, net.add("BatchToSpace:opset2", "", "f32:1,2,3", batches, block, none, one));
        var all = net.runAll(folder, whole(6, 1, 2, 3));
        same(all.get(0), 0, 2, 1, 0, 3, 5, 4, 0);
        same(all.get(1), counted(6));
    }

    @Test
    void channelsAreDividedByTheirLength() throws IOException {
        IrNet net = new IrNet();
        net.results(net.add("GRN", "bias=9", "f32:1,2,1", net.parameter("f32", "1,2,1")));
        same(net.run(folder, IrNet.of(new float[] {0, 4}, 1, 2, 1)), 0, 0.8);
    }

    @Test
    void meansOfWindowsThatCoverAnAxis() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,3,5");
        net.results(net.add("AdaptiveAvgPool:opset8", "", "f32:1,1,2,2", x, net.longs(2, 2)));
        same(net.run(folder, whole(15, 1, 1, 3, 5)), 3.5, 5.5, 8.5, 10.5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void attention(boolean isCausal) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,3,4");
        String attributes = "causal=" + isCausal;
        net.results(net.add("ScaledDotProductAttention:opset13", attributes, "f32:1,3,4", x, x, x));
        Tensor given = random(1, 1, 3, 4);
        double[] v = given.toDoubleArray();
        double[] wanted = new double[12];
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int j = 0; j < (isCausal ? i + 1 : 3); j++) {
                double score = 0;
                for (int k = 0; k < 4; k++) {
                    score += v[4 * i + k] * v[4 * j + k] / 2;
                }
                sum += Math.exp(score);
                for (int k = 0; k < 4; k++) {
                    wanted[4 * i + k] += Math.exp(score) * v[4 * j + k];
                }
            }
            for (int k = 0; k < 4; k++) {
                wanted[4 * i + k] /= sum;
            }
        }
        same(net.run(folder, given), wanted);
    }

    @Test
    void shiftsOfBits() throws IOException {
        IrNet net = new IrNet();
        Out x = net.add("Convert", "destination_type=i32", "i32:3", net.parameter("f32", "3"));
        Out by = net.add("Convert", "destination_type=i32", "i32:1", net.longs(2));
        net.results(
                net.add("BitwiseLeftShift:opset15", "auto_broadcast=numpy", "i32:3", x, by),
                net.add("BitwiseRightShift:opset15", "auto_broadcast=numpy", "i32:3", x, by));
        var all = net.runAll(folder, IrNet.of(new float[] {1, 8, 12}, 3));
        assertThat(all.get(0).toDoubleArray()).containsExactly(4, 32, 48);
        assertThat(all.get(1).toDoubleArray()).containsExactly(0, 2, 3);
    }
}
