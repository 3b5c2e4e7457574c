package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.elements.SumBounds;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.cpu.window.Window;
import org.clinfer.cpu.window.WindowLines;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Convolution of planes in which every output channel sees one input channel, in explicit vectors along lines. */
final class DepthwiseLines {

    /*
     * A unit is a band of lines of one output channel. What its windows meet is copied with zeros above and below; beside
     * the lines nothing is padded, see WindowLines. Units of several channels are written together.
     */
    private static final int BAND = 1 << 14;

    private static final int TOGETHER = 2048;
    private static final int BIAS = 2;
    private static final float[] NONE = {};

    private final ConvolutionLayout layout;
    private final WindowLines windows;
    private final SumBounds bounds;
    private final int band;
    private final int bands;
    private final int lead;
    private final int room;

    private DepthwiseLines(ConvolutionLayout layout, SumBounds bounds, int lanes) {
        this.layout = layout;
        Window window = layout.window();
        this.bounds = bounds;
        int width = window.in()[2];
        int lines = window.out()[1];
        int stride = window.stride()[1];
        int most = Math.max(1, BAND / Math.max(1, Math.max(width * stride, window.out()[2])));
        this.bands = Rounding.ceilDiv(lines, Math.min(lines, most));
        this.band = Rounding.ceilDiv(lines, bands);
        this.windows = WindowLines.of(window, band, lanes);
        this.lead = window.padBegin()[2] + lanes;
        int reach = (window.kernel()[2] - 1) * window.dilation()[2];
        this.room = Math.addExact(
                lead + Math.multiplyExact(met(band), width), Math.max(reach, windows.count()) + reach + 2 * lanes);
    }

    /** Input lines that a number of output lines meet, those above and below the input included. */
    private int met(int lines) {
        Window window = layout.window();
        return (lines - 1) * window.stride()[1] + (window.kernel()[1] - 1) * window.dilation()[1] + 1;
    }

    /** {@return whether a convolution is one of planes, with no more padding than it pays to copy} */
    static boolean suits(ConvolutionLayout layout) {
        Window window = layout.window();
        boolean isOfPlanes = window.kernel()[0] == 1
                && window.stride()[0] == 1
                && window.padBegin()[0] == 0
                && window.in()[0] == window.out()[0];
        long reach = (long) (window.kernel()[1] - 1) * window.dilation()[1];
        return !layout.isChannelsLast()
                && layout.channels().inPerGroup() == 1
                && isOfPlanes
                && window.outElements() > 0
                && window.inElements() > 0
                && window.stride()[1] <= window.kernel()[1] * window.dilation()[1]
                && window.stride()[2] <= 4
                && window.in()[2] <= BAND
                && window.out()[2] <= BAND
                && reach <= 4L * window.in()[1] + 8
                && reach * window.in()[2] <= 4 * BAND;
    }

    /** The way to do it for {@code bounds} of the sums, which follow from parameters and types. */
    static DepthwiseLines of(CpuCall call, ConvolutionLayout layout, SumBounds bounds, VectorKernels kernels) {
        return call.kept(DepthwiseLines.class, () -> new DepthwiseLines(layout, bounds, kernels.lanes()));
    }

    /** Computes all outputs; {@code epilogue} takes the sums, or is null where nothing but bounds and a bias follows them. */
    void run(ConvolutionFactors factors, Epilogue.@Nullable Store<float[]> epilogue, VectorKernels kernels) {
        CpuCall call = factors.call();
        int depth = layout.window().in()[0];
        int units = Math.multiplyExact(
                Math.multiplyExact(layout.channels().batch() * layout.channels().out(), depth), bands);
        float[] weights = factors.packed(DepthwiseLines.class, this::weights);
        Tensor given = call.optionalInput(BIAS);
        float[] bias = given == null || epilogue != null ? NONE : TensorValues.allFloats(given);
        long products = (long) band * windows.count() * layout.window().taps();
        call.parallel().forRange(units, Math.max(1, (int) ((1 << 16) / products)), (from, to) -> {
            Work work = new Work(factors, kernels, weights, bias, epilogue);
            work.run(from, to);
            work.close();
        });
    }

    private float[] weights(float[] all) {
        int taps = layout.window().taps();
        int perGroup = layout.channels().outPerGroup();
        float[] ordered = new float[layout.channels().out() * taps];
        for (int tap = 0; tap < taps; tap++) {
            int from = layout.tapOffset(layout.window().tap(tap));
            for (int out = 0; out < layout.channels().out(); out++) {
                int first = layout.weight(out / perGroup) + out % perGroup * layout.wStrides()[0];
                ordered[out * taps + tap] = all[first + from];
            }
        }
        return ordered;
    }

