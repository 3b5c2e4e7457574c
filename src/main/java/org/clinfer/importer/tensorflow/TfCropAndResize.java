package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Boxes, each of one picture of the batch, resampled to one size; places outside of the picture have a number of their own. */
final class TfCropAndResize {

    private final TfCall call;
    private final TfValue x;
    private final long[] size;
    private final boolean nearest;
    private final double outside;

    private TfCropAndResize(TfCall call) {
        this.call = call;
        this.x = call.input(0, 4);
        this.size = call.requiredIntegers(3, "size");
        if (size.length != 2 || Arrays.stream(size).anyMatch(each -> each < 1 || each > 1 << 15)) {
            throw call.malformed("its size is " + Arrays.toString(size));
        }
        String method = call.node().text("method", "bilinear");
        this.nearest = method.equals("nearest");
        if (!nearest && !method.equals("bilinear")) {
            throw call.unsupportedUse("method " + method);
        }
        this.outside = call.node().real("extrapolation_value", 0);
    }

    static void translate(TfCall call) {
        TfCropAndResize crop = new TfCropAndResize(call);
        Optional<Tensor> boxes = call.constant(1);
        Optional<long[]> pictures = call.integers(2);
        pictures.map(Arrays::stream)
                .flatMap(each -> each.filter(picture -> picture < 0).boxed().findFirst())
                .ifPresent(picture -> {
                    throw call.malformed("there is no picture " + picture);
                });
        if (boxes.isPresent() && pictures.isPresent()) {
            crop.known(boxes.get(), pictures.get());
        } else {
            crop.computed();
        }
    }

    /** Boxes that are known beforehand. */
    private void known(Tensor boxes, long[] pictures) {
        int count = call.count(pictures.length);
        if (boxes.elements() != 4L * count) {
            throw call.malformed("it has boxes of type " + boxes.type() + " for " + count + " pictures");
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String picture = call.step(
                    "Gather", List.of(call.second(x), call.constant(pictures[i])), new Params().put("axis", 0));
            double[] box = new double[4];
            for (int side = 0; side < 4; side++) {
                box[side] = boxes.getDouble(4L * i + side);
            }
            Params params = new Params()
                    .put("mode", nearest ? "nearest" : "linear")
                    .put("coordinate_mode", "tf_crop_and_resize")
                    .put("nearest_mode", "round_prefer_ceil")
                    .put("extrapolation_value", outside)
                    .put("roi", box)
                    .put("sizes", size)
                    .put("axes", new long[] {2, 3});
            parts.add(call.step("Resize", List.of(picture), params));
        }
        call.give("Concat", parts, new Params().put("axis", 0), true);
    }

    /** Boxes that a run computes: samples at their places, or another number where these are not in the picture. */
    private void computed() {
        String sizes = call.step("Shape", call.second(x));
        String ends = call.step("Sub", call.cast(columns(sizes, 0, 2, 3), DType.FLOAT32), number(1));
        String low = columns(call.plain(1), 1, 0, 1);
        String high = columns(call.plain(1), 1, 2, 3);
        // in TensorFlow's order, which decides whether the last place is still in the picture
        String first = call.step("Mul", low, ends);
        String spans = call.step("Mul", call.step("Sub", high, low), ends);
        String step = call.step("Div", spans, pair(each -> Math.max(1, each - 1)));
        // one element lies in the middle of the box
        String middle = call.step("Mul", call.step("Mul", call.step("Add", low, high), number(0.5)), ends);
        String start = call.step("Where", call.constant("one", ones()), middle, first);
        String samples = nearest ? nearest(start, step, ends) : linear(start, step);
        String within = call.step("And", within(start, step, ends, 0), within(start, step, ends, 1));
        call.give("Where", List.of(within, samples, number(outside)), new Params(), true);
    }

