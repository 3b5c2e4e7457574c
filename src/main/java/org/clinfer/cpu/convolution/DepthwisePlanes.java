package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.window.Window;

/** Convolution in which every output channel sees one input channel. */
final class DepthwisePlanes {

    /*
     * The padded input channel is split into phases, one per residue of the coordinates by the stride. In its phase
     * every tap reads with stride 1, so one loop over the flattened plane adds a tap to all outputs at once; what falls
     * between the end of one output line and the start of the next is computed and dropped.
     */
    private static final float[] UNSEEN = {};

    private static final int CHUNK = 2048;
    private static final int MAX_MULTIPLIER = 4;
    private static final long MAX_PHASES = 1 << 12;
    private static final long MAX_GROWTH = 8;

    private final ConvolutionLayout layout;
    private final Window window;
    private final int[] pitch = new int[3];
    private final int[] tapPhase;
    private final int[] tapOffset;
    private final int length;

    DepthwisePlanes(ConvolutionLayout layout) {
        this.layout = layout;
        this.window = layout.window();
        for (int axis = 0; axis < 3; axis++) {
            int reach = (window.kernel()[axis] - 1) * window.dilation()[axis];
            pitch[axis] = reach / window.stride()[axis] + window.out()[axis];
        }
        int[] out = window.out();
        this.length = ((out[0] - 1) * pitch[1] + out[1] - 1) * pitch[2] + out[2];
        this.tapPhase = new int[window.taps()];
        this.tapOffset = new int[window.taps()];
        for (int tap = 0; tap < tapPhase.length; tap++) {
            int[] at = window.tap(tap);
            for (int axis = 0; axis < 3; axis++) {
                int coordinate = at[axis] * window.dilation()[axis];
                int stride = window.stride()[axis];
                tapPhase[tap] = tapPhase[tap] * stride + coordinate % stride;
                tapOffset[tap] = tapOffset[tap] * pitch[axis] + coordinate / stride;
            }
        }
    }

    /** {@return whether this way is worth it: few outputs per input, and no more padding than it can hold} */
    static boolean suits(ConvolutionLayout layout) {
        ConvolutionLayout.Channels channels = layout.channels();
        if (channels.inPerGroup() != 1 || channels.outPerGroup() > MAX_MULTIPLIER) {
            return false;
        }
        Window window = layout.window();
        double phases = 1;
        double held = 1;
        for (int axis = 0; axis < 3; axis++) {
            int reach = (window.kernel()[axis] - 1) * window.dilation()[axis];
            int stride = window.stride()[axis];
            phases *= stride;
            int pitch = reach / stride + window.out()[axis];
            held *= (double) Math.min(window.kernel()[axis], stride) * pitch;
        }
        double room = (double) MAX_GROWTH * (window.inElements() + window.outElements() + window.taps());
        return phases <= MAX_PHASES && held <= room;
    }

    /** Computes y from x [batch, channels, in...], depthwise kernels and what follows. */
    void run(float[] x, float[] weights, Epilogue.Store<float[]> epilogue, Parallel parallel) {
        ConvolutionLayout.Channels channels = layout.channels();
        int multiplier = channels.outPerGroup();
        int grain = Chunks.grain((long) length * window.taps());
        parallel.forRange(channels.batch() * channels.in(), grain, (from, to) -> {
            float[][] phases = new float[Window.product(window.stride())][];
            Arrays.fill(phases, UNSEEN);
            for (int phase : tapPhase) {
                phases[phase] = new float[Window.product(pitch)];
            }
            float[] sum = new float[length];
            float[] kernel = new float[window.taps()];
            Rows rows = new Rows();
            for (int plane = from; plane < to; plane++) {
                fillPhases(phases, x, plane * window.inElements());
                int image = plane / channels.in();
                for (int m = 0; m < multiplier; m++) {
                    int group = plane % channels.in();
                    readKernel(weights, layout.weight(group) + m * layout.wStrides()[0], kernel);
                    addTaps(sum, phases, kernel, rows);
                    store(sum, image, group * multiplier + m, epilogue);
                }
            }
        });
    }

