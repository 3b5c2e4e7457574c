package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * Removes two transposes that undo each other around element-wise operators.
 *
 * <pre>
 * a = Transpose(x) {perm: [0, 2, 3, 1]};  b = Relu(a);  y = Transpose(b) {perm: [0, 3, 1, 2]}
 * y = Relu(x)
 * </pre>
 *
 * <p>Functions of one tensor, and arithmetic with constants of one element: what its description calls
 * elementwise. Not where another node reads what is between them.
 */
final class CancelTransposes implements FusionRule {

    private static final int LONGEST = 8;

    @Override
    public Set<String> needs() {
        return Set.of("Transpose");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode last = graph.node(position).orElseThrow();
        if (!last.node().node().op().equals("Transpose")) {
            return false;
        }
        List<Integer> between = new ArrayList<>();
        String value = last.node().node().inputs().get(0);
        for (int i = 0; i < LONGEST; i++) {
            Optional<Integer> at = graph.isUsedOnce(value) ? graph.producer(value) : Optional.empty();
            Optional<PlacedNode> node = at.flatMap(graph::node).filter(made -> made.target() == last.target());
            if (node.isEmpty()) {
                return false;
            }
            if (node.get().node().node().op().equals("Transpose")) {
                long[] both = JoinTransposes.joined(
                        node.get().node().binding().integers("perm"),
                        last.node().binding().integers("perm"));
                return !between.isEmpty()
                        && JoinTransposes.isIdle(both)
                        && cancel(at.orElseThrow(), between, position, graph);
            }
            Optional<String> before = operand(node.get().node(), graph);
            if (before.isEmpty()) {
                return false;
            }
            between.add(0, at.orElseThrow());
            value = before.get();
        }
        return false;
    }

    /** The one tensor that an operator changes element by element; all others are constants of one element. */
    private static Optional<String> operand(CheckedNode node, Rewriting graph) {
        if (!node.op().elementwise()) {
            return Optional.empty();
        }
        List<String> operands = new ArrayList<>();
        List<String> inputs = node.node().inputs();
        for (int i = 0; i < inputs.size(); i++) {
            if (!inputs.get(i).isEmpty()
                    && !isValue(node.op(), i)
                    && graph.constant(inputs.get(i))
                            .filter(known -> known.elements() == 1)
                            .isEmpty()) {
                operands.add(inputs.get(i));
            }
        }
        return operands.size() == 1
                        && graph.type(operands.get(0))
                                .shape()
                                .equals(node.outputTypes().get(0).shape())
                ? Optional.of(operands.get(0))
                : Optional.empty();
    }

    private static boolean isValue(OpDescription op, int input) {
        return input < op.inputs().size() && op.inputs().get(input).value();
    }

    /** The parameters that no input gives. */
    private static Map<String, ExpressionValue> params(CheckedNode node) {
        Map<String, ExpressionValue> params = new HashMap<>(node.binding().params());
        for (ParamDescription param : node.op().params()) {
            if (!param.fromInput().isEmpty() && node.binding().has(param.fromInput())) {
                params.remove(param.name());
            }
        }
        return params;
    }

    private static boolean cancel(int first, List<Integer> between, int last, Rewriting graph) {
        PlacedNode undone = graph.node(first).orElseThrow();
        PlacedNode undoing = graph.node(last).orElseThrow();
        String from = undone.node().node().outputs().get(0);
        String to = undone.node().node().inputs().get(0);
        TensorType x = graph.type(to);
        List<PlacedNode> moved = new ArrayList<>();
        List<String> fresh = new ArrayList<>();
        for (int at : between) {
            PlacedNode node = graph.node(at).orElseThrow();
            Node form = node.node().node();
            boolean isLast = at == between.get(between.size() - 1);
            String output = isLast
                    ? undoing.node().node().outputs().get(0)
                    : graph.fresh(
                            form.outputs().get(0) + " before",
                            new TensorType(node.node().outputTypes().get(0).dtype(), x.shape()));
            if (!isLast) {
                fresh.add(output);
            }
            String before = from;
            String now = to;
            List<String> inputs = form.inputs().stream()
                    .map(input -> input.equals(before) ? now : input)
                    .toList();
            Node by = new Node(form.name(), form.op(), inputs, List.of(output), form.params(), form.source());
            Optional<CheckedNode> bound = graph.bound(by, params(node.node()));
            Optional<PlacedNode> taken = bound.flatMap(any -> graph.placed(any, node.target()));
            if (taken.isEmpty()) {
                fresh.forEach(graph::forget);
                return false;
            }
            moved.add(taken.get().doing(node, node.fused()));
            from = form.outputs().get(0);
            to = output;
        }
        graph.remove(last);
        between.forEach(graph::remove);
        graph.remove(first);
        PlacedNode end = moved.get(moved.size() - 1);
        List<PlacedNode> parts = new ArrayList<>(end.fused());
        for (PlacedNode gone : Arrays.asList(undone, undoing)) {
            parts.add(gone);
            parts.addAll(gone.fused());
        }
        moved.set(moved.size() - 1, end.doing(end, parts));
        for (int i = 0; i < moved.size(); i++) {
            graph.put(i == moved.size() - 1 ? last : between.get(i), moved.get(i));
        }
        return true;
    }
}
