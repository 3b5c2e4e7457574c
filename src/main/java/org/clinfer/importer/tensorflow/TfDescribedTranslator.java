package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.ParamType;
import org.clinfer.importer.Params;
import org.clinfer.text.Printable;

/**
 * Passes nodes on to the operators that a user has described beside the built-in ones: inputs by position, in
 * TensorFlow's order of axes, attributes by name as parameters.
 */
final class TfDescribedTranslator implements TfTranslator {

    private final OpDescription op;

    private TfDescribedTranslator(OpDescription op) {
        this.op = op;
    }

    /** For a described operator of this name; a built-in one does not count, because TensorFlow may mean another by it. */
    static Optional<TfTranslator> find(OpCatalog catalog, String name) {
        return OpCatalog.builtIn().find(name).isPresent()
                ? Optional.empty()
                : catalog.find(name).map(TfDescribedTranslator::new);
    }

    @Override
    public void translate(TfCall call) {
        requireKnown(call.node());
        Params params = new Params();
        for (ParamDescription param : op.params()) {
            if (call.node().has(param.name())) {
                put(call.node(), param, params);
            }
        }
        List<String> operands = call.inputs().stream().map(call::plain).toList();
        call.giveAll(op.optype(), operands, params, op.outputs().size(), false);
    }

    private void requireKnown(TfNode node) {
        for (String name : node.attributes()) {
            boolean known = name.startsWith("_")
                    || OpAttributes.TYPES.contains(name)
                    || op.params().stream().anyMatch(param -> param.name().equals(name));
            if (!known) {
                throw node.unsupportedUse("attribute '" + Printable.shortened(name) + "'");
            }
        }
    }

    private static void put(TfNode node, ParamDescription param, Params params) {
        String name = param.name();
        ParamType type = param.type();
        switch (type) {
            case LN_PARAM_BOOL -> params.put(name, node.flag(name, false));
            case LN_PARAM_STRING -> params.put(name, node.text(name, ""));
            case LN_PARAM_NUMBER -> {
                if (node.isReal(name)) {
                    params.put(name, node.real(name, 0));
                } else {
                    params.put(name, node.integer(name, 0));
                }
            }
            case LN_PARAM_ARRAY_NUMBER -> params.put(name, node.integers(name).orElse(new long[0]));
            default -> throw node.unsupportedUse("attribute '" + name + "' of type " + type);
        }
    }
}
