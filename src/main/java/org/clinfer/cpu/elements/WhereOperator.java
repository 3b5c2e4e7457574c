package org.clinfer.cpu.elements;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Chooses between two broadcast tensors of any type of whole bytes by a broadcast condition. */
final class WhereOperator implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        Operand condition = Operand.of(call.input(0), output.shape());
        Tensor a = call.input(1);
        Tensor b = call.input(2);
        StridedView aView = StridedView.broadcast(a.shape(), output.shape());
        StridedView bView = StridedView.broadcast(b.shape(), output.shape());
        CellCopy fromB = CellCopy.of(b, output);
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            long[] chosen = new long[Math.min(Chunks.SIZE, end - first)];
            ByteBuffer scratch = scratch(chosen.length, output.dtype());
            CellCopy fromA = new CellCopy(a.bytes(), scratch, fromB.width());
            CellCopy choice = new CellCopy(scratch, output.bytes(), fromB.width());
            Chunks.forEach(first, end, (start, count) -> {
                condition.load(start, count, chosen);
                bView.forRuns(
                        start, count, (source, at, length) -> fromB.copy(source, bView.step(), start + at, length));
                aView.forRuns(start, count, (source, at, length) -> fromA.copy(source, aView.step(), at, length));
                choice.choose(chosen, start, count);
            });
        });
    }

    private static ByteBuffer scratch(int cells, DType dtype) {
        return ByteBuffer.allocate(cells * CellCopy.width(dtype)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
