package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.count;
import static org.clinfer.importer.ncnn.NcnnNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What moves elements and leaves them as they are. */
class NcnnShapeLayersTest {

    @TempDir
    Path folder;

    @Test
    void slicesAndConcatenations() throws IOException {
        NcnnNet net = NcnnNet.of(1, 1, 5)
                .line("Slice s 1 3 x a b c -23300=3,1,-233,-233")
                .line("Concat k 3 1 c a b y");
        same(net.run(folder, count(5), 1, 5, 1, 1), 3, 4, 0, 1, 2);
        NcnnNet columns = NcnnNet.of(4, 2)
                .line("Slice s 1 2 x a b -23300=2,-233,-233 1=1")
                .line("Concat k 2 1 b a y 0=-1");
        same(columns.run(folder, count(8), 1, 2, 4), 2, 3, 0, 1, 6, 7, 4, 5);
    }

    @ParameterizedTest
    @CsvSource({
        "-23309=1:1 -23310=1:-233 -23311=1:2, 1:2:4:5:7:8:10:11",
        "-23309=2:0:-2 -23310=2:1:-233 -23311=2:0:2, 1:2:4:5",
        "-23309=1:1 -23310=1:0 -23311=1:2, 1:2:4:5:7:8:10:11",
        "0=1 3=1 4=-233 5=-233 , 1:4:7:10",
        "0=0 3=-233 6=1 1=1 4=1 2=1 5=1, 9:10"
    })
    void crops(String params, String wanted) throws IOException {
        Tensor y = NcnnNet.of(3, 2, 2).layer("Crop", params.replace(':', ',')).run(folder, count(12), 1, 2, 2, 3);
        same(
                y,
                Stream.of(wanted.split(":", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
    }

    @Test
    void cropsToTheSizeOfAnother() throws IOException {
        NcnnNet net = NcnnNet.of(3, 3, 1)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a r 1=2 2=2 5=1 3=0")
                .line("Crop c 2 1 b r y 0=1 1=2");
        same(net.run(folder, count(9), 1, 1, 3, 3), 7);
    }

    @Test
    void borders() throws IOException {
        float[] x = {1, 2, 3, 4};
        same(
                NcnnNet.of(2, 2, 1).layer("Padding", "0=1 3=1 5=9.0").run(folder, x, 1, 1, 2, 2),
                9,
                9,
                9,
                1,
                2,
                9,
                3,
                4,
                9);
        same(NcnnNet.of(2, 2, 1).layer("Padding", "1=1 2=1 4=1").run(folder, x, 1, 1, 2, 2), 1, 1, 2, 3, 3, 4, 3, 3, 4);
        same(NcnnNet.of(4).layer("Padding", "2=1 3=2 4=2").run(folder, x, 1, 4), 2, 1, 2, 3, 4, 3, 2);
        same(NcnnNet.of(2, 1, 2).layer("Padding", "7=1 8=0 5=7.0").run(folder, x, 1, 2, 1, 2), 7, 7, 1, 2, 3, 4);
    }

    /** Names of orders are those of the axes from the innermost outwards. */
    @ParameterizedTest
    @CsvSource({"0, 012, 2:2:3", "1, 021, 2:3:2", "2, 102, 2:2:3", "3, 120, 2:3:2", "4, 201, 3:2:2", "5, 210, 3:2:2"})
    void permutations(int order, String axes, String shape) throws IOException {
        int[] sizes = {2, 2, 3};
        Tensor y = NcnnNet.of(3, 2, 2).layer("Permute", "0=" + order).run(folder, count(12), 1, 2, 2, 3);
        assertThat(y.shape().toString()).isEqualTo("1x" + shape.replace(':', 'x'));
        int[] to = axes.chars().map(each -> each - '0').toArray();
        int[] strides = {6, 3, 1};
        double[] wanted = new double[12];
        for (int i = 0; i < 12; i++) {
            int inner = i % sizes[to[2]];
            int middle = i / sizes[to[2]] % sizes[to[1]];
            int outer = i / sizes[to[2]] / sizes[to[1]];
            wanted[i] = outer * strides[to[0]] + middle * strides[to[1]] + inner * strides[to[2]];
        }
        same(y, wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "3:2:2, 0=-1, 1x12",
        "3:2:2, 0=4 1=-1, 1x3x4",
        "3:2:2, 0=0 1=-1 2=1, 1x1x4x3",
        "3:2:2, 0=0 1=-1, 1x4x3",
        "3:2, 0=-1 1=0 2=0, 1x1x2x3",
        "3:2:2, 0=-1 1=0 11=1 2=0, 1x2x1x2x3",
        "6, 0=0 1=1 2=1, 1x1x1x6"
    })
    void shapes(String input, String params, String shape) throws IOException {
        int[] sizes =
                Stream.of(input.split(":", -1)).mapToInt(Integer::parseInt).toArray();
        long[] dims = new long[sizes.length + 1];
        dims[0] = 1;
        int elements = 1;
        for (int i = 0; i < sizes.length; i++) {
            dims[sizes.length - i] = sizes[i];
            elements *= sizes[i];
        }
        Tensor y = NcnnNet.of(sizes).layer("Reshape", params).run(folder, count(elements), dims);
        assertThat(y.shape().toString()).isEqualTo(shape);
        assertThat(y.toFloatArray()).isEqualTo(count(elements));
        NcnnNet.unsupported(
                folder, NcnnNet.of(sizes).layer("Reshape", params + " 3=1"), "channels as the innermost axis");
    }

    @Test
    void axesOfOneCell() throws IOException {
        NcnnNet net = NcnnNet.of(3, 1, 2)
                .line("Squeeze a 1 1 x b 1=1")
                .line("ExpandDims c 1 1 b d -23303=1,-1")
                .line("Squeeze e 1 1 d y -23303=1,2");
        Tensor y = net.run(folder, count(6), 1, 2, 1, 3);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 3));
        NcnnNet tiled = NcnnNet.of(2).layer("Tile", "0=0 1=2");
        same(tiled.run(folder, count(2), 1, 2), 0, 1, 0, 1);
        same(NcnnNet.of(3).layer("CumulativeSum", "").run(folder, count(3), 1, 3), 0, 1, 3);
        assertThat(NcnnNet.of(2, 1, 2)
                        .layer("Flatten", "")
                        .run(folder, count(4), 1, 2, 1, 2)
                        .shape())
                .isEqualTo(Shape.of(1, 4));
    }

    @Test
    void channelsAndBlocks() throws IOException {
        same(NcnnNet.of(1, 1, 6).layer("ShuffleChannel", "0=2").run(folder, count(6), 1, 6, 1, 1), 0, 3, 1, 4, 2, 5);
        same(
                NcnnNet.of(1, 1, 6).layer("ShuffleChannel", "0=2 1=1").run(folder, count(6), 1, 6, 1, 1),
                0,
                2,
                4,
                1,
                3,
                5);
        same(
                NcnnNet.of(1, 1, 8).layer("PixelShuffle", "0=2").run(folder, count(8), 1, 8, 1, 1),
                0,
                1,
                2,
                3,
                4,
                5,
                6,
                7);
        same(
                NcnnNet.of(1, 1, 8).layer("PixelShuffle", "0=2 1=1").run(folder, count(8), 1, 8, 1, 1),
                0,
                2,
                4,
                6,
                1,
                3,
                5,
                7);
        same(NcnnNet.of(2, 2, 2).layer("Reorg", "0=2").run(folder, count(8), 1, 2, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
        same(NcnnNet.of(2, 2, 2).layer("Reorg", "0=2 1=1").run(folder, count(8), 1, 2, 2, 2), 0, 4, 1, 5, 2, 6, 3, 7);
    }
}
