package org.clinfer.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ConverterStep;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The network as the converter of a family hands it to the device: nodes that become part of the node before or behind
 * them, and nodes that stand as others. A node becomes part of another only where nothing else reads the value between them.
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
    private static final Set<String> SCALES = Set.of("eltwise-mul", "eltwise-add");
    private static final String BATCH_NORM = "batch-norm";
    private static final String PAD = "pad";
    private static final String RESHAPE = "reshape";
    private static final String FULLY_CONNECTED = "fully-connected";
    private static final ExpressionValue NO_ACTIVATION = ExpressionValue.of("NONE");
    private static final ExpressionValue CHANNELS_LAST = ExpressionValue.of("NXC");

    /**
     * The fate of a node that is no longer there.
     *
     * @param into the node that it is part of
     */
    record Part(CheckedNode into, ConverterStep step) {}

    /**
     * The nodes in the place of one that is still there.
     *
     * @param step the step that makes other operators of it; empty where it takes in others alone
     */
    record Standing(List<CheckedNode> nodes, Optional<ConverterStep> step) {
        Standing {
            nodes = List.copyOf(nodes);
        }
    }

    private final OpCatalog catalog;
    private final Bindings bindings = new Bindings();
    private final CheckedGraph checked;
    private final Set<ConverterStep> steps;
    private final Map<String, CheckedNode> givers = new HashMap<>();
    private final Map<String, Integer> readers = new HashMap<>();
    private final Map<String, Part> parts = new HashMap<>();
    private final Map<String, Standing> replaced = new HashMap<>();

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
        WrittenSwish swish = new WrittenSwish(checked, givers, readers, kinds);
        checked.nodes().forEach(node -> {
            Optional<WrittenSwish.Match> match = swish.endingIn(node).filter(found -> steps.contains(found.step()));
            if (match.isPresent()) {
                standAs(match.get(), node);
            } else {
                convert(node, kinds);
            }
        });
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

    /** The nodes that stand in the place of a node that is still there: itself, unless it was changed. */
    Standing standing(CheckedNode node) {
        return replaced.getOrDefault(node.node().name(), new Standing(List.of(node), Optional.empty()));
    }

    private void convert(CheckedNode node, Kinds kinds) {
        if (node.node().inputs().isEmpty()) {
            return;
        }
        List<String> own = kinds.of(node);
        takeGiver(node, own, kinds);
        Optional<ConverterStep> step = step(own);
        if (step.isEmpty()) {
            return;
        }
        CheckedNode giver =
                givers.get(node.node().inputs().get(step.get() == ConverterStep.FOLD_SCALE ? scaled(node) : 0));
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
            case FUSE_ACTIVATION, FUSE_ACTIVATION_INTO_CONVOLUTION -> {
                if (root != null && isOnlyReader(node) && takesActivation(root, kinds.of(root))) {
                    join(node, root, step.get());
                    activated.add(root.node().name());
                }
            }
            case FOLD_SCALE -> {
                if (root != null && isOnlyReader(node, scaled(node)) && isScale(node, root, kinds.of(root))) {
                    join(node, root, step.get());
                }
            }
            case BATCH_NORM_AS_MUL_ADD -> standAsMulAdd(node);
            case PAD_INTO_CONVOLUTION, FLATTEN_INTO_PRODUCT, FUSE_SWISH, FUSE_HARD_SWISH ->
                throw new AssertionError("no step of its own");
        }
    }

    /** Makes the zeros before a convolution its padding, and the flattening before a product part of it. */
    private void takeGiver(CheckedNode node, List<String> own, Kinds kinds) {
        CheckedNode giver = givers.get(node.node().inputs().get(0));
        if (giver == null || own.stream().noneMatch(PRODUCTS::contains) || !isOnlyReader(node)) {
            return;
        }
        if (part(giver).isPresent()) {
            return;
        }
        List<String> kindsOfGiver = kinds.of(giver);
        if (steps.contains(ConverterStep.PAD_INTO_CONVOLUTION) && kindsOfGiver.contains(PAD)) {
            PadFolding.of(giver, node, checked.constants(), bindings).ifPresent(folded -> {
                replaced.put(node.node().name(), new Standing(List.of(folded), Optional.empty()));
                join(giver, node, ConverterStep.PAD_INTO_CONVOLUTION);
            });
        }
        boolean isFlattening = kindsOfGiver.contains(RESHAPE) && own.contains(FULLY_CONNECTED) && isRows(giver);
        if (steps.contains(ConverterStep.FLATTEN_INTO_PRODUCT) && isFlattening) {
            join(giver, node, ConverterStep.FLATTEN_INTO_PRODUCT);
        }
    }

    /** Tells whether what it gives is a matrix with a row for each of its first axis. */
    private static boolean isRows(CheckedNode node) {
        Shape shape = node.outputTypes().get(0).shape();
        TensorType input = node.inputTypes().get(0);
        return input != null
                && shape.rank() == 2
                && input.shape().rank() > 2
                && shape.dims().get(0).equals(input.shape().dims().get(0));
    }

    private Optional<ConverterStep> step(List<String> kinds) {
        if (kinds.contains(BATCH_NORM)) {
            return steps.contains(ConverterStep.FOLD_BATCH_NORM)
                    ? Optional.of(ConverterStep.FOLD_BATCH_NORM)
                    : Optional.of(ConverterStep.BATCH_NORM_AS_MUL_ADD);
        }
        if (kinds.stream().anyMatch(ACTIVATIONS::contains)) {
            return Stream.of(ConverterStep.FUSE_ACTIVATION, ConverterStep.FUSE_ACTIVATION_INTO_CONVOLUTION)
                    .filter(steps::contains)
                    .findFirst();
        }
        if (kinds.stream().anyMatch(SCALES::contains)) {
            return Optional.of(ConverterStep.FOLD_SCALE).filter(steps::contains);
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
        return isOnlyReader(node, 0);
    }

    private boolean isOnlyReader(CheckedNode node, int input) {
        return readers.getOrDefault(node.node().inputs().get(input), 0) == 1;
    }

    private boolean isFoldable(CheckedNode norm, CheckedNode root, List<String> kinds) {
        return kinds.stream().anyMatch(PRODUCTS::contains)
                && !isActivated(root)
                && hasConstants(root, 1)
                && hasConstants(norm, norm.node().inputs().size() - 1);
    }

    private boolean takesActivation(CheckedNode root, List<String> kinds) {
        boolean isWide = steps.contains(ConverterStep.FUSE_ACTIVATION);
        return kinds.stream().anyMatch(kind -> PRODUCTS.contains(kind) || (isWide && ACTIVATED.contains(kind)))
                && !isActivated(root);
    }

    /** Tells whether it ends with an activation already. */
    private boolean isActivated(CheckedNode root) {
        return activated.contains(root.node().name())
                || root.binding().scope().find("activation").stream().anyMatch(ending -> !ending.equals(NO_ACTIVATION));
    }

    /** The input of a sum or product that is not a constant; the first where both are not. */
    private int scaled(CheckedNode node) {
        List<String> inputs = node.node().inputs();
        return inputs.size() == 2 && checked.constants().containsKey(inputs.get(0)) ? 1 : 0;
    }

    /** Tells whether a sum or product has a constant for each channel of the product before it, or one for all. */
    private boolean isScale(CheckedNode node, CheckedNode root, List<String> kinds) {
        List<String> inputs = node.node().inputs();
        Tensor constant = inputs.size() == 2 ? checked.constants().get(inputs.get(1 - scaled(node))) : null;
        if (constant == null
                || kinds.stream().noneMatch(PRODUCTS::contains)
                || isActivated(root)
                || !hasConstants(root, 1)
                || !node.outputTypes().equals(root.outputTypes())) {
            return false;
        }
        long[] sizes = constant.type().shape().sizes();
        int rank = node.outputTypes().get(0).shape().rank();
        int channels = rank - channelAxis(root, rank);
        return IntStream.range(0, sizes.length).allMatch(i -> sizes[i] == 1 || sizes.length - i == channels);
    }

    private static int channelAxis(CheckedNode root, int rank) {
        for (CheckedNode form = root; form != null; form = form.lowered()) {
            Optional<ExpressionValue> format = form.binding().scope().find("data_format");
            if (format.isPresent()) {
                return format.get().equals(CHANNELS_LAST) ? rank - 1 : 1;
            }
        }
        return 1;
    }

    /** Tells whether so many inputs behind the first are known beforehand. */
    private boolean hasConstants(CheckedNode node, int count) {
        List<String> inputs = node.node().inputs();
        return inputs.size() > count
                && inputs.subList(1, 1 + count).stream()
                        .allMatch(
                                input -> input.isEmpty() || checked.constants().containsKey(input));
    }

    /** Makes an activation that is written in several nodes one, in the place of the last of them. */
    private void standAs(WrittenSwish.Match match, CheckedNode last) {
        Node node = new Node(
                last.node().name(),
                match.op(),
                List.of(match.input()),
                last.node().outputs(),
                Map.of(),
                last.node().source());
        TensorType type = last.outputTypes().get(0);
        CheckedNode.of(bindings, catalog.find(match.op()).orElseThrow(), node, input -> new ArgValue(type, null))
                .ifPresent(whole -> {
                    match.parts().forEach(part -> join(part, last, match.step()));
                    replaced.put(last.node().name(), new Standing(List.of(whole), Optional.of(match.step())));
                });
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
            replaced.put(norm.node().name(), new Standing(nodes, Optional.of(ConverterStep.BATCH_NORM_AS_MUL_ADD)));
        }
    }

    /** The nodes that stand in the place of others. */
    List<CheckedNode> others() {
        return replaced.values().stream()
                .flatMap(standing -> standing.nodes.stream())
                .toList();
    }

    /** The steps that changed something, with the number of nodes that each changed. */
    Map<ConverterStep, Integer> counts() {
        Map<ConverterStep, Integer> counts = new EnumMap<>(ConverterStep.class);
        parts.values().forEach(part -> counts.merge(part.step, 1, Integer::sum));
        replaced.values().stream()
                .flatMap(standing -> standing.step.stream())
                .forEach(step -> counts.merge(step, 1, Integer::sum));
        return counts;
    }
}
