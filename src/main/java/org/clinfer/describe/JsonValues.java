package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.expr.Value;
import tools.jackson.databind.JsonNode;

/** JSON constants as values of the expression language. */
final class JsonValues {

    private JsonValues() {}

    /** Null, a bool, a number, a string or a list of them. */
    static Value of(JsonNode node, String where) {
        if (node.isNull()) {
            return Value.absent();
        } else if (node.isBoolean()) {
            return Value.of(node.booleanValue());
        } else if (node.isString()) {
            return Value.of(node.stringValue());
        } else if (node.isIntegralNumber()) {
            if (!node.canConvertToLong()) {
                throw new DescriptionException(where + ": the number " + node + " does not fit 64 bits");
            }
            return Value.of(node.longValue());
        } else if (node.isNumber()) {
            if (!Double.isFinite(node.doubleValue())) {
                throw new DescriptionException(where + ": a number is too large for 64 bits");
            }
            return Value.of(node.doubleValue());
        } else if (node.isArray()) {
            List<Value> elements = new ArrayList<>();
            for (JsonNode element : node.values()) {
                elements.add(of(element, where + "[" + elements.size() + "]"));
            }
            return Value.list(elements);
        }
        throw new DescriptionException(where + ": expected a constant, found " + described(node));
    }

    /** A JSON value for messages. */
    static String described(JsonNode node) {
        if (node.isObject()) {
            return "an object";
        } else if (node.isArray()) {
            return "a list";
        } else if (node.isString()) {
            String text = node.stringValue();
            return "the string '" + (text.length() <= 200 ? text : text.substring(0, 200) + "…") + "'";
        } else if (node.isMissingNode()) {
            return "nothing";
        }
        return node.toString();
    }
}
