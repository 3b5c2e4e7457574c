package org.clinfer.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.WHOLE_BYTES;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.tensorOf;

import java.util.Random;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class ShapeOperatorsTest {

    @Test
    void shapeGivesTheSizesFromFirstOn() {
        Tensor x = Tensor.allocate(DType.U1, 2, 3, 0, 5);
        MapParameters all = MapParameters.none().with("first", 0);
        assertThat(run("Shape", all, TensorType.of(DType.INT64, 4), x).toLongArray())
                .containsExactly(2, 3, 0, 5);
        MapParameters middle = MapParameters.none().with("first", 1);
        assertThat(run("Shape", middle, TensorType.of(DType.INT64, 2), x).toLongArray())
                .containsExactly(3, 0);
        assertThat(run("Shape", all, TensorType.of(DType.INT64, 0), Tensor.scalar(1f))
                        .toLongArray())
                .isEmpty();
    }

    @Test
    void constantFillsEveryType() {
        for (DType dtype : WHOLE_BYTES) {
            for (long[] sizes : TestRuns.SHAPES) {
                MapParameters parameters = MapParameters.none().with("value", 300.5);
                Tensor y = run("ConstantOfShape", parameters, TensorType.of(dtype, sizes));
                Tensor wanted = Tensor.allocate(dtype, sizes);
                for (long i = 0; i < wanted.elements(); i++) {
                    wanted.setDouble(i, 300.5);
                }
                assertThat(y.bytes()).isEqualTo(wanted.bytes());
            }
        }
    }

    @Test
    void castFollowsTheConversionsOfTensors() {
        Random random = new Random(51);
        for (DType from : WHOLE_BYTES) {
            Tensor x = random(random, from, 131, 137);
            for (DType to : WHOLE_BYTES) {
                Tensor y = run("Cast", MapParameters.none(), TensorType.of(to, 131, 137), x);
                assertThat(y.bytes())
                        .as("%s to %s", from, to)
                        .isEqualTo(x.to(to).bytes());
            }
        }
    }

    @Test
    void castTruncatesSaturatesAndTests() {
        Tensor x = tensorOf(DType.FLOAT32, 2.9, -2.9, 1e20, -1e20, Double.NaN, 0, -0.3);
        MapParameters none = MapParameters.none();
        assertThat(run("Cast", none, TensorType.of(DType.INT8, 7), x).toLongArray())
                .containsExactly(2, -2, 127, -128, 0, 0, 0);
        assertThat(run("Cast", none, TensorType.of(DType.INT64, 7), x).toLongArray())
                .containsExactly(2, -2, Long.MAX_VALUE, Long.MIN_VALUE, 0, 0, 0);
        assertThat(run("Cast", none, TensorType.of(DType.BOOL, 7), x).toLongArray())
                .containsExactly(1, 1, 1, 1, 1, 0, 1);
        Tensor integers = longsOf(DType.INT32, 300, -129, 65536);
        assertThat(run("Cast", none, TensorType.of(DType.INT8, 3), integers).toLongArray())
                .containsExactly(44, 127, 0);
    }

    @Test
    void castReadsBits() {
        Tensor bits = Tensor.allocate(DType.U1, 13);
        for (int i = 0; i < 13; i += 3) {
            bits.setLong(i, 1);
        }
        for (DType dtype : WHOLE_BYTES) {
            Tensor y = run("Cast", MapParameters.none(), TensorType.of(dtype, 13), bits);
            for (int i = 0; i < 13; i++) {
                assertThat(y.getDouble(i)).isEqualTo(i % 3 == 0 ? 1 : 0);
            }
        }
    }

    @Test
    void rangeCounts() {
        MapParameters reals = MapParameters.none().with("start", 1.0).with("delta", -0.25);
        for (DType dtype : TestRuns.FLOATS) {
            assertThat(run("Range", reals, TensorType.of(dtype, 4)).toFloatArray())
                    .containsExactly(1, 0.75f, 0.5f, 0.25f);
        }
        long start = (1L << 60) + 1;
        MapParameters rounded =
                MapParameters.none().with("start", (double) start).with("delta", 3.0);
        Tensor y = run(
                "Range",
                rounded,
                TensorType.of(DType.INT64, 3),
                Tensor.scalar(start),
                Tensor.scalar(start + 9),
                Tensor.scalar(3L));
        assertThat(y.toLongArray()).containsExactly(start, start + 3, start + 6);
        assertThat(run("Range", rounded, TensorType.of(DType.FLOAT32, 0)).elements())
                .isZero();
    }
}
