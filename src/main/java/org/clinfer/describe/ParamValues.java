package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;

/** Brings values into the type a parameter or derived value is declared with. */
final class ParamValues {

    private ParamValues() {}

    /** The value in the parameter's type, or empty where it is of another; unknown parts stay unknown. */
    static Optional<ExpressionValue> convert(ParamDescription param, ExpressionValue value) {
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        return switch (param.type()) {
            case LN_PARAM_NULL -> Optional.of(value).filter(ExpressionValue::isAbsent);
            case LN_PARAM_STRING -> element(value, Kind.TEXT);
            case LN_PARAM_BOOL -> element(value, Kind.BOOL);
            case LN_PARAM_NUMBER -> element(value, whole ? Kind.INT : Kind.REAL);
            case LN_PARAM_ARRAY_STRING -> list(value, Kind.TEXT);
            case LN_PARAM_ARRAY_BOOL -> list(value, Kind.BOOL);
            case LN_PARAM_ARRAY_NUMBER -> list(value, whole ? Kind.INT : Kind.REAL);
        };
    }

    /** A number in the parameter's realtype, or empty where it is none. */
    static Optional<ExpressionValue> number(ParamDescription param, ExpressionValue value) {
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        return element(value, whole ? Kind.INT : Kind.REAL);
    }

    /** The value in the declared type, or empty where it is of another; absent is allowed. */
    static Optional<ExpressionValue> convert(PrivDescription.Type type, ExpressionValue value) {
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
            case LIST ->
                Optional.of(value)
                        .filter(v -> v instanceof ExpressionValue.ListOf || v instanceof ExpressionValue.Unknown);
        };
    }

    private enum Kind {
        INT,
        REAL,
        BOOL,
        TEXT
    }

    private static Optional<ExpressionValue> list(ExpressionValue value, Kind kind) {
        if (value instanceof ExpressionValue.Unknown) {
            return Optional.of(value);
        }
        if (!(value instanceof ExpressionValue.ListOf list)) {
            return Optional.empty();
        }
        List<ExpressionValue> converted = new ArrayList<>(list.elements().size());
        for (ExpressionValue element : list.elements()) {
            Optional<ExpressionValue> one = element(element, kind);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            converted.add(one.get());
        }
        return Optional.of(ExpressionValue.list(converted));
    }

    private static Optional<ExpressionValue> element(ExpressionValue value, Kind kind) {
        if (value instanceof ExpressionValue.Unknown) {
            return Optional.of(value);
        }
        return switch (kind) {
            case INT -> whole(value);
            case REAL ->
                value instanceof ExpressionValue.Int integer
                        ? Optional.of(ExpressionValue.of((double) integer.value()))
                        : Optional.of(value).filter(ExpressionValue.Real.class::isInstance);
            case BOOL -> Optional.of(value).filter(ExpressionValue.Bool.class::isInstance);
            case TEXT -> Optional.of(value).filter(ExpressionValue.Text.class::isInstance);
        };
    }

    /** An int, or a real without a fraction as one. */
    private static Optional<ExpressionValue> whole(ExpressionValue value) {
        if (value instanceof ExpressionValue.Real real) {
            boolean exact = real.value() == Math.rint(real.value()) && Math.abs(real.value()) < 0x1p62;
            return exact ? Optional.of(ExpressionValue.of((long) real.value())) : Optional.empty();
        }
        return Optional.of(value).filter(ExpressionValue.Int.class::isInstance);
    }
}
