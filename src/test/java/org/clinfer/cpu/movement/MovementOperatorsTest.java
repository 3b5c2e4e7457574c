package org.clinfer.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.cpu.TestRuns.SHAPES;
import static org.clinfer.cpu.TestRuns.WHOLE_BYTES;
import static org.clinfer.cpu.TestRuns.cell;
import static org.clinfer.cpu.TestRuns.index;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.place;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.runAll;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Operators that move elements without looking at them. */
class MovementOperatorsTest {

    /** Every element of {@code y} is the one of {@code x} at the place that {@code origin} gives for its own. */
    private static void assertMoved(Tensor y, Tensor x, UnaryOperator<long[]> origin) {
        for (long i = 0; i < y.elements(); i++) {
            long source = index(x.shape(), origin.apply(place(y.shape(), i)));
            if (!cell(y, i).equals(cell(x, source))) {
                assertThat(cell(y, i))
                        .as("%s from %s, element %d", y.type(), x.type(), i)
                        .isEqualTo(cell(x, source));
            }
        }
    }

    @Test
    void transposePermutesAxes() {
        Random random = new Random(31);
        for (DType dtype : WHOLE_BYTES) {
            for (long[] sizes : SHAPES) {
                transpose(random, dtype, sizes);
            }
        }
    }

    @Test
    void transposesOfLongMatricesHaveWholeTilesAndTails() {
        Random random = new Random(37);
        for (long[] sizes : List.of(
                new long[] {2, 70, 300},
                new long[] {7, 1601},
                new long[] {1600, 16},
                new long[] {3, 4, 5, 259},
                new long[] {260, 257},
                new long[] {5000, 3})) {
            transpose(random, DType.FLOAT32, sizes);
        }
    }

    private static void transpose(Random random, DType dtype, long... sizes) {
        Tensor x = random(random, dtype, sizes);
        List<Integer> axes = IntStream.range(0, sizes.length).boxed().collect(Collectors.toList());
        for (int attempt = 0; attempt < 3; attempt++) {
            Collections.shuffle(axes, random);
            long[] perm = axes.stream().mapToLong(axis -> axis).toArray();
            long[] permuted = axes.stream().mapToLong(axis -> sizes[axis]).toArray();
            MapParameters parameters = MapParameters.none().with("perm", perm);
            Tensor y = run("Transpose", parameters, TensorType.of(dtype, permuted), x);
            assertMoved(y, x, to -> {
                long[] from = new long[to.length];
                for (int axis = 0; axis < to.length; axis++) {
                    from[(int) perm[axis]] = to[axis];
                }
                return from;
            });
        }
    }

    @Test
    void sliceTakesStridedBoxes() {
        Random random = new Random(32);
        for (DType dtype : WHOLE_BYTES) {
            for (long[] sizes : SHAPES) {
                Tensor x = random(random, dtype, sizes);
                for (int attempt = 0; attempt < 4; attempt++) {
                    long[] begin = new long[sizes.length];
                    long[] step = new long[sizes.length];
                    long[] taken = new long[sizes.length];
                    for (int axis = 0; axis < sizes.length; axis++) {
                        int size = (int) sizes[axis];
                        begin[axis] = size == 0 ? 0 : random.nextInt(size);
                        step[axis] = List.of(-3, -2, -1, 1, 1, 2, 3).get(random.nextInt(7));
                        long room = size == 0 ? 0 : step[axis] > 0 ? size - 1 - begin[axis] : begin[axis];
                        taken[axis] = size == 0 ? 0 : 1 + room / Math.abs(step[axis]);
                    }
                    MapParameters parameters =
                            MapParameters.none().with("begin", begin).with("step", step);
                    Tensor y = run("Slice", parameters, TensorType.of(dtype, taken), x);
                    assertMoved(y, x, to -> {
                        long[] from = new long[to.length];
                        Arrays.setAll(from, axis -> begin[axis] + to[axis] * step[axis]);
                        return from;
                    });
                }
            }
        }
    }

    @Test
    void sliceOfNothingTouchesNothing() {
        MapParameters parameters =
                MapParameters.none().with("begin", new long[] {-1}).with("step", new long[] {-1});
        Tensor y = run("Slice", parameters, TensorType.of(DType.FLOAT32, 0), Tensor.allocate(DType.FLOAT32, 0));
        assertThat(y.elements()).isZero();
    }

    @Test
    void expandBroadcasts() {
        Random random = new Random(33);
        long[][][] shapes = {
            {{}, {}},
            {{}, {13}},
            {{1}, {0}},
            {{6, 1}, {6, 13}},
            {{13}, {4, 13}},
            {{131, 1}, {131, 137}},
            {{1, 3, 1, 5}, {2, 3, 4, 5}},
            {{3, 1, 1}, {2, 1, 3, 2, 4}},
            {{2, 1, 2, 1, 2, 1}, {2, 3, 2, 4, 2, 13}},
        };
        for (DType dtype : WHOLE_BYTES) {
            for (long[][] pair : shapes) {
                Tensor x = random(random, dtype, pair[0]);
                Tensor y = run("Expand", MapParameters.none(), TensorType.of(dtype, pair[1]), x);
                assertMoved(y, x, to -> place(x.shape(), TestRuns.broadcastIndex(x.shape(), to)));
            }
        }
    }

