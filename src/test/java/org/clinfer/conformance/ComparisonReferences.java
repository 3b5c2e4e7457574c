package org.clinfer.conformance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;

/** Relations and logic of tensors that broadcast, and the choice by a condition. */
final class ComparisonReferences {

    private ComparisonReferences() {}

    /** Whether something holds for two elements. */
    private interface Relation {
        boolean holds(double a, double b);
    }

    static Map<String, Reference> all() {
        Map<String, Relation> relations = new HashMap<>();
        relations.put("Less", (a, b) -> a < b);
        relations.put("LessOrEqual", (a, b) -> a <= b);
        relations.put("Greater", (a, b) -> a > b);
        relations.put("GreaterOrEqual", (a, b) -> a >= b);
        relations.put("Equal", (a, b) -> a == b);
        relations.put("And", (a, b) -> a != 0 && b != 0);
        relations.put("Or", (a, b) -> a != 0 || b != 0);
        relations.put("Xor", (a, b) -> (a != 0) != (b != 0));
        Map<String, Reference> all = new HashMap<>();
        relations.forEach((op, relation) -> all.put(op, reference(relation)));
        all.put("Where", Reference.single(ComparisonReferences::where));
        return all;
    }

    private static Reference reference(Relation relation) {
        Reference numbers = Elements.pair(call -> (a, b) -> relation.holds(a, b) ? 1 : 0);
        return call -> List.of(numbers.compute(call).get(0).as(DType.BOOL));
    }

    private static Array where(Call call) {
        Array condition = call.input(0);
        Array a = call.input(1);
        Array b = call.input(2);
        long[] dims = Elements.broadcast(condition.dims(), a.dims(), b.dims());
        return Elements.like(
                a,
                Array.of(
                        dims,
                        index -> condition.broadcastAt(index) != 0 ? a.broadcastAt(index) : b.broadcastAt(index)));
    }
}
