package org.clinfer.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;

/** Small ONNX models in memory. */
final class SampleNetworks {

    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    private SampleNetworks() {}

    /** Products with weights of these sizes, ReLU between; {@code x}: float32[N,sizes[0]] to {@code y}; the first sum is {@code sum0}. */
    static byte[] perceptron(int... sizes) {
        return perceptron("N", sizes);
    }

    /** The same with another first dimension: a name, or a number. */
    static byte[] perceptron(String batch, int... sizes) {
        Random random = new Random(5);
        GraphProto.Builder graph = GraphProto.newBuilder().setName("perceptron");
        String value = "x";
        for (int layer = 0; layer + 1 < sizes.length; layer++) {
            boolean last = layer + 2 == sizes.length;
            graph.addInitializer(weights("w" + layer, random, sizes[layer], sizes[layer + 1]));
            graph.addInitializer(weights("b" + layer, random, sizes[layer + 1]));
            String sum = last ? "y" : "sum" + layer;
            graph.addNode(node("Gemm", List.of(value, "w" + layer, "b" + layer), sum));
            if (!last) {
                graph.addNode(node("Relu", List.of(sum), "h" + layer));
            }
            value = "h" + layer;
        }
        graph.addInput(value("x", FLOAT, batch, Integer.toString(sizes[0])));
        graph.addOutput(value("y", FLOAT, batch, Integer.toString(sizes[sizes.length - 1])));
        return model(graph);
    }

    /** {@code y}: float32[N], the sum of {@code x}: float32[N,length] for any length. */
    static byte[] sum() {
        NodeProto sum = node("ReduceSum", List.of("x", "axes"), "y").toBuilder()
                .addAttribute(AttributeProto.newBuilder()
                        .setName("keepdims")
                        .setType(AttributeProto.AttributeType.INT)
                        .setI(0))
                .build();
        return model(GraphProto.newBuilder()
                .setName("sum")
                .addInitializer(TensorProto.newBuilder()
                        .setName("axes")
                        .setDataType(INT64)
                        .addDims(1)
                        .addInt64Data(1))
                .addNode(sum)
                .addInput(value("x", FLOAT, "N", "length"))
                .addOutput(value("y", FLOAT, "N")));
    }

    /** {@code y}: the sum of the int64[N] {@code a} and {@code b}. */
    static byte[] addition() {
        return addition("N", "N");
    }

    /** The same, with these first dimensions. */
    static byte[] addition(String rowsOfA, String rowsOfB) {
        return model(GraphProto.newBuilder()
                .setName("addition")
                .addNode(node("Add", List.of("a", "b"), "y"))
                .addInput(value("a", INT64, rowsOfA))
                .addInput(value("b", INT64, rowsOfB))
                .addOutput(value("y", INT64, "N")));
    }

    /** {@code y}: float32[N,1], the elements of {1, 2, 3} at the places {@code x}: int64[N,1]. */
    static byte[] choice() {
        return model(GraphProto.newBuilder()
                .setName("choice")
                .addInitializer(TensorProto.newBuilder()
                        .setName("table")
                        .setDataType(FLOAT)
                        .addDims(3)
                        .addFloatData(1)
                        .addFloatData(2)
                        .addFloatData(3))
                .addNode(node("Gather", List.of("table", "x"), "y"))
                .addInput(value("x", INT64, "N", "1"))
                .addOutput(value("y", FLOAT, "N", "1")));
    }

    /** {@code y}: float32[N,3], the means of the channels of {@code image}: float32[N,3,height,width]. */
    static byte[] channelMeans(String height, String width) {
        return model(GraphProto.newBuilder()
                .setName("means")
                .addNode(node("GlobalAveragePool", List.of("image"), "pooled"))
                .addNode(node("Flatten", List.of("pooled"), "y"))
                .addInput(value("image", FLOAT, "N", "3", height, width))
                .addOutput(value("y", FLOAT, "N", "3")));
    }

    private static NodeProto node(String op, List<String> inputs, String output) {
        return NodeProto.newBuilder()
                .setOpType(op)
                .setName(op + "_" + output)
                .addAllInput(inputs)
                .addOutput(output)
                .build();
    }

    private static TensorProto weights(String name, Random random, int... dims) {
        int count = 1;
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT);
        for (int dim : dims) {
            tensor.addDims(dim);
            count *= dim;
        }
        List<Float> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(random.nextInt(-8, 9) / 8f);
        }
        return tensor.addAllFloatData(values).build();
    }

    private static ValueInfoProto value(String name, int type, String... dims) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (String dim : dims) {
            TensorShapeProto.Dimension.Builder one = TensorShapeProto.Dimension.newBuilder();
            shape.addDim(
                    Character.isDigit(dim.charAt(0)) ? one.setDimValue(Long.parseLong(dim)) : one.setDimParam(dim));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(
                                TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape)))
                .build();
    }

    private static byte[] model(GraphProto.Builder graph) {
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(13))
                .setGraph(graph)
                .build()
                .toByteArray();
    }
}
