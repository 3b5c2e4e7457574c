package org.clinfer.describe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ValueType;

/** The types of values that a description declares, as expressions see them. */
public final class NameTypes {

    /** What expressions may give for a dimension or a count. */
    static final ValueType SIZES = ValueType.listOf(ValueType.INT);

    private NameTypes() {}

    static ValueType of(InputDescription input) {
        ValueType type = input.variadic() ? ValueType.listOf(ValueType.TENSOR) : ValueType.TENSOR;
        return input.optional() ? type.or(ValueType.NULL) : type;
    }

    static ValueType of(OutputDescription output) {
        ValueType type = output.variadic() ? ValueType.listOf(ValueType.TENSOR) : ValueType.TENSOR;
        return output.optional() ? type.or(ValueType.NULL) : type;
    }

    /** The value of a parameter, after its {@code from_func}. */
    static ValueType of(ParamDescription param) {
        ValueType each = switch (param.type()) {
            case LN_PARAM_NULL -> ValueType.NULL;
            case LN_PARAM_BOOL, LN_PARAM_ARRAY_BOOL -> ValueType.BOOL;
            case LN_PARAM_NUMBER, LN_PARAM_ARRAY_NUMBER -> number(param.realType());
            case LN_PARAM_STRING, LN_PARAM_ARRAY_STRING ->
                param.fromFunc().isPresent() ? number(param.realType()) : ValueType.STRING;
        };
        ValueType type = param.type().isArray() ? ValueType.listOf(each) : each;
        return param.byDefault().isPresent() ? type.or(ValueType.NULL) : type;
    }

    /** The type that a default has to have: a real without a fraction is an int. */
    static ValueType ofDefault(ParamDescription param) {
        ValueType each = switch (param.type()) {
            case LN_PARAM_NULL -> ValueType.NULL;
            case LN_PARAM_BOOL, LN_PARAM_ARRAY_BOOL -> ValueType.BOOL;
            case LN_PARAM_NUMBER, LN_PARAM_ARRAY_NUMBER -> ValueType.NUMBER;
            case LN_PARAM_STRING, LN_PARAM_ARRAY_STRING -> ValueType.STRING;
        };
        ValueType type = param.type().isArray() ? ValueType.listOf(each) : each;
        return type.or(ValueType.NULL);
    }

    private static ValueType number(Optional<RealType> type) {
        return type.filter(RealType.INT::equals).isPresent() ? ValueType.INT : ValueType.NUMBER;
    }

    /**
     * The value of a scratch value.
     *
     * @param types those of the names before it
     */
    static ValueType of(PrivDescription priv, Map<String, ValueType> types) {
        ValueType declared = of(priv.type());
        return priv.value().type(types).mayBeNull() ? declared.or(ValueType.NULL) : declared;
    }

    private static ValueType of(PrivDescription.Type type) {
        return switch (type) {
            case INT -> ValueType.INT;
            case INTS -> SIZES;
            case REAL -> ValueType.NUMBER;
            case REALS -> ValueType.listOf(ValueType.NUMBER);
            case BOOL -> ValueType.BOOL;
            case STRING -> ValueType.STRING;
            case STRINGS -> ValueType.listOf(ValueType.STRING);
            case LIST -> ValueType.LIST;
        };
    }

    /** The type that the expression of a scratch value has to have: a real without a fraction is an int. */
    static ValueType expected(PrivDescription.Type type) {
        ValueType value = switch (type) {
            case INT -> ValueType.NUMBER;
            case INTS -> ValueType.listOf(ValueType.NUMBER);
            default -> of(type);
        };
        return value.or(ValueType.NULL);
    }

    /** The names that a launch of a variant sees. */
    public static Map<String, ValueType> of(OpDescription op, VariantDescription variant, LaunchDescription launch) {
        Map<String, ValueType> types = new LinkedHashMap<>(ofVariants(op));
        variant.privs().forEach(priv -> types.put(priv.name(), of(priv, types)));
        variant.scratch().forEach(scratch -> types.put(scratch.name(), ValueType.TENSOR));
        if (!launch.each().isEmpty()) {
            types.put(launch.each(), ValueType.TENSOR);
            types.put("index", ValueType.INT);
        }
        return types;
    }

    /** The names of an operator that all its variants see. */
    static Map<String, ValueType> ofVariants(OpDescription op) {
        Map<String, ValueType> types = new LinkedHashMap<>();
        types.put("device", DeviceFields.TYPE);
        types.put("output_count", ValueType.INT);
        op.inputs().forEach(input -> types.put(input.name(), of(input)));
        op.params().forEach(param -> types.put(param.name(), of(param)));
        op.privs().forEach(priv -> types.put(priv.name(), of(priv, types)));
        op.outputs().forEach(output -> types.put(output.name(), of(output)));
        // also where a description declares such a name, which is refused elsewhere
        types.put("device", DeviceFields.TYPE);
        return types;
    }
}
