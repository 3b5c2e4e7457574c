package org.clinfer.cli;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.cli.io.TypeText;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * An input made up instead of read: {@code random[:SEED]}, {@code zeros} or a number for all elements, each perhaps after a
 * shape, as in {@code 1x3x224x224:random}. Random floats are uniform from 0 to 1, random integers and booleans are 0 or 1.
 */
final class Filling {

    private static final Pattern SYNTAX = Pattern.compile("(?:([0-9x]+|scalar):)?(?:(zeros)|random(?::([0-9]{1,18}))?"
            + "|(-?[0-9]{1,30}(?:\\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?))");

    private static final int PICTURE_AXES = 4;

    private final Optional<String> shape;

    /** The number of all elements; empty for random ones. */
    private final Optional<String> number;

    private final long seed;

    private Filling(Optional<String> shape, Optional<String> number, long seed) {
        this.shape = shape;
        this.number = number;
        this.seed = seed;
    }

    /** Random values of the wanted type and shape. */
    static Filling random(long seed) {
        return new Filling(Optional.empty(), Optional.empty(), seed);
    }

    /** The filling written as {@code text}, or empty if it is none. */
    static Optional<Filling> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long seed = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
        Optional<String> number = Optional.ofNullable(matcher.group(2) == null ? matcher.group(4) : "0");
        return Optional.of(new Filling(Optional.ofNullable(matcher.group(1)), number, seed));
    }

    /** {@return whether the filling leaves the shape to the model} */
    boolean fitsAnyShape() {
        return shape.isEmpty();
    }

    /** The same with other random values for each position. */
    Filling at(int position) {
        return new Filling(shape, number, seed + position);
    }

    /**
     * The tensor for an input of type {@code wanted}.
     *
     * @throws IllegalArgumentException if neither the filling nor the model fixes the shape, or the type has no such number
     */
    Tensor tensor(TensorType wanted) {
        TensorType type =
                shape.map(text -> TypeText.parse(text, wanted.dtype())).orElse(wanted);
        if (!type.shape().isKnown()) {
            throw new IllegalArgumentException("the model leaves the shape " + type.shape() + " open; write it, as in "
                    + example(type.shape()) + ":" + number.orElse("random"));
        }
        Tensor tensor = Tensor.allocate(type);
        if (number.isPresent()) {
            fill(tensor, number.get());
            return tensor;
        }
        Random random = new Random(seed);
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            tensor.setDouble(i, type.dtype().isFloating() ? random.nextFloat() : random.nextInt(2));
        }
        return tensor;
    }

    /** A shape that fits, with one of what is first and sizes as of small pictures and texts. */
    private static String example(Shape open) {
        int other = open.rank() == PICTURE_AXES ? 224 : 128;
        return IntStream.range(0, open.rank())
                .mapToObj(axis -> open.dim(axis) instanceof Dim.Known known
                        ? Long.toString(known.size())
                        : axis == 0 ? "1" : Integer.toString(other))
                .collect(Collectors.joining("x"));
    }

    /** Fills a tensor of zeros. */
    private static void fill(Tensor tensor, String number) {
        BigDecimal value = new BigDecimal(number);
        boolean real = tensor.dtype().isFloating();
        double floating = value.doubleValue();
        long integer = value.longValue();
        for (long i = 0; i < tensor.elements() && value.signum() != 0; i++) {
            if (real) {
                tensor.setDouble(i, floating);
            } else {
                tensor.setLong(i, integer);
            }
            if (i == 0 && !holds(tensor, value)) {
                throw new IllegalArgumentException(tensor.dtype().label() + " has no " + number);
            }
        }
    }

    /** Tells whether the first element is a number, but for rounding to one of fewer digits. */
    private static boolean holds(Tensor tensor, BigDecimal value) {
        return tensor.dtype().isFloating()
                ? Double.isFinite(tensor.getDouble(0))
                : BigDecimal.valueOf(tensor.getLong(0)).compareTo(value) == 0;
    }
}
