package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;

/**
 * A parameter of an operator.
 *
 * @param realType how numbers are stored; present for numbers, and for strings with a {@code fromFunc}
 * @param fromFunc turns a string, called {@code value}, into the number that stands for it
 * @param byDefault its value when it is not given; missing means that it must be given
 * @param oneOf the strings allowed; empty means any
 * @param fromInput name of the input that supplies the value when that input is given, or empty
 * @param len number of elements of an array
 */
public record ParamDescription(
        String name,
        ParamType type,
        Optional<RealType> realType,
        Optional<Expr> fromFunc,
        Optional<Expr> byDefault,
        List<String> oneOf,
        String fromInput,
        Optional<Expr> len,
        List<Bound> bounds,
        List<Check> checks,
        String doc) {

    public ParamDescription {
        oneOf = List.copyOf(oneOf);
        bounds = List.copyOf(bounds);
        checks = List.copyOf(checks);
    }

    /** The type that a value has to have, for messages: {@code a list of ints}. */
    public String expected() {
        String shown = type.shown();
        return fromFunc.isPresent()
                ? shown
                : realType.filter(RealType.INT::equals).isPresent()
                        ? shown.replace("a number", "an int").replace("numbers", "ints")
                        : shown;
    }
}
