package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** If and While of SavedModels whose conditions are computed, and the lists of tensors that loops write. */
final class SavedModelControlTest {

    private static final String USUAL = "serving_default";

    @TempDir
    private Path folder;

    private Graph read(SavedModelFolder model, UnsupportedLayers unsupported) throws IOException {
        return new TensorflowImporter(OpCatalog.builtIn()).read(model.write(folder), unsupported);
    }

    private static void types(NodeDef.Builder node, DataType... types) {
        AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
        for (DataType type : types) {
            list.addType(type);
        }
        node.putAttr("T", AttrValue.newBuilder().setList(list).build());
    }

    /** A loop over a number, a value and a third value while the number is less than three; its first three outputs. */
    private static SavedModelFolder loop(TfGraph graph, TfGraph body, String third, DataType type) {
        graph.node("While", "loop", "start in third")
                .with(node -> SavedModelFolder.calls(node, "cond", "less"))
                .with(node -> SavedModelFolder.calls(node, "body", "again"))
                .with(node -> types(node, DataType.DT_INT32, DataType.DT_FLOAT, type));
        TfGraph less = new TfGraph().integer("three", 3).node("Less", "less", "i three:output:0");
        body.integer("one", 1).node("AddV2", "next", "i one:output:0");
        return new SavedModelFolder(graph)
                .function("less", "i x z", less, "holds=less:z:0")
                .function("again", "i x z", body, "i=next:z:0", "x=x1:y:0", "z=" + third)
                .input(USUAL, "x", "in:0", 2, 3);
    }

    private static TfGraph start() {
        return new TfGraph().input("in", 2, 3).integer("start", 0);
    }

    @Test
    void whatAnIterationDoesNotChangeIsNoState() throws IOException {
        TfGraph graph = start().node("Abs", "third", "in");
        SavedModelFolder model = loop(graph, new TfGraph().node("AddV2", "x1", "x z"), "z", DataType.DT_FLOAT)
                .output(USUAL, "y", "loop:1")
                .output(USUAL, "same", "loop:2");

        Graph read = read(model, UnsupportedLayers.REFUSED);
        Node loop = read.nodes().stream().filter(Node::isControl).findFirst().orElseThrow();
        assertThat(loop.op()).isEqualTo(ControlFlow.LOOP);
        assertThat(ControlFlow.states(loop)).isEqualTo(2);
        assertThat(ControlFlow.captured(loop)).containsExactly("same");
        assertThat(loop.inputs().get(1)).as("the first condition is known").isEmpty();
        assertThat(loop.body(ControlFlow.BODY).nodes())
                .extracting(Node::op)
                .containsExactlyInAnyOrder("Add", "Add", "Less");
        assertThat(read.nodes()).extracting(Node::op).containsExactlyInAnyOrder("Abs", "Loop", "Identity");
    }

    @Test
    void loopsAndArraysOfTensorflow1AreLoopsAndLists() throws IOException {
        SavedModelFolder model = new SavedModelFolder(TfControlGraphs.mapped())
                .input(USUAL, "given", "x:0", 2)
                .output(USUAL, "exp", "y:0");

        Graph read = read(model, UnsupportedLayers.REFUSED);
        assertThat(read.outputs()).containsExactly("exp");
        assertThat(read.nodes()).filteredOn(Node::isControl).hasSize(1);
        Node loop = read.nodes().stream().filter(Node::isControl).findFirst().orElseThrow();
        assertThat(loop.op()).isEqualTo(ControlFlow.LOOP);
        assertThat(loop.body(ControlFlow.BODY).nodes()).extracting(Node::op).contains(ControlFlow.IF);
    }

    @Test
    void aLoopThatNeverRunsGivesWhatItTakes() throws IOException {
        TfGraph graph = new TfGraph().input("in", 2, 3).integer("start", 3).node("Abs", "third", "in");
        SavedModelFolder model = loop(graph, new TfGraph().node("Neg", "x1", "x"), "x1:y:0", DataType.DT_FLOAT)
                .output(USUAL, "y", "loop:2");

        assertThat(read(model, UnsupportedLayers.REFUSED).nodes())
                .extracting(Node::op)
                .containsExactly("Abs", "Identity");
    }

    @Test
    void nodesOfBodiesThatAreNotKnownAreOpaqueAndRefuseARun() throws IOException {
        TfGraph graph = start().node("Abs", "third", "in");
        TfGraph body = new TfGraph().node("Mystery", "odd", "x").node("Neg", "x1", "odd:y:0");
        SavedModelFolder model = loop(graph, body, "x1:y:0", DataType.DT_FLOAT).output(USUAL, "y", "loop:1");

        assertThatThrownBy(() -> read(model, UnsupportedLayers.REFUSED))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("Clinfer has no operator Mystery");
        Graph read = read(model, UnsupportedLayers.OPAQUE);
        Graph inner = read.nodes().stream()
                .filter(Node::isControl)
                .findFirst()
                .orElseThrow()
                .body(ControlFlow.BODY);
        assertThat(inner.nodes()).extracting(Node::op).contains("Mystery", "Neg", "Less");
    }

