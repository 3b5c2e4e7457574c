package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports on models with parts that Clinfer does not have. */
class OpaqueOnnxTest {

    private static final int STRING = 8;

    @TempDir
    Path folder;

    private CheckReport check(TestModel model) {
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph graph = checker.read(model.write(folder));
        return checker.check(graph, Map.of(), ProfileCatalog.builtIn().find("ascend310"), Reading.DOCUMENT);
    }

    /** The nodes with their operators and verdicts. */
    private static Map<String, String> verdicts(CheckReport report) {
        Map<String, String> verdicts = new LinkedHashMap<>();
        report.nodes()
                .forEach(node -> verdicts.put(
                        node.node(), node.op() + " " + node.verdict().label()));
        return verdicts;
    }

    private static TestModel custom(TestModel model, String op, String from, String to) {
        model.graph()
                .addNode(NodeProto.newBuilder()
                        .setOpType(op)
                        .setName(op)
                        .setDomain("com.acme")
                        .addInput(from)
                        .addOutput(to));
        return model;
    }

    private static TestModel customBetween() {
        return custom(TestModel.opset(17).input("x", 1, 8).node("Relu", "x", "a"), "MyOp", "a", "b")
                .node("Sigmoid", "b", "c")
                .output("c");
    }

    @Test
    void aCustomOperatorIsUnsupportedAndWhatFollowsUnknown() {
        CheckReport report = check(customBetween());
        assertThat(verdicts(report))
                .containsExactly(
                        entry("relu", "Relu on-device"),
                        entry("MyOp", "com.acme.MyOp unsupported"),
                        entry("sigmoid", "Sigmoid unknown"));
        assertThat(report.nodes().get(1).findings().get(0).message())
                .isEqualTo("Clinfer has no operator com.acme.MyOp");
    }

    @Test
    void nodesOfWhichNothingIsKnownNameTheOneThatTheyGoBackTo() {
        CheckReport report = check(custom(TestModel.opset(17).input("x", 1, 8), "MyOp", "x", "a")
                .node("Sigmoid", "a", "b")
                .node("Relu", "b", "c")
                .output("c"));
        assertThat(report.nodes().subList(1, 3))
                .allSatisfy(node -> assertThat(node.findings().get(0).message())
                        .isEqualTo("an input of it could not be determined, which comes of 'MyOp'"));
    }

    @Test
    void aDeclaredTypeLetsTheRestBeJudged() {
        TestModel model = customBetween();
        model.graph().addValueInfo(TestModel.info("b", TestModel.FLOAT, 1, 4));
        CheckReport report = check(model);
        assertThat(verdicts(report)).containsEntry("sigmoid", "Sigmoid on-device");
        assertThat(report.nodes().get(2).outputs().get(0).type().orElseThrow()).hasToString("1x4:float32");
    }

    @Test
    void aModelThatIsToBeRunNamesAllThatIsMissing() {
        Path file = custom(customBetween().node("Nonsense", "c", "d"), "Other", "d", "e")
                .output("e")
                .write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(UnsupportedException.class)
                .hasMessage("test.onnx: 3 parts of the model cannot be used:"
                        + " node 1 'MyOp' (MyOp): Clinfer has no operator com.acme.MyOp;"
                        + " node 3 'nonsense' (Nonsense): Clinfer has no operator Nonsense;"
                        + " node 4 'Other' (Other): Clinfer has no operator com.acme.Other");
    }

    @Test
    void aRefusedUseTakesBackWhatWasWrittenForIt() {
        CheckReport report = check(TestModel.opset(17)
                .input("x", 1, 8)
                .node(
                        "Relu",
                        "x",
                        "y",
                        AttributeProto.newBuilder()
                                .setName("slope")
                                .setType(AttributeType.INT)
                                .setI(1)
                                .build())
                .output("y"));
        assertThat(verdicts(report)).containsExactly(entry("relu", "Relu unsupported"));
        assertThat(report.nodes().get(0).findings().get(0).message())
                .isEqualTo("operator Relu with attribute 'slope' is not supported");
    }

    @Test
    void aUseThatDependsOnWhatIsNotKnownIsUnknown() {
        CheckReport report = check(custom(TestModel.opset(17).input("x", 1, 8), "MyOp", "x", "a")
                .input("v", 4)
                .node("Reshape", "v,a", "b")
                .node("TopK", "v,a", "c,d")
                .output("b", "c", "d"));
        assertThat(verdicts(report))
                .containsExactly(
                        entry("MyOp", "com.acme.MyOp unsupported"),
                        entry("reshape", "Reshape unknown"),
                        entry("topk", "TopK unknown"));
    }

    @Test
    void inputsAndInitializersOfOtherTypesAreNodes() {
        CheckReport report = check(TestModel.opset(17)
                .typed("words", STRING, 2)
                .initializer(TestModel.tensor("names", STRING, 2))
                .input("x", 1, 8)
                .node("StringConcat", "words,names", "s")
                .node("Relu", "x", "y")
                .output("s", "y"));
        assertThat(verdicts(report))
                .containsExactly(
                        entry("words", "Input unsupported"),
                        entry("names", "Initializer unsupported"),
                        entry("stringconcat", "StringConcat unsupported"),
                        entry("relu", "Relu on-device"));
    }

    @Test
    void bodiesOfControlFlowAreJudgedNodeByNode() {
        TestModel model = TestModel.opset(17).typed("c", TestModel.BOOL).input("x", 1, 8);
        model.graph()
                .addNode(NodeProto.newBuilder()
                        .setOpType("If")
                        .setName("if")
                        .addInput("c")
                        .addOutput("y")
                        .addAttribute(branch("then_branch", "com.acme", "MyOp"))
                        .addAttribute(branch("else_branch", "", "Relu")));
        CheckReport report = check(model.output("y"));
        assertThat(verdicts(report))
                .containsEntry("if", "If falls-back")
                .containsEntry("if/then/MyOp", "com.acme.MyOp unsupported")
                .containsEntry("if/else/Relu", "Relu on-device");
        assertThat(report.nodes())
                .filteredOn(node -> node.op().equals("Identity"))
                .isNotEmpty()
                .allMatch(CheckReport.NodeReport::isAdded);
    }

    private static AttributeProto branch(String name, String domain, String op) {
        GraphProto graph = GraphProto.newBuilder()
                .setName(name)
                .addNode(NodeProto.newBuilder()
                        .setOpType(op)
                        .setName(op)
                        .setDomain(domain)
                        .addInput("x")
                        .addOutput("r"))
                .addOutput(TestModel.info("r", TestModel.FLOAT, 1, 8))
                .build();
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeType.GRAPH)
                .setG(graph.toByteString())
                .build();
    }

    @Test
    void aModelIsJudgedWithoutItsExternalData() {
        TensorProto.Builder weights = TestModel.tensor("w", TestModel.FLOAT, 8, 3, 3, 3)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue("gone.bin"));
        TestModel model = TestModel.opset(17)
                .input("x", 1, 3, 9, 9)
                .initializer(weights)
                .node("Conv", "x,w", "y")
                .output("y");
        CheckReport there = check(TestModel.opset(17)
                .input("x", 1, 3, 9, 9)
                .floats("w", 8, 3, 3, 3)
                .node("Conv", "x,w", "y")
                .output("y"));
        assertThat(check(model).nodes()).isEqualTo(there.nodes());
        Path file = model.write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("'gone.bin' is missing");
    }
}
