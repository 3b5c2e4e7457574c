package org.clinfer.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class PlanCacheTest {

    /** A plan is its number, and takes as many bytes as the elements that it is made for. */
    private record Plan(int number, long bytes) {}

    private final PlanCache<Plan> plans = new PlanCache<>(10, Plan::bytes);

    private int plan(long size, PlanLimits limits) {
        Signature signature = new Signature(Map.of("x", TensorType.of(DType.FLOAT32, size)), Map.of());
        return plans.plan(signature, limits, () -> new Plan(plans.made() + 1, size))
                .number();
    }

    private int plan(long size) {
        return plan(size, PlanLimits.NONE);
    }

    @Test
    void aPlanIsMadeOnce() {
        assertEquals(1, plan(3));
        assertEquals(2, plan(4));
        assertEquals(1, plan(3));
        assertEquals(2, plan(4));
        assertEquals(2, plans.made());
    }

    @Test
    void aPlanWithinOtherLimitsIsAnother() {
        assertEquals(1, plan(2));
        assertEquals(2, plan(2, PlanLimits.NONE.withThrift()));
        assertEquals(3, plan(2, PlanLimits.NONE.onCpu("it failed")));
        assertEquals(4, plan(2, PlanLimits.NONE.avoiding(Map.of("variant", "it failed"))));
        assertEquals(1, plan(2));
    }

    @Test
    void beyondTheBoundThoseThatWereNotUsedForLongestGo() {
        plan(3);
        plan(4);
        plan(3);
        assertEquals(3, plan(5));
        assertEquals(1, plan(3));
        assertEquals(4, plan(4));
        assertEquals(5, plan(5));
        assertEquals(6, plan(3));
    }

    @Test
    void thePlanInUseStaysHoweverLargeItIs() {
        plan(3);
        assertEquals(2, plan(11));
        assertEquals(2, plan(11));
        assertEquals(3, plan(3));
        assertEquals(3, plan(3));
    }
}
