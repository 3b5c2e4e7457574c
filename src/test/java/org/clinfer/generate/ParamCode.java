package org.clinfer.generate;

import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.ParamType;
import org.clinfer.describe.RealType;

/**
 * The Java of one parameter.
 *
 * @param type its Java type, with {@code ...} for a list that may stand last
 * @param attribute the expression that makes its attribute
 */
record ParamCode(String name, String type, String attribute) {

    /** @param enumType the type to use where the parameter has a list of spellings */
    static ParamCode of(ParamDescription param, String enumType) {
        String name = JavaNames.member(param.name());
        boolean whole = param.realType().filter(RealType.INT::equals).isPresent();
        ParamType type = param.type();
        if (!param.oneOf().isEmpty()) {
            if (type != ParamType.LN_PARAM_STRING) {
                throw new IllegalStateException(param.name() + ": a list of spellings has no Java type yet");
            }
            String spelling = EnumTypes.isDType(param) ? ".label()" : ".toString()";
            return new ParamCode(name, enumType, "Attribute.of(" + name + spelling + ")");
        }
        return switch (type) {
            case LN_PARAM_STRING -> new ParamCode(name, "String", "Attribute.of(" + name + ")");
            case LN_PARAM_BOOL -> new ParamCode(name, "boolean", "Attribute.of(" + name + ")");
            case LN_PARAM_NUMBER -> new ParamCode(name, whole ? "long" : "double", "Attribute.of(" + name + ")");
            case LN_PARAM_ARRAY_NUMBER ->
                new ParamCode(
                        name,
                        whole ? "long..." : "double...",
                        "Attribute." + (whole ? "ofInts(" : "ofReals(") + name + ")");
            case LN_PARAM_ARRAY_STRING -> new ParamCode(name, "String...", "Attribute.ofTexts(List.of(" + name + "))");
            default -> throw new IllegalStateException(param.name() + ": " + type + " has no Java type yet");
        };
    }

    /** The parameter declaration. */
    String declaration(boolean last) {
        return (last ? type : type.replace("...", "[]")) + " " + name;
    }
}
