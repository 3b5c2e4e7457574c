package org.clinfer.tensor;

import java.nio.ByteBuffer;

/** Reads, writes and converts single elements of any data type in little-endian memory. */
final class Elements {

    /** Every integer up to this magnitude is a double. */
    private static final long MAX_EXACT = 1L << 53;

    /** Every multiple of half of this is a double. */
    private static final long SPACING = 1L << 11;

    private Elements() {}

    static double getDouble(ByteBuffer memory, DType dtype, long index) {
        int i = (int) index;
        return switch (dtype) {
            case FLOAT32 -> memory.getFloat(i * 4);
            case FLOAT64 -> memory.getDouble(i * 8);
            case FLOAT16 -> HalfFloat.toFloat(memory.getShort(i * 2));
            case BFLOAT16 -> HalfFloat.bfloatToFloat(memory.getShort(i * 2));
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                SmallFloat.value(dtype, code(memory, dtype, index));
            case UINT64 -> unsigned(memory.getLong(i * 8));
            default -> (double) getLong(memory, dtype, index);
        };
    }

    static long getLong(ByteBuffer memory, DType dtype, long index) {
        int i = (int) index;
        return switch (dtype) {
            case INT8 -> memory.get(i);
            case INT16 -> memory.getShort(i * 2);
            case INT32 -> memory.getInt(i * 4);
            case INT64, UINT64 -> memory.getLong(i * 8);
            case UINT8 -> memory.get(i) & 0xffL;
            case UINT16 -> memory.getShort(i * 2) & 0xffffL;
            case UINT32 -> memory.getInt(i * 4) & 0xffffffffL;
            case BOOL -> memory.get(i) == 0 ? 0 : 1;
            case U1 -> (memory.get((int) (index >> 3)) >> (7 - (index & 7))) & 1;
            case INT4, INT2, UINT4, UINT2 -> dtype.lowBits(code(memory, dtype, index));
            default -> (long) getDouble(memory, dtype, index);
        };
    }

    static void setDouble(ByteBuffer memory, DType dtype, long index, double value) {
        int i = (int) index;
        switch (dtype) {
            case FLOAT32 -> memory.putFloat(i * 4, (float) value);
            case FLOAT64 -> memory.putDouble(i * 8, value);
            case FLOAT16 -> memory.putShort(i * 2, HalfFloat.fromFloat(toOddFloat(value)));
            case BFLOAT16 -> memory.putShort(i * 2, HalfFloat.bfloatFromFloat(toOddFloat(value)));
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32 ->
                setLong(memory, dtype, index, dtype.saturated((long) value));
            case UINT64 -> memory.putLong(i * 8, saturatedUnsigned(value));
            case INT4, UINT4, INT2, UINT2 -> setCode(memory, dtype, index, (int) (long) value);
            case BOOL, U1 -> setLong(memory, dtype, index, value != 0 ? 1 : 0);
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                setCode(memory, dtype, index, SmallFloat.code(dtype, value, true));
        }
    }

    static void setLong(ByteBuffer memory, DType dtype, long index, long value) {
        int i = (int) index;
        switch (dtype) {
            case INT8, UINT8 -> memory.put(i, (byte) value);
            case INT16, UINT16 -> memory.putShort(i * 2, (short) value);
            case INT32, UINT32 -> memory.putInt(i * 4, (int) value);
            case INT64, UINT64 -> memory.putLong(i * 8, value);
            case INT4, UINT4, INT2, UINT2 -> setCode(memory, dtype, index, (int) value);
            case BOOL -> memory.put(i, (byte) (value != 0 ? 1 : 0));
            case U1 -> {
                int position = (int) (index >> 3);
                int mask = 0x80 >> (index & 7);
                int old = memory.get(position);
                memory.put(position, (byte) (value != 0 ? old | mask : old & ~mask));
            }
            case FLOAT32 -> memory.putFloat(i * 4, (float) value);
            case FLOAT64 -> memory.putDouble(i * 8, (double) value);
            case FLOAT16, BFLOAT16 -> setDouble(memory, dtype, index, toOddDouble(value));
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                setDouble(memory, dtype, index, (double) value);
        }
    }

    /** {@link #setLong} of an integer without a sign. */
    static void setUnsigned(ByteBuffer memory, DType dtype, long index, long value) {
        if (value >= 0 || !dtype.isFloating()) {
            setLong(memory, dtype, index, value);
        } else if (dtype == DType.FLOAT64) {
            memory.putDouble((int) index * 8, unsigned(value));
        } else {
            setDouble(memory, dtype, index, 2 * toOddDouble(half(value)));
        }
    }

    /** The double nearest to an integer without a sign. */
    private static double unsigned(long value) {
        return value >= 0 ? (double) value : 2 * (double) half(value);
    }

    /** Half of an integer without a sign, which rounds as the whole does: the bit that is lost is kept in the last. */
    private static long half(long value) {
        return (value >>> 1) | (value & 1);
    }

    /** Truncated, as an integer without a sign; a NaN is 0. */
    private static long saturatedUnsigned(double value) {
        if (value >= 0x1p63) {
            return value >= 0x1p64 ? -1 : (long) (value - 0x1p63) ^ Long.MIN_VALUE;
        }
        return Math.max(0, (long) value);
    }

    /** The bits of an element of at most 8 bits that lie low bits first. */
    static int code(ByteBuffer memory, DType dtype, long index) {
        long bit = index * dtype.bits();
        int mask = (1 << dtype.bits()) - 1;
        return (memory.get((int) (bit >> 3)) >> (bit & 7)) & mask;
    }

    /** Stores the low bits of {@code code} as an element of at most 8 bits; its neighbours in the byte stay. */
    static void setCode(ByteBuffer memory, DType dtype, long index, int code) {
        long bit = index * dtype.bits();
        int position = (int) (bit >> 3);
        int shift = (int) (bit & 7);
        int mask = ((1 << dtype.bits()) - 1) << shift;
        memory.put(position, (byte) ((memory.get(position) & ~mask) | ((code << shift) & mask)));
    }

    static void convert(ByteBuffer from, DType fromType, ByteBuffer to, DType toType, long elements) {
        if (fromType == toType) {
            to.put(from);
            return;
        }
        boolean integral = !fromType.isFloating();
        for (long i = 0; i < elements; i++) {
            if (fromType == DType.UINT64) {
                setUnsigned(to, toType, i, getLong(from, fromType, i));
            } else if (integral) {
                setLong(to, toType, i, getLong(from, fromType, i));
            } else {
                setDouble(to, toType, i, getDouble(from, fromType, i));
            }
        }
    }

    /** A double so near to {@code value} that rounding it to 16 bits gives the correctly rounded result. */
    private static double toOddDouble(long value) {
        if (Math.abs(value) <= MAX_EXACT) {
            return (double) value;
        }
        long kept = value & -SPACING;
        return (double) (kept == value ? kept : kept | (SPACING >> 1));
    }

    /** A float32 rounded to odd, so that rounding it once more to 16 bits gives the correctly rounded result. */
    private static float toOddFloat(double value) {
        float nearest = (float) value;
        if (nearest == value || Float.isNaN(nearest) || Float.isInfinite(nearest)) {
            return nearest;
        }
        int bits = Float.floatToRawIntBits(nearest);
        boolean awayFromZero = Math.abs((double) nearest) > Math.abs(value);
        int truncated = awayFromZero ? bits - 1 : bits;
        return Float.intBitsToFloat(truncated | 1);
    }
}
