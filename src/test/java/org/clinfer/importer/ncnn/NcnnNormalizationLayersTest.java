package org.clinfer.importer.ncnn;

import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Normalisations by trained numbers and by those of the value itself. */
class NcnnNormalizationLayersTest {

    @TempDir
    Path folder;

    @Test
    void softmaxAndItsAxes() throws IOException {
        float[] x = {0, 0, (float) Math.log(3), (float) Math.log(3)};
        same(NcnnNet.of(2, 2).layer("Softmax", "").run(folder, x, 1, 2, 2), 0.25, 0.25, 0.75, 0.75);
        same(NcnnNet.of(2, 2).layer("Softmax", "0=1 1=1").run(folder, x, 1, 2, 2), 0.5, 0.5, 0.5, 0.5);
        NcnnNet.unsupported(folder, NcnnNet.of(2, 2).layer("Softmax", "0=1"), "an axis that counts the batch");
    }

    @Test
    void normalizationsOfTraining() throws IOException {
        float[] x = {1, 2, 3, 4};
        NcnnNet batch = NcnnNet.of(2, 1, 2).layer("BatchNorm", "0=2 1=1.0");
        batch.raw(2, 3).raw(1, 2).raw(3, 8).raw(10, 20);
        same(batch.run(folder, x, 1, 2, 1, 2), 10, 11, 21, 22);
        same(
                NcnnNet.of(2, 1, 2)
                        .layer("Scale", "0=2 1=1")
                        .raw(2, 3)
                        .raw(5, 7)
                        .run(folder, x, 1, 2, 1, 2),
                7,
                9,
                16,
                19);
        same(NcnnNet.of(2, 1, 2).layer("Scale", "0=2").raw(2, 3).run(folder, x, 1, 2, 1, 2), 2, 4, 9, 12);
        same(NcnnNet.of(2, 1, 2).layer("Bias", "0=2").raw(2, 3).run(folder, x, 1, 2, 1, 2), 3, 4, 6, 7);
        same(
                NcnnNet.of(2, 1, 2).layer("PReLU", "0=2").raw(2, 3).run(folder, new float[] {-1, 2, -3, 4}, 1, 2, 1, 2),
                -2,
                2,
                -9,
                4);
        NcnnNet second = NcnnNet.of(2, 1, 2).line("Split s 1 2 x a b").line("Pooling p 1 1 a v 4=1");
        same(second.line("Scale m 2 1 b v y 0=-233").run(folder, x, 1, 2, 1, 2), 2, 4, 12, 16);
    }

    @Test
    void rowsByTheRootOfTheirMeanSquare() throws IOException {
        float[] x = {1, 7, 3, 3};
        same(NcnnNet.of(2, 2).layer("RMSNorm", "0=2 1=0.0 2=0").run(folder, x, 1, 2, 2), 0.2, 1.4, 1, 1);
        NcnnNet scaled = NcnnNet.of(2, 2).layer("RMSNorm", "0=2 1=0.0").raw(10, 2);
        same(scaled.run(folder, x, 1, 2, 2), 2, 2.8, 10, 2);
        NcnnNet.unsupported(folder, NcnnNet.of(2, 2).layer("RMSNorm", "0=4"), "4 elements of");
    }

    @Test
    void gatesAndErrorFunctions() throws IOException {
        float[] x = {1, 2, 0, (float) Math.log(3)};
        same(NcnnNet.of(2, 2).layer("GLU", "0=0").run(folder, x, 1, 2, 2), 0.5, 1.5);
        same(NcnnNet.of(2, 2).layer("GLU", "0=1").run(folder, x, 1, 2, 2), 1 / (1 + Math.exp(-2)), 0);
        same(NcnnNet.of(1, 1).layer("Erf", "").run(folder, new float[] {1}, 1, 1, 1), 0.8427007929);
    }

