package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.Tensor;

/**
 * A recorded tensor.
 *
 * @param name as recorded with it, or empty
 */
record NamedTensor(String name, Tensor tensor) {

    /** Reads by the ending of the file's name: {@code .npy}, else an ONNX TensorProto. */
    static NamedTensor read(Path file) throws IOException {
        if (file.getFileName().toString().endsWith(".npy")) {
            return new NamedTensor("", NpyFile.read(file));
        }
        TensorProtoFile.Named named = TensorProtoFile.readNamed(file);
        return new NamedTensor(named.name(), named.tensor());
    }
}
