package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.run.BindingParameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Runs an operator with the scratch values and output types that its description works out. */
public final class Described {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    private Described() {}

    /** The one output, on one and on two threads. */
    public static Tensor run(String optype, Map<String, ExpressionValue> params, @Nullable Tensor... inputs) {
        Binding binding = bind(optype, params, inputs);
        assertThat(binding.violations()).isEmpty();
        return TestRuns.run(
                optype, new BindingParameters(binding), binding.outputs().get(0), inputs);
    }

    public static Binding bind(String optype, Map<String, ExpressionValue> params, @Nullable Tensor... inputs) {
        List<@Nullable ArgValue> values = new ArrayList<>();
        for (Tensor input : inputs) {
            values.add(input == null ? null : ArgValue.of(input));
        }
        return OpBinder.bind(CATALOG.find(optype).orElseThrow(), "n", values, params, 1);
    }
}
