package org.clinfer.cpu;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Operators whose output is a strided view of their input written out: any type of whole bytes. */
record StridedMove(TypeRule rule, Function<CpuCall, StridedView> view) implements CpuOperator {

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        put(all, "Transpose", StridedMove::transpose);
        put(all, "Slice", StridedMove::slice);
        put(
                all,
                "Expand",
                call -> StridedView.broadcast(
                        call.input(0).shape(), call.output().shape()));
        put(all, "DeePhiTile", StridedMove::tile);
        put(all, "Reorg", StridedMove::reorg);
        return all;
    }

    private static void put(Map<String, CpuOperator> all, String optype, Function<CpuCall, StridedView> view) {
        all.put(optype, new StridedMove(new TypeRule(optype, TypeRule.WHOLE_BYTES), view));
    }

    @Override
    public Optional<String> refusal(List<TensorType> inputs, List<TensorType> outputs) {
        return rule.refusalOfMain(inputs, outputs);
    }

    @Override
    public void run(CpuCall call) {
        int elements = Math.toIntExact(call.output().elements());
        if (elements == 0) {
            return;
        }
        StridedView source = view.apply(call);
        CellCopy cells = CellCopy.of(call.input(0), call.output());
        call.parallel()
                .forRange(
                        elements,
                        Chunks.GRAIN,
                        (first, end) -> source.forRuns(
                                first,
                                end - first,
                                (from, at, length) -> cells.copy(from, source.step(), first + at, length)));
    }

    private static StridedView transpose(CpuCall call) {
        long[] strides = StridedView.stridesOf(call.input(0).shape().sizes());
        int[] perm = call.parameters().ints("perm");
        long[] permuted = Arrays.stream(perm).mapToLong(axis -> strides[axis]).toArray();
        return StridedView.of(call.output().shape().sizes(), permuted, 0);
    }

    private static StridedView slice(CpuCall call) {
        long[] strides = StridedView.stridesOf(call.input(0).shape().sizes());
        long[] begin = call.parameters().integers("begin");
        long[] step = call.parameters().integers("step");
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += begin[axis] * strides[axis];
            strides[axis] *= step[axis];
        }
        return StridedView.of(call.output().shape().sizes(), strides, offset);
    }

    /** Every axis of the output is a repetition, which stays in place, and an axis of the input. */
    private static StridedView tile(CpuCall call) {
        Shape shape = call.input(0).shape();
        long[] own = StridedView.stridesOf(shape.sizes());
        long[] multiples = call.parameters().integers("multiples");
        long[] sizes = new long[2 * own.length];
        long[] strides = new long[sizes.length];
        for (int axis = 0; axis < own.length; axis++) {
            sizes[2 * axis] = multiples[axis];
            sizes[2 * axis + 1] = shape.size(axis);
            strides[2 * axis + 1] = own[axis];
        }
        return StridedView.of(sizes, strides, 0);
    }

    /**
     * Space to depth and back. The deep side has block row i, block column j and shallow channel c in one axis, in the
     * order i, j, c (DCR) or c, i, j (CRD).
     */
    private static StridedView reorg(CpuCall call) {
        Parameters parameters = call.parameters();
        boolean blocksFirst = parameters.text("order").equals("DCR");
        long scale = parameters.integer("scale");
        return parameters.flag("reversed")
                ? depthToSpace(call, scale, blocksFirst)
                : spaceToDepth(call, scale, blocksFirst);
    }

    private static StridedView spaceToDepth(CpuCall call, long scale, boolean blocksFirst) {
        long[] out = call.output().shape().sizes();
        long channels = call.input(0).shape().size(1);
        long width = call.input(0).shape().size(3);
        long plane = call.input(0).shape().size(2) * width;
        long batchStride = channels * plane;
        long[] sizes = blocksFirst
                ? new long[] {out[0], scale, scale, channels, out[2], out[3]}
                : new long[] {out[0], channels, scale, scale, out[2], out[3]};
        long[] strides = blocksFirst
                ? new long[] {batchStride, width, 1, plane, scale * width, scale}
                : new long[] {batchStride, plane, width, 1, scale * width, scale};
        return StridedView.of(sizes, strides, 0);
    }

    private static StridedView depthToSpace(CpuCall call, long scale, boolean blocksFirst) {
        long[] in = call.input(0).shape().sizes();
        long channels = call.output().shape().size(1);
        long plane = in[2] * in[3];
        long channelStride = blocksFirst ? plane : scale * scale * plane;
        long columnStride = blocksFirst ? channels * plane : plane;
        long rowStride = scale * columnStride;
        long[] sizes = {in[0], channels, in[2], scale, in[3], scale};
        long[] strides = {in[1] * plane, channelStride, in[3], rowStride, 1, columnStride};
        return StridedView.of(sizes, strides, 0);
    }
}
