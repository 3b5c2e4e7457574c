package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.RealType;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;

/**
 * Passes layers on to the operators that a user has described beside the built-in ones: first the bottoms, then the blobs, by
 * position; fields of the one message of parameters that the layer has, by name.
 */
final class CaffeDescribedLayer implements LayerTranslator<CaffeLayerCall> {

    private final OpDescription op;

    CaffeDescribedLayer(OpDescription op) {
        this.op = op;
    }

    @Override
    public List<Value> translate(CaffeLayerCall call) {
        List<Value> operands = new ArrayList<>(call.inputs());
        for (int i = 0; i < call.blobs().size(); i++) {
            Shape shape = call.stored(i);
            operands.add(call.weight(i, "blob_" + i, shape, Filler.UNKNOWN));
        }
        Params params = new Params();
        for (String field : call.layer().block().fields().keySet()) {
            if (field.endsWith("_param")) {
                CaffeFields given = call.params(field);
                op.params().stream()
                        .filter(param -> given.has(param.name()))
                        .forEach(param -> params.put(param.name(), value(given, param)));
            }
        }
        return call.addAll(op.optype(), operands, params, call.layer().tops().size());
    }

    private static Attribute value(CaffeFields given, ParamDescription param) {
        String name = param.name();
        boolean real = param.realType().filter(RealType.INT::equals).isEmpty();
        return switch (param.type()) {
            case LN_PARAM_BOOL -> Attribute.of(given.flag(name, false));
            case LN_PARAM_STRING -> Attribute.of(given.text(name).orElse(""));
            case LN_PARAM_NUMBER ->
                real
                        ? Attribute.of(given.real(name, 0))
                        : Attribute.of(given.integer(name, 0, Long.MIN_VALUE, Long.MAX_VALUE));
            default -> throw given.wrong(name, "a parameter of this kind cannot be given in Caffe's format");
        };
    }
}
