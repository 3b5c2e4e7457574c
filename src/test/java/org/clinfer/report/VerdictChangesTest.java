package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.junit.jupiter.api.Test;

/** The nodes of a network that have another verdict on another device. */
class VerdictChangesTest {

    private static final NodeReport CONVOLUTION = Examples.node("c", "Conv2d", Verdict.ON_DEVICE);
    private static final CheckReport FUSED =
            Examples.report("a", "One", "one", List.of(CONVOLUTION, Examples.part("r", "Relu", "c")));

    private static CheckReport composed(Verdict first, Verdict second) {
        CheckReport parts = Examples.report(
                "a",
                "",
                first + "-" + second,
                List.of(Examples.node("m/0", "Exp", first), Examples.node("m/1", "Log", second)));
        CheckReport.Whole whole =
                new CheckReport.Whole("m", "Mish", parts.nodes().get(0).source(), List.of(), List.of());
        return new CheckReport(
                parts.model(),
                parts.device(),
                parts.profile(),
                parts.inputs(),
                parts.sized(),
                parts.nodes(),
                parts.summary(),
                Map.of("m/0", whole, "m/1", whole),
                parts.basis(),
                parts.cost(),
                List.of());
    }

    @Test
    void aNodeThatIsNowPartOfAnotherHadAVerdictOfItsOwn() {
        CheckReport apart =
                Examples.report("a", "Two", "two", List.of(CONVOLUTION, Examples.node("r", "Relu", Verdict.UNKNOWN)));
        List<String> lines = VerdictChanges.lines(apart, FUSED);
        assertThat(lines.get(0)).startsWith("one against two: 1 node has another verdict; on the device ");
        assertThat(lines.get(2)).matches("r +Relu +unknown +on-device *");
        assertThat(VerdictChanges.lines(FUSED, apart).get(2)).matches("r +Relu +on-device +unknown *");
    }

    @Test
    void aNodeOnTheDeviceEitherWayIsNoChange() {
        CheckReport apart = Examples.oneNodeOrTwo().get(1);
        assertThat(VerdictChanges.lines(apart, FUSED))
                .singleElement()
                .asString()
                .startsWith("one against two: no node has another verdict; ");
    }

    @Test
    void partsOfAComposedNodeAreComparedWhereTheyDiffer() {
        CheckReport one = composed(Verdict.ON_DEVICE, Verdict.ON_DEVICE);
        CheckReport two = composed(Verdict.ON_DEVICE, Verdict.FALLS_BACK);
        CheckReport none = composed(Verdict.FALLS_BACK, Verdict.FALLS_BACK);
        assertThat(VerdictChanges.lines(one, two))
                .hasSize(3)
                .last()
                .asString()
                .matches("m/1 +Log +on-device +falls-back *");
        assertThat(VerdictChanges.lines(two, one))
                .hasSize(3)
                .last()
                .asString()
                .matches("m/1 +Log +falls-back +on-device *");
        assertThat(VerdictChanges.lines(one, none))
                .hasSize(3)
                .last()
                .asString()
                .matches("m +Mish +on-device +falls-back *");
    }
}
