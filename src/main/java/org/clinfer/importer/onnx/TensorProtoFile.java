package org.clinfer.importer.onnx;

import com.google.protobuf.UnsafeByteOperations;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Files of one tensor or of a sequence of tensors, as ONNX test sets keep their inputs and outputs ({@code input_0.pb}). */
public final class TensorProtoFile {

    private TensorProtoFile() {}

    /** A tensor and the name its file gives it, empty if none. */
    public record Named(String name, Tensor tensor) {}

    /**
     * The tensor of a file, or the values of its sequence along a first axis; it belongs to the caller.
     *
     * @throws org.clinfer.graph.UnsupportedException if its data type is one Clinfer does not have
     * @throws GraphException if the file cannot be read or holds no well-formed tensor
     */
    public static Tensor read(Path file) {
        return readNamed(file).tensor();
    }

    /** {@link #read} with the name the tensor has in its file. */
    public static Named readNamed(Path file) {
        TensorProto proto = new ModelFile(file, "tensor file").parse(TensorProto.parser());
        if (isSequence(proto)) {
            return SequenceProtoFile.stacked(file);
        }
        SourceRef source = new SourceRef(FileName.of(file), "tensor '" + proto.getName() + "'");
        if (!proto.hasDataType()) {
            throw new GraphException(source, "not a valid tensor file: it has no data type");
        }
        try (ExternalData external = new ExternalData(file)) {
            return new Named(proto.getName(), new OnnxTensorReader(external).read(proto, source));
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }

    /** The values of a sequence with their names, {@code s[0]}, {@code s[1]} and so on; else the only tensor of the file. */
    public static List<Named> readAll(Path file) {
        if (!isSequence(new ModelFile(file, "tensor file").parse(TensorProto.parser()))) {
            return List.of(readNamed(file));
        }
        SequenceProtoFile.Named sequence = SequenceProtoFile.read(file);
        List<Named> all = new ArrayList<>();
        for (Tensor value : sequence.values()) {
            all.add(new Named(sequence.name() + "[" + all.size() + "]", value));
        }
        return all;
    }

    /** A sequence has its values where a tensor says that it is a segment of a larger one. */
    private static boolean isSequence(TensorProto proto) {
        return proto.hasSegment() && !proto.hasRawData();
    }

    /**
     * Writes a tensor to a file of its own.
     *
     * @throws IllegalArgumentException for {@link DType#U1}, which the format does not have
     */
    public static void write(Path file, String name, Tensor tensor) throws IOException {
        TensorProto.Builder proto = TensorProto.newBuilder()
                .setName(name)
                .setDataType(OnnxElementTypes.number(tensor.dtype()))
                .setRawData(UnsafeByteOperations.unsafeWrap(tensor.bytes()));
        for (long size : tensor.shape().sizes()) {
            proto.addDims(size);
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            proto.build().writeTo(out);
        }
    }
}
