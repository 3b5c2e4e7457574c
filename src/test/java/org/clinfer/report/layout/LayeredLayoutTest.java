package org.clinfer.report.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.report.layout.Drawing.Box;
import org.clinfer.report.layout.Drawing.Point;
import org.clinfer.report.layout.Drawing.Route;
import org.clinfer.report.layout.LayeredLayout.Edge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs drawn in layers. */
class LayeredLayoutTest {

    private static List<Integer> widths(int count) {
        return Collections.nCopies(count, 120);
    }

    private static List<Edge> edges(int... pairs) {
        return IntStream.range(0, pairs.length / 2)
                .mapToObj(i -> new Edge(pairs[2 * i], pairs[2 * i + 1]))
                .toList();
    }

    /** Widths of nodes, and their edges. */
    private record Example(List<Integer> widths, List<Edge> edges) {

        /** Like a network: mostly chains, branches that join again, and values that are read much further down. */
        static Example of(int nodes, Random random) {
            List<Integer> widths = new ArrayList<>();
            List<Edge> edges = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                widths.add(random.nextInt(60, 240));
                if (node > 0 && random.nextInt(20) > 0) {
                    edges.add(new Edge(Math.max(0, node - 1 - random.nextInt(3)), node));
                }
                if (node > 0 && random.nextInt(4) == 0) {
                    edges.add(new Edge(random.nextInt(Math.max(0, node - 60), node), node));
                }
                if (node > 0 && random.nextInt(50) == 0) {
                    edges.add(new Edge(random.nextInt(node), node));
                }
            }
            return new Example(widths, edges);
        }

