package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Operators that move blocks of the space into the batch or into the channels, and back. */
final class BlockTranslators {

    private BlockTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "SpaceToBatchND", BlockTranslators::spaceToBatch,
                "SpaceToDepth", call -> depth(call, false),
                "DepthToSpace", call -> depth(call, true));
    }

    private static void depth(Call call, boolean reversed) {
        TfValue x = call.input(0, 4);
        DataFormat format = DataFormat.of(call);
        long size = call.node().integer("block_size", 0);
        if (size < 1 || size >= 1 << 15) {
            throw call.malformed("attribute 'block_size' is " + size);
        }
        Params params =
                new Params().put("scale", size).put("reversed", reversed).put("order", "DCR");
        call.give("Reorg", List.of(format.read(call, x)), params, format.second());
    }

    private static long[] blocks(Call call) {
        call.input(2);
        long[] sizes = Blocks.sizes(call, call.node()).orElseThrow(() -> call.unsupportedUse("computed blocks"));
        int rank = call.rank(call.input(0));
        if (sizes.length + 1 > rank) {
            throw call.malformed("its input has " + rank + " axes, but its blocks are " + Arrays.toString(sizes));
        }
        return sizes;
    }

    /** The parameters of a Pad by the borders of the blocks, or by as much less; with borders that are computed, an input more. */
    private static Params borders(Call call, List<String> operands, int rank, boolean cut) {
        long[] sizes = blocks(call);
        Optional<Blocks> known = Blocks.of(call, call.node());
        if (known.isPresent()) {
            long[] pads = new long[2 * rank];
            for (int i = 0; i < 2 * sizes.length; i++) {
                pads[2 + i] = cut ? -known.get().borders()[i] : known.get().borders()[i];
            }
            return new Params().put("pad_with", pads);
        }
        String wide = call.step("Cast", List.of(call.plain(2)), new Params().put("to", DType.INT64.label()));
        String sides = call.step("Transpose", List.of(wide), new Params().put("perm", new long[] {1, 0}));
        String pads = call.step("Reshape", List.of(sides), new Params().put("shape", new long[] {-1}));
        operands.add(cut ? call.step("Neg", pads) : pads);
        return new Params().put("axes", LongStream.rangeClosed(1, sizes.length).toArray());
    }

    /** Padded, then each axis of the space split in two, whose inner ones go in front. */
    private static void spaceToBatch(Call call) {
        long[] blocks = blocks(call);
        TfValue x = call.input(0);
        int rank = call.rank(x);
        int count = blocks.length;
        List<String> operands = new ArrayList<>(List.of(call.plain(x)));
        Params pads = borders(call, operands, rank, false);
        String padded = call.step("Pad", operands, pads);
        Sizes sizes = new Sizes(call, padded);
        List<String> split = new ArrayList<>(List.of(sizes.at(0)));
        List<String> result = new ArrayList<>(List.of(sizes.times(sizes.at(0), product(blocks))));
        for (int i = 0; i < count; i++) {
            String outer = sizes.dividedBy(sizes.at(i + 1), blocks[i]);
            split.addAll(List.of(outer, call.constant(blocks[i])));
            result.add(outer);
        }
        for (int axis = count + 1; axis < rank; axis++) {
            split.add(sizes.at(axis));
            result.add(sizes.at(axis));
        }
        long[] order = new long[rank + count];
        for (int i = 0; i < count; i++) {
            order[i] = 2L * i + 2;
            order[count + 1 + i] = 2L * i + 1;
        }
        order[count] = 0;
        for (int axis = 2 * count + 1; axis < rank + count; axis++) {
            order[axis] = axis;
        }
        String parts = sizes.reshaped(padded, split);
        String turned = call.step("Transpose", List.of(parts), new Params().put("perm", order));
        call.give("Reshape", turned, sizes.joined(result));
    }

    /** The batch split into places of a block, which go behind their axes of the space; then cropped. */
    static void batchToSpace(Call call) {
        long[] blocks = blocks(call);
        TfValue x = call.input(0);
        int rank = call.rank(x);
        int count = blocks.length;
        String plain = call.plain(x);
        Sizes sizes = new Sizes(call, plain);
        List<String> split = new ArrayList<>();
        for (long size : blocks) {
            split.add(call.constant(size));
        }
        String batch = sizes.dividedBy(sizes.at(0), product(blocks));
        split.add(batch);
        List<String> result = new ArrayList<>(List.of(batch));
        for (int axis = 1; axis < rank; axis++) {
            split.add(sizes.at(axis));
            result.add(axis <= count ? sizes.times(sizes.at(axis), blocks[axis - 1]) : sizes.at(axis));
        }
        long[] order = new long[rank + count];
        order[0] = count;
        for (int i = 0; i < count; i++) {
            order[2 * i + 1] = count + 1L + i;
            order[2 * i + 2] = i;
        }
        for (int axis = 2 * count + 1; axis < rank + count; axis++) {
            order[axis] = axis;
        }
        String parts = sizes.reshaped(plain, split);
        String turned = call.step("Transpose", List.of(parts), new Params().put("perm", order));
        String whole = sizes.reshaped(turned, result);
        List<String> operands = new ArrayList<>(List.of(whole));
        Params crops = borders(call, operands, rank, true);
        call.give("Pad", operands, crops);
    }

    private static long product(long[] sizes) {
        return Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    }

    /** Sizes of a value, each a vector of one element that is known when the run is planned. */
    private static final class Sizes {

        private final Call call;
        private final String shape;

        Sizes(Call call, String value) {
            this.call = call;
            this.shape = call.step("Shape", value);
        }

        String at(int axis) {
            long[] one = {axis};
            return call.step("Gather", List.of(shape, call.constant(one)), new Params().put("axis", 0));
        }

        String times(String size, long factor) {
            return call.step("Mul", size, call.constant(factor));
        }

        String dividedBy(String size, long divisor) {
            return call.step("Div", size, call.constant(divisor));
        }

        String joined(List<String> sizes) {
            return call.step("Concat", sizes, new Params().put("axis", 0));
        }

        String reshaped(String value, List<String> sizes) {
            return call.step("Reshape", value, joined(sizes));
        }
    }
}
