package org.clinfer.cpu.elements;

import java.util.Optional;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Powers; base and exponent may differ in type, and the result has the base's. Integers to the power of integers are
 * products that wrap (0 to a negative power gives 0); everything else is computed in double precision and rounded, but for
 * squares, cubes and square roots of floats.
 */
final class PowOperator implements CpuOperator {

    private static final MapOperator SQUARE = ofFloats((values, from, to) -> {
        for (int i = from; i < to; i++) {
            values[i] *= values[i];
        }
    });
    private static final MapOperator CUBE = ofFloats((values, from, to) -> {
        for (int i = from; i < to; i++) {
            double value = values[i];
            values[i] = (float) (value * value * value);
        }
    });
    private static final MapOperator ROOT = ofFloats((values, from, to) -> {
        for (int i = from; i < to; i++) {
            double value = values[i];
            values[i] = (float) (value == Double.NEGATIVE_INFINITY ? -value : Math.sqrt(value + 0.0));
        }
    });

    private static MapOperator ofFloats(MapOperator.FloatLoop loop) {
        Loops loops = Loops.floating(loop, value -> {
            throw new IllegalArgumentException("a loop of floats takes no doubles");
        });
        return new MapOperator(call -> loops, Chunks.GRAIN);
    }

    /** The operator for all elements to the same power, where products or a square root give it. */
    private static Optional<MapOperator> simple(CpuCall call) {
        Tensor base = call.input(0);
        Tensor exponent = call.input(1);
        boolean isOfFloats = base.dtype().isFloating() && base.dtype() != DType.FLOAT64;
        if (!isOfFloats
                || exponent.elements() != 1
                || !base.shape().equals(call.output().shape())) {
            return Optional.empty();
        }
        double power = exponent.getDouble(0);
        return power == 2
                ? Optional.of(SQUARE)
                : power == 3 ? Optional.of(CUBE) : power == 0.5 ? Optional.of(ROOT) : Optional.empty();
    }

    @Override
    public void run(CpuCall call) {
        Optional<MapOperator> simple = simple(call);
        if (simple.isPresent()) {
            simple.get().run(call);
            return;
        }
        Tensor output = call.output();
        Operand base = Operand.of(call.input(0), output.shape());
        Operand exponent = Operand.of(call.input(1), output.shape());
        boolean exact =
                base.memory().dtype().isInteger() && exponent.memory().dtype().isInteger();
        TypedMemory to = new TypedMemory(output);
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            if (exact) {
                integers(base, exponent, to, first, end);
            } else {
                reals(base, exponent, to, first, end);
            }
        });
    }

    private static void reals(Operand base, Operand exponent, TypedMemory to, int first, int end) {
        boolean whole = to.dtype().isInteger();
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        double[] powers = new double[values.length];
        Chunks.forEach(first, end, (start, count) -> {
            base.load(start, count, values);
            exponent.load(start, count, powers);
            for (int i = 0; i < count; i++) {
                double power = power(values[i], powers[i]);
                values[i] = whole ? Math.rint(power) : power;
            }
            to.store(start, count, values);
        });
    }

    private static void integers(Operand base, Operand exponent, TypedMemory to, int first, int end) {
        long[] values = new long[Math.min(Chunks.SIZE, end - first)];
        long[] powers = new long[values.length];
        boolean ofUnsigned = base.memory().dtype() == DType.UINT64;
        boolean toUnsigned = exponent.memory().dtype() == DType.UINT64;
        Chunks.forEach(first, end, (start, count) -> {
            base.load(start, count, values);
            exponent.load(start, count, powers);
            for (int i = 0; i < count; i++) {
                long power = toUnsigned ? signed(powers[i]) : powers[i];
                values[i] = ofUnsigned ? unsignedPower(values[i], power) : power(values[i], power);
            }
            LongValues.keepLowBits(values, count, to.dtype());
            to.store(start, count, values);
        });
    }

    /** As IEEE 754 has it, where Java has NaN: 1 to any power is 1, and so is -1 to an infinite one. */
    private static double power(double base, double exponent) {
        boolean one = base == 1 || (base == -1 && Double.isInfinite(exponent));
        return one ? 1 : Math.pow(base, exponent);
    }

    /** An exponent without a sign as one with it: what is too large is as odd, and gives the same power. */
    private static long signed(long exponent) {
        return exponent >= 0 ? exponent : (exponent & 1) | (Long.MAX_VALUE - 1);
    }

    private static long unsignedPower(long base, long exponent) {
        if (exponent < 0) {
            return base == 1 ? 1 : 0;
        }
        return product(base, exponent);
    }

    static long power(long base, long exponent) {
        if (exponent < 0) {
            return switch ((int) Math.max(-2, Math.min(2, base))) {
                case 1 -> 1;
                case -1 -> exponent % 2 == 0 ? 1 : -1;
                default -> 0;
            };
        }
        return product(base, exponent);
    }

    /** By squaring; the product wraps. */
    private static long product(long base, long exponent) {
        long result = 1;
        long square = base;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }
}
