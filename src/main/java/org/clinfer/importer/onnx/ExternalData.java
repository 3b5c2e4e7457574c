package org.clinfer.importer.onnx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;

/** Weights in files beside the model, mapped and not copied. */
final class ExternalData implements AutoCloseable {

    private final NeighbourFiles files;

    /** The place of a tensor's data; {@code length} is -1 where the model does not say. */
    private record Place(String location, long offset, long length) {}

    /** @param file the model file, whose folder the data must stand in */
    ExternalData(Path file) {
        this(ModelSource.of(file));
    }

    /** @param model the model, whose folder the data must stand in */
    ExternalData(ModelSource model) {
        this.files = new NeighbourFiles(model);
    }

    /**
     * The bytes of a tensor as a read-only view of its file.
     *
     * @throws GraphException if the place is outside the model's folder or outside its file, or is not as long as needed
     */
    ByteBuffer bytes(TensorProto tensor, long needed, SourceRef source) {
        Place place = place(tensor, source);
        if (place.length() >= 0 && place.length() != needed) {
            throw new GraphException(
                    source, "its type needs " + needed + " bytes, but its external data has " + place.length());
        }
        return files.bytes(place.location(), place.offset(), needed, source);
    }

    private static Place place(TensorProto tensor, SourceRef source) {
        String location = "";
        long offset = 0;
        long length = -1;
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            switch (entry.getKey()) {
                case "location" -> location = entry.getValue();
                case "offset" -> offset = number(entry, source);
                case "length" -> length = number(entry, source);
                default -> {} // a checksum, or a hint of the program that wrote the file
            }
        }
        if (location.isEmpty()) {
            throw new GraphException(source, "its external data has no location");
        }
        return new Place(location, offset, length);
    }

    private static long number(StringStringEntryProto entry, SourceRef source) {
        try {
            long number = Long.parseLong(entry.getValue().strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, together with negative numbers
        }
        throw new GraphException(
                source,
                "the " + entry.getKey() + " of its external data must be a number >= 0, but is '" + entry.getValue()
                        + "'");
    }

    /** Closes the files; mappings stay valid as long as a tensor uses them. */
    @Override
    public void close() throws IOException {
        files.close();
    }
}
