package org.clinfer.conformance;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Runs models in ONNX Runtime, on the processor and as they are written. */
public final class OnnxRuntime implements AutoCloseable {

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    private final OrtSession.SessionOptions options = new OrtSession.SessionOptions();

    public static OnnxRuntime open() throws OrtException {
        OnnxRuntime runtime = new OnnxRuntime();
        runtime.options.setOptimizationLevel(OptLevel.NO_OPT);
        runtime.options.setIntraOpNumThreads(1);
        runtime.options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        return runtime;
    }

    /** The outputs of a model without inputs, in the order in which it names them. */
    public List<Tensor> run(byte[] model) throws OrtException {
        return run(model, Map.of());
    }

    /** The outputs of a model, in the order in which it names them. */
    public List<Tensor> run(byte[] model, Map<String, Tensor> inputs) throws OrtException {
        Map<String, OnnxTensor> given = new HashMap<>();
        try (OrtSession session = environment.createSession(model, options)) {
            for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
                given.put(input.getKey(), onnxTensor(input.getValue()));
            }
            List<Tensor> outputs = new ArrayList<>();
            try (OrtSession.Result result = session.run(given)) {
                for (Map.Entry<String, OnnxValue> output : result) {
                    outputs.add(tensor((OnnxTensor) output.getValue()));
                }
            }
            return outputs;
        } finally {
            given.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor onnxTensor(Tensor tensor) throws OrtException {
        OnnxJavaType type = switch (tensor.dtype()) {
            case FLOAT32 -> OnnxJavaType.FLOAT;
            case FLOAT16 -> OnnxJavaType.FLOAT16;
            case INT64 -> OnnxJavaType.INT64;
            case INT32 -> OnnxJavaType.INT32;
            case INT8 -> OnnxJavaType.INT8;
            case UINT8 -> OnnxJavaType.UINT8;
            case BOOL -> OnnxJavaType.BOOL;
            default -> throw new IllegalArgumentException(tensor.dtype().label());
        };
        ByteBuffer bytes =
                ByteBuffer.allocateDirect((int) tensor.type().bytes()).order(ByteOrder.nativeOrder());
        bytes.put(tensor.bytes()).flip();
        return OnnxTensor.createTensor(environment, bytes, tensor.shape().sizes(), type);
    }

    private static Tensor tensor(OnnxTensor output) {
        TensorInfo info = output.getInfo();
        Tensor tensor = Tensor.allocate(TensorType.of(type(info.onnxType), info.getShape()));
        if (tensor.elements() > 0) {
            ByteBuffer bytes = output.getByteBuffer();
            tensor.bytes().put(bytes);
        }
        return tensor;
    }

    private static DType type(TensorInfo.OnnxTensorType type) {
        return switch (type) {
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DType.UINT8;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DType.UINT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DType.UINT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DType.UINT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DType.INT8;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DType.INT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DType.INT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DType.INT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DType.FLOAT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> DType.BFLOAT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DType.FLOAT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DType.FLOAT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DType.BOOL;
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    @Override
    public void close() {
        options.close();
    }
}
