package org.clinfer.spark;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Writes the elements of rows to the tensor of a batch. */
final class CellWriter {

    private CellWriter() {}

    /**
     * Writes the elements of a row.
     *
     * @param from of the row
     * @param batch of the input's type
     * @param at the first element of the row in it
     * @throws RowException if a number is no value of the type
     */
    static void write(Cell from, Tensor batch, long at) {
        Object elements = from.elements();
        if (elements instanceof Tensor tensor) {
            ByteBuffer memory = batch.bytes();
            int bits = batch.dtype().bits();
            int bytes = Math.toIntExact(tensor.type().bytes());
            tensor.writeTo(memory.slice(Math.toIntExact(at * bits / 8), bytes));
        } else if (batch.dtype() == DType.FLOAT32) {
            floats(elements, batch.floats(), Math.toIntExact(at));
        } else {
            int count = Array.getLength(elements);
            for (int i = 0; i < count; i++) {
                element(Array.get(elements, i), batch, at + i);
            }
        }
    }

    private static void floats(Object elements, FloatBuffer batch, int at) {
        if (elements instanceof float[] floats) {
            batch.put(at, floats);
        } else if (elements instanceof double[] doubles) {
            for (int i = 0; i < doubles.length; i++) {
                batch.put(at + i, (float) doubles[i]);
            }
        } else if (elements instanceof Object[] boxed) {
            for (int i = 0; i < boxed.length; i++) {
                batch.put(at + i, number(boxed[i]).floatValue());
            }
        } else {
            int count = Array.getLength(elements);
            for (int i = 0; i < count; i++) {
                batch.put(at + i, number(Array.get(elements, i)).floatValue());
            }
        }
    }

    private static void element(Object element, Tensor batch, long at) {
        DType dtype = batch.dtype();
        Number number = number(element);
        if (dtype.isFloating()) {
            batch.setDouble(at, number.doubleValue());
        } else if (dtype == DType.BOOL) {
            batch.setLong(at, number.doubleValue() == 0 ? 0 : 1);
        } else {
            batch.setLong(at, integer(number, dtype));
        }
    }

    private static Number number(Object element) {
        if (element instanceof Number number) {
            return number;
        }
        if (element instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        throw new RowException("'" + element + "' is no number");
    }

    private static long integer(Number number, DType dtype) {
        if (dtype == DType.UINT64 && number instanceof BigDecimal decimal) {
            return unsigned(decimal);
        }
        long value = number.longValue();
        boolean fits = dtype == DType.UINT64 ? value >= 0 : value >= dtype.lowest() && value <= dtype.highest();
        if (!fits || !isEqual(number, value)) {
            throw new RowException(number + " is no value of " + dtype);
        }
        return value;
    }

    private static boolean isEqual(Number number, long value) {
        if (number instanceof BigDecimal decimal) {
            return decimal.compareTo(BigDecimal.valueOf(value)) == 0;
        }
        // 2^63 and what is beyond become the largest long, which is as a double 2^63
        boolean real = number instanceof Float || number instanceof Double;
        return !real || (number.doubleValue() == value && value != Long.MAX_VALUE);
    }

    private static long unsigned(BigDecimal decimal) {
        try {
            BigInteger value = decimal.toBigIntegerExact();
            if (value.signum() >= 0 && value.bitLength() <= Long.SIZE) {
                return value.longValue();
            }
        } catch (ArithmeticException fraction) {
            // said below
        }
        throw new RowException(decimal + " is no value of " + DType.UINT64);
    }
}
