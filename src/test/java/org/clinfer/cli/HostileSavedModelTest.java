package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.clinfer.importer.tensorflow.SavedModelFolder;
import org.clinfer.importer.tensorflow.TfGraph;
import org.clinfer.importer.tensorflow.checkpoint.TableWriter;
import org.clinfer.importer.tensorflow.proto.BundleEntryProto;
import org.clinfer.importer.tensorflow.proto.BundleHeaderProto;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.importer.tensorflow.proto.TensorSliceProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SavedModels that are damaged, incomplete, endless, or not what they claim to be. */
final class HostileSavedModelTest extends HostileInput {

    private static final String INDEX = "variables/variables.index";
    private static final String DATA = "variables/variables.data-00000-of-00001";

    private static SavedModelFolder model(TfGraph graph, String result) {
        return new SavedModelFolder(graph)
                .input("serving_default", "x", "in:0", 2, 3)
                .output("serving_default", "y", result);
    }

    private static SavedModelFolder calling(String first) {
        TfGraph graph = new TfGraph().input("in", 2, 3).node(first, "call", "in");
        return model(graph, "call:0");
    }

    private static SavedModelFolder biased() {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("VarHandleOp", "bias", "", "shared_name=bias", "dtype=float")
                .node("ReadVariableOp", "read", "bias", "dtype=float")
                .node("AddV2", "sum", "in read", "T=float");
        TensorProto bias = TfGraph.tensor(DataType.DT_FLOAT, 3)
                .setTensorContent(ByteString.copyFrom(new byte[12]))
                .build();
        return model(graph, "sum:0").variable("bias", bias);
    }

    private Ran run() {
        return clinfer("run", folder, "--device", "cpu", "--input", "x=zeros");
    }

    private void assertRefused(SavedModelFolder model, String... reasons) throws IOException {
        model.write(folder);
        assertRefused(run(), reasons);
    }

    @Test
    void foldersAndFiles() throws IOException {
        Path file = biased().write(folder);

        assertThat(run().code()).isZero();
        assertThat(clinfer("run", file, "--device", "cpu", "--input", "x=zeros").code())
                .isZero();
        assertThat(clinfer("check", folder, "--device", "cpu").code()).isZero();
    }

    @Test
    void truncatedFiles() throws IOException {
        Path model = biased().write(folder);
        for (Path file : new Path[] {model, folder.resolve(INDEX), folder.resolve(DATA)}) {
            byte[] whole = Files.readAllBytes(file);
            for (int length = 0; length < whole.length - 12; length += 1 + whole.length / 40) {
                Files.write(file, Arrays.copyOf(whole, length));
                assertRefused(run());
            }
            Files.write(file, whole);
        }
    }

    @Test
    void corruptedFiles() throws Exception {
        Path model = biased().write(folder);
        for (Path file : new Path[] {model, folder.resolve(INDEX), folder.resolve(DATA)}) {
            assertDamageIsHandled(file, 100, this::run);
        }
    }

    @Test
    void changedWeightsAreNoticed() throws IOException {
        biased().write(folder);
        byte[] data = Files.readAllBytes(folder.resolve(DATA));
        data[5] = 1;
        Files.write(folder.resolve(DATA), data);

        assertRefused(run(), "tensor 'bias'", "the checksum of its 12 bytes", "differs");
    }

    @Test
    void missingFiles() throws IOException {
        biased().write(folder);
        Files.delete(folder.resolve(DATA));
        assertRefused(run(), "'variables/variables.data-00000-of-00001' is missing");
        Files.delete(folder.resolve(INDEX));
        assertRefused(run(), "'variables/variables.index' is missing");
        Files.delete(folder.resolve("saved_model.pb"));
        assertThat(run().err().get(0)).contains("is a folder without a model.json, a saved_model.pb");
    }

    @Test
    void variablesThatAreNotThere() throws IOException {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("VariableV2", "w", "", "dtype=float")
                .node("AddV2", "sum", "in w", "T=float");
        assertRefused(model(graph, "sum:0"), "the variable 'w' is not in the checkpoint");
    }

    @Test
    void functionsThatCallThemselves() throws IOException {
        assertRefused(
                calling("f")
                        .function("f", "x", new TfGraph().node("g", "inner", "x"), "y=inner:y:0")
                        .function("g", "x", new TfGraph().node("f", "inner", "x"), "y=inner:y:0"),
                "the function 'f' calls itself");
    }

    @Test
    void callsInARing() throws IOException {
        TfGraph graph = new TfGraph().input("in", 2, 3).node("f", "a", "b").node("f", "b", "a");
        assertRefused(
                model(graph, "a:0").function("f", "x", new TfGraph().node("Neg", "n", "x"), "y=x"),
                "values are passed on more often than");
    }

    @Test
    void deepCalls() throws IOException {
        SavedModelFolder model = calling("f0");
        for (int i = 0; i < 200; i++) {
            String next = i == 199 ? "Neg" : "f" + (i + 1);
            model.function("f" + i, "x", new TfGraph().node(next, "inner", "x"), "y=inner:y:0");
        }
        assertRefused(model, "calls of functions are more than 128 deep");
    }

