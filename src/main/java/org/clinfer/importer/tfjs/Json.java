package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.JsonTokens;

/** A value of a JSON document, held as a whole. */
sealed interface Json {

    record Obj(Map<String, Json> fields) implements Json {}

    record Arr(List<Json> elements) implements Json {}

    record Text(String value) implements Json {}

    record Int(long value) implements Json {}

    record Real(double value) implements Json {}

    record Flag(boolean value) implements Json {}

    /** {@code null}. */
    enum Nothing implements Json {
        NULL
    }

    /** The value as messages show it. */
    default String shown() {
        if (this instanceof Obj) {
            return "an object";
        } else if (this instanceof Arr list) {
            return list.elements().size() > 8 || list.elements().stream().anyMatch(Json::isNested)
                    ? "a list of " + list.elements().size()
                    : list.elements().stream().map(Json::shown).toList().toString();
        } else if (this instanceof Text text) {
            return "'"
                    + (text.value().length() <= 100
                            ? text.value()
                            : text.value().substring(0, 100) + "…") + "'";
        } else if (this instanceof Int whole) {
            return Long.toString(whole.value());
        } else if (this instanceof Real real) {
            return Double.toString(real.value());
        }
        return this instanceof Flag flag ? Boolean.toString(flag.value()) : "no value";
    }

    private boolean isNested() {
        return this instanceof Obj || this instanceof Arr;
    }

    /** Reads values, not more than so many in all. */
    final class Reader {

        /** Values of one document; a network of a thousand layers has about 60 000. */
        private static final int MOST_VALUES = 2_000_000;

        private int left = MOST_VALUES;

        /** Reads the value whose first token was read. */
        Json read(JsonTokens tokens) {
            if (left-- == 0) {
                throw tokens.wrong("the model has more than " + MOST_VALUES + " values");
            }
            return switch (tokens.token()) {
                case START_OBJECT -> {
                    Map<String, Json> fields = new LinkedHashMap<>();
                    tokens.object("an object", field -> fields.put(field, read(tokens)));
                    yield new Obj(fields);
                }
                case START_ARRAY -> {
                    List<Json> elements = new ArrayList<>();
                    tokens.list("a list", () -> elements.add(read(tokens)));
                    yield new Arr(elements);
                }
                case VALUE_STRING -> new Text(tokens.text());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(tokens);
                case VALUE_TRUE -> new Flag(true);
                case VALUE_FALSE -> new Flag(false);
                case VALUE_NULL -> Nothing.NULL;
                default -> throw tokens.wrong("expected a value, found " + tokens.found());
            };
        }

        private static Json number(JsonTokens tokens) {
            String text = tokens.text();
            try {
                return new Int(Long.parseLong(text));
            } catch (NumberFormatException notWhole) {
                double real = Double.parseDouble(text);
                if (Double.isInfinite(real)) {
                    throw tokens.wrong("the number " + tokens.found() + " is too large");
                }
                return new Real(real);
            }
        }
    }
}
