package org.clinfer.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;

/** Builds small ONNX models and reads them back through the importer. */
final class TestModel {

    static final int FLOAT = 1;
    static final int INT64 = 7;
    static final int BOOL = 9;

    private final ModelProto.Builder model;
    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("test");

    private TestModel(ModelProto.Builder model) {
        this.model = model;
    }

    static TestModel opset(long version) {
        OperatorSetIdProto.Builder set = OperatorSetIdProto.newBuilder().setVersion(version);
        return new TestModel(ModelProto.newBuilder().setIrVersion(8).addOpsetImport(set));
    }

    TestModel input(String name, long... dims) {
        return typed(name, FLOAT, dims);
    }

    TestModel typed(String name, int type, long... dims) {
        graph.addInput(info(name, type, dims));
        return this;
    }

    static ValueInfoProto.Builder info(String name, int type, long... dims) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long dim : dims) {
            shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(dim));
        }
        TypeProto.Tensor.Builder tensor =
                TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape);
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(tensor));
    }

    /** A float32 initializer of zeros. */
    TestModel floats(String name, long... dims) {
        int count = (int) Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        TensorProto.Builder tensor = tensor(name, FLOAT, dims).setRawData(ByteString.copyFrom(new byte[4 * count]));
        return initializer(tensor);
    }

    /** A float32 vector. */
    TestModel reals(String name, float... values) {
        TensorProto.Builder tensor = tensor(name, FLOAT, values.length);
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return initializer(tensor);
    }

    /** An int64 vector. */
    TestModel longs(String name, long... values) {
        TensorProto.Builder tensor = tensor(name, INT64, values.length);
        for (long value : values) {
            tensor.addInt64Data(value);
        }
        return initializer(tensor);
    }

    TestModel initializer(TensorProto.Builder tensor) {
        graph.addInitializer(tensor);
        return this;
    }

    static TensorProto.Builder tensor(String name, int type, long... dims) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(type);
        for (long dim : dims) {
            tensor.addDims(dim);
        }
        return tensor;
    }

    /** A node named like its operator in lower case; names of values are separated by commas. */
    TestModel node(String op, String inputs, String outputs, AttributeProto... attributes) {
        NodeProto.Builder node = NodeProto.newBuilder()
                .setOpType(op)
                .setName(op.toLowerCase(Locale.ROOT))
                .addAllInput(split(inputs))
                .addAllOutput(split(outputs))
                .addAllAttribute(List.of(attributes));
        graph.addNode(node);
        return this;
    }

    private static List<String> split(String names) {
        return names.isEmpty() ? List.of() : Arrays.asList(names.split(",", -1));
    }

    TestModel output(String... names) {
        for (String name : names) {
            graph.addOutput(ValueInfoProto.newBuilder().setName(name));
        }
        return this;
    }

    /** The graph, for what the other methods do not offer. */
    GraphProto.Builder graph() {
        return graph;
    }

    /** The model without its graph, for what the other methods do not offer. */
    ModelProto.Builder model() {
        return model;
    }

    ModelProto build() {
        return model.setGraph(graph).build();
    }

    Path write(Path folder) {
        try {
            return Files.write(folder.resolve("test.onnx"), build().toByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The imported graph, compared with the operator descriptions. */
    Graph read(Path folder) {
        Graph imported = new OnnxImporter(OpCatalog.builtIn()).read(write(folder));
        new DeclaredOperators().check(imported);
        return imported;
    }

    /** The last node of the imported graph. */
    Node readNode(Path folder) {
        List<Node> nodes = read(folder).nodes();
        return nodes.get(nodes.size() - 1);
    }

    /** A branch or body. */
    static AttributeProto graph(String name, TestModel body) {
        return attribute(name, AttributeType.GRAPH)
                .setG(body.graph().build().toByteString())
                .build();
    }

    static AttributeProto integer(String name, long value) {
        return attribute(name, AttributeType.INT).setI(value).build();
    }

    static AttributeProto real(String name, float value) {
        return attribute(name, AttributeType.FLOAT).setF(value).build();
    }

    static AttributeProto text(String name, String value) {
        return attribute(name, AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build();
    }

    static AttributeProto ints(String name, long... values) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.INTS);
        Arrays.stream(values).forEach(attribute::addInts);
        return attribute.build();
    }

    static AttributeProto floatList(String name, float... values) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.FLOATS);
        for (float value : values) {
            attribute.addFloats(value);
        }
        return attribute.build();
    }

    static AttributeProto tensorAttribute(String name, TensorProto.Builder value) {
        return attribute(name, AttributeType.TENSOR).setT(value).build();
    }

    static AttributeProto.Builder attribute(String name, AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }
}
