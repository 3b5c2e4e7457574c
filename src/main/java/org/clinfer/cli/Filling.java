package org.clinfer.cli;

import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.cli.io.TypeText;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * An input made up instead of read: {@code [1x3x224x224:]random[:SEED]} or {@code [1x3x224x224:]zeros}. Random floats
 * are uniform from 0 to 1, random integers and booleans are 0 or 1.
 */
final class Filling {

    private static final Pattern SYNTAX =
            Pattern.compile("(?:([0-9x]+|scalar):)?(?:(zeros)|random(?::([0-9]{1,18}))?)");

    private final Optional<String> shape;
    private final boolean zeros;
    private final long seed;

    private Filling(Optional<String> shape, boolean zeros, long seed) {
        this.shape = shape;
        this.zeros = zeros;
        this.seed = seed;
    }

    /** Random values of the wanted type and shape. */
    static Filling random(long seed) {
        return new Filling(Optional.empty(), false, seed);
    }

    /** The filling written as {@code text}, or empty if it is none. */
    static Optional<Filling> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long seed = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
        return Optional.of(new Filling(Optional.ofNullable(matcher.group(1)), matcher.group(2) != null, seed));
    }

    /** {@return whether the filling leaves the shape to the model} */
    boolean fitsAnyShape() {
        return shape.isEmpty();
    }

    /** The same with other random values for each position. */
    Filling at(int position) {
        return new Filling(shape, zeros, seed + position);
    }

    /**
     * The tensor for an input of type {@code wanted}.
     *
     * @throws IllegalArgumentException if neither the filling nor the model fixes the shape
     */
    Tensor tensor(TensorType wanted) {
        TensorType type =
                shape.map(text -> TypeText.parse(text, wanted.dtype())).orElse(wanted);
        if (!type.shape().isKnown()) {
            throw new IllegalArgumentException(
                    "the model leaves the shape " + type.shape() + " open; write it, as in 1x3x224x224:random");
        }
        Tensor tensor = Tensor.allocate(type);
        if (zeros) {
            return tensor;
        }
        Random random = new Random(seed);
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            tensor.setDouble(i, type.dtype().isFloating() ? random.nextFloat() : random.nextInt(2));
        }
        return tensor;
    }
}
