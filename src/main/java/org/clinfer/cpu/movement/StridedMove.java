package org.clinfer.cpu.movement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/** Operators whose output is a strided view of their input written out. */
record StridedMove(Function<CpuCall, StridedView> view) implements CpuOperator {

    /** Elements of a run that is moved together with its neighbours. */
    private static final int SHORT = 16;

    /** Runs of which one column follows another one, so that what they fill stays in the first cache. */
    private static final int PIECE = 256;

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
        if (source.isTransposed() && call.output().dtype() == DType.FLOAT32) {
            new MatrixMove(source).run(call);
            return;
        }
        CellCopy cells = CellCopy.of(call.input(0), call.output());
        if (source.runLength() < SHORT && !source.isOneRun()) {
            moveByColumns(source, cells, elements, call.parallel());
            return;
        }
        call.parallel()
                .forRange(
                        elements,
                        Chunks.GRAIN,
                        (first, end) -> source.forRuns(
                                first,
                                end - first,
                                (from, at, length) -> cells.copy(from, source.step(), first + at, length)));
    }

    /** Column by column of neighbouring runs: a run would take less time than it does to begin it. */
    private static void moveByColumns(StridedView source, CellCopy cells, int elements, Parallel parallel) {
        int columns = source.runLength();
        StridedView runs = source.ofRuns();
        parallel.forRange(
                elements / columns,
                Math.max(1, Chunks.GRAIN / columns),
                (first, end) -> runs.forRuns(first, end - first, (from, at, length) -> {
                    for (int run = 0; run < length; run += PIECE) {
                        int count = Math.min(PIECE, length - run);
                        for (int column = 0; column < columns; column++) {
                            cells.copy(
                                    from + run * runs.step() + column * source.step(),
                                    runs.step(),
                                    (first + at + run) * columns + column,
                                    columns,
                                    count);
                        }
                    }
                }));
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
