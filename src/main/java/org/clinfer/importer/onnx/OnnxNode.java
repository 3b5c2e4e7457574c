package org.clinfer.importer.onnx;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.text.Printable;

/** One node of the file with typed access to its attributes; it remembers which were read. */
final class OnnxNode {

    /** The domain of what ONNX Runtime makes of convolutions for the processor that it runs on. */
    private static final String BLOCKED = "com.microsoft.nchwc";

    private final NodeProto proto;
    private final long opset;
    private final String name;
    private final SourceRef source;
    private final List<String> inputs;
    private final List<String> outputs;
    private final Map<String, AttributeProto> attributes = new LinkedHashMap<>();
    private final Set<String> consumed = new HashSet<>();

    /** Branches and bodies that were read, of this node and those within it: their copies have the same bytes. */
    private final IdentityHashMap<ByteString, GraphProto> graphs;

    OnnxNode(NodeProto proto, int index, long opset, String file) {
        this(
                proto,
                proto.getName().isEmpty() ? proto.getOpType() + "_" + index : proto.getName(),
                opset,
                sourceOf(proto, index, file),
                new IdentityHashMap<>());
    }

    private OnnxNode(
            NodeProto proto,
            String name,
            long opset,
            SourceRef source,
            IdentityHashMap<ByteString, GraphProto> graphs) {
        this.graphs = graphs;
        this.proto = proto;
        this.opset = opset;
        this.name = name;
        this.source = source;
        this.inputs = trimmed(proto.getInputList());
        this.outputs = trimmed(proto.getOutputList());
        proto.getAttributeList().forEach(attribute -> attributes.put(attribute.getName(), attribute));
    }

    /** Checks that no attribute is given twice. */
    void requireDistinctAttributes() {
        Set<String> names = new HashSet<>();
        for (AttributeProto attribute : proto.getAttributeList()) {
            if (!names.add(attribute.getName())) {
                throw malformed("attribute '" + attribute.getName() + "' is given twice");
            }
        }
    }

    /** {@code node 17 'conv1' (Conv)}. */
    static SourceRef sourceOf(NodeProto proto, int index, String file) {
        String quoted = proto.getName().isEmpty() ? "" : " '" + Printable.shortened(proto.getName()) + "'";
        return new SourceRef(file, "node " + index + quoted + " (" + Printable.shortened(proto.getOpType()) + ")");
    }

    /** A node of another operator with these inputs and outputs and all attributes but some, which counts as read here. */
    OnnxNode as(String op, long version, List<String> givenInputs, List<String> givenOutputs, Set<String> without) {
        NodeProto.Builder plain = proto.toBuilder()
                .setOpType(op)
                .clearInput()
                .addAllInput(givenInputs)
                .clearOutput()
                .addAllOutput(givenOutputs)
                .clearAttribute();
        for (AttributeProto attribute : attributes.values()) {
            if (!without.contains(attribute.getName())) {
                plain.addAttribute(attribute);
                consumed.add(attribute.getName());
            }
        }
        return new OnnxNode(plain.build(), name, version, source, graphs);
    }

    /** A node of a branch or body of this one, in its operator set. */
    OnnxNode inner(NodeProto node) {
        String element = source.element() + " node '" + Printable.shortened(node.getName()) + "' ("
                + Printable.shortened(node.getOpType()) + ")";
        return new OnnxNode(node, node.getName(), opset, new SourceRef(source.file(), element), graphs);
    }

    private static List<String> trimmed(List<String> names) {
        List<String> trimmed = new ArrayList<>(names);
        while (!trimmed.isEmpty() && trimmed.get(trimmed.size() - 1).isEmpty()) {
            trimmed.remove(trimmed.size() - 1);
        }
        return List.copyOf(trimmed);
    }

    String op() {
        return proto.getOpType();
    }

    /** The domain of the operator; {@code ""} for ONNX's own. */
    String domain() {
        return proto.getDomain();
    }

    /** The operator, of another domain with that in front. */
    String qualifiedOp() {
        return isStandard() ? op() : domain() + "." + op();
    }

    /** {@return whether the operator is one of ONNX's own} */
    boolean isStandard() {
        return isStandard(proto.getDomain());
    }

    static boolean isStandard(String domain) {
        return domain.isEmpty() || domain.equals("ai.onnx");
    }

