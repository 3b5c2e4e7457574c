package org.clinfer.importer.tensorflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.importer.tensorflow.savedmodel.FrozenModel;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.text.Printable;

/** The nodes of a file by name, who reads whom, and what of it is the network: its inputs and its outputs. */
final class TfNetwork {

    /** Operators that have no value, write state, or report on the training. */
    private static final Set<String> HOUSEKEEPING = Set.of(
            "NoOp",
            "Assert",
            "Assign",
            "AssignAdd",
            "AssignSub",
            "AssignVariableOp",
            "AssignAddVariableOp",
            "AssignSubVariableOp",
            "Save",
            "SaveV2",
            "SaveSlices",
            "RestoreV2",
            "ShardedFilename",
            "MergeV2Checkpoints",
            "ScalarSummary",
            "HistogramSummary",
            "ImageSummary",
            "AudioSummary",
            "TensorSummary",
            "TensorSummaryV2",
            "MergeSummary",
            "InitializeTableV2",
            "ControlTrigger");

    /** Operators that call a function by an attribute. */
    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");

    private final Map<String, TfNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<TfNode>> readers = new LinkedHashMap<>();

    /** The nodes that wait for a node that marks a branch, by its name. */
    private final Map<String, List<TfNode>> marked = new HashMap<>();

    private final SourceRef source;

    /** The nodes that are fed and those that are results, where the file says so. */
    private final Optional<FrozenModel> signature;

    TfNetwork(GraphDef proto, String file) {
        this(proto, file, Optional.empty());
    }

    TfNetwork(GraphDef proto, String file, Optional<FrozenModel> signature) {
        this.source = new SourceRef(file, "");
        this.signature = signature;
        for (int index = 0; index < proto.getNodeCount(); index++) {
            TfNode node = new TfNode(proto.getNode(index), index, file);
            if (node.name().isEmpty()) {
                throw node.malformed("it has no name");
            }
            if (nodes.put(node.name(), node) != null) {
                throw node.malformed("another node has the same name");
            }
        }
        for (TfNode node : nodes.values()) {
            node.controls().stream()
                    .flatMap(name -> find(name).stream())
                    .filter(mark -> passesOn(mark) || mark.op().equals("Switch"))
                    .forEach(mark -> marked.computeIfAbsent(mark.name(), name -> new ArrayList<>())
                            .add(node));
            Set<String> read = new HashSet<>();
            for (Ref input : node.inputs()) {
                if (!nodes.containsKey(input.node())) {
                    throw node.malformed(
                            "input '" + Printable.shortened(input.toString()) + "' is the output of no node");
                }
                if (read.add(input.node())) {
                    readers.computeIfAbsent(input.node(), name -> new ArrayList<>())
                            .add(node);
                }
            }
        }
    }

