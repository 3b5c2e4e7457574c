package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.cli.npy.NpyFile;
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

    /** Reads the tensors with which outputs are compared: one for each value of a sequence if these are outputs. */
    static List<NamedTensor> readExpected(Path file, Collection<String> outputs) throws IOException {
        if (!file.getFileName().toString().endsWith(".npy")) {
            List<NamedTensor> all = TensorProtoFile.readAll(file).stream()
                    .map(named -> new NamedTensor(named.name(), named.tensor()))
                    .toList();
            if (all.stream().map(NamedTensor::name).allMatch(outputs::contains)) {
                return all;
            }
        }
        return List.of(read(file));
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
