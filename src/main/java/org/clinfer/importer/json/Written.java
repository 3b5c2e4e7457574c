package org.clinfer.importer.json;

import java.util.Arrays;
import org.clinfer.importer.JsonTokens;

/**
 * The value of a parameter as it is written: a number, bool or string, or a list of them. Every element is kept as its
 * text, which takes little room and lets a number be read as the type that it is for.
 */
final class Written {

    /** The kind of an element. */
    enum Kind {
        INTEGER,
        REAL,
        BOOL,
        STRING
    }

    private final boolean list;
    private final String where;
    private final StringBuilder text = new StringBuilder();
    private int[] ends = new int[4];
    private Kind[] kinds = new Kind[4];
    private int size;

    /**
     * @param list whether it is a list
     * @param where line and column
     */
    private Written(boolean list, String where) {
        this.list = list;
        this.where = where;
    }

    /** Reads the value whose first token was read. */
    static Written read(JsonTokens tokens) {
        switch (tokens.token()) {
            case START_ARRAY -> {
                Written written = new Written(true, tokens.where());
                tokens.list("a list", () -> written.add(tokens));
                return written;
            }
            default -> {
                Written written = new Written(false, tokens.where());
                written.add(tokens);
                return written;
            }
        }
    }

    private void add(JsonTokens tokens) {
        switch (tokens.token()) {
            case VALUE_NUMBER_INT -> add(Kind.INTEGER, tokens.text());
            case VALUE_NUMBER_FLOAT -> add(Kind.REAL, tokens.text());
            case VALUE_STRING -> add(Kind.STRING, tokens.text());
            case VALUE_TRUE, VALUE_FALSE -> add(Kind.BOOL, tokens.text());
            case START_ARRAY -> throw tokens.wrong("a list within a list; lists of parameters are flat");
            default ->
                throw tokens.wrong("expected a number, a bool, a string or a list of them, found " + tokens.found());
        }
    }

    private void add(Kind kind, String element) {
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size * 2);
            kinds = Arrays.copyOf(kinds, size * 2);
        }
        text.append(element);
        ends[size] = text.length();
        kinds[size] = kind;
        size++;
    }

    boolean isList() {
        return list;
    }

    /** Number of elements; 1 if it is no list. */
    int size() {
        return size;
    }

    Kind kind(int index) {
        return kinds[index];
    }

    String text(int index) {
        return text.substring(index == 0 ? 0 : ends[index - 1], ends[index]);
    }

    /** {@return whether it is one string} */
    boolean isString() {
        return !list && kind(0) == Kind.STRING;
    }

    /** Line and column. */
    String where() {
        return where;
    }

    /** An element as messages show it. */
    String shown(int index) {
        String element = text(index);
        String shortened = element.length() <= 100 ? element : element.substring(0, 100) + "…";
        return kind(index) == Kind.STRING ? "the string '" + shortened + "'" : shortened;
    }

    /** The value as messages show it. */
    String shown() {
        return list ? "a list of " + size : shown(0);
    }
}
