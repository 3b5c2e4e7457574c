package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.expr.ExpressionValue;
import org.jspecify.annotations.Nullable;

/**
 * Binds nodes; the same use of an operator once, because networks repeat them. Constants of the same type are the same
 * where the operator does not look at their elements. Thread-safe.
 */
public final class Bindings {

    /** So many are kept; networks whose sizes grow with every run have ever new ones. */
    private static final int MOST = 4096;

    private final Map<Object, Binding> known = new ConcurrentHashMap<>();
    private final Map<String, Boolean> readElements = new ConcurrentHashMap<>();

    /** As {@link OpBinder#bind} does. */
    public Binding bind(
            OpDescription op,
            String nodeLabel,
            List<? extends @Nullable ArgValue> inputs,
            Map<String, ExpressionValue> params,
            int outputCount) {
        boolean differs =
                inputs.stream().anyMatch(input -> input != null && (input.data() != null || input.sizes() != null))
                        && readElements.computeIfAbsent(op.optype(), optype -> op.readsElements());
        if (differs) {
            return OpBinder.bind(op, nodeLabel, inputs, params, outputCount);
        }
        Object use = use(op, inputs, params, outputCount);
        Binding first = known.get(use);
        if (first != null) {
            return first.of(nodeLabel, inputs);
        }
        Binding made = OpBinder.bind(op, nodeLabel, inputs, params, outputCount);
        if (made.isRepeatable()) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(use, made);
        }
        return made;
    }

    private static Object use(
            OpDescription op,
            List<? extends @Nullable ArgValue> inputs,
            Map<String, ExpressionValue> params,
            int outputCount) {
        List<Object> use = new ArrayList<>();
        use.add(op.optype());
        use.add(outputCount);
        use.add(params);
        for (ArgValue input : inputs) {
            if (input == null) {
                use.add("");
            } else {
                use.add(input.type());
                use.add(input.data() != null);
                use.add(input.given() != null);
            }
        }
        return use;
    }
}
