package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.elements.SumBounds;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.cpu.window.ThreeFilters;
import org.clinfer.cpu.window.ThreeLines;
import org.clinfer.cpu.window.Window;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Convolution of planes by windows of 3x3 with stride 1 in which each output channel sees an input channel of its own, in
 * vectors.
 */
final class DepthwiseThrees {

    /*
     * A unit is a plane, or a band of lines of a large one. What it meets is copied to the heap; small planes are copied
     * and written many at a time, because to begin a copy takes as long as to compute a plane of 7x7. Lines above and
     * below a plane are left out of the sums, what windows meet beside a line is masked out. Elements of the input and of
     * the output that are on the heap at a time leave room in a first-level cache for what is copied.
     */
    private static final int UNIT = 4096;

    private static final int LEAD = 16;
    private static final int BIAS = 2;

    private final ConvolutionLayout layout;
    private final ThreeLines windows;
    private final SumBounds bounds;
    private final int band;
    private final int bands;
    private final int together;

    /** Lines of the input that a unit meets at most. */
    private final int met;

    private DepthwiseThrees(ConvolutionLayout layout, SumBounds bounds, int lanes) {
        this.layout = layout;
        this.bounds = bounds;
        int lines = layout.window().out()[1];
        int out = layout.window().out()[2];
        int line = layout.window().in()[2] + out;
        this.bands = Rounding.ceilDiv(lines, Math.min(lines, Math.max(1, UNIT / line)));
        this.band = Rounding.ceilDiv(lines, bands);
        this.met = Math.min(layout.window().in()[1], band + 2);
        this.windows = ThreeLines.of(layout.window(), lanes);
        int plane = layout.window().inElements() + band * out;
        this.together = bands == 1 ? Math.max(1, UNIT / plane) : 1;
    }

    static boolean suits(ConvolutionLayout layout) {
        Window window = layout.window();
        return !layout.isChannelsLast()
                && layout.channels().inPerGroup() == 1
                && layout.channels().outPerGroup() == 1
                && window.kernel()[0] == 1
                && window.in()[0] == 1
                && window.out()[0] == 1
                && window.padBegin()[0] == 0
                && window.outElements() > 0
                && window.inElements() > 0
                && window.in()[2] <= UNIT
                && ThreeLines.suits(window);
    }

    /** The way to do it for {@code bounds} of the sums, which follow from parameters and types. */
    static DepthwiseThrees of(CpuCall call, ConvolutionLayout layout, SumBounds bounds, VectorKernels kernels) {
        return call.kept(DepthwiseThrees.class, () -> new DepthwiseThrees(layout, bounds, kernels.lanes()));
    }

    /** Computes all outputs; {@code epilogue} takes the sums, or is null where nothing but bounds and a bias follows them. */
    void run(ConvolutionFactors factors, Epilogue.@Nullable Store<float[]> epilogue, VectorKernels kernels) {
        CpuCall call = factors.call();
        int channels = layout.channels().out();
        float[] weights = factors.packed(DepthwiseThrees.class, this::weights);
        Tensor given = call.optionalInput(BIAS);
        float[] bias = given == null || epilogue != null ? new float[channels] : TensorValues.allFloats(given);
        ThreeFilters filters = new ThreeFilters(weights, bias, bounds.low(), bounds.high());
        int units = Math.multiplyExact(layout.channels().batch() * channels, bands);
        long products = (long) band * windows.out() * layout.window().taps();
        call.parallel().forRange(units, Math.max(1, (int) ((1 << 16) / products)), (from, to) -> {
            Work work = new Work(factors, kernels, filters, epilogue);
            work.run(from, to);
            work.close();
        });
    }

    private float[] weights(float[] all) {
        int taps = layout.window().taps();
        float[] ordered = new float[layout.channels().out() * taps];
        for (int tap = 0; tap < taps; tap++) {
            int from = layout.tapOffset(layout.window().tap(tap));
            for (int channel = 0; channel < layout.channels().out(); channel++) {
                ordered[channel * taps + tap] = all[layout.weight(channel) + from];
            }
        }
        return ordered;
    }

    /** The operands and arrays that one thread works with. */
    private final class Work {
        private final VectorKernels kernels;
        private final Scratch scratch;
        private final ThreeFilters filters;
        private final Epilogue.@Nullable Store<float[]> epilogue;
        private final ElementReader<float[]> from;
        private final TensorValues to;
        private final float[] copied;
        private final float[] sums;

        Work(
                ConvolutionFactors factors,
                VectorKernels kernels,
                ThreeFilters filters,
                Epilogue.@Nullable Store<float[]> epilogue) {
            this.kernels = kernels;
            this.scratch = factors.call().parallel().scratch();
            this.filters = filters;
            this.epilogue = epilogue;
            this.from = factors.x();
            this.to = TensorValues.of(factors.call().output());
            int lines = met;
            int slack = 2 * (kernels.lanes() + LEAD);
            this.copied = scratch.take(together * lines * windows.width() + slack);
            this.sums = scratch.take(together * band * windows.out() + slack);
        }

        void close() {
            scratch.give(sums);
            scratch.give(copied);
        }

        void run(int first, int end) {
            if (bands > 1) {
                for (int unit = first; unit < end; unit++) {
                    computeBand(unit / bands, unit % bands * band);
                }
                return;
            }
            int height = layout.window().in()[1];
            int inPlane = height * windows.width();
            int outPlane = band * windows.out();
            int channels = layout.channels().out();
            for (int at = first; at < end; ) {
                int count = Math.min(together, Math.min(end - at, channels - at % channels));
                from.read(at * inPlane, copied, LEAD, count * inPlane);
                sum(at, count, windows.padTop(), height, band);
                store(at, count, at * outPlane, outPlane);
                at += count;
            }
        }

        private void computeBand(int plane, int line) {
            int height = layout.window().in()[1];
            int lines = Math.min(band, layout.window().out()[1] - line);
            if (lines <= 0) {
                return;
            }
            int top = windows.firstMet(line);
            int begin = Math.max(0, top);
            int end = Math.max(begin, Math.min(height, windows.firstMet(line + lines - 1) + 3));
            from.read((plane * height + begin) * windows.width(), copied, LEAD, (end - begin) * windows.width());
            sum(plane, 1, begin - top, end - begin, lines);
            int element = (plane * layout.window().out()[1] + line) * windows.out();
            store(plane, 1, element, lines * windows.out());
        }

        /** Sums {@code lines} lines of outputs of planes, of each of which {@code given} lines of the input are copied. */
        private void sum(int plane, int planes, int above, int given, int lines) {
            int channel = plane % layout.channels().out();
            kernels.sumThree(windows, filters, channel, planes, above, given, lines, copied, LEAD, sums, 0);
        }

        /** Writes the sums of planes, or of a band of one, to {@code element} and those after it. */
        private void store(int plane, int planes, int element, int each) {
            if (epilogue == null) {
                to.write(element, sums, 0, planes * each);
                return;
            }
            for (int i = 0; i < planes; i++) {
                int channel = (plane + i) % layout.channels().out();
                epilogue.store(sums, i * each, new Epilogue.Stretch(element + i * each, 1, each, channel, false));
            }
        }
    }
}
