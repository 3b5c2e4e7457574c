package org.clinfer.infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Binding;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.Composition;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.Violation;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.infer.CheckedGraph.NodeFinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Walks a graph once in execution order: binds every node to its description, infers types, folds what is known.
 *
 * <p>A node is folded when the values of all its inputs are known, or when its description computes its output values
 * from types alone, as that of {@code Shape}.
 */
public final class Checker {

    /** The aspect of an operator as a whole. */
    private static final String OPERATOR = "operator";

    private static final String IDENTITY = "Identity";

    /** Types of loops within loops are found by going round in each, so deep. */
    private static final int MOST_DEPTH = 4;

    /** Operators that move elements and leave none of their first input out, beside views. */
    private static final Set<String> ALL_ELEMENTS = Set.of("Expand", "Transpose");

    private final int depth;
    private final Graph graph;
    private final OpCatalog catalog;
    private final Bindings bindings;
    private final ConstantEvaluator evaluator;
    private final Map<String, Tensor> known;
    private final EarlierCheck earlier;
    private final Map<String, Tensor> folded = new HashMap<>();
    private final Map<String, TensorType> types = new LinkedHashMap<>();
    private final Map<String, Tensor> constants = new LinkedHashMap<>();

    /** The inputs of the graph by the values of which the elements are some of theirs. */
    private final Map<String, String> given = new HashMap<>();

    private final Set<String> inputDependent = new HashSet<>();
    private final List<Node> walked = new ArrayList<>();
    private final List<CheckedNode> nodes = new ArrayList<>();
    private final List<NodeFinding> findings = new ArrayList<>();
    private final Set<String> undetermined = new HashSet<>();
    private final Map<String, Node> wholes = new HashMap<>();
    private @Nullable Node whole;

    /** The branches around the node that is visited of which data decide. */
    private int undecided;

    private Checker(
            CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator, Bindings bindings, int depth) {
        this.depth = depth;
        this.bindings = bindings;
        this.graph = request.graph();
        this.catalog = catalog;
        this.evaluator = evaluator;
        this.known = request.folded();
        this.earlier = new EarlierCheck(request.earlier());
        constants.putAll(graph.constants());
        request.inputTypes().forEach(types::put);
        request.inputTypes().keySet().forEach(input -> given.put(input, input));
        request.inputValues().forEach((name, value) -> {
            constants.put(name, value);
            inputDependent.add(name);
        });
    }

    /**
     * Checks a graph; what is wrong with it stands in the result, nothing is thrown for a bad model.
     *
     * @param request the graph, and what is known of its inputs
     * @param catalog the operators
     * @param evaluator computes what is known beforehand
     * @return every node with the types of its values, and what is wrong
     */
    public static CheckedGraph check(CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator) {
        return check(request, catalog, evaluator, new Bindings());
    }

    /**
     * {@return the same for one of several checks, which mostly bind the same nodes}
     *
     * @param request the graph, and what is known of its inputs
     * @param catalog the operators
     * @param evaluator computes what is known beforehand
     * @param bindings those of the checks before
     */
    public static CheckedGraph check(
            CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator, Bindings bindings) {
        return check(request, catalog, evaluator, bindings, 0);
    }

