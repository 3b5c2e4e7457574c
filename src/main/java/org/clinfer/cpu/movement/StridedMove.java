package org.clinfer.cpu.movement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.tensor.Shape;

/** Operators whose output is a strided view of their input written out. */
record StridedMove(Function<CpuCall, StridedView> view) implements CpuOperator {

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
        put(
                all,
                "Reorg",
                call -> StridedView.of(
                        call.parameters().integers("view_dims"),
                        call.parameters().integers("view_strides"),
                        0));
        return all;
    }

    private static void put(Map<String, CpuOperator> all, String optype, Function<CpuCall, StridedView> view) {
        all.put(optype, CpuOperator.of(CpuWork.MOVEMENT, new StridedMove(view)));
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
}
