package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * Lets a product read its matrices where they lie, before they are transposed, sliced and scaled, and write its result
 * transposed and scaled.
 *
 * <pre>
 * k = Transpose(Gather(Transpose(Reshape(x)), 1));  y = Transpose(Mul(MatMul(q, k), 0.125))
 * y = StridedMatMul(q, x) {b_strides, perm, alpha: 0.125}
 * </pre>
 *
 * <p>Only where a kernel for GPUs takes it, or where a processor multiplies few rows of floats, or the CPU small matrices, as in
 * attention: larger ones are packed by panels, for which it is the same in what order they lie.
 */
final class StridesIntoMatMul implements FusionRule {

    /** Rows up to which a processor reads a matrix where it lies. */
    private static final int FEW_ROWS = 4;

    /** Elements of a right matrix that the CPU brings into panels as a whole. */
    private static final long SMALL = 1 << 16;

    /** Neighbours that are worth a copy of their own. */
    private static final long LINE = 16;

    /** The kernels of processors for that. */
    private static final String ROWS = "rows_";

    /** The nodes behind a product that it takes over, in order, and what they do; its array is only read. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Tail(List<Part> nodes, double factor, long[] perm) {

        static Tail none(int axes) {
            return new Tail(List.of(), 1, LongStream.range(0, axes).toArray());
        }

        /** {@return whether neighbouring columns stay neighbours} */
        boolean keepsColumns() {
            return perm[perm.length - 1] == perm.length - 1;
        }

