package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.tflite.TfliteNet.Level;
import org.clinfer.importer.tflite.TfliteNet.Sparsity;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constants of which only some elements are stored. */
class TfliteSparsityTest {

    @TempDir
    Path folder;

    /** What is added to zeros, which makes all elements an output. */
    private Tensor dense(float[] stored, Sparsity sparsity, int rows, int columns) throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", rows, columns);
        int w = net.floats("w", stored, rows, columns);
        int all = net.value("all", "float32", rows, columns);
        int y = net.value("y", "float32", rows, columns);
        net.sparse(w, sparsity).op("DENSIFY", all, "", w).op("ADD", y, "", x, all);
        return net.output(y).one(folder, Map.of("x", Tensor.of(new float[rows * columns], rows, columns)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void rowsOfWhichSomeColumnsAreStored(int bytes) throws IOException {
        Sparsity rows = new Sparsity(
                new int[] {0, 1},
                new int[0],
                List.of(Level.dense(3), Level.sparse(bytes, new int[] {0, 2, 2, 3}, 0, 3, 1)));
        assertThat(dense(new float[] {1, 2, 3}, rows, 3, 4).toFloatArray())
                .containsExactly(1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0);
    }

    @Test
    void columnsOfWhichSomeRowsAreStored() throws IOException {
        Sparsity columns = new Sparsity(
                new int[] {1, 0},
                new int[0],
                List.of(Level.dense(4), Level.sparse(4, new int[] {0, 1, 2, 2, 3}, 0, 2, 0)));
        assertThat(dense(new float[] {1, 3, 2}, columns, 3, 4).toFloatArray())
                .containsExactly(1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0);
    }

    /** Blocks of 1x4, as the kernels for pruned fully connected layers want them. */
    @Test
    void blocksOfColumns() throws IOException {
        Random random = new Random(7);
        float[] all = new float[6 * 16];
        float[] stored = new float[6 * 16];
        int[] segments = new int[7];
        int[] indices = new int[6 * 4];
        int blocks = 0;
        for (int row = 0; row < 6; row++) {
            for (int block = 0; block < 4; block++) {
                if (random.nextBoolean()) {
                    for (int i = 0; i < 4; i++) {
                        all[row * 16 + block * 4 + i] = stored[blocks * 4 + i] = random.nextFloat();
                    }
                    indices[blocks++] = block;
                }
            }
            segments[row + 1] = blocks;
        }
        Sparsity sparsity = new Sparsity(
                new int[] {0, 1, 2},
                new int[] {1},
                List.of(Level.dense(6), Level.sparse(2, segments, Arrays.copyOf(indices, blocks)), Level.dense(4)));
        assertThat(dense(Arrays.copyOf(stored, blocks * 4), sparsity, 6, 16).toFloatArray())
                .containsExactly(all);
    }

    @Test
    void damagedOnesAreRefused() {
        int[] order = {0, 1};
        Level rows = Level.dense(3);
        refused(new Sparsity(order, new int[0], List.of(Level.dense(2), rows)), "a dense axis of 2 instead of 3");
        refused(new Sparsity(new int[] {0, 0}, new int[0], List.of(rows, rows)), "axes in the order [0, 0]");
        refused(sparse(new int[] {0, 2, 2}, 0, 3, 1), "indices from -1 to -1 of 3");
        refused(sparse(new int[] {0, 2, 1, 3}, 0, 3, 1), "indices from 2 to 1 of 3");
        refused(sparse(new int[] {0, 2, 2, 3}, 0, 4, 1), "the index 4 along an axis of 4");
        refused(sparse(new int[] {0, 2, 2, 3}, 3, 3, 1), "the index 3 along an axis of 4");
        refused(sparse(new int[] {0, 2, 2, 2}, 0, 3), "12 bytes, where 2 elements are visited");
        refused(sparse(new int[] {0, 2, 2, 4}, 0, 3, 1, 2), "12 bytes, which end before element 3");
        Level columns = Level.sparse(4, new int[] {0, 1, 2, 3}, 0, 1, 0);
        refused(
                new Sparsity(new int[] {0, 1, 2}, new int[] {1}, List.of(rows, columns, Level.dense(3))),
                "blocks of 3 along axis 1 of 3x4");
    }

    private static Sparsity sparse(int[] segments, int... indices) {
        return new Sparsity(new int[] {0, 1}, new int[0], List.of(Level.dense(3), Level.sparse(4, segments, indices)));
    }

    private void refused(Sparsity sparsity, String why) {
        assertThatThrownBy(() -> dense(new float[] {1, 2, 3}, sparsity, 3, 4))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.tflite: tensor 1 'w': it is a sparse tensor with " + why);
    }

    @Test
    void fewElementsCannotBeAHugeTensor() {
        Sparsity rows = new Sparsity(
                new int[] {0, 1},
                new int[0],
                List.of(Level.sparse(4, new int[] {0, 1}, 0), Level.sparse(4, new int[] {0, 1}, 0)));
        TfliteNet net = new TfliteNet();
        int w = net.floats("w", new float[] {1}, 1 << 15, 1 << 15);
        int y = net.value("y", "float32", 1 << 15, 1 << 15);
        net.sparse(w, rows).op("RELU", y, "", w).output(y);
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("4 bytes of elements, which is too few for 32768x32768:float32");
    }
}
