package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The references of all operators, by name. */
final class References {

    private static final List<Map<String, Reference>> FAMILIES = List.of(
            ActivationReferences.all(),
            ArithmeticReferences.all(),
            AxisReferences.all(),
            BinaryReferences.all(),
            BitReferences.all(),
            BlockedReferences.all(),
            BlockedOperatorReferences.all(),
            ComparisonReferences.all(),
            ComposedReferences.all(),
            DetectionReferences.all(),
            FunctionReferences.all(),
            FusedReferences.all(),
            IndexedReferences.all(),
            LayoutReferences.all(),
            LinearReferences.all(),
            NormalizationReferences.all(),
            RectifierReferences.all(),
            IndexReferences.all(),
            RecurrentReference.all(),
            QuantizedReferences.all(),
            ReductionReferences.all(),
            ResizeReferences.all(),
            SamplingReferences.all(),
            ScaleReferences.all(),
            SelectionReferences.all(),
            ShapeReferences.all(),
            TransformerReferences.all(),
            TransposedReferences.all(),
            WindowReferences.all());

    /** The operators whose integers wrap; what others compute of integers saturates. */
    private static final Set<String> WRAPPING = Set.of(
            "Abs",
            "Add",
            "CumSum",
            "Div",
            "Eltwise",
            "MatMul",
            "Mul",
            "Neg",
            "PRelu",
            "ReduceL1",
            "ReduceProd",
            "ReduceSum",
            "ReduceSumSquare",
            "ScatterElements",
            "ScatterND",
            "Sub",
            "Sum");

    private References() {}

    static Map<String, Reference> all() {
        Map<String, Reference> all = new TreeMap<>();
        for (Map<String, Reference> family : FAMILIES) {
            family.forEach((op, reference) -> {
                if (all.put(op, WRAPPING.contains(op) ? wrapped(reference) : reference) != null) {
                    throw new IllegalStateException("two references for " + op);
                }
            });
        }
        return all;
    }

    private static Reference wrapped(Reference reference) {
        return call -> reference.compute(call).stream()
                .map(result -> result.wrapped(call.type()))
                .toList();
    }
}
