package org.clinfer.importer.json;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.StoredBools;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Tensors of the safetensors files beside a model; mapped, not copied. */
final class WeightFiles {

    static final String SUFFIX = ".safetensors";

    private final NeighbourFiles files;
    private final String model;
    private final Map<String, SafetensorsHeader> headers = new HashMap<>();

    /** @param model the model's file name, for messages */
    WeightFiles(NeighbourFiles files, String model) {
        this.files = files;
        this.model = model;
    }

    /**
     * A tensor.
     *
     * @param location the file's path relative to the model's folder
     * @param type what the model says that it is
     * @param user what names the file, for messages
     * @throws GraphException if the file is malformed or has no such tensor of this type
     */
    Tensor read(String location, String name, TensorType type, SourceRef user) {
        if (!location.endsWith(SUFFIX)) {
            throw new GraphException(user, "'" + location + "' is no " + SUFFIX + " file");
        }
        SafetensorsHeader header = headers.get(location);
        if (header == null) {
            header = SafetensorsHeader.read(files, location, user);
            headers.put(location, header);
        }
        SafetensorsHeader.Entry entry = header.find(name)
                .orElseThrow(() -> new GraphException(user, "'" + location + "' has no tensor '" + name + "'"));
        SourceRef source = new SourceRef(location, "tensor '" + name + "'");
        requireType(entry, type, source);
        if (type.bytes() == 0) {
            return Tensor.allocate(type);
        }
        ByteBuffer bytes = files.bytes(location, header.dataStart() + entry.begin(), type.bytes(), source);
        if (type.dtype() == DType.BOOL) {
            StoredBools.require(bytes, source);
        }
        boolean aligned =
                (header.dataStart() + entry.begin()) % Math.max(1, type.dtype().bits() / 8) == 0;
        return aligned ? Tensor.wrap(type, bytes) : copied(type, bytes);
    }

    private void requireType(SafetensorsHeader.Entry entry, TensorType type, SourceRef source) {
        boolean isBits =
                SafetensorsType.isInBytes(type.dtype()) && entry.dtype().equals(SafetensorsType.BYTES);
        if (isBits && entry.shape().equals(SafetensorsType.stored(type))) {
            return;
        }
        String found = SafetensorsType.find(entry.dtype())
                .map(dtype -> new TensorType(dtype, entry.shape()).toString())
                .orElse(isBits ? entry.shape() + " bytes" : "");
        if (found.isEmpty()) {
            throw new UnsupportedException(
                    source, "data type " + entry.dtype(), "its data type " + entry.dtype() + " is not supported");
        }
        if (!found.equals(type.toString())) {
            throw new GraphException(source, "it is " + found + ", but " + model + " says " + type);
        }
    }

    /** Files of other programs need not align their tensors. */
    private static Tensor copied(TensorType type, ByteBuffer bytes) {
        Tensor tensor = Tensor.allocate(type);
        tensor.bytes().put(bytes);
        return tensor;
    }
}
