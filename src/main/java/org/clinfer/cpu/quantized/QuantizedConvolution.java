package org.clinfer.cpu.quantized;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.convolution.ConvolutionLayout;
import org.clinfer.cpu.convolution.PlainConvolution;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Convolution of quantized values of 8 bits, summed in 32 bits. */
final class QuantizedConvolution extends PlainConvolution<int[]> {

    private static final int BIAS = 2;
    private static final int X_ZERO_POINT = 3;
    private static final int X_SCALE = 5;
    private static final int Y_ZERO_POINT = 8;

    private final int[] x;
    private final int[] weights;
    private final int[] bias;
    private final Requantization requantization;
    private final TypedMemory y;

    private QuantizedConvolution(CpuCall call, ConvolutionLayout layout) {
        super(layout, false);
        int channels = layout.channels().out();
        this.x = QuantizedValues.of(call.input(0), call.optionalInput(X_ZERO_POINT), 1);
        this.weights = QuantizedValues.of(call.input(1), call.optionalInput(X_ZERO_POINT + 1), channels);
        this.bias = QuantizedValues.all(call.optionalInput(BIAS));
        @Nullable
        Tensor[] scales = {call.optionalInput(X_SCALE), call.optionalInput(X_SCALE + 1), call.optionalInput(X_SCALE + 2)
        };
        this.requantization =
                Requantization.of(call.output(), scales, call.optionalInput(Y_ZERO_POINT), Math.max(channels, 1));
        this.y = new TypedMemory(call.output());
    }

    static void run(CpuCall call) {
        ConvolutionLayout layout = ConvolutionLayout.of(call.parameters());
        new QuantizedConvolution(call, layout).run(call.parallel());
    }

    @Override
    protected int[] newSums(int count) {
        return new int[count];
    }

    @Override
    protected void clear(int[] sums, int count) {
        Arrays.fill(sums, 0, count, 0);
    }

    @Override
    protected void add(int[] sums, Line line) {
        if (line.sumStep() == 1 && line.xStep() == 1 && line.weightStep() == 0) {
            QuantizedValues.addRow(sums, line.sum(), x, line.x(), weights[line.weight()], line.count());
        } else {
            for (int j = 0; j < line.count(); j++) {
                sums[line.sum() + j * line.sumStep()] +=
                        x[line.x() + j * line.xStep()] * weights[line.weight() + j * line.weightStep()];
            }
        }
    }

    @Override
    protected void store(int[] sums, Epilogue.Stretch stretch) {
        int channelStep = stretch.isAlongChannels() ? 1 : 0;
        for (int i = 0; i < stretch.count() && bias.length > 0; i++) {
            sums[i] += bias[stretch.channel() + i * channelStep];
        }
        requantization.store(sums, y, stretch, channelStep);
    }
}
