package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the tree of an expression by precedence climbing; depth, height and length are bounded. */
final class Parser {

    private final String source;
    private final String where;
    private final List<Token> tokens;
    private int next;
    private int depth;

    Parser(String source, String where) {
        this.source = source;
        this.where = where;
        this.tokens = new Lexer(source, where).tokens();
    }

    Node expression() {
        enter();
        int start = peek().start();
        Node condition = binary(1);
        Node result = condition;
        if (accept("?")) {
            Node whenTrue = expression();
            expect(":");
            Node whenFalse = expression();
            result = new Node.Conditional(at(start, condition, whenTrue, whenFalse), condition, whenTrue, whenFalse);
        }
        depth--;
        return result;
    }

    /** The text after a comma at the end, or empty. */
    String trailingMessage() {
        if (!accept(",")) {
            return "";
        }
        Token token = take();
        if (token.kind() != Token.Kind.STRING) {
            throw failure(token, "expected a quoted message after ',', found " + token.shown());
        }
        return token.text();
    }

    /** Offset behind the last token taken. */
    int taken() {
        return tokens.get(next - 1).end();
    }

    void expectEnd() {
        if (peek().kind() != Token.Kind.END) {
            throw failure(peek(), "expected an operator or the end, found " + peek().shown());
        }
    }

    private Node binary(int lowest) {
        int start = peek().start();
        Node left = unary();
        while (true) {
            Optional<BinaryOperator> operator = operatorAhead();
            if (operator.isEmpty() || operator.get().precedence() < lowest) {
                return left;
            }
            next++;
            Node right = binary(operator.get().precedence() + 1);
            left = new Node.Binary(at(start, left, right), operator.get(), left, right);
        }
    }

    private Optional<BinaryOperator> operatorAhead() {
        return peek().kind() == Token.Kind.SYMBOL ? BinaryOperator.of(peek().text()) : Optional.empty();
    }

    private Node unary() {
        Token first = peek();
        if (!first.is("-") && !first.is("!")) {
            return postfix();
        }
        next++;
        enter();
        Node operand = unary();
        depth--;
        Node.At at = at(first.start(), operand);
        boolean smallest = operand instanceof Node.Literal literal && literal.value() instanceof Value.Int;
        if (first.is("-") && smallest && operand instanceof Node.Literal literal) {
            return new Node.Literal(at, Operators.negate(literal.value()));
        }
        return new Node.Unary(at, first.text(), operand);
    }

    private Node postfix() {
        int start = peek().start();
        Node target = primary();
        while (true) {
            if (accept(".")) {
                Token name = take();
                if (name.kind() != Token.Kind.NAME) {
                    throw failure(name, "expected a field name after '.', found " + name.shown());
                }
                target = new Node.Member(at(start, target), target, name.text());
            } else if (accept("[")) {
                Node index = expression();
                expect("]");
                target = new Node.Index(at(start, target, index), target, index);
            } else {
                return target;
            }
        }
    }

    private Node primary() {
        Token token = take();
        return switch (token.kind()) {
            case INTEGER -> literal(token, integer(token));
            case REAL -> literal(token, real(token));
            case STRING -> literal(token, Value.of(token.text()));
            case NAME -> named(token);
            default -> {
                if (token.is("(")) {
                    Node inner = expression();
                    expect(")");
                    yield inner;
                }
                if (token.is("[")) {
                    List<Node> elements = sequence("]");
                    yield new Node.ListLiteral(at(token.start(), elements.toArray(new Node[0])), elements);
                }
                throw failure(token, "expected a value, found " + token.shown());
            }
        };
    }

    private Node named(Token token) {
        if (peek().is("(")) {
            next++;
            return call(token);
        }
        return switch (token.text()) {
            case "true" -> literal(token, Constants.TRUE);
            case "false" -> literal(token, Constants.FALSE);
            case "null" -> literal(token, Constants.ABSENT);
            default -> new Node.Name(new Node.At(token.start(), token.end(), 1), token.text());
        };
    }

    private Node call(Token name) {
        Functions.Function function = Functions.find(name.text());
        if (function == null) {
            throw failure(name, "unknown function '" + name.text() + "'");
        }
        List<Node> arguments = sequence(")");
        String problem = function.signatureProblem(arguments);
        if (!problem.isEmpty()) {
            throw failure(name, problem);
        }
        return new Node.Call(at(name.start(), arguments.toArray(new Node[0])), function, arguments);
    }

    /** Expressions, or lambdas in a call, up to the closing bracket. */
    private List<Node> sequence(String closing) {
        enter();
        List<Node> elements = new ArrayList<>();
        if (!accept(closing)) {
            do {
                elements.add(closing.equals(")") && isLambdaAhead() ? lambda() : expression());
            } while (accept(","));
            expect(closing);
        }
        depth--;
        return List.copyOf(elements);
    }

    private boolean isLambdaAhead() {
        return peek().kind() == Token.Kind.NAME && tokens.get(next + 1).is("->");
    }

    private Node lambda() {
        Token parameter = take();
        next++;
        Node body = expression();
        return new Node.Lambda(at(parameter.start(), body), parameter.text(), body);
    }

    private Value integer(Token token) {
        try {
            return Value.of(Long.parseLong(token.text()));
        } catch (NumberFormatException tooLarge) {
            throw failure(token, "the number " + token.text() + " does not fit 64 bits");
        }
    }

    private Value real(Token token) {
        double value = Double.parseDouble(token.text());
        if (Double.isInfinite(value)) {
            throw failure(token, "the number " + token.text() + " does not fit 64 bits");
        }
        return Value.of(value);
    }

    private static Node literal(Token token, Value value) {
        return new Node.Literal(new Node.At(token.start(), token.end(), 1), value);
    }

    /** The place of a node from {@code start} to the last token taken. */
    private Node.At at(int start, Node... children) {
        int height = 0;
        for (Node child : children) {
            height = Math.max(height, child.at().height());
        }
        if (height >= Limits.TREE_HEIGHT) {
            throw new ExprException(
                    where, source, start, "the expression chains more than " + Limits.TREE_HEIGHT + " operations");
        }
        return new Node.At(start, taken(), height + 1);
    }

    private void enter() {
        if (++depth > Limits.NESTING) {
            throw failure(peek(), "the expression is nested deeper than " + Limits.NESTING + " levels");
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Token.Kind.END) {
            next++;
        }
        return token;
    }

    private boolean accept(String symbol) {
        if (!peek().is(symbol)) {
            return false;
        }
        next++;
        return true;
    }

    private void expect(String symbol) {
        if (!accept(symbol)) {
            throw failure(peek(), "expected '" + symbol + "', found " + peek().shown());
        }
    }

    private ExprException failure(Token token, String reason) {
        return new ExprException(where, source, token.start(), reason);
    }
}
