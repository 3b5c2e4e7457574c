package org.clinfer.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.onnx.proto.SequenceProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Files of a sequence of tensors (SequenceProto), as ONNX test sets keep inputs and outputs that are sequences. */
final class SequenceProtoFile {

    private SequenceProtoFile() {}

    /** The name that a file gives its sequence, empty if none, and the values, which belong to the caller. */
    record Named(String name, List<Tensor> values) {}

    /**
     * The sequence of a file.
     *
     * @throws org.clinfer.graph.UnsupportedException if its data type is one Clinfer does not have
     * @throws GraphException if the file cannot be read or holds no well-formed tensors
     */
    static Named read(Path file) {
        SequenceProto proto = new ModelFile(file, "sequence file").parse(SequenceProto.parser());
        List<Tensor> values = new ArrayList<>();
        try (ExternalData external = new ExternalData(file)) {
            OnnxTensorReader reader = new OnnxTensorReader(external);
            for (TensorProto value : proto.getTensorValuesList()) {
                String place = "value " + values.size() + " of sequence '" + proto.getName() + "'";
                values.add(reader.read(value, new SourceRef(FileName.of(file), place)));
            }
        } catch (IOException failed) {
            throw new GraphException(
                    new SourceRef(FileName.of(file), ""), "cannot be read: " + failed.getMessage(), failed);
        }
        return new Named(proto.getName(), values);
    }

    /** The sequence of a file as one tensor, with its values along a first axis. */
    static TensorProtoFile.Named stacked(Path file) {
        Named sequence = read(file);
        SourceRef source = new SourceRef(FileName.of(file), "sequence '" + sequence.name() + "'");
        List<Tensor> values = sequence.values();
        TensorType type = values.get(0).type();
        for (int i = 1; i < values.size(); i++) {
            if (!values.get(i).type().equals(type)) {
                throw new UnsupportedException(
                        source,
                        "sequence of values of different types",
                        "its values must be of one type to be one tensor, but value 0 is " + type + " and value " + i
                                + " is " + values.get(i).type());
            }
        }
        return new TensorProtoFile.Named(
                sequence.name(), Tensor.joined(stackedType(type, values.size(), source), values));
    }

    private static TensorType stackedType(TensorType each, int count, SourceRef source) {
        List<Dim> dims = new ArrayList<>(List.of(Dim.of(count)));
        dims.addAll(each.shape().dims());
        TensorType whole = new TensorType(each.dtype(), new Shape(dims));
        if (!whole.fits() || whole.bytes() > Tensor.MAX_BYTES || whole.bytes() != count * each.bytes()) {
            throw new GraphException(source, count + " values of " + each + " do not make one tensor");
        }
        return whole;
    }
}
