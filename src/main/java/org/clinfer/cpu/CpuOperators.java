package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The CPU implementations by operator name. */
public final class CpuOperators {

    private final Map<String, CpuOperator> operators;

    private CpuOperators(Map<String, CpuOperator> operators) {
        this.operators = Map.copyOf(operators);
    }

    /** All implementations of the product. */
    public static CpuOperators builtIn() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(MathOperators.all());
        all.putAll(ElementOperators.all());
        all.putAll(ReduceOperators.all());
        all.putAll(MovementOperators.all());
        return new CpuOperators(all);
    }

    public Optional<CpuOperator> find(String optype) {
        return Optional.ofNullable(operators.get(optype));
    }

    public Set<String> names() {
        return operators.keySet();
    }
}
