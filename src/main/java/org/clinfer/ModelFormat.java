package org.clinfer;

/**
 * A format of model files, for models in memory. {@link #ONNX}, {@link #TENSORFLOW}, {@link #TFLITE}, {@link #OPENVINO},
 * {@link #NCNN}, {@link #DARKNET} and the JSON formats are also known by their first bytes.
 */
public enum ModelFormat {
    /** One {@code .onnx} file; weights outside of it are in the folder. */
    ONNX("model.onnx"),
    /** A definition as text ({@code .prototxt}); without a folder its weights have no values. */
    CAFFE_DEFINITION("model.prototxt"),
    /** Definition and weights in one ({@code .caffemodel}). */
    CAFFE("model.caffemodel"),
    /** A frozen graph or {@code saved_model.pb}, which needs the folder with its {@code variables}. */
    TENSORFLOW("model.pb"),
    /** A frozen graph as text. */
    TENSORFLOW_TEXT("model.pbtxt"),
    /** One {@code .tflite} file. */
    TFLITE("model.tflite"),
    /** {@code model.json} of TensorFlow.js; the weights are in the folder. */
    TENSORFLOW_JS("model.json"),
    /** A {@code .cfg}; the weights are in the folder. */
    DARKNET("model.cfg"),
    /** A {@code .param}; the weights are in the folder. */
    NCNN("model.param"),
    /** An {@code .xml}; the weights are in the folder. */
    OPENVINO("model.xml"),
    /** Clinfer's own JSON format; large weights are in the folder. */
    CLINFER("model.json");

    private final String fileName;

    ModelFormat(String fileName) {
        this.fileName = fileName;
    }

    /** {@return the name that messages have for a model of this format in memory: {@code model.onnx}} */
    public String fileName() {
        return fileName;
    }
}
