package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.VectorKernels;

/** Convolution of real numbers, which reads padded channels in place, strip by strip of two vectors. */
final class DirectFloats extends DirectConvolution<float[]> {

    private static final int ROWS = VectorKernels.ROWS;
    private static final int CONFLICTING = 64;

    private final ConvolutionFactors factors;

    /** Those of each stencil. */
    private final List<float[]> weights = new ArrayList<>();

    DirectFloats(ConvolutionFactors factors, Form form, VectorKernels kernels) {
        super(form, ROWS, factors.call().parallel(), kernels);
        this.factors = factors;
        for (Places places : form.places()) {
            weights.add(FilterStrips.of(factors, layout, places.stencil(), places.strips()));
        }
    }

    void run(Epilogue.Store<float[]> epilogue) {
        run(factors.x(), new Cells.OfFloats(0), epilogue);
    }

    @Override
    int pitch(Unit unit) {
        int width = Rounding.roundUp(unit.columns(), lanes);
        return width % CONFLICTING == 0 ? width + lanes : width;
    }

    @Override
    void add(Unit unit, float[] x, int first, int end, float[] sums, int pitch) {
        int depth = unit.places().depth();
        int origin = origin(unit);
        int firstStrip = firstStrip(unit);
        int vectors = Rounding.ceilDiv(unit.columns(), lanes);
        int rows = rows(unit);
        float[] strips = weights.get(unit.places().number());
        for (int term = first; term < end; term += DEPTH) {
            int terms = Math.min(DEPTH, end - term);
            for (int vector = 0; vector < vectors; vector += VectorKernels.VECTORS) {
                int count = Math.min(VectorKernels.VECTORS, vectors - vector);
                for (int strip = 0; strip < unit.strips(); strip++) {
                    kernels.addPacked(
                            strips,
                            ((firstStrip + strip) * depth + term) * ROWS,
                            x,
                            origin + vector * lanes,
                            unit.places().offsets(),
                            term,
                            terms,
                            sums,
                            strip * ROWS * pitch + vector * lanes,
                            pitch,
                            Math.min(ROWS, rows - strip * ROWS),
                            count,
                            term == first);
                }
            }
        }
    }
}
