package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;

/** Operators that move blocks of the space into the batch or into the channels, and back. */
final class BlockTranslators {

    private BlockTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "SpaceToBatchND", call -> space(call, "SpaceToBatch"),
                "SpaceToBatch", call -> square(call, "SpaceToBatch"),
                "BatchToSpace", call -> square(call, "BatchToSpace"),
                "SpaceToDepth", call -> depth(call, false),
                "DepthToSpace", call -> depth(call, true));
    }

    private static long blockSize(TfCall call) {
        long size = call.node().integer("block_size", 0);
        if (size < 1 || size >= 1 << 15) {
            throw call.malformed("attribute 'block_size' is " + size);
        }
        return size;
    }

    /** The older operators, of pictures and square blocks. */
    private static void square(TfCall call, String op) {
        long size = blockSize(call);
        TfValue x = call.input(0, 4);
        long[] borders = call.constant(1)
                .filter(tensor -> tensor.dtype().isInteger() && tensor.elements() == 4)
                .orElseThrow(() -> call.unsupportedUse("borders that are not four constants"))
                .toLongArray();
        if (Arrays.stream(borders).anyMatch(border -> border < 0 || border >= 1 << 30)) {
            throw call.malformed("its borders are " + Arrays.toString(borders));
        }
        Params params = new Params().put("block", new long[] {size, size}).put("borders", borders);
        call.give(op, List.of(call.plain(x)), params);
    }

    private static void depth(TfCall call, boolean reversed) {
        TfValue x = call.input(0, 4);
        DataFormat format = DataFormat.of(call);
        Params params = new Params()
                .put("scale", blockSize(call))
                .put("reversed", reversed)
                .put("order", "DCR");
        call.give("Reorg", List.of(format.read(call, x)), params, format.second());
    }

    private static long[] blocks(TfCall call) {
        call.input(2);
        long[] sizes = Blocks.sizes(call, call.node()).orElseThrow(() -> call.unsupportedUse("computed blocks"));
        int rank = call.rank(call.input(0));
        if (sizes.length + 1 > rank) {
            throw call.malformed("its input has " + rank + " axes, but its blocks are " + Arrays.toString(sizes));
        }
        return sizes;
    }

    /** Borders that are computed are an input; others are a parameter. */
    static void space(TfCall call, String op) {
        Params params = new Params().put("block", blocks(call));
        List<String> operands = new ArrayList<>(List.of(call.plain(0)));
        Optional<Blocks> known = Blocks.of(call, call.node());
        if (known.isPresent()) {
            params.put("borders", known.get().borders());
        } else {
            operands.add(call.step("Reshape", List.of(call.plain(2)), new Params().put("shape", new long[] {-1})));
        }
        call.give(op, operands, params);
    }
}
