package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.window.Window;

/** Convolution in which every output channel sees one input channel, with the channels last. */
final class DepthwiseRows {

    /*
     * The channels of several neighbouring outputs are summed as one row. A kernel element is repeated for each of them,
     * and what it meets is copied to a row of its own, with zeros outside of the input: so the innermost loop is long even
     * for few channels, and runs along the beginnings of arrays, which the JIT vectorises.
     */
    private static final int ROW = 512;

    private static final int MAX_KERNELS = 1 << 18;
    private static final int MAX_MULTIPLIER = 4;

    private final ConvolutionLayout layout;
    private final Window window;
    private final float[] x;
    private final Epilogue.Store<float[]> epilogue;
    private final int channels;
    private final int multiplier;
    private final int pixels;

    /** By output channel of an input channel and by kernel element: a row of weights. */
    private final float[][][] kernels;

    DepthwiseRows(ConvolutionLayout layout, float[] x, float[] weights, Epilogue.Store<float[]> epilogue) {
        this.layout = layout;
        this.window = layout.window();
        this.x = x;
        this.epilogue = epilogue;
        this.channels = layout.channels().in();
        this.multiplier = layout.channels().outPerGroup();
        int most = Math.min(ROW, MAX_KERNELS / window.taps()) / channels;
        this.pixels = Math.max(1, Math.min(window.out()[2], most));
        this.kernels = new float[multiplier][window.taps()][];
        for (int m = 0; m < multiplier; m++) {
            for (int tap = 0; tap < window.taps(); tap++) {
                kernels[m][tap] = repeated(weights, m * layout.wStrides()[0] + layout.tapOffset(window.tap(tap)));
            }
        }
    }

    static boolean suits(ConvolutionLayout layout) {
        ConvolutionLayout.Channels channels = layout.channels();
        return channels.inPerGroup() == 1 && channels.outPerGroup() <= MAX_MULTIPLIER;
    }

    private float[] repeated(float[] weights, int from) {
        float[] repeated = new float[pixels * channels];
        for (int i = 0; i < repeated.length; i++) {
            repeated[i] = weights[from + layout.weight(i % channels)];
        }
        return repeated;
    }

    void run(Parallel parallel) {
        int[] out = window.out();
        int lines = layout.channels().batch() * out[0] * out[1];
        long products = (long) out[2] * layout.channels().out() * window.taps();
        parallel.forRange(lines, Chunks.grain(products), (from, to) -> {
            Row row = new Row();
            for (int line = from; line < to; line++) {
                for (int width = 0; width < out[2]; width += pixels) {
                    row.compute(line, width, Math.min(pixels, out[2] - width));
                }
            }
        });
    }

    /** The sums of neighbouring outputs. */
    private final class Row {
        private static final int AT_ONCE = 3;

        private final float[][] sums = new float[multiplier][pixels * channels];
        private final float[][] met = new float[AT_ONCE][pixels * channels];
        private final int[] taps = new int[AT_ONCE];
        private int waiting;

        void compute(int line, int width, int count) {
            for (float[] sum : sums) {
                Arrays.fill(sum, 0, count * channels, 0);
            }
            int[] out = window.out();
            int firstDepth = line / out[1] % out[0] * window.stride()[0] - window.padBegin()[0];
            int firstHeight = line % out[1] * window.stride()[1] - window.padBegin()[1];
            int firstWidth = width * window.stride()[2] - window.padBegin()[2];
            int image = line / out[1] / out[0] * layout.xStrides()[0];
            for (int kd = 0; kd < window.kernel()[0]; kd++) {
                int depth = firstDepth + kd * window.dilation()[0];
                for (int kh = 0; kh < window.kernel()[1]; kh++) {
                    int height = firstHeight + kh * window.dilation()[1];
                    if (depth >= 0 && depth < window.in()[0] && height >= 0 && height < window.in()[1]) {
                        int start = image + depth * layout.xStrides()[2] + height * layout.xStrides()[3];
                        addKernelRow((kd * window.kernel()[1] + kh) * window.kernel()[2], start, firstWidth, count);
                    }
                }
            }
            flush(count * channels);
            int element = (line * out[2] + width) * layout.channels().out();
            int stored = count * layout.channels().out();
            epilogue.store(joined(count * channels), 0, new Epilogue.Stretch(element, 1, stored, 0, true));
        }

        private void addKernelRow(int tap, int start, int firstWidth, int count) {
            for (int kw = 0; kw < window.kernel()[2]; kw++) {
                int column = firstWidth + kw * window.dilation()[2];
                if (read(met[waiting], start, column, count)) {
                    taps[waiting++] = tap + kw;
                    if (waiting == AT_ONCE) {
                        flush(count * channels);
                    }
                }
            }
        }

        /** Reads what {@code count} outputs meet, from {@code column} on; false where all of it is outside of x. */
        private boolean read(float[] row, int start, int column, int count) {
            int stride = window.stride()[2];
            int in = window.in()[2];
            int begin = column >= 0 ? 0 : Math.min(count, Rounding.ceilDiv(-column, stride));
            int end = column >= in ? 0 : Math.min(count, Rounding.ceilDiv(in - column, stride));
            if (begin >= end) {
                return false;
            }
            Arrays.fill(row, 0, begin * channels, 0);
            int together = stride == 1 ? end - begin : 1;
            for (int p = begin; p < end; p += together) {
                int from = start + (column + p * stride) * channels;
                System.arraycopy(x, from, row, p * channels, together * channels);
            }
            Arrays.fill(row, end * channels, count * channels, 0);
            return true;
        }

        /** Adds the products of the rows that wait. */
        private void flush(int length) {
            for (int m = 0; m < multiplier && waiting > 0; m++) {
                float[][] kernel = kernels[m];
                if (waiting == AT_ONCE) {
                    RowKernels.addThreeProducts(
                            sums[m], met[0], met[1], met[2], kernel[taps[0]], kernel[taps[1]], kernel[taps[2]], length);
                    continue;
                }
                for (int i = 0; i < waiting; i++) {
                    RowKernels.addProducts(sums[m], met[i], kernel[taps[i]], length);
                }
            }
            waiting = 0;
        }

        /** The sums in the order of y. */
        private float[] joined(int length) {
            if (multiplier == 1) {
                return sums[0];
            }
            float[] joined = new float[length * multiplier];
            for (int m = 0; m < multiplier; m++) {
                for (int i = 0; i < length; i++) {
                    joined[i * multiplier + m] = sums[m][i];
                }
            }
            return joined;
        }
    }
}
