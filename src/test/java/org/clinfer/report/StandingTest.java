package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.Summary;
import org.clinfer.check.NetworkCost;
import org.junit.jupiter.api.Test;

/** The device that fits best comes first. */
class StandingTest {

    /** @param millis empty where there is no estimate */
    private static CheckReport report(
            String model, String profile, long nodes, OptionalLong products, OptionalDouble millis) {
        Optional<NetworkCost.Total> total = millis.isEmpty()
                ? Optional.empty()
                : Optional.of(new NetworkCost.Total(millis, millis, millis, millis, millis, 0, "", Optional.empty()));
        return new CheckReport(
                model,
                profile,
                profile,
                Map.of(),
                List.of(),
                new Summary(
                        nodes,
                        10,
                        products,
                        products.isPresent() ? OptionalLong.of(1000) : products,
                        1,
                        OptionalLong.of(0),
                        0,
                        OptionalLong.of(0),
                        OptionalLong.empty()),
                Map.of(),
                Optional.empty(),
                new NetworkCost(Map.of(), List.of(), total),
                List.of());
    }

    private static CheckReport report(String profile, long nodes, long products, double millis) {
        OptionalDouble time = millis > 0 ? OptionalDouble.of(millis) : OptionalDouble.empty();
        return report("net", profile, nodes, OptionalLong.of(products), time);
    }

    private static List<String> order(CheckReport... reports) {
        return Standing.of(Subject.of(List.of(reports), ReportOptions.defaults())).stream()
                .map(Standing::column)
                .toList();
    }

    @Test
    void wholeNetworksThenShareThenTimeThenNodesThenName() {
        assertThat(order(
                        report("fast part", 9, 1000, 1),
                        report("less", 9, 999, 0.1),
                        report("b", 10, 1000, 0),
                        report("a", 10, 1000, 0),
                        report("slow", 10, 1000, 20),
                        report("quick", 10, 1000, 3),
                        report("more nodes", 8, 1000, 0),
                        report("fewer nodes", 7, 1000, 0),
                        report("net", "open", 9, OptionalLong.empty(), OptionalDouble.of(0.01))))
                .containsExactly("quick", "slow", "a", "b", "fast part", "more nodes", "fewer nodes", "less", "open");
    }

    @Test
    void severalModelsCountTogether() {
        List<CheckReport> reports = Stream.of("one", "other")
                .flatMap(model -> Stream.of(
                        report(model, "half", model.equals("one") ? 10 : 5, OptionalLong.of(500), OptionalDouble.of(1)),
                        report(model, "all", 10, OptionalLong.of(1000), OptionalDouble.of(9))))
                .toList();
        List<Standing> standings = Standing.of(Subject.of(reports, ReportOptions.defaults()));
        assertThat(standings).extracting(Standing::column).containsExactly("all", "half");
        assertThat(standings).extracting(Standing::shareText).containsExactly("100 %", "50 %");
        assertThat(standings).extracting(Standing::timeText).containsExactly("18.0 ms", "2.00 ms");
    }
}
