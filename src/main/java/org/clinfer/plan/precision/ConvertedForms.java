package org.clinfer.plan.precision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The forms of the nodes of a graph in another type of float, each on the side where the node is. */
final class ConvertedForms {

    private static final String CAST = "Cast";

    private final PlacedGraph graph;
    private final ConvertedConstants constants;
    private final OpCatalog catalog;
    private final Placer placer;
    private final FloatConversion conversion;
    private final String suffix;

    ConvertedForms(
            PlacedGraph graph,
            ConvertedConstants constants,
            OpCatalog catalog,
            Placer placer,
            FloatConversion conversion) {
        this.graph = graph;
        this.constants = constants;
        this.catalog = catalog;
        this.placer = placer;
        this.conversion = conversion;
        this.suffix = unused(graph);
    }

    /** An ending that no value of the graph has. */
    private String unused(PlacedGraph graph) {
        StringBuilder suffix = new StringBuilder(" as ").append(conversion.to());
        while (graph.types().keySet().stream().anyMatch(value -> value.endsWith(suffix.toString()))
                || graph.constants().keySet().stream().anyMatch(value -> value.endsWith(suffix.toString()))) {
            suffix.append('.');
        }
        return suffix.toString();
    }

    /** The name of a value that is computed, in the other type. */
    String name(String value) {
        return value + suffix;
    }

    /** A node in the other type, or why it has no such form. */
    record Form(Optional<PlacedNode> placed, String refusal) {

        private static Form refused(String reason) {
            return new Form(Optional.empty(), reason);
        }
    }

    /** The form of a node all of whose elements are converted. */
    Form of(PlacedNode node) {
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (constants.has(input)
                    && conversion.isElements(node, i)
                    && constants.of(input).isEmpty()) {
                return Form.refused(constants.refusal(input).orElseThrow());
            }
        }
        Map<String, ExpressionValue> params = params(node);
        Map<String, ArgValue> arguments = new HashMap<>();
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < node.inputs().size(); i++) {
            inputs.add(argument(node, i, arguments));
        }
        Node form = node.form();
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < form.outputs().size(); i++) {
            String output = form.outputs().get(i);
            outputs.add(!output.isEmpty() && conversion.takes(node.outputTypes().get(i)) ? name(output) : output);
        }
        Node converted = node.as(form.op(), inputs, outputs);
        Optional<CheckedNode> bound = CheckedNode.of(
                        placer.bindings(),
                        node.description(),
                        converted,
                        params,
                        input -> Objects.requireNonNull(arguments.get(input)))
                .filter(checked -> gives(checked, node));
        if (bound.isEmpty()) {
            return Form.refused(form.op() + " is not there in " + conversion.to());
        }
        return placed(bound.get(), node);
    }

    /** The parameters of the form; inputs give theirs again. */
    private Map<String, ExpressionValue> params(PlacedNode node) {
        Map<String, ExpressionValue> params = new HashMap<>(node.binding().params());
        List<InputDescription> described = node.description().inputs();
        for (int i = 0; i < Math.min(described.size(), node.inputs().size()); i++) {
            String input = described.get(i).name();
            if (!node.inputs().get(i).isEmpty()) {
                node.description().params().stream()
                        .filter(param -> param.fromInput().equals(input))
                        .forEach(param -> params.remove(param.name()));
            }
        }
        if (FullPrecision.isCast(node) && conversion.takes(node.outputTypes().get(0))) {
            params.put("to", ExpressionValue.of(conversion.to().toString()));
        }
        return params;
    }

    private Form placed(CheckedNode form, PlacedNode node) {
        List<String> reasons = new ArrayList<>();
        Optional<PlacedNode> placed = placer.place(form, node.target());
        if (placed.isPresent()) {
            return new Form(placed.map(found -> found.doing(node, node.fused())), "");
        }
        if (node.target() == PlacedNode.Target.CPU) {
            return Form.refused("the CPU does not compute " + form.node().op() + " in " + conversion.to());
        }
        placer.onDevice(form, reasons);
        return Form.refused("the device does not take " + form.node().op() + " in " + conversion.to()
                + (reasons.isEmpty() ? "" : " (" + String.join("; ", reasons) + ")"));
    }

    /** The name of an input of the form, which is noted with what is known of it. */
    private String argument(PlacedNode node, int position, Map<String, ArgValue> arguments) {
        String value = node.inputs().get(position);
        if (value.isEmpty()) {
            return value;
        }
        Tensor constant = graph.constants().get(value);
        if (!conversion.isElements(node, position)) {
            arguments.put(value, constant != null ? ArgValue.of(constant) : ArgValue.of(type(value)));
            return value;
        }
        if (constant != null) {
            FoldedConstants.Named converted = constants.of(value).orElseThrow();
            arguments.put(converted.name(), ArgValue.of(converted.tensor()));
            return converted.name();
        }
        arguments.put(name(value), ArgValue.of(conversion.converted(type(value))));
        return name(value);
    }

    private TensorType type(String value) {
        return Objects.requireNonNull(graph.types().get(value));
    }

    /** {@return whether a form gives what the node does, in the other type where that is to be converted} */
    private boolean gives(CheckedNode form, PlacedNode node) {
        for (int i = 0; i < node.outputTypes().size(); i++) {
            TensorType type = node.outputTypes().get(i);
            if (!form.outputTypes().get(i).equals(conversion.converted(type))) {
                return false;
            }
        }
        return true;
    }

    /**
     * A conversion on one side, or else on the other.
     *
     * @param type of the value that is converted
     */
    PlacedNode cast(String from, TensorType type, String to, DType wanted, PlacedNode.Target side, SourceRef source) {
        String word = wanted.toString();
        Node node = new Node(CAST + " " + from + " to " + word, CAST, List.of(from), List.of(to), Map.of(), source);
        CheckedNode checked = CheckedNode.of(
                        placer.bindings(),
                        catalog.find(CAST).orElseThrow(),
                        node,
                        Map.of("to", ExpressionValue.of(word)),
                        any -> ArgValue.of(type))
                .orElseThrow();
        return placer.place(checked, side)
                .or(() -> placer.place(checked, PlacedNode.Target.CPU))
                .orElseThrow();
    }

    /** The same node on other values. */
    static PlacedNode renamed(PlacedNode placed, List<String> inputs) {
        CheckedNode checked = placed.node();
        if (inputs.equals(placed.inputs())) {
            return placed;
        }
        Node node = placed.form();
        return placed.on(new CheckedNode(
                new Node(node.name(), node.op(), inputs, node.outputs(), node.params(), node.source()),
                checked.op(),
                checked.binding(),
                checked.inputTypes(),
                checked.outputTypes(),
                null));
    }
}
