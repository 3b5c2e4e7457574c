package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.networks.PublishedNetwork;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.profile.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Published outcomes of vendors' tools, beside which a check is shown: what the files say of the check is what it says. */
class PublishedOutcomesTest {

    @TempDir
    static Path folder;

    static Stream<PublishedOutcome> outcomes() {
        return ProfileCatalog.builtIn().families().stream()
                .flatMap(family -> PublishedOutcome.of(family.family()).stream());
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aCheckSaysWhatTheFileSays(PublishedOutcome outcome) {
        CheckReport report = check(outcome);
        assertThat(new PublishedOutcome.Counts(
                        report.summary().nodes(),
                        report.summary().nodesOnDevice(),
                        report.counts().getOrDefault(Verdict.UNKNOWN, 0L),
                        report.summary().partitions()))
                .isEqualTo(outcome.ours());
    }

    private static CheckReport check(PublishedOutcome outcome) {
        CapabilityChecker plain = CapabilityChecker.builtIn();
        CapabilityChecker checker =
                outcome.float32As().map(plain::withFloat32As).orElse(plain);
        Graph graph = checker.read(PublishedNetwork.write(outcome.network(), folder));
        try {
            return checker.check(graph, Map.of(), ProfileCatalog.builtIn().find(outcome.profile()), Reading.DOCUMENT);
        } finally {
            graph.closeConstants();
        }
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aDifferenceIsExplained(PublishedOutcome outcome) {
        assertThat(outcome.difference().isPresent()).as(outcome.toString()).isNotEqualTo(outcome.agrees());
    }

    /** Families of a vendor's tool, which those for devices with no tool of their own are not. */
    @Test
    void aFamilyHasAnOutcomeOrSaysWhereOneWasLookedFor() {
        List<String> without = List.of("generic", "gpu", "opencl");
        assertThat(ProfileCatalog.builtIn().families())
                .extracting(RuleSet::family)
                .filteredOn(family -> !without.contains(family))
                .allSatisfy(family -> assertThat(PublishedOutcome.of(family).isEmpty())
                        .isEqualTo(PublishedOutcome.searched(family).isPresent()));
    }

    @Test
    void everyFileIsOfAFamily() throws IOException {
        List<String> families = ProfileCatalog.builtIn().families().stream()
                .map(RuleSet::family)
                .toList();
        try (Stream<Path> files = Files.list(PublishedOutcome.FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".json"))
                            .map(name -> name.replace(".json", ""))
                            .filter(name -> !name.equals(PublishedOutcome.NONE)))
                    .isNotEmpty()
                    .isSubsetOf(families);
        }
    }
}
