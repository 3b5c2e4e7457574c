package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.check.CheckedNode;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Takes away two changes of the order of axes that undo each other around operators that work element by element.
 *
 * <pre>
 * a = Transpose(x) {perm: [0, 2, 3, 1]};  b = Relu(a);  y = Transpose(b) {perm: [0, 3, 1, 2]}
 * y = Relu(x)
 * </pre>
 *
 * <p>Functions of one tensor, and arithmetic with constants of one element. Not where anything else uses what is between
 * them.
 */
final class CancelTransposes implements Rule {

    private static final int LONGEST = 8;
    private static final Set<String> FUNCTIONS = Set.of(
            "Relu",
            "Relu6",
            "LeakyRelu",
            "Sigmoid",
            "Tanh",
            "Elu",
            "Selu",
            "HardSigmoid",
            "HardSwish",
            "Gelu",
            "Swish",
            "Softplus",
            "Softsign",
            "Exp",
            "Log",
            "Sqrt",
            "Abs",
            "Neg",
            "Reciprocal",
            "Erf");
    private static final Set<String> ARITHMETIC = Set.of("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min");

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
            Optional<String> before = operand(node.get().node().node(), graph);
            if (before.isEmpty()) {
                return false;
            }
            between.add(0, at.orElseThrow());
            value = before.get();
        }
        return false;
    }

    /** The one tensor that such an operator changes element by element. */
    private static Optional<String> operand(Node node, Rewriting graph) {
        if (FUNCTIONS.contains(node.op())) {
            return Optional.of(node.inputs().get(0));
        }
        if (!ARITHMETIC.contains(node.op()) || node.inputs().size() != 2) {
            return Optional.empty();
        }
        for (int side = 0; side < 2; side++) {
            Optional<Tensor> constant = graph.constant(node.inputs().get(1 - side));
            if (constant.filter(known -> known.elements() == 1).isPresent()
                    && constant.get().shape().rank()
                            <= graph.type(node.inputs().get(side)).shape().rank()) {
                return Optional.of(node.inputs().get(side));
            }
        }
        return Optional.empty();
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
            Optional<CheckedNode> bound =
                    graph.bound(by, new HashMap<>(node.node().binding().params()));
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
