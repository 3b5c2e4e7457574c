package org.clinfer.tensor;

import java.util.Locale;
import java.util.Optional;

/** The element type of a tensor. */
public enum DType {
    INT8(8, Kind.INTEGER),
    INT16(16, Kind.INTEGER),
    INT32(32, Kind.INTEGER),
    INT64(64, Kind.INTEGER),
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
