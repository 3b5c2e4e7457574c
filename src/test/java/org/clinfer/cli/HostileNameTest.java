package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Names of a model that would control the terminal, forge a line, or fill the screen, wherever a name can be. */
final class HostileNameTest extends HostileInput {

    /** The reading order, and the ends of lines that are no control characters. */
    private static final String SPECIAL =
            "\u2028\u2029\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F";

    private static final String CONTROLS = IntStream.concat(IntStream.range(1, 0x20), IntStream.range(0x7F, 0xA0))
            .mapToObj(Character::toString)
            .collect(Collectors.joining());

    private static final int LONGEST_LINE = 2100;

    private Path model = Path.of("");

    private static String hostile(String what) {
        return what + "\nFORGED\r\nFORGED \u001b[2J\u001b]0;title\u0007\u009b31m" + CONTROLS + SPECIAL;
    }

    private static String name(String what) {
        return hostile(what) + "x".repeat(3000);
    }

    private static OnnxModel model() {
        OnnxModel model = new OnnxModel()
                .input(name("in"), 1, 4)
                .node("Relu", name("in"), name("inner"))
                .node("Softmax", name("inner"), name("out"));
        model.graph().setName(name("graph"));
        model.graph().getNodeBuilderList().forEach(node -> node.setName(name(node.getOpType())));
        return model;
    }

    @BeforeEach
    void write() throws IOException {
        model = write(model().bytes());
    }

    private static void assertLines(Ran ran) {
        assertPlain(ran);
        assertShort(ran);
    }

    private static void assertShort(Ran ran) {
        assertThat(Stream.concat(ran.out().stream(), ran.err().stream()))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(LONGEST_LINE));
    }

    /** Exactly what a terminal would get, but for the ends of lines. */
    private static void assertPlain(Ran ran) {
        assertThat(Stream.concat(ran.out().stream(), ran.err().stream()))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(
                                line.chars().filter(each -> CONTROLS.indexOf(each) >= 0 || SPECIAL.indexOf(each) >= 0))
                        .as(line)
                        .isEmpty())
                .noneMatch(line -> line.startsWith("FORGED"));
    }

    static Stream<List<String>> commands() {
        return Stream.of(
                List.of("run", "--input", "zeros", "--placement", "--top", "2", "--time"),
                List.of("run", "--input", "zeros", "--debug", "--threads", "0"),
                List.of("run"),
                List.of("run", "--debug"),
                List.of("run", "--input", hostile("none") + "=zeros"),
                List.of("run", "--input", hostile("none")),
                List.of("check"),
                List.of("check", "--explain"),
                List.of("check", "--profile", "ascend310", "--profile", "ascend910b1"),
                List.of("check", "--explain", "--profile", "ascend310"),
                List.of("check", "--input", hostile("none") + "=1x2"),
                List.of("bench", "--runs", "1", "--warmup", "0", "--by-operator"),
                List.of("bench", "--input", hostile("none") + "=1x2"),
                List.of("--" + hostile("option")));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void onTheCpu(List<String> command) {
        assertShown(command, ran(command, "cpu"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @RequiresOpenCl
    void onTheDevice(List<String> command) {
        assertShown(command, ran(command, "opencl"));
    }

    /** A trace has messages in their whole length. */
    private static void assertShown(List<String> command, Ran ran) {
        assertPlain(ran);
        if (!command.contains("--debug")) {
            assertShort(ran);
        }
    }

    private Ran ran(List<String> command, String device) {
        List<Object> words = new ArrayList<>(command);
        words.add(1, model);
        if (!command.contains("--profile")) {
            words.addAll(List.of("--device", device));
        }
        return clinfer(words.toArray());
    }

    @Test
    void refusals() throws IOException {
        List<OnnxModel> models = List.of(
                new OnnxModel().input("x", 1, 4).node(name("Operator"), "x", "y"),
                new OnnxModel().input(name("x"), 1, 4).input(name("x"), 1, 4).node("Relu", name("x"), "y"),
                new OnnxModel().input("x", 1, 4).node("Add", "x," + name("ghost"), "y"),
                new OnnxModel().input("x", 1, 4).node("Relu", "x", name("y")).node("Abs", "x", name("y")),
                new OnnxModel().input("x", 1, 4).node("Relu", "x", "y", OnnxModel.integer(name("attribute"), 1)),
                new OnnxModel().input("x", 1, 4).node("Add", "x,y", name("y")));
        for (OnnxModel broken : models) {
            Ran checked = clinfer("check", write(broken.bytes()), "--device", "cpu");
            assertThat(checked.code()).as("%s", checked).isIn(1, 2);
            assertPlain(checked);
            for (String command : List.of("run", "convert")) {
                Ran ran = command.equals("convert")
                        ? clinfer(command, write(broken.bytes()), "-o", folder.resolve("out.json"))
                        : clinfer(command, write(broken.bytes()), "--device", "cpu");
                assertRefused(ran);
                assertLines(ran);
            }
            assertPlain(clinfer("run", write(broken.bytes()), "--debug"));
        }
    }

    @Test
    void casesOfVerify() throws IOException {
        Path test = Files.createDirectories(folder.resolve("case/test_data_set_0"));
        Files.write(
                folder.resolve("case/model.onnx"), oneByFour(name("Operator")).bytes());
        Files.write(test.resolve("input_0.pb"), new byte[0]);
        Files.write(test.resolve("output_0.pb"), new byte[0]);
        assertLines(clinfer("verify", folder, "--device", "cpu"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "sarif"})
    void reportsForProgramsHaveTheNameItself(String format) throws IOException {
        for (boolean file : new boolean[] {false, true}) {
            JsonNode document = new JsonMapper().readTree(report(format, file));
            assertThat(texts(document)).anyMatch(text -> text.contains(name("Relu")));
        }
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isString()) {
            texts.add(node.stringValue());
        }
        node.forEach(each -> texts.addAll(texts(each)));
        return texts;
    }

    @Test
    void reportsForBuildServersAreWellFormed() throws Exception {
        for (boolean file : new boolean[] {false, true}) {
            byte[] xml = report("junit", file).getBytes(StandardCharsets.UTF_8);
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new ByteArrayInputStream(xml))
                            .getElementsByTagName("testcase")
                            .getLength())
                    .isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json", "sarif", "junit", "markdown", "html"})
    void noReportControlsTheTerminal(String format) {
        assertPlain(clinfer("check", model, "--device", "cpu", "--format", format));
    }

    /** What a report says, from stdout or from a file. */
    private String report(String format, boolean toFile) throws IOException {
        Path file = folder.resolve("report");
        if (!toFile) {
            return String.join(
                    "\n",
                    clinfer("check", model, "--device", "cpu", "--format", format)
                            .out());
        }
        assertThat(clinfer("check", model, "--device", "cpu", "--format", format, "-o", file)
                        .err())
                .isEmpty();
        return Files.readString(file);
    }
}
