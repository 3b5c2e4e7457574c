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
        Node root = parser.expression();
        int end = parser.taken();
        String message = parser.trailingMessage();
        parser.expectEnd();
        return new Check(new Expr(source.substring(0, end), where, root), message);
    }

    /** The message and the explanation of the condition with the values of this scope. */
    public String explain(Scope scope) {
        String explanation = condition.explain(scope);
        return message.isEmpty() ? "expected " + explanation : message + " (" + explanation + ")";
    }
}
