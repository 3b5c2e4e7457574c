package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/** A convolution in floating point into which neighbouring nodes may be fused. */
final class FusableConvolution {

    static final int X = 0;
    static final int WEIGHTS = 1;
    static final int BIAS = 2;
    static final int RESIDUAL = 3;
    static final int SLOPE = 4;
    private static final int ARGUMENTS = 5;
    static final Set<String> OPERATORS = Set.of("FusedConv", "FusedConvTranspose");

    private final int position;
    private final PlacedNode placed;
    private final Binding binding;
    private final List<String> inputs;
    private final Map<String, ExpressionValue> params;

    private FusableConvolution(int position, PlacedNode placed) {
        this.position = position;
        this.placed = placed;
        this.binding = placed.binding();
        this.inputs = new ArrayList<>(placed.inputs());
        while (inputs.size() < ARGUMENTS) {
            inputs.add("");
        }
        this.params = new HashMap<>(binding.params());
    }

    /** The convolution at a position; empty where none is, or one of integers. */
    static Optional<FusableConvolution> at(int position, Rewriting graph) {
        return graph.node(position)
                .filter(node -> OPERATORS.contains(node.op()))
                .filter(node -> node.outputTypes().get(0).dtype().isFloating())
                .map(node -> new FusableConvolution(position, node));
    }

    /** The convolution that makes a value for one node of the same side alone. */
    static Optional<FusableConvolution> before(String value, PlacedNode user, Rewriting graph) {
        return graph.isUsedOnce(value)
                ? graph.producer(value)
                        .flatMap(position -> at(position, graph))
                        .filter(convolution -> convolution.placed.target() == user.target())
                : Optional.empty();
    }

    int position() {
        return position;
    }

    PlacedNode placed() {
        return placed;
    }

    Binding binding() {
        return binding;
    }

    boolean isTransposed() {
        return !placed.op().equals("FusedConv");
    }

    /** The name of an input, or empty. */
    String input(int argument) {
        return inputs.get(argument);
    }

    /** The name of its result. */
    String output() {
        return placed.outputs().get(0);
    }

    TensorType type() {
        return placed.outputTypes().get(0);
    }

    boolean hasActivation() {
        return !binding.text("activation").equals("NONE");
    }

    boolean hasResidual() {
        return !input(RESIDUAL).isEmpty();
    }

    int channelAxis() {
        return binding.text("data_format").equals("NCX") ? 1 : type().shape().rank() - 1;
    }

    int channels() {
        return Math.toIntExact(binding.integer("out_channels"));
    }

    FusableConvolution input(int argument, String value) {
        inputs.set(argument, value);
        return this;
    }

    FusableConvolution param(String name, ExpressionValue value) {
        params.put(name, value);
        return this;
    }

    /**
     * Lets the convolution, as it was changed, do the work of another node as well. Nothing changes in the graph where
     * the description refuses it, or the side where both are does not take it with the kernel that it had.
     *
     * @param other the position of a node that makes what this one reads, or uses what it gives
     */
    boolean takeOver(int other, Rewriting graph) {
        Node node = placed.form();
        PlacedNode part = graph.node(other).orElseThrow();
        int last = Math.max(position, other);
        String output = (last == position ? placed : part).outputs().get(0);
        int count = ARGUMENTS;
        while (inputs.get(count - 1).isEmpty()) {
            count--;
        }
        Node changed = new Node(
                node.name(), node.op(), inputs.subList(0, count), List.of(output), node.params(), node.source());
        Optional<PlacedNode> taken = graph.bound(changed, params)
                .flatMap(bound -> graph.placed(bound, placed.target()))
                .filter(found -> found.kernel().equals(placed.kernel()));
        if (taken.isEmpty()) {
            return false;
        }
        graph.remove(position);
        graph.remove(other);
        graph.put(last, taken.get().doing(placed, parts(part)));
        return true;
    }

    private List<PlacedNode> parts(PlacedNode other) {
        List<PlacedNode> parts = new ArrayList<>(placed.fused());
        parts.add(other);
        parts.addAll(other.fused());
        return parts;
    }
}
