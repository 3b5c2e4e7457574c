package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.clinfer.errors.RefusedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines of requests that nobody runs. */
@Timeout(60)
class PoolDeadlinesTest {

    private final Set<PoolRequest> open = ConcurrentHashMap.newKeySet();
    private final PoolDeadlines deadlines = new PoolDeadlines(() -> open);

    @AfterEach
    void close() {
        deadlines.close();
    }

    private PoolRequest request(Duration deadline) {
        PoolRequest request = new PoolRequest(Map.of(), Optional.empty(), Optional.of(deadline));
        request.onEnd(failure -> open.remove(request));
        open.add(request);
        deadlines.watch(request);
        return request;
    }

    private static void assertLate(PoolRequest request) {
        assertThatThrownBy(() -> request.future().get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.LATE));
    }

    @Test
    void eachFailsAtItsOwnDeadlineInWhicheverOrderTheyCome() {
        PoolRequest never = request(Duration.ofDays(200_000));
        PoolRequest last = request(Duration.ofMillis(400));
        PoolRequest first = request(Duration.ofMillis(20));
        PoolRequest second = request(Duration.ofMillis(60));

        assertLate(first);
        assertLate(second);
        assertLate(last);
        assertThat(last.age()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(400));
        assertThat(never.isDone()).isFalse();
    }

    @Test
    void aRequestThatComesAfterTheTimerOfOthersHasOneToo() {
        PoolRequest answered = request(Duration.ofMillis(20));
        answered.fail(new IllegalStateException("answered before its deadline"));
        assertLate(request(Duration.ofMillis(40)));

        assertLate(request(Duration.ofMillis(20)));
    }
}
