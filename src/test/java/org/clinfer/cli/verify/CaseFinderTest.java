package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as test sets lay them out. */
class CaseFinderTest {

    @TempDir
    Path temporary;

    private Path root = Path.of("");

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(temporary.resolve("set"));
    }

    private void touch(String... files) throws IOException {
        for (String file : files) {
            Path path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.createFile(path);
        }
    }

    private TestCase only() throws IOException {
        List<TestCase> cases = CaseFinder.find(root);
        assertThat(cases).hasSize(1);
        return cases.get(0);
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(file -> file.getFileName().toString()).toList();
    }

    @Test
    void onnxLayoutIsNamedAfterItsFolder() throws IOException {
        touch("test_abs/model.onnx", "test_abs/test_data_set_0/input_0.pb", "test_abs/test_data_set_0/output_0.pb");

        assertThat(only().name()).isEqualTo("set/test_abs");
        assertThat(CaseFinder.find(root.resolve("test_abs")).get(0).name()).isEqualTo("test_abs");
    }

    @Test
    void severalSetsAreSeveralCases() throws IOException {
        touch("t/model.onnx", "t/test_data_set_0/output_0.pb", "t/test_data_set_1/output_0.pb");

        assertThat(CaseFinder.find(root))
                .extracting(TestCase::name)
                .containsExactly("set/t/test_data_set_0", "set/t/test_data_set_1");
    }

    @Test
    void inputsAreInTheOrderOfTheirNumbers() throws IOException {
        touch("t/model.onnx", "t/input_10.npy", "t/input_2.npy", "t/input_2.pb", "t/input.npy", "t/output.npy");

        assertThat(names(only().inputs())).containsExactly("input.npy", "input_2.pb", "input_10.npy");
    }

    @Test
    void authorTensorsAndReferencesAreCasesOfTheirOwn() throws IOException {
        touch(
                "m/net.onnx",
                "m/author_input_0.pb",
                "m/author_output_0.pb",
                "m/author_note.npy",
                "m/ref/output_0.pb",
                "m/ref/ref.json",
                "m/ref_digit/output_0.pb");

        List<TestCase> cases = CaseFinder.find(root);

        assertThat(cases).extracting(TestCase::name).containsExactly("set/m/author", "set/m/ref", "set/m/ref_digit");
        assertThat(cases.get(1).names()).isPresent();
        assertThat(cases.get(2).names()).isEmpty();
    }

    @Test
    void referenceForOnnxClaimsTheOnnxFiles() throws IOException {
        touch("m/net.caffemodel", "m/net.onnx", "m/ref/output_0.pb", "m/ref_onnx/output_0.pb");

        List<TestCase> cases = CaseFinder.find(root);

        assertThat(cases).extracting(TestCase::name).containsExactly("set/m/ref", "set/m/ref_onnx");
        assertThat(names(cases.get(0).models())).containsExactly("net.caffemodel");
        assertThat(names(cases.get(1).models())).containsExactly("net.onnx");
    }

    @Test
    void modelsOfSeveralFormatsAreCasesOfTheirOwn() throws IOException {
        touch("m/net.caffemodel", "m/net.prototxt", "m/net.onnx", "m/output_0.npy");

        List<TestCase> cases = CaseFinder.find(root);

        assertThat(cases).extracting(TestCase::name).containsExactly("set/m", "set/m:caffe");
        assertThat(names(cases.get(1).models())).containsExactly("net.prototxt");
    }

    @Test
    void rawReferenceTakesTheModelThatIsNotSimplified() throws IOException {
        touch("m/net-320.onnx", "m/net-320_simplified.onnx", "m/ref/output_0.pb", "m/ref_raw_onnx/output_0.pb");

        List<TestCase> cases = CaseFinder.find(root);

        assertThat(names(cases.get(0).models())).containsExactly("net-320_simplified.onnx");
        assertThat(names(cases.get(1).models())).containsExactly("net-320.onnx");
    }

    @Test
    void netWithGeneratedWeightsIsACase() throws IOException {
        touch("light_a.onnx", "light_a_weights.tsv", "light_a_generated_output_0.pb", "light_a_output_0.pb");

        assertThat(only().name()).isEqualTo("set/light_a");
        assertThat(only().weights()).isPresent();
        assertThat(names(only().expected())).containsExactly("light_a_generated_output_0.pb");
    }

    @Test
    void jsonModelsCountWhereThereAreNoOthers() throws IOException {
        touch("a/model.onnx", "a/output_0.npy", "b/output_0.npy", "c/output_0.npy");
        for (String model : List.of("a/model.json", "b/net.json")) {
            Files.writeString(root.resolve(model), "{\"ops\": []}");
        }
        Files.writeString(root.resolve("b/ref.json"), "{\"inputs\": []}");
        Files.writeString(root.resolve("c/ref.json"), "{\"inputs\": []}");

        List<TestCase> cases = CaseFinder.find(root);

        assertThat(cases).extracting(TestCase::name).containsExactly("set/a", "set/b");
        assertThat(names(cases.get(0).models())).containsExactly("model.onnx");
        assertThat(names(cases.get(1).models())).containsExactly("net.json");
    }

    @Test
    void foldersWithoutModelOrOutputsAreNoCases() throws IOException {
        touch("a/output_0.pb", "b/model.onnx", "b/input_0.pb", "c/readme.txt");

        assertThat(CaseFinder.find(root)).isEmpty();
        assertThatThrownBy(() -> CaseFinder.find(root.resolve("missing"))).isInstanceOf(NoSuchFileException.class);
    }
}
