package org.clinfer.describe;

import java.util.Arrays;
import java.util.List;
import org.clinfer.tensor.DType;

/**
 * A named group of element types in descriptions. uint64 belongs to {@link #ANY} alone: who computes with it has to
 * know that 64 bits do not hold its sums, products and differences with a sign.
 */
enum TypeGroup {
    INTEGER,
    FLOATING,
    NUMERIC,
    ANY;

    /** Its members, in order. */
    List<DType> types() {
        return Arrays.stream(DType.values())
                .filter(DType::isGeneral)
                .filter(this::has)
                .toList();
    }

    private boolean has(DType type) {
        boolean integer = type.isInteger() && type != DType.UINT64;
        return switch (this) {
            case INTEGER -> integer;
            case FLOATING -> type.isFloating();
            case NUMERIC -> integer || type.isFloating();
            case ANY -> true;
        };
    }
}