    /** @param depth of the graph, within others that run it */
    private static CheckedGraph check(
            CheckRequest request, OpCatalog catalog, ConstantEvaluator evaluator, Bindings bindings, int depth) {
        Checker checker = new Checker(request, catalog, evaluator, bindings, depth);
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
                checker.folded,
                checker.findings,
                checker.wholes);
    }

    private void walk(Node node) {
        walked.add(node);
        if (whole != null) {
            wholes.put(node.name(), whole);
        }
    }

    private void visit(Node node, Map<String, ExpressionValue> params) {
        if (node.opaque().isPresent()) {
            walk(node);
            visitOpaque(node, node.opaque().get());
            return;
        }
        Optional<Graph> branch = knownBranch(node);
        if (branch.isPresent()) {
            visitBranch(node, branch.get());
            return;
        }
        Optional<OpDescription> op = catalog.find(node.op());
        if (node.inputs().stream().anyMatch(undetermined::contains)) {
            walk(node);
            markUndetermined(node);
            return;
        }
        if (node.isControl()) {
            walk(node);
            visitControl(node);
            return;
        }
        if (op.isEmpty()) {
            walk(node);
            report(node, Verdict.UNSUPPORTED, OPERATOR, "there is no operator '" + node.op() + "'");
            return;
        }
        List<@Nullable ArgValue> arguments = arguments(node);
        Optional<CheckedNode> before = earlier.find(node, arguments);
        if (before.isPresent()) {
            walk(node);
            keep(before.get(), arguments);
            return;
        }
        List<@Nullable TensorType> inputTypes = types(arguments);
        Binding binding = bindings.bind(
                op.get(), node.name(), arguments, params, node.outputs().size());
        if (!isSound(node, binding)) {
            walk(node);
            return;
        }
        Optional<Composition> composition = Composition.of(node, op.get(), binding, catalog);
        Optional<Composition.Part> whole = composition.flatMap(Composition::whole);
        if (composition.isPresent() && whole.isEmpty()) {
            expand(node, binding, composition.get());
            return;
        }
        walk(node);
        Optional<CheckedNode> lowered = whole.flatMap(part -> lowered(part, binding));
        if (whole.isPresent() && lowered.isEmpty()) {
            return;
        }
        keep(new CheckedNode(node, op.get(), binding, inputTypes, binding.outputs(), lowered.orElse(null)), arguments);
    }

    /** Folds a node that is sound, or adds it to those that remain. */
    private void keep(CheckedNode checked, List<@Nullable ArgValue> arguments) {
        if (!fold(checked, arguments)) {
            nodes.add(checked);
            markGiven(checked);
            List<String> outputs = checked.node().outputs();
            for (int i = 0; i < outputs.size(); i++) {
                types.put(outputs.get(i), checked.outputTypes().get(i));
            }
        }
    }

    /** Takes what the file says of its outputs. */
    private void visitOpaque(Node node, Opaque opaque) {
        switch (opaque.cause()) {
            case UNSUPPORTED -> report(node, Verdict.UNSUPPORTED, OPERATOR, opaque.reason());
            case INVALID -> report(node, Verdict.INVALID, "malformed", opaque.reason());
            case UNDETERMINED -> markUndetermined(node);
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            opaque.outputTypes().get(i).ifPresent(type -> {
                undetermined.remove(output);
                types.put(output, type);
            });
        }
    }

    /** The graph that runs whatever the data: that of an If whose condition is known, as one that asks for sizes. */
    private Optional<Graph> knownBranch(Node node) {
        if (!node.isControl() || !node.op().equals(ControlFlow.IF)) {
            return Optional.empty();
        }
        Tensor condition = constants.get(node.inputs().get(0));
        if (condition == null || condition.elements() != 1) {
            return Optional.empty();
        }
        return Optional.of(node.body(condition.getLong(0) != 0 ? ControlFlow.THEN : ControlFlow.ELSE));
    }

    /** Visits the nodes of a graph in the place of the node that always runs it. */
    private void visitBranch(Node node, Graph body) {
        body.constants().forEach(constants::putIfAbsent);
        body.nodes().forEach(inner -> visit(inner, AttributeValues.of(inner.params())));
        for (int i = 0; i < node.outputs().size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                Node given = new Node(
                        i == 0 ? node.name() : node.name() + "/" + i,
                        IDENTITY,
                        List.of(body.outputs().get(i)),
                        List.of(node.outputs().get(i)),
                        Map.of(),
                        node.source());
                visit(given, Map.of());
            }
        }
    }

    /** Visits the nodes of its graphs in its place; data decide which of them run, and how often. */
    private void visitControl(Node node) {
        findings.add(new NodeFinding(
                node,
                Verdict.FALLS_BACK,
                new Finding(
                        ruleOf(node, "control"),
                        "data decide what it runs, which the host reads; the nodes of its graphs are judged by"
                                + " themselves")));
        boolean isIf = node.op().equals(ControlFlow.IF);
        undecided += isIf ? 1 : 0;
        ControlTypes control = new ControlTypes(node, value -> argument(value).type(), this::outputTypes);
        node.bodies().values().forEach(body -> {
            body.constants().forEach(constants::putIfAbsent);
            Map<String, Optional<TensorType>> taken = control.inputs(body);
            taken.forEach((name, type) -> type.ifPresentOrElse(known -> types.putIfAbsent(name, known), () -> {
                if (!constants.containsKey(name) && !types.containsKey(name)) {
                    undetermined.add(name);
                }
            }));
            body.nodes().forEach(inner -> visit(inner, AttributeValues.of(inner.params())));
        });
        undecided -= isIf ? 1 : 0;
        List<Optional<TensorType>> outputs = control.outputs();
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            if (!output.isEmpty()) {
                outputs.get(i).ifPresentOrElse(type -> types.put(output, type), () -> undetermined.add(output));
            }
        }
    }

    /** The types of what a graph gives for inputs of these types, each empty where it is not known. */
    private List<Optional<TensorType>> outputTypes(Graph body, Map<String, TensorType> inputTypes) {
        if (depth >= MOST_DEPTH) {
            return body.outputs().stream()
                    .map(output -> Optional.<TensorType>empty())
                    .toList();
        }
        CheckedGraph checked = check(new CheckRequest(body, inputTypes), catalog, evaluator, new Bindings(), depth + 1);
        List<Optional<TensorType>> found = new ArrayList<>();
        for (String output : body.outputs()) {
            Tensor constant = checked.constants().get(output);
            found.add(Optional.ofNullable(constant == null ? checked.types().get(output) : constant.type()));
        }
        return found;
    }

    private List<@Nullable ArgValue> arguments(Node node) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (String input : node.inputs()) {
            arguments.add(input.isEmpty() ? null : argument(input));
        }
        return arguments;
    }

    private static List<@Nullable TensorType> types(List<@Nullable ArgValue> arguments) {
        List<@Nullable TensorType> types = new ArrayList<>();
        arguments.forEach(argument -> types.add(argument == null ? null : argument.type()));
        return types;
    }

    /** The node as a use of the operator that its own is another form of; empty if it is none, which is reported. */
    private Optional<CheckedNode> lowered(Composition.Part part, Binding whole) {
        Node node = part.node();
        OpDescription op = catalog.find(node.op()).orElseThrow();
        List<@Nullable ArgValue> arguments = arguments(node);
        Binding binding = bindings.bind(
                op, node.name(), arguments, part.params(), node.outputs().size());
        if (!isSound(node, binding) || !gives(node, binding.outputs(), whole.outputs())) {
            return Optional.empty();
        }
        Optional<Composition.Part> next =
                Composition.of(node, op, binding, catalog).flatMap(Composition::whole);
        Optional<CheckedNode> lowered = next.flatMap(further -> lowered(further, binding));
        if (next.isPresent() && lowered.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new CheckedNode(node, op, binding, types(arguments), binding.outputs(), lowered.orElse(null)));
    }

    /** Tells whether the parts of a node give what its description says; reported if not. */
    private boolean gives(Node node, List<TensorType> found, List<TensorType> described) {
        for (int i = 0; i < described.size(); i++) {
            if (!found.get(i).equals(described.get(i))) {
                report(
                        node,
                        Verdict.INVALID,
                        "composition",
                        "its parts give " + found.get(i) + " for output " + i + ", but its description says "
                                + described.get(i));
                return false;
            }
        }
        return true;
    }

    /** Visits the parts of a composed operator in its place; what they give has to be what it says it gives. */
    private void expand(Node node, Binding binding, Composition composition) {
        composition.constants().forEach((name, tensor) -> {
            constants.put(name, tensor);
            inputDependent.add(name);
        });
        Node around = whole;
        whole = around == null ? node : around;
        composition.parts().forEach(part -> visit(part.node(), part.params()));
        whole = around;
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
        return new ArgValue(type, null, null, given.get(value));
    }

    /** A value that has all elements of an input, in another shape or order, is given as well. */
    private void markGiven(CheckedNode checked) {
        OpDescription op = checked.op();
        boolean givesAll = op.moves() && (op.isView() || ALL_ELEMENTS.contains(op.optype()));
        String input = givesAll ? given.get(checked.node().inputs().get(0)) : null;
        if (input != null) {
            given.put(checked.node().outputs().get(0), input);
        }
    }

    private boolean isSound(Node node, Binding binding) {
        for (Violation violation : binding.violations()) {
            if (undecided > 0) {
                report(
                        node,
                        Verdict.UNKNOWN,
                        violation.argument(),
                        violation.message() + "; it is not known whether data lead to it");
            } else {
                report(node, Verdict.INVALID, violation.argument(), violation.message());
            }
        }
        if (!binding.violations().isEmpty()) {
            return false;
        }
        for (String reason : binding.unknown()) {
            report(node, Verdict.UNKNOWN, "shape", reason);
        }
        return binding.unknown().isEmpty();
    }

    /** @param aspect empty for what is of no single argument */
    private static RuleId ruleOf(Node node, String aspect) {
        return new RuleId(node.op() + "/" + (aspect.isEmpty() ? OPERATOR : aspect));
    }

    private void report(Node node, Verdict verdict, String aspect, String message) {
        findings.add(new NodeFinding(node, verdict, new Finding(ruleOf(node, aspect), message)));
        markUndetermined(node);
    }

    /** Nothing is known of the node's outputs; those that nobody uses have no name. */
    private void markUndetermined(Node node) {
        node.outputs().stream().filter(output -> !output.isEmpty()).forEach(undetermined::add);
    }

    private boolean fold(CheckedNode checked, List<@Nullable ArgValue> arguments) {
        Node node = checked.node();
        Optional<Tensor> values = checked.binding().outputValues();
        if (values.isPresent()) {
            constants.put(node.outputs().get(0), values.get());
            inputDependent.add(node.outputs().get(0));
            return true;
        }
        if (arguments.stream().anyMatch(argument -> argument != null && argument.data() == null)) {
            return false;
        }
        boolean once = node.inputs().stream().noneMatch(inputDependent::contains);
        Map<String, Tensor> outputs = once ? known(node) : new HashMap<>();
        if (outputs.isEmpty()) {
            Optional<List<Tensor>> computed = evaluate(checked);
            if (computed.isEmpty()) {
                return false;
            }
            for (int i = 0; i < node.outputs().size(); i++) {
                outputs.put(node.outputs().get(i), computed.get().get(i));
            }
        }
        constants.putAll(outputs);
        if (once) {
            folded.putAll(outputs);
        } else {
            inputDependent.addAll(node.outputs());
        }
        return true;
    }

    private Optional<List<Tensor>> evaluate(CheckedNode checked) {
        Optional<List<Tensor>> computed = Optional.empty();
        for (CheckedNode form = checked; form != null && computed.isEmpty(); form = form.lowered()) {
            List<@Nullable Tensor> inputs = new ArrayList<>();
            form.node().inputs().forEach(input -> inputs.add(constants.get(input)));
            computed = evaluator.evaluate(form, inputs);
        }
        return computed;
    }

    /** The outputs of a node that an earlier check folded; empty where none did. */
    private Map<String, Tensor> known(Node node) {
        Map<String, Tensor> outputs = new HashMap<>();
        for (String output : node.outputs()) {
            Tensor tensor = known.get(output);
            if (tensor == null) {
                return new HashMap<>();
            }
            outputs.put(output, tensor);
        }
        return outputs;
    }
}
