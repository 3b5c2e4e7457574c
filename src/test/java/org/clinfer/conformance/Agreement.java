package org.clinfer.conformance;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Compares a result with the definition's. The one table of tolerances: a part of the largest expected magnitude for the
 * arithmetic, and for 16-bit types a part of the element for its one rounding, which may fall to the other side.
 */
final class Agreement {

    /** How an operator's floating results come about. */
    enum Precision {
        /** Moves, compares, or rounds once: equal. */
        EXACT,
        /** One or few roundings of the type of computation per element: functions, quotients, interpolation. */
        FUNCTION,
        /** Sums whose order is free, of up to some thousand terms. */
        SUM
    }

    /** Operators that only move, choose, compare, or whose result is one correctly rounded operation. */
    private static final Set<String> EXACT =
            Set.of("MaxPool", "Concat", "Pad", "Relu", "Relu6", "Reshape", "Squeeze", "DeePhiTile", "Reorg");

    private static final Set<String> FUNCTIONS = Set.of("LeakyRelu", "PRelu", "Upsample", "DeePhiDownsample");

    /** float32 and what is computed in it: each of some thousand additions rounds by 2^-24 of a partial sum. */
    private static final Map<Precision, Double> SINGLE =
            Map.of(Precision.EXACT, 0.0, Precision.FUNCTION, 4e-6, Precision.SUM, 1e-5);

    /** float64: as above with 2^-53; functions may be several units wrong in the last place. */
    private static final Map<Precision, Double> DOUBLE =
            Map.of(Precision.EXACT, 0.0, Precision.FUNCTION, 8e-15, Precision.SUM, 2e-14);

    /** A step between neighbours, relative to the element: 11 bits of float16, 8 of bfloat16. */
    private static final Map<DType, Double> STEP = Map.of(DType.FLOAT16, 0x1p-10, DType.BFLOAT16, 0x1p-7);

    private Agreement() {}

    static Precision precision(String op) {
        return EXACT.contains(op) ? Precision.EXACT : FUNCTIONS.contains(op) ? Precision.FUNCTION : Precision.SUM;
    }

    /** The first difference, or empty. */
    static Optional<String> difference(String op, Tensor actual, Tensor expected) {
        if (!actual.type().equals(expected.type())) {
            return Optional.of("is " + actual.type() + ", expected " + expected.type());
        }
        DType dtype = expected.dtype();
        if (!dtype.isFloating()) {
            return integerDifference(actual, expected);
        }
        Precision precision = precision(op);
        double arithmetic = (dtype == DType.FLOAT64 ? DOUBLE : SINGLE).getOrDefault(precision, 0.0);
        double step = precision == Precision.EXACT ? 0 : STEP.getOrDefault(dtype, 0.0);
        double allowed = arithmetic * largest(expected);
        for (long i = 0; i < expected.elements(); i++) {
            double want = expected.getDouble(i);
            double got = actual.getDouble(i);
            boolean same = Double.compare(want, got) == 0 || want == got;
            if (!same && !(Math.abs(want - got) <= allowed + step * Math.abs(want))) {
                return Optional.of("element " + i + " is " + got + ", expected " + want);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> integerDifference(Tensor actual, Tensor expected) {
        for (long i = 0; i < expected.elements(); i++) {
            if (actual.getLong(i) != expected.getLong(i)) {
                return Optional.of("element " + i + " is " + actual.getLong(i) + ", expected " + expected.getLong(i));
            }
        }
        return Optional.empty();
    }

    private static double largest(Tensor tensor) {
        double largest = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            double value = Math.abs(tensor.getDouble(i));
            largest = Double.isFinite(value) ? Math.max(largest, value) : largest;
        }
        return largest;
    }
}