        Drawing drawing() {
            return LayeredLayout.of(widths, edges);
        }
    }

    private static void assertSound(Example example, Drawing drawing) {
        assertThat(drawing.boxes()).hasSameSizeAs(example.widths());
        assertNothingOverlaps(drawing);
        Set<Edge> drawn = new HashSet<>();
        for (Route route : drawing.routes()) {
            drawn.add(new Edge(route.from(), route.to()));
            assertGoesDown(drawing, route);
        }
        assertThat(drawn).isEqualTo(new HashSet<>(example.edges()));
        for (Box box : drawing.boxes()) {
            assertThat(box.x()).isNotNegative();
            assertThat(box.x() + box.width()).isLessThanOrEqualTo(drawing.width());
            assertThat(box.y() + box.height()).isLessThanOrEqualTo(drawing.height());
        }
    }

    private static void assertNothingOverlaps(Drawing drawing) {
        Map<Integer, List<Box>> rows = new HashMap<>();
        drawing.boxes()
                .forEach(box ->
                        rows.computeIfAbsent(box.y(), y -> new ArrayList<>()).add(box));
        List<Integer> tops = rows.keySet().stream().sorted().toList();
        for (int i = 1; i < tops.size(); i++) {
            assertThat(tops.get(i) - tops.get(i - 1)).isGreaterThan(LayeredLayout.NODE_HEIGHT);
        }
        for (List<Box> row : rows.values()) {
            row.sort(java.util.Comparator.comparingInt(Box::x));
            for (int i = 1; i < row.size(); i++) {
                assertThat(row.get(i).x())
                        .isGreaterThan(row.get(i - 1).x() + row.get(i - 1).width());
            }
        }
    }

    private static void assertGoesDown(Drawing drawing, Route route) {
        List<Point> points = route.points();
        Box to = drawing.boxes().get(route.to());
        assertThat(points.get(points.size() - 1)).isEqualTo(new Point(to.x() + to.width() / 2, to.y()));
        assertThat(points.get(0).y())
                .isGreaterThanOrEqualTo(drawing.boxes().get(route.from()).y() + LayeredLayout.NODE_HEIGHT);
        for (int i = 1; i < points.size(); i++) {
            Point above = points.get(i - 1);
            Point below = points.get(i);
            assertThat(below.y()).isGreaterThan(above.y());
            assertThat(drawing.boxes())
                    .noneMatch(box -> below.y() > box.y()
                            && above.y() < box.y() + box.height()
                            && above.x() == below.x()
                            && above.x() > box.x()
                            && above.x() < box.x() + box.width());
        }
    }

    @Test
    void nothingIsSmall() {
        Drawing drawing = LayeredLayout.of(List.of(), List.of());
        assertThat(drawing.boxes()).isEmpty();
        assertThat(drawing.routes()).isEmpty();
    }

    @Test
    void aChainIsALine() {
        Drawing drawing = LayeredLayout.of(List.of(80, 200, 120), edges(0, 1, 1, 2));
        assertThat(drawing.boxes()).extracting(box -> box.x() + box.width() / 2).containsOnly(24 + 100);
        assertThat(drawing.boxes()).extracting(Box::y).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aShortcutPassesBesideWhatItSkips() {
        Example example = new Example(widths(5), edges(0, 1, 1, 2, 2, 3, 0, 3, 3, 4));
        Drawing drawing = example.drawing();
        assertSound(example, drawing);
        Route shortcut = drawing.routes().stream()
                .filter(route -> route.from() == 0 && route.to() == 3)
                .findFirst()
                .orElseThrow();
        Box skipped = drawing.boxes().get(2);
        assertThat(shortcut.points())
                .filteredOn(point -> point.y() >= skipped.y() && point.y() <= skipped.y() + skipped.height())
                .isNotEmpty()
                .noneMatch(point -> point.x() > skipped.x() && point.x() < skipped.x() + skipped.width());
    }

    @Test
    void whatIsReadLateStandsLate() {
        Drawing drawing = LayeredLayout.of(widths(5), edges(1, 2, 2, 3, 3, 4, 0, 4));
        assertThat(drawing.boxes().get(0).y()).isEqualTo(drawing.boxes().get(3).y());
    }

    @Test
    void crossingsThatNeedNotBeAreNot() {
        // Two layers of 8, each node of the second below that of the first with the opposite place.
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            edges.add(new Edge(i, 15 - i));
        }
        Layers layers = Layers.of(widths(16), edges);
        assertThat(Crossings.count(layers)).isEqualTo(28);
        Crossings.reduce(layers);
        assertThat(Crossings.count(layers)).isZero();
    }

    @Test
    void crossingsAreCounted() {
        Layers layers = Layers.of(widths(6), edges(0, 3, 0, 4, 0, 5, 1, 3, 1, 4, 2, 3, 2, 5));
        long expected = 0;
        int[][] sorted = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 2}};
        for (int[] one : sorted) {
            expected += Arrays.stream(sorted)
                    .filter(other -> one[0] < other[0] && one[1] > other[1])
                    .count();
        }
        assertThat(Crossings.count(layers)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 40, 150, 400})
    void everyGraphIsSound(int nodes) {
        Random random = new Random(nodes);
        for (int i = 0; i < 10; i++) {
            Example example = Example.of(nodes, random);
            Drawing drawing = example.drawing();
            assertSound(example, drawing);
            assertThat(example.drawing()).as("the same every time").isEqualTo(drawing);
        }
    }

    @Test
    void aThousandNodesTakeLessThanASecondOfTheProcessor() {
        List<Duration> times = new ArrayList<>();
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 5; i++) {
            Example example = Example.of(1000, new Random(i));
            long start = thread.getCurrentThreadCpuTime();
            Drawing drawing = example.drawing();
            times.add(Duration.ofNanos(thread.getCurrentThreadCpuTime() - start));
            assertNothingOverlaps(drawing);
        }
        assertThat(Collections.min(times)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void oneValueReadEverywhereSharesItsWay() {
        int nodes = 1000;
        List<Edge> edges = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            edges.add(new Edge(node - 1, node));
            edges.add(new Edge(0, node));
        }
        Drawing drawing = LayeredLayout.of(widths(nodes), edges);
        assertThat(drawing.routes().stream()
                        .mapToInt(route -> route.points().size())
                        .sum())
                .isLessThan(10 * nodes);
    }

    @Test
    void whatGoesBackIsLeftOut() {
        Drawing drawing = LayeredLayout.of(widths(3), edges(0, 1, 1, 0, 2, 2, 0, 1));
        assertThat(drawing.routes()).hasSize(1);
    }
}
