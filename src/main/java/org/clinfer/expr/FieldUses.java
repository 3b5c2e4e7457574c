package org.clinfer.expr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The uses of fields, such as {@code Limits.max_rank}, in expressions, from which follows what values they can have. */
public final class FieldUses {

    private final Set<String> numbers = new TreeSet<>();
    private final Set<String> dataTypes = new TreeSet<>();
    private final Map<String, Set<String>> words = new HashMap<>();

    /** Adds the uses in an expression. */
    public void add(Expr expression) {
        visit(expression.root());
    }

    /** {@return whether a field is compared in order, or counted with: its value is a number} */
    public boolean isNumber(String field) {
        return numbers.contains(field);
    }

    /** {@return whether a field is compared with the data type of a tensor} */
    public boolean isDataType(String field) {
        return dataTypes.contains(field);
    }

    /** The texts that a field is compared with. */
    public Set<String> words(String field) {
        return words.getOrDefault(field, Set.of());
    }

    private void visit(ExpressionNode node) {
        if (node instanceof ExpressionNode.Binary binary) {
            compare(binary.operator(), binary.left(), binary.right());
            compare(binary.operator(), binary.right(), binary.left());
        }
        if (node instanceof ExpressionNode.Call call
                && call.function().name().equals("contains")
                && call.arguments().size() == 2
                && isDataType(call.arguments().get(1))) {
            field(call.arguments().get(0)).ifPresent(dataTypes::add);
        }
        node.children().forEach(this::visit);
    }

    private static Optional<String> field(ExpressionNode node) {
        return node instanceof ExpressionNode.Member member && member.target() instanceof ExpressionNode.Name section
                ? Optional.of(section.name() + "." + member.name())
                : Optional.empty();
    }

    private void compare(BinaryOperator operator, ExpressionNode one, ExpressionNode other) {
        Optional<String> found = field(one);
        if (found.isEmpty()) {
            return;
        }
        String field = found.get();
        if (!operator.isEquality()) {
            if (operator.isOfNumbers()) {
                numbers.add(field);
            }
            return;
        }
        if (other instanceof ExpressionNode.Literal literal && literal.value() instanceof ExpressionValue.Text text) {
            words.computeIfAbsent(field, none -> new TreeSet<>()).add(text.value());
        } else if (isDataType(other)) {
            dataTypes.add(field);
        }
    }

    /** An element of the data types of all tensors, or the one of a tensor. */
    private static boolean isDataType(ExpressionNode node) {
        if (node instanceof ExpressionNode.Index index && index.target() instanceof ExpressionNode.Name list) {
            return list.name().endsWith("_dtypes");
        }
        return node instanceof ExpressionNode.Member member && member.name().equals("dtype");
    }
}
