package org.clinfer.expr;

/**
 * A condition and what to say when it is false.
 *
 * @param message what to say, or empty: then the explanation of the condition has to do
 */
public record Check(Expr condition, String message) {

    /**
     * Reads {@code condition} or {@code condition, "message"}.
     *
     * @throws ExprException if it is malformed or exceeds a bound
     */
    public static Check parse(String source, String where) {
        Parser parser = new Parser(source, where);
        ExpressionNode root = parser.expression();
        int end = parser.taken();
        String message = parser.trailingMessage();
        parser.expectEnd();
        return new Check(new Expr(source.substring(0, end), where, root), message);
    }

    /** A check that is known to be sound: its condition is parsed when its value is asked for. */
    public static Check ofSound(String source, String where) {
        char last = source.charAt(source.length() - 1);
        if (source.indexOf('\\') >= 0) {
            return parse(source, where);
        }
        if (last == '"' || last == '\'') {
            int start = source.lastIndexOf(last, source.length() - 2);
            String before = source.substring(0, start).stripTrailing();
            // within brackets the source would not end with the text
            if (before.endsWith(",")) {
                String condition = before.substring(0, before.length() - 1).stripTrailing();
                return new Check(Expr.ofSound(condition, where), source.substring(start + 1, source.length() - 1));
            }
        }
        return new Check(Expr.ofSound(source, where), "");
    }

    /** The message and the explanation of the condition with the values of this scope. */
    public String explain(Scope scope) {
        String explanation = condition.explain(scope);
        return message.isEmpty() ? "expected " + explanation : message + " (" + explanation + ")";
    }
}
