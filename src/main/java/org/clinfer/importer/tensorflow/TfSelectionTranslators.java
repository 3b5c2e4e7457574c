package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.BatchedGather;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** Operators that join, cut apart, pick or pad along axes. */
final class TfSelectionTranslators {

    private TfSelectionTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                Map.entry("Concat", call -> concat(call, 0)),
                Map.entry("ConcatV2", call -> concat(call, call.inputs().size() - 1)),
                Map.entry("Split", TfSelectionTranslators::split),
                Map.entry("SplitV", TfSelectionTranslators::splitBySizes),
                Map.entry("Pack", TfSelectionTranslators::pack),
                Map.entry("Unpack", TfSelectionTranslators::unpack),
                Map.entry("Gather", TfSelectionTranslators::gather),
                Map.entry("GatherV2", TfSelectionTranslators::gather),
                Map.entry("GatherNd", TfSelectionTranslators::gatherPlaces),
                Map.entry("Pad", TfSelectionTranslators::pad),
                Map.entry("PadV2", TfSelectionTranslators::pad),
                Map.entry("MirrorPad", TfSelectionTranslators::pad));
    }

    private static void concat(TfCall call, int axisInput) {
        long axis = call.requiredInteger(axisInput, "axis");
        List<TfValue> parts = new ArrayList<>(call.inputs());
        parts.remove(axisInput);
        if (parts.isEmpty()) {
            throw call.malformed("it joins nothing");
        }
        boolean known = parts.stream().allMatch(part -> part.shape().isPresent());
        if (!known) {
            List<String> names = parts.stream().map(call::plain).toList();
            TfValue joined = call.give("Concat", names, new Params().put("axis", axis));
            call.commonRank(parts).ifPresent(rank -> call.declare(joined, KnownType.anyShape(rank)));
            return;
        }
        int rank = call.rank(parts.get(0));
        if (parts.stream().anyMatch(part -> !part.hasRank(rank))) {
            throw call.malformed("it joins values of different numbers of axes");
        }
        int along = call.axis(axis, rank);
        boolean second = parts.stream().anyMatch(TfValue::second);
        List<String> names = parts.stream()
                .map(part -> second ? call.second(part) : call.plain(part))
                .toList();
        Params params = new Params().put("axis", second ? ChannelAxes.inSecond(along, rank) : along);
        call.give("Concat", names, params, second);
    }

    private static void split(TfCall call) {
        TfValue x = call.input(1);
        int parts = call.count(call.node().integer("num_split", 0));
        int axis = call.axis(call.requiredInteger(0, "axis"), call.rank(x));
        Optional<Long> size = x.size(axis);
        if (size.filter(known -> known % parts != 0).isPresent()) {
            throw call.malformed("axis " + axis + " of size " + size.get() + " cannot be cut into " + parts);
        }
        split(call, x, axis, parts, new Params());
    }

    private static void splitBySizes(TfCall call) {
        TfValue x = call.input(0);
        long[] sizes = call.requiredIntegers(1, "sizes");
        int axis = call.axis(call.requiredInteger(2, "axis"), call.rank(x));
        call.count(sizes.length);
        if (call.node().integer("num_split", sizes.length) != sizes.length) {
            throw call.malformed("attribute 'num_split' is " + call.node().integer("num_split", 0) + ", but it has "
                    + sizes.length + " sizes");
        }
        int open = indexOfOpen(call, sizes);
        if (open >= 0) {
            long rest = x.size(axis).orElseThrow(() -> call.unsupportedUse("a size that follows from the others"));
            sizes[open] = rest - Arrays.stream(sizes).sum() - 1;
        }
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            throw call.malformed("its sizes are " + Arrays.toString(sizes));
        }
        split(call, x, axis, sizes.length, new Params().put("split", sizes));
    }

    private static int indexOfOpen(TfCall call, long[] sizes) {
        int open = -1;
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] == -1) {
                if (open >= 0) {
                    throw call.malformed("its sizes are " + Arrays.toString(sizes));
                }
                open = i;
            }
        }
        return open;
    }

    private static void split(TfCall call, TfValue x, int axis, int parts, Params params) {
        params.put("axis", x.second() ? ChannelAxes.inSecond(axis, call.rank(x)) : axis)
                .put("num_outputs", parts);
        call.giveAll("Split", List.of(x.stored()), params, parts, x.second());
    }

    private static void pack(TfCall call) {
        List<TfValue> parts = call.inputs();
        call.input(0);
        long axis = call.node().integer("axis", 0);
        Params at = new Params().put("axis", new long[] {axis});
        List<String> names = parts.stream()
                .map(part -> call.step("Unsqueeze", List.of(call.plain(part)), at))
                .toList();
        parts.get(0).rank().ifPresent(rank -> call.axis(axis, rank + 1));
        call.give("Concat", names, new Params().put("axis", axis));
    }

    private static void unpack(TfCall call) {
        TfValue x = call.input(0);
        int count = call.count(call.node().integer("num", 0));
        long axis = call.node().integer("axis", 0);
        Optional<Long> size = x.shape().flatMap(known -> x.size(call.axis(axis, known.rank())));
        if (size.isPresent() && size.get() != count) {
            throw call.malformed("attribute 'num' is " + count + ", but there are " + size.get() + " parts");
        }
        for (int port = 0; port < count; port++) {
            String index = call.constant("index", Tensor.scalar((long) port));
            call.give(port, "Gather", List.of(call.plain(x), index), new Params().put("axis", axis), false);
        }
    }

    private static void gather(TfCall call) {
        TfValue x = call.input(0);
        TfValue indices = call.input(1);
        long axis = call.inputs().size() > 2 ? call.requiredInteger(2, "axis") : 0;
        x.rank().ifPresent(rank -> call.axis(axis, rank));
        long batches = call.node().integer("batch_dims", 0);
        if (batches != 0) {
            gatherOfBatches(call, axis, batches);
            return;
        }
        call.give("Gather", List.of(call.plain(x), call.plain(indices)), new Params().put("axis", axis));
    }

    /** With batches that the indices have too, each takes its own ones, along the first axis behind them. */
    private static void gatherOfBatches(TfCall call, long axis, long batches) {
        int rank = call.rank(call.input(1));
        long counted = batches < 0 ? batches + rank : batches;
        int dataRank = call.rank(call.input(0));
        int along = call.axis(axis, dataRank);
        if (counted < 1 || counted > rank || along < counted) {
            throw call.unsupportedUse("batch_dims " + batches + " and axis " + axis);
        }
        String rows = call.step("Unsqueeze", List.of(call.plain(1)), new Params().put("axis", new long[] {rank}));
        Params ofBatches = new Params().put("batch_dims", counted);
        BatchedGather gather = new BatchedGather((int) counted, along, dataRank, rank);
        if (gather.isInPlace()) {
            call.give("GatherND", List.of(call.plain(0), rows), ofBatches);
            return;
        }
        String data = call.step("Transpose", List.of(call.plain(0)), new Params().put("perm", gather.front()));
        String gathered = call.step("GatherND", List.of(data, rows), ofBatches);
        call.give("Transpose", List.of(gathered), new Params().put("perm", gather.back()));
    }

    /** Elements, or what is behind them, by rows of indices along the first axes. */
    private static void gatherPlaces(TfCall call) {
        TfScatterTranslators.requirePlainPolicy(call);
        Params params = new Params().put("batch_dims", call.node().integer("batch_dims", 0));
        call.give("GatherND", List.of(call.plain(0), call.plain(1)), params);
    }

    private static void pad(TfCall call) {
        TfValue x = call.input(0);
        String mode = call.node().op().equals("MirrorPad") ? call.node().text("mode", "REFLECT") : "CONSTANT";
        if (!List.of("CONSTANT", "REFLECT", "SYMMETRIC").contains(mode)) {
            throw call.malformed("attribute 'mode' is " + mode);
        }
        Params params = new Params().put("mode", mode.toUpperCase(Locale.ROOT));
        String computed = "";
        if (call.node().op().equals("PadV2")) {
            Optional<Tensor> value = call.constant(2);
            if (value.isPresent() && value.get().elements() != 1) {
                throw call.malformed(
                        "its constant must be one number, but is " + value.get().type());
            }
            value.ifPresent(known -> params.put("constant_value", known.getDouble(0)));
            computed = value.isPresent() ? "" : call.plain(2);
        }
        Optional<long[]> widths = call.constant(1)
                .filter(tensor -> tensor.dtype().isInteger() && tensor.elements() <= Integers.MOST)
                .map(Tensor::toLongArray);
        if (widths.isEmpty()) {
            padByTensor(call, x, computed, params);
            return;
        }
        long[] pairs = widths.get();
        if (pairs.length % 2 != 0 || Arrays.stream(pairs).anyMatch(width -> width < 0 || width >= 1 << 30)) {
            throw call.malformed("its paddings are " + Arrays.toString(pairs));
        }
        int rank = pairs.length / 2;
        if (x.shape().isPresent() && !x.hasRank(rank)) {
            throw call.malformed("its paddings are of " + rank + " axes, but its input has " + call.rank(x));
        }
        call.input(0, rank);
        boolean second = x.second() || (x.hasRank(rank) && ChannelAxes.isAroundSpace(pairs));
        long[] ours = pairs.clone();
        for (int axis = 0; axis < rank; axis++) {
            int stored = second ? ChannelAxes.inSecond(axis, rank) : axis;
            ours[2 * stored] = pairs[2 * axis];
            ours[2 * stored + 1] = pairs[2 * axis + 1];
        }
        String stored = second ? call.second(x) : x.stored(); // the convolution behind it takes them so
        call.give("Pad", List.of(stored, "", computed), params.put("pad_with", ours), second);
    }

    /** Widths as rows of before and after become all before, then all after. */
    private static void padByTensor(TfCall call, TfValue x, String computed, Params params) {
        long[] swapped = {1, 0};
        String columns = call.step("Transpose", List.of(call.plain(1)), new Params().put("perm", swapped));
        String widths = call.step("Reshape", List.of(columns), new Params().put("shape", new long[] {-1}));
        call.give("Pad", List.of(call.plain(x), widths, computed), params);
    }
}
