package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Reports speak of composed nodes as the network has them, unless their parts have different verdicts. */
final class WholeReportsTest {

    private static final CapabilityChecker CHECKER = CapabilityChecker.builtIn();

    private static Graph network() {
        return new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 4, 8, 8))
                .node("GroupNorm", List.of("x"), List.of("n"), Map.of("num_groups", Attribute.of(2)))
                .node("Mish", List.of("n"), List.of("m"), Map.of())
                .node("Relu", List.of("m"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private static CheckReport parts(String profile) {
        return CHECKER.check(network(), Map.of(), ProfileCatalog.builtIn().find(profile), Reading.DOCUMENT);
    }

    @Test
    void aWholeStandsForPartsOfOneVerdict() {
        CheckReport parts = parts("ascend310");
        CheckReport wholes = parts.ofWholes();
        assertThat(parts.nodes()).extracting(NodeReport::op).contains("Softplus", "Tanh", "Mul", "InstanceNorm");
        assertThat(wholes.nodes())
                .extracting(NodeReport::node, NodeReport::op)
                .contains(tuple("mish_1", "Mish"), tuple("relu_2", "Relu"))
                .doesNotContain(tuple("mish_1/tanh", "Tanh"));
        NodeReport mish = wholes.nodes().stream()
                .filter(node -> node.op().equals("Mish"))
                .findFirst()
                .orElseThrow();
        assertThat(mish.verdict()).isEqualTo(Verdict.ON_DEVICE);
        assertThat(mish.inputs()).extracting(CheckReport.Value::name).containsExactly("n");
        assertThat(mish.outputs()).extracting(CheckReport.Value::toString).containsExactly("m: 1x4x8x8:float32");
    }

    @Test
    void partsOfDifferentVerdictsStay() {
        CheckReport wholes = parts("ascend310").ofWholes();
        assertThat(wholes.nodes())
                .extracting(NodeReport::op)
                .contains("InstanceNorm", "Reshape")
                .doesNotContain("GroupNorm");
        assertThat(wholes.nodes().stream()
                        .filter(node -> node.op().equals("InstanceNorm"))
                        .map(NodeReport::verdict))
                .containsExactly(Verdict.UNKNOWN);
    }

    @Test
    void aWholeCountsAsOneNode() {
        CheckReport parts = parts("ascend310");
        CheckReport wholes = parts.ofWholes();
        assertThat(parts.summary().nodes() - wholes.summary().nodes()).isEqualTo(2);
        assertThat(wholes.summary().partitions()).isEqualTo(parts.summary().partitions());
        assertThat(wholes.summary().peakActivationBytes())
                .isEqualTo(parts.summary().peakActivationBytes());
    }
}
