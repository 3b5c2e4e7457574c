package org.clinfer.importer;

import java.nio.file.Path;
import java.util.Set;
import org.clinfer.graph.Graph;

/** Reads the model files of one format. */
public interface ModelImporter {

    /** The format's name for messages, for example {@code ONNX}. */
    String format();

    /**
     * The operators, or types of layers, of the format that can be read, by their names in its files; those of another domain
     * with that in front, for example {@code com.microsoft.Gelu}.
     */
    Set<String> operators();

    /**
     * {@return whether a model, by the suffix of its name or its first bytes, is of this format; false if it cannot
     * be read}
     */
    boolean accepts(ModelSource model);

    /** {@link #accepts(ModelSource)} of a file. */
    default boolean accepts(Path file) {
        return accepts(ModelSource.of(file));
    }

    /**
     * The model as a graph of canonical operators; its constants belong to the caller.
     *
     * @throws org.clinfer.graph.UnsupportedException if the model uses something Clinfer does not have that no opaque node may
     *     stand for
     * @throws org.clinfer.graph.GraphException if the file cannot be read or is malformed
     */
    Graph read(ModelSource model, UnsupportedLayers unsupported);

    /** {@link #read(ModelSource, UnsupportedLayers)} of a file. */
    default Graph read(Path file, UnsupportedLayers unsupported) {
        return read(ModelSource.of(file), unsupported);
    }

    /**
     * The model as a graph of canonical operators alone, or with {@linkplain Graph#specializations specializations} of them, as it can be run; its
     * constants belong to the caller.
     *
     * @throws org.clinfer.graph.UnsupportedException if the model uses something Clinfer does not have
     * @throws org.clinfer.graph.GraphException if the file cannot be read or is malformed
     */
    default Graph read(Path file) {
        return read(file, UnsupportedLayers.REFUSED);
    }
}
