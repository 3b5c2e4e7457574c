package org.clinfer.expr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.text.Spelling;

/** Finds the type of an expression from those of its names, and what would fail whatever the values are. */
final class TypeInference {

    private final Expr expression;
    private final List<ExprException> mistakes = new ArrayList<>();
    private Map<String, ValueType> names;

    /** @param names those that are not in it may stand for anything */
    TypeInference(Expr expression, Map<String, ValueType> names) {
        this.expression = expression;
        this.names = names;
    }

    /** What is wrong, in the order of evaluation. */
    List<ExprException> mistakes() {
        return List.copyOf(mistakes);
    }

    /** The type of a node; anything where it is wrong, so that one mistake is reported once. */
    ValueType of(ExpressionNode node) {
        if (node instanceof ExpressionNode.Literal literal) {
            return ofValue(literal.value());
        } else if (node instanceof ExpressionNode.Name name) {
            return names.getOrDefault(name.name(), ValueType.ANY);
        } else if (node instanceof ExpressionNode.Member member) {
            return member(member);
        } else if (node instanceof ExpressionNode.Index index) {
            return element(index);
        } else if (node instanceof ExpressionNode.ListLiteral list) {
            return ValueType.listOf(
                    ValueType.either(list.elements().stream().map(this::of).toList()));
        } else if (node instanceof ExpressionNode.Unary unary) {
            return unary(unary);
        } else if (node instanceof ExpressionNode.Binary binary) {
            return binary(binary);
        } else if (node instanceof ExpressionNode.Conditional conditional) {
            require(conditional.condition(), ValueType.BOOL, "a condition must be ");
            return of(conditional.whenTrue()).or(of(conditional.whenFalse()));
        } else if (node instanceof ExpressionNode.Call call) {
            return call(call);
        }
        return ValueType.ANY;
    }

    static ValueType ofValue(ExpressionValue value) {
        return switch (Operators.kind(value)) {
            case "int" -> ValueType.INT;
            case "real" -> ValueType.REAL;
            case "bool" -> ValueType.BOOL;
            case "string" -> ValueType.STRING;
            case "tensor" -> ValueType.TENSOR;
            case "null" -> ValueType.NULL;
            case "list" ->
                ValueType.listOf(ValueType.either(((ExpressionValue.ListOf) value)
                        .elements().stream().map(TypeInference::ofValue).toList()));
            default -> ValueType.ANY;
        };
    }

    /** Notes that the type of a node is wrong, unless it may be this one. */
    void require(ExpressionNode node, ValueType wanted, String expectation) {
        ValueType found = of(node);
        if (!found.mayBe(wanted)) {
            fail(node, expectation + wanted.shown() + ", not " + found.shown());
        }
    }

    private ValueType fail(ExpressionNode at, String reason) {
        mistakes.add(expression.failure(at.at().start(), reason));
        return ValueType.ANY;
    }

    private ValueType member(ExpressionNode.Member member) {
        ValueType target = of(member.target());
        if (target.has(ValueType.Kind.FIELDS)) {
            return ofGroup(member, target.fields());
        }
        ValueType found = ValueType.NOTHING;
        ValueType field = Members.TENSOR_FIELDS.get(member.name());
        if (field != null && target.has(ValueType.Kind.TENSOR)) {
            found = found.or(field);
        }
        if (target.has(ValueType.Kind.LIST) && member.name().equals("len")) {
            found = found.or(ValueType.INT);
        }
        if (!found.kinds().isEmpty()) {
            return found;
        }
        boolean tensor = target.has(ValueType.Kind.TENSOR);
        return fail(
                member,
                target.shown() + " has no field '" + member.name() + "'"
                        + (tensor ? Members.onlyFields(member.name()) : ""));
    }

    private ValueType ofGroup(ExpressionNode.Member member, Map<String, ValueType> fields) {
        if (fields.isEmpty()) {
            return ValueType.ANY;
        }
        ValueType field = fields.get(member.name());
        return field == null
                ? fail(
                        member,
                        "there is no field '" + member.name() + "'" + Spelling.question(member.name(), fields.keySet()))
                : field;
    }

    private ValueType element(ExpressionNode.Index node) {
        ValueType list = of(node.target());
        require(node.index(), ValueType.INT, "an index must be ");
        return list.has(ValueType.Kind.LIST)
                ? list.elementOrAny()
                : fail(node, "only a list can be indexed, not " + list.shown());
    }

    private ValueType unary(ExpressionNode.Unary node) {
        if (node.operator().equals("!")) {
            require(node.operand(), ValueType.BOOL, "a condition must be ");
            return ValueType.BOOL;
        }
        ValueType operand = of(node.operand());
        return operand.mayBe(ValueType.NUMBER)
                ? operand.only(ValueType.NUMBER)
                : fail(node, "'-' cannot take " + operand.shown());
    }