    /** The version of the operator set the model was written for. */
    long opset() {
        return opset;
    }

    String name() {
        return name;
    }

    SourceRef source() {
        return source;
    }

    /** Input names; {@code ""} where one is left out, none at the end. */
    List<String> inputs() {
        return inputs;
    }

    /** Output names; {@code ""} where one is left out, none at the end. */
    List<String> outputs() {
        return outputs;
    }

    /** Output names with those left out at the end, for operators whose number of outputs means something. */
    List<String> allOutputs() {
        return List.copyOf(proto.getOutputList());
    }

    boolean hasInput(int index) {
        return index < inputs.size() && !inputs.get(index).isEmpty();
    }

    /** The name of an input, {@code ""} if it is left out. */
    String optionalInput(int index) {
        return index < inputs.size() ? inputs.get(index) : "";
    }

    /** The name of an input that must be there. */
    String input(int index) {
        if (!hasInput(index)) {
            throw malformed("input " + index + " is missing");
        }
        return inputs.get(index);
    }

    /** The name of the first output. */
    String output() {
        if (outputs.isEmpty() || outputs.get(0).isEmpty()) {
            throw malformed("output 0 is missing");
        }
        return outputs.get(0);
    }

    /** Checks the number of inputs, and that the first {@code least} are there. */
    void requireInputs(int least, int most) {
        if (inputs.size() > most) {
            throw malformed("it has " + inputs.size() + " inputs, but " + op() + " takes at most " + most
                    + " in operator set " + opset);
        }
        for (int i = 0; i < least; i++) {
            input(i);
        }
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    /** The type of an attribute, if it is there. */
    Optional<AttributeType> kind(String attribute) {
        return Optional.ofNullable(attributes.get(attribute)).map(OnnxNode::typeOf);
    }

    /** Accepts attributes that change nothing at inference. */
    void ignore(String... hints) {
        consumed.addAll(List.of(hints));
    }

    long integer(String attribute, long otherwise) {
        return find(attribute, AttributeType.INT).map(AttributeProto::getI).orElse(otherwise);
    }

    long integer(String attribute) {
        return require(attribute, AttributeType.INT).getI();
    }

    /** An integer that stands for false (0) or true (1). */
    boolean flag(String attribute, boolean otherwise) {
        long value = integer(attribute, otherwise ? 1 : 0);
        if (value != 0 && value != 1) {
            throw malformed("attribute '" + attribute + "' must be 0 or 1, but is " + value);
        }
        return value == 1;
    }

    double real(String attribute, float otherwise) {
        return find(attribute, AttributeType.FLOAT).map(AttributeProto::getF).orElse(otherwise);
    }

    double real(String attribute) {
        return require(attribute, AttributeType.FLOAT).getF();
    }

    String text(String attribute, String otherwise) {
        return find(attribute, AttributeType.STRING)
                .map(found -> found.getS().toStringUtf8())
                .orElse(otherwise);
    }

    String text(String attribute) {
        return require(attribute, AttributeType.STRING).getS().toStringUtf8();
    }

    /** A list of integers; a single one, as some exporters write it, is a list of one. */
    Optional<long[]> integers(String attribute) {
        AttributeProto given = attributes.get(attribute);
        if (given != null && typeOf(given) == AttributeType.INT) {
            return Optional.of(new long[] {integer(attribute)});
        }
        return find(attribute, AttributeType.INTS)
                .map(found ->
                        found.getIntsList().stream().mapToLong(Long::longValue).toArray());
    }

    /** A number of a list, or another one where the list has not so many. */
    long element(String attribute, int position, long otherwise) {
        return integers(attribute)
                .filter(given -> position < given.length)
                .map(given -> given[position])
                .orElse(otherwise);
    }

    long[] requiredIntegers(String attribute) {
        return integers(attribute).orElseThrow(() -> missing(attribute));
    }

    Optional<List<String>> texts(String attribute) {
        return find(attribute, AttributeType.STRINGS)
                .map(found -> found.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .toList());
    }

    double[] requiredReals(String attribute) {
        return reals(attribute).orElseThrow(() -> missing(attribute));
    }

    Optional<double[]> reals(String attribute) {
        return find(attribute, AttributeType.FLOATS)
                .map(found -> found.getFloatsList().stream()
                        .mapToDouble(Float::doubleValue)
                        .toArray());
    }

    /** The attribute if it is there, which must be of this type. */
    Optional<AttributeProto> find(String attribute, AttributeType wanted) {
        consumed.add(attribute);
        AttributeProto found = attributes.get(attribute);
        if (found == null) {
            return Optional.empty();
        }
        requireOwnValue(found);
        AttributeType type = typeOf(found);
        boolean emptyList = type == AttributeType.UNDEFINED && wanted.name().endsWith("S");
        if (type != wanted && !emptyList) {
            throw malformed("attribute '" + attribute + "' must be of type " + wanted + ", but is " + type);
        }
        return Optional.of(found);
    }

    /** A branch or body. */
    GraphProto graph(String attribute) {
        AttributeProto found = require(attribute, AttributeType.GRAPH);
        return graphs.computeIfAbsent(found.getG(), unread -> parsed(found, source));
    }

    static GraphProto parsed(AttributeProto attribute, SourceRef source) {
        try {
            return GraphProto.parseFrom(attribute.getG());
        } catch (InvalidProtocolBufferException broken) {
            throw new GraphException(
                    source, "attribute '" + attribute.getName() + "' is no graph: " + broken.getMessage(), broken);
        }
    }

    /** The branches and bodies of a node. */
    static List<GraphProto> graphs(NodeProto node, SourceRef source) {
        return node.getAttributeList().stream()
                .filter(attribute -> typeOf(attribute) == AttributeType.GRAPH)
                .map(attribute -> parsed(attribute, source))
                .toList();
    }

    /** All attributes, for an operator whose parameters are not known here. */
    List<AttributeProto> takeAttributes() {
        for (AttributeProto attribute : attributes.values()) {
            consumed.add(attribute.getName());
            requireOwnValue(attribute);
        }
        return List.copyOf(attributes.values());
    }

    private void requireOwnValue(AttributeProto attribute) {
        if (!attribute.getRefAttrName().isEmpty()) {
            throw malformed(
                    "attribute '" + attribute.getName() + "' refers to a function's attribute outside a function");
        }
    }

    private AttributeProto require(String attribute, AttributeType wanted) {
        return find(attribute, wanted).orElseThrow(() -> missing(attribute));
    }

    private GraphException missing(String attribute) {
        return malformed("attribute '" + attribute + "' is missing; " + op() + " needs it in operator set " + opset);
    }

    /** The declared type, or for files older than the declaration the type of the field that is set. */
    static AttributeType typeOf(AttributeProto attribute) {
        if (attribute.getType() != AttributeType.UNDEFINED) {
            return attribute.getType();
        } else if (attribute.hasF()) {
            return AttributeType.FLOAT;
        } else if (attribute.hasI()) {
            return AttributeType.INT;
        } else if (attribute.hasS()) {
            return AttributeType.STRING;
        } else if (attribute.hasT()) {
            return AttributeType.TENSOR;
        } else if (attribute.getFloatsCount() > 0) {
            return AttributeType.FLOATS;
        } else if (attribute.getIntsCount() > 0) {
            return AttributeType.INTS;
        }
        return attribute.getStringsCount() > 0 ? AttributeType.STRINGS : AttributeType.UNDEFINED;
    }

    /**
     * Checks that nothing the node says was passed over.
     *
     * @throws UnsupportedException naming the first attribute nobody read
     */
    void requireAllConsumed() {
        for (String attribute : attributes.keySet()) {
            if (!consumed.contains(attribute)) {
                throw unsupportedUse("attribute '" + attribute + "'");
            }
        }
    }

    GraphException malformed(String message) {
        return new GraphException(source, message);
    }

    /** The operator as a whole is not translated. */
    UnsupportedException unsupportedOperator() {
        String full = qualifiedOp();
        String advice = domain().equals(BLOCKED)
                ? ", whose weights lie as one kind of processor has them: save the model with ONNX Runtime's"
                        + " ORT_ENABLE_EXTENDED, or take it as it was before"
                : "";
        return new UnsupportedException(source, "operator " + full, "Clinfer has no operator " + full + advice);
    }

    /** The operator is translated, but not this use of it: {@code operator Conv with a 4-D kernel}. */
    UnsupportedException unsupportedUse(String use) {
        String feature = "operator " + op() + " with " + use;
        return new UnsupportedException(source, feature, feature + " is not supported");
    }
}
