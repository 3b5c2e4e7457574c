package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Other people's networks against the profiles: there is always an answer, and a reason wherever it is not yes. Of networks of one
 * operator, which are many, each meets a quarter of the profiles; {@code -Dcorpus.share=1} has all of them.
 */
@EnabledIf("isThere")
class CorpusCheckTest {

    private static final Logger LOG = LoggerFactory.getLogger(CorpusCheckTest.class);
    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));
    private static final List<String> MODELS = List.of(".onnx", ".param", "model.json");

    /** One of so many profiles is asked about each network of one operator. */
    private static final int SHARE = Integer.getInteger("corpus.share", 4);

    private static final Set<String> OF_ONE_OPERATOR = Set.of("onnx-pytorch", "opencv-onnx", "onnx-node");

    /** The profiles that a network is checked for; others of them for the next one. */
    private static List<DeviceProfile> chosen(List<DeviceProfile> profiles, String set, int network) {
        return OF_ONE_OPERATOR.contains(set)
                ? IntStream.iterate(network % SHARE, i -> i < profiles.size(), i -> i + SHARE)
                        .mapToObj(profiles::get)
                        .toList()
                : profiles;
    }

    static boolean isThere() {
        return Files.isDirectory(SETS);
    }

    private static List<Path> models(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> MODELS.stream()
                            .anyMatch(end -> String.valueOf(file.getFileName()).endsWith(end)))
                    .sorted()
                    .toList();
        }
    }

    /** Their input is declared to be a scalar, along whose axis 0 they sum. */
    private static final Set<String> SCALARS = Set.of("cumsum_1d_exclusive_1_reverse", "cumsum_1d_reverse");

    @ParameterizedTest
    @CsvSource({"models, 15", "onnx-simple, 3", "onnx-pytorch, 40", "opencv-onnx, 100", "onnx-node, 372", "light, 0"})
    void everyNetworkHasAnAnswerForEveryProfile(String set, int atLeast) throws IOException {
        CapabilityChecker checker = CapabilityChecker.builtIn();
        List<DeviceProfile> profiles = new ArrayList<>(ProfileCatalog.builtIn().profiles());
        Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
        int checked = 0;
        for (Path file : models(SETS.resolve(set))) {
            Graph graph;
            try {
                graph = checker.read(file);
            } catch (GraphException notImported) {
                continue;
            }
            checked++;
            if (SCALARS.contains(
                    String.valueOf(SETS.resolve(set).relativize(file).getName(0)))) {
                CheckReport report = checker.check(graph, Map.of(), profiles.subList(0, 1), Reading.DOCUMENT)
                        .get(0);
                assertThat(report.counts()).containsEntry(Verdict.INVALID, 1L);
                graph.constants().values().forEach(Tensor::close);
                continue;
            }
            List<DeviceProfile> asked = chosen(profiles, set, checked);
            for (CheckReport report : checker.check(graph, Map.of(), asked, Reading.DOCUMENT)) {
                report.counts().forEach((verdict, count) -> counts.merge(verdict, count, Long::sum));
                for (CheckReport.NodeReport node : report.nodes()) {
                    assertThat(node.verdict() == Verdict.ON_DEVICE
                                    || node.findings().stream()
                                            .anyMatch(finding ->
                                                    !finding.message().isBlank()))
                            .as("%s on %s: %s", file, report.profile(), node)
                            .isTrue();
                }
            }
            graph.constants().values().forEach(Tensor::close);
        }
        LOG.info("{}: {} networks, {} profiles, {}", set, checked, profiles.size(), counts);
        assertThat(checked).isGreaterThanOrEqualTo(atLeast);
        assertThat(counts.getOrDefault(Verdict.INVALID, 0L)).isZero();
    }
}