    private ValueType binary(ExpressionNode.Binary node) {
        BinaryOperator operator = node.operator();
        if (operator.isLogical()) {
            require(node.left(), ValueType.BOOL, "a condition must be ");
            require(node.right(), ValueType.BOOL, "a condition must be ");
            return ValueType.BOOL;
        }
        ValueType left = of(node.left());
        ValueType right = of(node.right());
        boolean numbers = left.mayBe(ValueType.NUMBER) && right.mayBe(ValueType.NUMBER);
        if (operator.isComparison()) {
            boolean comparable = operator.isEquality()
                    ? canBeEqual(left, right)
                    : numbers || (left.mayBe(ValueType.STRING) && right.mayBe(ValueType.STRING));
            return comparable
                    ? ValueType.BOOL
                    : fail(
                            node,
                            "'" + operator.symbol() + "' cannot compare " + left.shown() + " with " + right.shown());
        }
        ValueType result = numbers ? counted(left, right) : ValueType.NOTHING;
        if (operator == BinaryOperator.ADD) {
            result = result.or(joined(left, right));
        }
        return result.kinds().isEmpty()
                ? fail(node, "'" + operator.symbol() + "' cannot take " + left.shown() + " and " + right.shown())
                : result;
    }

    /** The equality of different kinds fails, except that null may meet anything. */
    private static boolean canBeEqual(ValueType left, ValueType right) {
        if (left.has(ValueType.Kind.NULL) || right.has(ValueType.Kind.NULL)) {
            return true;
        }
        ValueType plain = ValueType.BOOL.or(ValueType.STRING).or(ValueType.LIST);
        return (left.mayBe(ValueType.NUMBER) && right.mayBe(ValueType.NUMBER))
                || !left.only(plain).only(right).kinds().isEmpty();
    }

    /** Ints give an int, and what has a real in it a real. */
    private static ValueType counted(ValueType left, ValueType right) {
        boolean int1 = left.has(ValueType.Kind.INT);
        boolean int2 = right.has(ValueType.Kind.INT);
        boolean real = left.has(ValueType.Kind.REAL) || right.has(ValueType.Kind.REAL);
        ValueType ints = int1 && int2 ? ValueType.INT : ValueType.NOTHING;
        return real ? ints.or(ValueType.REAL) : ints;
    }

    private static ValueType joined(ValueType left, ValueType right) {
        ValueType result = ValueType.NOTHING;
        if (left.has(ValueType.Kind.LIST) && right.has(ValueType.Kind.LIST)) {
            result = left.only(ValueType.LIST).or(right.only(ValueType.LIST));
        }
        boolean texts = left.has(ValueType.Kind.STRING) && right.has(ValueType.Kind.STRING);
        return texts ? result.or(ValueType.STRING) : result;
    }

    private ValueType call(ExpressionNode.Call call) {
        String name = call.function().name();
        List<ExpressionNode> arguments = call.arguments();
        if (!arguments.isEmpty() && arguments.get(arguments.size() - 1) instanceof ExpressionNode.Lambda lambda) {
            return overElements(name, arguments.get(0), lambda);
        }
        FunctionTypes.Signature signature = FunctionTypes.of(name);
        List<ValueType> types = new ArrayList<>();
        int before = mistakes.size();
        for (int i = 0; i < arguments.size(); i++) {
            ValueType found = of(arguments.get(i));
            types.add(found);
            if (!found.mayBe(signature.argument(i))) {
                fail(
                        arguments.get(i),
                        name + "() expects " + signature.argument(i).shown() + ", not " + found.shown());
            }
        }
        if (name.equals("has_extension") && !names.containsKey("device")) {
            fail(call, "has_extension() needs a device, and there is none here");
        }
        return mistakes.size() > before ? ValueType.ANY : signature.result().apply(types);
    }

    private ValueType overElements(String name, ExpressionNode list, ExpressionNode.Lambda lambda) {
        ValueType type = of(list);
        if (!type.has(ValueType.Kind.LIST)) {
            fail(list, name + "() expects a list, not " + type.shown());
        }
        Map<String, ValueType> outer = names;
        names = new HashMap<>(outer);
        names.put(lambda.parameter(), type.elementOrAny());
        try {
            if (name.equals("map")) {
                return ValueType.listOf(of(lambda.body()));
            }
            require(lambda.body(), ValueType.BOOL, "a condition must be ");
            return name.equals("filter") ? type.only(ValueType.LIST) : ValueType.BOOL;
        } finally {
            names = outer;
        }
    }
}
