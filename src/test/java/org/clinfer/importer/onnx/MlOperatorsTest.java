package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The operators of ai.onnx.ml: what they refuse, and the maps of ZipMap. */
class MlOperatorsTest {

    @TempDir
    Path folder;

    private static TestModel model(String op, String outputs, AttributeProto... attributes) {
        TestModel model = TestModel.opset(21).input("x", 3, 2);
        node(model, op, "x", outputs, attributes);
        return model;
    }

    private static void node(TestModel model, String op, String inputs, String outputs, AttributeProto... attributes) {
        if (model.model().getOpsetImportCount() == 1) {
            model.model()
                    .addOpsetImport(OperatorSetIdProto.newBuilder()
                            .setDomain("ai.onnx.ml")
                            .setVersion(3));
        }
        model.node(op, inputs, outputs, attributes);
        model.graph().getNodeBuilder(model.graph().getNodeCount() - 1).setDomain("ai.onnx.ml");
    }

    private static AttributeProto texts(String name, String... values) {
        AttributeProto.Builder attribute = TestModel.attribute(name, AttributeType.STRINGS);
        for (String value : values) {
            attribute.addStrings(ByteString.copyFromUtf8(value));
        }
        return attribute.build();
    }

    private static TestModel classifier(AttributeProto labels, String outputs) {
        return model(
                "LinearClassifier",
                outputs,
                TestModel.floatList("coefficients", 1, 2, 3, 4),
                TestModel.floatList("intercepts", 0.5f, -0.5f),
                labels);
    }

    private static AttributeProto[] stump(long whenTrue, long featureOfLeaf, String mode) {
        return new AttributeProto[] {
            TestModel.ints("nodes_treeids", 0, 0, 0),
            TestModel.ints("nodes_nodeids", 0, 1, 2),
            TestModel.ints("nodes_featureids", 1, 0, 0),
            TestModel.floatList("nodes_values", 0.5f, 0, 0),
            texts("nodes_modes", "BRANCH_LEQ", mode, "LEAF"),
            TestModel.ints("nodes_truenodeids", whenTrue, 0, 0),
            TestModel.ints("nodes_falsenodeids", 2, 0, 0),
            TestModel.ints("target_treeids", 0, 0),
            TestModel.ints("target_nodeids", 1, 2),
            TestModel.ints("target_ids", 0, featureOfLeaf),
            TestModel.floatList("target_weights", 1, 2),
            TestModel.integer("n_targets", 1)
        };
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        classifier(texts("classlabels_strings", "cat", "dog"), "label,scores"),
                        "operator LinearClassifier with class labels that are texts is not supported"),
                Arguments.of(
                        model("OneHotEncoder", "y", texts("cats_strings", "cat")),
                        "operator OneHotEncoder with cats_strings is not supported"),
                Arguments.of(
                        model("LabelEncoder", "y", texts("keys_strings", "cat"), TestModel.ints("values_int64s", 1)),
                        "operator LabelEncoder with keys_strings is not supported"),
                Arguments.of(model("CategoryMapper", "y"), "Clinfer has no operator ai.onnx.ml.CategoryMapper"),
                Arguments.of(model("TreeEnsembleRegressor", "y", stump(7, 0, "LEAF")), "tree 0 has no node 7"),
                Arguments.of(model("TreeEnsembleRegressor", "y", stump(1, 3, "LEAF")), "a leaf has target 3 of 1"),
                Arguments.of(model("TreeEnsembleRegressor", "y", stump(1, 0, "BRANCH")), "nodes_modes has 'BRANCH'"),
                Arguments.of(
                        model("TreeEnsembleRegressor", "y", stump(1, 0, "BRANCH_LT")),
                        "trees of paths that are longer than 4096 nodes"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refuses(TestModel model, String message) {
        String last = model.graph().getNode(0).getOutput(0);
        assertThatThrownBy(() -> model.output(last).read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    @Test
    void scoresNeedNoLabels() {
        TestModel model = classifier(texts("classlabels_strings", "cat", "dog"), "label,scores");
        assertThat(run(model.output("scores"), "scores").shape()).isEqualTo(Shape.of(3, 2));
    }

    @Test
    void aSequenceOfMapsIsATable() {
        TestModel model = classifier(TestModel.ints("classlabels_ints", 4, 8), "label,scores");
        node(model, "ZipMap", "scores", "maps", TestModel.ints("classlabels_int64s", 4, 8));
        TypeProto maps = TypeProto.newBuilder()
                .setSequenceType(TypeProto.Sequence.newBuilder()
                        .setElemType(TypeProto.newBuilder().setMapType(TypeProto.Marker.getDefaultInstance())))
                .build();
        model.graph().addOutput(ValueInfoProto.newBuilder().setName("maps").setType(maps));
        assertThat(run(model, "maps").toFloatArray()).containsExactly(1.5f, 2.5f, 1.5f, 2.5f, 1.5f, 2.5f);
    }

    private Tensor run(TestModel model, String output) {
        Tensor ones = Tensor.allocate(DType.FLOAT32, 3, 2);
        for (int i = 0; i < 6; i++) {
            ones.setDouble(i, i % 2 == 0 ? 1 : 0);
        }
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(Map.of("x", ones))) {
            return Objects.requireNonNull(result.outputs().get(output)).copy();
        }
    }
}
