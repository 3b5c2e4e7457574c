package org.clinfer.cpu.elements;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The operators that compute every output element from the input elements at its place. */
public final class ElementOperators {

    private ElementOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(MapOperators.all(path));
        all.putAll(FoldOperators.all());
        all.put("Pow", CpuOperator.of(CpuWork.SCALAR_ARITHMETIC, new PowOperator()));
        all.putAll(CompareOperator.all());
        all.put("Where", CpuOperator.of(CpuWork.SCALAR_ARITHMETIC, new WhereOperator()));
        return all;
    }
}
