package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;

/** The operators that move elements, and those that make tensors from shapes and numbers. */
final class MovementOperators {

    private MovementOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(BlockOperators.all());
        all.putAll(StridedMove.all());
        all.putAll(IndexedMoves.all());
        all.put("Pad", new PadOperator());
        all.putAll(ShapeOperators.all());
        all.put("Random", new RandomNumbers());
        return all;
    }
}
