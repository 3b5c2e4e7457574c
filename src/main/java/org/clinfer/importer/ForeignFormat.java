package org.clinfer.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.clinfer.graph.GraphException;

/**
 * A format of other programs that is not read: which it is, and how to come to a file that is.
 *
 * @param kind a sentence about the file, without its subject: {@code is a …}
 * @param remedy what to do, as a command: {@code export …}
 * @param isFirst whether a file of the format begins so
 * @param endings of names, where the bytes do not tell
 */
record ForeignFormat(String kind, String remedy, Predicate<String> isFirst, List<String> endings) {

    /** The names of a zip file's first entries are in so many bytes. */
    private static final int START_BYTES = 4096;

    private static final String ZIP = "PK\3\4";
    private static final String COMPILED = "give the model that it was compiled from";

    /** The bytes are Latin-1 characters. */
    private static final List<ForeignFormat> ALL = List.of(
            new ForeignFormat(
                    "is a PyTorch file",
                    "export the model to ONNX with torch.onnx.export",
                    start -> start.startsWith(ZIP)
                            && (start.contains("/data.pkl") || start.contains("/.format_version")),
                    List.of(".pt", ".pth", ".ckpt", ".pt2", ".ptl")),
            new ForeignFormat(
                    "is a Keras model",
                    "save it as a TensorFlow SavedModel with model.export, or convert it to ONNX with tf2onnx",
                    start -> start.startsWith("\u0089HDF\r\n\u001a\n"),
                    List.of(".keras", ".h5", ".hdf5")),
            new ForeignFormat(
                    "has weights without a network (safetensors)",
                    "export the model that loads them to ONNX, for example with optimum-cli export onnx",
                    start -> start.length() > Long.BYTES
                            && start.startsWith("{\"", Long.BYTES)
                            && start.contains("data_offsets"),
                    List.of(".safetensors")),
            new ForeignFormat(
                    "has the weights of a language model for llama.cpp (GGUF)",
                    "export the model that they were made of to ONNX",
                    start -> start.startsWith("GGUF"),
                    List.of(".gguf")),
            new ForeignFormat(
                    "is in ONNX Runtime's own format",
                    "give the .onnx file that it was made of",
                    start -> start.startsWith("ORTM", Integer.BYTES),
                    List.of(".ort")),
            new ForeignFormat(
                    "is a PaddlePaddle model",
                    "convert it to ONNX with paddle2onnx",
                    start -> false,
                    List.of(".pdmodel", ".pdiparams")),
            new ForeignFormat(
                    "is a Core ML model",
                    "export the model that it was made of to ONNX",
                    start -> false,
                    List.of(".mlmodel", ".mlpackage")),
            new ForeignFormat(
                    "is an MXNet model",
                    "export it to ONNX with mxnet.onnx.export_model",
                    start -> start.startsWith("{") && start.contains("\"nodes\"") && start.contains("\"op\": \"null\""),
                    List.of(".params")),
            new ForeignFormat(
                    "has the weights of a network without the network (Darknet)",
                    "name its .cfg file, with the weights beside it",
                    start -> false,
                    List.of(".weights")),
            new ForeignFormat(
                    "has the weights of a network without the network (as of OpenVINO and ncnn)",
                    "name its .xml or .param file, with the weights beside it",
                    start -> false,
                    List.of(".bin")),
            new ForeignFormat("is an MNN model", "give the model that MNN converted", start -> false, List.of(".mnn")),
            new ForeignFormat(
                    "is compiled for a device",
                    COMPILED,
                    start -> start.startsWith("RKNN") || start.startsWith("ptrt") || start.startsWith("ftrt"),
                    List.of(".rknn", ".engine", ".plan", ".trt", ".om", ".hef", ".xmodel", ".dlc", ".blob")));

    /** The format of a model that no importer reads; empty where it is not known. */
    static Optional<ForeignFormat> of(ModelSource model) {
        return byBytes(model)
                .or(() -> ALL.stream()
                        .filter(format -> format.endings.stream().anyMatch(model::endsWith))
                        .findFirst());
    }

    /** The format that a file has by its first bytes, whatever its name is. */
    static Optional<ForeignFormat> byBytes(ModelSource model) {
        String start = start(model);
        return ALL.stream().filter(format -> format.isFirst.test(start)).findFirst();
    }

    private static String start(ModelSource model) {
        try (InputStream in = model.open()) {
            return new String(in.readNBytes(START_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new GraphException(model.ref(), "cannot be read: " + e.getMessage(), e);
        }
    }

    /** A sentence without its subject that says which file this is, and what to do. */
    String refusal() {
        return kind + ", which Clinfer does not read: " + remedy;
    }
}
