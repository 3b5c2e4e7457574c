package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The CPU implementations by operator name. */
public final class CpuOperators {

    private final Map<String, CpuOperator> operators;
    private final CpuPath path;

    private CpuOperators(Map<String, CpuOperator> operators, CpuPath path) {
        this.operators = Map.copyOf(operators);
        this.path = path;
    }

    /** All implementations of the product, by the best path there is. */
    public static CpuOperators builtIn() {
        return builtIn(CpuPath.current());
    }

    /** The same by another path. */
    public static CpuOperators builtIn(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(MathOperators.all(path));
        all.putAll(ElementOperators.all(path));
        all.putAll(ReduceOperators.all(path));
        all.putAll(AxisOperators.all());
        all.putAll(PlaceOperators.all());
        all.putAll(MovementOperators.all());
        all.putAll(DetectionOperators.all());
        all.putAll(RecurrentOperator.all(path));
        return new CpuOperators(all, path);
    }

    public Optional<CpuOperator> find(String optype) {
        return Optional.ofNullable(operators.get(optype));
    }

    /** The code path by which they compute floats. */
    public CpuPath path() {
        return path;
    }

    public Set<String> names() {
        return operators.keySet();
    }
}
