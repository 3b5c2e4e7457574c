package org.clinfer.importer;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;

/**
 * The angles of points from the x axis, from -pi to pi, as C's atan2 gives them, zeros by their signs: composed of the arc
 * tangent of the smaller coordinate by the larger one.
 *
 * @param <V> the values of a format
 * @param step writes an operator of some values, which gives another one
 * @param number writes a number of the type of the coordinates
 */
public record Angle<V>(BiFunction<String, List<V>, V> step, DoubleFunction<V> number) {

    /** The operands of the Where that gives the angles. */
    public List<V> where(V y, V x) {
        V width = add("Abs", x);
        V height = add("Abs", y);
        V steep = add("Less", width, height);
        V smaller = add("Where", steep, width, height);
        V larger = add("Where", steep, height, width);
        V alike = add("Equal", smaller, larger);
        // two zeros have no quotient, and no two infinities
        V ratio = add("Where", alike, add("Sign", larger), add("Div", smaller, larger));
        V flat = add("Atan", ratio);
        V upright = add("Where", steep, add("Sub", number.apply(Math.PI / 2), flat), flat);
        V turned = add("Where", isNegative(x), add("Sub", number.apply(Math.PI), upright), upright);
        return List.of(isNegative(y), add("Neg", turned), turned);
    }

    private V isNegative(V value) {
        V zero = number.apply(0);
        return add("Or", add("Less", value, zero), add("Less", add("Reciprocal", value), zero));
    }

    @SafeVarargs
    private V add(String op, V... inputs) {
        return step.apply(op, List.of(inputs));
    }
}
