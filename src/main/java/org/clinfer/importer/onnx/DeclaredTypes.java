package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.Specializations;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Types that the file declares for its inputs, outputs and inner values. */
final class DeclaredTypes {

    private final GraphProto graph;
    private final String file;
    private final KnownTypes types;

    /** @param types knows the constants already */
    DeclaredTypes(GraphProto graph, String file, KnownTypes types) {
        this.graph = graph;
        this.file = file;
        this.types = types;
    }

    /**
     * The type of an input of the graph, of a sequence that of its {@link Stack}; a scalar, which takes any shape, where neither the file nor the nodes that read it
     * say how many axes it has.
     *
     * @throws GraphException if its size overflows
     * @throws UnsupportedException if it is neither a tensor nor a sequence of tensors, or of a data type Clinfer does not have
     */
    TensorType inputType(ValueInfoProto input) {
        SourceRef source = new SourceRef(file, "input '" + input.getName() + "'");
        DType dtype = requireTensors(input, source);
        if (isSequence(input)) {
            return new TensorType(dtype, Stack.type(ofValues(input)).shape().orElse(Shape.SCALAR));
        }
        TypeProto.Tensor tensor = ofTensors(input).getTensorType();
        if (tensor.hasShape()) {
            TensorType type = new TensorType(dtype, shape(tensor.getShape()));
            if (!type.fits()) {
                throw new GraphException(source, "its type " + type + " is too large");
            }
            return type;
        }
        OptionalInt rank = rankByUse(input.getName());
        return new TensorType(dtype, rank.isPresent() ? KnownType.anyShape(rank.getAsInt()) : Shape.SCALAR);
    }

    /** Refuses an output that is neither a tensor nor a sequence of tensors, or of a data type Clinfer does not have. */
    void checkOutput(ValueInfoProto output) {
        TypeProto type = ofTensors(output);
        if (type.getValueCase() == TypeProto.ValueCase.VALUE_NOT_SET) {
            return;
        }
        if (isMaps(output) || (type.hasTensorType() && type.getTensorType().getElemType() == 0)) {
            return;
        }
        requireTensors(output, new SourceRef(file, "output '" + output.getName() + "'"));
    }

    /** {@return whether a value is a sequence of maps, which is one tensor here as ZipMap gives it} */
    private static boolean isMaps(ValueInfoProto value) {
        return isSequence(value) && ofTensors(value).hasMapType();
    }

    /** The type of a value or, if it is a sequence, of its values. */
    private static TypeProto ofTensors(ValueInfoProto value) {
        TypeProto held = held(value.getType());
        return held.hasSequenceType() ? held.getSequenceType().getElemType() : held;
    }

    /** The type of what an optional value holds; another type itself. */
    private static TypeProto held(TypeProto type) {
        return type.hasOptionalType() ? type.getOptionalType().getElemType() : type;
    }

    static boolean isSequence(ValueInfoProto value) {
        return held(value.getType()).hasSequenceType();
    }

    /** The inputs and outputs that are sequences, or optional values. */
    static Map<String, Specializations.Kind> kinds(GraphProto graph) {
        Map<String, Specializations.Kind> kinds = new LinkedHashMap<>();
        Stream.concat(graph.getInputList().stream(), graph.getOutputList().stream())
                .forEach(value -> {
                    boolean isSequence = isSequence(value) && !isMaps(value);
                    if (value.getType().hasOptionalType()) {
                        kinds.put(
                                value.getName(),
                                isSequence ? Specializations.Kind.OPTIONAL_SEQUENCE : Specializations.Kind.OPTIONAL);
                    } else if (isSequence) {
                        kinds.put(value.getName(), Specializations.Kind.SEQUENCE);
                    }
                });
        return kinds;
    }

    /** The type of each value of a sequence that is an input. */
    TensorType valueType(ValueInfoProto sequence) {
        DType dtype = requireTensors(sequence, new SourceRef(file, "input '" + sequence.getName() + "'"));
        return new TensorType(dtype, ofValues(sequence).shape().orElse(Shape.SCALAR));
    }

