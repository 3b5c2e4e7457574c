package org.clinfer.tensor;

import java.util.Locale;
import java.util.Optional;

/** The element type of a tensor. */
public enum DType {
    INT8(8, Kind.INTEGER),
    INT16(16, Kind.INTEGER),
    INT32(32, Kind.INTEGER),
    INT64(64, Kind.INTEGER),
    UINT8(8, Kind.INTEGER),
    UINT16(16, Kind.INTEGER),
    UINT32(32, Kind.INTEGER),
    FLOAT16(16, Kind.FLOATING),
    BFLOAT16(16, Kind.FLOATING),
    FLOAT32(32, Kind.FLOATING),
    FLOAT64(64, Kind.FLOATING),
    /** One byte an element, 0 or 1. */
    BOOL(8, Kind.LOGICAL),
    /** One bit an element, most significant bit first, one contiguous stream without alignment. */
    U1(1, Kind.LOGICAL);

    /** What arithmetic a type takes part in. */
    public enum Kind {
        INTEGER,
        FLOATING,
        LOGICAL
    }

    private final int bits;
    private final Kind kind;

    DType(int bits, Kind kind) {
        this.bits = bits;
        this.kind = kind;
    }

    /** Width of one element in bits. */
    public int bits() {
        return bits;
    }

    public Kind kind() {
        return kind;
    }

    public boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    public boolean isInteger() {
        return kind == Kind.INTEGER;
    }

    /** Whether no element is below 0. */
    public boolean isUnsigned() {
        return this == UINT8 || this == UINT16 || this == UINT32 || kind == Kind.LOGICAL;
    }

    /**
     * The smallest element.
     *
     * @throws IllegalStateException for floating types
     */
    public long lowest() {
        requireWhole();
        return isUnsigned() ? 0 : -1L << (bits - 1);
    }

    /**
     * The largest element.
     *
     * @throws IllegalStateException for floating types
     */
    public long highest() {
        requireWhole();
        return kind == Kind.LOGICAL ? 1 : isUnsigned() ? (1L << bits) - 1 : ~lowest();
    }

    private void requireWhole() {
        if (isFloating()) {
            throw new IllegalStateException(this + " has no whole numbers alone");
        }
    }

    /** The element nearest to {@code value}; for integers. */
    public long saturated(long value) {
        return Math.max(lowest(), Math.min(highest(), value));
    }

    /** The element that is left of {@code value} where only the low bits are kept; for integers. */
    public long lowBits(long value) {
        int unused = Long.SIZE - bits;
        return isUnsigned() ? value << unused >>> unused : value << unused >> unused;
    }

    /**
     * Storage of {@code elements} elements in bytes.
     *
     * @throws ArithmeticException if the size does not fit a long
     */
    public long bytes(long elements) {
        return this == U1 ? Math.addExact(elements, 7) / 8 : Math.multiplyExact(elements, (long) (bits / 8));
    }

    /** The name users see and write: {@code float32}, {@code int64}, {@code bool}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type with this {@link #label()}, or empty. */
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
