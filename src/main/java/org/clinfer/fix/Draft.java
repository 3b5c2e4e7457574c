package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.Edge;
import org.clinfer.ops.NamedOp;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** A replacement while it is built. */
final class Draft {

    private final Site site;
    private final Ops ops;
    private final Map<String, Edge> edges = new HashMap<>();
    private final IdentityHashMap<Tensor, Edge> givens = new IdentityHashMap<>();
    private int made;

    Draft(Site site) {
        this.site = site;
        this.ops = Ops.graph(site.name(), site.catalog());
    }

    Ops ops() {
        return ops;
    }

    /** A value of the region. */
    Edge edge(String value) {
        Edge known = edges.get(value);
        if (known != null) {
            return known;
        }
        Edge edge = site.constant(value)
                .map(tensor -> ops.constant(value, tensor))
                .orElseGet(() -> ops.input(value, site.type(value)));
        edges.put(value, edge);
        return edge;
    }

    /** The first input of the node. */
    Edge x() {
        return edge(site.x());
    }

    /** A new constant, which belongs to the search. */
    Edge constant(Tensor tensor) {
        return ops.constant("made#" + made++, site.made().add(tensor));
    }

    /** A constant that is there already, or belongs to the search. */
    Edge given(Tensor tensor) {
        return givens.computeIfAbsent(tensor, each -> ops.constant("made#" + made++, each));
    }

    /** One number for all elements, as a tensor of one element of each of so many dimensions. */
    Edge number(double value, DType dtype, int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        Tensor tensor = Tensor.allocate(dtype, sizes);
        tensor.setDouble(0, value);
        return constant(tensor);
    }

    /** One number in the type and rank of the node's output. */
    Edge number(double value) {
        return number(
                value, site.outputType().dtype(), site.outputType().shape().rank());
    }

    /** The same elements in another shape. */
    Edge reshaped(Edge x, long... sizes) {
        return ops.reshape(x, sizes).y();
    }

    /** The same elements with one axis at another position, the others in their order. */
    Edge withAxisMoved(Edge x, int from, int to) {
        List<Long> order = new ArrayList<>();
        for (long axis = 0; axis < sizes(x).length; axis++) {
            order.add(axis);
        }
        order.add(to, order.remove(from));
        return ops.transpose(x)
                .perm(order.stream().mapToLong(Long::longValue).toArray())
                .y();
    }

    /** The elements of one axis from a position up to another one, in steps; the value itself where those are all. */
    Edge slice(Edge x, int axis, long from, long to, long step) {
        long size = sizes(x)[axis];
        return from == 0 && to == size && step == 1
                ? x
                : ops.slice(x, new long[] {from}, to).axes(axis).steps(step).y();
    }

    /** Zeros around pictures; the value itself where there are none. */
    Edge padded(Edge x, long top, long bottom, long left, long right) {
        return top == 0 && bottom == 0 && left == 0 && right == 0
                ? x
                : ops.pad(x).padWith(0, 0, 0, 0, top, bottom, left, right).y();
    }

    Edge concat(List<Edge> parts, int axis) {
        return parts.size() == 1 ? parts.get(0) : ops.concat(parts).axis(axis).y();
    }

    List<Edge> split(Edge x, int axis, long... sizes) {
        return sizes.length == 1
                ? List.of(x)
                : ops.split(x).axis(axis).split(sizes).y(sizes.length);
    }

    /** The sum of one or more values. */
    Edge sum(List<Edge> terms) {
        Edge sum = terms.get(0);
        for (Edge term : terms.subList(1, terms.size())) {
            sum = ops.add(sum, term);
        }
        return sum;
    }

    static long[] sizes(Edge x) {
        return x.type().orElseThrow().shape().sizes();
    }

    /** Another use of a node's operator, with its parameters and its inputs but the first. */
    Edge again(CheckedNode node, Edge x) {
        Node written = site.region().written(node.node());
        NamedOp op = ops.op(written.op(), x);
        for (int i = 1; i < written.inputs().size(); i++) {
            if (!written.inputs().get(i).isEmpty()) {
                op.with(i, edge(written.inputs().get(i)));
            }
        }
        written.params().forEach(op::with);
        return op.y();
    }

    /** Another use of a node's operator, with its parameters, on other inputs. */
    Edge again(CheckedNode node, List<Edge> inputs) {
        Node written = site.region().written(node.node());
        NamedOp op = ops.op(written.op(), inputs.toArray(Edge[]::new));
        written.params().forEach(op::with);
        return op.y();
    }

    /** The nodes of a chain, the first of which takes this value. */
    Edge chain(List<CheckedNode> nodes, Edge x) {
        Edge value = x;
        for (CheckedNode node : nodes) {
            value = again(node, value);
        }
        return value;
    }

    Replacement finished(String step, List<Node> replaced, String output, Edge result) {
        ops.output(output, result);
        return new Replacement(step, replaced, ops.build());
    }
}
