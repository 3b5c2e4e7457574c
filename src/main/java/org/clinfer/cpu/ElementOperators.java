package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;

/** The operators that compute every output element from the input elements at its place. */
final class ElementOperators {

    private ElementOperators() {}

    static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(MapOperators.all(path));
        all.putAll(FoldOperators.all());
        all.putAll(QuantizeOperators.all());
        all.put("Pow", new PowOperator());
        all.putAll(CompareOperator.all());
        all.put("Where", new WhereOperator());
        return all;
    }
}
