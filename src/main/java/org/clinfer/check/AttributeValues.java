package org.clinfer.check;

import java.util.HashMap;
import java.util.Map;
import org.clinfer.expr.Value;
import org.clinfer.graph.Attribute;

/** Node attributes as values of the expression language. */
final class AttributeValues {

    private AttributeValues() {}

    static Map<String, Value> of(Map<String, Attribute> attributes) {
        Map<String, Value> values = new HashMap<>();
        attributes.forEach((name, attribute) -> values.put(name, of(attribute)));
        return values;
    }

    private static Value of(Attribute attribute) {
        if (attribute instanceof Attribute.IntValue number) {
            return Value.of(number.value());
        }
        if (attribute instanceof Attribute.RealValue number) {
            return Value.of(number.value());
        }
        if (attribute instanceof Attribute.BoolValue flag) {
            return Value.of(flag.value());
        }
        if (attribute instanceof Attribute.TextValue text) {
            return Value.of(text.value());
        }
        Attribute.ListValue list = (Attribute.ListValue) attribute;
        return Value.list(list.values().stream().map(AttributeValues::of).toList());
    }
}
