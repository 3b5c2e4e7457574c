package org.clinfer.importer.caffe;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.Printable;

/**
 * Reads protobuf's text format without a schema: fields of any name and type are kept. Depth and the number of fields are
 * bounded.
 */
final class TextReader {

    private static final int MOST_DEPTH = 32;
    private static final int MOST_FIELDS = 1 << 20;

    private final String text;
    private final SourceRef source;
    private int at;
    private int fields;

    private TextReader(String text, SourceRef source) {
        this.text = text;
        this.source = source;
    }

    /**
     * The message that a text is.
     *
     * @throws GraphException naming line and column of the first mistake
     */
    static Block read(String text, SourceRef source) {
        Block root = new Block();
        TextReader reader = new TextReader(text, source);
        reader.message(root, '\0', 0);
        return root;
    }

    /** Reads fields up to the end of their message. */
    private void message(Block block, char end, int depth) {
        if (depth > MOST_DEPTH) {
            throw wrong("messages are inside each other more than " + MOST_DEPTH + " deep");
        }
        while (true) {
            skipBlanks();
            if (at == text.length()) {
                if (end != '\0') {
                    throw wrong("the file ends where '" + end + "' is missing");
                }
                return;
            }
            if (text.charAt(at) == end) {
                at++;
                return;
            }
            field(block, depth);
            skipBlanks();
            if (at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == ';')) {
                at++;
            }
        }
    }

    private void field(Block block, int depth) {
        String name = fieldName();
        skipBlanks();
        boolean colon = take(':');
        skipBlanks();
        if (colon && take('[')) {
            list(block, name, depth);
            return;
        }
        value(block, name, colon, depth);
    }

    private void list(Block block, String name, int depth) {
        skipBlanks();
        if (take(']')) {
            return;
        }
        while (true) {
            skipBlanks();
            value(block, name, true, depth);
            skipBlanks();
            if (take(']')) {
                return;
            }
            if (!take(',')) {
                throw wrong("expected ',' or ']', found " + found());
            }
        }
    }

    private void value(Block block, String name, boolean scalar, int depth) {
        if (++fields > MOST_FIELDS) {
            throw wrong("it has more than " + MOST_FIELDS + " fields");
        }
        if (take('{')) {
            block.add(name, nested('}', depth));
        } else if (take('<')) {
            block.add(name, nested('>', depth));
        } else if (scalar) {
            block.add(name, scalar());
        } else {
            throw wrong("expected ':' or '{' after '" + Printable.shortened(name) + "', found " + found());
        }
    }

    private Block nested(char end, int depth) {
        Block block = new Block();
        message(block, end, depth + 1);
        return block;
    }

    private String fieldName() {
        int start = at;
        if (take('[')) {
            while (at < text.length() && text.charAt(at) != ']' && text.charAt(at) != '\n') {
                at++;
            }
            if (!take(']')) {
                throw wrong("expected ']', found " + found());
            }
            return text.substring(start, at);
        }
        while (at < text.length() && isWord(text.charAt(at))) {
            at++;
        }
        if (start == at) {
            throw wrong("expected the name of a field, found " + found());
        }
        return text.substring(start, at);
    }

    private Item scalar() {
        if (at < text.length() && isQuote(text.charAt(at))) {
            return new Item.Word(strings());
        }
        int start = at;
        if (take('-')) {
            skipBlanks();
            int digits = at;
            skipNumber();
            if (digits < at) {
                return new Item.Word("-" + text.substring(digits, at));
            }
        } else {
            skipNumber();
        }
        if (start == at) {
            throw wrong("expected a value, found " + found());
        }
        return new Item.Word(text.substring(start, at));
    }

    private void skipNumber() {
        while (at < text.length() && (isWord(text.charAt(at)) || isSignOfExponent())) {
            at++;
        }
    }

    private boolean isSignOfExponent() {
        char sign = text.charAt(at);
        return (sign == '-' || sign == '+') && at > 0 && (text.charAt(at - 1) | 0x20) == 'e';
    }

    /** Strings that follow one another are one. */
    private String strings() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (at < text.length() && isQuote(text.charAt(at))) {
            string(bytes);
            skipBlanks();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void string(ByteArrayOutputStream bytes) {
        char quote = text.charAt(at++);
        int start = at;
        while (at < text.length() && text.charAt(at) != quote) {
            if (text.charAt(at) == '\n') {
                throw wrong("a string ends with its line");
            }
            if (text.charAt(at) == '\\') {
                bytes.writeBytes(text.substring(start, at).getBytes(StandardCharsets.UTF_8));
                at++;
                escape(bytes);
                start = at;
            } else {
                at++;
            }
        }
        bytes.writeBytes(text.substring(start, at).getBytes(StandardCharsets.UTF_8));
        if (!take(quote)) {
            throw wrong("the file ends inside a string");
        }
    }

    private void escape(ByteArrayOutputStream bytes) {
        if (at == text.length()) {
            throw wrong("the file ends inside a string");
        }
        char kind = text.charAt(at++);
        int simple = "abfnrtv".indexOf(kind);
        if (simple >= 0) {
            bytes.write("\007\b\f\n\r\t\013".charAt(simple));
        } else if (kind == 'x' || kind == 'X') {
            bytes.write(digits(16, 2));
        } else if (kind >= '0' && kind <= '7') {
            at--;
            bytes.write(digits(8, 3));
        } else {
            bytes.writeBytes(String.valueOf(kind).getBytes(StandardCharsets.UTF_8));
        }
    }

    private int digits(int base, int most) {
        int value = 0;
        int count = 0;
        while (count < most && at < text.length() && Character.digit(text.charAt(at), base) >= 0) {
            value = value * base + Character.digit(text.charAt(at++), base);
            count++;
        }
        if (count == 0) {
            throw wrong("expected digits, found " + found());
        }
        return value;
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (next == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (next <= ' ' || next == '\uFEFF') {
                if (next == '\0') {
                    throw wrong("expected text, found " + found());
                }
                at++;
            } else {
                return;
            }
        }
    }

    private boolean take(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private static boolean isQuote(char letter) {
        return letter == '"' || letter == '\'';
    }

    private static boolean isWord(char letter) {
        return (letter >= '0' && letter <= '9')
                || (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || letter == '_'
                || letter == '.';
    }

    private String found() {
        return at == text.length()
                ? "the end of the file"
                : "'" + Printable.shortened(text.substring(at, text.offsetByCodePoints(at, 1))) + "'";
    }

    private GraphException wrong(String message) {
        int line = 1;
        int start = 0;
        for (int i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
            line++;
            start = i + 1;
        }
        return new GraphException(source, "line " + line + ", column " + (at - start + 1) + ": " + message);
    }
}