        private Tail with(Part node, double by, long[] order) {
            List<Part> more = new ArrayList<>(nodes);
            more.add(node);
            return new Tail(more, factor * by, order);
        }
    }

    @Override
    public Set<String> needs() {
        return Set.of("MatMul");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part product = Part.at(position, graph);
        if (!product.op().equals("MatMul") || !(isOnGpu(product.placed()) || isOnProcessor(product, graph))) {
            return false;
        }
        TensorType type = product.placed().outputTypes().get(0);
        int axes = type.shape().rank();
        if (!type.dtype().isFloating()
                || type.shape().elements() == 0
                || axes < 2
                || rank(product, 0, graph) < 2
                || rank(product, 1, graph) < 2) {
            return false;
        }
        OperandView a = OperandView.of(product.input(0), product.placed().target(), graph);
        OperandView b = OperandView.of(product.input(1), product.placed().target(), graph);
        List<Tail> tails = tails(product, graph);
        for (int i = tails.size() - 1; i >= 0; i--) {
            Tail tail = tails.get(i);
            boolean gains = (a.moves() || b.moves() || i > 0) && (hasFewRows(type) || tail.keepsColumns());
            boolean isMild = OperandView.isMild(a.factor() * b.factor() * tail.factor());
            if (gains && isMild && rewrite(product, a, b, tail, graph)) {
                return true;
            }
        }
        return false;
    }

    private static int rank(Part product, int input, Rewriting graph) {
        return graph.type(product.input(input)).shape().rank();
    }

    /** {@return whether a processor multiplies few rows, or the CPU small matrices, by one that is another one in each run} */
    private static boolean isOnProcessor(Part product, Rewriting graph) {
        PlacedNode placed = product.placed();
        TensorType type = placed.outputTypes().get(0);
        boolean isCpu = placed.target() == PlacedNode.Target.CPU;
        return (isCpu || graph.isProcessor())
                && type.dtype() == DType.FLOAT32
                && type.shape().rank() >= 2
                && (hasFewRows(type) || (isCpu && isSmall(product, graph)))
                && graph.known(product.input(1)).isEmpty();
    }

    private static boolean hasFewRows(TensorType type) {
        return type.shape().size(type.shape().rank() - 2) <= FEW_ROWS;
    }

    private static boolean isSmall(Part product, Rewriting graph) {
        long[] right = graph.type(product.input(1)).shape().sizes();
        if (right.length < 2) {
            return false;
        }
        long terms = right[right.length - 2];
        long columns = right[right.length - 1];
        return terms >= LINE && columns >= LINE && terms * columns <= SMALL;
    }

    /** {@return whether a product was placed where it is worth it} */
    private static boolean gains(PlacedNode node, OperandView a, OperandView b) {
        if (node.target() == PlacedNode.Target.CPU) {
            return a.strides()[a.strides().length - 1] == 1
                    && (b.strides()[b.strides().length - 1] == 1 || b.strides()[b.strides().length - 2] == 1);
        }
        return isOnGpu(node) || node.kernel().startsWith(ROWS);
    }

    private static boolean isOnGpu(PlacedNode node) {
        return node.target() == PlacedNode.Target.DEVICE && GpuProducts.compute(node);
    }

    /** None, and what may follow it: a factor, a transposition. */
    private static List<Tail> tails(Part product, Rewriting graph) {
        List<Tail> tails = new ArrayList<>();
        Tail tail = Tail.none(product.placed().outputTypes().get(0).shape().rank());
        tails.add(tail);
        String value = product.output();
        while (graph.isUsedOnce(value)) {
            Part user = Part.at(graph.users(value).get(0), graph);
            boolean isBeside = user.placed().target() == product.placed().target();
            Optional<Tail> longer = isBeside
                    ? longer(tail, user, value, graph).filter(next -> OperandView.isMild(next.factor()))
                    : Optional.empty();
            if (longer.isEmpty()) {
                break;
            }
            tail = longer.get();
            tails.add(tail);
            value = user.output();
        }
        return tails;
    }

    private static Optional<Tail> longer(Tail tail, Part user, String value, Rewriting graph) {
        return switch (user.op()) {
            case "Transpose" ->
                Optional.of(tail.with(
                        user,
                        1,
                        JoinTransposes.joined(tail.perm(), user.binding().integers("perm"))));
            case "Mul", "Div" ->
                OperandView.factor(user, graph)
                        .filter(by -> by.other().equals(value) && keepsShape(user, value, graph))
                        .map(by -> tail.with(user, by.number(), tail.perm()));
            default -> Optional.empty();
        };
    }

    private static boolean keepsShape(Part user, String value, Rewriting graph) {
        return graph.type(value).equals(user.placed().outputTypes().get(0));
    }

    private static boolean rewrite(Part product, OperandView a, OperandView b, Tail tail, Rewriting graph) {
        int end = tail.nodes().isEmpty()
                ? product.position()
                : tail.nodes().get(tail.nodes().size() - 1).position();
        PlacedNode last = graph.node(end).orElseThrow();
        Node by = product.placed().as("StridedMatMul", List.of(a.base(), b.base()), last.outputs());
        PlacedNode.Target side = product.placed().target();
        Optional<PlacedNode> placed = graph.bound(by, params(product, a, b, tail))
                .flatMap(bound -> graph.placed(bound, side))
                .filter(made -> gains(made, a, b));
        if (placed.isEmpty()) {
            return false;
        }
        List<PlacedNode> others = new ArrayList<>(product.placed().fused());
        graph.remove(product.position());
        for (Part part : tail.nodes()) {
            others.add(part.placed());
            others.addAll(part.placed().fused());
            graph.remove(part.position());
        }
        graph.put(end, placed.get().doing(product.placed(), others));
        removeUnused(product.input(0), end, side, graph);
        removeUnused(product.input(1), end, side, graph);
        return true;
    }

    /** Takes away what made a value that nothing uses any more; the node that reads behind it does its work. */
    private static void removeUnused(String value, int doneBy, PlacedNode.Target side, Rewriting graph) {
        Optional<Integer> maker = graph.producer(value);
        if (maker.isEmpty() || maker.get() == doneBy) {
            return;
        }
        PlacedNode node = graph.node(maker.get()).orElseThrow();
        boolean isUnused = node.outputs().stream()
                .allMatch(
                        output -> !graph.isOutput(output) && graph.users(output).isEmpty());
        if (isUnused && node.target() == side) {
            graph.remove(maker.get(), doneBy);
            node.inputs().forEach(input -> removeUnused(input, doneBy, side, graph));
        }
    }

    private static Map<String, ExpressionValue> params(Part product, OperandView a, OperandView b, Tail tail) {
        long[] y = product.placed().outputTypes().get(0).shape().sizes();
        int matrices = y.length - 2;
        long[] sizes = Arrays.copyOf(y, y.length + 1);
        sizes[matrices + 1] = a.sizes()[a.sizes().length - 1];
        sizes[matrices + 2] = y[matrices + 1];
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("sizes", list(sizes));
        params.put("a_offset", ExpressionValue.of(a.offset()));
        params.put("a_strides", list(strides(a, y.length)));
        params.put("b_offset", ExpressionValue.of(b.offset()));
        params.put("b_strides", list(strides(b, y.length)));
        params.put("perm", list(tail.perm()));
        params.put("alpha", ExpressionValue.of(a.factor() * b.factor() * tail.factor()));
        return params;
    }

    /** The strides of so many axes: 0 along those that are broadcast. */
    private static long[] strides(OperandView view, int axes) {
        long[] strides = new long[axes];
        int more = axes - view.sizes().length;
        for (int axis = more; axis < axes; axis++) {
            boolean isBroadcast = axis < axes - 2 && view.sizes()[axis - more] == 1;
            strides[axis] = isBroadcast ? 0 : view.strides()[axis - more];
        }
        return strides;
    }

    private static ExpressionValue list(long[] values) {
        return ExpressionValue.list(
                Arrays.stream(values).mapToObj(ExpressionValue::of).toList());
    }
}
