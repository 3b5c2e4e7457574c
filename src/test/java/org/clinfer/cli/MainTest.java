package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as scripts see it: exit codes, what goes to stdout, and one line on stderr. */
class MainTest {

    @TempDir
    Path folder;

    private static void assertRefused(Ran ran, String reason) {
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).hasSize(1);
        assertThat(ran.err().get(0)).startsWith("clinfer: ").contains(reason);
    }

    private Path input(float... values) throws IOException {
        Path file = folder.resolve("input.npy");
        NpyFile.write(file, Tensor.of(values, 1, values.length));
        return file;
    }

    private Path relu() throws IOException {
        return TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
    }

    @Test
    void helpAndVersionAreFine() {
        assertThat(clinfer("--help").code()).isZero();
        assertThat(clinfer("run", "--help").out()).anyMatch(line -> line.contains("--labels"));
        assertThat(clinfer("--version").out().get(0)).startsWith("clinfer ");
    }

    @Test
    void threadsHaveALimit() throws IOException {
        for (String threads : List.of("0", "32768", "50000")) {
            assertRefused(
                    clinfer("run", relu(), "--device", "cpu", "--input", "random", "--threads", threads),
                    "--threads must be at least 1 and at most 32767, but is " + threads);
        }
    }

    @Test
    void aNameThatNoFileCanHaveIsRefused() throws IOException {
        String name = "no\0name";
        for (String command : List.of("show", "check", "bench", "tune", "verify")) {
            assertRefused(clinfer(command, name), "is no name of a file in this locale");
        }
        assertRefused(
                clinfer("run", relu(), "--device", "cpu", "--input", "x=" + name),
                "is no name of a file in this locale");
    }

    @Test
    void whatWouldBeIgnoredIsRefused() throws IOException {
        Path none = folder.resolve("none");
        assertRefused(
                clinfer("bench", relu(), "--device", "cpu", "--input", "x=1x4", "--input", "x=2x4"),
                "input 'x' is given twice");
        assertRefused(clinfer("bench", relu(), "--peer-jar", none), "--peer-jar needs --peer");
        assertRefused(clinfer("check", relu(), "--outputs", "2"), "--outputs is for --op");
        assertRefused(clinfer("check", relu(), "--reading", "code"), "--reading is for device profiles");
        assertRefused(
                clinfer("run", relu(), "--input", "zeros", "--lenient"),
                "--lenient is for device profiles: give one with --profile");
        assertRefused(
                clinfer("run", relu(), "--input", "zeros", "--padding", "114"), "--padding needs --resize letterbox");
        assertRefused(
                clinfer("run", relu(), "--input", "zeros", "--mean", "1"), "--mean is for pictures, and no input is");
        assertRefused(clinfer("profiles", "gna2", "--diff", "gna2", "gna3"), "--diff takes its two profiles alone");
        assertRefused(clinfer("tune", relu(), none), none + ": no such file or folder");
        assertRefused(clinfer("verify", folder), "recorded tensors) below " + folder);
    }

    @Test
    void argumentsAreNotReadFromFiles() throws IOException {
        Files.writeString(folder.resolve("arguments"), "--help");
        assertRefused(clinfer("show", "@" + folder.resolve("arguments")), "@" + folder.resolve("arguments"));
    }

    @Test
    void helpIsACommandToo() {
        assertThat(clinfer("help").code()).isZero();
        assertThat(clinfer("help").out()).isEqualTo(clinfer("--help").out());
        assertThat(clinfer("help", "run").out())
                .isEqualTo(clinfer("run", "--help").out());
        assertRefused(clinfer("help", "frob"), "no command 'frob'");
    }

    @Test
    void withoutACommandTheUsageIsAnError() {
        Ran ran = clinfer();
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("clinfer: a command is missing")
                .containsAll(clinfer("--help").out());
    }

    @Test
    void badUsageIsOneLine() {
        assertRefused(clinfer("verify"), "DIR");
        assertRefused(clinfer("run", "m.onnx", "--wrong"), "--wrong");
        assertRefused(clinfer("frob"), "frob");
        assertRefused(clinfer("run", "m.onnx", "--device", "gpu7"), "none of auto, cpu, opencl");
        assertRefused(clinfer("run", "m.onnx", "--image-range", "2..3"), "minmax");
        assertRefused(clinfer("check", "m.onnx", "--fail-on", "sometimes"), "falls-back");
    }

    @Test
    void whatWasMeantIsAsked() throws IOException {
        assertRefused(clinfer("chekc"), "no command 'chekc'; did you mean 'check'?");
        assertRefused(clinfer("help", "chekc"), "did you mean 'check'?");
        assertRefused(clinfer("check", "--profil", "ascend310"), "'--profil'; did you mean '--profile'?");
        assertRefused(clinfer("run", "--inptu=x.npy", "m.onnx"), "'--inptu'; did you mean '--input'?");
        assertRefused(clinfer("check", "m.onnx", "--format", "jsno"), "none of text, json");
        assertRefused(clinfer("check", "m.onnx", "--format", "jsno"), "did you mean 'json'?");
        assertRefused(clinfer("run", "m.onnx", "--device", "cup"), "did you mean 'cpu'?");
        assertRefused(clinfer("run", "m.onnx", "--image-range", "minmx"), "did you mean 'minmax'?");
        assertRefused(clinfer("check", "m.onnx", "--fail-on", "unsuported"), "did you mean 'unsupported'?");
        assertRefused(clinfer("check", "m.onnx", "--float32-as", "fp16"), "did you mean 'float16'?");
        assertRefused(clinfer("check", "--op", "Conv2"), "no operator 'Conv2'; 'clinfer ops' lists them");
        assertRefused(clinfer("ops", "conv2dd"), "did you mean 'Conv2d'?");
        assertRefused(clinfer("profiles", "ascnd310"), "did you mean 'ascend310'?");
        assertRefused(clinfer("check", "--op", "Conv2d", "--param", "stride=1"), "did you mean 'strides'?");
        assertRefused(clinfer("check", "--op", "Conv2d", "--input", "weight=1x1"), "did you mean 'weights'?");
        assertRefused(clinfer("verify", ".", "--frobnicate"), "unknown option '--frobnicate' (see clinfer verify");
    }

    @Test
    void filesThatBeginLikeOptionsAreTold() throws IOException {
        for (String command : List.of("show", "run", "verify", "check", "bench", "serve", "tune", "convert")) {
            assertRefused(
                    clinfer(command, "-m.onnx"),
                    "unknown option '-m.onnx'; a file of that name is written './-m.onnx' (see clinfer " + command);
        }
        assertRefused(clinfer("devices", "-m.onnx"), "unknown option '-m.onnx' (see clinfer devices");
        assertRefused(clinfer("show", "--jsn"), "unknown option '--jsn'; did you mean '--json'? (see");
        assertRefused(clinfer("run", "--maen=0.5"), "unknown option '--maen'; did you mean '--mean'? (see");
        assertRefused(clinfer("show", "--", "-m.onnx"), "-m.onnx: no such file");
        Path odd = Files.createFile(Path.of("-o" + UUID.randomUUID()));
        try {
            assertRefused(clinfer("convert", odd), "a file of that name is written './" + odd + "'");
        } finally {
            Files.delete(odd);
        }
    }

    @Test
    void missingFilesAreNamed() throws IOException {
        assertRefused(clinfer("run", folder.resolve("no.onnx")), "no.onnx: no such file");
        assertRefused(clinfer("verify", folder.resolve("none")), "none: no such file or folder");
        assertRefused(clinfer("verify", "--device", "cpu", folder), "no test case");
        assertRefused(clinfer("run", relu(), "--device", "cpu", "--input", "x=gone.npy"), "gone.npy: no such file");
        assertRefused(clinfer("run", Files.createDirectory(folder.resolve("empty"))), "is a folder");
    }

    @Test
    void brokenModelIsRefused() throws IOException {
        Path model = folder.resolve("broken.onnx");
        Files.writeString(model, "this is no model");

        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "zeros"), "broken.onnx");
    }

    @Test
    void unsupportedModelIsRefused() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("m.onnx"), "RegexFullMatch");

        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "zeros"), "RegexFullMatch");
    }

    @Test
    void aModelWithoutInputsIsSaidToHaveNone() {
        assertThat(InputTypes.list(List.of())).isEqualTo("none");
    }

    @Test
    void stackTraceComesWithDebugAlone() {
        assertThat(clinfer("run", folder, "--debug").err()).hasSizeGreaterThan(3);
        assertThat(clinfer("--debug", "run", folder).err()).hasSizeGreaterThan(3);
        assertThat(clinfer("run", folder).err()).hasSize(1);
    }

    @Test
    void runShowsAndStoresOutputs() throws IOException {
        Path results = folder.resolve("results/deep");
        Ran ran = clinfer(
                "run", relu(), "--device", "cpu", "--input", "x=" + input(-1, 2, -3, 5), "-o", results, "--top", "2");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().get(0)).contains("y", "1x4:float32", "min 0", "max 5", "mean 1.75");
        assertThat(ran.out()).anyMatch(line -> line.matches("  3 +5\\.0+"));
        assertThat(NpyFile.read(results.resolve("y.npy")).toFloatArray()).containsExactly(0, 2, 0, 5);
    }

    @Test
    void runWithoutInputsNamesThem() throws IOException {
        assertRefused(clinfer("run", relu(), "--device", "cpu"), "x (1x4:float32)");
        assertRefused(clinfer("run", relu(), "--device", "cpu", "--input", "z=" + input(1)), "no input 'z'");
        assertRefused(
                clinfer("run", relu(), "--device", "cpu", "--input", "zeros", "--input", "x=zeros"), "given twice");
    }

    @Test
    void inputOfWrongShapeIsRefused() throws IOException {
        assertRefused(clinfer("run", relu(), "--device", "cpu", "--input", input(1, 2, 3)), "1x3");
    }

    @Test
    void sameSeedGivesTheSameInput() throws IOException {
        List<String> first =
                clinfer("run", relu(), "--device", "cpu", "--input", "random:7").out();

        assertThat(clinfer("run", relu(), "--device", "cpu", "--input", "1x4:random:7")
                        .out())
                .isEqualTo(first);
        assertThat(clinfer("run", relu(), "--device", "cpu", "--input", "random:8")
                        .out())
                .isNotEqualTo(first);
    }

    @Test
    void fillingWithoutANameIsForAllInputs() throws IOException {
        Path model = Files.writeString(folder.resolve("difference.json"), """
                {"ops": [
                  {"name": "a", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "a"}],
                   "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [1, 4]}]},
                  {"name": "b", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "b"}],
                   "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [1, 4]}]},
                  {"name": "difference", "optype": "Sub",
                   "tensors_in": [{"arg_name": "a", "name": "a"}, {"arg_name": "b", "name": "b"}],
                   "tensors_out": [{"arg_name": "y", "name": "y"}]},
                  {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}]}
                ]}
                """);
        String device = "--device=cpu";

        List<String> both = clinfer("run", model, device, "--input=random").out();
        assertThat(both).hasSize(1).noneMatch(line -> line.contains("min 0.00000  max 0.00000"));
        assertThat(clinfer("run", model, device, "--input=random", "--input=a=random", "--input=b=random:1")
                        .out())
                .isEqualTo(both);
        assertThat(clinfer("run", model, device, "--input=zeros").out())
                .allMatch(line -> line.contains("min 0.00000  max 0.00000"));
        assertThat(clinfer("run", model, device, "--input=zeros", "--input=a=random")
                        .out())
                .noneMatch(line -> line.contains("max 0.00000"));
        assertThat(clinfer("run", model, device, "--input=b=-0.5", "--input=2").out())
                .allMatch(line -> line.contains("min 2.50000  max 2.50000"));
        assertRefused(clinfer("run", model, device, "--input=b=1x4", "--input=2"), "1x4");
        assertRefused(clinfer("run", model, device, "--input=zeros", "--input=random"), "not two");
        assertRefused(clinfer("run", model, device, "--input=1x4:random"), "which input?");
    }

    @Test
    void placementAndTimeAreShown() throws IOException {
        Ran ran = clinfer("run", relu(), "--device", "cpu", "--input", "zeros", "--placement", "--time");

        assertThat(ran.out()).anyMatch(line -> line.contains("Relu") && line.contains("cpu"));
        assertThat(ran.out()).anyMatch(line -> line.contains("first run"));
    }

    @Test
    void verifyCountsAndAnswers() throws IOException {
        Path set = folder.resolve("set");
        writeCase(set.resolve("good"), "Relu", 0, 2);
        writeCase(set.resolve("unknown"), "RegexFullMatch", 0, 2);

        Ran fine = clinfer("verify", "--device", "cpu", set, "--summary");
        assertThat(fine.code()).isZero();
        assertThat(fine.out()).contains("PASS set/good", "UNSUPPORTED set/unknown: operator RegexFullMatch");
        assertThat(fine.out()).contains("unsupported by feature:", "  1  operator RegexFullMatch");
        assertThat(fine.out().get(fine.out().size() - 1)).isEqualTo("1 passed, 0 failed, 1 unsupported");

        assertThat(clinfer("verify", "--device", "cpu", set.resolve("unknown")).code())
                .as("where no case passes")
                .isEqualTo(1);

        writeCase(set.resolve("wrong"), "Relu", 0, 2.1f);
        Files.writeString(Files.createDirectory(set.resolve("z")).resolve("model.onnx"), "broken");
        Files.createFile(set.resolve("z/output_0.pb"));
        Ran failing = clinfer("verify", "--device", "cpu", set);
        assertThat(failing.code()).isEqualTo(1);
        assertThat(failing.out()).anyMatch(line -> line.startsWith("FAIL set/wrong: output 'y': 1 of 4"));
        assertThat(failing.out()).anyMatch(line -> line.startsWith("FAIL set/z: "));
        assertThat(failing.out().get(failing.out().size() - 1)).isEqualTo("1 passed, 2 failed, 1 unsupported");

        assertThat(clinfer("verify", "--device", "cpu", set, "--json").out())
                .anyMatch(line -> line.contains("\"passed\" : 1"));
    }

    private static void writeCase(Path folder, String op, float first, float second) throws IOException {
        TinyOnnx.write(folder.resolve("model.onnx"), op);
        NpyFile.write(folder.resolve("input_0.npy"), Tensor.of(new float[] {-4, 2, 0, 1}, 1, 4));
        NpyFile.write(folder.resolve("output_0.npy"), Tensor.of(new float[] {first, second, 0, 1}, 1, 4));
    }

    @Test
    void checkAnswersWhatItIsAskedToFailOn() throws IOException {
        Ran ran = clinfer("check", relu(), "--device", "cpu");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).anyMatch(line -> line.contains("falls-back") && line.contains("Relu"));

        assertThat(clinfer("check", relu(), "--device", "cpu", "--fail-on", "unsupported,unknown")
                        .code())
                .isZero();
        assertThat(clinfer("check", relu(), "--device", "cpu", "--fail-on", "falls-back")
                        .code())
                .isEqualTo(1);
        assertRefused(clinfer("check", relu(), "--device", "cpu", "--input", "x=1x-4"), "'1x-4' is not a shape");
        assertRefused(clinfer("check", relu(), "--device", "cpu", "--input", "q=1x4"), "no input 'q'");
    }

    @Test
    void checkWritesJson() throws IOException {
        Path report = folder.resolve("report.json");

        Ran ran = clinfer("check", relu(), "--device", "cpu", "--format", "json", "-o", report, "--input", "x=1x4");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEmpty();
        assertThat(Files.readString(report)).contains("\"verdict\" : \"falls-back\"");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            text,     tiny (relu.onnx) on cpu
            markdown, `# Capability report`
            html,     <!DOCTYPE html>
            sarif,    "ruleId" : "clinfer/falls-back"
            junit,    <failure message="falls-back: runs on the CPU
            """)
    void checkWritesEveryForm(String format, String expected) throws IOException {
        Path report = folder.resolve("report");

        Ran ran = clinfer(
                "check", relu(), "--device", "cpu", "--format", format, "-o", report, "--fail-on", "falls-back");

        assertThat(ran.code()).isEqualTo(ExitCode.NO);
        assertThat(ran.out()).isEmpty();
        assertThat(Files.readString(report)).contains(expected).contains("relu.onnx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Conv2d", "conv2d"})
    void operatorIsDescribed(String name) {
        assertThat(clinfer("ops", name).out()).anyMatch(line -> line.contains("strides") && line.contains(">= 1"));
        assertRefused(clinfer("ops", "NoSuch"), "NoSuch");
        assertThat(clinfer("ops", "--json").code()).isZero();
    }

    @Test
    void operatorsAreListedByType() {
        List<String> lines = clinfer("ops").out();

        assertThat(lines.get(0)).containsSubsequence("OPERATOR", "int8", "int64", "bfloat16", "float64", "bool");
        assertThat(lines).anyMatch(line -> line.matches("Relu +(\\S+ +){10}both +\\S+ +- +max.*"));
        assertThat(lines).anyMatch(line -> line.startsWith("Input: "));
        assertThat(lines).anyMatch(line -> line.startsWith("bool: a bool is not a number: Abs "));
        assertThat(clinfer("ops", "Relu", "--json").out()).anyMatch(line -> line.contains("\"float32\" : {"));
    }

    @Test
    void devicesAreListedOrTheirAbsenceExplained() {
        Ran ran = clinfer("devices");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().get(0)).matches("device 0: .*|No OpenCL device: .*");
        assertThat(ran.out()).contains("CPU path: vector");
        assertThat(clinfer("devices", "--json").out())
                .startsWith("{")
                .anyMatch(line -> line.matches(" *\"cpu_path\" : \"vector\".*"));
    }

    @Test
    void outputNamesAreSafeAndDistinct() {
        Set<String> taken = new HashSet<>();

        assertThat(OutputFiles.fileName("a/b:0", taken)).isEqualTo("a_b_0");
        assertThat(OutputFiles.fileName("A.b:0", taken)).isEqualTo("A.b_0");
        assertThat(OutputFiles.fileName("A/b 0", taken)).isEqualTo("A_b_0_2");
        assertThat(OutputFiles.fileName("../x", taken)).isEqualTo("_.._x");
        assertThat(OutputFiles.fileName("", taken)).isEqualTo("_");
    }
}