    /** Each calls the next one twice. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void callsThatMultiply() throws IOException {
        SavedModelFolder model = calling("f0");
        for (int i = 0; i < 40; i++) {
            String next = i == 39 ? "Neg" : "f" + (i + 1);
            TfGraph body = new TfGraph().node(next, "a", "x").node(next, "b", "a:y:0");
            model.function("f" + i, "x", body, "y=b:y:0");
        }
        assertRefused(model, "make more than 400000 nodes");
    }

    private static TfGraph loop(TfGraph graph, String name, String inputs, String body) {
        return graph.node("While", name, inputs)
                .with(node -> SavedModelFolder.calls(node, "cond", "more"))
                .with(node -> SavedModelFolder.calls(node, "body", body));
    }

    private static SavedModelFolder looping(TfGraph body, String... results) {
        return model(loop(new TfGraph().input("in", 2, 3), "loop", "in", "again"), "loop:0")
                .function("more", "x", new TfGraph().bool("yes", true), "y=yes:output:0")
                .function("again", "x", body, results);
    }

    @Test
    void loopsThatAreNone() throws IOException {
        assertRefused(
                looping(loop(new TfGraph(), "inner", "x", "again"), "y=inner:output:0"),
                "the function 'again' calls itself");
        assertRefused(
                looping(new TfGraph(), "y=x", "z=x"), "it is the body of a loop over 1 values and gives 2 results");
        assertRefused(
                looping(new TfGraph(), "y=x").function("more", "x", new TfGraph()),
                "it is the condition of a loop and gives 0 results");
        assertRefused(
                looping(new TfGraph().node("Neg", "n", "x"), "y=n:y:0"),
                "operator While with a condition that always holds");
    }

    /** Each has the next one twice. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void loopsThatMultiply() throws IOException {
        SavedModelFolder model = looping(loop(new TfGraph(), "inner", "x", "f0"), "y=inner:output:0");
        for (int i = 0; i < 40; i++) {
            TfGraph body = new TfGraph().node("Neg", "a", "x").node("Neg", "b", "a:y:0");
            if (i < 39) {
                body = loop(loop(new TfGraph(), "a", "x", "f" + (i + 1)), "b", "a:output:0", "f" + (i + 1));
            }
            model.function("f" + i, "x", body, i < 39 ? "y=b:output:0" : "y=b:y:0");
        }
        assertRefused(model, "it has more than 20000 functions of conditions and loops");
    }

    @Test
    void missingFunctionsNodesAndArguments() throws IOException {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("PartitionedCall", "call", "in")
                .with(node -> SavedModelFolder.calls(node, "f", "none"));
        assertRefused(model(graph, "call:0"), "calls the function 'none', which there is not");
        assertRefused(model(graph, "other:0"), "'other' is the name of no node");
        assertRefused(model(graph, "a:b:c:d"), "'a:b:c:d' is no name of a node's output");
        TfGraph none = new TfGraph();
        assertRefused(calling("f").function("f", "x", none, "y=n:y:0"), "'n' is the name of no node");
        assertRefused(calling("f").function("f", "v w", none, "y=w"), "a call of it has no argument 'w'");
        assertRefused(calling("f").function("f", "x", none), "it has no output 0");
    }

    private static BundleEntryProto.Builder entry(long... sizes) {
        BundleEntryProto.Builder entry = BundleEntryProto.newBuilder().setDtype(DataType.DT_FLOAT);
        for (long size : sizes) {
            entry.getShapeBuilder().addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
        }
        return entry;
    }

    private void assertEntryRefused(BundleEntryProto.Builder entry, String... reasons) throws IOException {
        biased().write(folder);
        TableWriter table = new TableWriter(false)
                .put("", BundleHeaderProto.newBuilder().setNumShards(1).build().toByteArray())
                .put("bias", entry.build().toByteArray());
        Files.write(folder.resolve(INDEX), table.bytes());
        assertRefused(run(), reasons);
    }

    @Test
    void entriesThatClaimTooMuch() throws IOException {
        assertEntryRefused(entry(3).setSize(16), "its elements take 12 bytes, but it has 16");
        assertEntryRefused(entry(1 << 28).setSize(1L << 30), "it needs 1073741824 bytes from offset 0");
        assertEntryRefused(entry(1L << 40, 1L << 40), "more than the 2 GB");
        assertEntryRefused(entry(-3), "an axis has the size -3");
        assertEntryRefused(entry(3).setSize(12).setOffset(-4), "from offset -4");
        assertEntryRefused(entry(3).setSize(12).setShardId(7), "it is in data file 7, but there are 1");
        assertEntryRefused(entry(3).setDtype(DataType.DT_STRING), "the data type string");
        TensorSliceProto.Builder slice = TensorSliceProto.newBuilder();
        slice.addExtentBuilder().setStart(0).setLength(2);
        assertEntryRefused(entry(1 << 28).addSlices(slice), "it needs 1073741824 bytes, more than all data files have");
        assertEntryRefused(entry(3).addSlices(slice), "one of its parts is not in the checkpoint");
        assertEntryRefused(entry(1).addSlices(slice), "one of its parts is not inside of it");
    }

    @Test
    void indicesOfOtherKinds() throws IOException {
        biased().write(folder);
        Files.write(folder.resolve(INDEX), "no table".repeat(20).getBytes(StandardCharsets.UTF_8));
        assertRefused(run(), "not a valid index of a checkpoint: it does not end as a table does");
        Files.write(
                folder.resolve(INDEX),
                new TableWriter(true).put("x", new byte[3]).bytes());
        assertRefused(run(), "it does not say how many data files there are");
    }
}
