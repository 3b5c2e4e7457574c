package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;

/** The memory of a thread that works on one channel at a time. */
final class ChannelRoom implements AutoCloseable {

    private final PaddedPlanes planes;
    private final Scratch scratch;
    private final TensorValues from;
    private final float[] channel;

    /** The padded channel. */
    final float[] padded;

    /** A result for every output, with the gaps between lines. */
    final float[] results;

    /** The same without gaps. */
    final float[] gathered;

    ChannelRoom(PaddedPlanes planes, int outputs, int lanes, CpuCall call) {
        this.planes = planes;
        this.scratch = call.parallel().scratch();
        this.from = TensorValues.of(call.input(0));
        this.channel = scratch.take(planes.elements());
        this.padded = scratch.take(planes.channel() + planes.pitch() + lanes);
        this.results = scratch.take(outputs + lanes);
        this.gathered = scratch.take(outputs);
    }

    /** Reads channel {@code number} of all images. */
    void read(int number, Cells<float[]> cells) {
        from.read(number * planes.elements(), channel, 0, planes.elements());
        planes.fillChannel(channel, 0, padded, 0, cells);
    }

    @Override
    public void close() {
        scratch.give(channel);
        scratch.give(padded);
        scratch.give(results);
        scratch.give(gathered);
    }
}
