package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.tflite.TfliteNet;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code show} tells of a model. */
class ShowCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int show(String... more) throws IOException {
        Path file = folder.resolve("net.onnx");
        Files.write(
                file,
                new OnnxModel()
                                .opset(13)
                                .input("x", 1, 2)
                                .reals("w", 1, 2)
                                .node("Add", "x,w", "a")
                                .node("Relu", "a", "b")
                                .node("Relu", "b", "y")
                                .build()
                                .toBuilder()
                                .setProducerName("maker")
                                .addMetadataProps(StringStringEntryProto.newBuilder()
                                        .setKey("k")
                                        .setValue("two\nlines"))
                                .build()
                                .toByteArray());
        String[] arguments = new String[more.length + 2];
        arguments[0] = "show";
        arguments[1] = file.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return run(arguments);
    }

    private int run(String... arguments) {
        PrintWriter printed = new PrintWriter(out);
        PrintWriter errors = new PrintWriter(err);
        int code = Main.run(printed, errors, arguments);
        printed.flush();
        errors.flush();
        return code;
    }

    /** TensorFlow Lite has sizes for what it leaves open, which made-up inputs have as well. */
    @Test
    void openSizesHaveUsualOnes() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4);
        int y = net.value("y", "float32", 1, 4);
        String file = net.signature(x, -1, 4)
                .signature(y, -1, 4)
                .op("RELU", y, "", x)
                .output(y)
                .write(folder)
                .toString();
        assertThat(run("show", file)).isZero();
        assertThat(out.toString()).contains("x  ?x4:float32, usually 1x4").contains("y  ?x4:float32\n");
        assertThat(run("run", file, "--input", "x=zeros", "--device", "cpu")).isZero();
        assertThat(out.toString()).contains("y  1x4:float32");
        assertThat(run("run", file, "--input", "x=3x4:zeros", "--device", "cpu"))
                .isZero();
        assertThat(out.toString()).contains("y  3x4:float32");
    }

    @Test
    void textHasAFactALine() throws IOException {
        assertThat(show()).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "format ONNX (.onnx)",
                        "operator set ai.onnx 13",
                        "producer_name maker",
                        "property k = two\\u000alines",
                        " x 1x2:float32",
                        " y 1x2:float32",
                        "parameters: 2 in 8 bytes",
                        "operators: 3 nodes",
                        " Relu 2");
    }

    @Test
    void jsonHasTheSame() throws IOException {
        assertThat(show("--json")).isZero();
        JsonNode json = JsonMapper.builder().build().readTree(out.toString());
        assertThat(json.at("/inputs/0/name").asString()).isEqualTo("x");
        assertThat(json.at("/outputs/0/shape/1").asInt()).isEqualTo(2);
        assertThat(json.at("/outputs/0/dtype").asString()).isEqualTo("float32");
        assertThat(json.at("/operatorSets/ai.onnx").asInt()).isEqualTo(13);
        assertThat(json.at("/operators/Relu").asInt()).isEqualTo(2);
        assertThat(json.at("/parameters").asInt()).isEqualTo(2);
        assertThat(json.at("/properties/k").asString()).isEqualTo("two\nlines");
    }

    @Test
    void ofManyInputsTextHasTheFirst() throws IOException {
        OnnxModel model = new OnnxModel();
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 23; i++) {
            model.input("x" + i, 1);
            names.append(i == 0 ? "" : ",").append('x').append(i);
        }
        Path file = folder.resolve("many.onnx");
        Files.write(file, model.node("Sum", names.toString(), "y").bytes());
        assertThat(run("show", file.toString())).isZero();
        assertThat(out.toString())
                .contains("  x19  1:float32", "  and 3 more (--json has all)")
                .doesNotContain("x20");
    }

    @Test
    void aFileThatIsNoModelIsBadInput() throws IOException {
        Path file = Files.writeString(folder.resolve("a.onnx"), "hello");
        assertThat(run("show", file.toString())).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).hasLineCount(1).contains("a.onnx: not a valid ONNX model");
    }
}
