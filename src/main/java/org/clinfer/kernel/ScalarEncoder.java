package org.clinfer.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.expr.ExpressionValue;

/** Turns values of the expression language into the bytes of OpenCL C scalars and vectors. */
final class ScalarEncoder {

    private static final Pattern TYPE = Pattern.compile("(int|uint|long|ulong|float|double)(2|3|4|8|16)?");

    private ScalarEncoder() {}

    /**
     * The bytes of {@code value} as a kernel parameter of {@code type}.
     *
     * @throws IllegalArgumentException if the type is not one of int, uint, long, ulong, float, double or a vector of
     *     them, or the value does not fit it
     */
    static ByteBuffer encode(ExpressionValue value, String type) {
        Matcher match = TYPE.matcher(type);
        if (!match.matches()) {
            throw new IllegalArgumentException("a kernel parameter of type '" + type + "' cannot take a value");
        }
        String element = match.group(1);
        if (match.group(2) == null) {
            ByteBuffer bytes = allocate(width(element));
            put(bytes, element, value);
            return bytes.flip();
        }
        int lanes = Integer.parseInt(match.group(2));
        List<ExpressionValue> elements =
                value instanceof ExpressionValue.ListOf list ? list.elements() : List.of(value);
        if (elements.size() != lanes) {
            throw new IllegalArgumentException(
                    "a kernel parameter of type " + type + " takes " + lanes + " elements, not " + elements.size());
        }
        ByteBuffer bytes = allocate(width(element) * (lanes == 3 ? 4 : lanes));
        elements.forEach(lane -> put(bytes, element, lane));
        return bytes.clear();
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int width(String element) {
        return element.endsWith("long") || element.equals("double") ? 8 : 4;
    }

    private static void put(ByteBuffer bytes, String element, ExpressionValue value) {
        switch (element) {
            case "int" -> bytes.putInt(Math.toIntExact(integer(value)));
            case "uint" -> bytes.putInt(unsigned(integer(value)));
            case "long", "ulong" -> bytes.putLong(integer(value));
            case "float" -> bytes.putFloat((float) real(value));
            case "double" -> bytes.putDouble(real(value));
            default -> throw new IllegalArgumentException("no such element type: " + element);
        }
    }

    private static int unsigned(long value) {
        if (value < 0 || value > 0xffff_ffffL) {
            throw new IllegalArgumentException(value + " does not fit an unsigned 32-bit integer");
        }
        return (int) value;
    }

    private static long integer(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int number) {
            return number.value();
        }
        if (value instanceof ExpressionValue.Bool flag) {
            return flag.value() ? 1 : 0;
        }
        throw new IllegalArgumentException("a kernel argument must be an integer, not " + value.described());
    }

    private static double real(ExpressionValue value) {
        return value instanceof ExpressionValue.Real number ? number.value() : (double) integer(value);
    }
}
