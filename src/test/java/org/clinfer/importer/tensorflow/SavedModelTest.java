package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.savedmodel.SavedModelReader;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SavedModels that are written here, piece by piece; those that TensorFlow wrote are run elsewhere. */
class SavedModelTest {

    private static final String USUAL = "serving_default";

    @TempDir
    private Path folder;

    private Graph read(SavedModelFolder model) throws IOException {
        return read(model.write(folder), UnsupportedLayers.REFUSED);
    }

    private static Graph read(Path file, UnsupportedLayers unsupported) {
        return new TensorflowImporter(OpCatalog.builtIn()).read(file, unsupported);
    }

    private static TensorProto floats(ByteOrder order, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(order);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return TfGraph.tensor(DataType.DT_FLOAT, values.length)
                .setTensorContent(ByteString.copyFrom(bytes.flip()))
                .build();
    }

    /** A variable that is added, in a function. */
    private static SavedModelFolder adding() {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("VarHandleOp", "bias", "", "shared_name=bias", "dtype=float")
                .node("StatefulPartitionedCall", "call", "in bias")
                .with(node -> SavedModelFolder.calls(node, "f", "add"));
        TfGraph body = new TfGraph()
                .node("ReadVariableOp", "read", "b", "dtype=float")
                .node("AddV2", "sum", "x read:value:0", "T=float")
                .node("Identity", "out", "sum:z:0 ^read", "T=float");
        return new SavedModelFolder(graph)
                .function("add", "x b", body, "result=out:output:0")
                .variable("bias", floats(ByteOrder.LITTLE_ENDIAN, 1, 2, 3))
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "call:0");
    }

    @Test
    void functionsAndVariablesAreGone() throws IOException {
        Graph graph = read(adding());

        assertThat(graph.inputs()).containsExactly(new Graph.Input("x", TensorType.of(DType.FLOAT32, 2, 3)));
        assertThat(graph.outputs()).containsExactly("y");
        assertThat(graph.nodes()).singleElement().satisfies(node -> {
            assertThat(node.op()).isEqualTo("Add");
            assertThat(node.inputs()).containsExactly("x", "bias");
        });
        assertThat(Objects.requireNonNull(graph.constants().get("bias")).toFloatArray())
                .containsExactly(1, 2, 3);
        assertThat(graph.name()).isEqualTo(String.valueOf(folder.getFileName()));
    }

    @Test
    void compressedIndicesAndTheOtherOrderOfBytes() throws IOException {
        SavedModelFolder model =
                adding().compressed().bigEndian().variable("bias", floats(ByteOrder.BIG_ENDIAN, 1, 2, 3));

        assertThat(Objects.requireNonNull(read(model).constants().get("bias")).toFloatArray())
                .containsExactly(1, 2, 3);
    }

    @Test
    void oneFunctionInTwoCallsIsTwoNodes() throws IOException {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("PartitionedCall", "first", "in")
                .with(node -> SavedModelFolder.calls(node, "f", "negate"))
                .node("negate", "second", "first");
        Graph read = read(new SavedModelFolder(graph)
                .function("negate", "x", new TfGraph().node("Neg", "n", "x"), "y=n:y:0")
                .input(USUAL, "x", "in", 2, 3)
                .output(USUAL, "y", "second"));

        assertThat(read.nodes()).extracting(Node::op).containsExactly("Neg", "Neg");
        assertThat(read.nodes()).extracting(Node::name).containsExactly("n", "y");
    }

    /** Functions name outputs by argument; those before one may be several. */
    @Test
    void outputsByTheirArguments() throws IOException {
        TfGraph body = new TfGraph().integer("axis", 1).node("Split", "s", "axis:output:0 x", "num_split=3");
        TfGraph graph = new TfGraph()
                .input("in", 2, 6)
                .node("PartitionedCall", "call", "in")
                .with(node -> SavedModelFolder.calls(node, "f", "split"));
        SavedModelFolder model = new SavedModelFolder(graph)
                .function("split", "x", body, "first=s:other:0", "last=s:output:1")
                .operator("Split", "other", "output")
                .input(USUAL, "x", "in", 2, 6)
                .output(USUAL, "first", "call:0")
                .output(USUAL, "last", "call:1");

        Graph read = read(model);
        Node split = read.nodes().get(0);
        assertThat(split.op()).isEqualTo("Split");
        assertThat(read.outputs()).containsExactly("first", "last");
        assertThat(read.nodes().get(1).inputs()).containsExactly(split.outputs().get(2));
    }

    @Test
    void signatures() throws IOException {
        TfGraph graph = new TfGraph().input("in", 2, 3).node("Neg", "n", "in").node("Abs", "a", "in");
        SavedModelFolder one = new SavedModelFolder(graph)
                .input("other", "x", "in:0", 2, 3)
                .output("other", "y", "n:0")
                .output("__saved_model_init_op", "__saved_model_init_op", "NoOp");
        assertThat(read(one).nodes()).extracting(Node::op).containsExactly("Neg");

        SavedModelFolder two = one.input("third", "x", "in:0", 2, 3).output("third", "z", "a:0");
        assertThatThrownBy(() -> read(two))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("it has the signatures other, third, and none is serving_default");
        System.setProperty(SavedModelReader.SIGNATURE_PROPERTY, "third");
        try {
            assertThat(read(two).outputs()).containsExactly("z");
            System.setProperty(SavedModelReader.SIGNATURE_PROPERTY, "none");
            assertThatThrownBy(() -> read(two))
                    .hasMessageContaining("it has no signature 'none'; there are: other, third");
        } finally {
            System.clearProperty(SavedModelReader.SIGNATURE_PROPERTY);
        }
        assertThatThrownBy(() -> read(new SavedModelFolder(graph)))
                .hasMessageContaining("has no signature")
                .hasMessageContaining("it has no functions");
    }

    @Test
    void functionsWithoutASignatureAreNamed() {
        TfGraph body = new TfGraph().node("Neg", "n", "x");
        SavedModelFolder model = new SavedModelFolder(new TfGraph())
                .function("__inference_serve_12", "x", body, "y=n:y:0")
                .function("__inference_serve_17", "x", body, "y=n:y:0")
                .function("__inference_call_3", "x", body, "y=n:y:0")
                .function("__inference__traced_restore_20", "x", body, "y=n:y:0");

        assertThatThrownBy(() -> read(model))
                .hasMessageContaining("has no signature")
                .hasMessageContaining("it has the functions call, serve, and saved with one of them");
    }

    /** What is fed may be any value; an output may be an input, or have its name. */
    @Test
    void inputsAndOutputsThatAreNoEnds() throws IOException {
        TfGraph graph = new TfGraph()
                .node("Mystery", "decode", "", "dtype=float")
                .node("Neg", "n", "decode")
                .node("Abs", "a", "n");
        Graph read = read(new SavedModelFolder(graph)
                .input(USUAL, "x", "decode:0", 2, 3)
                .output(USUAL, "x", "n:0")
                .output(USUAL, "y", "a:0")
                .output(USUAL, "z", "decode:0"));

        assertThat(read.outputs()).containsExactly("x_output", "y", "z");
        assertThat(read.nodes()).extracting(Node::op).containsExactlyInAnyOrder("Neg", "Identity", "Abs", "Identity");
    }

    private static SavedModelFolder choosing(TfGraph graph) {
        graph.input("in", 2, 3)
                .node("StatelessIf", "choice", "truth in")
                .with(node -> SavedModelFolder.calls(node, "then_branch", "negate"))
                .with(node -> SavedModelFolder.calls(node, "else_branch", "keep"));
        return new SavedModelFolder(graph)
                .function("negate", "x", new TfGraph().node("Neg", "n", "x"), "y=n:y:0")
                .function("keep", "x", new TfGraph().node("Abs", "a", "x"), "y=a:y:0")
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "choice:0");
    }

    @Test
    void conditionsThatAreKnown() throws IOException {
        assertThat(read(choosing(new TfGraph().bool("truth", true))).nodes())
                .extracting(Node::op)
                .containsExactly("Neg");
        assertThat(read(choosing(new TfGraph().bool("truth", false))).nodes())
                .extracting(Node::op)
                .containsExactly("Abs");
    }

    @Test
    void whatThereIsNoOperatorForIsRefusedOrOpaque() throws IOException {
        TfGraph graph = new TfGraph()
                .node("HashTableV2", "table", "")
                .input("in", 2, 3)
                .node("LookupTableFindV2", "found", "table in");
        Path file = new SavedModelFolder(graph)
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "found:0")
                .write(folder);

        assertThatThrownBy(() -> read(file, UnsupportedLayers.REFUSED))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("HashTableV2")
                .hasMessageContaining("LookupTableFindV2");
        assertThat(read(file, UnsupportedLayers.OPAQUE).nodes())
                .extracting(Node::op)
                .containsExactly("HashTableV2", "LookupTableFindV2");
    }

    @Test
    void rowsOfVariables() throws IOException {
        TfGraph graph = new TfGraph()
                .node("VarHandleOp", "table", "", "shared_name=table", "dtype=float")
                .ints("rows", 2, 0)
                .node("ResourceGather", "g", "table rows", "dtype=float", "Tindices=int32")
                .input("in", 2)
                .node("Mul", "m", "g in");
        Graph read = read(new SavedModelFolder(graph)
                .variable("table/.ATTRIBUTES/VARIABLE_VALUE", floats(ByteOrder.LITTLE_ENDIAN, 5, 6, 7))
                .input(USUAL, "x", "in:0", 2)
                .output(USUAL, "y", "m:0"));

        assertThat(read.nodes()).extracting(Node::op).containsExactly("Gather", "Mul");
    }

    @Test
    void variablesWhoseFileIsMissingAreJudged() throws IOException {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .node("VarHandleOp", "bias", "", "shared_name=bias", "dtype=float")
                .with(node -> node.putAttr(
                        "shape",
                        AttrValue.newBuilder()
                                .setShape(TfGraph.tensor(DataType.DT_FLOAT, 3).getTensorShape())
                                .build()))
                .node("ReadVariableOp", "read", "bias", "dtype=float")
                .node("VarHandleOp", "unknown", "", "shared_name=unknown", "dtype=float")
                .node("ReadVariableOp", "readUnknown", "unknown", "dtype=float")
                .node("AddV2", "sum", "in read", "T=float")
                .node("AddV2", "sum2", "sum readUnknown", "T=float");
        Path file = new SavedModelFolder(graph)
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "sum2:0")
                .write(folder);
        Files.delete(folder.resolve("variables/variables.index"));

        assertThatThrownBy(() -> read(file, UnsupportedLayers.REFUSED))
                .hasMessageContaining("the external file 'variables/variables.index' is missing");
        Graph read = read(file, UnsupportedLayers.OPAQUE);
        assertThat(Objects.requireNonNull(read.constants().get("bias")).type()).hasToString("3:float32");
        List<Node> opaque =
                read.nodes().stream().filter(node -> node.opaque().isPresent()).toList();
        assertThat(opaque).extracting(Node::name).contains("unknown");
        assertThat(opaque.get(0).opaque().orElseThrow().cause()).isEqualTo(Opaque.Cause.UNDETERMINED);
        assertThat(opaque.get(0).opaque().orElseThrow().reason())
                .isEqualTo("its elements are in a file that is missing");
    }
}
