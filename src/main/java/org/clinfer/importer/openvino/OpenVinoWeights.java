package org.clinfer.importer.openvino;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.StoredBools;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The constants of a weights file; or that there is no file. */
final class OpenVinoWeights {

    private final Optional<NeighbourFiles> files;
    private final String location;

    private OpenVinoWeights(Optional<NeighbourFiles> files, String location) {
        this.files = files;
        this.location = location;
    }

    /** A definition stands alone, without the file of this name. */
    static OpenVinoWeights none(String location) {
        return new OpenVinoWeights(Optional.empty(), location);
    }

    /** A file beside the definition; {@code files} is to be open as long as constants are read. */
    static OpenVinoWeights of(NeighbourFiles files, String location) {
        return new OpenVinoWeights(Optional.of(files), location);
    }

    boolean exist() {
        return files.isPresent();
    }

    /** The file's name, whether it is there or not. */
    String location() {
        return location;
    }

    /**
     * A constant.
     *
     * @throws GraphException if the file does not have it
     */
    Tensor read(TensorType type, long offset, SourceRef source) {
        if (type.bytes() > Tensor.MAX_BYTES) {
            throw new UnsupportedException(
                    source, "tensor over 2 GB", "its type " + type + " needs " + type.bytes() + " bytes");
        }
        if (type.bytes() == 0) {
            return Tensor.allocate(type);
        }
        ByteBuffer bytes = files.orElseThrow().bytes(location, offset, type.bytes(), source);
        if (type.dtype() == DType.BOOL) {
            StoredBools.require(bytes, source);
        }
        return Tensor.wrap(type, bytes);
    }
}
