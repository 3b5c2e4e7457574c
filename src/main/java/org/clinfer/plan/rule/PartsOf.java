package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a pattern that compute something of a value.
 *
 * @param parts their positions
 */
record PartsOf(String value, List<Integer> parts) {

    static PartsOf of(String value, Part part) {
        return new PartsOf(value, List.of(part.position()));
    }

    PartsOf then(Part part) {
        List<Integer> more = new ArrayList<>(parts);
        more.add(part.position());
        return new PartsOf(value, more);
    }
}
