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
import org.clinfer.check.Verdict;
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

    /** A share of what is known says so; that of nodes stands in no row of multiply-adds. */
    @Test
    void theShareOfMultiplyAddsSaysWhereSomeAreNotKnown() {
        CheckReport.NodeReport known = Examples.node("conv", "Conv2d", Verdict.ON_DEVICE);
        CheckReport.NodeReport open = new CheckReport.NodeReport(
                "open",
                "Conv2d",
                known.source(),
                Verdict.UNKNOWN,
                "",
                List.of(),
                known.inputs(),
                known.outputs(),
                new CheckReport.Work(OptionalLong.empty(), 0));
        CheckReport all = report("all", 10, 1000, 0);
        CheckReport none = report("net", "none", 5, OptionalLong.of(0), OptionalDouble.empty());
        assertThat(shares(all, List.of(known))).containsExactly("100 %");
        assertThat(shares(all, List.of(known, open))).containsExactly("100 % ?");
        assertThat(Standing.of(Subject.of(List.of(withoutProducts(none)), ReportOptions.defaults())))
                .extracting(Standing::shareText)
                .containsExactly("");
    }

    private static List<String> shares(CheckReport report, List<CheckReport.NodeReport> nodes) {
        return Standing.of(Subject.of(List.of(with(report, nodes, report.summary())), ReportOptions.defaults()))
                .stream()
                .map(Standing::shareText)
                .toList();
    }

    private static CheckReport withoutProducts(CheckReport report) {
        return with(
                report,
                List.of(),
                new Summary(
                        5,
                        10,
                        OptionalLong.of(0),
                        OptionalLong.of(0),
                        1,
                        OptionalLong.of(0),
                        0,
                        OptionalLong.of(0),
                        OptionalLong.empty()));
    }

    private static CheckReport with(CheckReport report, List<CheckReport.NodeReport> nodes, Summary summary) {
        return new CheckReport(report.model(), report.device(), report.profile(), Map.of(), nodes, summary);
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