    private static SavedModelFolder choosing() {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .number("zero", 0)
                .ints("axes", 0, 1)
                .node("Sum", "sum", "in axes")
                .node("Greater", "truth", "sum zero")
                .node("Abs", "other", "in")
                .node("If", "choice", "truth in other")
                .with(node -> SavedModelFolder.calls(node, "then_branch", "first"))
                .with(node -> SavedModelFolder.calls(node, "else_branch", "second"));
        return new SavedModelFolder(graph)
                .function("first", "x y", new TfGraph().node("Neg", "n", "x"), "y=n:y:0")
                .function("second", "x y", new TfGraph().node("AddV2", "a", "x y"), "y=a:z:0")
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "choice:0");
    }

    @Test
    void branchesTakeWhatTheyRead() throws IOException {
        Graph read = read(choosing(), UnsupportedLayers.REFUSED);
        Node choice = read.nodes().stream().filter(Node::isControl).findFirst().orElseThrow();

        assertThat(choice.op()).isEqualTo(ControlFlow.IF);
        assertThat(ControlFlow.captured(choice)).containsExactly("x", "other");
        assertThat(choice.body(ControlFlow.THEN).inputs())
                .extracting(Graph.Input::name)
                .containsExactly("x");
        assertThat(choice.body(ControlFlow.ELSE).nodes()).extracting(Node::op).containsExactly("Add");
    }

    /** A Case by a number that is a constant, or that data decide. */
    private static SavedModelFolder cases(Optional<Integer> number, String... branches) {
        TfGraph graph = new TfGraph().input("in", 2, 3).ints("axes", 0, 1);
        if (number.isPresent()) {
            graph.integer("which", number.get());
        } else {
            graph.node("Sum", "sum", "in axes").node("Cast", "which", "sum", "SrcT=float", "DstT=int32");
        }
        graph.node("StatelessCase", "choice", "which in")
                .with(node -> SavedModelFolder.callsOneOf(node, "branches", branches));
        return new SavedModelFolder(graph)
                .function("first", "x", new TfGraph().node("Neg", "n", "x"), "y=n:y:0")
                .function("second", "x", new TfGraph().node("Abs", "a", "x"), "y=a:y:0")
                .function("third", "x", new TfGraph().node("Exp", "e", "x"), "y=e:y:0")
                .input(USUAL, "x", "in:0", 2, 3)
                .output(USUAL, "y", "choice:0");
    }

    @Test
    void aCaseOfAKnownNumberIsItsBranch() throws IOException {
        String[] branches = {"first", "second", "third"};
        Map<Integer, String> expected = Map.of(0, "Neg", 1, "Abs", 2, "Exp", 3, "Exp", -1, "Exp");
        for (Map.Entry<Integer, String> each : expected.entrySet()) {
            assertThat(read(cases(Optional.of(each.getKey()), branches), UnsupportedLayers.REFUSED)
                            .nodes())
                    .extracting(Node::op)
                    .containsExactly(each.getValue());
        }
        assertThat(read(cases(Optional.empty(), "second"), UnsupportedLayers.REFUSED)
                        .nodes())
                .extracting(Node::op)
                .containsExactly("Abs");
    }

    @Test
    void aCaseOfTwoBranchesIsAnIf() throws IOException {
        Graph read = read(cases(Optional.empty(), "first", "second"), UnsupportedLayers.REFUSED);
        Node choice = read.nodes().stream().filter(Node::isControl).findFirst().orElseThrow();

        assertThat(choice.op()).isEqualTo(ControlFlow.IF);
        assertThat(choice.body(ControlFlow.THEN).nodes()).extracting(Node::op).containsExactly("Abs");
        assertThat(choice.body(ControlFlow.ELSE).nodes()).extracting(Node::op).containsExactly("Neg");
    }

    @ParameterizedTest
    @CsvSource({"0, -1", "1, 1", "2, 2.7182817", "3, 2.7182817", "-1, 2.7182817"})
    void aCaseOfMoreBranchesChoosesAsDataDecide(int number, float expected) throws IOException {
        Path file = cases(Optional.empty(), "first", "second", "third").write(folder);
        Tensor x = Tensor.of(new float[] {1, number - 1, 0, 0, 0, 0}, 2, 3);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").copy().toFloatArray()[0]).isCloseTo(expected, within(1e-6f));
        }
    }

    @Test
    void aCaseHasABranchForEachNumberInReason() {
        String[] branches = new String[129];
        Arrays.fill(branches, "first");
        assertThatThrownBy(() -> read(cases(Optional.empty(), branches), UnsupportedLayers.REFUSED))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("node 'choice' has 129 branches, more than 128");
    }

    @Test
    void aLoopDrawsNoRandomNumbers() {
        TfGraph body = new TfGraph()
                .ints("size", 2, 3)
                .node("RandomUniform", "noise", "size:output:0", "dtype=DT_FLOAT")
                .node("AddV2", "x1", "x noise:output:0");
        SavedModelFolder model = loop(start().node("Abs", "third", "in"), body, "z", DataType.DT_FLOAT)
                .output(USUAL, "y", "loop:1");
        assertThatThrownBy(() -> read(model, UnsupportedLayers.REFUSED))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator RandomUniform with a place in a loop");
    }

    private static TfGraph list(TfGraph graph, int... elementShape) {
        return graph.ints("shape", elementShape)
                .integer("length", 3)
                .node("TensorListReserve", "third", "shape length", "element_dtype=float", "shape_type=int32");
    }

    private static SavedModelFolder writing(TfGraph graph, String item) {
        TfGraph body = new TfGraph()
                .node("Tanh", "x1", "x")
                .node("Relu", "item", item)
                .node("TensorListSetItem", "write", "z i item:y:0", "element_dtype=float");
        return loop(graph, body, "write:y:0", DataType.DT_VARIANT).output(USUAL, "y", "stack:0");
    }

    private static TfGraph stacked(TfGraph graph) {
        return graph.node("TensorListStack", "stack", "loop:2 shape", "element_dtype=float", "num_elements=3");
    }

    @Test
    void aListOfTensorsIsATensor() throws IOException {
        Graph read = read(writing(stacked(list(start(), 2, 3)), "x"), UnsupportedLayers.REFUSED);

        Node zeros = read.nodes().stream()
                .filter(node -> node.op().equals("ConstantOfShape"))
                .findFirst()
                .orElseThrow();
        assertThat(zeros.params().get("shape")).hasToString("[3, 2, 3]");
        Node loop = read.nodes().stream().filter(Node::isControl).findFirst().orElseThrow();
        assertThat(loop.inputs()).contains(zeros.outputs().get(0));
        assertThat(loop.body(ControlFlow.BODY).nodes()).extracting(Node::op).contains("ScatterND");
    }

    @Test
    void theBodySaysTheShapeOfElements() throws IOException {
        Graph read = read(writing(stacked(list(start(), -1, 3)), "x"), UnsupportedLayers.REFUSED);

        assertThat(read.nodes())
                .filteredOn(node -> node.op().equals("ConstantOfShape"))
                .extracting(node -> String.valueOf(node.params().get("shape")))
                .containsExactly("[3, 2, 3]");
    }

    @Test
    void aListWhoseElementsNobodyKnowsIsOpaque() throws IOException {
        TfGraph graph = stacked(list(new TfGraph().input("in", -1, 3).integer("start", 0), -1, 3));
        SavedModelFolder model = writing(graph, "x").input(USUAL, "x", "in:0", -1, 3);

        assertThatThrownBy(() -> read(model, UnsupportedLayers.REFUSED))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator TensorListReserve with elements whose shape is not known");
        Graph read = read(model, UnsupportedLayers.OPAQUE);
        assertThat(read.nodes()).extracting(Node::op).contains("TensorListReserve", "Loop", "TensorListStack");
    }

    @Test
    void otherOperatorsTakeNoLists() throws IOException {
        TfGraph graph = new TfGraph()
                .input("in", 2, 3)
                .ints("shape", 3)
                .node("TensorListFromTensor", "list", "in shape", "element_dtype=float", "shape_type=int32")
                .node("Neg", "n", "list");
        SavedModelFolder model =
                new SavedModelFolder(graph).input(USUAL, "x", "in:0", 2, 3).output(USUAL, "y", "n:0");

        assertThatThrownBy(() -> read(model, UnsupportedLayers.REFUSED))
                .hasMessageContaining("operator Neg with a list of tensors is not supported");
    }

    @Test
    void variablesOfBodiesWhoseFileIsMissing() throws IOException {
        TfGraph graph = start().node("VarHandleOp", "third", "", "shared_name=bias", "dtype=float");
        TfGraph body = new TfGraph()
                .node("ReadVariableOp", "bias", "z", "dtype=float")
                .node("Relu", "r", "x")
                .node("AddV2", "x1", "r:y:0 bias:value:0", "T=float");
        TensorProto bias = TfGraph.tensor(DataType.DT_FLOAT, 3)
                .setTensorContent(ByteString.copyFrom(new byte[12]))
                .build();
        SavedModelFolder model = loop(graph, body, "z", DataType.DT_RESOURCE)
                .variable("bias", bias)
                .output(USUAL, "y", "loop:1");

        Graph inner = read(model, UnsupportedLayers.REFUSED).nodes().stream()
                .filter(Node::isControl)
                .findFirst()
                .orElseThrow()
                .body(ControlFlow.BODY);
        assertThat(inner.constants()).containsKey("third");
        Path file = model.write(folder);
        Files.delete(folder.resolve("variables/variables.data-00000-of-00001"));
        assertThatThrownBy(() -> new TensorflowImporter(OpCatalog.builtIn()).read(file, UnsupportedLayers.REFUSED))
                .isInstanceOf(MissingFileException.class);
    }
}
