package org.clinfer.importer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The weights beside a definition, read in the order of the layers; or that there are none. */
public final class WeightFile {

    private final Optional<NeighbourFiles> files;
    private final String location;
    private long at;

    private WeightFile(Optional<NeighbourFiles> files, String location) {
        this.files = files;
        this.location = location;
    }

    /** {@return that a network's definition stands alone} */
    public static WeightFile none() {
        return new WeightFile(Optional.empty(), "");
    }

    /** {@return a file beside the network; {@code files} is to be open as long as weights are read} */
    public static WeightFile of(NeighbourFiles files, String location) {
        return new WeightFile(Optional.of(files), location);
    }

    /** {@return whether there is a file} */
    public boolean exists() {
        return files.isPresent();
    }

    /**
     * {@return the type of weights in float32}
     *
     * @throws GraphException if no tensor is so large
     */
    public static TensorType type(Shape shape, SourceRef source) {
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (!type.fits() || type.bytes() > Tensor.MAX_BYTES) {
            throw new GraphException(source, "its weights " + type + " are too large");
        }
        return type;
    }

    /**
     * {@return the next bytes, little-endian}
     *
     * @throws GraphException if the file does not have them
     */
    public ByteBuffer next(long count, SourceRef source) {
        ByteBuffer bytes = files.orElseThrow().bytes(location, at, count, source);
        at += count;
        return bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Passes over bytes that mean nothing. */
    public void skip(long count) {
        at += count;
    }

    /**
     * Checks that nothing is left.
     *
     * @throws GraphException if the file belongs to another network
     */
    public void requireEnd(SourceRef source) {
        if (files.isPresent() && files.get().size(location, source) != at) {
            throw new GraphException(
                    source,
                    "'" + location + "' has " + files.get().size(location, source) + " bytes, but the network takes "
                            + at);
        }
    }
}
