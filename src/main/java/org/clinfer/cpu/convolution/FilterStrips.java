package org.clinfer.cpu.convolution;

import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.VectorKernels;

/** Weights in the order in which tiles read them: [group][{@value VectorKernels#ROWS} output channels][term][output channel]. */
final class FilterStrips {

    private static final int ROWS = VectorKernels.ROWS;

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

    /** Output channels of a group in strips; the last one is filled up with zeros. */
    static int strips(ConvolutionLayout layout) {
        return Rounding.ceilDiv(layout.channels().outPerGroup(), ROWS);
    }

    /** The strips of all groups for the taps of one stencil, kept where the weights are a constant. */
    static float[] of(Factors factors, ConvolutionLayout layout, Stencil stencil, Form form) {
        return factors.packed(
                form, weights -> pack(weights, layout, stencil, factors.call().parallel()));
    }

    private static float[] pack(float[] values, ConvolutionLayout layout, Stencil stencil, Parallel parallel) {
        int strips = strips(layout);
        int groups = layout.channels().groups();
        int outStep = layout.wStrides()[0];
        int depth = layout.channels().inPerGroup() * stencil.taps().size();
        float[] packed = new float[Math.multiplyExact(Math.multiplyExact(groups * strips, ROWS), depth)];
        parallel.forRange(groups * strips, Math.max(1, (1 << 13) / Math.max(1, depth)), (from, to) -> {
            int group = -1;
            int[] terms = {};
            for (int strip = from; strip < to; strip++) {
                if (strip / strips != group) {
                    group = strip / strips;
                    terms = FilterGroup.ofChannels(layout, stencil, group).terms();
                }
                int first = strip % strips * ROWS;
                int rows = Math.min(ROWS, layout.channels().outPerGroup() - first);
                for (int k = 0; k < depth; k++) {
                    for (int row = 0; row < rows; row++) {
                        packed[(strip * depth + k) * ROWS + row] = values[terms[k] + (first + row) * outStep];
                    }
                }
            }
        });
        return packed;
    }
}
