package org.clinfer.describe;

/** The kind of value a parameter takes. */
public enum ParamType {
    LN_PARAM_NULL("nothing"),
    LN_PARAM_STRING("a string"),
    LN_PARAM_NUMBER("a number"),
    LN_PARAM_BOOL("a bool"),
    LN_PARAM_ARRAY_STRING("a list of strings"),
    LN_PARAM_ARRAY_NUMBER("a list of numbers"),
    LN_PARAM_ARRAY_BOOL("a list of bools");

    private final String shown;

    ParamType(String shown) {
        this.shown = shown;
    }

    public boolean isArray() {
        return this == LN_PARAM_ARRAY_STRING || this == LN_PARAM_ARRAY_NUMBER || this == LN_PARAM_ARRAY_BOOL;
    }

    public boolean isText() {
        return this == LN_PARAM_STRING || this == LN_PARAM_ARRAY_STRING;
    }

    public boolean isNumber() {
        return this == LN_PARAM_NUMBER || this == LN_PARAM_ARRAY_NUMBER;
    }

    /** The name of the type in messages. */
    String shown() {
        return shown;
    }
}
