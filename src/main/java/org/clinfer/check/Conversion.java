package org.clinfer.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Node;
import org.clinfer.profile.ConverterStep;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * The network as the converter of a family hands it to the device: nodes that become part of the node before them, and
 * nodes that stand as others. A node becomes part of another only where nothing else reads the value between them.
 */
final class Conversion {

    /** The kinds that have weights into which a normalization can go. */
    private static final Set<String> PRODUCTS = Set.of(
            "conv2d",
            "depthwise-conv2d",
            "conv3d",
            "depthwise-conv3d",
            "transposed-conv2d",
            "depthwise-transposed-conv2d",
            "transposed-conv3d",
            "fully-connected");

    /** The kinds beside these that may end with an activation. */
    private static final Set<String> ACTIVATED =
            Set.of("eltwise-add", "eltwise-sub", "eltwise-mul", "max-pool", "average-pool");

    private static final Set<String> ACTIVATIONS = Set.of("relu", "relu6");
    private static final Set<String> IDENTITIES = Set.of("identity", "Identity");
    private static final String BATCH_NORM = "batch-norm";

    /**
     * The fate of a node that is no longer there.
     *
     * @param into the node that it is part of
     */
    record Part(CheckedNode into, ConverterStep step) {}

    private final OpCatalog catalog;
    private final Bindings bindings = new Bindings();
    private final CheckedGraph checked;
    private final Set<ConverterStep> steps;
    private final Map<String, CheckedNode> givers = new HashMap<>();
    private final Map<String, Integer> readers = new HashMap<>();
    private final Map<String, Part> parts = new HashMap<>();
    private final Map<String, List<CheckedNode>> replaced = new HashMap<>();

    /** The nodes behind whose activation nothing more fits. */
    private final Set<String> activated = new HashSet<>();

    /** @param kinds the kinds of a node in the words of the rules */
    Conversion(CheckedGraph checked, OpCatalog catalog, Set<ConverterStep> steps, Kinds kinds) {
        this.catalog = catalog;
        this.checked = checked;
        this.steps = steps;
        if (steps.isEmpty()) {
            return;
        }
        checked.nodes().forEach(node -> node.node().outputs().forEach(output -> givers.put(output, node)));
        checked.walked().forEach(node -> node.inputs().forEach(input -> readers.merge(input, 1, Integer::sum)));
        checked.graph().outputs().forEach(output -> readers.merge(output, 1, Integer::sum));
        checked.nodes().forEach(node -> convert(node, kinds));
    }

    /** The kinds of a node in the words of the rules. */
    @FunctionalInterface
    interface Kinds {
        List<String> of(CheckedNode node);
    }

    /** The node that this one is part of; empty for one that is still there. */
    Optional<Part> part(CheckedNode node) {
        return Optional.ofNullable(parts.get(node.node().name()));
    }

    /** The nodes that stand in the place of a node that is still there: itself, unless it is another operator. */
    List<CheckedNode> standing(CheckedNode node) {
        return replaced.getOrDefault(node.node().name(), List.of(node));
    }

    private void convert(CheckedNode node, Kinds kinds) {
        List<String> own = kinds.of(node);
        Optional<ConverterStep> step = step(own);
        if (step.isEmpty() || node.node().inputs().isEmpty()) {
            return;
        }
        CheckedNode giver = givers.get(node.node().inputs().get(0));
        CheckedNode root = giver == null ? null : root(giver);
        switch (step.get()) {
            case DROP_IDENTITY -> {
                if (root != null) {
                    join(node, root, step.get());
                }
            }
            case FOLD_BATCH_NORM -> {
                if (root != null && isOnlyReader(node) && isFoldable(node, root, kinds.of(root))) {
                    join(node, root, step.get());
                } else {
                    standAsMulAdd(node);
                }
            }
            case FUSE_ACTIVATION -> {
                if (root != null && isOnlyReader(node) && isActivated(root, kinds.of(root))) {
                    join(node, root, step.get());
                    activated.add(root.node().name());
                }
            }
            case BATCH_NORM_AS_MUL_ADD -> standAsMulAdd(node);
        }
    }

