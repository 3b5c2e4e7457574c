package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;

/**
 * Sequences that a Loop only makes longer and that are only joined after it, as PyTorch's repeat_interleave is exported: each
 * is one tensor from the start, with its values along the axis that joins them, of which they may have any sizes.
 */
final class JoinedSequences {

    private JoinedSequences() {}

    /** The values of a graph that are only joined, each with the axis. */
    static Map<String, Long> of(List<LocalFunctions.Placed> nodes, GraphProto graph, String file) {
        Map<String, Long> joined = new HashMap<>();
        Set<String> others = new HashSet<>();
        graph.getOutputList().forEach(output -> others.add(output.getName()));
        for (LocalFunctions.Placed placed : nodes) {
            NodeProto node = placed.node();
            Optional<Long> axis = axis(node);
            if (axis.isPresent() && axis.get().equals(joined.getOrDefault(node.getInput(0), axis.get()))) {
                joined.put(node.getInput(0), axis.get());
            } else {
                others.addAll(node.getInputList());
            }
            ControlFlowTranslation.addUsed(node, OnnxNode.sourceOf(node, placed.index(), file), others);
        }
        joined.keySet().removeAll(others);
        return joined;
    }

    /** The axis along which a node joins a sequence; empty for another node. */
    private static Optional<Long> axis(NodeProto node) {
        if (!is(node, "ConcatFromSequence") || node.getInputCount() != 1) {
            return Optional.empty();
        }
        Map<String, Long> attributes = new HashMap<>();
        for (AttributeProto attribute : node.getAttributeList()) {
            attributes.put(attribute.getName(), attribute.getI());
        }
        return attributes.getOrDefault("new_axis", 0L) == 0
                ? Optional.ofNullable(attributes.get("axis"))
                : Optional.empty();
    }

    private static boolean is(NodeProto node, String op) {
        return OnnxNode.isStandard(node.getDomain()) && node.getOpType().equals(op);
    }

    /** {@return whether all that a body does with a state is to put a value behind those that it has} */
    static boolean isOnlyInserted(GraphProto body, int state, SourceRef source) {
        String before = body.getInput(2 + state).getName();
        String after = body.getOutput(1 + state).getName();
        List<String> used = new ArrayList<>();
        Set<String> within = new HashSet<>();
        boolean isInserted = false;
        for (NodeProto node : body.getNodeList()) {
            used.addAll(node.getInputList());
            ControlFlowTranslation.addUsed(node, source, within);
            isInserted |= is(node, "SequenceInsert")
                    && node.getInputCount() == 2
                    && node.getInput(0).equals(before)
                    && node.getOutput(0).equals(after);
        }
        body.getOutputList().stream().map(ValueInfoProto::getName).forEach(used::add);
        return isInserted
                && Collections.frequency(used, before) == 1
                && Collections.frequency(used, after) == 1
                && Collections.disjoint(within, List.of(before, after));
    }

    /** None of such values, of which the number of axes may not be known. */
    static String none(OnnxNode node, OnnxGraphWriter graph, KnownType value) {
        Steps steps = new Steps(node, graph);
        DType dtype =
                value.dtype().orElseThrow(() -> node.unsupportedUse("an empty sequence whose data type is not known"));
        OptionalInt rank = value.rank();
        Params zeros = new Params().put("value", 0.0).put("dtype", dtype.label());
        String shape = steps.vector(new long[Math.max(rank.orElse(1), 1)]);
        String none = graph.addStep(node, "ConstantOfShape", List.of(shape), zeros);
        if (rank.isEmpty()) {
            graph.types().redeclare(none, KnownType.NOTHING.withDtype(dtype));
        }
        return none;
    }

    /** With one value behind the others; if there is none, what there is takes its shape. */
    static void insert(OnnxNode node, OnnxGraphWriter graph, long axis) {
        Steps steps = new Steps(node, graph);
        String before = node.input(0);
        String value = node.input(1);
        Params zeros = new Params().put("allow_zero", true);
        String front = steps.add("Reshape", zeros, before, shape(steps, before, value, axis));
        graph.add(node, "Concat", List.of(front, value), new Params().put("axis", axis));
        graph.addJoined(node.output(), axis);
    }

    private static String shape(Steps steps, String before, String value, long axis) {
        String own = steps.shape(before);
        String other = steps.shape(value);
        List<String> parts = new ArrayList<>(List.of(own, steps.slice(other, 0, 0, axis), steps.vector(0)));
        if (axis != -1) {
            parts.add(steps.slice(other, 0, axis + 1, Long.MAX_VALUE));
        }
        String count = steps.add("Reshape", steps.add("Size", before), steps.vector(1));
        String isNone = steps.add("Equal", count, steps.vector(0));
        String none = steps.cast(isNone, DType.INT64);
        String start = steps.add("Mul", none, steps.shape(own));
        String end = steps.add("Add", steps.shape(own), steps.add("Mul", none, steps.shape(other)));
        return steps.slice(steps.concat(parts), 0, start, end);
    }
}
