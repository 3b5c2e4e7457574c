package org.clinfer.profile;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.clinfer.expr.Expr;

/** Names that several expressions use, and what they stand for; each sees those before it. */
final class SharedNames {

    private final Map<String, Expr> all;
    private final Map<String, Integer> places = new HashMap<>();

    /** @param all names and what they stand for, in order */
    SharedNames(Map<String, Expr> all) {
        this.all = all;
        all.keySet().forEach(name -> places.put(name, places.size()));
    }

    /** Names that expressions use, and those that these stand for, in order; looks at nothing else. */
    Map<String, Expr> needed(Set<String> used) {
        return needed(Map.of(), used);
    }

    /**
     * Names that expressions use, and those that these stand for, in order.
     *
     * @param own further names, which hide equal ones and see all before them
     * @param used the names in the expressions
     */
    Map<String, Expr> needed(Map<String, Expr> own, Set<String> used) {
        Map<String, Integer> ownPlaces = new HashMap<>();
        own.keySet().forEach(name -> ownPlaces.put(name, places.getOrDefault(name, all.size() + ownPlaces.size())));
        TreeMap<Integer, String> open = new TreeMap<>();
        add(used, ownPlaces, Integer.MAX_VALUE, open);
        TreeMap<Integer, String> found = new TreeMap<>();
        for (Map.Entry<Integer, String> last = open.pollLastEntry(); last != null; last = open.pollLastEntry()) {
            found.put(last.getKey(), last.getValue());
            add(expression(last.getValue(), own).names(), ownPlaces, last.getKey(), open);
        }
        Map<String, Expr> needed = new LinkedHashMap<>();
        found.values().forEach(name -> needed.put(name, expression(name, own)));
        return needed;
    }

    private Expr expression(String name, Map<String, Expr> own) {
        return Objects.requireNonNull(own.containsKey(name) ? own.get(name) : all.get(name));
    }

    private void add(Set<String> names, Map<String, Integer> ownPlaces, int before, SortedMap<Integer, String> open) {
        for (String name : names) {
            Integer place = ownPlaces.containsKey(name) ? ownPlaces.get(name) : places.get(name);
            if (place != null && place < before) {
                open.put(place, name);
            }
        }
    }
}