    private Optional<ConverterStep> step(List<String> kinds) {
        if (kinds.contains(BATCH_NORM)) {
            return steps.contains(ConverterStep.FOLD_BATCH_NORM)
                    ? Optional.of(ConverterStep.FOLD_BATCH_NORM)
                    : Optional.of(ConverterStep.BATCH_NORM_AS_MUL_ADD);
        }
        if (kinds.stream().anyMatch(ACTIVATIONS::contains)) {
            return Optional.of(ConverterStep.FUSE_ACTIVATION).filter(steps::contains);
        }
        return kinds.stream().anyMatch(IDENTITIES::contains)
                ? Optional.of(ConverterStep.DROP_IDENTITY).filter(steps::contains)
                : Optional.empty();
    }

    private CheckedNode root(CheckedNode giver) {
        return part(giver).map(Part::into).orElse(giver);
    }

    private void join(CheckedNode node, CheckedNode root, ConverterStep step) {
        parts.put(node.node().name(), new Part(root, step));
    }

    private boolean isOnlyReader(CheckedNode node) {
        return readers.getOrDefault(node.node().inputs().get(0), 0) == 1;
    }

    private boolean isFoldable(CheckedNode norm, CheckedNode root, List<String> kinds) {
        return kinds.stream().anyMatch(PRODUCTS::contains)
                && !activated.contains(root.node().name())
                && hasConstants(root, 1)
                && hasConstants(norm, norm.node().inputs().size() - 1);
    }

    private boolean isActivated(CheckedNode root, List<String> kinds) {
        return kinds.stream().anyMatch(kind -> PRODUCTS.contains(kind) || ACTIVATED.contains(kind))
                && !activated.contains(root.node().name());
    }

    /** Whether so many inputs behind the first are known beforehand. */
    private boolean hasConstants(CheckedNode node, int count) {
        List<String> inputs = node.node().inputs();
        return inputs.size() > count
                && inputs.subList(1, 1 + count).stream()
                        .allMatch(
                                input -> input.isEmpty() || checked.constants().containsKey(input));
    }

    /** A factor and a summand for each channel, which is the second axis. */
    private void standAsMulAdd(CheckedNode norm) {
        TensorType type = norm.outputTypes().get(0);
        if (!steps.contains(ConverterStep.BATCH_NORM_AS_MUL_ADD)
                || type.shape().rank() < 2
                || !type.shape().isKnown()
                || !hasConstants(norm, norm.node().inputs().size() - 1)) {
            return;
        }
        long[] sizes = new long[type.shape().rank() - 1];
        Arrays.fill(sizes, 1);
        sizes[0] = type.shape().sizes()[1];
        TensorType each = new TensorType(type.dtype(), Shape.of(sizes));
        List<CheckedNode> nodes = new ArrayList<>();
        for (String op : List.of("Mul", "Add")) {
            Node node = new Node(
                    norm.node().name(),
                    op,
                    List.of("x", "each"),
                    norm.node().outputs(),
                    Map.of(),
                    norm.node().source());
            Optional<CheckedNode> bound = CheckedNode.of(
                    bindings,
                    catalog.find(op).orElseThrow(),
                    node,
                    input -> new ArgValue(input.equals("x") ? type : each, null));
            bound.ifPresent(nodes::add);
        }
        if (nodes.size() == 2) {
            replaced.put(norm.node().name(), nodes);
        }
    }

    /** The nodes that stand in the place of others. */
    List<CheckedNode> others() {
        return replaced.values().stream().flatMap(List::stream).toList();
    }

    /** The steps that changed something, with the number of nodes that each changed. */
    Map<ConverterStep, Integer> counts() {
        Map<ConverterStep, Integer> counts = new EnumMap<>(ConverterStep.class);
        parts.values().forEach(part -> counts.merge(part.step, 1, Integer::sum));
        replaced.keySet().forEach(node -> counts.merge(ConverterStep.BATCH_NORM_AS_MUL_ADD, 1, Integer::sum));
        return counts;
    }
}
