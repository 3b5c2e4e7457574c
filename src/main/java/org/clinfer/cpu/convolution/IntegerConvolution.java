package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.matrix.MatrixProduct;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/**
 * Convolution of integers of 8 bits less their zero points in float arithmetic, whose units do more at a time than those of
 * integers: floats hold the sums of some 256 products exactly, and ints take them from there.
 */
public final class IntegerConvolution {

    private final ConvolutionLayout layout;
    private final Parallel parallel;
    private final @Nullable VectorKernels kernels;

    public IntegerConvolution(ConvolutionLayout layout, Parallel parallel, @Nullable VectorKernels kernels) {
        this.layout = layout;
        this.parallel = parallel;
        this.kernels = kernels;
    }

    /**
     * Gives all sums to {@code epilogue}; those beyond 32 bits wrap.
     *
     * @param x integers of at most {@link MatrixProduct#MAX_INTEGER} in magnitude, as are the weights
     */
    public void run(float[] x, float[] weights, Epilogue.Store<int[]> epilogue) {
        if (layout.window().taps() <= MatrixProduct.DEPTH && runDepthwise(x, weights, epilogue)) {
            return;
        }
        Stencil stencil = Stencil.forward(layout.window());
        boolean isWide = layout.hasLongRows();
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (int group = 0; group < layout.channels().groups(); group++) {
            parts.add(
                    isWide
                            ? FilterGroup.ofPixels(layout, stencil, group).integerPixelRows(x, weights, epilogue)
                            : FilterGroup.ofChannels(layout, stencil, group).integerChannelRows(x, weights, epilogue));
        }
        MatrixProduct.run(parts, parallel, kernels);
    }

    /** Does it channel by channel, if that suits; the sums are those of one kernel, which floats hold exactly. */
    private boolean runDepthwise(float[] x, float[] weights, Epilogue.Store<int[]> epilogue) {
        boolean isLast = layout.isChannelsLast();
        if (layout.yStrides()[1] != (isLast ? 1 : layout.window().outElements())) {
            return false;
        }
        Epilogue.Store<float[]> converted = (sums, at, stretch) -> {
            int[] exact = new int[stretch.count()];
            for (int i = 0; i < exact.length; i++) {
                exact[i] = (int) sums[at + i];
            }
            epilogue.store(exact, 0, stretch);
        };
        if (isLast && DepthwiseRows.suits(layout)) {
            new DepthwiseRows(layout, x, weights, converted).run(parallel);
            return true;
        }
        if (!isLast && DepthwisePlanes.suits(layout)) {
            new DepthwisePlanes(layout).run(x, weights, converted, parallel);
            return true;
        }
        return false;
    }
}
