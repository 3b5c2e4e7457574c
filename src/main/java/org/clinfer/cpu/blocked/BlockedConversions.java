package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Between NCHW and blocked channels. */
final class BlockedConversions {

    private static final int PIXEL = BlockedView.LANES;

    private BlockedConversions() {}

    /** NCHW to blocks; 0 in the margin and in lanes without a channel. */
    static void block(CpuCall call) {
        Planes planes = new Planes(call, call.input(0).shape(), call.output(), "y_halo");
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        int width = planes.blocked.columns() * PIXEL;
        int height = planes.blocked.rows();
        planes.forEach(call.parallel(), (plane, channel, present) -> {
            float[] line = new float[planes.columns];
            float[] pixels = new float[width];
            for (int row = 0; row < height; row++) {
                int inside = row - planes.blocked.top();
                boolean isInside = inside >= 0 && inside < planes.rows;
                Arrays.fill(pixels, 0);
                for (int lane = 0; isInside && lane < present; lane++) {
                    from.get(planes.planar(channel + lane, inside), line, 0, planes.columns);
                    spread(line, pixels, planes.blocked.left() * PIXEL + lane);
                }
                to.put((plane * height + row) * width, pixels, 0, width);
            }
        });
    }

    private static void spread(float[] line, float[] pixels, int at) {
        for (int column = 0; column < line.length; column++) {
            pixels[at + column * PIXEL] = line[column];
        }
    }

    /** Blocks to NCHW, without what a crop leaves out. */
    static void unblock(CpuCall call) {
        Planes planes = new Planes(call, call.output().shape(), call.input(0), "crop");
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        planes.forEach(call.parallel(), (plane, channel, present) -> {
            float[] line = new float[planes.columns];
            float[] pixels = new float[planes.columns * PIXEL];
            for (int row = 0; row < planes.rows; row++) {
                from.get(planes.blocked.at(plane, row, 0), pixels, 0, pixels.length);
                for (int lane = 0; lane < present; lane++) {
                    gather(pixels, lane, line);
                    to.put(planes.planar(channel + lane, row), line, 0, line.length);
                }
            }
        });
    }

    private static void gather(float[] pixels, int at, float[] line) {
        for (int column = 0; column < line.length; column++) {
            line[column] = pixels[at + column * PIXEL];
        }
    }

    /** Takes one block of channels: its plane in blocks, its first plane of NCHW, and how many of these there are. */
    @FunctionalInterface
    private interface Visitor {
        void visit(int plane, int channel, int present);
    }

    /** Both layouts of the same elements. */
    private static final class Planes {

        private final BlockedView blocked;
        private final int channels;
        private final int rows;
        private final int columns;

        Planes(CpuCall call, Shape planar, Tensor tensor, String margin) {
            this.blocked = BlockedView.of(tensor, call.parameters().ints(margin));
            this.channels = Math.toIntExact(planar.size(1));
            this.rows = Math.toIntExact(planar.size(2));
            this.columns = Math.toIntExact(planar.size(3));
        }

        int planar(int plane, int row) {
            return (plane * rows + row) * columns;
        }

        void forEach(Parallel parallel, Visitor visitor) {
            long elements = (long) blocked.rows() * blocked.columns() * PIXEL;
            parallel.forRange(blocked.planes(), Chunks.grain(elements), (first, end) -> {
                for (int plane = first; plane < end; plane++) {
                    int channel = plane / blocked.blocks() * channels + plane % blocked.blocks() * PIXEL;
                    visitor.visit(plane, channel, blocked.present(plane, channels));
                }
            });
        }
    }
}
