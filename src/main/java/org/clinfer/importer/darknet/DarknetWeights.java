package org.clinfer.importer.darknet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The numbers of a weights file in the order of the layers; or that there is no file. */
final class DarknetWeights {

    private static final int VERSION_BYTES = 12;

    private final Optional<NeighbourFiles> files;
    private final String location;
    private long at;

    private DarknetWeights(Optional<NeighbourFiles> files, String location) {
        this.files = files;
        this.location = location;
    }

    /** A network's definition stands alone. */
    static DarknetWeights none() {
        return new DarknetWeights(Optional.empty(), "");
    }

    /** Opens a file beside the network; {@code files} is to be open as long as weights are read. */
    static DarknetWeights of(NeighbourFiles files, String location, SourceRef source) {
        DarknetWeights weights = new DarknetWeights(Optional.of(files), location);
        ByteBuffer version = files.bytes(location, 0, VERSION_BYTES, source).order(ByteOrder.LITTLE_ENDIAN);
        int major = version.getInt(0);
        int minor = version.getInt(4);
        if (major < 0 || major >= 1000 || minor < 0 || minor >= 1000) {
            throw new GraphException(source, "'" + location + "' is of an unknown version: " + major + "." + minor);
        }
        // how many pictures were seen: newer files count them in 64 bits
        long counterBytes = 10L * major + minor >= 2 ? Long.BYTES : Integer.BYTES;
        weights.at = VERSION_BYTES + counterBytes;
        return weights;
    }

    boolean exist() {
        return files.isPresent();
    }

    /** The next numbers, in a shape; a copy, because they follow one another without regard to anything. */
    Tensor next(Shape shape, SourceRef source) {
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (!type.fits() || type.bytes() > Tensor.MAX_BYTES) {
            throw new GraphException(source, "its weights " + type + " are too large");
        }
        ByteBuffer bytes = files.orElseThrow().bytes(location, at, type.bytes(), source);
        at += type.bytes();
        Tensor tensor = Tensor.allocate(type);
        tensor.bytes().put(bytes);
        return tensor;
    }

    /**
     * Checks that nothing is left.
     *
     * @throws GraphException if the file belongs to another network
     */
    void requireEnd(SourceRef source) {
        if (files.isPresent() && files.get().size(location, source) != at) {
            throw new GraphException(
                    source,
                    "'" + location + "' has " + files.get().size(location, source) + " bytes, but the network takes "
                            + at);
        }
    }
}
