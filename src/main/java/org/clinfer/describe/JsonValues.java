package org.clinfer.describe;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.files.JsonTree;

/** JSON constants as values of the expression language. */
final class JsonValues {

    private JsonValues() {}

    /** Null, a bool, a number, a string or a list of them. */
    static ExpressionValue of(Object json, String where) {
        if (json == JsonTree.Special.NULL) {
            return ExpressionValue.absent();
        } else if (json instanceof Boolean flag) {
            return ExpressionValue.of(flag);
        } else if (json instanceof String text) {
            return ExpressionValue.of(text);
        } else if (json instanceof Long number) {
            return ExpressionValue.of(number);
        } else if (json instanceof BigInteger number) {
            throw new DescriptionException(where + ": the number " + number + " does not fit 64 bits");
        } else if (json instanceof Double number) {
            if (!Double.isFinite(number)) {
                throw new DescriptionException(where + ": a number is too large for 64 bits");
            }
            return ExpressionValue.of(number);
        } else if (json instanceof List<?> list) {
            List<ExpressionValue> elements = new ArrayList<>();
            for (Object element : list) {
                elements.add(of(element, where + "[" + elements.size() + "]"));
            }
            return ExpressionValue.list(elements);
        }
        throw new DescriptionException(where + ": expected a constant, found " + described(json));
    }

    /** A JSON value for messages. */
    static String described(Object json) {
        if (json instanceof Map || json instanceof FamilyExpander.Member) {
            return "an object";
        } else if (json instanceof List) {
            return "a list";
        } else if (json instanceof String text) {
            return "the string '" + (text.length() <= 200 ? text : text.substring(0, 200) + "…") + "'";
        }
        return json.toString();
    }
}
