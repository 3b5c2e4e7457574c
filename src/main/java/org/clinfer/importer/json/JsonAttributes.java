package org.clinfer.importer.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.ParamDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** The parameters of nodes; whether one fits its operator is tested where the graph is checked. */
final class JsonAttributes {

    private JsonAttributes() {}

    /**
     * The value of a parameter.
     *
     * @param described as its operator describes it; where that takes numbers, {@code "NaN"} is one
     */
    static Attribute read(Optional<ParamDescription> described, Written written, String param, SourceRef source) {
        boolean numeric = described.filter(known -> known.type().isNumber()).isPresent();
        if (!written.isList()) {
            return element(written, 0, numeric, param, source);
        }
        List<Attribute> elements = new ArrayList<>(written.size());
        boolean real = false;
        for (int i = 0; i < written.size(); i++) {
            elements.add(element(written, i, numeric, param, source));
            real |= elements.get(i) instanceof Attribute.RealValue;
        }
        if (real) {
            elements.replaceAll(JsonAttributes::asReal);
        }
        if (elements.stream().map(Attribute::getClass).distinct().count() > 1) {
            throw wrong(written, "the elements of a list must be of one kind", param, source);
        }
        return new Attribute.ListValue(elements);
    }

    /** {@code [1, 0.5]} is a list of reals. */
    private static Attribute asReal(Attribute value) {
        return value instanceof Attribute.IntValue integer ? Attribute.of((double) integer.value()) : value;
    }

    private static Attribute element(Written written, int index, boolean numeric, String param, SourceRef source) {
        String text = written.text(index);
        switch (written.kind(index)) {
            case BOOL -> {
                return Attribute.of(text.equals("true"));
            }
            case INTEGER -> {
                try {
                    return Attribute.of(Long.parseLong(text));
                } catch (NumberFormatException tooLarge) {
                    throw wrong(written, written.shown(index) + " does not fit 64 bits", param, source);
                }
            }
            case REAL -> {
                double value = Double.parseDouble(text);
                if (Double.isInfinite(value)) {
                    throw wrong(written, written.shown(index) + " is too large for a number", param, source);
                }
                return Attribute.of(value);
            }
            case STRING -> {
                Optional<Double> special = numeric ? NumberText.special(text) : Optional.empty();
                return special.isPresent() ? Attribute.of(special.get()) : Attribute.of(text);
            }
        }
        throw new IllegalStateException("no such kind");
    }

    private static GraphException wrong(Written written, String message, String param, SourceRef source) {
        return new GraphException(source, written.where() + ": " + param + ": " + message);
    }
}
