package org.clinfer.importer.onnx;

import com.google.protobuf.UnsafeByteOperations;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Files of one tensor, as ONNX test sets keep their inputs and outputs ({@code input_0.pb}). */
public final class TensorProtoFile {

    private TensorProtoFile() {}

    /** A tensor and the name its file gives it, empty if none. */
    public record Named(String name, Tensor tensor) {}

    /**
     * The tensor of a file, which belongs to the caller.
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
