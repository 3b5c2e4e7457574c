package org.clinfer.cli.verify;

import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Random elements that are the same in every process, and exact in every type of floats. */
final class TrialData {

    /** Floats are multiples of the inverse of this. */
    private static final double STEPS = 64;

    private static final int LARGEST_FLOAT = 2;
    private static final int LARGEST_INT = 8;

    private TrialData() {}

    /** A tensor of floats from -2 to 2, integers from -8 or 0 to 8, and bools. */
    static Tensor tensor(TensorType type, long seed) {
        DType dtype = type.dtype();
        Random random = new Random(seed);
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            if (dtype.isFloating()) {
                int most = (int) (LARGEST_FLOAT * STEPS);
                tensor.setDouble(i, (random.nextInt(2 * most + 1) - most) / STEPS);
            } else if (dtype.isInteger()) {
                int least = (int) Math.max(dtype.lowest(), -LARGEST_INT);
                tensor.setLong(i, random.nextInt(LARGEST_INT - least + 1) + least);
            } else {
                tensor.setLong(i, random.nextInt(2));
            }
        }
        return tensor;
    }

    /** Indices or sizes that are in range everywhere: zeros and ones. */
    static Tensor indices(TensorType type, long seed) {
        Random random = new Random(seed);
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setLong(i, random.nextInt(2));
        }
        return tensor;
    }

    /** A tensor of one axis. */
    static Tensor values(DType dtype, long[] values) {
        Tensor tensor = Tensor.allocate(TensorType.of(dtype, values.length));
        for (int i = 0; i < values.length; i++) {
            tensor.setLong(i, values[i]);
        }
        return tensor;
    }
}
