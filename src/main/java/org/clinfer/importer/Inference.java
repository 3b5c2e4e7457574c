package org.clinfer.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.NodeBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The types of values while a graph is written, from the descriptions of the operators: for formats whose layers mean what
 * the number of axes and channels of their inputs makes of them.
 */
public final class Inference {

    private final NodeBinder binder;

    /** @param catalog the operators there are */
    public Inference(OpCatalog catalog) {
        this.binder = new NodeBinder(catalog);
    }

    /**
     * An operand as far as it is known.
     *
     * @param data its elements, if they are known
     * @param sizes its elements where it is a scalar or vector of integers of which some are known, as in {@link ArgValue}
     */
    public record Operand(
            KnownType type, @Nullable Tensor data, @Nullable List<ExpressionValue> sizes) {

        /** A constant. */
        public static Operand of(Tensor constant) {
            return new Operand(KnownType.of(constant.type()), constant, null);
        }

        /** An operand whose elements are not known. */
        public static Operand of(KnownType type) {
            return new Operand(type, null, null);
        }
    }

    /**
     * The types of a node's outputs as far as those of its inputs decide them. A node that does not fit its description is no
     * error here: the check stage reports it.
     *
     * @param known an operand by its name
     * @return one for each output
     */
    public List<KnownType> follow(Node node, Function<String, Operand> known) {
        Optional<OpDescription> found = binder.catalog().find(node.op());
        if (found.isEmpty()) {
            return node.outputs().stream().map(output -> KnownType.NOTHING).toList();
        }
        List<Operand> operands = node.inputs().stream()
                .map(name -> name.isEmpty() ? Operand.of(KnownType.NOTHING) : known.apply(name))
                .toList();
        OpDescription op = found.get();
        Glance glance = new Glance(op, operands, node.params());
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        boolean typed = true;
        boolean shaped = true;
        for (int i = 0; i < operands.size(); i++) {
            Operand operand = operands.get(i);
            boolean given = !node.inputs().get(i).isEmpty();
            boolean elementsAlone = i < op.inputs().size() && op.inputs().get(i).value();
            typed &= !given || operand.type().dtype().isPresent();
            shaped &= !given || elementsAlone || operand.type().shape().isPresent();
            TensorType type = new TensorType(
                    operand.type().dtype().orElse(assumed(op, i)),
                    operand.type().shape().orElse(KnownType.anyShape(elementsAlone ? 1 : 0)));
            arguments.add(given ? new ArgValue(type, operand.data(), operand.sizes()) : null);
        }
        List<TensorType> bound =
                binder.bind(node, arguments).map(Binding::outputs).orElse(List.of());
        if (bound.size() != node.outputs().size()) {
            return glance.types(node.outputs().size());
        }
        List<KnownType> types = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            KnownType described = KnownType.of(bound.get(i));
            types.add(new KnownType(
                    typed ? described.dtype() : glance.dtype(i), shaped ? described.shape() : glance.shape(i)));
        }
        return types;
    }

    /**
     * A node bound to its description.
     *
     * @param known an operand by its name
     * @return empty where there is no such operator or the type of an operand is not known
     */
    public Optional<Binding> bind(Node node, Function<String, Optional<ArgValue>> known) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (String input : node.inputs()) {
            Optional<ArgValue> argument = input.isEmpty() ? Optional.empty() : known.apply(input);
            if (argument.isEmpty() && !input.isEmpty()) {
                return Optional.empty();
            }
            arguments.add(argument.orElse(null));
        }
        return binder.bind(node, arguments);
    }

    /** The inputs of a node whose elements decide the types of its outputs, by name. */
    public Set<String> decisive(Node node) {
        List<InputDescription> described =
                binder.catalog().find(node.op()).map(OpDescription::inputs).orElse(List.of());
        return IntStream.range(0, Math.min(described.size(), node.inputs().size()))
                .filter(i -> described.get(i).value())
                .mapToObj(i -> node.inputs().get(i))
                .collect(Collectors.toSet());
    }

    /** A data type that the operator takes there, for a value whose own is not known. */
    private static DType assumed(OpDescription op, int input) {
        List<InputDescription> inputs = op.inputs();
        List<DType> taken = inputs.isEmpty()
                ? List.of()
                : inputs.get(Math.min(input, inputs.size() - 1)).dtypes();
        return taken.isEmpty() || taken.contains(DType.FLOAT32) ? DType.FLOAT32 : taken.get(0);
    }

    /**
     * The types of a node's outputs.
     *
     * @param operands the types of the node's inputs, in order; what stands for one that is left out counts for nothing
     * @param constants those inputs whose values are known, by name; others may be there
     * @throws org.clinfer.graph.GraphException if the operator does not take these operands and parameters, or they do not
     *     decide what it gives
     */
    public List<TensorType> types(Node node, List<TensorType> operands, Map<String, Tensor> constants) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            String name = node.inputs().get(i);
            Tensor constant = constants.get(name);
            ArgValue known = constant == null ? ArgValue.of(operands.get(i)) : ArgValue.of(constant);
            arguments.add(name.isEmpty() ? null : known);
        }
        return binder.types(node, arguments);
    }
}
