package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The nodes of a pattern that compute something of a value.
 *
 * @param parts their positions
 */
record PartsOf(String value, List<Integer> parts) {

    static PartsOf of(String value, Part part) {
        return new PartsOf(value, List.of(part.position()));
    }

    PartsOf then(Part... more) {
        List<Integer> all = new ArrayList<>(parts);
        for (Part part : more) {
            all.add(part.position());
        }
        return new PartsOf(value, all);
    }

    /** The parts of the second factor of a product of x and something of x. */
    static Optional<PartsOf> gating(
            Part product, BiFunction<String, Rewriting, Optional<PartsOf>> gate, Rewriting graph) {
        return product.op().equals("Mul")
                ? product.operands()
                        .flatMap(x ->
                                gate
                                        .apply(x.other(), graph)
                                        .filter(parts -> parts.value().equals(x.value()))
                                        .stream())
                        .findFirst()
                : Optional.empty();
    }

    /** The same parts where they compute something of another value. */
    PartsOf from(String other) {
        return new PartsOf(other, parts);
    }
}
