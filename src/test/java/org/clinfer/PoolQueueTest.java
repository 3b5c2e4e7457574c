package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that runs take from the queue of a pool whose requests wait long for others. */
@Timeout(60)
class PoolQueueTest {

    private static final Map<String, TensorType> TYPES = Map.of("x", TensorType.of(DType.FLOAT32, 1, 5));

    private final PoolQueue queue =
            new PoolQueue(PoolOptions.defaults().withBatches(4, Duration.ofMinutes(10)), new PoolCounts());

    @AfterEach
    void close() {
        queue.close();
    }

    private PoolRequest add(Optional<PoolBatching.Form> form) throws InterruptedException {
        return add(form, Optional.empty());
    }

    private PoolRequest add(Optional<PoolBatching.Form> form, Optional<Duration> deadline) throws InterruptedException {
        PoolRequest request = new PoolRequest(Map.of(), form, deadline);
        request.onEnd(failure -> queue.ended(request));
        assertThat(queue.add(request)).isTrue();
        return request;
    }

    private PoolRequest add(long rows) throws InterruptedException {
        return add(Optional.of(new PoolBatching.Form(TYPES, rows)));
    }

    private CompletableFuture<List<PoolRequest>> taken() {
        CompletableFuture<List<PoolRequest>> taken = new CompletableFuture<>();
        Thread taker = new Thread(() -> {
            try {
                taken.complete(queue.take());
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        taker.setDaemon(true);
        taker.start();
        return taken;
    }

    private static List<PoolRequest> end(CompletableFuture<List<PoolRequest>> taken) throws Exception {
        return taken.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aFullBatchIsTakenAtOnce() throws Exception {
        CompletableFuture<List<PoolRequest>> taken = taken();
        List<PoolRequest> all = List.of(add(1), add(2), add(1));

        assertThat(end(taken)).isEqualTo(all);
    }

    @Test
    void requestsThatEndAreNotCounted() throws Exception {
        CompletableFuture<List<PoolRequest>> taken = taken();
        PoolRequest first = add(2);
        add(1).future().cancel(true);
        PoolRequest second = add(1);
        Thread.sleep(50);
        assertThat(taken).isNotDone();
        PoolRequest third = add(1);

        assertThat(end(taken)).containsExactly(first, second, third);
    }

    @Test
    void whatDoesNotFitIsLeftToAnother() throws Exception {
        CompletableFuture<List<PoolRequest>> one = taken();
        CompletableFuture<List<PoolRequest>> other = taken();
        PoolRequest first = add(2);
        PoolRequest alone = add(Optional.empty());
        Thread.sleep(50);
        PoolRequest second = add(2);

        List<PoolRequest> joined = List.of(first, second);
        List<List<PoolRequest>> both = List.of(end(one), end(other));
        assertThat(both).containsExactlyInAnyOrder(joined, List.of(alone));
    }

    @Test
    void aRequestThatCannotBeJoinedDoesNotWaitBehindOneThatGathers() throws Exception {
        add(1);
        CompletableFuture<List<PoolRequest>> taken = taken();
        Thread.sleep(50);
        assertThat(taken).isNotDone();
        PoolRequest alone = add(Optional.empty());

        assertThat(end(taken)).containsExactly(alone);
    }

    @Test
    void aRequestWaitsForNoMoreOnceTheNextHasNoPlaceBesideIt() throws Exception {
        CompletableFuture<List<PoolRequest>> one = taken();
        CompletableFuture<List<PoolRequest>> other = taken();
        PoolRequest first = add(1);
        Thread.sleep(50);
        assertThat(one).isNotDone();
        PoolRequest large = add(4);

        assertThat(List.of(end(one), end(other))).containsExactlyInAnyOrder(List.of(first), List.of(large));
    }

    @Test
    void anotherFormGathersBesideTheFirst() throws Exception {
        Map<String, TensorType> wide = Map.of("x", TensorType.of(DType.FLOAT32, 1, 6));
        add(1);
        CompletableFuture<List<PoolRequest>> taken = taken();
        List<PoolRequest> all = List.of(
                add(Optional.of(new PoolBatching.Form(wide, 2))), add(Optional.of(new PoolBatching.Form(wide, 2))));

        assertThat(end(taken)).isEqualTo(all);
    }

    @Test
    void aRequestWaitsForOthersForHalfOfItsTimeAtMost() throws Exception {
        CompletableFuture<List<PoolRequest>> taken = taken();
        PoolRequest patient = add(1);
        Thread.sleep(50);
        PoolRequest hurried = add(Optional.of(new PoolBatching.Form(TYPES, 1)), Optional.of(Duration.ofSeconds(2)));

        assertThat(end(taken)).containsExactly(patient, hurried);
        assertThat(hurried.isDone()).isFalse();
    }

    @Test
    void theEndWakesThoseWhoGatherAndThoseWhoWait() throws Exception {
        CompletableFuture<List<PoolRequest>> one = taken();
        CompletableFuture<List<PoolRequest>> other = taken();
        PoolRequest only = add(1);
        Thread.sleep(50);
        queue.close();

        assertThat(List.of(end(one), end(other))).containsExactlyInAnyOrder(List.of(only), List.of());
    }
}
