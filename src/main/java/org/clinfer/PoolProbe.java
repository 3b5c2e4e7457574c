package org.clinfer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Requests of the shapes of others, but with other numbers. Requests of clients do not show that a network mixes their
 * rows where they are equal, or all zeros.
 */
final class PoolProbe {

    private PoolProbe() {}

    /**
     * A request with the same numbers in another order, so that they are ones that the network takes; where all are the
     * same, floats become those of an interval and integers may grow by 1.
     */
    static PoolRequest of(PoolRequest request, long seed) {
        Random random = new Random(seed);
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        request.inputs().forEach((name, tensor) -> inputs.put(name, varied(tensor, random)));
        return new PoolRequest(inputs, request.form(), Optional.empty());
    }

    private static Tensor varied(Tensor tensor, Random random) {
        Tensor varied = tensor.copy();
        boolean floats = tensor.dtype().isFloating();
        long count = tensor.elements();
        boolean constant = true;
        for (long i = 0; i < count; i++) {
            long other = i + random.nextLong(count - i);
            if (floats) {
                double moved = varied.getDouble(other);
                varied.setDouble(other, varied.getDouble(i));
                varied.setDouble(i, moved);
                constant &= moved == varied.getDouble(0);
            } else {
                long moved = varied.getLong(other);
                varied.setLong(other, varied.getLong(i));
                varied.setLong(i, moved);
                constant &= moved == varied.getLong(0);
            }
        }
        for (long i = 0; constant && i < count; i++) {
            if (floats) {
                varied.setDouble(i, random.nextDouble());
            } else {
                boolean truth = tensor.dtype() == DType.BOOL;
                varied.setLong(i, (truth ? 0 : varied.getLong(i)) + random.nextInt(2));
            }
        }
        return varied;
    }
}
