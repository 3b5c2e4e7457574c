package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.floatList;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.FunctionProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of ONNX models that are operators of a user's descriptions. */
class OnnxDescribedTranslatorTest {

    private static final String OPERATORS = """
            {"ops": [
              {"optype": "Frob", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "a", "mtype": "LN_MEM_NONE"},
                 {"arg_name": "b", "mtype": "LN_MEM_NONE", "optional": true},
                 {"arg_name": "c", "mtype": "LN_MEM_NONE", "optional": true}],
               "params": [
                 {"arg_name": "fast", "ptype": "LN_PARAM_BOOL", "default": false},
                 {"arg_name": "flags", "ptype": "LN_PARAM_ARRAY_BOOL", "default": []}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "a.dtype", "dims": "a.dims"},
                 {"arg_name": "z", "mtype": "LN_MEM_NONE", "dtype": "a.dtype", "dims": "a.dims", "optional": true}]},
              {"optype": "Conv", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Constant", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]}]}
            """;

    @TempDir
    private Path folder;

    private OpCatalog catalog = OpCatalog.empty();

    @BeforeEach
    void describe() throws IOException {
        Path operators = Files.createDirectory(folder.resolve("operators"));
        Files.writeString(operators.resolve("mine.json"), OPERATORS);
        catalog = OpCatalog.builtIn().with(operators);
    }

    private Graph read(TestModel model) {
        return new OnnxImporter(catalog).read(model.write(folder));
    }

    private static TestModel model(
            String domain, String op, String inputs, String outputs, AttributeProto... attributes) {
        TestModel model = TestModel.opset(13).input("x", 2, 3).input("w", 2, 3).node(op, inputs, outputs, attributes);
        model.graph().getNodeBuilder(0).setDomain(domain);
        return model.output("y");
    }

    private Node node(TestModel model) {
        return read(model).nodes().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ai.onnx", "my.ops", "com.microsoft"})
    void isPassedThroughOfAnyDomain(String domain) {
        Node node = node(model(domain, "Frob", "x,,w", "y,z"));

        assertThat(node.op()).isEqualTo("Frob");
        assertThat(node.name()).isEqualTo("frob");
        assertThat(node.inputs()).containsExactly("x", "", "w");
        assertThat(node.outputs()).containsExactly("y", "z");
        assertThat(node.params()).isEmpty();
        assertThat(node.source()).hasToString("test.onnx: node 0 'frob' (Frob)");
    }

    @Test
    void attributesBecomeParameters() {
        AttributeProto texts = TestModel.attribute("texts", AttributeType.STRINGS)
                .addStrings(ByteString.copyFromUtf8("a"))
                .addStrings(ByteString.copyFromUtf8("b"))
                .build();
        AttributeProto none = TestModel.attribute("none", AttributeType.INTS).build();
        Node node = node(model(
                "my.ops",
                "Frob",
                "x",
                "y",
                integer("whole", 7),
                real("real", 0.5f),
                text("text", "hello"),
                ints("wholes", 1, -2),
                floatList("reals", 0.25f, 3),
                texts,
                none,
                integer("fast", 1),
                ints("flags", 0, 1)));

        assertThat(node.params())
                .containsEntry("whole", Attribute.of(7))
                .containsEntry("real", Attribute.of(0.5))
                .containsEntry("text", Attribute.of("hello"))
                .containsEntry("wholes", Attribute.ofInts(1, -2))
                .containsEntry("reals", Attribute.ofReals(0.25, 3))
                .containsEntry("texts", Attribute.ofTexts(List.of("a", "b")))
                .containsEntry("none", Attribute.ofInts())
                .containsEntry("fast", Attribute.of(true))
                .containsEntry("flags", new Attribute.ListValue(List.of(Attribute.of(false), Attribute.of(true))))
                .hasSize(9);
    }

    @Test
    void otherAttributesAreRefused() {
        AttributeProto tensor = TestModel.tensorAttribute("table", TestModel.tensor("t", TestModel.FLOAT, 0));
        assertThatThrownBy(() -> read(model("my.ops", "Frob", "x", "y", tensor)))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("operator Frob with attribute 'table' of type TENSOR");
        AttributeProto reference =
                integer("fast", 1).toBuilder().setRefAttrName("speed").build();
        assertThatThrownBy(() -> read(model("my.ops", "Frob", "x", "y", reference)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("'fast' refers to a function's attribute");
    }

    @Test
    void onnxComesFirstInItsOwnDomain() {
        assertThatThrownBy(() -> read(model("", "Conv", "x", "y"))).isInstanceOf(GraphException.class);
        assertThat(node(model("my.ops", "Conv", "x", "y")).op()).isEqualTo("Conv");
        assertThat(node(model("my.ops", "Constant", "x", "y")).op()).isEqualTo("Constant");
    }

    @Test
    void anotherDomainsOperatorIsNotOneOfOurs() {
        assertThatThrownBy(() -> read(model("my.ops", "Relu", "x", "y")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("Clinfer has no operator my.ops.Relu");
        assertThatThrownBy(() -> read(model("my.ops", "Nothing", "x", "y")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("my.ops.Nothing");
    }

    @Test
    void aFunctionOfTheModelStandsAboveADescription() {
        TestModel model = model("my.ops", "Frob", "x", "y");
        model.model()
                .addOpsetImport(
                        OperatorSetIdProto.newBuilder().setDomain("my.ops").setVersion(2))
                .addFunctions(FunctionProto.newBuilder()
                        .setDomain("my.ops")
                        .setName("Frob")
                        .addInput("a")
                        .addOutput("b")
                        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(13))
                        .addNode(NodeProto.newBuilder()
                                .setOpType("Neg")
                                .addInput("a")
                                .addOutput("b")));

        assertThat(read(model).nodes().stream().map(Node::op)).containsExactly("Neg");
    }
}