    /**
     * RoiAlign with one sample for each element. Its samples lie in the middles of windows, so its regions begin half a step
     * before the first place and end half a step behind the last one; it counts the middle of the first pixel as one half.
     */
    private String linear(String start, String step) {
        String half = call.step("Sub", call.step("Mul", step, number(0.5)), number(0.5));
        String begin = call.step("Sub", start, half);
        String end = call.step("Add", begin, call.step("Mul", step, pair(each -> each)));
        List<String> sides =
                List.of(columns(begin, 1, 1), columns(begin, 1, 0), columns(end, 1, 1), columns(end, 1, 0));
        String regions = call.step("Concat", sides, new Params().put("axis", 1L));
        Params params = new Params()
                .put("output_height", size[0])
                .put("output_width", size[1])
                .put("sampling_ratio", 1L);
        List<String> operands = List.of(call.cast(call.second(x), DType.FLOAT32), regions, call.plain(2));
        return call.step("RoiAlign", operands, params);
    }

    /**
     * The pixels next to the places, by their numbers in all pictures. Gather counts negative numbers from the end, where
     * TensorFlow has no picture: they become one behind the last, which is refused.
     */
    private String nearest(String start, String step, String ends) {
        String given = call.cast(call.plain(2), DType.INT64);
        String sizes = call.step("Shape", call.plain(x));
        String isNegative = call.step("Less", given, call.scalar(DType.INT64, 0));
        String picture = call.step("Where", isNegative, columns(sizes, 0, 0), given);
        String pictures = call.step("Unsqueeze", List.of(picture), new Params().put("axis", new long[] {1, 2}));
        String rows = call.step("Add", call.step("Mul", pictures, columns(sizes, 0, 1)), nearest(start, step, ends, 0));
        String numbers = call.step("Add", call.step("Mul", rows, columns(sizes, 0, 2)), nearest(start, step, ends, 1));
        Params first = new Params().put("axis", 0L);
        String flat = call.step("Concat", List.of(call.constant(-1L), columns(sizes, 0, 3)), first);
        String pixels = call.step("Gather", List.of(call.step("Reshape", call.plain(x), flat), numbers), first);
        Params perm = new Params().put("perm", new long[] {0, 3, 1, 2});
        return call.step("Transpose", List.of(call.cast(pixels, DType.FLOAT32)), perm);
    }

    /** The rows or columns next to the places, as they broadcast to boxes by rows by columns. */
    private String nearest(String start, String step, String ends, int axis) {
        String above = call.step("Add", places(start, step, axis), number(0.5));
        String whole = call.step("Floor", call.step("Max", above, number(0)));
        String inside = call.cast(call.step("Min", whole, columns(ends, 0, axis)), DType.INT64);
        return call.step("Unsqueeze", List.of(inside), new Params().put("axis", new long[] {2L - axis}));
    }

    private String places(String start, String step, int axis) {
        Tensor numbers = Tensor.allocate(DType.FLOAT32, 1, size[axis]);
        for (int i = 0; i < size[axis]; i++) {
            numbers.setDouble(i, i);
        }
        String offsets = call.step("Mul", columns(step, 1, axis), call.constant("numbers", numbers));
        return call.step("Add", columns(start, 1, axis), offsets);
    }

    private String number(double number) {
        return call.scalar(DType.FLOAT32, number);
    }

    /** A number for each of rows and columns, of how many there are. */
    private String pair(LongToDoubleFunction of) {
        return call.constant(
                "pair",
                Tensor.of(new float[] {(float) of.applyAsDouble(size[0]), (float) of.applyAsDouble(size[1])}, 2));
    }

    private Tensor ones() {
        Tensor ones = Tensor.allocate(DType.BOOL, 2);
        ones.setLong(0, size[0] == 1 ? 1 : 0);
        ones.setLong(1, size[1] == 1 ? 1 : 0);
        return ones;
    }

    private String columns(String rows, long axis, long... indices) {
        return call.step("Gather", List.of(rows, call.constant(indices)), new Params().put("axis", axis));
    }

    /** Flags of boxes by rows or columns, as they broadcast to the samples: whether the places are in the picture. */
    private String within(String start, String step, String ends, int axis) {
        String places = places(start, step, axis);
        String flags = call.step(
                "And",
                call.step("GreaterOrEqual", places, number(0)),
                call.step("LessOrEqual", places, columns(ends, 0, axis)));
        long[] axes = axis == 0 ? new long[] {1, 3} : new long[] {1, 2};
        return call.step("Unsqueeze", List.of(flags), new Params().put("axis", axes));
    }
}
