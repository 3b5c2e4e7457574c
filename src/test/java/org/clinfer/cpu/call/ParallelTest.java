package org.clinfer.cpu.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
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
            for (long spinMicros : new long[] {0, 50, 1000}) {
                try (Parallel pool = Parallel.of(threads, spinMicros)) {
                    for (int loop = 0; loop < 300; loop++) {
                        visitOnce(pool, loop % 97, 1 + loop % 5);
                    }
                }
            }
        }
    }

    /** Threads that look for work take it, those that gave up are woken, and few grains stay with their caller. */
    @Test
    void loopsAfterPausesAreDoneAsWell() throws InterruptedException {
        try (Parallel pool = Parallel.of(2, 100)) {
            for (int loop = 0; loop < 40; loop++) {
                visitOnce(pool, 3 + loop % 5 * 40, 1);
                Thread.sleep(loop % 4);
            }
        }
    }

    @Test
    void anInterruptIsKeptForTheCaller() {
        try (Parallel pool = Parallel.of(2)) {
            for (int loop = 0; loop < 50; loop++) {
                Thread.currentThread().interrupt();
                visitOnce(pool, 200, 1);
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void smallLoopsStayWithTheirCallerWhereNobodyLooksForWork() {
        Thread caller = Thread.currentThread();
        try (Parallel pool = Parallel.of(2, 0, () -> 0)) {
            for (int loop = 0; loop < 100; loop++) {
                pool.forRange(
                        8, 1, (from, to) -> assertThat(Thread.currentThread()).isEqualTo(caller));
            }
        }
    }

    /** The caller does the first iteration, and the others are shared if it took long. */
    @Test
    void fewLongIterationsAreShared() {
        Thread caller = Thread.currentThread();
        AtomicLong now = new AtomicLong();
        CountDownLatch shared = new CountDownLatch(1);
        AtomicInteger visited = new AtomicInteger();
        try (Parallel pool = Parallel.of(2, 0, () -> now.getAndAdd(1_000_000))) {
            pool.forRange(3, 1, (from, to) -> {
                visited.addAndGet(to - from);
                if (Thread.currentThread() != caller) {
                    shared.countDown();
                } else if (from > 0) {
                    waitFor(shared);
                }
            });
        }
        assertThat(visited).hasValue(3);
        assertThat(shared.getCount()).isZero();
    }

    /** Nobody looks for work, and the first iteration waits for the second. */
    @Test
    void unitsThatAreKnownToTakeLongAreSharedFromTheFirstOn() {
        CountDownLatch begun = new CountDownLatch(2);
        try (Parallel pool = Parallel.of(2, 0, () -> 0)) {
            pool.forUnits(2, 100_000, (from, to) -> {
                assertThat(to - from).isEqualTo(1);
                begun.countDown();
                waitFor(begun);
            });
        }
        assertThat(begun.getCount()).isZero();
    }

    @Test
    void shortUnitsStayWithTheirCaller() {
        Thread caller = Thread.currentThread();
        try (Parallel pool = Parallel.of(2, 0, () -> 0)) {
            pool.forUnits(
                    8, 100, (from, to) -> assertThat(Thread.currentThread()).isEqualTo(caller));
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A series of small loops wakes a thread in the end. */
    @Test
    void manySmallLoopsAreShared() {
        Thread caller = Thread.currentThread();
        try (Parallel pool = Parallel.of(2, 1000)) {
            AtomicInteger shared = new AtomicInteger();
            boolean hasTwo = Runtime.getRuntime().availableProcessors() > 1;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(hasTwo ? 60 : 0);
            while (shared.get() == 0 && System.nanoTime() < end) {
                pool.forRange(8, 1, (from, to) -> {
                    if (Thread.currentThread() != caller) {
                        shared.incrementAndGet();
                    }
                });
            }
            assertThat(shared.get() > 0).isEqualTo(hasTwo);
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
