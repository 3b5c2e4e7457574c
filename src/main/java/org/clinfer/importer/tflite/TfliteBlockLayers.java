package org.clinfer.importer.tflite;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Borders around a tensor, and blocks of the space that move into the channels or the batch and back. */
final class TfliteBlockLayers {

    private static final int MOST_SIZE = 1 << 15;
    private static final long MOST_BORDER = 1L << 30;

    private TfliteBlockLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("PAD", call -> pad(call, "CONSTANT", 2));
        all.one("PADV2", call -> pad(call, "CONSTANT", 3));
        all.one("MIRROR_PAD", call -> pad(call, call.options().word("mode", List.of("REFLECT", "SYMMETRIC")), 2));
        all.one("SPACE_TO_DEPTH", call -> depth(call, false));
        all.one("DEPTH_TO_SPACE", call -> depth(call, true));
        all.one("SPACE_TO_BATCH_ND", TfliteBlockLayers::spaceToBatch);
        all.one("BATCH_TO_SPACE_ND", TfliteBlockLayers::batchToSpace);
    }

    /** Quantized numbers are padded with the one that stands for 0, or with one of the same scale. */
    private static Value pad(TfliteCall call, String mode, int inputs) {
        call.requireInputs(inputs, inputs);
        boolean kept = call.isKept(0) && (inputs < 3 || call.isKept(2));
        TfliteValue x = kept ? call.stored(0) : call.real(0);
        Params params = new Params().put("mode", mode);
        if (mode.equals("CONSTANT")) {
            params.put("constant_value", border(call, kept, inputs));
        }
        long[] widths = call.requiredIntegers(1, "width of a border");
        int rank = x.rank();
        if (widths.length != 2 * rank || Arrays.stream(widths).anyMatch(width -> width < 0 || width >= MOST_BORDER)) {
            throw call.malformed("its borders of " + rank + " axes are " + TfliteCall.shown(widths));
        }
        if (ChannelAxes.isAroundSpace(widths)) {
            x = new TfliteValue(call.second(x), true); // the convolution behind it takes them so
        }
        long[] held = new long[2 * rank];
        for (int axis = 0; axis < rank; axis++) {
            int own = x.heldAxis(axis);
            held[2 * own] = widths[2 * axis];
            held[2 * own + 1] = widths[2 * axis + 1];
        }
        return call.each("Pad", params.put("pad_with", held), x);
    }

    private static double border(TfliteCall call, boolean kept, int inputs) {
        if (inputs < 3) {
            return kept ? TfliteQuantizedOperators.zeroPoint(call.tensor(0)) : 0;
        }
        Tensor value = call.constant(2).orElseThrow(() -> call.unsupportedUse("a computed border"));
        if (value.elements() != 1) {
            throw call.malformed("its border must be one number, but is " + value.type());
        }
        Optional<TfliteQuantization> steps = call.tensor(2).quantization().filter(found -> !kept);
        double stored = value.getDouble(0);
        return steps.map(found -> (stored - found.zero(0)) * found.scale()).orElse(stored);
    }

    private static Value depth(TfliteCall call, boolean reversed) {
        call.requireInputs(1, 1);
        call.stored(0, 4);
        int size = call.options().size("block_size", 1);
        if (size >= MOST_SIZE) {
            throw call.options().wrong("block_size", "it is " + size);
        }
        Params params =
                new Params().put("scale", (long) size).put("reversed", reversed).put("order", "DCR");
        return call.give(call.add("Reorg", params, call.second(call.kept(0))), true);
    }

    /** The sizes of blocks along the first axes of the space, and the borders that are added or cut there. */
    private static final class Blocks {

        private final long[] sizes;
        private final long[] borders;
        private final TfliteValue x;

        Blocks(long[] sizes, long[] borders, TfliteValue x) {
            this.sizes = sizes;
            this.borders = borders;
            this.x = x;
        }

        long[] sizes() {
            return sizes;
        }

        TfliteValue x() {
            return x;
        }

        static Blocks of(TfliteCall call) {
            call.requireInputs(3, 3);
            long[] sizes = call.requiredIntegers(1, "size of a block");
            long[] borders = call.requiredIntegers(2, "width of a border");
            TfliteValue x = call.kept(0);
            boolean fits = Arrays.stream(sizes).allMatch(size -> size >= 1 && size < MOST_SIZE)
                    && borders.length == 2 * sizes.length
                    && sizes.length < x.rank()
                    && Arrays.stream(borders).allMatch(border -> border >= 0 && border < MOST_BORDER);
            if (!fits) {
                throw call.malformed(
                        "its blocks are " + TfliteCall.shown(sizes) + ", its borders " + TfliteCall.shown(borders));
            }
            if (Arrays.stream(known(x.shape())).skip(1).anyMatch(size -> size < 0)) {
                throw call.unsupportedUse("sizes that are not known");
            }
            return new Blocks(sizes, borders, x);
        }

        /** Sizes of which only the batch may be unknown; it is -1 then, as Reshape takes it. */
        static long[] known(Shape shape) {
            return shape.dims().stream()
                    .mapToLong(dim -> dim instanceof Dim.Known known ? known.size() : -1)
                    .toArray();
        }

        int count() {
            return sizes.length;
        }

        long volume() {
            return Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
        }

        /** The borders as a Pad has them; cut ones are below 0. */
        Params pads(int rank, int sign) {
            long[] pads = new long[2 * rank];
            for (int i = 0; i < borders.length; i++) {
                pads[2 + i] = sign * borders[i];
            }
            return new Params().put("pad_with", pads);
        }
    }

    private static Value reshaped(TfliteCall call, Value x, long[] sizes) {
        return call.add("Reshape", new Params().put("shape", sizes).put("allow_zero", true), x);
    }

    /** Padded, then each axis of the space split in two, whose inner ones go in front. */
    private static Value spaceToBatch(TfliteCall call) {
        Blocks blocks = Blocks.of(call);
        int rank = blocks.x().rank();
        int count = blocks.count();
        double zero = call.isKept(0) ? TfliteQuantizedOperators.zeroPoint(call.tensor(0)) : 0;
        Value padded = call.add("Pad", blocks.pads(rank, 1).put("constant_value", zero), call.plain(blocks.x()));
        Shape shape = padded.shape();
        long[] split = new long[rank + count];
        long[] result = Blocks.known(shape);
        long[] order = ChannelAxes.range(0, rank + count);
        split[0] = result[0];
        result[0] = split[0] < 0 ? -1 : split[0] * blocks.volume();
        for (int i = 0; i < count; i++) {
            long size = blocks.sizes()[i];
            if (shape.size(i + 1) % size != 0) {
                throw call.malformed("axis " + (i + 1) + " of " + shape + " has no whole number of blocks of " + size);
            }
            result[i + 1] = shape.size(i + 1) / size;
            split[2 * i + 1] = result[i + 1];
            split[2 * i + 2] = size;
            order[i] = 2L * i + 2;
            order[count + 1 + i] = 2L * i + 1;
        }
        order[count] = 0;
        System.arraycopy(result, count + 1, split, 2 * count + 1, rank - count - 1);
        Value parts = reshaped(call, padded, split);
        return reshaped(call, call.add("Transpose", new Params().put("perm", order), parts), result);
    }

    /** The batch split into the elements of a block, which go behind their axes of the space; then cropped. */
    private static Value batchToSpace(TfliteCall call) {
        Blocks blocks = Blocks.of(call);
        Shape shape = blocks.x().shape();
        int rank = shape.rank();
        int count = blocks.count();
        long[] result = Blocks.known(shape);
        long batch = result[0];
        if (batch > 0 && batch % blocks.volume() != 0) {
            throw call.malformed(
                    "its batch of " + batch + " has no whole number of blocks of " + TfliteCall.shown(blocks.sizes()));
        }
        long[] split = new long[rank + count];
        long[] order = ChannelAxes.range(0, rank + count);
        System.arraycopy(blocks.sizes(), 0, split, 0, count);
        split[count] = batch < 0 ? -1 : batch / blocks.volume();
        System.arraycopy(result, 1, split, count + 1, rank - 1);
        result[0] = split[count];
        order[0] = count;
        for (int i = 0; i < count; i++) {
            result[i + 1] = shape.size(i + 1) * blocks.sizes()[i];
            order[2 * i + 1] = count + 1L + i;
            order[2 * i + 2] = i;
        }
        Value parts = reshaped(call, call.plain(blocks.x()), split);
        Value whole = reshaped(call, call.add("Transpose", new Params().put("perm", order), parts), result);
        return call.add("Pad", blocks.pads(rank, -1), whole);
    }
}
