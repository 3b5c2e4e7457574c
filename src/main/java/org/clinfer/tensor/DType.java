package org.clinfer.tensor;

import java.util.Locale;
import java.util.Optional;

/** The element type of a tensor. */
public enum DType {
    /** An integer of 8 bits with a sign. */
    INT8(8, Kind.INTEGER),
    /** An integer of 16 bits with a sign. */
    INT16(16, Kind.INTEGER),
    /** An integer of 32 bits with a sign. */
    INT32(32, Kind.INTEGER),
    /** An integer of 64 bits with a sign. */
    INT64(64, Kind.INTEGER),
    /** An integer of 8 bits without a sign. */
    UINT8(8, Kind.INTEGER),
    /** An integer of 16 bits without a sign. */
    UINT16(16, Kind.INTEGER),
    /** An integer of 32 bits without a sign. */
    UINT32(32, Kind.INTEGER),
    /** Java has no such type: a {@code long} holds the bits. */
    UINT64(64, Kind.INTEGER),
    /** Two elements a byte, the first in the low bits. */
    INT4(4, Kind.INTEGER),
    /** Two elements a byte, the first in the low bits. */
    UINT4(4, Kind.INTEGER),
    /** Four elements a byte, the first in the lowest bits. */
    INT2(2, Kind.INTEGER),
    /** Four elements a byte, the first in the lowest bits. */
    UINT2(2, Kind.INTEGER),
    /** IEEE 754 binary16. */
    FLOAT16(16, Kind.FLOATING),
    /** The upper half of {@link #FLOAT32}: 8 bits of exponent, 7 of fraction. */
    BFLOAT16(16, Kind.FLOATING),
    /** IEEE 754 binary32. */
    FLOAT32(32, Kind.FLOATING),
    /** IEEE 754 binary64. */
    FLOAT64(64, Kind.FLOATING),
    /** Exponent of 4 bits, finite: no infinities, one magnitude that is no number. */
    FLOAT8E4M3FN(8, Kind.FLOATING),
    /** As {@link #FLOAT8E4M3FN}, with an unsigned zero and another bias. */
    FLOAT8E4M3FNUZ(8, Kind.FLOATING),
    /** Exponent of 5 bits, with infinities. */
    FLOAT8E5M2(8, Kind.FLOATING),
    /** Exponent of 5 bits, finite, with an unsigned zero and another bias. */
    FLOAT8E5M2FNUZ(8, Kind.FLOATING),
    /** Powers of two alone, and one code that is no number: scales of blocks of codes. */
    FLOAT8E8M0(8, Kind.FLOATING),
    /** Eight magnitudes up to 6, with signs; two elements a byte, the first in the low bits. */
    FLOAT4E2M1(4, Kind.FLOATING),
    /** One byte an element, 0 or 1. */
    BOOL(8, Kind.LOGICAL),
    /** One bit an element, most significant bit first, one contiguous stream without alignment. */
    U1(1, Kind.LOGICAL);

    /** The arithmetic that a type takes part in. */
    public enum Kind {
        /** Whole numbers, with a sign or without. */
        INTEGER,
        /** Floating numbers. */
        FLOATING,
        /** True and false. */
        LOGICAL
    }

    private final int bits;
    private final Kind kind;

    DType(int bits, Kind kind) {
        this.bits = bits;
        this.kind = kind;
    }

    /** {@return the width of one element in bits} */
    public int bits() {
        return bits;
    }

    /** {@return the kind of its elements} */
    public Kind kind() {
        return kind;
    }

    /**
     * {@return whether it is a type that most operators and all kernels have, which groups of types in descriptions
     * stand for; of {@link #UINT64} that is the group of all types alone} Others hold codes: they are converted,
     * quantized and moved, on the CPU alone, by operators that name them.
     */
    public boolean isGeneral() {
        return switch (this) {
            case INT4, UINT4, INT2, UINT2 -> false;
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 -> false;
            case U1 -> false;
            default -> true;
        };
    }

    /** {@return whether kernels may have it; its tensors stay on the host where it is not so} */
    public boolean isOnDevices() {
        return isGeneral() || this == U1;
    }

    /** {@return whether it is a floating type of 8 or 4 bits; see {@link SmallFloat}} */
    public boolean isSmallFloat() {
        return isFloating() && bits <= Byte.SIZE;
    }

    /** {@return whether several elements share a byte} */
    public boolean isPacked() {
        return bits < Byte.SIZE;
    }

    /** {@return whether its elements are floating numbers} */
    public boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    /** {@return whether its elements are whole numbers} */
    public boolean isInteger() {
        return kind == Kind.INTEGER;
    }

    /** {@return whether no element is below 0} */
    public boolean isUnsigned() {
        return switch (this) {
            case UINT8, UINT16, UINT32, UINT64, UINT4, UINT2, BOOL, U1 -> true;
            default -> false;
        };
    }

    /**
     * {@return the smallest element}
     *
     * @throws IllegalStateException for floating types
     */
    public long lowest() {
        requireWhole();
        return isUnsigned() ? 0 : -1L << (bits - 1);
    }

    /**
     * {@return the largest element, as far as a long holds it}
     *
     * @throws IllegalStateException for floating types
     */
    public long highest() {
        requireWhole();
        if (kind == Kind.LOGICAL) {
            return 1;
        }
        return isUnsigned() ? -1L >>> Math.max(1, Long.SIZE - bits) : ~lowest();
    }

    private void requireWhole() {
        if (isFloating()) {
            throw new IllegalStateException(this + " has no whole numbers alone");
        }
    }

    /**
     * {@return the element nearest to {@code value}, a number with its sign; for integers}
     *
     * @param value the number
     */
    public long saturated(long value) {
        return Math.max(lowest(), Math.min(highest(), value));
    }

    /**
     * {@return the element that is left of {@code value} where only the low bits are kept; for integers}
     *
     * @param value the number
     */
    public long lowBits(long value) {
        int unused = Long.SIZE - bits;
        return isUnsigned() ? value << unused >>> unused : value << unused >> unused;
    }

    /**
     * {@return the storage of {@code elements} elements in bytes}
     *
     * @param elements how many
     * @throws ArithmeticException if the size does not fit a long
     */
    public long bytes(long elements) {
        if (!isPacked()) {
            return Math.multiplyExact(elements, (long) (bits / Byte.SIZE));
        }
        int perByte = Byte.SIZE / bits;
        return Math.addExact(elements, perByte - 1) / perByte;
    }

    /** {@return the name users see and write: {@code float32}, {@code int64}, {@code bool}} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the type with this {@link #label()}, or empty}
     *
     * @param label the name, as {@code float32}
     */
    public static Optional<DType> of(String label) {
        for (DType type : values()) {
            if (type.label().equals(label)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return label();
    }
}
