package org.clinfer.cpu;

import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Between NCHW and blocked channels. */
final class BlockedLayout {

    private BlockedLayout() {}

    /** NCHW to blocks; 0 in the margin and in lanes without a channel. */
    static void block(CpuCall call) {
        Tensor x = call.input(0);
        BlockedView blocked = BlockedView.of(call.output(), call.parameters().ints("y_halo"));
        float[] planar = TensorValues.allFloats(x, call.parallel());
        float[] y = new float[Math.toIntExact(call.output().elements())];
        Shape shape = x.shape();
        walk(call, blocked, shape, (plane, pixel) -> y[pixel] = planar[plane]);
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** Blocks to NCHW, without what a crop leaves out. */
    static void unblock(CpuCall call) {
        Tensor x = call.input(0);
        BlockedView blocked = BlockedView.of(x, call.parameters().ints("crop"));
        float[] lanes = TensorValues.allFloats(x, call.parallel());
        float[] y = new float[Math.toIntExact(call.output().elements())];
        walk(call, blocked, call.output().shape(), (plane, pixel) -> y[plane] = lanes[pixel]);
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** One element in both layouts. */
    @FunctionalInterface
    private interface Visitor {
        void visit(int planar, int blocked);
    }

    /** Every element of NCHW, some planes per thread. */
    private static void walk(CpuCall call, BlockedView blocked, Shape planar, Visitor visitor) {
        int channels = Math.toIntExact(planar.size(1));
        int rows = Math.toIntExact(planar.size(2));
        int columns = Math.toIntExact(planar.size(3));
        int planes = Math.toIntExact(planar.size(0)) * channels;
        call.parallel().forRange(planes, Chunks.grain((long) rows * columns), (first, end) -> {
            for (int plane = first; plane < end; plane++) {
                int channel = plane % channels;
                int block = plane / channels * blocked.blocks() + channel / BlockedView.LANES;
                for (int row = 0; row < rows; row++) {
                    for (int column = 0; column < columns; column++) {
                        visitor.visit(
                                (plane * rows + row) * columns + column,
                                blocked.at(block, row, column) + channel % BlockedView.LANES);
                    }
                }
            }
        });
    }
}
