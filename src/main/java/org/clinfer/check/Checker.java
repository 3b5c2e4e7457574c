package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.check.CheckedGraph.NodeFinding;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.Violation;
import org.clinfer.expr.Value;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Walks a graph once in execution order: binds every node to its description, infers types, folds what is known.
 *
 * <p>A node is folded when the values of all its inputs are known, or when its description computes its output values
 * from types alone (the scratch value {@link #OUTPUT_VALUES}, as for {@code Shape}).
 */
public final class Checker {

    /** The scratch value by which a description gives the values of its int64 output from types alone. */
    static final String OUTPUT_VALUES = "y_values";

    private final Graph graph;
    private final OpCatalog catalog;
    private final ConstantEvaluator evaluator;
    private final Map<String, Tensor> folded;
    private final Map<String, TensorType> types = new LinkedHashMap<>();
    private final Map<String, Tensor> constants = new LinkedHashMap<>();
    private final Set<String> inputDependent = new HashSet<>();
    private final List<Node> walked = new ArrayList<>();
    private final List<CheckedNode> nodes = new ArrayList<>();
    private final List<NodeFinding> findings = new ArrayList<>();
    private final Set<String> undetermined = new HashSet<>();

    private Checker(CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator) {
        this.graph = request.graph();
        this.catalog = catalog;
        this.evaluator = evaluator;
        this.folded = request.foldedOnce();
        constants.putAll(graph.constants());
        request.inputTypes().forEach(types::put);
        request.inputValues().forEach((name, value) -> {
            constants.put(name, value);
            inputDependent.add(name);
        });
    }

    /** Checks a graph; what is wrong with it stands in the result, nothing is thrown for a bad model. */
    public static CheckedGraph check(CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator) {
        Checker checker = new Checker(request, catalog, evaluator);
        for (Node node : request.graph().nodes()) {
            checker.visit(node, AttributeValues.of(node.params()));
        }
        return new CheckedGraph(
                request.graph(),
                request.inputTypes(),
                checker.walked,
                checker.nodes,
                checker.types,
                checker.constants,
                checker.findings);
    }

    private void visit(Node node, Map<String, Value> params) {
        Optional<OpDescription> op = catalog.find(node.op());
        if (node.inputs().stream().anyMatch(undetermined::contains)) {
            walked.add(node);
            markUndetermined(node);
            return;
        }
        if (op.isEmpty()) {
            walked.add(node);
            report(node, Verdict.UNSUPPORTED, "operator", "there is no operator '" + node.op() + "'");
            return;
        }
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        List<@Nullable TensorType> inputTypes = new ArrayList<>();
        for (String input : node.inputs()) {
            ArgValue argument = input.isEmpty() ? null : argument(input);
            arguments.add(argument);
            inputTypes.add(argument == null ? null : argument.type());
        }
        Binding binding = OpBinder.bind(
                op.get(), node.name(), arguments, params, node.outputs().size());
        Optional<Composition> composition =
                binding.violations().isEmpty() ? Composition.of(node, op.get(), binding, catalog) : Optional.empty();
        if (composition.isPresent() && sound(node, binding)) {
            expand(node, binding, composition.get());
            return;
        }
        walked.add(node);
        if (!sound(node, binding)) {
            return;
        }
        CheckedNode checked = new CheckedNode(node, op.get(), binding, inputTypes, binding.outputs());
        if (!fold(checked, arguments)) {
            nodes.add(checked);
            for (int i = 0; i < node.outputs().size(); i++) {
                types.put(node.outputs().get(i), checked.outputTypes().get(i));
            }
        }
    }

    /** Visits the parts of a composed operator in its place; what they give has to be what it says it gives. */
    private void expand(Node node, Binding binding, Composition composition) {
        composition.constants().forEach((name, tensor) -> {
            constants.put(name, tensor);
            inputDependent.add(name);
        });
        composition.parts().forEach(part -> visit(part.node(), part.params()));
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            if (output.isEmpty() || undetermined.contains(output)) {
                continue;
            }
            TensorType given = argument(output).type();
            if (!given.equals(binding.outputs().get(i))) {
                report(
                        node,
                        Verdict.INVALID,
                        "composition",
                        "the parts of " + node.op() + " give " + given + " for output " + i
                                + ", but its description says "
                                + binding.outputs().get(i));
            }
        }
    }

    private ArgValue argument(String value) {
        Tensor constant = constants.get(value);
        if (constant != null) {
            return new ArgValue(constant.type(), constant);
        }
        TensorType type = types.get(value);
        if (type == null) {
            throw new IllegalStateException("value '" + value + "' has no type");
        }
        return new ArgValue(type, null);
    }

    private boolean sound(Node node, Binding binding) {
        for (Violation violation : binding.violations()) {
            report(node, Verdict.INVALID, violation.argument(), violation.message());
        }
        if (!binding.violations().isEmpty()) {
            return false;
        }
        for (String reason : binding.unknown()) {
            report(node, Verdict.UNKNOWN, "shape", reason);
        }
        return binding.unknown().isEmpty();
    }

    private void report(Node node, Verdict verdict, String aspect, String message) {
        findings.add(new NodeFinding(node, verdict, new Finding(node.op() + "/" + aspect, message)));
        markUndetermined(node);
    }

    /** Nothing is known of the node's outputs; those that nobody uses have no name. */
    private void markUndetermined(Node node) {
        node.outputs().stream().filter(output -> !output.isEmpty()).forEach(undetermined::add);
    }

    private boolean fold(CheckedNode checked, List<@Nullable ArgValue> arguments) {
        Node node = checked.node();
        Optional<Tensor> values = OutputValues.of(checked.binding(), OUTPUT_VALUES);
        if (values.isPresent()) {
            constants.put(node.outputs().get(0), values.get());
            inputDependent.add(node.outputs().get(0));
            return true;
        }
        List<@Nullable Tensor> inputs = new ArrayList<>();
        for (ArgValue argument : arguments) {
            if (argument != null && argument.data() == null) {
                return false;
            }
            inputs.add(argument == null ? null : argument.data());
        }
        boolean once = node.inputs().stream().noneMatch(inputDependent::contains);
        Map<String, Tensor> outputs = once ? reuse(node) : new HashMap<>();
        if (outputs.isEmpty()) {
            Optional<List<Tensor>> computed = evaluator.evaluate(checked, inputs);
            if (computed.isEmpty()) {
                return false;
            }
            for (int i = 0; i < node.outputs().size(); i++) {
                outputs.put(node.outputs().get(i), computed.get().get(i));
            }
        }
        constants.putAll(outputs);
        (once ? folded : new HashMap<String, Tensor>()).putAll(outputs);
        if (!once) {
            inputDependent.addAll(node.outputs());
        }
        return true;
    }

    private Map<String, Tensor> reuse(Node node) {
        Map<String, Tensor> known = new HashMap<>();
        for (String output : node.outputs()) {
            Tensor tensor = folded.get(output);
            if (tensor == null) {
                return new HashMap<>();
            }
            known.put(output, tensor);
        }
        return known;
    }
}
