package org.clinfer.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A model with operators of ONNX Runtime, and what is to be put in. */
final class RuntimeModel {

    private static final boolean PEER_SATURATES = peerSaturates();

    private final TestModel model;
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final Random random;
    private boolean symbolic;

    RuntimeModel(long seed) {
        random = new Random(seed);
        model = TestModel.opset(21);
        model.model()
                .addOpsetImport(OperatorSetIdProto.newBuilder()
                        .setDomain(OrtQuantizedTranslators.DOMAIN)
                        .setVersion(1));
    }

    TestModel model() {
        return model;
    }

    Map<String, Tensor> inputs() {
        return inputs;
    }

    /** The sizes of inputs from here on are no part of the model. */
    RuntimeModel symbolic() {
        symbolic = true;
        return this;
    }

    /** Normally distributed numbers. */
    Tensor normal(double scale, long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, scale * random.nextGaussian());
        }
        return tensor;
    }

    /** Any bits. */
    Tensor codes(DType dtype, long... dims) {
        Tensor tensor = Tensor.allocate(TensorType.of(dtype, dims));
        byte[] bytes = new byte[(int) tensor.type().bytes()];
        random.nextBytes(bytes);
        tensor.bytes().put(bytes);
        return tensor;
    }

    /**
     * Any weights for products with unsigned bytes. ONNX Runtime adds two such products in 16 bits, which saturate, on
     * processors with AVX2 and without instructions for them (VNNI): there signed weights have seven bits, for which 16
     * are enough. Clinfer adds in 32 bits everywhere.
     */
    Tensor weights(DType dtype, long... dims) {
        Tensor tensor = codes(dtype, dims);
        if (dtype == DType.INT8 && PEER_SATURATES) {
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setLong(i, tensor.getLong(i) >> 1);
            }
        }
        return tensor;
    }

    private static boolean peerSaturates() {
        try {
            String processor = Files.readString(Path.of("/proc/cpuinfo"));
            return processor.contains(" avx2") && !processor.contains("vnni");
        } catch (IOException notLinux) {
            return true;
        }
    }

    static Tensor ints(int[] values, long... dims) {
        Tensor tensor = Tensor.allocate(DType.INT32, dims);
        for (int i = 0; i < values.length; i++) {
            tensor.setLong(i, values[i]);
        }
        return tensor;
    }

    RuntimeModel input(String name, long... dims) {
        return input(name, normal(1, dims));
    }

    RuntimeModel input(String name, Tensor value) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long dim : value.shape().sizes()) {
            shape.addDim(
                    symbolic
                            ? TensorShapeProto.Dimension.newBuilder().setDimParam(name + "_" + shape.getDimCount())
                            : TensorShapeProto.Dimension.newBuilder().setDimValue(dim));
        }
        model.typed(name, OnnxElementTypes.number(value.dtype()));
        model.graph()
                .getInputBuilder(model.graph().getInputCount() - 1)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .setShape(shape);
        inputs.put(name, value);
        return this;
    }

    RuntimeModel constant(String name, long... dims) {
        return constant(name, normal(1, dims));
    }

    RuntimeModel constant(String name, Tensor value) {
        TensorProto.Builder tensor = TestModel.tensor(
                name, OnnxElementTypes.number(value.dtype()), value.shape().sizes());
        model.initializer(tensor.setRawData(ByteString.copyFrom(value.bytes())));
        return this;
    }

    /** A node of ONNX Runtime's domain. */
    RuntimeModel node(String op, String inputNames, String outputs, AttributeProto... attributes) {
        standard(op, inputNames, outputs, attributes);
        model.graph().getNodeBuilder(model.graph().getNodeCount() - 1).setDomain(OrtQuantizedTranslators.DOMAIN);
        return this;
    }

    /** A node of ONNX's own domain. */
    RuntimeModel standard(String op, String inputNames, String outputs, AttributeProto... attributes) {
        model.node(op, inputNames, outputs, attributes);
        int last = model.graph().getNodeCount() - 1;
        model.graph().getNodeBuilder(last).setName(op + "_" + last);
        return this;
    }

    RuntimeModel output(String... names) {
        model.output(names);
        return this;
    }
}
