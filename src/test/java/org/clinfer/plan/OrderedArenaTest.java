package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of values that live at the same time does not overlap, and is given back for those that come later. */
class OrderedArenaTest {

    private static final long ALIGNMENT = 64;

    private static List<ArenaPlanner.Request> random(int seed, int count) {
        Random random = new Random(seed);
        List<ArenaPlanner.Request> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int first = random.nextInt(50);
            requests.add(new ArenaPlanner.Request("v" + i, 1 + random.nextInt(700), first, first + random.nextInt(9)));
        }
        return requests;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void valuesOfOneTimeDoNotOverlap(int seed) {
        List<ArenaPlanner.Request> requests = random(seed, 200);
        long limit = seed % 2 == 0 ? 1000 : 1 << 20;
        ArenaPlan plan = new OrderedArena(ALIGNMENT, limit).plan(requests);
        assertThat(plan.regions()).hasSize(requests.size());
        for (ArenaPlanner.Request one : requests) {
            ArenaPlan.Region a = plan.regions().get(one.value());
            assertThat(a.bytes()).isEqualTo(one.bytes());
            assertThat(a.offset() % ALIGNMENT).isZero();
            assertThat(a.offset() + a.bytes())
                    .isLessThanOrEqualTo(plan.chunkBytes().get(a.chunk()));
            assertThat(plan.chunkBytes().get(a.chunk())).isLessThanOrEqualTo(limit);
            for (ArenaPlanner.Request other : requests) {
                ArenaPlan.Region b = plan.regions().get(other.value());
                boolean apart = a.chunk() != b.chunk()
                        || a.offset() + a.bytes() <= b.offset()
                        || b.offset() + b.bytes() <= a.offset();
                assertThat(one == other || !one.overlaps(other) || apart)
                        .as(one + " " + a + ", " + other + " " + b)
                        .isTrue();
            }
        }
    }

    @Test
    void aChainNeedsTwoOfItsValues() {
        List<ArenaPlanner.Request> chain = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            chain.add(new ArenaPlanner.Request("v" + i, 1000, i, i + 1));
        }
        assertThat(new ArenaPlanner(ALIGNMENT, 1 << 20).plan(chain).totalBytes())
                .isEqualTo(2 * 1024);
    }

    @Test
    void manyValuesAtOnceTakeTheSpaceOfAll() {
        List<ArenaPlanner.Request> all = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            all.add(new ArenaPlanner.Request("v" + i, 64, i, 50_000));
        }
        assertThat(new ArenaPlanner(ALIGNMENT, 1 << 30).plan(all).totalBytes()).isEqualTo(64L * 50_000);
    }
}
