package org.clinfer.ops;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.Attribute;

/**
 * One use of an operator while its optional fields are set. The methods of the operator's own class that give an
 * {@link Edge} put it into the graph; from then on its fields cannot be changed. A field that is not set has the default
 * of the operator's description.
 *
 * @param <B> the operator's own class
 */
public abstract class OpBuilder<B extends OpBuilder<B>> {

    private final Ops ops;
    private final OpCall call;
    private final int neededOutputs;
    private boolean added;

    /** @param neededOutputs how many outputs the node has whether somebody uses them or not */
    OpBuilder(Ops ops, String op, int neededOutputs) {
        this.ops = ops;
        this.neededOutputs = neededOutputs;
        this.call = new OpCall(op);
    }

    /** This object in its own type. */
    abstract B self();

    /**
     * Names the node; reports and messages call it so.
     *
     * @throws IllegalArgumentException if another node has this name
     */
    public final B named(String nodeName) {
        ops.name(call, nodeName);
        return self();
    }

    final B param(String name, Attribute value) {
        requireOpen(name);
        call.params().put(name, value);
        return self();
    }

    /** A parameter that an input can supply as well; that input is taken away. */
    final B param(String name, Attribute value, int supplier) {
        requireOpen(name);
        call.inputs().remove(supplier);
        return param(name, value);
    }

    final B input(int position, Edge value) {
        requireOpen("an input");
        call.inputs().put(position, ops.owned(value));
        return self();
    }

    /** An input that supplies a parameter; a value given for that is taken away. */
    final B supplier(int position, Edge value, String param) {
        input(position, value);
        call.params().remove(param);
        return self();
    }

    /** All inputs from a position on. */
    final B inputs(int position, List<Edge> values) {
        for (int i = 0; i < values.size(); i++) {
            input(position + i, values.get(i));
        }
        return self();
    }

    final Edge output(int position) {
        if (!added) {
            ops.add(call);
            added = true;
            for (int place = 0; place < neededOutputs; place++) {
                edge(place);
            }
        }
        return edge(position);
    }

    private Edge edge(int position) {
        return call.outputs().computeIfAbsent(position, place -> Edge.output(ops, call, place));
    }

    /** All outputs from a position on; their number is fixed by the first call. */
    final List<Edge> outputs(int position, int count) {
        int known = call.outputs().tailMap(position).size();
        if (known != 0 && known != count) {
            throw new IllegalStateException(call + " has " + known + " outputs already, not " + count);
        }
        if (count < 1) {
            throw new IllegalArgumentException(call + " cannot have " + count + " outputs");
        }
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            edges.add(output(position + i));
        }
        return List.copyOf(edges);
    }

    private void requireOpen(String field) {
        if (added) {
            throw new IllegalStateException(call + " is part of the graph already; " + field + " comes too late");
        }
    }
}
