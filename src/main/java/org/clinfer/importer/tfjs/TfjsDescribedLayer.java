package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/**
 * Passes layers on to the operators that a user has described beside the built-in ones: first what the layer takes, by
 * position, then its weights, by name; fields of the configuration by name as parameters.
 */
final class TfjsDescribedLayer implements LayerTranslator<TfjsLayerCall> {

    private final OpDescription op;

    TfjsDescribedLayer(OpDescription op) {
        this.op = op;
    }

    @Override
    public List<Value> translate(TfjsLayerCall call) {
        List<Value> operands = new ArrayList<>(call.inputs());
        int taken = operands.size();
        for (int i = taken; i < op.inputs().size(); i++) {
            InputDescription input = op.inputs().get(i);
            Optional<String> weight = call.findWeight(input.name(), i - taken);
            operands.add(weight.map(name -> call.shared(name, () -> call.weight(name)))
                    .orElse(Value.NONE));
        }
        while (!operands.isEmpty() && operands.get(operands.size() - 1).equals(Value.NONE)) {
            operands.remove(operands.size() - 1);
        }
        Params params = new Params();
        for (ParamDescription param : op.params()) {
            call.config().find(param.name()).ifPresent(value -> params.put(param.name(), value(call, param, value)));
        }
        return call.addAll(op.optype(), operands, params, 1);
    }

    private static Attribute value(TfjsLayerCall call, ParamDescription param, Json value) {
        if (!(value instanceof Json.Arr list)) {
            return element(call, param, value);
        }
        boolean real = list.elements().stream().anyMatch(Json.Real.class::isInstance);
        List<Attribute> elements = list.elements().stream()
                .map(each -> real && each instanceof Json.Int whole
                        ? Attribute.of((double) whole.value())
                        : element(call, param, each))
                .toList();
        if (elements.stream().map(Attribute::getClass).distinct().count() > 1) {
            throw call.config().wrong(param.name(), "the elements of a list must be of one kind");
        }
        return new Attribute.ListValue(elements);
    }

    private static Attribute element(TfjsLayerCall call, ParamDescription param, Json value) {
        if (value instanceof Json.Int whole) {
            return Attribute.of(whole.value());
        } else if (value instanceof Json.Real real) {
            return Attribute.of(real.value());
        } else if (value instanceof Json.Text text) {
            return Attribute.of(text.value());
        } else if (value instanceof Json.Flag flag) {
            return Attribute.of(flag.value());
        }
        throw call.config()
                .wrong(param.name(), "expected a number, a bool, a string or a list of them, found " + value.shown());
    }
}
