package org.clinfer.cpu.convolution;

import java.util.List;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;

/** Convolution in which every output channel sees one input channel, in explicit vectors. */
final class DirectDepthwise {

    private static final int MAX_MULTIPLIER = 4;
    private static final Cells<float[]> ZEROS = new Cells.OfFloats(0);

    private final CpuCall call;
    private final ConvolutionLayout layout;
    private final VectorKernels kernels;
    private final Stencil stencil;
    private final PaddedPlanes planes;

    DirectDepthwise(CpuCall call, ConvolutionLayout layout, VectorKernels kernels) {
        this.call = call;
        this.layout = layout;
        this.kernels = kernels;
        this.stencil = Stencil.forward(layout.window());
        this.planes = new PaddedPlanes(List.of(stencil));
    }

    static boolean suits(ConvolutionLayout layout) {
        ConvolutionLayout.Channels channels = layout.channels();
        return !layout.isChannelsLast()
                && channels.inPerGroup() == 1
                && channels.outPerGroup() <= MAX_MULTIPLIER
                && layout.window().outElements() > 0
                && PaddedPlanes.suits(List.of(Stencil.forward(layout.window())));
    }

    void run(Epilogue.OfFloats epilogue) {
        ConvolutionLayout.Channels channels = layout.channels();
        int multiplier = channels.outPerGroup();
        int taps = stencil.taps().size();
        float[] weights = new float[channels.out() * taps];
        float[] all = TensorValues.allFloats(call.input(1));
        int[] offsets = new int[taps];
        for (int tap = 0; tap < taps; tap++) {
            offsets[tap] = planes.offset(stencil.taps().get(tap));
            int from = layout.tapOffset(stencil.taps().get(tap).at());
            for (int out = 0; out < channels.out(); out++) {
                int first = layout.weight(out / multiplier) + out % multiplier * layout.wStrides()[0];
                weights[out * taps + tap] = all[first + from];
            }
        }
        int outputs = planes.outputs(stencil);
        PaddedLines lines = PaddedLines.of(planes, stencil, 0, outputs, layout.yStrides());
        int grain = Chunks.grain((long) outputs * taps);
        call.parallel().forRange(channels.batch() * channels.in(), grain, (from, to) -> {
            try (ChannelRoom room = new ChannelRoom(planes, outputs, kernels.lanes(), call)) {
                for (int plane = from; plane < to; plane++) {
                    room.read(plane, ZEROS);
                    for (int m = 0; m < multiplier; m++) {
                        int channel = plane % channels.in() * multiplier + m;
                        kernels.sumTaps(room.padded, 0, offsets, weights, channel * taps, room.results, outputs);
                        int start = plane / channels.in() * layout.yStrides()[0] + channel * layout.yStrides()[1];
                        lines.store(room.results, 0, room.gathered, epilogue, start, channel);
                    }
                }
            }
        });
    }
}
