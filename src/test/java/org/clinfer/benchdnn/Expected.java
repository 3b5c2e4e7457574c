package org.clinfer.benchdnn;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What the definition gives: every element of a small result; of a larger one the corners of every channel, and elements
 * drawn at random, half of them at an edge, the channels in turn.
 */
final class Expected {

    private static final long WHOLE_MULTIPLY_ADDS = 1L << 24;
    private static final int DRAWN = 2048;

    private final Problem problem;
    private final int[] positions;
    private final double[] sums;
    private final double[] magnitudes;
    private final double largestMagnitude;

    private Expected(Problem problem, int[] positions, DirectConvolution definition) {
        this.problem = problem;
        this.positions = positions;
        this.sums = new double[positions.length];
        this.magnitudes = new double[positions.length];
        double largest = 0;
        for (int i = 0; i < positions.length; i++) {
            definition.at(positions[i]);
            sums[i] = definition.sum();
            magnitudes[i] = definition.magnitude();
            largest = Math.max(largest, magnitudes[i]);
        }
        this.largestMagnitude = largest;
    }

    static Expected of(Problem problem, Operands operands) {
        int[] positions = problem.multiplyAdds() <= WHOLE_MULTIPLY_ADDS
                ? IntStream.range(0, Math.toIntExact(problem.outputElements())).toArray()
                : sample(problem);
        return new Expected(problem, positions, new DirectConvolution(problem, operands));
    }

    boolean isWhole() {
        return positions.length == problem.outputElements();
    }

    private static int[] sample(Problem problem) {
        long[] size = problem.each(Axis::output);
        int planes = Math.toIntExact(problem.batch() * problem.outChannels());
        IntStream corners = IntStream.range(0, planes << size.length).map(i -> {
            int position = i >> size.length;
            for (int axis = 0; axis < size.length; axis++) {
                position = (int) (position * size[axis] + ((i >> axis & 1) == 0 ? 0 : size[axis] - 1));
            }
            return position;
        });
        SplittableRandom random = new SplittableRandom(problem.geometry().hashCode());
        IntStream drawn = IntStream.range(0, DRAWN).map(i -> {
            int position = i % planes;
            int edge = i % 2 == 0 ? random.nextInt(size.length) : -1;
            for (int axis = 0; axis < size.length; axis++) {
                long at = axis == edge ? (random.nextInt(2) == 0 ? 0 : size[axis] - 1) : random.nextLong(size[axis]);
                position = (int) (position * size[axis] + at);
            }
            return position;
        });
        return IntStream.concat(corners, drawn).distinct().sorted().toArray();
    }

    /** The first element of a result that is not what the definition gives. */
    Optional<String> difference(double[] result, Rounding rounding) {
        for (int i = 0; i < positions.length; i++) {
            double got = result[positions[i]];
            double magnitude = rounding.ofTiles() ? largestMagnitude : magnitudes[i];
            if (!(Math.abs(got - sums[i]) <= rounding.allowed(sums[i], magnitude))) {
                return Optional.of(place(positions[i]) + " is " + got + ", expected " + sums[i] + " of terms that make "
                        + magnitude);
            }
        }
        return Optional.empty();
    }

    /** The first element at which two results differ; all are compared. */
    Optional<String> difference(double[] result, double[] other, Rounding rounding) {
        for (int i = 0; i < result.length; i++) {
            if (!(Math.abs(result[i] - other[i]) <= rounding.between(result[i], other[i], largestMagnitude))) {
                return Optional.of(place(i) + " is " + result[i] + ", on the CPU " + other[i]);
            }
        }
        return Optional.empty();
    }

    private String place(int position) {
        long[] index = new long[problem.spatial() + 2];
        long rest = position;
        long[] size = problem.each(Axis::output);
        for (int axis = size.length - 1; axis >= 0; axis--) {
            index[axis + 2] = rest % size[axis];
            rest /= size[axis];
        }
        index[1] = rest % problem.outChannels();
        index[0] = rest / problem.outChannels();
        return "element " + Arrays.toString(index);
    }
}
