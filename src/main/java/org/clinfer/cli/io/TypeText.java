package org.clinfer.cli.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Tensor types as users write them: {@code 1x3x224x224}, {@code 1x3x224x224:float32}, {@code scalar:int64}. */
public final class TypeText {

    private static final Pattern SIZES = Pattern.compile("[0-9]{1,10}(x[0-9]{1,10}){0,15}");

    private static final String SIZE = "([0-9]{1,10}|\\?|[A-Za-wyz_][A-Za-wyz_0-9]{0,63})";
    private static final Pattern OPEN = Pattern.compile(SIZE + "(x" + SIZE + "){0,15}");

    private TypeText() {}

    /** {@return whether the text looks like a shape; a type may follow after a colon} */
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
        return new TensorType(dtype(parts, otherwise), shape(parts[0]));
    }

    /**
     * The same with sizes that may be left open: {@code ?}, or a name without an x, which is the same size wherever it
     * stands.
     *
     * @throws IllegalArgumentException saying what was found and what was expected
     */
    public static TensorType parseOpen(String text, DType otherwise) {
        String[] parts = text.split(":", 2);
        if (isShape(parts[0]) || !OPEN.matcher(parts[0]).matches()) {
            return parse(text, otherwise);
        }
        List<Dim> dims = new ArrayList<>();
        for (String size : parts[0].split("x", -1)) {
            dims.add(Character.isDigit(size.charAt(0)) ? Dim.of(Long.parseLong(size)) : Dim.named(size));
        }
        return new TensorType(dtype(parts, otherwise), new Shape(dims));
    }

    private static DType dtype(String[] parts, DType otherwise) {
        return parts.length == 1 ? otherwise : dtype(parts[1]);
    }

    /**
     * The data type of this name.
     *
     * @throws IllegalArgumentException with a message for people, if there is none
     */
    public static DType dtype(String name) {
        return DType.of(name).orElseThrow(() -> {
            String known = Arrays.stream(DType.values()).map(DType::label).collect(Collectors.joining(", "));
            return new IllegalArgumentException("'" + name + "' is not a data type; there are " + known);
        });
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
