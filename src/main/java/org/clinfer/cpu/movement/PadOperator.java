package org.clinfer.cpu.movement;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Pads and cuts. Output element o of an axis shows input element o - before; where that lies outside, the mode folds it
 * back onto the axis as it was before cutting, or the constant of that axis and side stands there. Of several axes
 * outside at once the last one gives the constant, as if the axes were padded one after another.
 */
final class PadOperator implements CpuOperator {

    private static final int BEFORE = -1;
    private static final int AFTER = -2;

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        if (output.elements() == 0) {
            return;
        }
        Plan plan = new Plan(call);
        int rows = Math.toIntExact(output.elements() / plan.rowLength());
        call.parallel().forRange(rows, Chunks.grain(plan.rowLength()), (first, end) -> {
            for (int row = first; row < end; row++) {
                plan.fill(row);
            }
        });
    }

    /** The origin of each output index of each axis. */
    private static final class Plan {
        private final int[][] origins;
        private final long[] strides;
        private final Tensor constants;
        private final CellCopy cells;
        private final CellCopy constantCells;

        Plan(CpuCall call) {
            Tensor x = call.input(0);
            Tensor y = call.output();
            long[] before = call.parameters().integers("before");
            String mode = call.parameters().text("mode");
            int rank = Math.max(1, x.shape().rank());
            origins = new int[rank][];
            origins[0] = new int[] {0};
            for (int axis = 0; axis < x.shape().rank(); axis++) {
                origins[axis] = origins(axis, before[axis], x.shape(), y.shape(), mode);
            }
            strides = x.shape().rank() == 0
                    ? new long[] {1}
                    : StridedView.stridesOf(x.shape().sizes());
            constants = constants(call, y.dtype(), 2 * rank);
            cells = CellCopy.of(x, y);
            constantCells = CellCopy.of(constants, y);
        }

        /** One constant per axis and side. */
        private static Tensor constants(CpuCall call, DType dtype, int count) {
            Tensor constants = Tensor.allocate(dtype, count);
            if (dtype.isFloating()) {
                double[] values = call.parameters().reals("real_constants");
                new TypedMemory(constants).store(0, values.length, values);
            } else {
                long[] values = call.parameters().integers("integer_constants");
                new TypedMemory(constants).store(0, values.length, values);
            }
            return constants;
        }

        private static int[] origins(int axis, long before, Shape x, Shape y, String mode) {
            int size = Math.toIntExact(x.size(axis));
            int[] origins = new int[Math.toIntExact(y.size(axis))];
            for (int i = 0; i < origins.length; i++) {
                long position = i - before;
                if (position >= 0 && position < size) {
                    origins[i] = (int) position;
                } else if (mode.equals("CONSTANT")) {
                    origins[i] = position < 0 ? BEFORE : AFTER;
                } else if (size == 0) {
                    throw new DataException(
                            "Pad: axis " + axis + " of " + x + " is empty, so mode " + mode + " has nothing to repeat");
                } else {
                    origins[i] = folded(position, size, mode);
                }
            }
            return origins;
        }

        private static int folded(long position, int size, String mode) {
            return switch (mode) {
                case "EDGE" -> position < 0 ? 0 : size - 1;
                case "WRAP" -> (int) Math.floorMod(position, (long) size);
                case "SYMMETRIC" -> {
                    long within = Math.floorMod(position, 2L * size);
                    yield (int) (within < size ? within : 2L * size - 1 - within);
                }
                case "REFLECT" -> {
                    long period = Math.max(1, 2L * (size - 1));
                    long within = Math.floorMod(position, period);
                    yield (int) (within < size ? within : period - within);
                }
                default -> throw new IllegalArgumentException("Pad: unknown mode " + mode);
            };
        }

        int rowLength() {
            return origins[origins.length - 1].length;
        }

        /** Writes one row of the innermost axis. */
        void fill(int row) {
            int last = origins.length - 1;
            int source = 0;
            int constant = -1;
            int rest = row;
            for (int axis = last - 1; axis >= 0; axis--) {
                int origin = origins[axis][rest % origins[axis].length];
                rest /= origins[axis].length;
                if (origin >= 0) {
                    source += (int) (origin * strides[axis]);
                } else if (constant < 0) {
                    constant = constantOf(axis, origin);
                }
            }
            fillRow(origins[last], row * rowLength(), source, constant);
        }

        /** Copies runs of neighbours at once; {@code constant} is where the outer axes are outside, else -1. */
        private void fillRow(int[] origin, int target, int source, int constant) {
            int last = origins.length - 1;
            int at = 0;
            while (at < origin.length) {
                int end = at + 1;
                if (origin[at] < 0 || constant >= 0) {
                    while (end < origin.length
                            && (origin[end] < 0 ? origin[end] : 0) == (origin[at] < 0 ? origin[at] : 0)) {
                        end++;
                    }
                    int position = origin[at] < 0 ? constantOf(last, origin[at]) : constant;
                    constantCells.copy(position, 0, target + at, end - at);
                } else {
                    while (end < origin.length && origin[end] == origin[end - 1] + 1) {
                        end++;
                    }
                    cells.copy(source + origin[at], 1, target + at, end - at);
                }
                at = end;
            }
        }

        private static int constantOf(int axis, int side) {
            return 2 * axis + (side == BEFORE ? 0 : 1);
        }
    }
}
