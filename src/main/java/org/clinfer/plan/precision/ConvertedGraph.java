package org.clinfer.plan.precision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.graph.SourceRef;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A placed graph some nodes of which compute in another type of float, with the conversions between. */
final class ConvertedGraph {

    private final PlacedGraph before;
    private final ConvertedConstants constants;
    private final ConvertedForms forms;
    private final FloatConversion conversion;
    private final Map<String, TensorType> types;
    private final Map<String, Tensor> allConstants;
    private final Map<String, Tensor> ofModel;
    private final List<PlacedNode> nodes = new ArrayList<>();

    /** The names of values in the other type, of those that there are in it. */
    private final Map<String, String> converted = new HashMap<>();

    /** Conversions of the model from the other type that nobody needed yet, because there is that type before and behind. */
    private final Map<String, PlacedNode> leftOut = new LinkedHashMap<>();

    /** The first users of what such conversions would give. */
    private final Map<String, Integer> users = new HashMap<>();

    /** The positions of the converted nodes that make values. */
    private final Map<String, Integer> makers = new HashMap<>();

    /** Values that there are in the other type alone. */
    private final Set<String> convertedAlone = new HashSet<>();

    /** The names of values that the model converts to the other type itself, in it. */
    private final Map<String, String> renamed = new HashMap<>();

    ConvertedGraph(
            PlacedGraph before,
            Map<String, Tensor> ofModel,
            ConvertedConstants constants,
            ConvertedForms forms,
            FloatConversion conversion) {
        this.conversion = conversion;
        this.before = before;
        this.constants = constants;
        this.forms = forms;
        this.types = new LinkedHashMap<>(before.types());
        this.allConstants = new LinkedHashMap<>(before.constants());
        this.ofModel = new HashMap<>(ofModel);
    }

    /** Adds the next node as it is. */
    void addOriginal(PlacedNode node) {
        node.inputs()
                .forEach(value ->
                        requireOriginal(value, node.target(), node.form().source()));
        nodes.add(ConvertedForms.renamed(node, now(node)));
        boolean converts = FullPrecision.isCast(node)
                && conversion.takes(node.inputTypes().get(0))
                && conversion.isDone(node.outputTypes().get(0));
        if (converts) {
            converted.putIfAbsent(node.inputs().get(0), node.outputs().get(0));
        }
    }

    /** Adds the next node in its form. */
    void addConverted(PlacedNode node, PlacedNode form) {
        if (FullPrecision.isCast(node) && isLeftOut(node)) {
            return;
        }
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < node.inputs().size(); i++) {
            if (conversion.isElements(node, i)) {
                inputs.add(requireConverted(node, i));
            } else {
                String input = node.inputs().get(i);
                requireOriginal(input, node.target(), node.form().source());
                inputs.add(renamed.getOrDefault(input, input));
            }
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            String given = form.outputs().get(i);
            if (!given.equals(output)) {
                types.put(given, form.outputTypes().get(i));
                converted.put(output, given);
                makers.put(output, nodes.size());
                convertedAlone.add(output);
            }
        }
        nodes.add(ConvertedForms.renamed(form, inputs));
    }

    /**
     * {@return whether a conversion of the model between the two types is none, because there is the other type on both
     * sides}
     */
    private boolean isLeftOut(PlacedNode cast) {
        String from = cast.inputs().get(0);
        String to = cast.outputs().get(0);
        if (conversion.isDone(cast.inputTypes().get(0))
                && conversion.takes(cast.outputTypes().get(0))) {
            converted.put(to, renamed.getOrDefault(from, from));
            leftOut.put(to, cast);
            return true;
        }
        if (!conversion.takes(cast.inputTypes().get(0))
                || !conversion.isDone(cast.outputTypes().get(0))) {
            return false;
        }
        String known = converted.get(from);
        if (known == null) {
            addOriginal(cast);
            return true;
        }
        if (before.outputs().contains(to)) {
            return false;
        }
        renamed.put(to, known);
        Integer maker = makers.get(from);
        if (maker != null) {
            addPart(maker, cast);
        }
        return true;
    }

    /** Lets a node do the work of another one that goes away. */
    private void addPart(int position, PlacedNode gone) {
        PlacedNode node = nodes.get(position);
        List<PlacedNode> parts = new ArrayList<>(node.fused());
        parts.add(gone);
        parts.addAll(gone.fused());
        nodes.set(position, node.doing(node, parts));
    }

    /** The name of an input in the other type, which is made of the original where it is not there yet. */
    private String requireConverted(PlacedNode user, int position) {
        String value = user.inputs().get(position);
        if (constants.has(value)) {
            FoldedConstants.Named named = constants.of(value).orElseThrow();
            allConstants.put(named.name(), named.tensor());
            if (constants.isOfModel(value)) {
                ofModel.put(named.name(), named.tensor());
            }
            return named.name();
        }
        String known = converted.get(value);
        if (known != null) {
            if (leftOut.containsKey(value)) {
                users.putIfAbsent(value, nodes.size());
            }
            return known;
        }
        String name = forms.name(value);
        TensorType type = type(value);
        nodes.add(forms.cast(
                value, type, name, conversion.to(), user.target(), user.form().source()));
        types.put(name, conversion.converted(type));
        converted.put(value, name);
        return name;
    }

    private List<String> now(PlacedNode node) {
        return node.inputs().stream()
                .map(value -> renamed.getOrDefault(value, value))
                .toList();
    }

    private TensorType type(String value) {
        return Objects.requireNonNull(types.get(value));
    }

    /** Makes a value that there is in the other type alone as it was. */
    private void requireOriginal(String value, PlacedNode.Target side, SourceRef source) {
        PlacedNode left = leftOut.remove(value);
        if (left != null) {
            nodes.add(ConvertedForms.renamed(left, now(left)));
        }
        if (convertedAlone.remove(value)) {
            String from = Objects.requireNonNull(converted.get(value));
            nodes.add(forms.cast(from, type(from), value, type(value).dtype(), side, source));
        }
    }

    /** The whole graph, whose outputs are as they were. */
    PlacedGraph finished() {
        for (String output : before.outputs()) {
            Integer maker = makers.get(output);
            requireOriginal(
                    output,
                    maker == null ? PlacedNode.Target.CPU : nodes.get(maker).target(),
                    before.source());
        }
        leftOut.forEach((value, cast) -> {
            Integer user = users.get(value);
            if (user != null) {
                addPart(user, cast);
            }
        });
        return before.with(nodes, types, ofModel, allConstants);
    }
}
