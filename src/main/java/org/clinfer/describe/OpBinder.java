package org.clinfer.describe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Binds a node to the description of its operator: checks it, applies defaults and infers the outputs. */
public final class OpBinder {

    private OpBinder() {}

    /**
     * Binds a node. What is wrong with it is reported in the result, all of it where possible; nothing is thrown.
     *
     * @param nodeLabel how messages call the node
     * @param inputs the inputs in order; null for one that is left out
     * @param params the parameters given; an absent value counts as not given
     * @param outputCount how many outputs the node has
     */
    public static Binding bind(
            OpDescription op,
            String nodeLabel,
            List<? extends @Nullable ArgValue> inputs,
            Map<String, ExpressionValue> params,
            int outputCount) {
        BindState state = new BindState(op, nodeLabel);
        new InputBinder(state).bind(inputs);
        state.define("output_count", ExpressionValue.of(outputCount));
        new ParamBinder(state).bind(params);
        Map<String, ExpressionValue> bound = new LinkedHashMap<>();
        op.params()
                .forEach(param ->
                        bound.put(param.name(), state.value(param.name()).orElse(ExpressionValue.absent())));
        for (PrivDescription priv : op.privs()) {
            bindPriv(state, priv);
        }
        op.checks().forEach(check -> state.check(check, ""));
        List<TensorType> outputs = new OutputBinder(state).bind(outputCount);
        new OwnerBinder(state).bind();
        return new Binding(nodeLabel, outputs, bound, state);
    }

    private static void bindPriv(BindState state, PrivDescription priv) {
        Optional<ExpressionValue> value = state.evaluate(priv.value(), priv.name());
        Optional<ExpressionValue> converted = value.flatMap(v -> ParamValues.convert(priv.type(), v));
        if (value.isPresent() && converted.isEmpty()) {
            state.violate(
                    priv.name(),
                    "expected " + priv.type().shown() + ", found " + value.get().described() + ", in "
                            + BindState.abbreviated(priv.value().source()));
        }
        state.define(priv.name(), converted.orElse(ExpressionValue.absent()));
        if (converted.isEmpty()) {
            state.markBroken(priv.name());
        }
    }
}
