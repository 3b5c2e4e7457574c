package org.clinfer.cpu.movement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.SmallFloat;
import org.clinfer.tensor.Tensor;

/** Operators that make tensors from shapes, numbers and types: Shape, Size, ConstantOfShape, Cast, Range. */
final class ShapeOperators {

    private ShapeOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("Shape", ShapeOperators::shape);
        all.put("Size", call -> call.output().setLong(0, call.input(0).elements()));
        all.put("ConstantOfShape", CpuOperator.of(CpuWork.MOVEMENT, ShapeOperators::constant));
        all.put("Cast", CpuOperator.of(CpuWork.SCALAR_ARITHMETIC, ShapeOperators::cast));
        all.put("Range", CpuOperator.of(CpuWork.MOVEMENT, ShapeOperators::range));
        return all;
    }

    private static void shape(CpuCall call) {
        int first = Math.toIntExact(call.parameters().integer("first"));
        int count = Math.toIntExact(call.output().elements());
        long[] sizes = call.input(0).shape().sizes();
        new TypedMemory(call.output()).store(0, count, Arrays.copyOfRange(sizes, first, first + count));
    }

    private static void constant(CpuCall call) {
        Tensor output = call.output();
        Tensor one = Tensor.allocate(output.dtype(), 1);
        one.setDouble(0, call.parameters().real("value"));
        CellCopy cells = CellCopy.of(one, output);
        call.parallel()
                .forRange(
                        Math.toIntExact(output.elements()),
                        Chunks.GRAIN,
                        (first, end) -> cells.copy(0, 0, first, end - first));
    }

    /**
     * Integers keep their low bits where the new type is narrower, as in C; floating values truncate and saturate;
     * to integers of less than a byte these keep their low bits, too, as ONNX has it.
     */
    private static void cast(CpuCall call) {
        Tensor x = call.input(0);
        Tensor y = call.output();
        if (x.dtype() == y.dtype()) {
            y.bytes().put(x.bytes());
            return;
        }
        TypedMemory from = new TypedMemory(x);
        TypedMemory to = new TypedMemory(y);
        boolean floating = x.dtype().isFloating();
        boolean overflows = y.dtype().isSmallFloat() && !call.parameters().flag("saturate");
        Chunks.overOutput(call, (first, end) -> {
            if (y.dtype() == DType.FLOAT8E8M0) {
                castScales(call, from, y, first, end);
            } else if (overflows) {
                castOverflowing(from, y, first, end);
            } else if (x.dtype() == DType.UINT64 && y.dtype().isFloating()) {
                castUnsigned(x, y, first, end);
            } else if (isHeldByFloat(x.dtype()) && isHeldByFloat(y.dtype())) {
                castFloats(from, to, first, end);
            } else if (floating) {
                castReals(from, to, first, end);
            } else {
                castLongs(from, to, first, end);
            }
        });
    }

    private static boolean isHeldByFloat(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    }

    private static void castFloats(TypedMemory from, TypedMemory to, int first, int end) {
        float[] values = new float[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            to.store(start, count, values);
        });
    }

    private static void castReals(TypedMemory from, TypedMemory to, int first, int end) {
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            to.store(start, count, values);
        });
    }

    /** To floats of 8 and 4 bits whose overflow is an infinity or what is no number. */
    private static void castOverflowing(TypedMemory from, Tensor y, int first, int end) {
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            for (int i = 0; i < count; i++) {
                y.setCode(start + i, SmallFloat.code(y.dtype(), values[i], false));
            }
        });
    }

    private static void castScales(CpuCall call, TypedMemory from, Tensor y, int first, int end) {
        boolean saturate = call.parameters().flag("saturate");
        SmallFloat.Rounding rounding =
                SmallFloat.Rounding.valueOf(call.parameters().text("round_mode"));
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            for (int i = 0; i < count; i++) {
                y.setCode(start + i, SmallFloat.scale(values[i], saturate, rounding));
            }
        });
    }

    private static void castUnsigned(Tensor x, Tensor y, int first, int end) {
        for (int i = first; i < end; i++) {
            y.setUnsigned(i, x.getLong(i));
        }
    }

    private static void castLongs(TypedMemory from, TypedMemory to, int first, int end) {
        boolean narrows = to.dtype().isInteger() && to.dtype().bits() < Long.SIZE;
        long[] values = new long[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            for (int i = 0; narrows && i < count; i++) {
                values[i] = to.dtype().lowBits(values[i]);
            }
            to.store(start, count, values);
        });
    }

    private static void range(CpuCall call) {
        Tensor y = call.output();
        Tensor start = call.optionalInput(0);
        Tensor delta = call.optionalInput(2);
        if (start != null && delta != null && isInteger(y) && isInteger(start) && isInteger(delta)) {
            integerRange(y, start, delta);
            return;
        }
        double first = call.parameters().real("start");
        double step = call.parameters().real("delta");
        for (long i = 0; i < y.elements(); i++) {
            y.setDouble(i, first + i * step);
        }
    }

    /** Read from the tensors, because a double does not hold every long. */
    private static void integerRange(Tensor y, Tensor start, Tensor delta) {
        long first = start.getLong(0);
        long step = delta.getLong(0);
        for (long i = 0; i < y.elements(); i++) {
            y.setLong(i, first + i * step);
        }
    }

    private static boolean isInteger(Tensor tensor) {
        return tensor.dtype().isInteger();
    }
}
