package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Products of matrices. */
class NcnnMatrixLayersTest {

    @TempDir
    Path folder;

    @Test
    void innerProductsOfPicturesAndOfRows() throws IOException {
        NcnnNet all = NcnnNet.of(2, 1, 2).layer("InnerProduct", "0=2 1=1 2=8 9=1");
        all.tagged(1, 10, 100, 1000, -1, 0, 0, 0).raw(5, 0);
        Tensor y = all.run(folder, new float[] {1, 2, 3, 4}, 1, 2, 1, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2));
        same(y, 4326, 0);
        NcnnNet rows = NcnnNet.of(2, 3)
                .layer("InnerProduct", "0=1 1=1 2=2")
                .tagged(1, 10)
                .raw(5);
        Tensor each = rows.run(folder, new float[] {1, 2, 3, 4, 5, 6}, 1, 3, 2);
        assertThat(each.shape()).isEqualTo(Shape.of(1, 3, 1));
        same(each, 26, 48, 70);
    }

    @Test
    void matrices() throws IOException {
        float[] x = {1, 2, 3, 4, 5, 6};
        NcnnNet product = NcnnNet.of(3, 2).line("Split s 1 2 x a b").line("MatMul m 2 1 a b y 0=1");
        same(product.run(folder, x, 1, 2, 3), 14, 32, 32, 77);
        NcnnNet constant = NcnnNet.of(3, 2).layer("Gemm", "0=2.0 1=0.5 3=1 5=1 6=1 8=2 9=3 10=4");
        Tensor y = constant.tagged(1, 0, 0, 1, 1, 1).tagged(10, 20).run(folder, x, 1, 2, 3);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 2));
        same(y, 2 * (1 + 5), 2 * (6 + 10), 2 * (4 + 5), 2 * (15 + 10));
    }
}
