package org.clinfer.conformance;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** An ONNX model in the making: all its inputs are constants, so that it needs none when it runs. */
final class OnnxGraph {

    private static final long NEWEST_SET = 21;
    private static final long FORMAT = 9;
    private static final String RUNTIME_DOMAIN = "com.microsoft";

    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("case");
    private long set = NEWEST_SET;
    private int names;
    private boolean usesRuntime;

    /** The format's number of an element type. */
    static int number(DType type) {
        return switch (type) {
            case FLOAT32 -> 1;
            case UINT8 -> 2;
            case INT8 -> 3;
            case UINT16 -> 4;
            case INT16 -> 5;
            case INT32 -> 6;
            case INT64 -> 7;
            case BOOL -> 9;
            case FLOAT16 -> 10;
            case FLOAT64 -> 11;
            case UINT32 -> 12;
            case UINT64 -> 13;
            case BFLOAT16 -> 16;
            default -> throw new IllegalArgumentException(type + " is not tried");
        };
    }

    /** Uses an older operator set instead of the newest. */
    OnnxGraph opset(long version) {
        set = version;
        return this;
    }

    /** Uses an operator set that is newer than what is known to be enough. */
    void requireOpset(long version) {
        set = Math.max(set, version);
    }

    /** A constant; returns its name. */
    String constant(Array array, DType type) {
        String name = name();
        graph.addInitializer(proto(array, type).setName(name));
        return name;
    }

    /** A vector of int64. */
    String ints(long... values) {
        double[] elements = Arrays.stream(values).mapToDouble(v -> v).toArray();
        TensorProto.Builder proto = proto(new Array(new long[] {values.length}, elements), DType.INT64);
        // Elements beyond 2^53 would lose their low bits as doubles.
        proto.clearRawData();
        Arrays.stream(values).forEach(proto::addInt64Data);
        String name = name();
        graph.addInitializer(proto.setName(name));
        return name;
    }

    /** A vector of float32. */
    String reals(double... values) {
        return constant(new Array(new long[] {values.length}, values), DType.FLOAT32);
    }

    String scalar(DType type, double value) {
        return constant(new Array(new long[0], new double[] {value}), type);
    }

    private static TensorProto.Builder proto(Array array, DType type) {
        Tensor stored = Stored.tensor(new Array(array.dims(), array.values()), type);
        TensorProto.Builder proto =
                TensorProto.newBuilder().setDataType(number(type)).setRawData(ByteString.copyFrom(stored.bytes()));
        Arrays.stream(array.dims()).forEach(proto::addDims);
        return proto;
    }

    /** A node with these inputs, an empty name being one left out; attributes and outputs follow. */
    Step step(String op, String... inputs) {
        int given = inputs.length;
        while (given > 0 && inputs[given - 1].isEmpty()) {
            given--;
        }
        return new Step(NodeProto.newBuilder()
                .setOpType(op)
                .addAllInput(Arrays.asList(inputs).subList(0, given)));
    }

    /** A node of an operator that ONNX Runtime has beside those of ONNX. */
    Step runtimeStep(String op, String... inputs) {
        usesRuntime = true;
        Step step = step(op, inputs);
        step.node.setDomain(RUNTIME_DOMAIN);
        return step;
    }

    private String name() {
        names++;
        return "v" + names;
    }

    /** The model that gives these values. */
    byte[] model(List<String> outputs) {
        outputs.forEach(output -> graph.addOutput(ValueInfoProto.newBuilder().setName(output)));
        ModelProto.Builder model = ModelProto.newBuilder()
                .setIrVersion(FORMAT)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(set))
                .setGraph(graph);
        if (usesRuntime) {
            model.addOpsetImport(
                    OperatorSetIdProto.newBuilder().setDomain(RUNTIME_DOMAIN).setVersion(1));
        }
        return model.build().toByteArray();
    }

    /** A node in the making; it counts once an output is asked for. */
    final class Step {

        private final NodeProto.Builder node;

        private Step(NodeProto.Builder node) {
            this.node = node;
        }

        Step with(String name, long value) {
            return with(attribute(name, AttributeType.INT).setI(value));
        }

        Step with(String name, boolean value) {
            return with(name, value ? 1L : 0L);
        }

        Step with(String name, double value) {
            return with(attribute(name, AttributeType.FLOAT).setF((float) value));
        }

        Step with(String name, String value) {
            return with(attribute(name, AttributeType.STRING).setS(ByteString.copyFromUtf8(value)));
        }

        Step with(String name, long[] values) {
            AttributeProto.Builder attribute = attribute(name, AttributeType.INTS);
            Arrays.stream(values).forEach(attribute::addInts);
            return with(attribute);
        }

        Step with(String name, double[] values) {
            AttributeProto.Builder attribute = attribute(name, AttributeType.FLOATS);
            Arrays.stream(values).forEach(value -> attribute.addFloats((float) value));
            return with(attribute);
        }

        Step with(String name, List<String> values) {
            AttributeProto.Builder attribute = attribute(name, AttributeType.STRINGS);
            values.forEach(value -> attribute.addStrings(ByteString.copyFromUtf8(value)));
            return with(attribute);
        }

        Step with(String name, Array values, DType type) {
            return with(attribute(name, AttributeType.TENSOR).setT(proto(values, type)));
        }

        /** Real parameters of the same name here and there, where the case gives them. */
        Step withReals(Call call, String... params) {
            for (String param : params) {
                if (call.has(param)) {
                    with(param, call.real(param, 0));
                }
            }
            return this;
        }

        /** Whole parameters of the same name here and there, where the case gives them. */
        Step withIntegers(Call call, String... params) {
            for (String param : params) {
                if (call.has(param)) {
                    with(param, call.integer(param, 0));
                }
            }
            return this;
        }

        private AttributeProto.Builder attribute(String name, AttributeType type) {
            return AttributeProto.newBuilder().setName(name).setType(type);
        }

        private Step with(AttributeProto.Builder attribute) {
            node.addAttribute(attribute);
            return this;
        }

        String out() {
            return out(1).get(0);
        }

        List<String> out(int count) {
            List<String> outputs =
                    IntStream.range(0, count).mapToObj(i -> name()).toList();
            graph.addNode(node.addAllOutput(outputs));
            return outputs;
        }
    }
}
