package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * A recorded tensor.
 *
 * @param name as recorded with it, or empty
 * @param scalarsAsVectors whether a vector of one element may stand for a scalar: matrix libraries that write .npy have
 *     no scalars
 */
record NamedTensor(String name, Tensor tensor, boolean scalarsAsVectors) {

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

    /** The tensor to compare with a result of this shape. */
    Tensor expectedAs(Shape actual) {
        boolean scalar = scalarsAsVectors && actual.rank() == 0 && tensor.elements() == 1;
        return scalar ? tensor.reshaped(Shape.SCALAR) : tensor;
    }
}
