package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.clinfer.plan.ArenaPlan.Region;
import org.clinfer.plan.ArenaPlanner.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values have whole allocations, which they share one after the other. */
class SharedAllocationsTest {

    private static ArenaPlan plan(List<Request> requests) {
        return new SharedAllocations(64, 1000).plan(requests);
    }

    private static List<Request> chain(long... bytes) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            requests.add(new Request("v" + i, bytes[i], i, i + 1));
        }
        return requests;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void valuesOfOneTimeHaveAllocationsOfTheirOwn(int seed) {
        Random random = new Random(seed);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int first = random.nextInt(50);
            requests.add(new Request("v" + i, 1 + random.nextInt(1000), first, first + random.nextInt(9)));
        }
        ArenaPlan plan = plan(requests);
        assertThat(plan.regions()).hasSize(requests.size());
        for (Request one : requests) {
            Region region = Objects.requireNonNull(plan.regions().get(one.value()));
            assertThat(region.offset()).isZero();
            assertThat(region.bytes()).isEqualTo(one.bytes());
            assertThat(plan.chunkBytes().get(region.chunk())).isBetween(one.bytes(), 1000L);
            for (Request other : requests) {
                assertThat(!one.equals(other)
                                && one.overlaps(other)
                                && Objects.requireNonNull(plan.regions().get(other.value()))
                                                .chunk()
                                        == region.chunk())
                        .as(one + " and " + other + " in " + region)
                        .isFalse();
            }
        }
        int mostAtOnce = 0;
        for (int step = 0; step < 60; step++) {
            int now = step;
            mostAtOnce = Math.max(mostAtOnce, (int) requests.stream()
                    .filter(request -> request.first() <= now && now <= request.last())
                    .count());
        }
        assertThat(plan.chunkBytes()).hasSizeBetween(mostAtOnce, 2 * mostAtOnce);
    }

    @Test
    void aChainNeedsItsTwoLargestNeighboursOnly() {
        assertThat(plan(chain(50, 50, 50, 50, 50)).chunkBytes()).containsExactly(50L, 50L);
        assertThat(plan(chain(10, 40, 90, 70, 30, 5)).chunkBytes()).containsExactly(90L, 70L);
        assertThat(plan(chain(90)).chunkBytes()).containsExactly(90L);
        assertThat(plan(List.of()).chunkBytes()).isEmpty();
    }

    @Test
    void aValueTakesTheSmallestAllocationThatIsFree() {
        List<Request> requests = List.of(
                new Request("large", 900, 0, 1), new Request("small", 100, 0, 1), new Request("later", 80, 2, 3));
        ArenaPlan plan = plan(requests);
        assertThat(plan.regions().get("later")).isEqualTo(new Region(1, 0, 80));
    }

    @Test
    void tooLargeAValueIsRefused() {
        assertThatThrownBy(() -> plan(chain(1001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value 'v0' needs 1001 bytes, but one allocation has at most 1000");
    }

    @Test
    void manyValuesArePlacedInParts() {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            requests.add(new Request("v" + i, 10, 0, 1));
        }
        assertThat(plan(requests).chunkBytes()).hasSizeLessThan(1000);
    }
}
