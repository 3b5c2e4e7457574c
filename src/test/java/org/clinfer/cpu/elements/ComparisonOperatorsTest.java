package org.clinfer.cpu.elements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.BROADCASTS;
import static org.clinfer.cpu.TestRuns.broadcastIndex;
import static org.clinfer.cpu.TestRuns.label;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.place;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.tensorOf;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Comparisons, logic and Where. */
final class ComparisonOperatorsTest {

    @Test
    void comparisonsMatchTheReference() {
        Map<String, BiPredicate<Double, Double>> references = Map.of(
                "Less", (a, b) -> a < b,
                "LessOrEqual", (a, b) -> a <= b,
                "Greater", (a, b) -> a > b,
                "GreaterOrEqual", (a, b) -> a >= b,
                "Equal", (a, b) -> a.doubleValue() == b.doubleValue());
        references.forEach((optype, reference) -> {
            for (DType dtype : TestRuns.WHOLE_BYTES.subList(0, optype.equals("Equal") ? 12 : 11)) {
                for (long[][] shapes : BROADCASTS) {
                    Random random = new Random(9);
                    Tensor a = small(random, dtype, shapes[0]);
                    Tensor b = small(random, dtype, shapes[1]);
                    Tensor y = run(optype, MapParameters.none(), TensorType.of(DType.BOOL, shapes[2]), a, b);
                    for (long i = 0; i < y.elements(); i++) {
                        long[] place = place(y.shape(), i);
                        double left = a.getDouble(broadcastIndex(a.shape(), place));
                        double right = b.getDouble(broadcastIndex(b.shape(), place));
                        byte wanted = (byte) (reference.test(left, right) ? 1 : 0);
                        if (y.bytes().get((int) i) != wanted) {
                            assertThat(y.bytes().get((int) i))
                                    .as("%s: %s, %s", label(optype, a, b), left, right)
                                    .isEqualTo(wanted);
                        }
                    }
                }
            }
        });
    }

    private static Tensor small(Random random, DType dtype, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextInt(3));
        }
        return tensor;
    }

    @Test
    void comparisonsAreExactForInt64AndFalseForNaN() {
        Tensor a = longsOf(DType.INT64, (1L << 60) + 1, 1L << 60);
        Tensor b = longsOf(DType.INT64, 1L << 60, 1L << 60);
        TensorType two = TensorType.of(DType.BOOL, 2);
        assertThat(run("Greater", MapParameters.none(), two, a, b).toLongArray())
                .containsExactly(1, 0);
        assertThat(run("Equal", MapParameters.none(), two, a, b).toLongArray()).containsExactly(0, 1);
        Tensor nan = tensorOf(DType.FLOAT32, Double.NaN, Double.POSITIVE_INFINITY);
        for (String optype : List.of("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal")) {
            assertThat(run(optype, MapParameters.none(), two, nan, nan).getLong(0))
                    .as(optype)
                    .isZero();
        }
    }

    @Test
    void logicMatchesItsTables() {
        Tensor a = longsOf(DType.BOOL, 0, 0, 1, 1);
        Tensor b = longsOf(DType.BOOL, 0, 1, 0, 1);
        assertThat(run("And", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 0, 0, 1);
        assertThat(run("Or", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 1, 1, 1);
        assertThat(run("Xor", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 1, 1, 0);
    }

    @Test
    void whereChoosesForEveryTypeAndShape() {
        long[][] conditions = {{}, {1}, {13}, {6, 1}, {6, 13}, {3, 1, 1}, {131, 137}, {131, 1}};
        Random random = new Random(10);
        for (DType dtype : TestRuns.WHOLE_BYTES) {
            for (long[] sizes : conditions) {
                boolean large = sizes.length > 0 && sizes[0] == 131;
                long[] whole = large ? new long[] {131, 137} : new long[] {3, 6, 13};
                Tensor condition = random(random, DType.BOOL, sizes);
                Tensor a = random(random, dtype, whole[whole.length - 1]);
                Tensor b = random(random, dtype, whole);
                Tensor y = run("Where", MapParameters.none(), TensorType.of(dtype, whole), condition, a, b);
                for (long i = 0; i < y.elements(); i++) {
                    long[] place = place(y.shape(), i);
                    boolean chosen = condition.getLong(broadcastIndex(condition.shape(), place)) == 1;
                    BigInteger wanted =
                            chosen ? TestRuns.cell(a, broadcastIndex(a.shape(), place)) : TestRuns.cell(b, i);
                    if (!TestRuns.cell(y, i).equals(wanted)) {
                        assertThat(TestRuns.cell(y, i))
                                .as("%s at %d", y.type(), i)
                                .isEqualTo(wanted);
                    }
                }
            }
        }
    }
}
