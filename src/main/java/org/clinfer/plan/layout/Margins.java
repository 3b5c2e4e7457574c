package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.plan.layout.BlockedForm.Operand;

/**
 * The margin of zeros that each value in blocked channels has: wide enough for all that read it. Values that lie in one
 * another have the same.
 */
final class Margins {

    private final Map<String, String> wholes = new HashMap<>();
    private final Map<String, Margin> margins = new HashMap<>();

    Margins(List<Unit> blocked) {
        for (Unit unit : blocked) {
            BlockedForm form = unit.form().orElseThrow();
            if (form.output() == BlockedForm.Output.AS_OPERANDS) {
                List<String> same = new ArrayList<>(unit.operands());
                same.addAll(unit.outputs());
                same.forEach(value -> join(value, same.get(0)));
            }
        }
        for (Unit unit : blocked) {
            BlockedForm form = unit.form().orElseThrow();
            for (Operand operand : form.operands()) {
                margins.merge(root(form.inputs().get(operand.position())), operand.padding(), Margin::max);
            }
        }
    }

    private void join(String value, String other) {
        String from = root(value);
        String to = root(other);
        if (!from.equals(to)) {
            wholes.put(from, to);
        }
    }

    private String root(String value) {
        String root = value;
        for (String whole = wholes.get(root); whole != null; whole = wholes.get(root)) {
            root = whole;
        }
        return root;
    }

    Margin of(String value) {
        return margins.getOrDefault(root(value), Margin.NONE);
    }
}
