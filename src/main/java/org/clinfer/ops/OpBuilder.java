package org.clinfer.ops;

import java.util.List;
import java.util.SortedMap;
import org.clinfer.graph.Attribute;

/**
 * One use of an operator while its optional fields are set. The methods of the operator's own class that give an
 * {@link Edge} put it into the graph, or refuse it with a {@link org.clinfer.graph.GraphException} where the operator does not
 * take its inputs and parameters; from then on its fields cannot be changed. A field that is not set has the default
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
     * @param nodeName the name, unique in the graph
     * @return this
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
        return between(position, position + 1).get(0);
    }

    /** The outputs between two positions; those that the node has anyway are there, too. */
    private List<Edge> between(int from, int to) {
        SortedMap<Integer, Edge> outputs = call.outputs();
        if (!added) {
            outputs.clear();
            addOutputs(0, neededOutputs);
        }
        int known = outputs.size();
        addOutputs(from, to);
        if (!added) {
            ops.add(call);
            added = true;
        } else if (outputs.size() > known) {
            ops.rebind(call);
        }
        return List.copyOf(outputs.subMap(from, to).values());
    }

    private void addOutputs(int from, int to) {
        for (int i = from; i < to; i++) {
            call.outputs().computeIfAbsent(i, position -> Edge.output(ops, call, position));
        }
    }

    /** All outputs from a position on; their number is fixed by the first call. */
    final List<Edge> outputs(int position, int count) {
        int known = call.outputs().tailMap(position).size();
        if (added && known != 0 && known != count) {
            throw new IllegalStateException(call + " has " + known + " outputs already, not " + count);
        }
        if (count < 1) {
            throw new IllegalArgumentException(call + " cannot have " + count + " outputs");
        }
        return between(position, position + count);
    }

    private void requireOpen(String field) {
        if (added) {
            throw new IllegalStateException(call + " is part of the graph already; " + field + " comes too late");
        }
    }
}
