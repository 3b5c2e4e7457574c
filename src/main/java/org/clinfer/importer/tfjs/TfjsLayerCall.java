package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** One use of a layer: what its translator asks and where it adds operators. */
final class TfjsLayerCall extends LayerNodes {

    private final TfjsFields config;
    private final List<Value> inputs;
    private final Place place;
    private final TfjsWeights weights;
    private final Origin origin;

    TfjsLayerCall(CallOrder.Use use, Place place, NamedGraph graph, TfjsWeights weights, Origin origin) {
        super(use.layer().kind(), place.output(), use.layer().source(), graph);
        this.config = new TfjsFields(use.layer().config(), source(), "config");
        this.inputs = use.inputs();
        this.place = place;
        this.weights = weights;
        this.origin = origin;
    }

    TfjsFields config() {
        return config;
    }

    Origin origin() {
        return origin;
    }

    List<Value> inputs() {
        return inputs;
    }

    /** The one input. */
    Value input() {
        if (inputs.size() != 1) {
            throw malformed("it takes one input, but is given " + inputs.size());
        }
        return inputs.get(0);
    }

    /** The one input, which must have so many axes. */
    Value input(int rank) {
        Value input = input();
        if (input.isTyped() && input.rank() != rank) {
            throw malformed("its input must have " + rank + " axes, but has " + input.rank());
        }
        return input;
    }

    /** {@return whether the second axis is that of the channels, not the last} */
    boolean isChannelsFirst() {
        return config.choice("data_format", "channels_last", "channels_first").equals("channels_first");
    }

    /** The full name of a weight that the layer must have; {@code number} is its position among the layer's weights. */
    String weightName(String name, int number) {
        return findWeight(name, number)
                .orElseThrow(() -> malformed("its weight '" + name + "' is not in the manifest"));
    }

    /** The full name of a weight, if there is one. */
    Optional<String> findWeight(String name, int number) {
        return weights.find(place.path(), name, number, source());
    }

    /** A weight by its full name. */
    Tensor weight(String fullName) {
        return weights.read(fullName);
    }

    /** A weight by its full name, with so many axes. */
    Tensor weight(String fullName, int rank) {
        Tensor tensor = weight(fullName);
        if (tensor.shape().rank() != rank) {
            throw malformed("its weight '" + fullName + "' must have " + rank + " axes, but is " + tensor.type());
        }
        return tensor;
    }

    /** A constant of this layer, the same for each of its uses. */
    Value own(String name, Supplier<Tensor> tensor) {
        return shared(String.join("/", place.path()) + ":" + name, tensor);
    }
}
