package org.clinfer.importer.onnx;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.ParamType;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.AttributeProto;

/**
 * Passes nodes on to the operators that a user has described beside the built-in ones: inputs and outputs by position,
 * attributes by name as parameters. Whether they fit the description is tested where the graph is checked.
 */
final class OnnxDescribedTranslator implements OnnxTranslator {

    private final OpDescription op;

    private OnnxDescribedTranslator(OpDescription op) {
        this.op = op;
    }

    /** For a described operator of this name; a built-in one does not count, because ONNX may mean another by it. */
    static Optional<OnnxTranslator> find(OpCatalog catalog, String name) {
        return OpCatalog.builtIn().find(name).isPresent()
                ? Optional.empty()
                : catalog.find(name).map(OnnxDescribedTranslator::new);
    }

    @Override
    public void translate(OnnxNode node, OnnxGraphWriter graph) {
        Params params = new Params();
        for (AttributeProto attribute : node.takeAttributes()) {
            params.put(attribute.getName(), value(attribute, node));
        }
        graph.add(node, node.op(), node.inputs(), node.outputs(), params);
    }

    private Attribute value(AttributeProto attribute, OnnxNode node) {
        return switch (OnnxNode.typeOf(attribute)) {
            case INT -> integer(attribute.getI(), attribute.getName());
            case FLOAT -> Attribute.of((double) attribute.getF());
            case STRING -> Attribute.of(attribute.getS().toStringUtf8());
            case INTS ->
                new Attribute.ListValue(attribute.getIntsList().stream()
                        .map(element -> integer(element, attribute.getName()))
                        .toList());
            case FLOATS ->
                new Attribute.ListValue(attribute.getFloatsList().stream()
                        .map(element -> Attribute.of((double) element))
                        .toList());
            case STRINGS ->
                Attribute.ofTexts(attribute.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .toList());
            case UNDEFINED -> new Attribute.ListValue(List.of());
            default ->
                throw node.unsupportedUse("attribute '" + attribute.getName() + "' of type " + attribute.getType());
        };
    }

    /** ONNX has no bools: 0 and 1 stand for them. */
    private Attribute integer(long value, String name) {
        boolean flag = op.param(name)
                .map(ParamDescription::type)
                .filter(type -> type == ParamType.LN_PARAM_BOOL || type == ParamType.LN_PARAM_ARRAY_BOOL)
                .isPresent();
        return flag && (value == 0 || value == 1) ? Attribute.of(value == 1) : Attribute.of(value);
    }
}
