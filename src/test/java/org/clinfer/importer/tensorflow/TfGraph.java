package org.clinfer.importer.tensorflow;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;

/** Builds small frozen graphs. */
public final class TfGraph {

    private final GraphDef.Builder graph = GraphDef.newBuilder();

    /** An input of float32; a size of -1 is not known. */
    public TfGraph input(String name, long... sizes) {
        return node("Placeholder", name, "", "dtype=float").with(node -> node.putAttr("shape", shapeOf(sizes)));
    }

    private static AttrValue shapeOf(long... sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : sizes) {
            shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
        }
        return AttrValue.newBuilder().setShape(shape).build();
    }

    /** An input of a data type; a size of -1 is not known. */
    public TfGraph input(String name, DataType type, long... sizes) {
        return node("Placeholder", name, "", "dtype=" + type).with(node -> node.putAttr("shape", shapeOf(sizes)));
    }

    /** A node; names of inputs are separated by blanks, attributes are {@code name=value}. */
    public TfGraph node(String op, String name, String inputs, String... attributes) {
        NodeDef.Builder node = graph.addNodeBuilder().setName(name).setOp(op);
        if (!inputs.isEmpty()) {
            node.addAllInput(Arrays.asList(inputs.split(" ", -1)));
        }
        for (String attribute : attributes) {
            int equals = attribute.indexOf('=');
            node.putAttr(attribute.substring(0, equals), value(attribute.substring(equals + 1)));
        }
        return this;
    }

    /** Changes the node that was added last. */
    public TfGraph with(Consumer<NodeDef.Builder> change) {
        change.accept(graph.getNodeBuilder(graph.getNodeCount() - 1));
        return this;
    }

    private static AttrValue value(String text) {
        AttrValue.Builder value = AttrValue.newBuilder();
        switch (text) {
            case "true", "false" -> value.setB(Boolean.parseBoolean(text));
            case "float" -> value.setType(DataType.DT_FLOAT);
            case "half" -> value.setType(DataType.DT_HALF);
            case "int32" -> value.setType(DataType.DT_INT32);
            case "int64" -> value.setType(DataType.DT_INT64);
            case "bool" -> value.setType(DataType.DT_BOOL);
            default -> {
                if (text.startsWith("[")) {
                    value.setList(list(text.substring(1, text.length() - 1)));
                } else if (text.startsWith("DT_")) {
                    value.setType(DataType.valueOf(text));
                } else if (text.matches("-?[0-9]+")) {
                    value.setI(Long.parseLong(text));
                } else if (text.matches("-?[0-9.e-]+")) {
                    value.setF(Float.parseFloat(text));
                } else {
                    value.setS(ByteString.copyFromUtf8(text));
                }
            }
        }
        return value.build();
    }

    /** A list of whole numbers, numbers with a point, types or texts. */
    private static AttrValue.ListValue list(String entries) {
        AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
        for (String entry : entries.split(",", -1)) {
            if (entry.startsWith("DT_")) {
                list.addType(DataType.valueOf(entry));
            } else if (entry.matches("-?[0-9]+")) {
                list.addI(Long.parseLong(entry));
            } else if (entry.matches("-?[0-9]+\\.[0-9]+")) {
                list.addF(Float.parseFloat(entry));
            } else if (!entry.isEmpty()) {
                list.addS(ByteString.copyFromUtf8(entry));
            }
        }
        return list.build();
    }

    /** A float32 constant of these elements. */
    public TfGraph floats(String name, long[] sizes, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return constant(name, tensor(DataType.DT_FLOAT, sizes).setTensorContent(ByteString.copyFrom(bytes.flip())));
    }

    /** A float32 scalar. */
    public TfGraph number(String name, float value) {
        return constant(name, tensor(DataType.DT_FLOAT).addFloatVal(value));
    }

    /** An int32 vector. */
    public TfGraph ints(String name, int... values) {
        return ints(name, new long[] {values.length}, values);
    }

    /** An int32 constant of these elements. */
    public TfGraph ints(String name, long[] sizes, int... values) {
        TensorProto.Builder tensor = tensor(DataType.DT_INT32, sizes);
        Arrays.stream(values).forEach(tensor::addIntVal);
        return constant(name, tensor);
    }

    /** An int32 scalar. */
    public TfGraph integer(String name, int value) {
        return ints(name, new long[0], value);
    }

    /** A bool scalar. */
    public TfGraph bool(String name, boolean value) {
        return constant(name, tensor(DataType.DT_BOOL).addBoolVal(value));
    }

    public static TensorProto.Builder tensor(DataType type, long... sizes) {
        return TensorProto.newBuilder()
                .setDtype(type)
                .setTensorShape(shapeOf(sizes).getShape());
    }

    public TfGraph constant(String name, TensorProto.Builder tensor) {
        return node("Const", name, "")
                .with(node -> node.putAttr(
                                "dtype",
                                AttrValue.newBuilder()
                                        .setType(tensor.getDtype())
                                        .build())
                        .putAttr(
                                "value",
                                AttrValue.newBuilder().setTensor(tensor).build()));
    }

    public GraphDef build() {
        return graph.build();
    }

    public byte[] bytes() {
        return build().toByteArray();
    }

    public Path write(Path folder) throws IOException {
        return Files.write(folder.resolve("graph.pb"), bytes());
    }

    public Path writeText(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("graph.pbtxt"), TextFormat.printer().printToString(build()));
    }
}
