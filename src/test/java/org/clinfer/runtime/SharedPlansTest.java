package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.cache.TunedChoices;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SharedPlansTest {

    private final TunedChoices tuned = TunedChoices.none();
    private final SharedPlans<Integer> plans = new SharedPlans<>(10, plan -> 1, tuned);
    private final AtomicInteger made = new AtomicInteger();

    private static Signature signature(long size) {
        return new Signature(Map.of("x", TensorType.of(DType.FLOAT32, size)), Map.of());
    }

    private int plan(long size) {
        return plans.plan(signature(size), PlanLimits.NONE, made::incrementAndGet);
    }

    @Test
    void aPlanIsMadeOnceForAllSessions() {
        assertThat(plan(3)).isEqualTo(1);
        assertThat(plan(4)).isEqualTo(2);
        assertThat(plan(3)).isEqualTo(1);
    }

    @Test
    void whoWantsAPlanThatIsInTheMakingWaitsForIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> first =
                CompletableFuture.supplyAsync(() -> plans.plan(signature(3), PlanLimits.NONE, () -> {
                    begun.countDown();
                    await(go);
                    return made.incrementAndGet();
                }));
        begun.await();
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> plan(3));
        assertThat(plan(4)).as("another one does not wait").isEqualTo(1);
        go.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void aPlanThatCannotBeMadeIsTriedAgainByTheNext() {
        assertThatThrownBy(() -> plans.plan(signature(3), PlanLimits.NONE, () -> {
                    throw new IllegalStateException("no plan");
                }))
                .hasMessage("no plan");
        assertThat(plan(3)).isEqualTo(1);
    }

    @Test
    void afterTuningPlansAreMadeAnew() {
        assertThat(plan(3)).isEqualTo(1);
        tuned.add(Set.of("Conv2d"), Map.of("Conv2d", new TunedChoices.Choice("tile", 1, "ref", 2)));
        assertThat(plan(3)).isEqualTo(2);
        assertThat(plan(3)).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
