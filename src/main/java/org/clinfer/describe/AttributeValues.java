package org.clinfer.describe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Attribute;

/** Node attributes as values of the expression language. */
public final class AttributeValues {

    private AttributeValues() {}

    /** The parameters of a node. */
    public static Map<String, ExpressionValue> of(Map<String, Attribute> attributes) {
        Map<String, ExpressionValue> values = new HashMap<>();
        attributes.forEach((name, attribute) -> values.put(name, of(attribute)));
        return values;
    }

    /** {@return whether an attribute can stand for each of the values that are given} */
    public static boolean areKnown(Map<String, ExpressionValue> values) {
        return values.values().stream()
                .allMatch(value -> value.isAbsent() || attribute(value).isPresent());
    }

    /** The attributes of those of the values that are known. */
    public static Map<String, Attribute> attributes(Map<String, ExpressionValue> values) {
        Map<String, Attribute> attributes = new HashMap<>();
        values.forEach((name, value) -> attribute(value).ifPresent(known -> attributes.put(name, known)));
        return attributes;
    }

    /** The attribute that stands for a value; empty where none does. */
    public static Optional<Attribute> attribute(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int number) {
            return Optional.of(Attribute.of(number.value()));
        }
        if (value instanceof ExpressionValue.Real number) {
            return Optional.of(Attribute.of(number.value()));
        }
        if (value instanceof ExpressionValue.Bool flag) {
            return Optional.of(Attribute.of(flag.value()));
        }
        if (value instanceof ExpressionValue.Text text) {
            return Optional.of(Attribute.of(text.value()));
        }
        if (value instanceof ExpressionValue.ListOf list) {
            List<Attribute> items = new ArrayList<>();
            list.elements().forEach(element -> attribute(element).ifPresent(items::add));
            return items.size() == list.elements().size()
                    ? Optional.of(new Attribute.ListValue(items))
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private static ExpressionValue of(Attribute attribute) {
        if (attribute instanceof Attribute.IntValue number) {
            return ExpressionValue.of(number.value());
        }
        if (attribute instanceof Attribute.RealValue number) {
            return ExpressionValue.of(number.value());
        }
        if (attribute instanceof Attribute.BoolValue flag) {
            return ExpressionValue.of(flag.value());
        }
        if (attribute instanceof Attribute.TextValue text) {
            return ExpressionValue.of(text.value());
        }
        Attribute.ListValue list = (Attribute.ListValue) attribute;
        return ExpressionValue.list(
                list.values().stream().map(AttributeValues::of).toList());
    }
}
