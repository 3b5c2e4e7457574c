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
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A placed graph some nodes of which compute in float16, with the conversions between. */
final class HalfGraph {

    private final PlacedGraph before;
    private final HalfConstants constants;
    private final HalfForms forms;
    private final Map<String, TensorType> types;
    private final Map<String, Tensor> allConstants;
    private final Map<String, Tensor> ofModel;
    private final List<PlacedNode> nodes = new ArrayList<>();

    /** The names of values in float16, of those that there are in it. */
    private final Map<String, String> halves = new HashMap<>();

    /** Conversions of the model to float32 that nobody needed yet, because there is float16 before and behind. */
    private final Map<String, PlacedNode> leftOut = new LinkedHashMap<>();

    /** The first users of what such conversions would give. */
    private final Map<String, Integer> users = new HashMap<>();

    /** The positions of the nodes in float16 that make values. */
    private final Map<String, Integer> makers = new HashMap<>();

    /** Values of which there is float16 alone. */
    private final Set<String> halfAlone = new HashSet<>();

    /** The names in float16 of values that the model converts to float16. */
    private final Map<String, String> renamed = new HashMap<>();

    HalfGraph(PlacedGraph before, Map<String, Tensor> ofModel, HalfConstants constants, HalfForms forms) {
        this.before = before;
        this.constants = constants;
        this.forms = forms;
        this.types = new LinkedHashMap<>(before.types());
        this.allConstants = new LinkedHashMap<>(before.constants());
        this.ofModel = new HashMap<>(ofModel);
    }

    /** Adds the next node as it is. */
    void addFull(PlacedNode node) {
        node.inputs()
                .forEach(value -> requireFull(value, node.target(), node.form().source()));
        nodes.add(HalfForms.renamed(node, now(node)));
        boolean makesHalf = FullPrecision.isCast(node)
                && FullPrecision.isFloat32(node.inputTypes().get(0))
                && node.outputTypes().get(0).dtype() == DType.FLOAT16;
        if (makesHalf) {
            halves.putIfAbsent(node.inputs().get(0), node.outputs().get(0));
        }
    }

    /** Adds the next node in its form. */
    void addHalf(PlacedNode node, PlacedNode form) {
        if (FullPrecision.isCast(node) && isLeftOut(node)) {
            return;
        }
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < node.inputs().size(); i++) {
            if (FullPrecision.isElements(node, i)) {
                inputs.add(requireHalf(node, i));
            } else {
                requireFull(node.inputs().get(i), node.target(), node.form().source());
                inputs.add(node.inputs().get(i));
            }
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = node.outputs().get(i);
            String given = form.outputs().get(i);
            if (!given.equals(output)) {
                types.put(given, form.outputTypes().get(i));
                halves.put(output, given);
                makers.put(output, nodes.size());
                halfAlone.add(output);
            }
        }
        nodes.add(HalfForms.renamed(form, inputs));
    }

    /**
     * {@return whether a conversion of the model between float32 and float16 is none, because there is float16 on
     * both sides}
     */
    private boolean isLeftOut(PlacedNode cast) {
        String from = cast.inputs().get(0);
        String to = cast.outputs().get(0);
        if (isHalf(cast.inputTypes().get(0))
                && FullPrecision.isFloat32(cast.outputTypes().get(0))) {
            halves.put(to, renamed.getOrDefault(from, from));
            leftOut.put(to, cast);
            return true;
        }
        if (!FullPrecision.isFloat32(cast.inputTypes().get(0))
                || !isHalf(cast.outputTypes().get(0))) {
            return false;
        }
        String known = halves.get(from);
        if (known == null) {
            addFull(cast);
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

    private static boolean isHalf(@Nullable TensorType type) {
        return type != null && type.dtype() == DType.FLOAT16;
    }

    /** Lets a node do the work of another one that goes away. */
    private void addPart(int position, PlacedNode gone) {
        PlacedNode node = nodes.get(position);
        List<PlacedNode> parts = new ArrayList<>(node.fused());
        parts.add(gone);
        parts.addAll(gone.fused());
        nodes.set(position, node.doing(node, parts));
    }

    /** The name of an input in float16, which is made of the one in float32 where it is not there yet. */
    private String requireHalf(PlacedNode user, int position) {
        String value = user.inputs().get(position);
        if (constants.has(value)) {
            FoldedConstants.Named half = constants.of(value).orElseThrow();
            allConstants.put(half.name(), half.tensor());
            if (constants.isOfModel(value)) {
                ofModel.put(half.name(), half.tensor());
            }
            return half.name();
        }
        String known = halves.get(value);
        if (known != null) {
            if (leftOut.containsKey(value)) {
                users.putIfAbsent(value, nodes.size());
            }
            return known;
        }
        String name = forms.name(value);
        TensorType type = type(value);
        nodes.add(forms.cast(
                value, type, name, DType.FLOAT16, user.target(), user.form().source()));
        types.put(name, HalfForms.half(type));
        halves.put(value, name);
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

    /** Makes a value in float32 that there is in float16 alone. */
    private void requireFull(String value, PlacedNode.Target side, SourceRef source) {
        PlacedNode left = leftOut.remove(value);
        if (left != null) {
            nodes.add(HalfForms.renamed(left, now(left)));
        }
        if (halfAlone.remove(value)) {
            String half = Objects.requireNonNull(halves.get(value));
            nodes.add(forms.cast(half, type(half), value, DType.FLOAT32, side, source));
        }
    }

    /** The whole graph, whose outputs are as they were. */
    PlacedGraph finished() {
        for (String output : before.outputs()) {
            Integer maker = makers.get(output);
            requireFull(
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
