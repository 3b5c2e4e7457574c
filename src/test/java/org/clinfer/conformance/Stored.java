package org.clinfer.conformance;

import java.math.BigDecimal;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.SmallFloatDefinition;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** How exact results become elements of a tensor. */
final class Stored {

    private Stored() {}

    /**
     * Integers round half to even and saturate, NaN becomes 0; floating types round to the nearest,
     * those of 8 and 4 bits without saturating.
     */
    static void put(Tensor tensor, long index, double value) {
        switch (tensor.dtype().kind()) {
            case FLOATING -> {
                if (tensor.dtype().isSmallFloat()) {
                    tensor.setCode(index, SmallFloatDefinition.nearest(tensor.dtype(), value));
                } else {
                    tensor.setDouble(index, value);
                }
            }
            case INTEGER -> tensor.setLong(index, integer(tensor.dtype(), value));
            case LOGICAL -> tensor.setLong(index, value != 0 ? 1 : 0);
        }
    }

    private static long integer(DType dtype, double value) {
        if (dtype == DType.UINT64) {
            double within = Math.max(0, Math.min(0x1p64, Double.isNaN(value) ? 0 : Math.rint(value)));
            return within == 0x1p64 ? -1 : new BigDecimal(within).longValue();
        }
        // Casting saturates to 64 bits and takes NaN to 0.
        long whole = (long) Math.rint(value);
        boolean signed = !dtype.label().startsWith("u");
        long largest = Long.MAX_VALUE >> (signed ? 64 - dtype.bits() : 63 - dtype.bits());
        return Math.max(signed ? -largest - 1 : 0, Math.min(largest, whole));
    }

    /** The tensor that holds {@code array} in its own type, or else in {@code dtype}. */
    static Tensor tensor(Array array, DType dtype) {
        Tensor tensor = Tensor.allocate(TensorType.of(array.type().orElse(dtype), array.dims()));
        for (int i = 0; i < array.elements(); i++) {
            double value = array.flat(i);
            if (array.isWrapped() && tensor.dtype() == DType.UINT64 && value < 0) {
                tensor.setLong(i, (long) value);
            } else {
                put(tensor, i, value);
            }
        }
        return tensor;
    }

    /** The elements of a tensor; integers beyond 2^53 lose their low bits. */
    static Array array(Tensor tensor) {
        double[] values = new double[Math.toIntExact(tensor.elements())];
        for (int i = 0; i < values.length; i++) {
            values[i] = tensor.getDouble(i);
        }
        return new Array(tensor.shape().sizes(), values).as(tensor.dtype());
    }
}
