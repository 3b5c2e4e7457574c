package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** Cuts the source of an expression into tokens. */
final class Lexer {

    private static final List<String> LONG_SYMBOLS = List.of("||", "&&", "==", "!=", "<=", ">=", "->");
    private static final String SHORT_SYMBOLS = "?:<>+-*/%!()[],.";

    private final String source;
    private final String where;
    private int position;

    Lexer(String source, String where) {
        this.source = source;
        this.where = where;
    }

    List<Token> tokens() {
        if (source.length() > Limits.SOURCE_LENGTH) {
            String found = "the expression has " + source.length() + " characters, more than " + Limits.SOURCE_LENGTH;
            throw new ExprException(where, source, Limits.SOURCE_LENGTH, found);
        }
        List<Token> tokens = new ArrayList<>();
        while (true) {
            while (position < source.length() && Character.isWhitespace(source.charAt(position))) {
                position++;
            }
            if (position == source.length()) {
                tokens.add(new Token(Token.Kind.END, "", position, position));
                return tokens;
            }
            tokens.add(next());
        }
    }

    private Token next() {
        char first = source.charAt(position);
        if (isDigit(first)) {
            return number();
        }
        if (isNameStart(first)) {
            int start = position;
            while (position < source.length() && (isNameStart(source.charAt(position)) || isDigit(peek(0)))) {
                position++;
            }
            return token(Token.Kind.NAME, start);
        }
        if (first == '\'' || first == '"') {
            return string(first);
        }
        for (String symbol : LONG_SYMBOLS) {
            if (source.startsWith(symbol, position)) {
                position += 2;
                return token(Token.Kind.SYMBOL, position - 2);
            }
        }
        if (SHORT_SYMBOLS.indexOf(first) >= 0) {
            position++;
            return token(Token.Kind.SYMBOL, position - 1);
        }
        String shown = first < ' ' ? String.format("\\u%04x", (int) first) : String.valueOf(first);
        throw new ExprException(where, source, position, "unexpected character '" + shown + "'");
    }

    private Token number() {
        int start = position;
        digits();
        boolean real = false;
        if (peek(0) == '.' && isDigit(peek(1))) {
            real = true;
            position++;
            digits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (isDigit(peek(1 + sign))) {
                real = true;
                position += 1 + sign;
                digits();
            }
        }
        if (position < source.length() && isNameStart(source.charAt(position))) {
            throw new ExprException(where, source, start, "a number is followed by '" + peek(0) + "'");
        }
        return token(real ? Token.Kind.REAL : Token.Kind.INTEGER, start);
    }

    private void digits() {
        while (isDigit(peek(0))) {
            position++;
        }
    }

    private Token string(char quote) {
        int start = position++;
        StringBuilder text = new StringBuilder();
        while (position < source.length() && source.charAt(position) != quote) {
            if (source.charAt(position) == '\\' && position + 1 < source.length()) {
                position++;
            }
            text.append(source.charAt(position++));
        }
        if (position == source.length()) {
            throw new ExprException(where, source, start, "the text that starts here does not end");
        }
        position++;
        return new Token(Token.Kind.STRING, text.toString(), start, position);
    }

    private Token token(Token.Kind kind, int start) {
        return new Token(kind, source.substring(start, position), start, position);
    }

    private char peek(int ahead) {
        return position + ahead < source.length() ? source.charAt(position + ahead) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
}
