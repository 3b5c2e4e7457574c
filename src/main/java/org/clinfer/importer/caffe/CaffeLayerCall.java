package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One layer: what its translator asks and where it adds operators. */
final class CaffeLayerCall extends LayerNodes {

    /** Elements of a weight that is written out where only the definition is there; larger ones are known by their shape. */
    private static final long MOST_FILLED = 1L << 22;

    private static final long MOST_BILINEAR = 1L << 24;

    private final CaffeLayer layer;
    private final List<Value> inputs;
    private final CaffeWeights weights;
    private final List<CaffeFields> asked = new ArrayList<>();
    private final Set<String> own = new HashSet<>();
    private final Map<String, Value> lastStates = new LinkedHashMap<>();

    CaffeLayerCall(CaffeLayer layer, List<Value> inputs, NamedGraph graph, CaffeWeights weights) {
        super(layer.type(), layer.name(), layer.source(), graph);
        this.layer = layer;
        this.inputs = List.copyOf(inputs);
        this.weights = weights;
    }

    CaffeLayer layer() {
        return layer;
    }

    List<Value> inputs() {
        return inputs;
    }

    /** The inputs, which are so many. */
    List<Value> inputs(int least, int most) {
        if (inputs.size() < least || inputs.size() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " bottoms, but is given " + inputs.size());
        }
        return inputs;
    }

    /** The one input. */
    Value input() {
        return inputs(1, 1).get(0);
    }

    /** The layer's own parameters; what nobody asks of them is refused. */
    CaffeFields params(String field) {
        CaffeFields fields = new CaffeFields(layer.block(), source(), "").message(field);
        asked.add(fields);
        own.add(field);
        return fields;
    }

    /** An axis of a value, counted from 0. */
    int axis(CaffeFields params, String field, int otherwise, int rank) {
        int axis = params.small(field, otherwise);
        int counted = axis < 0 ? axis + rank : axis;
        if (counted < 0 || counted >= rank) {
            throw params.wrong(field, "there is no axis " + axis + " where there are " + rank);
        }
        return counted;
    }

    /** Fields of a layer that say where it stands, and how it is trained. */
    private static final Set<String> OF_ALL_LAYERS = Set.of(
            "name",
            "type",
            "bottom",
            "top",
            "phase",
            "include",
            "exclude",
            "blobs",
            "blobs_lr",
            "weight_decay",
            "blob_share_mode",
            "param",
            "share_mode",
            "loss_weight",
            "loss_param",
            "propagate_down");

    /** Refuses parameters that no translator asked for. */
    void requireAllRead() {
        for (String name : layer.block().fields().keySet()) {
            if (!OF_ALL_LAYERS.contains(name) && !own.contains(name) && !name.startsWith(BinaryReader.NUMBERED)) {
                throw unsupportedUse("'" + Printable.shortened(name) + "'");
            }
        }
        for (CaffeFields fields : asked) {
            for (String name : fields.unread()) {
                throw unsupportedUse("'" + Printable.shortened(name) + "'");
            }
        }
        boolean nothingSaid =
                asked.stream().allMatch(fields -> fields.block().fields().isEmpty());
        if (nothingSaid && !asked.isEmpty()) {
            layer.block().fields().keySet().stream()
                    .filter(name -> name.startsWith(BinaryReader.NUMBERED))
                    .filter(name -> Integer.parseInt(name.substring(BinaryReader.NUMBERED.length())) >= FIRST_PARAMETER)
                    .findFirst()
                    .ifPresent(name -> {
                        throw unsupportedUse(name + ", whose meaning only a .prototxt would tell");
                    });
        }
    }

    /** Numbers of fields from which on layers keep parameters of their types. */
    private static final int FIRST_PARAMETER = 100;

    /** The blobs that the weights have for this layer. */
    List<BlobProto> blobs() {
        return weights.of(layer.name());
    }

    /** A trained blob in the shape in which it is needed. */
    Value weight(int number, String name, Shape shape, Filler filler) {
        List<BlobProto> blobs = blobs();
        if (number < blobs.size()) {
            BlobProto blob = blobs.get(number);
            SourceRef from = weights.source(layer, number);
            if (!Arrays.equals(withoutLeadingOnes(Blobs.dims(blob)), withoutLeadingOnes(shape.sizes()))) {
                throw new GraphException(
                        from,
                        "it is " + Printable.shortened(Arrays.toString(Blobs.dims(blob))) + ", but must be "
                                + Arrays.toString(shape.sizes()));
            }
            return constant(name, Blobs.tensor(blob, shape, from));
        }
        requireNoFile(number, filler);
        if (!filler.equals(Filler.BILINEAR)) {
            return filled(name, shape, filler.value());
        }
        if (shape.rank() != 4) {
            throw malformed("a bilinear filler is for four axes, but '" + name + "' has " + shape.rank());
        }
        return shape.elements() <= MOST_BILINEAR
                ? constant(name, Filler.bilinear(shape))
                : filled(name, shape, Double.NaN);
    }

    /** A trained blob whose shape depends on sizes that the definition does not tell; only where there are no weights. */
    Value weight(int number, String name, List<Value> sizes, Shape shape, Filler filler) {
        requireNoFile(number, filler);
        return filled(name, sizes, shape, filler.value());
    }

    private void requireNoFile(int number, Filler filler) {
        if (weights.file().isPresent() && !filler.isKnown()) {
            throw malformed(weights.file().get() + " has no blob " + number + " for it");
        }
    }

    private Value filled(String name, List<Value> sizes, Shape shape, double value) {
        return weight(name, join(sizes), new TensorType(DType.FLOAT32, shape), value);
    }

    /** A value of one number everywhere. */
    Value filled(String name, Shape shape, double value) {
        if (!Double.isNaN(value) && shape.rank() == 1 && shape.elements() <= MOST_FILLED) {
            return constant(name, CaffeNormalizationLayers.filled(shape, value));
        }
        return filled(name, List.of(vector(name + "_shape", shape.sizes())), shape, value);
    }

    /** {@code [sequences, units]}: zeros that the caller may supply instead. */
    Value state(String what, long sequences, long units) {
        if (sequences > MOST_FILLED / units) {
            throw unsupportedUse("a state of " + sequences + " times " + units + " numbers");
        }
        return defaultInput(layer.name() + "_" + what, Tensor.allocate(DType.FLOAT32, sequences, units));
    }

    /** Makes a state an output of the network. */
    void lastState(String what, Value state) {
        lastStates.put(layer.name() + "_last_" + what, state);
    }

    /** The states after the last step, by the names that they have as outputs. */
    Map<String, Value> lastStates() {
        return lastStates;
    }

    /** Files of older versions write four sizes, whatever the number of axes. */
    private static long[] withoutLeadingOnes(long[] dims) {
        return LongStream.of(dims).dropWhile(size -> size == 1).toArray();
    }

    /** The shape that a trained blob has in its file. */
    Shape stored(int number) {
        BlobProto blob = blobs().get(number);
        return Blobs.shape(blob, weights.source(layer, number));
    }

    /** A shape that must fit. */
    Shape shape(List<Dim> dims) {
        Shape shape = new Shape(dims);
        if (!new TensorType(DType.FLOAT32, shape).fits()) {
            throw malformed("the shape " + shape + " is too large");
        }
        return shape;
    }
}
