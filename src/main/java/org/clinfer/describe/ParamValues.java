package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Value;

/** Brings values into the type a parameter or derived value is declared with. */
final class ParamValues {

    private ParamValues() {}

    /** The value in the parameter's type, or empty where it is of another; unknown parts stay unknown. */
    static Optional<Value> convert(ParamDescription param, Value value) {
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        return switch (param.type()) {
            case LN_PARAM_NULL -> Optional.of(value).filter(Value::isAbsent);
            case LN_PARAM_STRING -> element(value, Kind.TEXT);
            case LN_PARAM_BOOL -> element(value, Kind.BOOL);
            case LN_PARAM_NUMBER -> element(value, whole ? Kind.INT : Kind.REAL);
            case LN_PARAM_ARRAY_STRING -> list(value, Kind.TEXT);
            case LN_PARAM_ARRAY_BOOL -> list(value, Kind.BOOL);
            case LN_PARAM_ARRAY_NUMBER -> list(value, whole ? Kind.INT : Kind.REAL);
        };
    }

    /** A number in the parameter's realtype, or empty where it is none. */
    static Optional<Value> number(ParamDescription param, Value value) {
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        return element(value, whole ? Kind.INT : Kind.REAL);
    }

    /** The value in the declared type, or empty where it is of another; absent is allowed. */
    static Optional<Value> convert(PrivDescription.Type type, Value value) {
        if (value.isAbsent()) {
            return Optional.of(value);
        }
        return switch (type) {
            case INT -> element(value, Kind.INT);
            case REAL -> element(value, Kind.REAL);
            case BOOL -> element(value, Kind.BOOL);
            case STRING -> element(value, Kind.TEXT);
            case INTS -> list(value, Kind.INT);
            case REALS -> list(value, Kind.REAL);
            case STRINGS -> list(value, Kind.TEXT);
            case LIST -> Optional.of(value).filter(v -> v instanceof Value.ListOf || v instanceof Value.Unknown);
        };
    }

    private enum Kind {
        INT,
        REAL,
        BOOL,
        TEXT
    }

    private static Optional<Value> list(Value value, Kind kind) {
        if (value instanceof Value.Unknown) {
            return Optional.of(value);
        }
        if (!(value instanceof Value.ListOf list)) {
            return Optional.empty();
        }
        List<Value> converted = new ArrayList<>(list.elements().size());
        for (Value element : list.elements()) {
            Optional<Value> one = element(element, kind);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            converted.add(one.get());
        }
        return Optional.of(Value.list(converted));
    }

    private static Optional<Value> element(Value value, Kind kind) {
        if (value instanceof Value.Unknown) {
            return Optional.of(value);
        }
        return switch (kind) {
            case INT -> whole(value);
            case REAL ->
                value instanceof Value.Int integer
                        ? Optional.of(Value.of((double) integer.value()))
                        : Optional.of(value).filter(Value.Real.class::isInstance);
            case BOOL -> Optional.of(value).filter(Value.Bool.class::isInstance);
            case TEXT -> Optional.of(value).filter(Value.Text.class::isInstance);
        };
    }

    /** An int, or a real without a fraction as one. */
    private static Optional<Value> whole(Value value) {
        if (value instanceof Value.Real real) {
            boolean exact = real.value() == Math.rint(real.value()) && Math.abs(real.value()) < 0x1p62;
            return exact ? Optional.of(Value.of((long) real.value())) : Optional.empty();
        }
        return Optional.of(value).filter(Value.Int.class::isInstance);
    }
}
