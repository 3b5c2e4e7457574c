package org.clinfer.importer.ncnn;

import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The windows of a region, each of which ends with the picture, and their means of samples between pixels: a product with the
 * weights of the pixels of each row, and one with those of each column. This is ROIAlign of version 0.
 */
final class NcnnClippedRegion {

    private static final long MOST_WEIGHTS = 1L << 24;

    private final NcnnLayerCall call;
    private final Value region;

    /** @param region left, top, right and bottom: {@code [1, 4]} */
    NcnnClippedRegion(NcnnLayerCall call, Value region) {
        this.call = call;
        this.region = region;
    }

    Value means(Value picture) {
        Value rows = weights(1, call.params().size(1, 0, 1), picture.sizeOr0(2));
        Value columns = weights(0, call.params().size(0, 0, 1), picture.sizeOr0(3));
        Value turned = call.add("Transpose", new Params().put("perm", new long[] {1, 0}), columns);
        return call.add("MatMul", call.add("MatMul", rows, picture), turned);
    }

    /** The share that each of the elements along an axis has in each window: {@code [windows, size]}. */
    private Value weights(int side, long windows, long size) {
        long given = Math.max(call.params().integer(3, 0), 0);
        long samples = given > 0 ? given : size;
        if (size == 0) {
            throw call.unsupportedUse("a blob of a size that is not known");
        }
        if (windows > MOST_WEIGHTS / samples / size) {
            throw call.unsupportedUse(windows + " windows of " + samples + " samples of " + size + " elements");
        }
        Value zero = call.number("none", 0);
        Value one = call.number("one", 1);
        Value begin = corner(side);
        Value extent = call.add("Sub", corner(side + 2), begin);
        Value width = call.params().flag(4, false) ? extent : call.add("Max", extent, one);
        Value step = call.add("Div", width, call.number("windows", (double) windows));
        Value first = within(call.add("Add", begin, call.add("Mul", numbers(windows, 0, 0), step)), size);
        Value last = within(call.add("Add", begin, call.add("Mul", numbers(windows, 0, 1), step)), size);
        Value inside = call.add("Sub", last, first);
        Value count =
                given > 0 ? call.number("samples", (double) given) : call.add("Max", call.add("Ceil", inside), one);
        Value number = numbers(samples, 1, 0);
        Value way = call.add("Mul", call.add("Add", number, call.number("half", 0.5)), call.add("Div", step, count));
        Value place = call.add("Min", call.add("Add", first, way), call.number("end", (double) (size - 1)));
        Value away = call.add("Abs", call.add("Sub", place, numbers(size, 2, 0)));
        Value share = call.add("Max", call.add("Sub", one, away), zero);
        Value counted = call.add("Where", call.add("Less", number, count), share, zero);
        Params alongSamples = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        Value mean = call.add("Div", call.add("ReduceSum", alongSamples, counted), count);
        Value filled = call.add("Where", call.add("Less", zero, inside), mean, zero);
        return call.reshaped(filled, windows, size);
    }

    private Value corner(int number) {
        Value scaled = call.add(
                "Mul",
                call.part(region, 1, number, number + 1L),
                call.number("scale", call.params().real(2, 1)));
        boolean aligned = call.params().flag(4, false);
        return call.reshaped(aligned ? call.add("Sub", scaled, call.number("half", 0.5)) : scaled, 1, 1, 1);
    }

    private Value within(Value x, long size) {
        return call.add("Min", call.add("Max", x, call.number("start", 0)), call.number("size", (double) size));
    }

    /** Numbers from one on along one of three axes. */
    private Value numbers(long count, int axis, int first) {
        long[] shape = {1, 1, 1};
        shape[axis] = count;
        Tensor numbers = Tensor.allocate(DType.FLOAT32, shape);
        for (long i = 0; i < count; i++) {
            numbers.setDouble(i, (double) (i + first));
        }
        return call.constant("numbers", numbers);
    }
}
