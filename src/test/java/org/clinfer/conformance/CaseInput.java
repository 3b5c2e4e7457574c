package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * An input as a case writes it: {@code SHAPE[:TYPE[:LOW..HIGH]][:constant]}, or instead of the range {@code {1,2,3}} for
 * elements that repeat, or {@code [0,1]} for elements drawn from a list, or {@code -} for one left out. An empty type
 * is the type of the case. A size may be {@code ?}, not known, where no elements are wanted.
 */
public final class CaseInput {

    private final String text;
    private final String[] parts;

    CaseInput(String text) {
        this.text = text;
        this.parts = text.split(":", -1);
    }

    public boolean isLeftOut() {
        return text.equals("-");
    }

    /** Whether the tensor stands in the graph. */
    public boolean isConstant() {
        return text.endsWith(":constant");
    }

    /** The type, or empty if it is that of the case. */
    public Optional<DType> type() {
        return part(1).map(label -> DType.of(label).orElseThrow(() -> new IllegalArgumentException(text)));
    }

    private Optional<String> part(int index) {
        return index < parts.length && !parts[index].isEmpty() && !parts[index].equals("constant")
                ? Optional.of(parts[index])
                : Optional.empty();
    }

    public Shape shape() {
        return parts[0].equals("scalar")
                ? Shape.SCALAR
                : new Shape(
                        Stream.of(parts[0].split("x", -1)).map(CaseInput::dim).toList());
    }

    private static Dim dim(String size) {
        return size.equals("?") ? Dim.named("size") : Dim.of(Long.parseLong(size));
    }

    long[] dims() {
        return shape().sizes();
    }

    long elements() {
        return isLeftOut() ? 0 : Array.elements(dims());
    }

    /** The tensor, in {@code caseType} unless the input names its type. */
    public Tensor tensor(DType caseType, Random random) {
        DType dtype = type().orElse(caseType);
        Tensor tensor = Tensor.allocate(TensorType.of(dtype, dims()));
        String range = part(2).orElse(dtype.isFloating() ? "-1..1" : dtype.isInteger() ? "-5..5" : "0..1");
        if (range.startsWith("{")) {
            double[] list = list(range);
            put(tensor, i -> list[(int) (i % list.length)]);
        } else if (range.startsWith("[")) {
            double[] list = list(range);
            put(tensor, i -> list[random.nextInt(list.length)]);
        } else {
            fill(tensor, range.split("\\.\\.", -1), random);
        }
        return tensor;
    }

    private static void fill(Tensor tensor, String[] range, Random random) {
        double low = Double.parseDouble(range[0]);
        double high = Double.parseDouble(range[1]);
        for (long i = 0; i < tensor.elements(); i++) {
            switch (tensor.dtype().kind()) {
                case FLOATING -> tensor.setDouble(i, low + (high - low) * random.nextDouble());
                case INTEGER -> Stored.put(tensor, i, Math.floor(low + random.nextDouble() * (high - low + 1)));
                case LOGICAL -> tensor.setLong(i, random.nextInt(2));
            }
        }
    }

    private static double[] list(String range) {
        return Arrays.stream(range.substring(1, range.length() - 1).split(",", -1))
                .mapToDouble(CaseInput::element)
                .toArray();
    }

    private static void put(Tensor tensor, LongToDoubleFunction elements) {
        for (long i = 0; i < tensor.elements(); i++) {
            Stored.put(tensor, i, elements.applyAsDouble(i));
        }
    }

    private static double element(String text) {
        return switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
