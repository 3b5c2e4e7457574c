package org.clinfer.importer.darknet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One layer: what its translator asks and where it adds operators. */
final class DarknetLayerCall extends LayerNodes {

    /** Numbers of a state at most: their weights are the square of them. */
    static final long MOST_UNITS = 1 << 20;

    private final Section options;
    private final int number;
    private final List<Value> values;
    private final DarknetWeights weights;
    private final NeighbourFiles files;
    private final Map<String, Value> lastStates = new LinkedHashMap<>();

    /**
     * @param number the layer's place in the file, from 0
     * @param values the picture, and the outputs of the layers before this one
     * @param files those beside the definition
     */
    DarknetLayerCall(
            Section options,
            int number,
            List<Value> values,
            NamedGraph graph,
            DarknetWeights weights,
            NeighbourFiles files) {
        super(options.type(), name(options, number), options.source(), graph);
        this.options = options;
        this.number = number;
        this.values = values;
        this.weights = weights;
        this.files = files;
    }

    /** The tree of the option {@code tree}, if it is given. */
    Optional<ClassTree> tree(long classes) {
        return options.text("tree").map(file -> ClassTree.read(this, files, file, classes));
    }

    static String name(Section layer, int number) {
        return layer.type() + "_" + number;
    }

    Section options() {
        return options;
    }

    int number() {
        return number;
    }

    /** The picture that the network takes. */
    Value picture() {
        return values.get(0);
    }

    /** The output of the layer before. */
    Value input() {
        return values.get(number);
    }

    /** The output of an earlier layer by its number, or by how far it is before this one. */
    Value earlier(String option, long written) {
        long index = written < 0 ? number + written : written;
        if (index < 0 || index >= number) {
            throw options.wrong(option, "there is no layer " + written + " before it");
        }
        return values.get((int) index + 1);
    }

    static long channels(Value value) {
        return size(value, 1);
    }

    static long height(Value value) {
        return size(value, 2);
    }

    static long width(Value value) {
        return size(value, 3);
    }

    /** Layers behind rows of boxes take them as pictures of one pixel. */
    private static long size(Value value, int axis) {
        return axis < value.rank() ? value.sizeOr0(axis) : 1;
    }

    /** The number of elements of each picture. */
    static long elements(Value value) {
        return channels(value) * height(value) * width(value);
    }

    static boolean isSamePlane(Value one, Value other) {
        return height(one) == height(other) && width(one) == width(other);
    }

    /** The next weights of the file; NaN everywhere without a file, so that no result looks like one. */
    Value weight(String what, long... sizes) {
        if (weights.exist()) {
            return constant(what, numbers(sizes));
        }
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(sizes));
        if (!type.fits()) {
            throw malformed("its weights " + type + " are too large");
        }
        return weight(what, vector(what + "_shape", sizes), type, Double.NaN);
    }

    /** The next numbers of the file, if there is one. */
    Tensor numbers(long... sizes) {
        return weights.next(Shape.of(sizes), source());
    }

    boolean hasNumbers() {
        return weights.exist();
    }

    boolean isOfFirstBranch() {
        return weights.areOfFirstBranch();
    }

    /** {@code [1, units]}: zeros that the caller may supply instead. */
    Value state(String what, long units) {
        if (units > MOST_UNITS) {
            throw unsupportedUse("a state of " + units + " numbers");
        }
        return defaultInput(name(options, number) + "_" + what, Tensor.allocate(DType.FLOAT32, 1, units));
    }

    /** Makes a state an output of the network. */
    void lastState(String what, Value state) {
        lastStates.put(name(options, number) + "_last_" + what, state);
    }

    /** The states after the last step, by the names that they have as outputs. */
    Map<String, Value> lastStates() {
        return lastStates;
    }

    Value reshaped(Value x, long... shape) {
        return add("Reshape", new Params().put("shape", shape), x);
    }

    Value times(String option, Value x, double factor) {
        return factor == 1 ? x : add("Mul", x, number(option, factor));
    }

    /** Some of the channels. */
    Value channels(Value x, long from, long to) {
        return slice(x, new long[] {1}, new long[] {from}, new long[] {to});
    }

    Value slice(Value x, long[] axes, long[] starts, long[] ends) {
        return add("Slice", new Params().put("starts", starts).put("ends", ends).put("axes", axes), x);
    }
}
