package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.SourceRef;

/** A file: the networks in it, of which the first is the main one, and the buffers and operator codes that they share. */
final class TfliteModel {

    private static final int VERSION = 0;
    private static final int OPERATOR_CODES = 1;
    private static final int SUBGRAPHS = 2;
    private static final int DESCRIPTION = 3;
    private static final int BUFFERS = 4;
    private static final int SIGNATURES = 7;

    private static final int SCHEMA = 3;

    private final TfliteFile file;
    private final List<FlatTable> subgraphs;
    private final List<FlatTable> codes;
    private final List<FlatTable> buffers;
    private final List<FlatTable> signatures;
    private final Optional<String> description;

    private TfliteModel(TfliteFile file, FlatTable root) {
        this.file = file;
        if (root.integer(VERSION, 0) != SCHEMA) {
            throw new GraphException(
                    source(),
                    "it is of version " + root.integer(VERSION, 0) + " of the format; Clinfer reads " + SCHEMA);
        }
        this.subgraphs = root.tables(SUBGRAPHS);
        this.codes = root.tables(OPERATOR_CODES);
        this.buffers = root.tables(BUFFERS);
        this.signatures = root.tables(SIGNATURES);
        if (subgraphs.isEmpty()) {
            throw new GraphException(source(), "it has no network");
        }
        this.description = root.text(DESCRIPTION).filter(text -> !text.isEmpty());
    }

    /**
     * The content of a file.
     *
     * @throws GraphException if the file is malformed
     */
    static TfliteModel read(TfliteFile file) {
        return new TfliteModel(file, file.root());
    }

    SourceRef source() {
        return file.source();
    }

    /** The file's words about itself. */
    Metadata metadata() {
        return description
                .map(text -> new Metadata(Map.of(Metadata.Field.DOC_STRING, text), Map.of(), Map.of(), Map.of()))
                .orElse(Metadata.NONE);
    }

    /** The main network, with the names of its first signature. */
    TfliteNetwork main() {
        TfliteNetwork main = new TfliteNetwork(this, subgraphs.get(0), codes, UnaryOperator.identity());
        signatures.stream()
                .filter(signature -> signature.integer(TfliteNetwork.SIGNATURE_SUBGRAPH, 0) == 0)
                .findFirst()
                .ifPresent(main::nameBy);
        return main;
    }

    /**
     * A network that an operator runs.
     *
     * @param naming what a tensor is called in the graph that the network becomes part of
     */
    TfliteNetwork network(int number, SourceRef reader, UnaryOperator<String> naming) {
        if (number < 1 || number >= subgraphs.size()) {
            throw new GraphException(reader, "there is no network " + number + " beside the main one");
        }
        return new TfliteNetwork(this, subgraphs.get(number), codes, naming);
    }

    /** The bytes of a buffer, in the flatbuffer or behind it; empty where there are none. */
    Optional<ByteBuffer> buffer(int number, SourceRef reader) {
        if (number < 0 || number >= buffers.size()) {
            throw new GraphException(reader, "there is no buffer " + Integer.toUnsignedString(number));
        }
        FlatTable buffer = buffers.get(number);
        long offset = buffer.integer(1, Long.BYTES, 0);
        if (offset == 0 || offset == 1) {
            return buffer.bytes(0).filter(ByteBuffer::hasRemaining);
        }
        return Optional.of(file.bytes(offset, buffer.integer(2, Long.BYTES, 0), reader));
    }
}
