package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Convolution and its transposition in float arithmetic. */
final class FloatConvolution {

    private final ConvolutionLayout layout;
    private final float[] x;
    private final float[] weights;
    private final Epilogue.OfFloats epilogue;
    private final Parallel parallel;

    FloatConvolution(CpuCall call, ConvolutionLayout layout) {
        this.layout = layout;
        this.x = TensorValues.allFloats(call.input(0));
        this.weights = TensorValues.allFloats(call.input(1));
        this.epilogue = new Epilogue.OfFloats(call);
        this.parallel = call.parallel();
    }

    void run(boolean isTransposed) {
        if (isTransposed) {
            List<Stencil> stencils = Stencil.transposed(layout.window());
            long reached = stencils.stream().mapToLong(Stencil::outputs).sum();
            if (reached < layout.window().outElements()) {
                storeZeros();
            }
            multiply(stencils);
        } else if (!layout.isChannelsLast() && DepthwisePlanes.suits(layout)) {
            new DepthwisePlanes(layout).run(x, weights, epilogue, parallel);
        } else {
            multiply(List.of(Stencil.forward(layout.window())));
        }
    }

    private void multiply(List<Stencil> stencils) {
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (Stencil stencil : stencils) {
            for (int group = 0; group < layout.channels().groups(); group++) {
                FilterGroup filters = new FilterGroup(layout, stencil, group);
                parts.add(new MatrixProduct.Part(
                        layout.channels().outPerGroup(),
                        filters.depth(),
                        filters.columns(),
                        filters.weights(weights),
                        new ColumnPanel(x, filters),
                        (sums, span) -> filters.storeRow(sums, span, epilogue)));
            }
        }
        MatrixProduct.run(parts, parallel);
    }

    /** Stores what follows sums of nothing everywhere. */
    private void storeZeros() {
        ConvolutionLayout.Channels channels = layout.channels();
        int positions = layout.window().outElements();
        boolean last = layout.isChannelsLast();
        int line = last ? channels.out() : positions;
        int lines = channels.batch() * (last ? positions : channels.out());
        parallel.forRange(lines, Chunks.grain(line), (from, to) -> {
            float[] sums = new float[Math.min(line, Chunks.SIZE)];
            for (int i = from; i < to; i++) {
                int plane = i * line;
                int channel = i % channels.out();
                Chunks.forEach(0, line, (start, count) -> {
                    Arrays.fill(sums, 0);
                    int first = last ? start : channel;
                    epilogue.store(sums, 0, new Epilogue.Stretch(plane + start, 1, count, first, last));
                });
            }
        });
    }
}
