package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.StripShape;
import org.clinfer.cpu.vector.VectorKernels;

/**
 * Convolution of integers of 8 bits. They lie in bytes, and some terms of a unit at a time become floats: all its
 * weights, and a panel of columns after the other.
 */
final class DirectIntegers extends DirectConvolution<byte[]> {

    private static final int WEIGHTS = 1;
    private static final int PANEL = VectorKernels.PANEL;

    private final Codes x;
    private final Codes weights;
    private final byte[] strips;

    /** @param form of one stencil */
    DirectIntegers(CpuCall call, Codes x, Codes weights, Form form, VectorKernels kernels) {
        super(form, kernels.strips().rows(), call.parallel(), kernels);
        this.x = x;
        this.weights = weights;
        Places places = form.places().get(0);
        this.strips = call.packedBytes(
                WEIGHTS, places.strips(), () -> FilterStrips.pack(weights, layout, places.stencil(), height, parallel));
    }

    private Cells<byte[]> cells() {
        return new Cells.OfBytes((byte) x.zero());
    }

    void run(Epilogue.Store<float[]> epilogue) {
        run(x, cells(), epilogue);
    }

    /** The same where floats hold the sums of {@code terms} products exactly: ints take them from there. */
    void run(int terms, Epilogue.Store<int[]> epilogue) {
        compute(x, cells(), (unit, from, image) -> {
            int pitch = pitch(unit);
            int[] totals = new int[unit.strips() * height * pitch];
            float[] sums = parallel.scratch().take(totals.length);
            int depth = unit.places().depth();
            for (int term = 0; term < depth; term += terms) {
                add(unit, from, term, Math.min(depth, term + terms), sums, pitch);
                kernels.addIntegers(sums, totals, totals.length);
            }
            parallel.scratch().give(sums);
            store(unit, totals, new int[unit.columns()], pitch, image, epilogue);
        });
    }

    @Override
    int pitch(Unit unit) {
        return Rounding.roundUp(unit.columns(), PANEL);
    }

    @Override
    void add(Unit unit, byte[] from, int first, int end, float[] sums, int pitch) {
        Scratch scratch = parallel.scratch();
        StripShape shape = kernels.strips();
        int depth = unit.places().depth();
        int origin = origin(unit);
        int rows = rows(unit);
        float[] a = scratch.take(unit.strips() * height * shape.pitch());
        float[] panel = scratch.take(shape.terms() * PANEL);
        for (int term = first; term < end; term += shape.terms()) {
            int terms = Math.min(shape.terms(), end - term);
            for (int row = 0; row < unit.strips() * height; row++) {
                int begin = (firstStrip(unit) * height + row) * depth + term;
                kernels.integers(strips, begin, terms, weights.mask(), weights.zero(), a, row * shape.pitch());
            }
            for (int column = 0; column < unit.columns(); column += PANEL) {
                int[] offsets = unit.places().offsets();
                kernels.panel(from, origin + column, offsets, term, terms, x.mask(), x.zero(), panel);
                kernels.multiplyStrips(a, 0, panel, 0, sums, column, pitch, rows, terms, term == first);
            }
        }
        scratch.give(panel);
        scratch.give(a);
    }
}
