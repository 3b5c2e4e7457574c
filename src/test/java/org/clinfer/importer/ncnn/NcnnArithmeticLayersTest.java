package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.ncnn.NcnnNet.count;
import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators of two values, sums, and reductions. */
class NcnnArithmeticLayersTest {

    @TempDir
    Path folder;

    @Test
    void blobsOfFewerAxesLineUpWithTheOuterOnes() throws IOException {
        NcnnNet net = NcnnNet.of(2, 1, 3)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a v 4=1")
                .line("BinaryOp m 2 1 b v y 0=2");
        same(net.run(folder, count(6), 1, 3, 1, 2), 0, 1, 6, 9, 20, 25);
        NcnnNet turned = NcnnNet.of(2, 1, 3)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a v 4=1")
                .line("BinaryOp m 2 1 v b y 0=1");
        same(turned.run(folder, count(6), 1, 3, 1, 2), 1, 0, 1, 0, 1, 0);
        NcnnNet inner = NcnnNet.of(2, 3).line("MemoryData c 0 1 v 0=2").line("BinaryOp m 2 1 x v y 0=0");
        same(inner.raw(10, 20).run(folder, count(6), 1, 3, 2), 10, 21, 12, 23, 14, 25);
    }

    @Test
    void aBlobThatMayLineUpWithEitherEndIsRefusedWhereSizesAreOpen() {
        NcnnNet net = new NcnnNet()
                .line("Input x 0 1 x")
                .line("Convolution k 1 1 x k 0=3 1=1 6=9")
                .line("Split s 1 2 k a b")
                .line("Flatten f 1 1 a v")
                .line("BinaryOp m 2 1 b v y 0=0")
                .tagged(new float[9]);
        assertThatThrownBy(() -> NcnnNet.run(net.write(folder), Map.of()))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageEndingWith(
                        "whether its blob of one axis lines up with the first or the last axis of the other"
                                + " follows from their sizes, and these are not known before a run; give the layers Input sizes");
    }

    @Test
    void sumsProductsAndMaxima() throws IOException {
        NcnnNet net = NcnnNet.of(2).line("Split s 1 4 x a b c d");
        net.line("Eltwise e 2 1 a b p 0=0").line("Eltwise f 2 1 c d q 0=1 -23301=2,2.0,-0.5");
        net.line("Eltwise g 2 1 p q y 0=2");
        same(net.run(folder, new float[] {1, 3}, 1, 2), 1.5, 9);
    }

    @ParameterizedTest
    @CsvSource({
        "0=0, 15",
        "0=3 1=0 5=1 3=0, 1.5:2.5:3.5",
        "0=4 1=0 5=1 3=-1 4=1, 2:5",
        "0=2 1=0 5=1 3=1, 5:50",
        "0=0 2=2.0, 30",
        "0=5 1=1 4=1, 0"
    })
    void reductions(String params, String wanted) throws IOException {
        String given = params.replaceAll(" 3=(-?\\d)", " -23303=1,$1");
        Tensor y = NcnnNet.of(3, 2).layer("Reduction", given).run(folder, count(6), 1, 2, 3);
        double[] numbers = Stream.of(wanted.split(":", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        same(y, numbers);
        assertThat(y.shape().rank()).isEqualTo(params.contains("4=1") ? 3 : 2);
        NcnnNet.unsupported(folder, NcnnNet.of(3, 2).layer("Reduction", "1=0 -23303=1,1"), "axes that count the batch");
    }
}
