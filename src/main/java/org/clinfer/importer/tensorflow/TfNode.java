package org.clinfer.importer.tensorflow;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.AttrValue.ValueCase;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.DType;
import org.clinfer.text.Printable;

/** One node of the file with typed access to its attributes. */
final class TfNode {

    private final NodeDef proto;
    private final SourceRef source;
    private final List<Ref> inputs = new ArrayList<>();
    private final List<String> controls = new ArrayList<>();
    private final Map<String, AttrValue> attributes;

    TfNode(NodeDef proto, int index, String file) {
        this(
                proto,
                new SourceRef(
                        file,
                        "node " + index + " '" + Printable.shortened(proto.getName()) + "' ("
                                + Printable.shortened(proto.getOp()) + ")"));
    }

    private TfNode(NodeDef proto, SourceRef source) {
        this.proto = proto;
        this.source = source;
        this.attributes = proto.getAttrMap();
        for (String input : proto.getInputList()) {
            if (input.startsWith("^")) {
                controls.add(input.substring(1));
            } else {
                inputs.add(Ref.parse(input)
                        .orElseThrow(() ->
                                malformed("input '" + Printable.shortened(input) + "' is no name of a node's output")));
            }
        }
    }

    /** A node that this one is fused of, which has its attributes and others. */
    TfNode part(String op, String name, Map<String, AttrValue> others) {
        return new TfNode(
                proto.toBuilder().setOp(op).setName(name).putAllAttr(others).build(), source);
    }

    /** The node for real numbers in the place of complex ones. */
    TfNode ofRealNumbers(String name) {
        NodeDef.Builder real = proto.toBuilder().setName(name);
        attributes.forEach((attribute, value) -> {
            if (value.getValueCase() == ValueCase.TYPE && TfComplex.is(value.getType())) {
                real.putAttr(
                        attribute,
                        AttrValue.newBuilder().setType(DataType.DT_FLOAT).build());
            }
        });
        return new TfNode(real.build(), source);
    }

    String name() {
        return proto.getName();
    }

    String op() {
        return proto.getOp();
    }

    private String shownOp() {
        return Printable.shortened(op());
    }

    SourceRef source() {
        return source;
    }

    /** The outputs that it reads, in order. */
    List<Ref> inputs() {
        return inputs;
    }

    /** The nodes that it only waits for. */
    List<String> controls() {
        return controls;
    }

    /** The names of its attributes. */
    Set<String> attributes() {
        return attributes.keySet();
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    /** {@return whether an attribute has a value, which a list without elements is not} */
    boolean isGiven(String attribute) {
        AttrValue found = attributes.getOrDefault(attribute, AttrValue.getDefaultInstance());
        return found.getValueCase() != ValueCase.VALUE_NOT_SET
                && !(found.hasList() && found.getList().equals(AttrValue.ListValue.getDefaultInstance()));
    }

    long integer(String attribute, long otherwise) {
        return find(attribute, ValueCase.I).map(AttrValue::getI).orElse(otherwise);
    }

    double real(String attribute, double otherwise) {
        return find(attribute, ValueCase.F).map(found -> (double) found.getF()).orElse(otherwise);
    }

    /** {@return whether an attribute is a real number} */
    boolean isReal(String attribute) {
        AttrValue found = attributes.get(attribute);
        return found != null && found.getValueCase() == ValueCase.F;
    }

    boolean flag(String attribute, boolean otherwise) {
        return find(attribute, ValueCase.B).map(AttrValue::getB).orElse(otherwise);
    }

    String text(String attribute, String otherwise) {
        return find(attribute, ValueCase.S)
                .map(found -> found.getS().toStringUtf8())
                .orElse(otherwise);
    }

    /** A list of texts; empty if there is none. */
    List<String> texts(String attribute) {
        return find(attribute, ValueCase.LIST)
                .map(found -> found.getList().getSList().stream()
                        .map(ByteString::toStringUtf8)
                        .toList())
                .orElse(List.of());
    }

    /** A list of real numbers; empty if there is none. */
    float[] reals(String attribute) {
        List<Float> list = find(attribute, ValueCase.LIST)
                .map(found -> found.getList().getFList())
                .orElse(List.of());
        float[] numbers = new float[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.get(i);
        }
        return numbers;
    }

    /** A list of integers; empty if there is none, or nothing in it. */
    Optional<long[]> integers(String attribute) {
        return find(attribute, ValueCase.LIST)
                .map(found -> found.getList().getIList().stream()
                        .mapToLong(Long::longValue)
                        .toArray())
                .filter(list -> list.length > 0);
    }

    /** A data type; empty if there is none, or a list of them. */
    Optional<DataType> singleType(String attribute) {
        AttrValue found = attributes.get(attribute);
        return found != null && found.hasList() ? Optional.empty() : type(attribute);
    }

    /** A data type; empty if there is none. */
    Optional<DataType> type(String attribute) {
        return find(attribute, ValueCase.TYPE).map(AttrValue::getType);
    }

    /** A data type that Clinfer has; empty if there is none. */
    Optional<DType> dtype(String attribute) {
        return type(attribute).map(type -> TfElementTypes.require(type, source));
    }

    Optional<TensorShapeProto> shape(String attribute) {
        return find(attribute, ValueCase.SHAPE).map(AttrValue::getShape);
    }

    TensorProto tensor(String attribute) {
        return find(attribute, ValueCase.TENSOR)
                .map(AttrValue::getTensor)
                .orElseThrow(() -> malformed("attribute '" + attribute + "' is missing"));
    }

    private Optional<AttrValue> find(String attribute, ValueCase wanted) {
        AttrValue found = attributes.get(attribute);
        if (found == null || found.getValueCase() == ValueCase.VALUE_NOT_SET) {
            return Optional.empty();
        }
        if (found.getValueCase() != wanted) {
            throw malformed(
                    "attribute '" + attribute + "' must be of kind " + wanted + ", but is " + found.getValueCase());
        }
        return Optional.of(found);
    }

    GraphException malformed(String message) {
        return new GraphException(source, Printable.message(message));
    }

    /** The operator as a whole is not translated. */
    UnsupportedException unsupportedOperator() {
        return new UnsupportedException(source, "operator " + shownOp(), "Clinfer has no operator " + shownOp());
    }

    /** The operator is translated, but not this use of it. */
    UnsupportedException unsupportedUse(String use) {
        String feature = Printable.message("operator " + op() + " with " + use);
        return new UnsupportedException(source, feature, feature + " is not supported");
    }
}
