package org.clinfer.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class OrderedKeysTest {

    private static int[] sorted(Tensor tensor, Comparator<Integer> order, int count) {
        return IntStream.range(0, (int) tensor.elements())
                .boxed()
                .sorted(order)
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Test
    void theFirstOfManyAreThoseOfASort() {
        Random random = new Random(7);
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, 1e-45};
        for (int size : new int[] {1, 2, 3, 17, 100, 1000}) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, size);
            for (int i = 0; i < size; i++) {
                // few different values: most have equals
                tensor.setDouble(i, random.nextInt(4) == 0 ? special[random.nextInt(6)] : random.nextInt(9) - 4);
            }
            // -0 counts as 0
            Comparator<Integer> ascending = Comparator.comparingDouble(i -> tensor.getDouble(i) + 0.0);
            OrderedKeys keys = new OrderedKeys(tensor);
            for (int count : new int[] {0, 1, (size + 1) / 2, size}) {
                assertArrayEquals(sorted(tensor, ascending, count), keys.first(count, 0, 1, size, false));
                assertArrayEquals(sorted(tensor, ascending.reversed(), count), keys.first(count, 0, 1, size, true));
            }
        }
    }

    @Test
    void unsignedNumbersHaveNoSign() {
        Tensor tensor = Tensor.allocate(DType.UINT64, 3);
        tensor.setLong(0, -1);
        tensor.setLong(1, 5);
        tensor.setLong(2, Long.MIN_VALUE);
        assertArrayEquals(new int[] {1, 2, 0}, new OrderedKeys(tensor).first(3, 0, 1, 3, false));
    }

    @Test
    void elementsMayBeApart() {
        Tensor tensor = Tensor.allocate(DType.INT32, 6);
        tensor.setDoubles(new double[] {9, 3, 9, 1, 9, 2});
        assertArrayEquals(new int[] {1, 2}, new OrderedKeys(tensor).first(2, 1, 2, 3, false));
    }
}
