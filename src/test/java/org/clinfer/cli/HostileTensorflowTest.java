package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.clinfer.importer.tensorflow.TfGraph;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** TensorFlow graphs that are damaged, incomplete, cyclic, too large or not what they claim to be. */
final class HostileTensorflowTest extends HostileInput {

    private static TfGraph small() {
        return new TfGraph()
                .input("x", 1, 4, 4, 2)
                .floats("w", new long[] {3, 3, 2, 3}, new float[54])
                .node("Conv2D", "c", "x w", "padding=SAME", "strides=[1,1,1,1]")
                .ints("shape", 1, -1)
                .node("Reshape", "y", "c shape");
    }

    private Ran run(Path model) {
        return clinfer("run", model, "--device", "cpu", "--input", "x=zeros");
    }

    private void assertRefused(TfGraph graph, String... reasons) throws IOException {
        assertRefused(run(graph.write(folder)), reasons);
    }

    @Test
    void binaryAndText() throws IOException {
        assertThat(run(small().write(folder)).code()).isZero();
        assertThat(run(small().writeText(folder)).code()).isZero();
        assertThat(clinfer("check", folder.resolve("graph.pb"), "--device", "cpu")
                        .code())
                .isZero();
    }

    @Test
    void truncatedFiles() throws IOException {
        byte[] whole = small().bytes();
        Path file = folder.resolve("graph.pb");
        for (int length = 0; length < whole.length - 60; length += 1 + whole.length / 60) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused(run(file), "graph.pb");
        }
    }

    @Test
    void corruptedFiles() throws Exception {
        Path file = small().write(folder);
        assertDamageIsHandled(file, 150, () -> run(file));
    }

    @Test
    void otherFilesOfTheSameSuffix() throws IOException {
        Path file = folder.resolve("saved_model.pb");
        Files.write(file, new byte[] {0x08, 1, 0x12, 4, 0x0A, 2, 0x12, 0, 0, 0});
        assertRefused(run(file), "not a valid SavedModel");
        Files.write(file, new byte[] {0x08, 4, 0x10, 1, 0x4A, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        assertRefused(run(file), "unknown kind of model file");
        Path text = Files.writeString(folder.resolve("graph.pbtxt"), "node { node { ".repeat(100_000));
        assertRefused(run(text), "not a valid TensorFlow graph");
        Files.writeString(text, "layer { name: 'x' }");
        assertRefused(run(text), "no nodes");
    }

    @Test
    void cyclesAndMissingNodes() throws IOException {
        assertRefused(
                new TfGraph()
                        .input("x", 1, 4)
                        .node("Add", "a", "x b")
                        .node("Relu", "b", "a")
                        .node("Relu", "y", "a"),
                "cycle");
        assertRefused(new TfGraph().input("x", 1, 4).node("Add", "a", "x a").node("Relu", "y", "a"), "cycle");
        assertRefused(new TfGraph().input("x", 1, 4).node("Relu", "a", "a"), "graph.pb");
        assertRefused(
                new TfGraph().input("x", 1, 4).node("Add", "y", "x missing"), "'missing' is the output of no node");
        assertRefused(new TfGraph().input("x", 1, 4).node("Add", "y", "x x:3"), "'x:3'");
        assertRefused(new TfGraph().input("x", 1, 4).node("Add", "y", "x"), "input 1 is missing");
        assertRefused(new TfGraph().input("x", 1, 4).input("x", 1, 4).node("Relu", "y", "x"), "same name");
        assertRefused(new TfGraph().input("x", 1, 4).node("Relu", "", "x"), "it has no name");
        assertRefused(new TfGraph().input("x", 1, 4).node("Relu", "y", "x:a:b"), "no name of a node's output");
    }

    /** A chain as long as no network is. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void deepGraphs() throws IOException {
        TfGraph chain = new TfGraph().input("x", 1, 4);
        String last = "x";
        for (int i = 0; i < 20_000; i++) {
            chain.node("Identity", "i" + i, last);
            last = "i" + i;
        }
        assertThat(run(chain.node("Relu", "y", last).write(folder)).code()).isZero();
    }

    private static TfGraph plus(TensorProto.Builder tensor) {
        return new TfGraph().input("x", 1, 4).constant("c", tensor).node("Add", "y", "x c");
    }

    @Test
    void tensorsThatAreNotWhatTheyClaim() throws IOException {
        ByteString twelve = ByteString.copyFrom(new byte[12]);
        assertRefused(
                plus(TfGraph.tensor(DataType.DT_FLOAT, 4).setTensorContent(twelve)), "needs 16 bytes, but it has 12");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, -4).setTensorContent(twelve)), "must be known");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, 1L << 40).addFloatVal(1)), "do not broadcast");
        assertRefused(
                new TfGraph()
                        .input("x", 1, 1)
                        .constant(
                                "c", TfGraph.tensor(DataType.DT_FLOAT, 1L << 40).addFloatVal(1))
                        .node("Add", "y", "x c"),
                "more than the 2147483519 of one tensor");
        assertRefused(
                plus(TfGraph.tensor(DataType.DT_FLOAT, 1L << 28).addFloatVal(1).addFloatVal(2)), "only 2 are given");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, 1L << 40, 1L << 40)), "too large");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, 0, 1L << 62)), "too large");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, 4).addIntVal(1)), "it has 1");
        assertRefused(plus(TfGraph.tensor(DataType.DT_FLOAT, 1).addFloatVal(1).addFloatVal(2)), "it has 2");
        assertRefused(
                plus(TfGraph.tensor(DataType.DT_FLOAT, 3)
                        .setTensorContent(twelve)
                        .addFloatVal(2)),
                "tensor_content and 1 values");
        assertRefused(plus(TfGraph.tensor(DataType.DT_STRING, 1)), "data type string");
        assertRefused(plus(TfGraph.tensor(DataType.DT_INVALID, 1)), "data type invalid");
        assertRefused(
                plus(TfGraph.tensor(DataType.DT_BOOL, 1).setTensorContent(ByteString.copyFrom(new byte[] {7}))),
                "which is no bool");
    }

    @Test
    void attributesThatMakeNoSense() throws IOException {
        TfGraph conv = new TfGraph().input("x", 1, 4, 4, 2).floats("w", new long[] {3, 3, 2, 3}, new float[54]);
        assertRefused(
                conv.node("Conv2D", "y", "x w", "padding=SAME", "strides=[1,0,1,1]"), "strides must be at least 1");
        assertRefused(small().node("Conv2D", "z", "x w", "strides=[1,1,1,1]"), "'padding' is missing");
        assertRefused(small().node("Conv2D", "z", "x w", "padding=SAME", "strides=[1]"), "strides must have 4 numbers");
        assertRefused(small().node("Conv2D", "z", "x w", "padding=SAME", "strides=1"), "must be of kind LIST");
        assertRefused(
                small().integer("axis", 1).node("Split", "z", "axis x", "num_split=1000000000"), "1000000000 outputs");
        assertRefused(small().node("Unpack", "z", "x", "num=-1"), "-1 outputs");
        assertRefused(small().node("DepthToSpace", "z", "x", "block_size=70000"), "70000");
        assertRefused(small().integer("axis", 9).node("ExpandDims", "z", "x axis"), "axis 9");
        assertRefused(
                small().ints("pads", new long[] {4, 2}, 0, 0, -9, 0, 0, 0, 0, 0).node("Pad", "z", "x pads"), "-9");
    }

    @Test
    void sizesThatAreTooLarge() throws IOException {
        int huge = Integer.MAX_VALUE;
        assertRefused(small().ints("many", huge, huge, huge, huge).node("Tile", "z", "x many"), "too large");
        assertRefused(small().ints("size", huge, huge).node("ResizeBilinear", "z", "x size"), "z");
        assertRefused(
                new TfGraph()
                        .input("x", 1, 4)
                        .ints("dims", huge, huge, 4)
                        .number("one", 1)
                        .node("Fill", "f", "dims one")
                        .node("Add", "y", "x f"),
                "y");
        TfGraph growing = new TfGraph().input("x", 1, 4);
        String last = "x";
        for (int i = 0; i < 70; i++) {
            growing.ints("s" + i, 2, 2).node("Tile", "t" + i, last + " s" + i);
            last = "t" + i;
        }
        assertRefused(growing, "too large");
        assertRefused(new TfGraph().input("x", 1L << 62, 4).node("Relu", "y", "x"), "too large");
    }

    @Test
    void allThatIsUnsupportedIsNamedAtOnce() throws IOException {
        TfGraph graph = new TfGraph()
                .input("x", 1, 4)
                .node("Relu", "r", "x")
                .node("Frobnicate", "f", "r")
                .node("Quux", "q", "f")
                .node("Digamma", "y", "q");
        assertRefused(
                graph,
                "3 nodes cannot be used",
                "node 2 'f' (Frobnicate): Clinfer has no operator Frobnicate",
                "node 3 'q' (Quux): Clinfer has no operator Quux",
                "node 4 'y' (Digamma)");
        Ran checked = clinfer("check", folder.resolve("graph.pb"), "--device", "cpu");
        assertThat(checked.code()).as("%s", checked).isEqualTo(1);
        assertThat(checked.out())
                .contains("  0 of 4 nodes on the device (0 %); 1 falls-back, 3 unsupported")
                .anyMatch(line -> line.contains("Frobnicate"))
                .anyMatch(line -> line.contains("Quux"))
                .anyMatch(line -> line.contains("Digamma"));
    }

    @Test
    void namesFromTheFileDoNotReachTheTerminalAsTheyAre() throws IOException {
        assertRefused(
                new TfGraph().input("x", 1, 4).node("Od\u001b[31md\n", "odd", "x"),
                "no operator Od\\u001b[31md\\u000a");
    }
}
