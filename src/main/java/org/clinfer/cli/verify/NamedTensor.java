package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Specializations;
import org.clinfer.importer.onnx.SequenceProtoFile;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A recorded tensor.
 *
 * @param name as recorded with it, or empty
 * @param byMatrixLibrary whether a vector of one element may stand for a scalar, and float32 for integers and 16-bit
 *     floats: matrix libraries that write .npy have nothing else
 */
record NamedTensor(String name, Tensor tensor, boolean byMatrixLibrary) {

    NamedTensor(String name, Tensor tensor) {
        this(name, tensor, false);
    }

    /** Reads by the ending of the file's name: {@code .npy}, else an ONNX TensorProto. */
    static NamedTensor read(Path file) throws IOException {
        if (file.getFileName().toString().endsWith(".npy")) {
            return new NamedTensor("", NpyFile.read(file), true);
        }
        TensorProtoFile.Named named = TensorProtoFile.readNamed(file);
        return new NamedTensor(named.name(), named.tensor());
    }

    /** Reads the tensors that a run is given for the input of this number. */
    static List<NamedTensor> readInput(Path file, Graph graph, int position) throws IOException {
        Graph.Input input = graph.inputs().get(position);
        Optional<Specializations.Kind> kind =
                kinds(graph, file).flatMap(kinds -> Optional.ofNullable(kinds.get(input.name())));
        if (kind.isPresent()) {
            return of(SequenceProtoFile.of(file, kind.get()).given(input));
        }
        return List.of(new NamedTensor(input.name(), read(file).tensor));
    }

    /** Reads the tensors with which outputs are compared. */
    static List<NamedTensor> readExpected(Path file, Graph graph, Map<String, Tensor> outputs) throws IOException {
        Optional<Specializations.Kind> kind = kinds(graph, file).flatMap(kinds -> SequenceProtoFile.kind(file, kinds));
        return kind.isPresent() ? of(SequenceProtoFile.of(file, kind.get()).expected(outputs)) : List.of(read(file));
    }

    private static Optional<Map<String, Specializations.Kind>> kinds(Graph graph, Path file) {
        return graph.specializations()
                .map(Specializations::kinds)
                .filter(kinds -> !file.getFileName().toString().endsWith(".npy"));
    }

    private static List<NamedTensor> of(Map<String, Tensor> tensors) {
        return tensors.entrySet().stream()
                .map(tensor -> new NamedTensor(tensor.getKey(), tensor.getValue()))
                .toList();
    }

    /** The tensor to compare with a result of this type. Recordings of ONNX 1.8 hold the bits of bfloat16 as uint16. */
    Tensor expectedAs(TensorType actual) {
        if (actual.dtype() == DType.BFLOAT16 && tensor.dtype() == DType.UINT16) {
            return Tensor.wrap(new TensorType(DType.BFLOAT16, tensor.shape()), tensor.bytes());
        }
        if (!byMatrixLibrary) {
            return tensor;
        }
        boolean scalar = actual.shape().rank() == 0 && tensor.elements() == 1;
        Tensor shaped = scalar ? tensor.reshaped(Shape.SCALAR) : tensor;
        return isStored(actual.dtype()) ? shaped.to(actual.dtype()) : shaped;
    }

    /** {@return whether the elements are float32 because there was nothing else to store this type in} */
    private boolean isStored(DType actual) {
        if (tensor.dtype() != DType.FLOAT32) {
            return false;
        }
        if (actual == DType.FLOAT16 || actual == DType.BFLOAT16) {
            return true;
        }
        return !actual.isFloating()
                && LongStream.range(0, tensor.elements())
                        .allMatch(i -> Math.rint(tensor.getDouble(i)) == tensor.getDouble(i));
    }
}