    Optional<TfNode> find(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    TfNode node(Ref ref) {
        return find(ref.node()).orElseThrow();
    }

    /** The node that gives a value, beyond those that only pass it on. */
    TfNode origin(Ref ref) {
        return origin(node(ref));
    }

    private TfNode origin(TfNode last) {
        TfNode node = last;
        for (int steps = 0;
                steps < nodes.size() && passesOn(node) && !node.inputs().isEmpty();
                steps++) {
            node = node(node.inputs().get(0));
        }
        return node;
    }

    private static boolean passesOn(TfNode node) {
        return TfElementTranslators.ALIASES.contains(node.op());
    }

    List<TfNode> readers(TfNode node) {
        return readers.getOrDefault(node.name(), List.of());
    }

    /** A flag that tells training from inference: a bool without sizes that is fed. */
    static boolean isTrainingFlag(TfNode node) {
        boolean placeholder = node.op().equals("Placeholder");
        return placeholder
                && node.type("dtype").filter(type -> type == DataType.DT_BOOL).isPresent()
                && node.shape("shape").map(TensorShapeProto::getDimCount).orElse(0) == 0;
    }

    /** {@return whether the network gets this value from outside} */
    boolean isInput(TfNode node) {
        if (signature.isPresent()) {
            return signature.get().inputs().contains(node.name());
        }
        return switch (node.op()) {
            case "Placeholder", "PlaceholderV2" -> !isTrainingFlag(node);
            case "PlaceholderWithDefault" ->
                node.type("dtype").filter(type -> type != DataType.DT_BOOL).isPresent()
                        && node.shape("shape")
                                        .map(TensorShapeProto::getDimCount)
                                        .orElse(0)
                                > 1;
            default -> false;
        };
    }

    /** The nodes whose values are the network's: those of the signature, else what depends on its inputs and nobody reads. */
    List<TfNode> outputs() {
        if (signature.isPresent()) {
            return signature.get().outputs().stream()
                    .map(name -> find(name).orElseThrow())
                    .toList();
        }
        if (nodes.isEmpty()) {
            throw new GraphException(source, "the graph has no nodes");
        }
        Set<TfNode> dependent = dependent();
        Set<TfNode> within = behind(
                nodes.values().stream()
                        .filter(node -> node.op().equals("Enter"))
                        .toList(),
                node -> !node.op().equals("Exit"));
        List<TfNode> unread = new ArrayList<>();
        List<TfNode> unreadButByHousekeeping = new ArrayList<>();
        for (TfNode node : nodes.values()) {
            if (HOUSEKEEPING.contains(node.op())
                    || isInput(node)
                    || !dependent.contains(node)
                    || within.contains(node)) {
                continue;
            }
            if (readers(node).isEmpty()) {
                unread.add(node);
            } else if (readers(node).stream().allMatch(each -> HOUSEKEEPING.contains(each.op()))) {
                unreadButByHousekeeping.add(node);
            }
        }
        List<TfNode> results = unread.stream()
                .filter(node -> !isStatistic(node) && !isMechanism(node))
                .toList();
        if (results.isEmpty()) {
            results = unread.isEmpty() ? unreadButByHousekeeping : unread;
        }
        if (results.isEmpty()) {
            throw new GraphException(source, "no node gives an output: each is read by another one");
        }
        return results;
    }

    /** {@return whether a graph calls functions, or data decide which of its nodes run} */
    boolean hasControlFlow(Set<String> functions) {
        Set<TfNode> dependent = dependent();
        return nodes.values().stream()
                .anyMatch(node -> functions.contains(node.op())
                        || CALLS.contains(node.op())
                        || TfControl.OPERATORS.contains(node.op())
                        || node.op().equals("Enter")
                        || node.op().equals("TensorArrayV3")
                        || node.op().equals("_SwitchN")
                        || (node.op().equals("Switch")
                                && node.inputs().size() == 2
                                && dependent.contains(node(node.inputs().get(1)))));
    }

    /** Nodes that read something from outside, however far away; without any such thing all nodes. */
    private Set<TfNode> dependent() {
        List<TfNode> inputs = nodes.values().stream().filter(this::isInput).toList();
        return inputs.isEmpty() ? new HashSet<>(nodes.values()) : behind(inputs, node -> true);
    }

    /** Some nodes, and those behind them. */
    private Set<TfNode> behind(List<TfNode> first, Predicate<TfNode> goesOn) {
        Deque<TfNode> open = new ArrayDeque<>(first);
        Set<TfNode> found = new HashSet<>(first);
        while (!open.isEmpty()) {
            TfNode node = open.pop();
            Stream.concat(readers(node).stream(), branch(node).stream())
                    .filter(reader -> goesOn.test(reader) && found.add(reader))
                    .forEach(open::push);
        }
        return found;
    }

    /** The nodes that run only if this one does, which marks a branch of a condition. */
    private List<TfNode> branch(TfNode node) {
        return marked.getOrDefault(node.name(), List.of());
    }

    /** {@return whether a node only marks a branch of a condition, or names the condition, or is a state of a loop that nobody reads behind it} */
    private boolean isMechanism(TfNode node) {
        return node.op().equals("Exit")
                || origin(node).op().equals("Switch")
                || (node.op().equals("Identity") && node.name().endsWith("pred_id"));
    }

    /**
     * {@return whether a node passes on nothing but the batch statistics of a normalisation, which only training
     * reads}
     */
    private boolean isStatistic(TfNode node) {
        boolean passes =
                passesOn(node) || node.op().equals("Merge") || node.op().equals("Switch");
        return passes
                && !node.inputs().isEmpty()
                && node.inputs().stream()
                        .allMatch(input -> input.port() > 0 && node(input).op().startsWith("FusedBatchNorm"));
    }

    /** The shape that the nodes reading a value imply, where they do: the number of axes, perhaps that of channels. */
    Optional<Shape> shapeByUse(TfNode input) {
        Deque<TfNode> open = new ArrayDeque<>(List.of(input));
        Set<TfNode> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            TfNode node = open.pop();
            for (TfNode reader : readers(node)) {
                int position = position(reader, node);
                OptionalInt rank = rankRead(reader, position);
                if (rank.isPresent()) {
                    return Optional.of(shapeRead(reader, position, KnownType.anyShape(rank.getAsInt())));
                }
                if (keepsAxes(reader, position) && seen.add(reader)) {
                    open.add(reader);
                }
            }
        }
        return Optional.empty();
    }