    /** (x - mean) / deviation of some elements. */
    private static double[] normal(float[] x, int from, int to, double inside, double outside) {
        double mean = 0;
        for (int i = from; i < to; i++) {
            mean += x[i] / (double) (to - from);
        }
        double variance = 0;
        for (int i = from; i < to; i++) {
            variance += (x[i] - mean) * (x[i] - mean) / (to - from);
        }
        double[] result = new double[to - from];
        for (int i = from; i < to; i++) {
            result[i - from] = (x[i] - mean) / (Math.sqrt(variance + inside) + outside);
        }
        return result;
    }

    private static double[] parts(float[] x, int count, double inside, double outside, double[] scale, double shift) {
        List<Double> all = new ArrayList<>();
        int length = x.length / count;
        for (int part = 0; part < count; part++) {
            double factor = scale[part % scale.length];
            for (double value : normal(x, part * length, (part + 1) * length, inside, outside)) {
                all.add(value * factor + shift);
            }
        }
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Test
    void normalizationsOfTheValueItself() throws IOException {
        float[] x = random(8, 24);
        double[] one = {1};
        NcnnNet instance = NcnnNet.of(3, 2, 4).layer("InstanceNorm", "0=4 1=0.01");
        same(
                instance.raw(1, 2, 3, 4).raw(5, 5, 5, 5).run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.01, 0, new double[] {1, 2, 3, 4}, 5));
        same(
                NcnnNet.of(3, 2, 4).layer("InstanceNorm", "0=0 2=0").run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.001, 0, one, 0));
        NcnnNet group = NcnnNet.of(3, 2, 4).layer("GroupNorm", "0=2 1=4 2=0.01");
        double[] wanted = parts(x, 2, 0.01, 0, one, 0);
        for (int i = 0; i < 24; i++) {
            wanted[i] = wanted[i] * (i / 6 + 1) + 5;
        }
        same(group.raw(1, 2, 3, 4).raw(5, 5, 5, 5).run(folder, x, 1, 4, 2, 3), wanted);
        NcnnNet layer = NcnnNet.of(3, 8).layer("LayerNorm", "0=3 1=0.01");
        double[] rows = parts(x, 8, 0.01, 0, one, 0);
        for (int i = 0; i < 24; i++) {
            rows[i] = rows[i] * (i % 3 + 1) - 1;
        }
        same(layer.raw(1, 2, 3).raw(-1, -1, -1).run(folder, x, 1, 8, 3), rows);
        same(
                NcnnNet.of(3, 2, 4).layer("LayerNorm", "0=6 2=0").run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.001, 0, one, 0));
        same(NcnnNet.of(3, 2, 4).layer("MVN", "0=1 2=0.1").run(folder, x, 1, 4, 2, 3), parts(x, 4, 0, 0.1, one, 0));
        same(NcnnNet.of(3, 2, 4).layer("MVN", "0=1 1=1 2=0.1").run(folder, x, 1, 4, 2, 3), parts(x, 1, 0, 0.1, one, 0));
    }

    @Test
    void lengthsAndNeighbours() throws IOException {
        float[] x = {3, 0, 4, 5};
        NcnnNet cells = NcnnNet.of(2, 1, 2).layer("Normalize", "2=0.0 3=2").raw(10, 20);
        same(cells.run(folder, x, 1, 2, 1, 2), 6, 0, 16, 20);
        NcnnNet all = NcnnNet.of(2, 1, 2)
                .layer("Normalize", "0=1 1=1 2=100.0 3=1 9=1")
                .raw(2);
        same(all.run(folder, x, 1, 2, 1, 2), 0.06, 0, 0.08, 0.1);
        NcnnNet across = NcnnNet.of(1, 1, 3).layer("LRN", "1=3 2=3.0 3=1.0 4=2.0");
        same(across.run(folder, new float[] {1, 2, 3}, 1, 3, 1, 1), 1 / 7.0, 2 / 16.0, 3 / 15.0);
        NcnnNet within = NcnnNet.of(3, 1, 1).layer("LRN", "0=1 1=3 2=9.0 3=1.0");
        same(within.run(folder, new float[] {1, 2, 3}, 1, 1, 1, 3), 1 / 6.0, 2 / 15.0, 3 / 14.0);
    }
}
