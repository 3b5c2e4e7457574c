package org.clinfer.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.cpu.TestRuns.WHOLE_BYTES;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.call.DataException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class PadOperatorTest {

    private static Tensor pad(Tensor x, String mode, long[] before, long[] after, double... constants) {
        long[] sizes = x.shape().sizes();
        Arrays.setAll(sizes, axis -> sizes[axis] + before[axis] + after[axis]);
        MapParameters parameters = MapParameters.none()
                .with("mode", mode)
                .with("before", before)
                .with("after", after)
                .with("real_constants", constants)
                .with(
                        "integer_constants",
                        Arrays.stream(constants).mapToLong(v -> (long) v).toArray());
        return run("Pad", parameters, TensorType.of(x.dtype(), sizes), x);
    }

    private static float[] row(String mode, int before, int after) {
        return pad(Tensor.of(new float[] {1, 2, 3, 4}, 4), mode, new long[] {before}, new long[] {after}, 8, 9)
                .toFloatArray();
    }

    @Test
    void padsARowInEveryMode() {
        assertThat(row("CONSTANT", 2, 3)).containsExactly(8, 8, 1, 2, 3, 4, 9, 9, 9);
        assertThat(row("REFLECT", 3, 2)).containsExactly(4, 3, 2, 1, 2, 3, 4, 3, 2);
        assertThat(row("SYMMETRIC", 2, 4)).containsExactly(2, 1, 1, 2, 3, 4, 4, 3, 2, 1);
        assertThat(row("EDGE", 2, 1)).containsExactly(1, 1, 1, 2, 3, 4, 4);
        assertThat(row("WRAP", 5, 6)).containsExactly(4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2);
    }

    @Test
    void negativeWidthsCut() {
        for (String mode : List.of("CONSTANT", "REFLECT", "SYMMETRIC", "EDGE", "WRAP")) {
            assertThat(row(mode, -1, -2)).as(mode).containsExactly(2);
            assertThat(row(mode, -4, 0)).as(mode).isEmpty();
        }
        assertThat(row("CONSTANT", -1, 2)).containsExactly(2, 3, 4, 9, 9);
        assertThat(row("REFLECT", 2, -3)).containsExactly(3, 2, 1);
        assertThat(row("CONSTANT", -6, 4)).containsExactly(9, 9);
    }

    @Test
    void laterAxesGiveTheConstantOfCorners() {
        Tensor x = Tensor.of(new float[] {0, 0}, 1, 2);
        Tensor y = pad(x, "CONSTANT", new long[] {1, 1}, new long[] {1, 1}, 1, 2, 3, 4);
        assertThat(y.toFloatArray()).containsExactly(3, 1, 1, 4, 3, 0, 0, 4, 3, 2, 2, 4);
    }

    /** Pads one axis after the other by lists of slices, as numpy describes it. */
    @Test
    void everyTypeAndRankMatchesPaddingAxisByAxis() {
        Random random = new Random(41);
        long[][] shapes = {{6}, {4, 13}, {3, 4, 6}, {2, 3, 4, 5}, {131, 137}, {2, 3, 2, 3, 2, 4}};
        for (DType dtype : WHOLE_BYTES) {
            for (long[] sizes : shapes) {
                for (String mode : List.of("CONSTANT", "REFLECT", "SYMMETRIC", "EDGE", "WRAP")) {
                    Tensor x = random(random, dtype, sizes);
                    long[] before = random.longs(sizes.length, 0, 2).toArray();
                    long[] after = random.longs(sizes.length, -1, 2).toArray();
                    double[] constants = random.ints(2L * sizes.length, 0, 9)
                            .asDoubleStream()
                            .toArray();
                    Tensor y = pad(x, mode, before, after, constants);
                    Tensor wanted = x;
                    for (int axis = 0; axis < sizes.length; axis++) {
                        wanted = padAxis(wanted, mode, axis, List.of(before[axis], after[axis]), constants);
                    }
                    assertThat(y.bytes()).as("%s of %s", mode, x.type()).isEqualTo(wanted.bytes());
                }
            }
        }
    }

    private static Tensor padAxis(Tensor x, String mode, int axis, List<Long> widths, double[] constants) {
        List<Integer> origins = new ArrayList<>();
        int size = (int) x.shape().size(axis);
        for (int i = 0; i < size; i++) {
            origins.add(i);
        }
        for (int k = 0; k < widths.get(0); k++) {
            origins.add(0, origin(mode, -1 - k, size));
        }
        for (int k = 0; k < widths.get(1); k++) {
            origins.add(origin(mode, size + k, size));
        }
        if (widths.get(1) < 0) {
            origins.remove(origins.size() - 1);
        }
        long[] sizes = x.shape().sizes();
        sizes[axis] = origins.size();
        Tensor y = Tensor.allocate(x.dtype(), sizes);
        Tensor marks = TestRuns.tensorOf(x.dtype(), constants);
        for (long i = 0; i < y.elements(); i++) {
            long[] place = TestRuns.place(y.shape(), i);
            int origin = origins.get((int) place[axis]);
            place[axis] = origin;
            if (origin < 0 || origin >= size) {
                copy(marks, 2L * axis + (origin < 0 ? 0 : 1), y, i);
            } else {
                copy(x, TestRuns.index(x.shape(), place), y, i);
            }
        }
        return y;
    }

    private static int origin(String mode, int place, int size) {
        return switch (mode) {
            case "CONSTANT" -> place;
            case "EDGE" -> place < 0 ? 0 : size - 1;
            case "WRAP" -> place < 0 ? place + size : place - size;
            case "SYMMETRIC" -> place < 0 ? -1 - place : 2 * size - 1 - place;
            default -> place < 0 ? -place : 2 * size - 2 - place;
        };
    }

    private static void copy(Tensor from, long source, Tensor to, long target) {
        int width = from.dtype().bits() / 8;
        to.bytes().put((int) target * width, from.bytes(), (int) source * width, width);
    }

    @Test
    void int64ConstantsAreExact() {
        long exact = (1L << 60) + 1;
        Map<String, ExpressionValue> params = Map.of("pad_with", ExpressionValue.ints(1, 1));
        Tensor y = Described.run("Pad", params, TestRuns.longsOf(DType.INT64, 3), null, Tensor.scalar(exact));
        assertThat(y.toLongArray()).containsExactly(exact, 3, exact);
    }

    private static long[] bordersOf(DType dtype, double... constants) {
        Map<String, ExpressionValue> params =
                Map.of("pad_with", ExpressionValue.ints(1, 1), "constant_values", ExpressionValue.reals(constants));
        return Described.run("Pad", params, Tensor.allocate(dtype, 0)).toLongArray();
    }

    @Test
    void constantsTruncateAndSaturate() {
        assertThat(bordersOf(DType.INT8, 300, -2.75)).containsExactly(127, -2);
        assertThat(bordersOf(DType.INT32, Double.NaN, -1e30)).containsExactly(0, Integer.MIN_VALUE);
        assertThat(bordersOf(DType.INT64, 1e30, Double.NEGATIVE_INFINITY))
                .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(bordersOf(DType.BOOL, 0.5, 0)).containsExactly(1, 0);
    }

    /** The examples of OpLib's successor for the same field names. */
    @Test
    void modesOfOpLib() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        Map<String, ExpressionValue> reflect =
                Map.of("mode", ExpressionValue.of("REFLECT"), "pad_with", ExpressionValue.ints(0, 1, 1, 0));
        Map<String, ExpressionValue> symmetric =
                Map.of("mode", ExpressionValue.of("SYMMETRIC"), "pad_with", ExpressionValue.ints(0, 1, 1, 0));
        Map<String, ExpressionValue> constant = Map.of(
                "pad_with", ExpressionValue.ints(0, 1, 1, 0), "constant_values", ExpressionValue.ints(5, 6, 7, 8));
        assertThat(Described.run("Pad", reflect, x).toFloatArray()).containsExactly(2, 1, 2, 4, 3, 4, 2, 1, 2);
        assertThat(Described.run("Pad", symmetric, x).toFloatArray()).containsExactly(1, 1, 2, 3, 3, 4, 3, 3, 4);
        assertThat(Described.run("Pad", constant, x).toFloatArray()).containsExactly(7, 1, 2, 7, 3, 4, 7, 6, 6);
    }

    @Test
    void scalarsAndEmptyAxes() {
        assertThat(pad(Tensor.scalar(5f), "CONSTANT", new long[] {}, new long[] {})
                        .toFloatArray())
                .containsExactly(5);
        Tensor empty = Tensor.allocate(DType.FLOAT32, 0);
        assertThat(pad(empty, "CONSTANT", new long[] {1}, new long[] {2}, 8, 9).toFloatArray())
                .containsExactly(8, 9, 9);
        assertThatThrownBy(() -> pad(empty, "EDGE", new long[] {1}, new long[] {0}))
                .isInstanceOf(DataException.class)
                .hasMessage("Pad: axis 0 of 0 is empty, so mode EDGE has nothing to repeat");
    }
}