    private static DType requireTensors(ValueInfoProto value, SourceRef source) {
        TypeProto type = ofTensors(value);
        String kind = switch (type.getValueCase()) {
            case TENSOR_TYPE, VALUE_NOT_SET -> "";
            case SEQUENCE_TYPE -> "sequence";
            case MAP_TYPE -> "map";
            case OPTIONAL_TYPE -> "optional";
            case SPARSE_TENSOR_TYPE -> "sparse tensor";
            case OPAQUE_TYPE -> "opaque";
        };
        if (!kind.isEmpty()) {
            throw isSequence(value)
                    ? new UnsupportedException(
                            source,
                            "type sequence of " + kind,
                            "it is a sequence of " + kind + " values, not of tensors")
                    : new UnsupportedException(source, "type " + kind, "it is a " + kind + ", not a tensor");
        }
        return OnnxElementTypes.require(type.getTensorType().getElemType(), source, "it");
    }

    /** The declared type of a value, as far as Clinfer has a word for it. */
    static KnownType declared(ValueInfoProto value) {
        return declared(held(value.getType()));
    }

    /** The declared type of the values of a sequence. */
    static KnownType ofValues(ValueInfoProto sequence) {
        return declared(held(sequence.getType()).getSequenceType().getElemType());
    }

    private static KnownType declared(TypeProto type) {
        if (!type.hasTensorType()) {
            return KnownType.NOTHING;
        }
        TypeProto.Tensor tensor = type.getTensorType();
        return new KnownType(
                OnnxElementTypes.find(tensor.getElemType()),
                tensor.hasShape() ? Optional.of(shape(tensor.getShape())) : Optional.empty());
    }

    /**
     * The shape with each name once: exporters were given one name for the batch and for the positions of a sequence, and
     * sizes of one name are equal in a run.
     */
    private static Shape shape(TensorShapeProto proto) {
        Set<String> names = new HashSet<>();
        List<Dim> dims = new ArrayList<>();
        for (TensorShapeProto.Dimension dim : proto.getDimList()) {
            boolean isRepeated = dim.hasDimParam() && !names.add(dim.getDimParam());
            dims.add(isRepeated ? Dim.unknown() : dim(dim));
        }
        return new Shape(dims);
    }

    private static Dim dim(TensorShapeProto.Dimension proto) {
        if (proto.hasDimParam()) {
            return Dim.named(proto.getDimParam());
        }
        return proto.hasDimValue() && proto.getDimValue() >= 0 ? Dim.of(proto.getDimValue()) : Dim.unknown();
    }

    /** The rank that the nodes reading a value imply. */
    private OptionalInt rankByUse(String value) {
        for (NodeProto node : graph.getNodeList()) {
            if (node.getInputCount() > 0 && node.getInput(0).equals(value)) {
                OptionalInt rank = rankOfFirstInput(node);
                if (rank.isPresent()) {
                    return rank;
                }
            }
        }
        return OptionalInt.empty();
    }

    private OptionalInt rankOfFirstInput(NodeProto node) {
        return switch (node.getOpType()) {
            case "Conv", "ConvTranspose" -> {
                OptionalInt weights = node.getInputCount() > 1 ? types.rank(node.getInput(1)) : OptionalInt.empty();
                yield weights.isPresent() ? weights : listLength(node, "kernel_shape", 2);
            }
            case "MaxPool", "AveragePool" -> listLength(node, "kernel_shape", 2);
            case "Transpose" -> listLength(node, "perm", 0);
            case "Gemm" -> OptionalInt.of(2);
            case "DepthToSpace", "SpaceToDepth" -> OptionalInt.of(4);
            default -> OptionalInt.empty();
        };
    }

    private static OptionalInt listLength(NodeProto node, String attribute, int more) {
        for (AttributeProto candidate : node.getAttributeList()) {
            if (candidate.getName().equals(attribute) && candidate.getIntsCount() > 0) {
                return OptionalInt.of(candidate.getIntsCount() + more);
            }
        }
        return OptionalInt.empty();
    }
}
