package org.clinfer.plan.precision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.place.PlacedNode;

/** The nodes that make and that use each value, by their positions in execution order. */
final class ValueUses {

    private final Map<String, Integer> producers = new HashMap<>();
    private final Map<String, List<Integer>> users = new HashMap<>();

    ValueUses(List<PlacedNode> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            int position = i;
            nodes.get(i)
                    .inputs()
                    .forEach(value -> users.computeIfAbsent(value, any -> new ArrayList<>())
                            .add(position));
            nodes.get(i).outputs().forEach(value -> producers.put(value, position));
        }
    }

    /** The node that makes a value; empty for inputs and constants. */
    Optional<Integer> producer(String value) {
        return Optional.ofNullable(producers.get(value));
    }

    List<Integer> users(String value) {
        return users.getOrDefault(value, List.of());
    }
}
