package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operators that are ONNX's own by name, inputs, outputs and attributes: they are read and written alike. */
public final class DirectOperators {

    /** What an attribute holds. */
    public enum Kind {
        INTEGER,
        /** An integer that stands for false (0) or true (1). */
        FLAG,
        REAL,
        TEXT,
        INTEGERS
    }

    /** An attribute, which is a parameter of the same name. */
    public record Field(String name, Kind kind) {}

    /**
     * One operator.
     *
     * @param since the operator set that has it in this form
     * @param least how many inputs it has at least
     * @param most how many inputs it has at most
     */
    public record Operator(String name, int since, int least, int most, List<Field> fields) {

        private Operator with(Kind kind, String... names) {
            List<Field> more = new ArrayList<>(fields);
            for (String field : names) {
                more.add(new Field(field, kind));
            }
            return new Operator(name, since, least, most, List.copyOf(more));
        }
    }

    private static final Map<String, Operator> OPERATORS = List.of(
                    of("Tan", 7, 1, 1),
                    of("Asin", 7, 1, 1),
                    of("Acos", 7, 1, 1),
                    of("Atan", 7, 1, 1),
                    of("Sinh", 9, 1, 1),
                    of("Cosh", 9, 1, 1),
                    of("Asinh", 9, 1, 1),
                    of("Acosh", 9, 1, 1),
                    of("Atanh", 9, 1, 1),
                    of("Celu", 12, 1, 1).with(Kind.REAL, "alpha"),
                    of("ThresholdedRelu", 10, 1, 1).with(Kind.REAL, "alpha"),
                    of("Shrink", 9, 1, 1).with(Kind.REAL, "bias", "lambd"),
                    of("Mod", 10, 2, 2).with(Kind.FLAG, "fmod"))
            .stream()
            .collect(Collectors.toUnmodifiableMap(Operator::name, Function.identity()));

    private DirectOperators() {}

    private static Operator of(String name, int since, int least, int most) {
        return new Operator(name, since, least, most, Collections.emptyList());
    }

    public static Map<String, Operator> all() {
        return OPERATORS;
    }

    public static Optional<Operator> find(String name) {
        return Optional.ofNullable(OPERATORS.get(name));
    }
}
