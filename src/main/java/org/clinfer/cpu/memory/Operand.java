package org.clinfer.cpu.memory;

import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** An input walked along the elements of an output it is broadcast to. */
public record Operand(TypedMemory memory, StridedView view) implements Source {

    public static Operand of(Tensor tensor, Shape output) {
        return new Operand(new TypedMemory(tensor), StridedView.broadcast(tensor.shape(), output));
    }

    @Override
    public void load(int from, int count, float[] to) {
        view.forRuns(from, count, (source, at, length) -> memory.load(source, view.step(), length, to, at));
    }

    @Override
    public void load(int from, int count, double[] to) {
        view.forRuns(from, count, (source, at, length) -> memory.load(source, view.step(), length, to, at));
    }

    @Override
    public void load(int from, int count, long[] to) {
        view.forRuns(from, count, (source, at, length) -> memory.load(source, view.step(), length, to, at));
    }
}
