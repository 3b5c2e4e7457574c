package org.clinfer.plan.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class MinimumCutTest {

    private record Edge(int from, int to, long price) {}

    @Test
    void isTheCheapestOfAll() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            int nodes = 3 + random.nextInt(9);
            List<Edge> edges = new ArrayList<>();
            MinimumCut cut = new MinimumCut();
            for (int i = 2; i < nodes; i++) {
                assertThat(cut.node()).isEqualTo(i);
            }
            for (int i = random.nextInt(5 * nodes); i >= 0; i--) {
                Edge edge = new Edge(random.nextInt(nodes), random.nextInt(nodes), random.nextInt(20));
                edges.add(edge);
                cut.edge(edge.from(), edge.to(), edge.price());
            }
            long cheapest = Long.MAX_VALUE;
            for (int side = 0; side < 1 << (nodes - 2); side++) {
                int chosen = side << 2 | 1;
                cheapest = Math.min(cheapest, price(edges, node -> (chosen >> node & 1) == 1));
            }
            boolean[] side = cut.sourceSide();
            assertThat(side[MinimumCut.SOURCE]).isTrue();
            assertThat(side[MinimumCut.SINK]).isFalse();
            assertThat(price(edges, node -> side[node])).isEqualTo(cheapest);
        }
    }

    private static long price(List<Edge> edges, IntPredicate isOnSource) {
        return edges.stream()
                .filter(edge -> isOnSource.test(edge.from()) && !isOnSource.test(edge.to()))
                .mapToLong(Edge::price)
                .sum();
    }

    @Test
    void whatIsNeverPaidStaysTogether() {
        MinimumCut cut = new MinimumCut();
        int a = cut.node();
        int b = cut.node();
        cut.edge(MinimumCut.SOURCE, a, 10);
        cut.edge(a, b, MinimumCut.NEVER);
        cut.edge(b, MinimumCut.SINK, 3);

        boolean[] side = cut.sourceSide();

        assertThat(side[a]).isTrue();
        assertThat(side[b]).isTrue();
    }

    @Test
    void longChainsNeedNoStack() {
        MinimumCut cut = new MinimumCut();
        int last = MinimumCut.SOURCE;
        for (int i = 0; i < 20_000; i++) {
            int node = cut.node();
            cut.edge(last, node, 5 + i % 3);
            last = node;
        }
        cut.edge(last, MinimumCut.SINK, 4);

        assertThat(cut.sourceSide()[last]).isTrue();
    }
}
