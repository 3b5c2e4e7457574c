package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.text.Spelling;

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

    ExpressionNode expression() {
        enter();
        int start = peek().start();
        ExpressionNode condition = binary(1);
        ExpressionNode result = condition;
        if (accept("?")) {
            ExpressionNode whenTrue = expression();
            expect(":");
            ExpressionNode whenFalse = expression();
            result = new ExpressionNode.Conditional(
                    at(start, condition, whenTrue, whenFalse), condition, whenTrue, whenFalse);
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

    private ExpressionNode binary(int lowest) {
        int start = peek().start();
        ExpressionNode left = unary();
        while (true) {
            Optional<BinaryOperator> operator = operatorAhead();
            if (operator.isEmpty() || operator.get().precedence() < lowest) {
                return left;
            }
            next++;
            ExpressionNode right = binary(operator.get().precedence() + 1);
            left = new ExpressionNode.Binary(at(start, left, right), operator.get(), left, right);
        }
    }

    private Optional<BinaryOperator> operatorAhead() {
        return peek().kind() == Token.Kind.SYMBOL ? BinaryOperator.of(peek().text()) : Optional.empty();
    }

    private ExpressionNode unary() {
        Token first = peek();
        if (!first.is("-") && !first.is("!")) {
            return postfix();
        }
        next++;
        enter();
        ExpressionNode operand = unary();
        depth--;
        ExpressionNode.At at = at(first.start(), operand);
        boolean smallest =
                operand instanceof ExpressionNode.Literal literal && literal.value() instanceof ExpressionValue.Int;
        if (first.is("-") && smallest && operand instanceof ExpressionNode.Literal literal) {
            return new ExpressionNode.Literal(at, Operators.negate(literal.value()));
        }
        return new ExpressionNode.Unary(at, first.text(), operand);
    }

    private ExpressionNode postfix() {
        int start = peek().start();
        ExpressionNode target = primary();
        while (true) {
            if (accept(".")) {
                Token name = take();
                if (name.kind() != Token.Kind.NAME) {
                    throw failure(name, "expected a field name after '.', found " + name.shown());
                }
                target = new ExpressionNode.Member(at(start, target), target, name.text());
            } else if (accept("[")) {
                ExpressionNode index = expression();
                expect("]");
                target = new ExpressionNode.Index(at(start, target, index), target, index);
            } else {
                return target;
            }
        }
    }

    private ExpressionNode primary() {
        Token token = take();
        return switch (token.kind()) {
            case INTEGER -> literal(token, integer(token));
            case REAL -> literal(token, real(token));
            case STRING -> literal(token, ExpressionValue.of(token.text()));
            case NAME -> named(token);
            default -> {
                if (token.is("(")) {
                    ExpressionNode inner = expression();
                    expect(")");
                    yield inner;
                }
                if (token.is("[")) {
                    List<ExpressionNode> elements = sequence("]");
                    yield new ExpressionNode.ListLiteral(
                            at(token.start(), elements.toArray(new ExpressionNode[0])), elements);
                }
                throw failure(token, "expected a value, found " + token.shown());
            }
        };
    }

    private ExpressionNode named(Token token) {
        if (peek().is("(")) {
            next++;
            return call(token);
        }
        return switch (token.text()) {
            case "true" -> literal(token, Constants.TRUE);
            case "false" -> literal(token, Constants.FALSE);
            case "null" -> literal(token, Constants.ABSENT);
            default -> new ExpressionNode.Name(new ExpressionNode.At(token.start(), token.end(), 1), token.text());
        };
    }

    private ExpressionNode call(Token name) {
        Functions.Function function = Functions.find(name.text());
        if (function == null) {
            throw failure(
                    name, "unknown function '" + name.text() + "'" + Spelling.question(name.text(), Functions.names()));
        }
        List<ExpressionNode> arguments = sequence(")");
        String problem = function.signatureProblem(arguments);
        if (!problem.isEmpty()) {
            throw failure(name, problem);
        }
        return new ExpressionNode.Call(at(name.start(), arguments.toArray(new ExpressionNode[0])), function, arguments);
    }

    /** Expressions, or lambdas in a call, up to the closing bracket. */
    private List<ExpressionNode> sequence(String closing) {
        enter();
        List<ExpressionNode> elements = new ArrayList<>();
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

    private ExpressionNode lambda() {
        Token parameter = take();
        next++;
        ExpressionNode body = expression();
        return new ExpressionNode.Lambda(at(parameter.start(), body), parameter.text(), body);
    }

    private ExpressionValue integer(Token token) {
        try {
            return ExpressionValue.of(Long.parseLong(token.text()));
        } catch (NumberFormatException tooLarge) {
            throw failure(token, "the number " + token.text() + " does not fit 64 bits");
        }
    }

    private ExpressionValue real(Token token) {
        double value = Double.parseDouble(token.text());
        if (Double.isInfinite(value)) {
            throw failure(token, "the number " + token.text() + " does not fit 64 bits");
        }
        return ExpressionValue.of(value);
    }

    private static ExpressionNode literal(Token token, ExpressionValue value) {
        return new ExpressionNode.Literal(new ExpressionNode.At(token.start(), token.end(), 1), value);
    }

    /** The place of a node from {@code start} to the last token taken. */
    private ExpressionNode.At at(int start, ExpressionNode... children) {
        int height = 0;
        for (ExpressionNode child : children) {
            height = Math.max(height, child.at().height());
        }
        if (height >= Limits.TREE_HEIGHT) {
            throw new ExprException(
                    where, source, start, "the expression chains more than " + Limits.TREE_HEIGHT + " operations");
        }
        return new ExpressionNode.At(start, taken(), height + 1);
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
