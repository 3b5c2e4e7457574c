package org.clinfer.importer.tflite;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Operators that put elements or slices to places, or find these. */
final class TfliteScatterLayers {

    /** Of a constant that does not stand in the file. */
    private static final long MOST_ELEMENTS = 1 << 22;

    private TfliteScatterLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("SCATTER_ND", TfliteScatterLayers::slices);
        all.one("SPARSE_TO_DENSE", TfliteScatterLayers::dense);
        all.one("DYNAMIC_UPDATE_SLICE", TfliteScatterLayers::replaced);
        all.one("UNSORTED_SEGMENT_SUM", call -> segments(call, "add", 0));
        all.one("UNSORTED_SEGMENT_PROD", call -> segments(call, "mul", 1));
        all.one("UNSORTED_SEGMENT_MAX", call -> segments(call, "max", Double.NEGATIVE_INFINITY));
        all.one("UNSORTED_SEGMENT_MIN", call -> segments(call, "min", Double.POSITIVE_INFINITY));
        all.one("MATRIX_DIAG", TfliteScatterLayers::diagonal);
        all.one("MATRIX_SET_DIAG", TfliteScatterLayers::withDiagonal);
        all.one("WHERE", TfliteScatterLayers::places);
    }

    private static void requireFew(TfliteCall call, double elements) {
        if (elements > MOST_ELEMENTS) {
            throw call.unsupportedUse("a tensor that takes " + (long) elements + " places");
        }
    }

    /** A tensor of one number, of a shape that the file gives. */
    private static Value filled(TfliteCall call, DType dtype, double value, long... sizes) {
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            throw call.unsupportedUse("shape " + TfliteCall.shown(sizes));
        }
        TensorType type = new TensorType(dtype, Shape.of(sizes));
        if (!type.fits() || type.bytes() > Tensor.MAX_BYTES) {
            throw call.malformed("its shape is " + TfliteCall.shown(sizes));
        }
        Params params = new Params().put("shape", sizes).put("value", value).put("dtype", dtype.label());
        return call.add("ConstantOfShape", List.of(), params);
    }

    private static void requireReals(TfliteCall call) {
        if (call.output(0).quantization().isPresent()) {
            throw call.unsupportedUse("quantized numbers");
        }
    }

    /** Adds what several indices name; of quantized numbers the codes, to codes of 0, as TensorFlow Lite does. */
    private static Value slices(TfliteCall call) {
        call.requireInputs(3, 3);
        if (!call.isKept(1)) {
            throw call.unsupportedUse("quantized numbers of another scale");
        }
        Value data = filled(call, call.tensor(1).dtype(), 0, call.requiredIntegers(2, "shape"));
        return call.add("ScatterND", new Params().put("reduction", "add"), data, call.plain(0), call.plain(1));
    }

    /** Places are rows, or numbers of a vector, or one number; a single value stands at all of them. */
    private static Value dense(TfliteCall call) {
        call.requireInputs(4, 4);
        requireReals(call);
        call.options().ignore("validate_indices");
        Value places = call.plain(0);
        if (places.rank() < 2) {
            places = call.add("Reshape", new Params().put("shape", new long[] {-1, 1}), places);
        }
        if (!places.shape().dim(0).isKnown()) {
            throw call.unsupportedUse("places whose number is not known");
        }
        Value values = expanded(call, call.plain(2), places.shape().size(0));
        Value data = expanded(call, call.plain(3), call.requiredIntegers(1, "shape"));
        return call.add("ScatterND", data, places, values);
    }

    private static Value expanded(TfliteCall call, Value x, long... sizes) {
        return call.add("Expand", x, call.vector("sizes", sizes));
    }

    /** The update lies within the tensor whatever the start is. */
    private static Value replaced(TfliteCall call) {
        call.requireInputs(3, 3);
        Value x = call.plain(call.kept(0));
        Value update = call.plain(call.kept(1));
        int rank = x.rank();
        if (update.rank() != rank || !x.shape().isKnown() || !update.shape().isKnown() || rank == 0) {
            throw call.unsupportedUse("tensors " + x.shape() + " and " + update.shape());
        }
        requireFew(call, (double) update.shape().elements() * rank);
        long[] most = LongStream.range(0, rank)
                .map(axis -> x.sizeOr0((int) axis) - update.sizeOr0((int) axis))
                .toArray();
        if (Arrays.stream(most).anyMatch(size -> size < 0)) {
            throw call.malformed("the update " + update.shape() + " is larger than " + x.shape());
        }
        Value given = call.add("Cast", new Params().put("to", DType.INT64.label()), call.plain(2));
        Value start =
                call.add("Min", call.add("Max", given, call.scalar("none", DType.INT64, 0)), call.vector("most", most));
        Value places = call.add("Add", start, call.constant("places", grid(update.shape())));
        return call.add("ScatterND", x, places, update);
    }

    /** The place of each element of a shape, as a row of numbers along a last axis. */
    private static Tensor grid(Shape shape) {
        int rank = shape.rank();
        long[] sizes = Arrays.copyOf(shape.sizes(), rank + 1);
        sizes[rank] = rank;
        Tensor grid = Tensor.allocate(DType.INT64, sizes);
        for (long element = 0; element < shape.elements(); element++) {
            long rest = element;
            for (int axis = rank - 1; axis >= 0; axis--) {
                grid.setLong(element * rank + axis, rest % shape.size(axis));
                rest /= shape.size(axis);
            }
        }
        return grid;
    }

    /** Slices of the same number are added, or one of them is taken; those of negative numbers are left out. */
    private static Value segments(TfliteCall call, String reduction, double none) {
        call.requireInputs(3, 3);
        requireReals(call);
        Value x = call.plain(0);
        Value numbers = call.plain(1);
        long count = call.requiredInteger(2, "number of segments");
        boolean fits = x.shape().isKnown() && numbers.rank() <= x.rank() && count >= 0 && count < Integer.MAX_VALUE;
        if (!fits) {
            throw call.unsupportedUse(count + " segments of " + x.shape() + " by " + numbers.shape());
        }
        long[] sizes = LongStream.concat(
                        LongStream.of(count + 1),
                        Arrays.stream(x.shape().sizes()).skip(numbers.rank()))
                .toArray();
        DType dtype = x.type().dtype();
        Value base = filled(call, dtype, none == 0 || none == 1 ? none : extreme(dtype, none), sizes);
        Value behind = call.scalar("behind", numbers.type().dtype(), (double) count);
        Value zero = call.scalar("first", numbers.type().dtype(), 0);
        Value places = call.add("Where", call.add("Less", numbers, zero), behind, numbers);
        long[] last = {numbers.rank()};
        Value rows = call.add("Unsqueeze", new Params().put("axis", last), places);
        Value all = call.add("ScatterND", new Params().put("reduction", reduction), base, rows, x);
        Params first = new Params().put("starts", new long[] {0}).put("ends", new long[] {count});
        return call.add("Slice", first, all);
    }

    /** The lowest or the highest number of a data type, as TensorFlow Lite begins with it. */
    private static double extreme(DType dtype, double sign) {
        double most = dtype == DType.FLOAT32 ? Float.MAX_VALUE : dtype.isInteger() ? Long.MAX_VALUE : Double.MAX_VALUE;
        return Math.copySign(most, sign);
    }

    /** Numbers of rows and columns at which there is a diagonal. */
    private static Value isDiagonal(TfliteCall call, long rows, long columns) {
        requireFew(call, (double) rows * columns);
        Tensor isDiagonal = Tensor.allocate(DType.BOOL, rows, columns);
        for (long i = 0; i < Math.min(rows, columns); i++) {
            isDiagonal.setLong(i * columns + i, 1);
        }
        return call.constant("diagonal", isDiagonal);
    }

    private static long known(TfliteCall call, Value x, int fromEnd) {
        if (x.rank() < fromEnd || !x.shape().dim(x.rank() - fromEnd).isKnown()) {
            throw call.unsupportedUse("a tensor " + x.shape());
        }
        return x.shape().size(x.rank() - fromEnd);
    }

    private static Value diagonal(TfliteCall call) {
        call.requireInputs(1, 1);
        requireReals(call);
        Value x = call.plain(0);
        long size = known(call, x, 1);
        Value column = call.add("Unsqueeze", new Params().put("axis", new long[] {-1}), x);
        Value zero = call.scalar("none", x.type().dtype(), 0);
        return call.add("Where", isDiagonal(call, size, size), column, zero);
    }

    private static Value withDiagonal(TfliteCall call) {
        call.requireInputs(2, 2);
        requireReals(call);
        Value x = call.plain(0);
        long rows = known(call, x, 2);
        long columns = known(call, x, 1);
        long[] across = {rows < columns ? -1 : -2};
        Value diagonal = call.add("Unsqueeze", new Params().put("axis", across), call.plain(1));
        return call.add("Where", isDiagonal(call, rows, columns), diagonal, x);
    }

    /** A row for each element that is true, or not 0; the run tells how many. */
    private static Value places(TfliteCall call) {
        call.requireInputs(1, 1);
        Value x = call.plain(call.real(0));
        List<Value> found = call.addAll("NonZero", List.of(x), new Params(), 2);
        Value rows = call.add("Transpose", new Params().put("perm", new long[] {1, 0}), found.get(0));
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        Shape shape = new Shape(List.of(Dim.unknown(), Dim.of(x.rank())));
        return call.add("Slice", List.of(rows, Value.NONE, found.get(1)), first, shape);
    }
}
