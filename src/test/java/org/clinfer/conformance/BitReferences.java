package org.clinfer.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.tensor.DType;

/** What is done with the bits of integers. */
final class BitReferences {

    private BitReferences() {}

    static Map<String, Reference> all() {
        Map<String, Reference> all = new HashMap<>();
        all.put("BitwiseAnd", Elements.pair(call -> (a, b) -> (long) a & (long) b));
        all.put("BitwiseOr", Elements.pair(call -> (a, b) -> (long) a | (long) b));
        all.put("BitwiseXor", Elements.pair(call -> (a, b) -> (long) a ^ (long) b));
        all.put("BitwiseNot", Elements.map(call -> {
            boolean unsigned = call.type().isUnsigned();
            BigInteger end = BigInteger.ONE.shiftLeft(unsigned ? call.type().bits() : 0);
            BigInteger ones = unsigned ? end.subtract(BigInteger.ONE) : end.negate();
            return x -> {
                double rest = ones.subtract(new BigDecimal(x).toBigInteger()).doubleValue();
                return unsigned ? Math.max(0, rest) : rest;
            };
        }));
        all.put("BitShift", Elements.pair(BitReferences::shift));
        return all;
    }

    private static DoubleBinaryOperator shift(Call call) {
        DType type = call.type();
        boolean left = call.text("direction", "").equals("LEFT");
        return (a, b) -> {
            if (b < 0 || b >= type.bits()) {
                return left || a >= 0 ? 0 : -1;
            }
            return left ? doubled((long) a, (int) b, type) : Math.floor(a / Math.pow(2, b));
        };
    }

    /** The number that the low bits of a product stand for. */
    private static double doubled(long a, int times, DType type) {
        BigInteger numbers = BigInteger.ONE.shiftLeft(type.bits());
        BigInteger low =
                BigInteger.valueOf(a).multiply(BigInteger.TWO.pow(times)).mod(numbers);
        boolean below = !type.isUnsigned() && low.testBit(type.bits() - 1);
        return (below ? low.subtract(numbers) : low).doubleValue();
    }
}