    private void readKernel(float[] weights, int from, float[] kernel) {
        for (int tap = 0; tap < kernel.length; tap++) {
            kernel[tap] = weights[from + layout.tapOffset(window.tap(tap))];
        }
    }

    /** Rows of one chunk: those that taps meet, copied to where the innermost loop begins, and their sum. */
    private static final class Rows {
        private final float[] sum = new float[CHUNK];
        private final float[][] met = new float[3][CHUNK];
    }

    private void addTaps(float[] sum, float[][] phases, float[] kernel, Rows rows) {
        float[][] met = rows.met;
        for (int from = 0; from < length; from += CHUNK) {
            int count = Math.min(CHUNK, length - from);
            Arrays.fill(rows.sum, 0, count, 0);
            int tap = 0;
            for (; tap + 3 <= tapPhase.length; tap += 3) {
                for (int i = 0; i < 3; i++) {
                    System.arraycopy(phases[tapPhase[tap + i]], tapOffset[tap + i] + from, met[i], 0, count);
                }
                RowKernels.addThree(
                        rows.sum, met[0], kernel[tap], met[1], kernel[tap + 1], met[2], kernel[tap + 2], count);
            }
            for (; tap < tapPhase.length; tap++) {
                System.arraycopy(phases[tapPhase[tap]], tapOffset[tap] + from, met[0], 0, count);
                RowKernels.addOne(rows.sum, met[0], kernel[tap], count);
            }
            System.arraycopy(rows.sum, 0, sum, from, count);
        }
    }

    private void fillPhases(float[][] phases, float[] x, int origin) {
        int[] stride = window.stride();
        for (int phase = 0; phase < phases.length; phase++) {
            float[] values = phases[phase];
            if (values.length == 0) {
                continue;
            }
            int shiftDepth = phase / stride[2] / stride[1] - window.padBegin()[0];
            int shiftHeight = phase / stride[2] % stride[1] - window.padBegin()[1];
            int shiftWidth = phase % stride[2] - window.padBegin()[2];
            for (int d = 0; d < pitch[0]; d++) {
                for (int h = 0; h < pitch[1]; h++) {
                    int inDepth = d * stride[0] + shiftDepth;
                    int inHeight = h * stride[1] + shiftHeight;
                    fillLine(values, (d * pitch[1] + h) * pitch[2], x, origin, inDepth, inHeight, shiftWidth);
                }
            }
        }
    }

    private void fillLine(float[] line, int at, float[] x, int origin, int inDepth, int inHeight, int shift) {
        int[] in = window.in();
        int width = pitch[2];
        if (inDepth < 0 || inDepth >= in[0] || inHeight < 0 || inHeight >= in[1]) {
            Arrays.fill(line, at, at + width, 0);
            return;
        }
        int start = origin + (inDepth * in[1] + inHeight) * in[2];
        int stride = window.stride()[2];
        int begin = shift >= 0 ? 0 : Math.min(width, (-shift + stride - 1) / stride);
        int end = shift >= in[2] ? begin : Math.max(begin, Math.min(width, (in[2] - shift + stride - 1) / stride));
        Arrays.fill(line, at, at + begin, 0);
        for (int j = begin; j < end; j++) {
            line[at + j] = x[start + shift + j * stride];
        }
        Arrays.fill(line, at + end, at + width, 0);
    }

    private void store(float[] sum, int image, int channel, Epilogue.Store<float[]> epilogue) {
        int[] out = window.out();
        int origin = (image * layout.channels().out() + channel) * window.outElements();
        for (int d = 0; d < out[0]; d++) {
            for (int h = 0; h < out[1]; h++) {
                int element = origin + (d * out[1] + h) * out[2];
                epilogue.store(
                        sum, (d * pitch[1] + h) * pitch[2], new Epilogue.Stretch(element, 1, out[2], channel, false));
            }
        }
    }
}
