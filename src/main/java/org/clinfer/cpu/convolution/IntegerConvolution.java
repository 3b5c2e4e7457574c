package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.elements.SumBounds;
import org.clinfer.cpu.matrix.MatrixProduct;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/**
 * Convolution of integers of 8 bits less their zero points in float arithmetic, whose units do more at a time than those of
 * integers. Floats hold sums below 2^24 exactly: all sums of most layers, as their weights show; else those of some 256
 * products, and ints take them from there.
 *
 * @param factors less their zero points
 * @param x as it is
 * @param weights as they are, or null where their zero points differ
 * @param least the smallest number that x may have, at most 0
 * @param most the largest, at least 0
 */
public record IntegerConvolution(
        ConvolutionFactors factors,
        Codes x,
        @Nullable Codes weights,
        ConvolutionLayout layout,
        int least,
        int most,
        @Nullable VectorKernels kernels) {

    private static final int EXACT = 1 << 24;

    /** The order of what {@link #largestSums} keeps. */
    private record Largest(List<Integer> strides) {}

    /**
     * Gives all sums to an epilogue, to one or the other; those beyond 32 bits wrap.
     *
     * @param ofInts takes sums in ints
     * @param ofFloats takes sums that floats hold exactly
     */
    public void run(Epilogue.Store<int[]> ofInts, Epilogue.Store<float[]> ofFloats) {
        Parallel parallel = factors.call().parallel();
        Stencil stencil = Stencil.forward(layout.window());
        if (isDepthwise() && runDepthwise(ofFloats, parallel)) {
            return;
        }
        if (kernels != null && weights != null && !layout.isChannelsLast() && layout.yStrides()[4] == 1) {
            DirectConvolution.Form form = factors.call()
                    .kept(
                            DirectConvolution.Form.class,
                            () -> DirectConvolution.Form.of(layout, List.of(stencil), kernels));
            if (form.suits()) {
                DirectIntegers direct = new DirectIntegers(factors.call(), x, weights, form, kernels);
                int terms = exactTerms(stencil);
                if (terms >= form.places().get(0).depth()) {
                    direct.run(ofFloats);
                } else {
                    direct.run(terms, ofInts);
                }
                return;
            }
        }
        float[] left = allOfX(parallel);
        float[] right = factors.allWeights();
        boolean isWide = layout.hasLongRows();
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (int group = 0; group < layout.channels().groups(); group++) {
            parts.add(
                    isWide
                            ? FilterGroup.ofPixels(layout, stencil, group).integerPixelRows(left, right, ofInts)
                            : FilterGroup.ofChannels(layout, stencil, group).integerChannelRows(left, right, ofInts));
        }
        MatrixProduct.run(parts, parallel, kernels);
    }

    private float[] allOfX(Parallel parallel) {
        float[] all = new float[Math.toIntExact(factors.call().input(0).elements())];
        parallel.forRange(all.length, 1 << 16, (first, end) -> factors.x().read(first, all, first, end - first));
        return all;
    }

    /** {@return whether each channel is a sum of one kernel's products, which floats hold exactly, in the order of x} */
    private boolean isDepthwise() {
        int step = layout.isChannelsLast() ? 1 : layout.window().outElements();
        return layout.window().taps() <= MatrixProduct.DEPTH && layout.yStrides()[1] == step;
    }

    /** Does it channel by channel, if that suits. */
    private boolean runDepthwise(Epilogue.Store<float[]> epilogue, Parallel parallel) {
        if (kernels != null && DepthwiseThrees.suits(layout)) {
            DepthwiseThrees.of(factors.call(), layout, SumBounds.NONE, kernels).run(factors, epilogue, kernels);
        } else if (kernels != null && DepthwiseLines.suits(layout)) {
            DepthwiseLines.of(factors.call(), layout, SumBounds.NONE, kernels).run(factors, epilogue, kernels);
        } else if (layout.isChannelsLast() && DepthwiseRows.suits(layout)) {
            new DepthwiseRows(layout, allOfX(parallel), factors.allWeights(), epilogue).run(parallel);
        } else if (!layout.isChannelsLast() && DepthwisePlanes.suits(layout)) {
            new DepthwisePlanes(layout).run(allOfX(parallel), factors.allWeights(), epilogue, parallel);
        } else {
            return false;
        }
        return true;
    }

    /** Of how many neighbouring terms, in blocks of {@link DirectConvolution#DEPTH}, floats hold all partial sums exactly. */
    private int exactTerms(Stencil stencil) {
        Largest order = new Largest(Arrays.stream(layout.wStrides()).boxed().toList());
        float[] largest = factors.packed(order, all -> largestSums(all, stencil));
        int smaller = Math.min(most, -least);
        int larger = Math.max(most, -least);
        // sums of weights of one sign times the larger, and of the others times the smaller
        if ((double) (larger - smaller) * largest[0] + (double) smaller * largest[1] <= EXACT) {
            return Integer.MAX_VALUE;
        }
        return DirectConvolution.DEPTH * Math.max(1, (int) (EXACT / (largest[2] * larger)));
    }

    /** The largest sum of weights of one sign, and of all magnitudes, that an output channel has; and of those of a block. */
    private float[] largestSums(float[] all, Stencil stencil) {
        double ofOneSign = 0;
        double ofAll = 0;
        double ofBlock = 0;
        for (int group = 0; group < layout.channels().groups(); group++) {
            int[] terms = FilterGroup.ofChannels(layout, stencil, group).terms();
            for (int out = 0; out < layout.channels().outPerGroup(); out++) {
                double positive = 0;
                double negative = 0;
                double before = 0;
                for (int k = 0; k < terms.length; k++) {
                    before = k % DirectConvolution.DEPTH == 0 ? positive + negative : before;
                    float weight = all[terms[k] + out * layout.wStrides()[0]];
                    positive += Math.max(0, weight);
                    negative += Math.max(0, -weight);
                    ofBlock = Math.max(ofBlock, positive + negative - before);
                }
                ofOneSign = Math.max(ofOneSign, Math.max(positive, negative));
                ofAll = Math.max(ofAll, positive + negative);
            }
        }
        return new float[] {Math.nextUp((float) ofOneSign), Math.nextUp((float) ofAll), Math.nextUp((float) ofBlock)};
    }
}
