package org.clinfer.importer;

import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.text.Printable;

/**
 * Opaque nodes for the layers of a network that are not translated: those that are refused, and those whose meaning depends
 * on a type that the refused ones would give.
 */
public final class OpaqueLayers {

    /**
     * A layer as its file has it.
     *
     * @param outputs the names that its values get, and their types as far as the file says them
     */
    public record Layer(String name, String type, SourceRef source, List<Value> inputs, List<Value> outputs) {}

    /** The reason of a node whose meaning depends on a type that an opaque node would give. */
    public static final String UNDETERMINED = "the type of an input could not be determined";

    private final NamedGraph graph;
    private final Refusals refusals;
    private UnsupportedLayers unsupported = UnsupportedLayers.REFUSED;

    /** @param source the file */
    public OpaqueLayers(NamedGraph graph, SourceRef source) {
        this(graph, new Refusals(source, "layers"));
    }

    private OpaqueLayers(NamedGraph graph, Refusals refusals) {
        this.graph = graph;
        this.refusals = refusals;
    }

    /** The opaque nodes of a graph within this one; what is refused there is refused here. */
    public OpaqueLayers within(NamedGraph inner) {
        OpaqueLayers layers = new OpaqueLayers(inner, refusals);
        layers.begin(unsupported);
        return layers;
    }

    /** Says what becomes of layers that are refused; before that, malformed ones refuse the network. */
    public void begin(UnsupportedLayers treatment) {
        unsupported = treatment;
    }

    /**
     * Adds the node of a layer that is refused, and gives its outputs.
     *
     * @throws GraphException the same again where no node may stand for the layer, as {@link Refusals#cause} says
     */
    public List<Value> refuse(Layer layer, GraphException why) {
        return add(layer, refusals.cause(why, layer.source, unsupported), why.reason());
    }

    /** Adds the node of a layer that takes what a refused one gives, and gives its outputs. */
    public List<Value> skip(Layer layer) {
        return add(layer, Opaque.Cause.UNDETERMINED, UNDETERMINED);
    }

    private List<Value> add(Layer layer, Opaque.Cause cause, String reason) {
        Opaque opaque = new Opaque(
                cause,
                reason,
                layer.outputs.stream()
                        .map(output -> Optional.ofNullable(output.declared()))
                        .toList());
        graph.node(Node.opaque(
                layer.name,
                Printable.shortened(layer.type),
                layer.inputs.stream().map(Value::name).toList(),
                layer.outputs.stream().map(Value::name).toList(),
                opaque,
                layer.source));
        return layer.outputs;
    }

    /**
     * Ends the translation where layers were refused and must not be.
     *
     * @throws UnsupportedException naming the refused layers
     */
    public void finish() {
        refusals.finish(unsupported);
    }
}
