package org.clinfer.importer.darknet;

import java.nio.ByteBuffer;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.WeightFile;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The numbers of a weights file in the order of the layers; or that there is no file. */
final class DarknetWeights {

    private static final int VERSION_BYTES = 12;

    private final WeightFile file;
    private final boolean firstBranch;

    private DarknetWeights(WeightFile file, boolean firstBranch) {
        this.file = file;
        this.firstBranch = firstBranch;
    }

    /** A network's definition stands alone. */
    static DarknetWeights none() {
        return new DarknetWeights(WeightFile.none(), true);
    }

    /** Opens a file beside the network; {@code files} is to be open as long as weights are read. */
    static DarknetWeights of(NeighbourFiles files, String location, SourceRef source) {
        WeightFile file = WeightFile.of(files, location);
        ByteBuffer version = file.next(VERSION_BYTES, source);
        int major = version.getInt(0);
        int minor = version.getInt(4);
        if (major < 0 || major >= 1000 || minor < 0 || minor >= 1000) {
            throw new GraphException(source, "'" + location + "' is of an unknown version: " + major + "." + minor);
        }
        // how many pictures were seen: newer files count them in 64 bits
        boolean newer = 10L * major + minor >= 2;
        file.skip(newer ? Long.BYTES : Integer.BYTES);
        return new DarknetWeights(file, newer && version.getInt(8) == 0);
    }

    /** True for files by darknet's first branch, which counts no revisions: recurrent layers have another order in others. */
    boolean areOfFirstBranch() {
        return firstBranch;
    }

    boolean exist() {
        return file.exists();
    }

    /** The next numbers, in a shape; a copy, because they follow one another without regard to anything. */
    Tensor next(Shape shape, SourceRef source) {
        TensorType type = WeightFile.type(shape, source);
        ByteBuffer bytes = file.next(type.bytes(), source);
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
        file.requireEnd(source);
    }
}