    /** The operands and arrays that one thread works with. */
    private final class Work {
        private final VectorKernels kernels;
        private final Scratch scratch;
        private final float[] weights;
        private final float[] bias;
        private final Epilogue.@Nullable Store<float[]> epilogue;
        private final ElementReader<float[]> from;
        private final TensorValues to;
        private final float[] met;
        private final float[] sums;

        /** Sums of all positions of lines, where not every one is an output. */
        private final float[] spread;

        private final int together;

        Work(
                ConvolutionFactors factors,
                VectorKernels kernels,
                float[] weights,
                float[] bias,
                Epilogue.@Nullable Store<float[]> epilogue) {
            this.kernels = kernels;
            this.scratch = factors.call().parallel().scratch();
            this.weights = weights;
            this.bias = bias;
            this.epilogue = epilogue;
            this.from = factors.x();
            this.to = TensorValues.of(factors.call().output());
            int unit = band * layout.window().out()[2];
            this.together = bands > 1 || epilogue != null ? 1 : Math.max(1, TOGETHER / unit);
            this.met = scratch.take(room);
            this.sums = scratch.take(together * unit + 2 * kernels.lanes());
            boolean isSpread = layout.window().stride()[2] > 1;
            this.spread = isSpread ? scratch.take(band * windows.outStep() + 2 * kernels.lanes()) : NONE;
            Arrays.fill(met, 0, room, 0);
        }

        void close() {
            scratch.give(sums);
            if (spread.length > 0) {
                scratch.give(spread);
            }
            scratch.give(met);
        }

        void run(int first, int end) {
            int unit = band * layout.window().out()[2];
            for (int at = first; at < end; at += together) {
                int count = Math.min(together, end - at);
                for (int i = 0; i < count; i++) {
                    compute(at + i, i * unit);
                }
                if (bands == 1 && epilogue == null) {
                    to.write(at * unit, sums, 0, count * unit);
                }
            }
        }

        private void compute(int unit, int at) {
            ConvolutionLayout.Channels channels = layout.channels();
            Window window = layout.window();
            int plane = unit / bands;
            int line = unit % bands * band;
            int lines = Math.min(band, window.out()[1] - line);
            if (lines <= 0) {
                return;
            }
            int depth = window.in()[0];
            int channel = plane / depth % channels.out();
            int image = plane / depth / channels.out();
            int source = (image * channels.in() + channel / channels.outPerGroup()) * depth + plane % depth;
            read(source, line * window.stride()[1] - window.padBegin()[1], met(lines));
            int count = windows.isFlat() ? lines * window.in()[2] : windows.count();
            float start = bias.length == 0 ? 0 : bias[channel];
            kernels.sumLines(
                    windows,
                    windows.isFlat() ? 1 : lines,
                    count,
                    met,
                    lead - window.padBegin()[2],
                    weights,
                    channel * window.taps(),
                    start,
                    bounds.low(),
                    bounds.high(),
                    spread.length > 0 ? spread : sums,
                    spread.length > 0 ? 0 : at);
            if (spread.length > 0) {
                gather(lines, at);
            }
            int element = plane * window.out()[1] * window.out()[2] + line * window.out()[2];
            if (epilogue != null) {
                epilogue.store(sums, at, new Epilogue.Stretch(element, 1, lines * window.out()[2], channel, false));
            } else if (bands > 1) {
                to.write(element, sums, at, lines * window.out()[2]);
            }
        }

        /** Picks the outputs among the positions. */
        private void gather(int lines, int at) {
            int out = layout.window().out()[2];
            int stride = layout.window().stride()[2];
            for (int line = 0; line < lines; line++) {
                RowKernels.everyNth(spread, line * windows.outStep(), stride, sums, at + line * out, out);
            }
        }

        /** Reads {@code lines} lines of an input plane from {@code first} on, those outside of it as zeros. */
        private void read(int plane, int first, int lines) {
            int width = layout.window().in()[2];
            int height = layout.window().in()[1];
            int begin = Math.max(0, Math.min(lines, -first));
            int end = Math.max(begin, Math.min(lines, height - first));
            if (bands > 1) {
                Arrays.fill(met, lead, lead + begin * width, 0);
                Arrays.fill(met, lead + end * width, lead + lines * width, 0);
            }
            from.read((plane * height + first + begin) * width, met, lead + begin * width, (end - begin) * width);
        }
    }
}
