package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools and their windows at the borders. */
class NcnnPoolingLayersTest {

    @TempDir
    Path folder;

    /** A picture of one channel. */
    private Tensor pooled(String params, int height, int width, float... x) throws IOException {
        return NcnnNet.of(width, height, 1).layer("Pooling", params).run(folder, x, 1, 1, height, width);
    }

    @Test
    void pools() throws IOException {
        float[] x = {1, 2, 3, 4, 5};
        same(pooled("1=2 11=1 2=2", 1, 5, x), 2, 4, 5);
        same(pooled("1=2 11=1 2=2 5=1", 1, 5, x), 2, 4);
        same(pooled("1=2 11=1 2=2 5=2", 1, 5, x), 2, 4, 5);
        same(pooled("1=2 11=1 2=2 5=3", 1, 5, x), 1, 3, 5);
        same(pooled("0=1 1=2 11=1 2=2", 1, 5, x), 1.5, 3.5, 5);
        same(pooled("0=1 1=2 11=1 2=2 6=1", 1, 5, x), 1.5, 3.5, 2.5);
        same(pooled("0=1 1=3 11=1 3=1 13=0 5=1", 1, 5, x), 1.5, 2, 3, 4, 4.5);
        same(pooled("0=1 1=3 11=1 3=1 13=0 5=1 6=1", 1, 5, x), 1, 2, 3, 4, 3);
        NcnnNet.unsupported(
                folder, NcnnNet.of(5, 1, 1).layer("Pooling", "0=1 1=2 5=2"), "means of windows that keep the size");
    }

    @Test
    void poolsOfEverythingAreVectors() throws IOException {
        float[] x = {1, 2, 3, 4, -1, -2, -3, -4};
        Tensor y = NcnnNet.of(2, 2, 2).layer("Pooling", "0=1 4=1 1=7").run(folder, x, 1, 2, 2, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2));
        same(y, 2.5, -2.5);
        Tensor one = NcnnNet.of(2, 2, 2).layer("Pooling", "4=0 7=1 8=1").run(folder, x, 1, 2, 2, 2);
        assertThat(one.shape()).isEqualTo(Shape.of(1, 2, 1, 1));
        same(one, 4, -1);
    }

    /** Windows of a fixed number of results are found anew for each size. */
    @Test
    void adaptivePools() throws IOException {
        Path file = NcnnNet.of(4, 2, 1).layer("Pooling", "0=1 7=1 8=2 18=-233").write(folder);
        Tensor four = Tensor.of(new float[] {1, 3, 5, 7, 2, 2, 4, 4}, 1, 1, 2, 4);
        same(List.copyOf(NcnnNet.run(file, Map.of("x", four)).values()).get(0), 2, 6, 2, 4);
        Tensor six = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 1, 1, 1, 6);
        same(List.copyOf(NcnnNet.run(file, Map.of("x", six)).values()).get(0), 2, 5);
        NcnnNet.unsupported(folder, NcnnNet.of(4, 2, 1).layer("Pooling", "7=1 8=3"), "a result of 3 cells");
    }
}
