package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One layer: what its translator asks and where it adds operators. */
final class NcnnLayerCall extends LayerNodes {

    /** A definition alone, which may say anything, takes no more memory than for so many numbers at once. */
    static final long MOST_FILLED = 1L << 22;

    private final NcnnLayer layer;
    private final LayerParams params;
    private final List<Value> inputs;
    private final NcnnWeights weights;

    NcnnLayerCall(NcnnLayer layer, List<Value> inputs, NamedGraph graph, NcnnWeights weights) {
        super(layer.type(), layer.name(), layer.source(), graph);
        this.layer = layer;
        this.params = new LayerParams(layer);
        this.inputs = List.copyOf(inputs);
        this.weights = weights;
    }

    LayerParams params() {
        return params;
    }

    /** The number of blobs that it gives. */
    int outputs() {
        return layer.outputs().size();
    }

    /** The axes of a value that ncnn counts; the batch is none of them. */
    static int dims(Value value) {
        return value.rank() - 1;
    }

    /** The inputs, which are so many. */
    List<Value> inputs(int least, int most) {
        if (inputs.size() < least || inputs.size() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " blobs, but is given " + inputs.size());
        }
        return inputs;
    }

    /** The one input. */
    Value input() {
        return inputs(1, 1).get(0);
    }

    /** The one input, which is (c, h, w). */
    Value picture() {
        return picture(input());
    }

    Value picture(Value x) {
        if (NcnnLayerCall.dims(x) != 3) {
            throw unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes instead of (c, h, w)");
        }
        return x;
    }

    /** The axis of a value for an axis of its blob, which may be negative. */
    int axis(int id, int axis, Value x) {
        int counted = axis < 0 ? axis + NcnnLayerCall.dims(x) : axis;
        if (counted < 0 || counted >= NcnnLayerCall.dims(x)) {
            throw params.wrong(id, "there is no axis " + axis + " where there are " + NcnnLayerCall.dims(x));
        }
        return counted + 1;
    }

    /** Refuses parameters that no translator asked for. */
    void requireAllRead() {
        for (int id : params.unread()) {
            throw unsupportedUse("parameter " + id + "=" + shown(id));
        }
    }

    private String shown(int id) {
        NcnnLayer.Param param = layer.params().get(id);
        return param == null ? "" : Printable.shortened(String.join(",", param.words()));
    }

    /** The next weights of the file, in a shape. */
    Value weight(String name, NcnnWeights.Kind kind, Shape shape) {
        return weight(name, kind, shape, shape, UnaryOperator.identity());
    }

    /**
     * The next weights of the file, which are needed in another order.
     *
     * @param stored the shape in the file
     * @param needed the shape of what {@code change} gives
     */
    Value weight(String name, NcnnWeights.Kind kind, Shape stored, Shape needed, UnaryOperator<Tensor> change) {
        if (weights.exist()) {
            return constant(name, change.apply(weights.next(stored, kind, source())));
        }
        Value sizes = vector(name + "_shape", needed.sizes());
        return weight(name, sizes, new TensorType(DType.FLOAT32, needed), Double.NaN);
    }

    /** A shape that must fit. */
    Shape shape(long... sizes) {
        for (long size : sizes) {
            if (size < 1) {
                throw malformed("its weights would have a side of " + size);
            }
        }
        Shape shape = Shape.of(sizes);
        if (!new TensorType(DType.FLOAT32, shape).fits()) {
            throw malformed("the shape " + shape + " is too large");
        }
        return shape;
    }

    /** A constant of one number for each of some channels. */
    Value filled(String name, long count, double value) {
        if (count > MOST_FILLED) {
            throw malformed("it has " + count + " channels, more than the " + MOST_FILLED + " that there may be");
        }
        Tensor tensor = Tensor.allocate(DType.FLOAT32, shape(count).sizes());
        for (long i = 0; i < count; i++) {
            tensor.setDouble(i, value);
        }
        return constant(name, tensor);
    }

    /** The elements from one to before another along an axis. */
    Value part(Value x, int axis, long first, long end) {
        return part(x, axis, first, end, 1);
    }

    /** Each so many elements from one to before another along an axis. */
    Value part(Value x, int axis, long first, long end, long step) {
        Params params = new Params()
                .put("starts", new long[] {first})
                .put("ends", new long[] {end})
                .put("axes", new long[] {axis});
        return add("Slice", step == 1 ? params : params.put("steps", new long[] {step}), x);
    }

    Value reshaped(Value x, long... shape) {
        return add("Reshape", new Params().put("shape", shape), x);
    }

    /** Hands the operators on, with the names of blobs for what the layer gives. */
    List<Value> finish(List<Value> results) {
        List<Value> named = new ArrayList<>(results);
        for (int i = 0; i < results.size(); i++) {
            String blob = layer.outputs().get(i);
            named.set(i, renamed(results.get(i), () -> blob));
        }
        finish();
        return named;
    }
}
