package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** A node of the tree of an expression. */
sealed interface ExpressionNode {

    /** The place of a node in the source, [start, end), and the height of its tree. */
    record At(int start, int end, int height) {}

    At at();

    /** The value in the scope of {@code run}; throws {@link Failure} where there is none. */
    ExpressionValue evaluate(Evaluation run);

    /** The nodes right below, in source order. */
    default List<ExpressionNode> children() {
        return List.of();
    }

    /** A constant. */
    record Literal(At at, ExpressionValue value) implements ExpressionNode {
        @Override
        public ExpressionValue evaluate(Evaluation run) {
            return value;
        }
    }

    /** A name looked up in the scope. */
    record Name(At at, String name) implements ExpressionNode {
        @Override
        public ExpressionValue evaluate(Evaluation run) {
            ExpressionValue value = run.scope().lookup(name);
            if (value == null) {
                throw new Failure("unknown name '" + name + "'");
            }
            return value;
        }
    }

    /** {@code target.name}. */
    record Member(At at, ExpressionNode target, String name) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(target);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            return Members.of(run.of(target), name, run);
        }
    }

    /** {@code target[index]}. */
    record Index(At at, ExpressionNode target, ExpressionNode index) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(target, index);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            // x.dims[i] is by far the most frequent form: no list is built for it
            if (target instanceof Member member && member.name().equals("dims")) {
                ExpressionValue owner = run.of(member.target());
                if (owner instanceof ExpressionValue.TensorArg tensor) {
                    return Members.dim(tensor, run.of(index));
                }
                return Members.element(Members.of(owner, member.name(), run), run.of(index));
            }
            return Members.element(run.of(target), run.of(index));
        }
    }

    /** {@code [a, b]}. */
    record ListLiteral(At at, List<ExpressionNode> elements) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return elements;
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            List<ExpressionValue> values = new ArrayList<>(run.reserve(elements.size()));
            for (ExpressionNode element : elements) {
                values.add(run.of(element));
            }
            return ExpressionValue.list(values);
        }
    }

    /** {@code !a} or {@code -a}. */
    record Unary(At at, String operator, ExpressionNode operand) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(operand);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            ExpressionValue value = run.of(operand);
            return operator.equals("!") ? Operators.not(value) : Operators.negate(value);
        }
    }

    /** Two operands and the operator between them. */
    record Binary(At at, BinaryOperator operator, ExpressionNode left, ExpressionNode right) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(left, right);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            return switch (operator) {
                case AND -> logical(run, false);
                case OR -> logical(run, true);
                default -> Operators.apply(operator, run.of(left), run.of(right), run);
            };
        }

        /** {@code decisive} is the operand that decides the result whatever the other is. */
        private ExpressionValue logical(Evaluation run, boolean decisive) {
            ExpressionValue first = Operators.condition(run.of(left));
            if (first instanceof ExpressionValue.Bool bool && bool.value() == decisive) {
                return first;
            }
            ExpressionValue second = Operators.condition(run.of(right));
            if (second instanceof ExpressionValue.Bool bool && bool.value() == decisive) {
                return second;
            }
            return first instanceof ExpressionValue.Unknown || second instanceof ExpressionValue.Unknown
                    ? Constants.UNKNOWN
                    : second;
        }
    }

    /** {@code condition ? whenTrue : whenFalse}. */
    record Conditional(At at, ExpressionNode condition, ExpressionNode whenTrue, ExpressionNode whenFalse)
            implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(condition, whenTrue, whenFalse);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            if (Operators.condition(run.of(condition)) instanceof ExpressionValue.Bool bool) {
                return run.of(bool.value() ? whenTrue : whenFalse);
            }
            return Constants.UNKNOWN;
        }
    }

    /** A function call; a lambda, where the function takes one, is the last argument. */
    record Call(At at, Functions.Function function, List<ExpressionNode> arguments) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return arguments;
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            return function.call(arguments, run);
        }
    }

    /** {@code parameter -> body}, only as an argument. */
    record Lambda(At at, String parameter, ExpressionNode body) implements ExpressionNode {
        @Override
        public List<ExpressionNode> children() {
            return List.of(body);
        }

        @Override
        public ExpressionValue evaluate(Evaluation run) {
            throw new Failure("a lambda has no value of its own");
        }
    }
}
