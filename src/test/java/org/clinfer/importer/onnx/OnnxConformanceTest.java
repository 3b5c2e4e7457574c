package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every public ONNX model beside the checkout is imported, or refused by name, and nothing else happens. */
class OnnxConformanceTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    private static final DeclaredOperators OPERATORS = new DeclaredOperators();

    @TestFactory
    Stream<DynamicTest> everyModelIsImportedOrRefusedByName() throws IOException {
        assumeTrue(Files.isDirectory(SETS), "no public models at " + SETS.toAbsolutePath());
        List<Path> models = files(".onnx");
        assertThat(models).isNotEmpty();
        return models.stream()
                .map(model -> DynamicTest.dynamicTest(SETS.relativize(model).toString(), () -> importOrRefuse(model)));
    }

    @TestFactory
    Stream<DynamicTest> everyModelOfRareOperatorsIsImportedOrRefusedByName() throws IOException {
        assumeTrue(Files.isDirectory(SETS.resolve("onnx-refuse")), "no public models at " + SETS.toAbsolutePath());
        return files(".onnx").stream()
                .filter(model -> model.startsWith(SETS.resolve("onnx-refuse")))
                .map(model -> DynamicTest.dynamicTest(
                        SETS.relativize(model).toString(),
                        () -> assertThat(importOrRefuse(model)).isNotEqualTo("refused: ")));
    }

    @TestFactory
    Stream<DynamicTest> everyRecordedTensorIsReadOrRefusedByName() throws IOException {
        assumeTrue(Files.isDirectory(SETS), "no public models at " + SETS.toAbsolutePath());
        return files(".pb").stream()
                .filter(file -> file.toString().contains("test_data_set"))
                .filter(file -> !file.toString().contains("onnx-refuse"))
                .map(file -> DynamicTest.dynamicTest(SETS.relativize(file).toString(), () -> readOrRefuse(file)));
    }

    private static List<Path> files(String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(SETS)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static String importOrRefuse(Path model) {
        try {
            Graph graph = new OnnxImporter(OpCatalog.builtIn()).read(model);
            assertThat(graph.outputs()).isNotEmpty();
            OPERATORS.check(graph);
            return "imported";
        } catch (UnsupportedException refused) {
            assertThat(refused.feature()).isNotEmpty();
            assertThat(refused).hasMessageContaining(model.getFileName().toString());
            return "refused: " + refused.feature();
        }
    }

    private static void readOrRefuse(Path file) {
        try {
            assertThat(TensorProtoFile.read(file).elements()).isNotNegative();
        } catch (UnsupportedException refused) {
            assertThat(refused.feature()).matches("data type .*|segmented tensor");
        }
    }
}
