package org.clinfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class PlanAheadTest {

    private final PlanAhead<Integer> ahead = new PlanAhead<>();
    private int made;

    private static Signature of(long size) {
        return new Signature(Map.of("x", TensorType.of(DType.FLOAT32, size)), Map.of());
    }

    private int look(long size, PlanLimits limits) {
        return ahead.look(of(size), limits, () -> ++made);
    }

    private int take(long size, PlanLimits limits) {
        return ahead.take(of(size), limits, () -> ++made);
    }

    @Test
    void aRunTakesThePlanThatWasLookedAt() {
        assertEquals(1, look(3, PlanLimits.NONE));
        assertEquals(1, look(3, PlanLimits.NONE));
        assertEquals(1, take(3, PlanLimits.NONE));
    }

    @Test
    void noPlanStaysBehindARun() {
        look(3, PlanLimits.NONE);
        take(3, PlanLimits.NONE);
        assertEquals(2, take(3, PlanLimits.NONE));
        assertEquals(3, look(3, PlanLimits.NONE));
    }

    @Test
    void aPlanForOtherTypesIsOfNoUse() {
        look(3, PlanLimits.NONE);
        assertEquals(2, take(4, PlanLimits.NONE));
        assertEquals(3, take(3, PlanLimits.NONE));
    }

    @Test
    void aPlanWithinOtherLimitsIsOfNoUse() {
        look(3, PlanLimits.NONE);
        assertEquals(2, look(3, PlanLimits.NONE.withThrift()));
        assertEquals(3, take(3, PlanLimits.NONE.onCpu("it failed")));
    }
}
