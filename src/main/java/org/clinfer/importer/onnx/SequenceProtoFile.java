package org.clinfer.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.Specializations;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.onnx.proto.OptionalProto;
import org.clinfer.importer.onnx.proto.SequenceProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Files of a sequence or an optional value, as ONNX test sets keep them. Their bytes do not tell them from files of tensors; the
 * {@link Specializations#kinds kind} of the input or output does.
 */
public final class SequenceProtoFile {

    private final OptionalProto proto;
    private final Specializations.Kind kind;
    private final Path file;
    private final SourceRef source;

    private SequenceProtoFile(OptionalProto proto, Specializations.Kind kind, Path file) {
        this.proto = proto;
        this.kind = kind;
        this.file = file;
        this.source = new SourceRef(FileName.of(file), "");
    }

    /**
     * A file.
     *
     * @throws GraphException if it cannot be read, or is of another kind
     */
    public static SequenceProtoFile of(Path file, Specializations.Kind kind) {
        SequenceProtoFile read = new SequenceProtoFile(parsed(file, kind), kind, file);
        read.requireKind();
        return read;
    }

    private static OptionalProto parsed(Path file, Specializations.Kind kind) {
        if (kind.isOptional()) {
            return new ModelFile(file, "file of an optional value").parse(OptionalProto.parser());
        }
        SequenceProto sequence = new ModelFile(file, "sequence file").parse(SequenceProto.parser());
        return OptionalProto.newBuilder()
                .setName(sequence.getName())
                .setSequenceValue(sequence)
                .build();
    }

    /** A message of another kind has fields that this one has not. */
    private void requireKind() {
        boolean isOther = kind.isSequence() ? proto.hasTensorValue() : proto.hasSequenceValue();
        if (isOther
                || !proto.getUnknownFields().asMap().isEmpty()
                || !proto.getSequenceValue().getUnknownFields().asMap().isEmpty()) {
            String wanted = switch (kind) {
                case SEQUENCE -> "a sequence of tensors";
                case OPTIONAL -> "an optional tensor";
                case OPTIONAL_SEQUENCE -> "an optional sequence of tensors";
            };
            throw new GraphException(source, "it does not hold " + wanted + ", as the model has it");
        }
    }

    /** The kind of the output that a file is of, by the name in it; empty where it is a tensor. */
    public static Optional<Specializations.Kind> kind(Path file, Map<String, Specializations.Kind> kinds) {
        String name = new ModelFile(file, "file of a value")
                .parse(OptionalProto.parser())
                .getName();
        return Optional.ofNullable(kinds.get(name));
    }

    /** The name in the file, empty if none. */
    public String name() {
        return proto.getName();
    }

    /**
     * The tensors that a run is given for an input: none where the file holds nothing, one for a tensor, one for each value of a
     * sequence, and one for all of them where there are none or too many. They belong to the caller.
     *
     * @throws org.clinfer.graph.UnsupportedException if the type of a tensor is one Clinfer does not have
     * @throws GraphException if a tensor is malformed
     */
    public Map<String, Tensor> given(Graph.Input input) {
        if (!kind.isSequence()) {
            return proto.hasTensorValue() ? Map.of(input.name(), values().get(0)) : Map.of();
        }
        if (!proto.hasSequenceValue()) {
            return Map.of();
        }
        List<Tensor> values = values();
        return values.isEmpty() || (values.size() > SequenceTranslators.MOST && isOfOneType(values))
                ? Map.of(input.name(), stacked(input.type().dtype(), values))
                : listed(input.name(), values);
    }

    /**
     * The tensors to compare with the outputs of a run: one for a sequence that came out as one tensor, else as many as
     * there are values.
     *
     * @param outputs those of the run
     */
    public Map<String, Tensor> expected(Map<String, Tensor> outputs) {
        List<Tensor> values = values();
        Tensor whole = outputs.get(name());
        if (!kind.isSequence()) {
            return values.isEmpty() ? Map.of() : Map.of(name(), values.get(0));
        }
        if (whole != null && values.isEmpty() && whole.elements() == 0) {
            return Map.of(name(), whole);
        }
        return whole != null && isOfOneType(values)
                ? Map.of(name(), stacked(whole.dtype(), values))
                : listed(name(), values);
    }

    private List<Tensor> values() {
        List<TensorProto> protos = kind.isSequence()
                ? proto.getSequenceValue().getTensorValuesList()
                : proto.hasTensorValue() ? List.of(proto.getTensorValue()) : List.of();
        List<Tensor> values = new ArrayList<>();
        try (ExternalData external = new ExternalData(file)) {
            OnnxTensorReader reader = new OnnxTensorReader(external);
            for (TensorProto value : protos) {
                String place = "value " + values.size() + " of '" + name() + "'";
                values.add(reader.read(value, new SourceRef(source.file(), place)));
            }
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
        return values;
    }

    private static boolean isOfOneType(List<Tensor> values) {
        return values.stream().map(Tensor::type).distinct().count() == 1;
    }

    private static Map<String, Tensor> listed(String sequence, List<Tensor> values) {
        Map<String, Tensor> listed = new LinkedHashMap<>();
        for (Tensor value : values) {
            listed.put(Specializations.value(sequence, listed.size()), value);
        }
        return listed;
    }

    private Tensor stacked(DType dtype, List<Tensor> values) {
        if (values.isEmpty()) {
            return Tensor.allocate(dtype, 0);
        }
        TensorType each = values.get(0).type();
        List<Dim> dims = new ArrayList<>(List.of(Dim.of(values.size())));
        dims.addAll(each.shape().dims());
        TensorType whole = new TensorType(each.dtype(), new Shape(dims));
        if (!whole.fits() || whole.bytes() > Tensor.MAX_BYTES || whole.bytes() != values.size() * each.bytes()) {
            throw new GraphException(source, values.size() + " values of " + each + " do not make one tensor");
        }
        return Tensor.joined(whole, values);
    }
}
