package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A value as a product of a number and other values, each with its power. Products, quotients by numbers and small powers
 * are expanded, up to a given value.
 */
final class Factors {

    private static final int DEEPEST = 6;

    private final Rewriting graph;
    private final String stop;
    private double number = 1;
    private final List<String> values = new ArrayList<>();
    private final List<Integer> parts = new ArrayList<>();

    private Factors(Rewriting graph, String stop) {
        this.graph = graph;
        this.stop = stop;
    }

    static Factors of(String value, String stop, Rewriting graph) {
        Factors factors = new Factors(graph, stop);
        factors.add(value, 1, DEEPEST);
        return factors;
    }

    /** The constant factors. */
    double number() {
        return number;
    }

    /** The other ones. */
    List<String> values() {
        return values;
    }

    /** The nodes that multiply. */
    List<Integer> parts() {
        return parts;
    }

    private void add(String value, int times, int depth) {
        OptionalDouble constant = Part.number(value, graph);
        if (constant.isPresent()) {
            number *= Math.pow(constant.getAsDouble(), times);
            return;
        }
        Optional<Part> part = value.equals(stop) || depth == 0 ? Optional.empty() : Part.making(value, graph);
        String op = part.map(Part::op).orElse("");
        if (op.equals("Mul")) {
            parts.add(part.orElseThrow().position());
            add(part.get().input(0), times, depth - 1);
            add(part.get().input(1), times, depth - 1);
            return;
        }
        OptionalDouble second = op.equals("Div") || op.equals("Pow")
                ? Part.number(part.orElseThrow().input(1), graph)
                : OptionalDouble.empty();
        double by = second.orElse(0);
        if (op.equals("Div") && by != 0) {
            parts.add(part.orElseThrow().position());
            number /= Math.pow(by, times);
            add(part.get().input(0), times, depth - 1);
        } else if (op.equals("Pow") && (by == 2 || by == 3)) {
            parts.add(part.orElseThrow().position());
            add(part.get().input(0), times * (int) by, depth - 1);
        } else {
            for (int i = 0; i < times; i++) {
                values.add(value);
            }
        }
    }
}
