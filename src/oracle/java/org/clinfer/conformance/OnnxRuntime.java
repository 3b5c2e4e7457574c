package org.clinfer.conformance;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Runs models without inputs in ONNX Runtime, on the processor and as they are written. */
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

    /** The outputs of a model, in the order in which it names them. */
    public List<Tensor> run(byte[] model) throws OrtException {
        try (OrtSession session = environment.createSession(model, options);
                OrtSession.Result result = session.run(Map.of())) {
            List<Tensor> outputs = new ArrayList<>();
            for (Map.Entry<String, OnnxValue> output : result) {
                outputs.add(tensor((OnnxTensor) output.getValue()));
            }
            return outputs;
        }
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
