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
import org.junit.jupiter.params.provider.CsvSource;

/** Memory of values with lifetimes. */
class ArenaPlannerTest {

    /** Values of which each lives until the next one is made. */
    private static List<Request> chain(long... bytes) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            requests.add(new Request("v" + i, bytes[i], i, i + 1));
        }
        return requests;
    }

    private static Region region(ArenaPlan plan, Request request) {
        return Objects.requireNonNull(plan.regions().get(request.value()));
    }

    private static boolean sharesBytes(Region a, Region b) {
        return a.chunk() == b.chunk() && a.offset() < b.offset() + b.bytes() && b.offset() < a.offset() + a.bytes();
    }

    private static boolean liveTogether(Request a, Request b) {
        return Math.max(a.first(), b.first()) <= Math.min(a.last(), b.last());
    }

    private static void verify(List<Request> requests, ArenaPlan plan, long alignment, long chunkLimit) {
        assertThat(plan.regions()).hasSize(requests.size());
        for (Request request : requests) {
            Region region = region(plan, request);
            assertThat(region.bytes()).isEqualTo(request.bytes());
            assertThat(region.offset() % alignment).isZero();
            assertThat(region.offset() + region.bytes())
                    .isLessThanOrEqualTo(plan.chunkBytes().get(region.chunk()));
            for (Request other : requests) {
                if (!other.equals(request)
                        && liveTogether(request, other)
                        && sharesBytes(region, region(plan, other))) {
                    throw new AssertionError(request + " and " + other + " share bytes: " + plan);
                }
            }
        }
        assertThat(plan.chunkBytes()).allMatch(bytes -> bytes <= chunkLimit);
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000", "64, 1000000", "64, 4096", "128, 1000", "4096, 5000"})
    void randomRequestsNeverMeet(long alignment, long chunkLimit) {
        Random random = new Random(alignment + chunkLimit);
        for (int round = 0; round < 40; round++) {
            List<Request> requests = new ArrayList<>();
            long sum = 0;
            for (int i = 0; i < 40; i++) {
                long bytes = 1L + random.nextInt(random.nextBoolean() ? 1000 : 30);
                int first = random.nextInt(30);
                requests.add(new Request("v" + i, bytes, first, first + random.nextInt(8)));
                sum += (bytes + alignment - 1) / alignment * alignment;
            }
            ArenaPlan plan = new ArenaPlanner(alignment, chunkLimit).plan(requests);
            verify(requests, plan, alignment, chunkLimit);
            assertThat(plan.totalBytes()).isLessThanOrEqualTo(sum);
        }
    }

    @Test
    void aChainNeedsItsTwoLargestNeighboursOnly() {
        ArenaPlanner planner = new ArenaPlanner(1, 1000);
        assertThat(planner.plan(chain(50, 50, 50, 50, 50)).totalBytes()).isEqualTo(100);
        assertThat(planner.plan(chain(10, 40, 90, 70, 30, 5)).totalBytes()).isEqualTo(160);
        assertThat(planner.plan(chain(90, 10, 90, 10, 90)).totalBytes()).isEqualTo(100);
        assertThat(planner.plan(chain(90)).totalBytes()).isEqualTo(90);
        assertThat(planner.plan(List.of()).totalBytes()).isZero();
    }

    @Test
    void valuesThatTouchInOneStepLiveTogether() {
        ArenaPlan plan = new ArenaPlanner(1, 1000)
                .plan(List.of(new Request("a", 8, 0, 3), new Request("b", 8, 3, 4), new Request("c", 8, 4, 5)));
        assertThat(plan.regions().get("a")).isNotEqualTo(plan.regions().get("b"));
        assertThat(plan.regions().get("a")).isEqualTo(plan.regions().get("c"));
        assertThat(plan.totalBytes()).isEqualTo(16);
    }

    @Test
    void fillsAGapThatIsJustLargeEnough() {
        List<Request> requests =
                List.of(new Request("below", 100, 0, 9), new Request("gap", 60, 0, 1), new Request("above", 90, 0, 9));
        List<Request> later = new ArrayList<>(requests);
        later.add(new Request("fits", 55, 2, 9));
        ArenaPlan plan = new ArenaPlanner(1, 1000).plan(later);
        assertThat(plan.totalBytes()).isEqualTo(250);
        assertThat(plan.regions().get("fits")).isEqualTo(new Region(0, 190, 55));
    }

    @Test
    void opensAChunkWhereOneIsFull() {
        List<Request> together =
                List.of(new Request("a", 60, 0, 1), new Request("b", 60, 0, 1), new Request("c", 40, 0, 1));
        ArenaPlan plan = new ArenaPlanner(1, 100).plan(together);
        verify(together, plan, 1, 100);
        assertThat(plan.chunkBytes()).containsExactly(100L, 60L);
    }

    @Test
    void refusesAValueLargerThanAChunk() {
        assertThatThrownBy(() -> new ArenaPlanner(64, 100).plan(chain(101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value 'v0' needs 101 bytes, but one allocation has at most 100");
        assertThat(new ArenaPlanner(64, 100).plan(chain(100)).chunkBytes()).containsExactly(100L);
    }
}
