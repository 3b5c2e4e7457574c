package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The restrictions of CANN's Deconvolution against two SoCs. */
class AscendDeconvolutionTest {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    /** A square Deconvolution of float16 with 16 channels. */
    private static CheckedNode square(long in, long kernel, long stride, long pad, long dilation) {
        return deconvolution(
                new long[] {1, 16, in, in},
                new long[] {16, 16, kernel, kernel},
                Map.of(
                        "stride", Attribute.ofInts(stride),
                        "pad", Attribute.ofInts(pad),
                        "dilation", Attribute.ofInts(dilation)));
    }

    private static CheckedNode deconvolution(long[] x, long[] filter, Map<String, Attribute> params) {
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", DType.FLOAT16, x)
                .input("filter", DType.FLOAT16, filter)
                .node("Deconvolution", List.of("x", "filter"), List.of("y"), params)
                .output("y")
                .build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, types, Map.of(), new HashMap<>()), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        return checked.nodes().get(0);
    }

    private static List<Finding> judge(String profile, Reading reading, CheckedNode node) {
        return new ProfileJudge(PROFILES.find(profile), PROFILES.vocabulary(), reading).judge(node);
    }

    private static Finding l1(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.rule().endsWith("/l1-size"))
                .findFirst()
                .orElseThrow();
    }

    /** The worked values: bytes of both tiles in the two readings, for a limit that nothing meets. */
    @ParameterizedTest
    @CsvSource({
        "4, 4, 2, 1, 1, 9472, 9472",
        "7, 4, 2, 1, 1, 10880, 10880",
        "28, 2, 2, 0, 1, 7424, 7424",
        "56, 4, 2, 1, 1, 26112, 26112",
        "55, 11, 4, 0, 1, 146432, 146432",
        "70, 16, 8, 4, 1, 435712, 435712",
        "128, 16, 8, 4, 1, 688128, 688128",
        "127, 33, 1, 16, 1, 695744, 695744",
        "128, 32, 16, 8, 1, 2686976, 2686976",
        "64, 64, 32, 16, 1, 6356992, 6356992",
        "13, 3, 1, 1, 2, 6688, 15712",
        "32, 3, 1, 4, 4, 8704, 51712"
    })
    void bytesInL1(long in, long kernel, long stride, long pad, long dilation, String document, String code) {
        CheckedNode node = square(in, kernel, stride, pad, dilation);
        for (String soc : List.of("ascend310", "ascend910b1")) {
            long l1 = soc.equals("ascend310") ? 1048576 : 524288;
            for (Reading reading : Reading.values()) {
                long bytes = Long.parseLong(reading == Reading.DOCUMENT ? document : code);
                List<Finding> findings = judge(soc, reading, node);
                if (bytes <= l1) {
                    assertThat(findings).noneMatch(finding -> finding.rule().endsWith("/l1-size"));
                    continue;
                }
                Finding.BrokenRule broken = l1(findings).broken().orElseThrow();
                assertThat(broken.actual()).isEqualTo(Long.toString(bytes));
                assertThat(broken.limit()).isEqualTo(Long.toString(l1));
                assertThat(broken.margin()).isEqualTo(Long.toString(bytes - l1));
                assertThat(broken.unit()).isEqualTo("bytes");
                assertThat(broken.places()).containsExactly(soc + ".ini:AICoreSpec:l1_size");
            }
        }
    }

    @Test
    void allBrokenRulesAtOnce() {
        assertThat(judge("ascend310", Reading.DOCUMENT, square(64, 64, 32, 16, 1)))
                .extracting(Finding::rule)
                .containsExactly("ascend/transposed-conv2d/stride-product", "ascend/transposed-conv2d/l1-size");
    }

    @Test
    void thePaddingIsHeldAgainstTheKernelOrTheDilatedOne() {
        CheckedNode node = square(32, 3, 1, 4, 4);
        assertThat(judge("ascend310", Reading.DOCUMENT, node))
                .extracting(Finding::rule)
                .containsExactly("ascend/transposed-conv2d/padding");
        assertThat(judge("ascend310", Reading.CODE, node)).isEmpty();
    }
}
