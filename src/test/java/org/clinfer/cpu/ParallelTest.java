package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ParallelTest {

    private static void visitOnce(Parallel pool, int count, int grain) {
        AtomicIntegerArray visits = new AtomicIntegerArray(count);
        pool.forRange(count, grain, (from, to) -> {
            for (int i = from; i < to; i++) {
                visits.incrementAndGet(i);
            }
        });
        for (int i = 0; i < count; i++) {
            assertThat(visits.get(i)).isEqualTo(1);
        }
    }

    @Test
    void everyIterationIsDoneOnceBeforeTheLoopReturns() {
        for (int threads : new int[] {1, 2, 3, 7}) {
            try (Parallel pool = Parallel.of(threads)) {
                for (int loop = 0; loop < 300; loop++) {
                    visitOnce(pool, loop % 97, 1 + loop % 5);
                }
            }
        }
    }

    @Test
    void severalCallersShareTheThreads() {
        try (Parallel pool = Parallel.of(3)) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                callers.add(CompletableFuture.runAsync(() -> {
                    for (int loop = 0; loop < 200; loop++) {
                        visitOnce(pool, 50, 1);
                    }
                }));
            }
            callers.forEach(CompletableFuture::join);
        }
    }

    @Test
    void loopsWithinLoopsEnd() {
        try (Parallel pool = Parallel.of(2)) {
            pool.forRange(20, 1, (from, to) -> visitOnce(pool, 30, 1));
        }
    }

    @Test
    void aFailureReachesTheCallerAndTheThreadsGoOn() {
        try (Parallel pool = Parallel.of(2)) {
            for (int failing : new int[] {0, 13, 39}) {
                assertThatThrownBy(() -> pool.forRange(40, 1, (from, to) -> {
                            if (from <= failing && failing < to) {
                                throw new DataException("iteration " + failing);
                            }
                        }))
                        .isInstanceOf(DataException.class)
                        .hasMessage("iteration " + failing);
                visitOnce(pool, 40, 1);
            }
        }
    }

    @Test
    void aClosedPoolSaysSo() {
        Parallel pool = Parallel.of(2);
        visitOnce(pool, 40, 1);
        pool.close();
        assertThatThrownBy(() -> pool.forRange(40, 1, (from, to) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
