package org.clinfer.robustness;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;

/** Writes small ONNX models; every output of the last node added is an output of the model. */
public final class OnnxModel {

    /** ONNX's numbers of element types. */
    public static final int FLOAT = 1;

    public static final int INT64 = 7;

    public static final int BOOL = 9;

    /** Number of the attribute's field for a graph, which Clinfer itself does not read. */
    private static final int GRAPH_FIELD = 6;

    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("net");
    private long opset = 13;

    /** Another operator set than 13. */
    public OnnxModel opset(long version) {
        opset = version;
        return this;
    }

    /** A float32 input. */
    public OnnxModel input(String name, long... dims) {
        return typed(name, FLOAT, dims);
    }

    /** An input of an ONNX element type; a dimension of -1 is named {@code n}. */
    public OnnxModel typed(String name, int type, long... dims) {
        graph.addInput(value(name, type, dims));
        return this;
    }

    private static ValueInfoProto value(String name, int type, long... dims) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long dim : dims) {
            TensorShapeProto.Dimension.Builder one = TensorShapeProto.Dimension.newBuilder();
            shape.addDim(dim == -1 ? one.setDimParam("n") : one.setDimValue(dim));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(
                                TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape)))
                .build();
    }

    /** A float32 initializer whose numbers are a file of their own beside the model. */
    public OnnxModel externalWeights(String name, String file, long... dims) {
        return initializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(FLOAT)
                .addAllDims(Arrays.stream(dims).boxed().toList())
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue(file)));
    }

    /** A float32 initializer of seeded values. */
    public OnnxModel weights(String name, long... dims) {
        int count = (int) Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(random.nextFloat());
        }
        return initializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(FLOAT)
                .addAllDims(Arrays.stream(dims).boxed().toList())
                .setRawData(ByteString.copyFrom(bytes.array())));
    }

    /** A float32 vector. */
    public OnnxModel reals(String name, float... values) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setName(name).setDataType(FLOAT).addDims(values.length);
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return initializer(tensor);
    }

    /** An int64 vector. */
    public OnnxModel longs(String name, long... values) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setName(name).setDataType(INT64).addDims(values.length);
        Arrays.stream(values).forEach(tensor::addInt64Data);
        return initializer(tensor);
    }

    /** Any initializer. */
    public OnnxModel initializer(TensorProto.Builder tensor) {
        graph.addInitializer(tensor);
        return this;
    }

    /** A node; names of values are separated by commas, and its outputs become those of the model. */
    public OnnxModel node(String op, String inputs, String outputs, AttributeProto... attributes) {
        graph.addNode(NodeProto.newBuilder()
                .setOpType(op)
                .setName("n" + graph.getNodeCount())
                .addAllInput(split(inputs))
                .addAllOutput(split(outputs))
                .addAllAttribute(List.of(attributes)));
        graph.clearOutput();
        split(outputs)
                .forEach(output -> graph.addOutput(ValueInfoProto.newBuilder().setName(output)));
        return this;
    }

    private static List<String> split(String names) {
        return names.isEmpty() ? List.of() : Arrays.asList(names.split(",", -1));
    }

    /** The graph, for what the other methods do not offer. */
    public GraphProto.Builder graph() {
        return graph;
    }

    /** The model. */
    public ModelProto build() {
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(opset))
                .setGraph(graph)
                .build();
    }

    /** The model as a file's content. */
    public byte[] bytes() {
        return build().toByteArray();
    }

    /** An attribute of one integer. */
    public static AttributeProto integer(String name, long value) {
        return attribute(name, AttributeType.INT).setI(value).build();
    }

    /** An attribute of one real number. */
    public static AttributeProto real(String name, float value) {
        return attribute(name, AttributeType.FLOAT).setF(value).build();
    }

    /** An attribute of one string. */
    public static AttributeProto text(String name, String value) {
        return attribute(name, AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build();
    }

    /** An attribute of several integers. */
    public static AttributeProto ints(String name, long... values) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.INTS);
        Arrays.stream(values).forEach(attribute::addInts);
        return attribute.build();
    }

    /** A subgraph as an attribute. */
    public static AttributeProto subgraph(String name, OnnxModel body) {
        UnknownFieldSet.Field content = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(body.graph.build().toByteString())
                .build();
        return attribute(name, AttributeType.GRAPH)
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(GRAPH_FIELD, content)
                        .build())
                .build();
    }

    private static AttributeProto.Builder attribute(String name, AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }
}
