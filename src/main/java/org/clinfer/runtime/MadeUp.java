package org.clinfer.runtime;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.clinfer.describe.InputDescription;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;

/** Inputs that nobody gave, and whether two implementations give the same for them. */
final class MadeUp {

    /** Floats are multiples of the inverse of this. */
    private static final double STEPS = 64;

    private static final int LARGEST_FLOAT = 2;
    private static final long BYTE_VALUES = 256;

    /** One in so many elements may differ: where rounding decides between two elements of the input, both are right. */
    private static final long ELEMENTS_PER_EXCEPTION = 256;

    /** Rows, columns, and what lies at each of their positions. */
    private static final int PLANE_AXES = 3;

    private static final int SIDES = 4;

    private static final double FLOAT_TOLERANCE = 1e-3;
    private static final double HALF_TOLERANCE = 2e-2;

    private MadeUp() {}

    /** A tensor that a node may take as a value: where its description says that a border of zeros is promised, it has it. */
    static Tensor input(PlacedNode node, String value, TensorType type) {
        Tensor tensor = tensor(type);
        List<InputDescription> inputs = node.description().inputs();
        for (int i = 0; i < Math.min(inputs.size(), node.inputs().size()); i++) {
            String border = inputs.get(i).zeroBorder();
            if (node.inputs().get(i).equals(value)
                    && !border.isEmpty()
                    && type.shape().rank() >= PLANE_AXES) {
                clear(tensor, Arrays.copyOf(node.binding().integers(border), SIDES));
            }
        }
        return tensor;
    }

    /** Clears so many rows and columns of planes with channels in blocks: at the top, left, bottom, right. */
    private static void clear(Tensor blocks, long[] border) {
        long[] sizes = blocks.shape().sizes();
        int height = Math.toIntExact(sizes[sizes.length - 3]);
        int width = Math.toIntExact(sizes[sizes.length - 2]);
        long lanes = sizes[sizes.length - 1];
        for (long i = 0; i < blocks.elements(); i++) {
            long row = i / (lanes * width) % height;
            long column = i / lanes % width;
            if (row < border[0] || column < border[1] || row >= height - border[2] || column >= width - border[3]) {
                blocks.setDouble(i, 0);
            }
        }
    }

    /**
     * A tensor of ordinary elements, the same in every process: floats from -2 to 2, bytes of any value, other integers 0 or
     * 1, which are indices and sizes everywhere.
     */
    private static Tensor tensor(TensorType type) {
        Tensor tensor = Tensor.allocate(type);
        DType dtype = type.dtype();
        long state = 1;
        for (long i = 0; i < tensor.elements(); i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            long random = state >>> 33;
            if (dtype.isFloating()) {
                long values = (long) (2 * LARGEST_FLOAT * STEPS) + 1;
                tensor.setDouble(i, random % values / STEPS - LARGEST_FLOAT);
            } else if (dtype.isInteger() && dtype.bits() == Byte.SIZE) {
                tensor.setLong(i, random % BYTE_VALUES + dtype.lowest());
            } else {
                tensor.setLong(i, random & 1);
            }
        }
        return tensor;
    }

    /**
     * The difference of two results beyond rounding, in a few words; empty where there is none.
     *
     * @param expected the outputs of one implementation
     * @param given those of the other
     */
    static String difference(List<Tensor> expected, List<Tensor> given) {
        for (int i = 0; i < expected.size(); i++) {
            String difference = difference(expected.get(i), given.get(i));
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    private static String difference(Tensor expected, Tensor given) {
        double allowed = allowed(expected);
        long different = 0;
        long first = -1;
        for (long i = 0; i < expected.elements(); i++) {
            if (differ(expected, given, i, allowed)) {
                first = different == 0 ? i : first;
                different++;
            }
        }
        if (different <= expected.elements() / ELEMENTS_PER_EXCEPTION) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "%d of %d elements are not those of the CPU, element %d is %s instead of %s",
                different,
                expected.elements(),
                first,
                text(given, first),
                text(expected, first));
    }

    private static double allowed(Tensor expected) {
        DType dtype = expected.dtype();
        if (!dtype.isFloating()) {
            // results of rounding, where they are bytes
            return dtype.isInteger() && dtype.bits() == Byte.SIZE ? 1 : 0;
        }
        double largest = 0;
        for (long i = 0; i < expected.elements(); i++) {
            double value = Math.abs(expected.getDouble(i));
            largest = Double.isFinite(value) ? Math.max(largest, value) : largest;
        }
        return Math.max(largest, Float.MIN_NORMAL) * (dtype.bits() < Float.SIZE ? HALF_TOLERANCE : FLOAT_TOLERANCE);
    }

    private static boolean differ(Tensor expected, Tensor given, long i, double allowed) {
        return expected.dtype().isFloating()
                ? TensorComparison.distance(expected.getDouble(i), given.getDouble(i)) > allowed
                : TensorComparison.distance((double) expected.getLong(i), (double) given.getLong(i)) > allowed;
    }

    private static String text(Tensor tensor, long i) {
        return tensor.dtype().isFloating() ? Double.toString(tensor.getDouble(i)) : Long.toString(tensor.getLong(i));
    }
}
