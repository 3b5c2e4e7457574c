package org.clinfer.cli.io;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Tensor types as users write them: {@code 1x3x224x224}, {@code 1x3x224x224:float32}, {@code scalar:int64}. */
public final class TypeText {

    private static final Pattern SIZES = Pattern.compile("[0-9]{1,10}(x[0-9]{1,10}){0,15}");

    private TypeText() {}

    /** Whether the text looks like a shape; a type may follow after a colon. */
    public static boolean isShape(String text) {
        String shape = text.split(":", 2)[0];
        return shape.equals("scalar") || SIZES.matcher(shape).matches();
    }

    /**
     * Reads a shape with an optional data type.
     *
     * @param otherwise the data type where none is written
     * @throws IllegalArgumentException saying what was found and what was expected
     */
    public static TensorType parse(String text, DType otherwise) {
        String[] parts = text.split(":", 2);
        DType dtype = parts.length == 1
                ? otherwise
                : DType.of(parts[1])
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + parts[1] + "' is not a data type; there are " + Arrays.toString(DType.values())));
        return new TensorType(dtype, shape(parts[0]));
    }

    private static Shape shape(String text) {
        if (text.equals("scalar")) {
            return Shape.SCALAR;
        }
        if (!SIZES.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a shape; expected sizes such as 1x3x224x224");
        }
        return Shape.of(Arrays.stream(text.split("x", -1)).map(Long::valueOf).toList());
    }
}
