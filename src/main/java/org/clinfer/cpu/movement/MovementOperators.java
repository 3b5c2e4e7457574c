package org.clinfer.cpu.movement;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;

/** The operators that move elements, and those that make tensors from shapes and numbers. */
public final class MovementOperators {

    private MovementOperators() {}

    public static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(BlockOperators.all());
        all.putAll(StridedMove.all());
        all.putAll(IndexedMoves.all());
        all.put("Pad", CpuOperator.of(CpuWork.MOVEMENT, new PadOperator()));
        all.putAll(IndexOperators.all());
        all.putAll(ShapeOperators.all());
        all.put("Random", CpuOperator.of(CpuWork.MOVEMENT, new RandomNumbers()));
        return all;
    }
}