    @Test
    void tileRepeats() {
        Random random = new Random(34);
        for (DType dtype : WHOLE_BYTES) {
            for (long[] sizes : SHAPES) {
                Tensor x = random(random, dtype, sizes);
                long[] multiples = random.longs(sizes.length, 0, 4).toArray();
                long[] tiled = new long[sizes.length];
                Arrays.setAll(tiled, axis -> sizes[axis] * multiples[axis]);
                MapParameters parameters = MapParameters.none().with("multiples", multiples);
                Tensor y = run("DeePhiTile", parameters, TensorType.of(dtype, tiled), x);
                assertMoved(y, x, to -> {
                    long[] from = new long[to.length];
                    Arrays.setAll(from, axis -> to[axis] % sizes[axis]);
                    return from;
                });
            }
        }
    }

    @Test
    void concatAndSplitAreInverse() {
        Random random = new Random(36);
        long[][] splits = {{13}, {4, 9}, {1, 0, 6, 6}, {207, 1}};
        for (DType dtype : WHOLE_BYTES) {
            for (int axis = 0; axis < 3; axis++) {
                for (long[] split : splits) {
                    long[] sizes = {6, 4, 7};
                    sizes[axis] = Arrays.stream(split).sum();
                    Tensor x = random(random, dtype, sizes);
                    int cut = axis;
                    List<TensorType> types = Arrays.stream(split)
                            .mapToObj(size -> {
                                long[] part = sizes.clone();
                                part[cut] = size;
                                return TensorType.of(dtype, part);
                            })
                            .toList();
                    List<Tensor> parts = runAll("Split", MapParameters.none().with("cut", axis), types, List.of(x));
                    long offset = 0;
                    for (Tensor part : parts) {
                        long before = offset;
                        assertMoved(part, x, to -> {
                            to[cut] += before;
                            return to;
                        });
                        offset += part.shape().size(axis);
                    }
                    MapParameters joined = MapParameters.none().with("joined", axis);
                    assertThat(run("Concat", joined, x.type(), parts.toArray(Tensor[]::new))
                                    .bytes())
                            .isEqualTo(x.bytes());
                }
            }
        }
    }

    @Test
    void gatherPicksBlocks() {
        Random random = new Random(37);
        for (DType dtype : WHOLE_BYTES) {
            for (int axis = 0; axis < 3; axis++) {
                for (DType kind : List.of(DType.INT32, DType.INT64)) {
                    Tensor x = random(random, dtype, 4, 13, 6);
                    int size = (int) x.shape().size(axis);
                    Tensor indices = Tensor.allocate(kind, 3, 7);
                    for (int i = 0; i < 21; i++) {
                        indices.setLong(i, random.nextInt(2 * size) - size);
                    }
                    long[] sizes = new long[4];
                    for (int i = 0; i < 4; i++) {
                        sizes[i] = i < axis
                                ? x.shape().size(i)
                                : i < axis + 2
                                        ? indices.shape().size(i - axis)
                                        : x.shape().size(i - 1);
                    }
                    int along = axis;
                    MapParameters parameters = MapParameters.none().with("along", axis);
                    Tensor y = run("Gather", parameters, TensorType.of(dtype, sizes), x, indices);
                    assertMoved(y, x, to -> {
                        long[] from = new long[3];
                        for (int i = 0; i < 3; i++) {
                            from[i] = i < along ? to[i] : to[i + 1];
                        }
                        long chosen = indices.getLong(index(indices.shape(), to[along], to[along + 1]));
                        from[along] = chosen < 0 ? chosen + size : chosen;
                        return from;
                    });
                }
            }
        }
    }

    @Test
    void gatherNamesAnIndexOutOfRange() {
        Tensor x = Tensor.allocate(DType.FLOAT32, 5, 2);
        MapParameters parameters = MapParameters.none().with("along", 0);
        for (long wrong : new long[] {5, -6, Long.MAX_VALUE}) {
            Tensor indices = longsOf(DType.INT64, 4, -5, wrong);
            assertThatThrownBy(() -> run("Gather", parameters, TensorType.of(DType.FLOAT32, 3, 2), x, indices))
                    .isInstanceOf(DataException.class)
                    .hasMessage("Gather: index " + wrong + " at position 2 is outside of -5 ... 4");
        }
        Tensor scalar = Tensor.scalar(-1L);
        Tensor row = run("Gather", parameters, TensorType.of(DType.FLOAT32, 2), x, scalar);
        assertThat(row.toFloatArray()).containsExactly(0, 0);
    }

    @Test
    void viewsCopyBytesOfEveryType() {
        Random random = new Random(38);
        for (String optype : List.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout")) {
            for (DType dtype : DType.values()) {
                Tensor x = dtype == DType.U1 ? Tensor.allocate(dtype, 6, 13) : random(random, dtype, 6, 13);
                x.setLong(5, 1);
                Tensor y = run(optype, MapParameters.none(), TensorType.of(dtype, 13, 6), x);
                assertThat(y.bytes()).isEqualTo(x.bytes());
            }
        }
    }

    @Test
    void broadcastingToAnotherShapeIsRefused() {
        assertThatThrownBy(() -> StridedView.broadcast(Shape.of(3), Shape.of(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shape 3 does not broadcast to 4");
    }
}
