package org.clinfer.describe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The nodes of which one use of a composed operator consists. */
public final class Composition {

    /** One part, with the values of its parameters. */
    public record Part(Node node, Map<String, ExpressionValue> params) {}

    private final Node node;
    private final OpDescription op;
    private final OpCatalog catalog;
    private final Scope scope;
    private final Map<String, List<String>> names = new HashMap<>();
    private final List<Part> parts = new ArrayList<>();
    private final Map<String, Tensor> constants = new LinkedHashMap<>();

    private Composition(Node node, OpDescription op, OpCatalog catalog, Scope scope) {
        this.node = node;
        this.op = op;
        this.catalog = catalog;
        this.scope = scope;
        nameArguments();
    }

    /**
     * The first composition of the operator that takes the node; empty where there is none.
     *
     * @throws GraphException if a parameter of a part has no value
     */
    public static Optional<Composition> of(Node node, OpDescription op, Binding binding, OpCatalog catalog) {
        for (VariantDescription variant : catalog.compositions(op.optype())) {
            try {
                Scope scope = variant.scope(binding.scope());
                if (variant.refusals(op, scope).isEmpty()) {
                    Composition composition = new Composition(node, op, catalog, scope);
                    composition.addAll(((VariantDescription.Parts) variant.body()).ops());
                    return Optional.of(composition);
                }
            } catch (ExprException failed) {
                throw new GraphException(node.source(), String.valueOf(failed.getMessage()), failed);
            }
        }
        return Optional.empty();
    }

    /** The parts in an order in which they can run. */
    public List<Part> parts() {
        return parts;
    }

    /** The one part that is the whole, under the name of the whole; empty where there are several parts. */
    public Optional<Part> whole() {
        if (parts.size() != 1 || !constants.isEmpty()) {
            return Optional.empty();
        }
        Part part = parts.get(0);
        Node named = new Node(
                node.name(),
                part.node().op(),
                part.node().inputs(),
                part.node().outputs(),
                part.node().params(),
                node.source());
        return named.outputs().equals(node.outputs()) ? Optional.of(new Part(named, part.params())) : Optional.empty();
    }

    /** The constants among the parts. */
    public Map<String, Tensor> constants() {
        return constants;
    }

