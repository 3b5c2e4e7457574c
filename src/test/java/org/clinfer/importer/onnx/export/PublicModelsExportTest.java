package org.clinfer.importer.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.export.RoundTrip.assertSame;
import static org.clinfer.importer.onnx.export.RoundTrip.inputs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.clinfer.cli.verify.CaseFinder;
import org.clinfer.cli.verify.TestCase;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public models, read, written as ONNX and read again, give the same numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublicModelsExportTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    @TempDir
    Path folder;

    private final RoundTrip files = new RoundTrip(() -> folder);

    @AfterAll
    void close() {
        files.close();
    }

    /** What ONNX cannot say: Upsample's rule before operator set 10 with scales that the run computes. */
    private static final Map<String, Set<String>> REFUSED =
            Map.of("opencv-onnx", Set.of("opencv-onnx/upsample_unfused_two_inputs_opset9_torch1.4"));

    @ParameterizedTest
    @CsvSource({
        "onnx-node,360",
        "opencv-onnx,110",
        "opencv-caffe,15",
        "opencv-tf,50",
        "opencv-darknet,10",
        "models/lenet,1",
        "models/mnist-8,1",
        "models/samplenet,2",
        "models/fsrcnn_x2,1"
    })
    void publicModels(String set, int atLeast) throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(SETS.resolve(set)), () -> SETS.resolve(set) + " is not there");
        Map<String, String> refused = new TreeMap<>();
        Map<String, String> failed = new TreeMap<>();
        int same = 0;
        int notRun = 0;
        for (TestCase test : CaseFinder.find(SETS.resolve(set))) {
            Graph graph;
            Map<String, Tensor> wanted;
            Map<String, Tensor> inputs;
            try {
                graph = Importers.builtIn().read(test.models().get(0));
                inputs = inputs(graph);
                wanted = files.run(graph, inputs);
            } catch (GraphException | InputException other) {
                notRun++; // there are operators that Clinfer lacks, and inputs for which random numbers are not right
                continue;
            }
            try {
                assertSame(wanted, files.run(Importers.builtIn().read(files.write(graph)), inputs), test.name());
                same++;
            } catch (UnsupportedException lacking) {
                refused.put(test.name(), String.valueOf(lacking.getMessage()));
            } catch (GraphException | AssertionError different) {
                failed.put(test.name(), String.valueOf(different.getMessage()));
            }
        }
        System.out.println(set + ": " + same + " models give the same numbers as ONNX, " + notRun
                + " do not run with random inputs, refused are " + refused);
        assertThat(failed).isEmpty();
        assertThat(new TreeSet<>(refused.keySet())).isEqualTo(REFUSED.getOrDefault(set, Set.of()));
        assertThat(same).isGreaterThanOrEqualTo(atLeast);
    }
}
