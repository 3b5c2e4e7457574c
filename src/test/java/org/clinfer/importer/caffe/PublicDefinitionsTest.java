package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public definitions without weights, where they stand beside the checkout: each is a graph, or what it lacks is named. */
class PublicDefinitionsTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    /**
     * Files that Caffe refuses, too: one takes a blob that nobody gives, two enlarge pictures by another rule than Caffe's and
     * add what does not fit.
     */
    private static final Set<String> WRONG = Set.of(
            "netscope__fcn-16s.prototxt",
            "open_model_zoo__intel_road-segmentation-adas-0001_road-segmentation-adas-0001.prototxt",
            "open_model_zoo__intel_semantic-segmentation-adas-0001_semantic-segmentation-adas-0001.prototxt");

    @ParameterizedTest
    @CsvSource({"caffe-prototxt, 127, 123", "darknet-cfg, 20, 20"})
    void everyFileIsAGraphOrNamesWhatIsMissing(String set, int files, int least) throws IOException {
        Path folder = SETS.resolve(set);
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> folder + " is not there");
        int read = 0;
        int unsupported = 0;
        Set<String> wrong = new TreeSet<>();
        List<Path> all;
        try (Stream<Path> entries = Files.list(folder)) {
            all = entries.filter(file -> !file.toString().endsWith(".tsv"))
                    .sorted()
                    .toList();
        }
        for (Path file : all) {
            try {
                assertThat(Importers.builtIn().read(file).nodes()).isNotEmpty();
                read++;
            } catch (UnsupportedException missing) {
                assertThat(missing.getMessage()).contains("layer ").doesNotContain("\n");
                unsupported++;
            } catch (GraphException broken) {
                assertThat(broken.getMessage()).contains("layer ").doesNotContain("\n");
                wrong.add(file.getFileName().toString());
            }
        }
        System.out.println(set + ": " + read + " read, " + unsupported + " with unsupported layers, wrong " + wrong);
        assertThat(all).hasSize(files);
        assertThat(WRONG).containsAll(wrong);
        assertThat(read).isGreaterThanOrEqualTo(least);
    }
}