    private void nameArguments() {
        List<InputDescription> inputs = op.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            int end = inputs.get(i).variadic()
                    ? node.inputs().size()
                    : Math.min(i + 1, node.inputs().size());
            names.put(inputs.get(i).name(), node.inputs().subList(Math.min(i, end), end));
        }
        List<OutputDescription> outputs = op.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            String given = i < node.outputs().size() ? node.outputs().get(i) : "";
            String name = outputs.get(i).name();
            names.put(name, List.of(given.isEmpty() ? local(name) : given));
        }
    }

    private String local(String tensor) {
        return node.name() + "/" + tensor;
    }

    private void addAll(List<PartDescription> all) {
        Set<String> leftOut =
                all.stream().filter(this::isLeftOut).map(PartDescription::name).collect(Collectors.toSet());
        // what gives the input of a last part that is left out gives the output in its place
        for (int i = all.size() - 1; i >= 0; i--) {
            PartDescription part = all.get(i);
            if (leftOut.contains(part.name()) && names.containsKey(output(part))) {
                names.putIfAbsent(firstInput(part), List.of(name(output(part))));
            }
        }
        for (PartDescription part : all) {
            if (!leftOut.contains(part.name())) {
                add(part);
            } else {
                pass(part);
            }
        }
    }

    private boolean isLeftOut(PartDescription part) {
        return part.when()
                .map(when -> when.evaluate(scope).equals(ExpressionValue.of(false)))
                .orElse(false);
    }

    private static String firstInput(PartDescription part) {
        return part.inputs().get(0).tensor();
    }

    private static String output(PartDescription part) {
        return part.outputs().get(0).tensor();
    }

    /** Makes the output of a part that is left out its first input. */
    private void pass(PartDescription part) {
        List<String> input = names.getOrDefault(firstInput(part), List.of(local(firstInput(part))));
        List<String> output = names.computeIfAbsent(output(part), tensor -> input);
        if (!output.equals(input)) {
            parts.add(new Part(
                    new Node(local(part.name()), "Identity", input, output, Map.of(), node.source()), Map.of()));
        }
    }

    private void add(PartDescription part) {
        part.outputs().forEach(output -> names.computeIfAbsent(output.tensor(), tensor -> List.of(local(tensor))));
        Map<String, ExpressionValue> params = new LinkedHashMap<>();
        part.params().forEach((name, expression) -> params.put(name, expression.evaluate(scope)));
        if (part.isConstant()) {
            constants.put(name(part.outputs().get(0).tensor()), constant(part, params));
            return;
        }
        OpDescription partOp = catalog.find(part.optype()).orElseThrow();
        List<String> inputs = new ArrayList<>();
        for (InputDescription input : partOp.inputs()) {
            int before = inputs.size();
            part.inputs().stream()
                    .filter(given -> given.argument().equals(input.name()))
                    .forEach(given -> inputs.addAll(names.getOrDefault(given.tensor(), List.of())));
            if (inputs.size() == before) {
                inputs.add("");
            }
        }
        while (!inputs.isEmpty() && inputs.get(inputs.size() - 1).isEmpty()) {
            inputs.remove(inputs.size() - 1);
        }
        List<String> outputs = new ArrayList<>();
        for (OutputDescription output : partOp.outputs()) {
            part.outputs().stream()
                    .filter(given -> given.argument().equals(output.name()))
                    .forEach(given -> outputs.add(name(given.tensor())));
        }
        parts.add(new Part(
                new Node(local(part.name()), part.optype(), inputs, outputs, Map.of(), node.source()), params));
    }

    private String name(String tensor) {
        return names.getOrDefault(tensor, List.of(local(tensor))).get(0);
    }

    private Tensor constant(PartDescription part, Map<String, ExpressionValue> params) {
        ExpressionValue dtype = params.getOrDefault("dtype", ExpressionValue.absent());
        ExpressionValue dims = params.getOrDefault("dims", ExpressionValue.absent());
        ExpressionValue data = params.getOrDefault("data", ExpressionValue.absent());
        Optional<DType> type = dtype instanceof ExpressionValue.Text text ? DType.of(text.value()) : Optional.empty();
        if (type.isEmpty()
                || !(dims instanceof ExpressionValue.ListOf sizes)
                || !sizes.elements().stream()
                        .allMatch(size -> size instanceof ExpressionValue.Int number && number.value() >= 0)) {
            throw new GraphException(
                    node.source(), part.name() + ": expected a dtype and known dims, found " + dtype + " and " + dims);
        }
        long[] shape = sizes.elements().stream()
                .mapToLong(size -> ((ExpressionValue.Int) size).value())
                .toArray();
        Tensor tensor = Tensor.allocate(TensorType.of(type.get(), shape));
        List<ExpressionValue> elements = data instanceof ExpressionValue.ListOf list ? list.elements() : List.of(data);
        boolean one = elements.size() == 1;
        if (!one && elements.size() != tensor.elements()) {
            throw new GraphException(
                    node.source(),
                    part.name() + ": expected " + tensor.elements() + " numbers in data, found " + elements.size());
        }
        for (int i = 0; i < tensor.elements(); i++) {
            set(tensor, i, elements.get(one ? 0 : i), part);
        }
        return tensor;
    }

    private void set(Tensor tensor, int element, ExpressionValue value, PartDescription part) {
        if (value instanceof ExpressionValue.Int number) {
            tensor.setLong(element, number.value());
        } else if (value instanceof ExpressionValue.Real number) {
            tensor.setDouble(element, number.value());
        } else if (value instanceof ExpressionValue.Bool flag) {
            tensor.setLong(element, flag.value() ? 1 : 0);
        } else {
            throw new GraphException(
                    node.source(), part.name() + ": expected numbers in data, found " + value.described());
        }
    }
}
