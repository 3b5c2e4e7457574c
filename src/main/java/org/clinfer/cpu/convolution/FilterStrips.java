package org.clinfer.cpu.convolution;

import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.VectorKernels;

/** Weights in the order in which tiles read them: [group][rows of a strip of output channels][term][output channel]. */
final class FilterStrips {

    private FilterStrips() {}

    /** The channels, strides and taps, which decide the order. */
    record Form(ConvolutionLayout.Channels channels, List<Integer> strides, List<Integer> taps) {

        static Form of(ConvolutionLayout layout, Stencil stencil) {
            ConvolutionLayout.Channels channels = layout.channels();
            return new Form(
                    new ConvolutionLayout.Channels(1, channels.in(), channels.out(), channels.groups()),
                    Arrays.stream(layout.wStrides()).boxed().toList(),
                    stencil.taps().stream()
                            .map(tap -> layout.tapOffset(tap.at()))
                            .toList());
        }
    }

    /** Output channels of a group in strips of {@code height}; the last one is filled up with zeros. */
    static int strips(ConvolutionLayout layout, int height) {
        return Rounding.ceilDiv(layout.channels().outPerGroup(), height);
    }

    /** The strips of all groups for the taps of one stencil, kept where the weights are a constant. */
    static float[] of(ConvolutionFactors factors, ConvolutionLayout layout, Stencil stencil, Form form) {
        int height = VectorKernels.ROWS;
        Parallel parallel = factors.call().parallel();
        return factors.packed(form, values -> {
            float[] packed = new float[elements(layout, stencil, height)];
            int depth = depth(layout, stencil);
            pack(
                    layout,
                    stencil,
                    height,
                    parallel,
                    (from, strip, row, k) -> packed[(strip * depth + k) * height + row] = values[from]);
            return packed;
        });
    }

    /** The same for integers of 8 bits, row by row, as many as strips of {@code height} have. */
    static byte[] pack(Codes weights, ConvolutionLayout layout, Stencil stencil, int height, Parallel parallel) {
        byte[] packed = new byte[elements(layout, stencil, height)];
        int depth = depth(layout, stencil);
        pack(
                layout,
                stencil,
                height,
                parallel,
                (from, strip, row, k) -> packed[(strip * height + row) * depth + k] =
                        weights.bytes().get(from));
        return packed;
    }

    private static int elements(ConvolutionLayout layout, Stencil stencil, int height) {
        int rows = Math.multiplyExact(layout.channels().groups() * strips(layout, height), height);
        return Math.multiplyExact(rows, depth(layout, stencil));
    }

    private static int depth(ConvolutionLayout layout, Stencil stencil) {
        return layout.channels().inPerGroup() * stencil.taps().size();
    }

    /** Moves one weight to its place as a term of a row of a strip. */
    @FunctionalInterface
    private interface Move {
        void move(int from, int strip, int row, int term);
    }

    private static void pack(ConvolutionLayout layout, Stencil stencil, int height, Parallel parallel, Move move) {
        int strips = strips(layout, height);
        int groups = layout.channels().groups();
        int outStep = layout.wStrides()[0];
        int depth = depth(layout, stencil);
        parallel.forRange(groups * strips, Math.max(1, (1 << 13) / Math.max(1, depth)), (from, to) -> {
            int group = -1;
            int[] terms = {};
            for (int strip = from; strip < to; strip++) {
                if (strip / strips != group) {
                    group = strip / strips;
                    terms = FilterGroup.ofChannels(layout, stencil, group).terms();
                }
                int first = strip % strips * height;
                int rows = Math.min(height, layout.channels().outPerGroup() - first);
                for (int k = 0; k < depth; k++) {
                    for (int row = 0; row < rows; row++) {
                        move.move(terms[k] + (first + row) * outStep, strip, row, k);
                    }
                }
            }
        });
    }
}