    private static int position(TfNode reader, TfNode from) {
        int position = 0;
        while (!reader.inputs().get(position).node().equals(from.name())) {
            position++;
        }
        return position;
    }

    /** {@return whether the output has as many axes, and channels, as this input} */
    private boolean keepsAxes(TfNode reader, int position) {
        if (position == 0 && TfElementTranslators.KEEPS_AXES.contains(reader.op())) {
            return true;
        }
        return TfElementTranslators.ARITHMETIC.contains(reader.op())
                && reader.inputs().size() == 2
                && constantShape(reader, 1 - position)
                        .filter(dims -> dims.size() < 2)
                        .isPresent();
    }

    /** The shape with the number of channels that weights are of, where it must be one and not a multiple. */
    private Shape shapeRead(TfNode reader, int position, Shape shape) {
        boolean convolution = reader.op().equals("Conv2D")
                || reader.op().equals("Conv3D")
                || reader.op().equals("DepthwiseConv2dNative");
        if (!convolution || position != 0) {
            return shape;
        }
        String format = reader.text("data_format", "NHWC");
        Optional<Long> channels = constantShape(reader, 1)
                .filter(dims -> dims.size() == shape.rank())
                .map(dims -> dims.get(shape.rank() - 2))
                .filter(size -> size > 0 && size < 1 << 30);
        List<Dim> dims = new ArrayList<>(shape.dims());
        dims.set(
                format.startsWith("NC") ? 1 : shape.rank() - 1,
                channels.map(Dim::of).orElse(Dim.unknown()));
        return new Shape(dims);
    }

    /** The sizes of a constant input; empty where it is none. */
    private Optional<List<Long>> constantShape(TfNode reader, int input) {
        if (input >= reader.inputs().size()) {
            return Optional.empty();
        }
        TfNode constant = origin(reader.inputs().get(input));
        return constant.op().equals("Const")
                ? Optional.of(constant.tensor("value").getTensorShape().getDimList().stream()
                        .map(TensorShapeProto.Dim::getSize)
                        .toList())
                : Optional.empty();
    }

    private OptionalInt rankRead(TfNode reader, int position) {
        int rank = switch (reader.op()) {
            case "Conv2D",
                    "DepthwiseConv2dNative",
                    "MaxPool",
                    "MaxPoolV2",
                    "AvgPool",
                    "FusedBatchNorm",
                    "FusedBatchNormV2",
                    "FusedBatchNormV3",
                    "LRN",
                    "ResizeBilinear",
                    "ResizeNearestNeighbor",
                    "SpaceToDepth",
                    "DepthToSpace" -> position == 0 ? 4 : -1;
            case "Conv2DBackpropInput" -> position == 2 ? 4 : -1;
            case "Conv3D", "MaxPool3D", "AvgPool3D" -> position == 0 ? 5 : -1;
            case "MatMul" -> 2;
            case "Split" -> position == 1 ? axis(reader, 0) : -1;
            case "ConcatV2" -> axis(reader, reader.inputs().size() - 1);
            case "Transpose" -> position == 0 ? length(reader, 1) : -1;
            case "Pad", "PadV2", "MirrorPad" -> position == 0 ? length(reader, 1) : -1;
            default -> -1;
        };
        return rank < 1 ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** As many axes as a constant axis, as it is the last one usually, implies; -1 where it says nothing. */
    private int axis(TfNode reader, int input) {
        TfNode constant = origin(reader.inputs().get(input));
        if (!constant.op().equals("Const")) {
            return -1;
        }
        Optional<Integers> known = Integers.of(TfTensorReader.read(constant.tensor("value"), constant.source()));
        long axis = known.filter(values -> values.size() == 1)
                .flatMap(values -> values.at(0))
                .orElse(-1L);
        return axis >= 3 && axis <= 4 ? (int) axis + 1 : -1;
    }

    /** The first size of a constant input; -1 where it is not known. */
    private int length(TfNode reader, int input) {
        return constantShape(reader, input)
                .filter(dims -> !dims.isEmpty() && dims.get(0) > 0 && dims.get(0) <= 16)
                .map(dims -> dims.get(0).intValue())
                .orElse(-1);
    }
}
