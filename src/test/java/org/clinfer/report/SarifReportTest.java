package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The report as SARIF 2.1.0. */
class SarifReportTest {

    private static JsonNode log(List<CheckReport> reports) {
        ReportOptions options = ReportOptions.defaults().withFiles(report -> "models/a net.onnx");
        return new JsonMapper().readTree(ReportFormat.SARIF.write(reports, options));
    }

    /** What sections 3.13 to 3.52 require, of the objects that are written. */
    private static void assertSound(JsonNode log) {
        assertThat(log.at("/version").asString()).isEqualTo("2.1.0");
        assertThat(log.at("/$schema").asString()).endsWith("sarif-schema-2.1.0.json");
        for (JsonNode run : log.get("runs")) {
            JsonNode rules = run.at("/tool/driver/rules");
            assertThat(run.at("/tool/driver/name").asString()).isEqualTo("Clinfer");
            Set<String> ids = new HashSet<>();
            for (JsonNode rule : rules) {
                assertThat(ids.add(rule.get("id").asString()))
                        .as("ids are unique")
                        .isTrue();
                assertThat(rule.at("/shortDescription/text").isString()).isTrue();
            }
            Set<String> fingerprints = new HashSet<>();
            for (JsonNode result : run.get("results")) {
                assertThat(rules.get(result.get("ruleIndex").asInt()).get("id")).isEqualTo(result.get("ruleId"));
                assertThat(result.get("level").asString()).isIn("error", "warning", "note");
                assertThat(result.at("/message/text").asString()).isNotEmpty();
                JsonNode location = result.at("/locations/0");
                String uri =
                        location.at("/physicalLocation/artifactLocation/uri").asString();
                assertThat(URI.create(uri).toString()).isEqualTo(uri);
                assertThat(location.at("/physicalLocation/region/startLine").asInt())
                        .isEqualTo(1);
                assertThat(location.at("/logicalLocations/0/kind").asString()).isEqualTo("node");
                assertThat(fingerprints.add(result.get("partialFingerprints").toString()))
                        .as("results are told apart")
                        .isTrue();
            }
        }
    }

    @Test
    void eachVerdictHasItsLevel() {
        JsonNode log = log(Examples.twoDevices());
        assertSound(log);
        JsonNode results = log.at("/runs/0/results");
        assertThat(results)
                .extracting(result -> result.get("level").asString())
                .containsExactly("warning", "warning", "error", "error", "note", "error");
        assertThat(log.at("/runs/0/tool/driver/rules"))
                .extracting(rule -> rule.get("id").asString())
                .containsExactly("soc/conv2d/kernel", "soc/resize/scale", "cpu/Resize", "soc/relu/type", "Add/b");
        assertThat(log.at("/runs/0/tool/driver/rules/0/shortDescription/text").asString())
                .isEqualTo("the kernel does not fit");
        assertThat(log.at("/runs/1/automationDetails/id").asString()).isEqualTo("clinfer-check/net/soc2/");
    }

    @Test
    void aResultSaysWhereAndWhatWouldDo() {
        JsonNode result = log(Examples.twoDevices()).at("/runs/0/results/0");
        assertThat(result.at("/message/text").asString())
                .startsWith("conv2 (Conv2d) on Vendor SoC 1 (soc1): the kernel does not fit")
                .contains("limit 16 pixels, actual 17 pixels, off by 1; set by soc.ini:DPU:kernel_max")
                .endsWith("would pass with kernel_size[0] 17 -> 16, or DPU.kernel_max 16 -> 17");
        assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .isEqualTo("models/a%20net.onnx");
        assertThat(result.at("/locations/0/logicalLocations/0/fullyQualifiedName")
                        .asString())
                .isEqualTo("net/conv2");
        assertThat(result.at("/properties/limit").asString()).isEqualTo("16");
    }

    @Test
    void aNodeWithoutReasonsIsAResultToo() {
        JsonNode log = log(
                List.of(Examples.report("net", "cpu", "", List.of(Examples.node("relu", "Relu", Verdict.FALLS_BACK)))));
        assertSound(log);
        assertThat(log.at("/runs/0/results/0/ruleId").asString()).isEqualTo("clinfer/falls-back");
    }

    @Test
    void namesStayNames() {
        JsonNode log = log(Examples.hostile());
        assertSound(log);
        for (int i = 0; i < Examples.HOSTILE.size(); i++) {
            assertThat(log.at("/runs/0/results/" + i + "/locations/0/logicalLocations/0/name")
                            .asString())
                    .isEqualTo(Examples.HOSTILE.get(i));
        }
        assertThat(log.toString()).contains("{{{{data}}}}");
        assertThat(SarifReport.uri("/a b/ü{}.onnx")).isEqualTo("file:///a%20b/%C3%BC%7B%7D.onnx");
    }

    @Test
    void moreReportsThanCodeScanningTakesAreOneRun() {
        List<CheckReport> many = IntStream.range(0, 21)
                .mapToObj(i -> {
                    CheckReport one = Examples.twoDevices().get(0);
                    return Examples.report("net", one.device(), "soc" + i, one.nodes());
                })
                .toList();
        JsonNode few = log(many.subList(0, 20));
        assertThat(few.get("runs")).hasSize(20);
        JsonNode log = log(many);
        assertSound(log);
        assertThat(log.get("runs")).hasSize(1);
        assertThat(log.at("/runs/0/results"))
                .hasSize(21 * few.at("/runs/0/results").size());
        assertThat(log.at("/runs/0/results/0/properties/device").asString()).isNotEmpty();
    }
}
