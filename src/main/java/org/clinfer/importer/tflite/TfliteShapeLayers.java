package org.clinfer.importer.tflite;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The same elements in another shape or order, repeated ones, and tensors that are made of sizes. */
final class TfliteShapeLayers {

    private TfliteShapeLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("RESHAPE", TfliteShapeLayers::reshape);
        all.one("SQUEEZE", TfliteShapeLayers::squeeze);
        all.one("EXPAND_DIMS", TfliteShapeLayers::expandDims);
        all.one("TRANSPOSE", TfliteShapeLayers::transpose);
        all.one("TILE", TfliteShapeLayers::tile);
        all.one("BROADCAST_TO", TfliteShapeLayers::broadcast);
        all.one("BITCAST", TfliteShapeLayers::bitCast);
        all.one("SHAPE", TfliteShapeLayers::shape);
        all.one("RANK", TfliteShapeLayers::rank);
        all.one("FILL", TfliteShapeLayers::fill);
        all.one("RANGE", TfliteShapeLayers::range);
    }

    /** The second input has the sizes; files of the first versions have them in the options. */
    private static Value reshape(TfliteCall call) {
        call.requireInputs(1, 2);
        Value x = call.inOrder(call.kept(0));
        long[] inOptions = call.options().integers("new_shape");
        Optional<long[]> sizes = call.has(1) ? call.integers(1) : Optional.of(inOptions);
        boolean isComplex = call.output(0).isComplex();
        if (sizes.isEmpty()) {
            if (isComplex) {
                throw call.unsupportedUse("complex numbers and a computed shape");
            }
            return call.computed("Reshape", new Params().put("allow_zero", true), x, call.plain(1));
        }
        long[] parts = isComplex ? new long[] {2} : new long[0];
        long[] all = LongStream.concat(LongStream.of(sizes.get()), LongStream.of(parts))
                .toArray();
        return call.add("Reshape", new Params().put("allow_zero", true).put("shape", all), x);
    }

    private static Value squeeze(TfliteCall call) {
        call.requireInputs(1, 1);
        TfliteValue x = call.kept(0);
        int rank = x.rank();
        Shape shape = x.shape();
        long[] listed = call.options().integers("squeeze_dims");
        if (listed.length == 0 && !shape.isKnown()) {
            throw call.unsupportedUse("axes that are not listed, of sizes that are not known");
        }
        int[] axes = listed.length > 0
                ? call.axes(listed, rank)
                : IntStream.range(0, rank).filter(axis -> shape.size(axis) == 1).toArray();
        if (axes.length == 0) {
            return call.give(x);
        }
        boolean second = x.second() && TfliteReductionLayers.keepsOrder(axes, rank);
        TfliteValue operand = second ? x : new TfliteValue(call.plain(x), false);
        long[] held = Arrays.stream(axes).mapToLong(operand::heldAxis).toArray();
        return call.add("Squeeze", new Params().put("axis", held), operand.held());
    }

    private static Value expandDims(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.kept(0));
        long axis = call.axis(call.requiredInteger(1, "axis"), x.rank() + 1);
        return call.add("Unsqueeze", new Params().put("axis", new long[] {axis}), x);
    }

    /** Often nothing moves: the order that is wanted is the one in which the value is held. */
    private static Value transpose(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteValue x = call.kept(0);
        long[] order = call.requiredIntegers(1, "order of axes");
        int rank = x.rank();
        if (!Arrays.equals(Arrays.stream(order).sorted().toArray(), ChannelAxes.range(0, rank))) {
            throw call.malformed("its order of " + rank + " axes is " + TfliteCall.shown(order));
        }
        long[] held = Arrays.stream(order).map(axis -> x.heldAxis((int) axis)).toArray();
        return Arrays.equals(held, ChannelAxes.range(0, rank))
                ? x.held()
                : call.add("Transpose", new Params().put("perm", held), x.held());
    }

    private static Value tile(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.kept(0));
        Optional<long[]> multiples = call.integers(1);
        return multiples.isPresent()
                ? call.add("DeePhiTile", new Params().put("multiples", multiples.get()), x)
                : call.computed("DeePhiTile", new Params(), x, call.plain(1));
    }

    private static Value broadcast(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.kept(0));
        Optional<long[]> sizes = call.integers(1);
        return sizes.isPresent()
                ? call.add("Expand", new Params().put("shape", sizes.get()), x)
                : call.computed("Expand", new Params(), x, call.plain(1));
    }

    private static Value bitCast(TfliteCall call) {
        call.requireInputs(1, 1);
        DType to = call.output(0).dtype();
        if (to.bits() != call.tensor(0).dtype().bits()) {
            throw call.unsupportedUse("a type of another width");
        }
        return call.each("BitCast", new Params().put("to", to.label()), call.stored(0));
    }

    private static Value shape(TfliteCall call) {
        call.requireInputs(1, 1);
        call.options().ignore("out_type");
        Value sizes = call.add("Shape", call.plain(0));
        return call.add("Cast", new Params().put("to", call.output(0).dtype().label()), sizes);
    }

    private static Value rank(TfliteCall call) {
        call.requireInputs(1, 1);
        Tensor rank = Tensor.allocate(DType.INT32);
        rank.setLong(0, call.stored(0).rank());
        return call.constant("rank", rank);
    }

    private static Value fill(TfliteCall call) {
        call.requireInputs(2, 2);
        if (call.tensor(1).quantization().isPresent() && !call.isKept(1)) {
            throw call.unsupportedUse("another scale");
        }
        Optional<long[]> sizes = call.integers(0);
        Value value = call.plain(1);
        return sizes.isPresent()
                ? call.add("Expand", new Params().put("shape", sizes.get()), value)
                : call.computed("Expand", new Params(), value, call.plain(0));
    }

    private static Value range(TfliteCall call) {
        call.requireInputs(3, 3);
        TensorType type = call.output(0).type();
        if (call.output(0).quantization().isPresent()) {
            throw call.unsupportedUse("quantized numbers");
        }
        return call.add("Range", List.of(call.plain(0), call.plain(1), call.plain(2)), new Params(), type);
    }
}
