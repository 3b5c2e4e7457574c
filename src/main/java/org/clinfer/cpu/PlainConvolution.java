package org.clinfer.cpu;

/** Convolution and its transposition straight from the definition, line by line, in an arithmetic of the subclass. */
abstract class PlainConvolution {

    /*
     * Both directions join a coarse grid to a fine one: coarse position p and kernel element k meet fine position
     * p * stride + k * dilation - padding. Forward, the output is coarse and the input fine; transposed, the reverse.
     */
    private final Convolution.Channels channels;
    private final Window window;
    private final boolean transposed;
    private final int[] coarse;
    private final int[] fine;

    /** The sizes and the direction. */
    record Geometry(Convolution.Channels channels, Window window, boolean transposed) {}

    PlainConvolution(Geometry geometry) {
        this.channels = geometry.channels;
        this.window = geometry.window;
        this.transposed = geometry.transposed;
        this.coarse = transposed ? window.in() : window.out();
        this.fine = transposed ? window.out() : window.in();
    }

    /** Sets {@code count} outputs from {@code y} on to the bias of their output channel. */
    abstract void start(int y, int count, int channel);

    /** Adds input elements from {@code x} on, weighted with one weight, to {@code count} outputs from {@code y} on. */
    abstract void addLine(int weight, int x, int y, int count);

    /** Distance of the inputs of a line. */
    final int xStep() {
        return transposed ? 1 : window.stride()[2];
    }

    /** Distance of the outputs of a line. */
    final int yStep() {
        return transposed ? window.stride()[2] : 1;
    }

    final int outputs() {
        return Math.multiplyExact(Math.multiplyExact(channels.batch(), channels.out()), window.outElements());
    }

    /**
     * Fills y [batch, out channels, out...] from x [batch, in channels, in...] and weights [out channels, in channels /
     * groups, kernel...], transposed [in channels, out channels / groups, kernel...].
     */
    final void run(Parallel parallel) {
        int planes = channels.batch() * channels.out();
        long products = (long) channels.inPerGroup() * window.taps() * Math.max(1, Window.product(coarse));
        int grain = (int) Math.max(1, (1 << 15) / Math.max(1, products));
        parallel.forRange(planes, grain, (from, to) -> {
            for (int plane = from; plane < to; plane++) {
                fill(plane / channels.out(), plane % channels.out());
            }
        });
    }

    private void fill(int image, int channel) {
        int outPerGroup = channels.outPerGroup();
        int firstIn = channel / outPerGroup * channels.inPerGroup();
        int y = (image * channels.out() + channel) * window.outElements();
        start(y, window.outElements(), channel);
        for (int c = 0; c < channels.inPerGroup(); c++) {
            int x = (image * channels.in() + firstIn + c) * window.inElements();
            int kernel = transposed
                    ? (firstIn + c) * outPerGroup + channel % outPerGroup
                    : channel * channels.inPerGroup() + c;
            for (int tap = 0; tap < window.taps(); tap++) {
                addTap(kernel * window.taps() + tap, x, y, window.tap(tap));
            }
        }
    }

    private void addTap(int weight, int x, int y, int[] tap) {
        int[] offset = new int[3];
        int[] begin = new int[3];
        int[] end = new int[3];
        for (int axis = 0; axis < 3; axis++) {
            int stride = window.stride()[axis];
            offset[axis] = tap[axis] * window.dilation()[axis] - window.padBegin()[axis];
            begin[axis] = Math.max(0, -Math.floorDiv(offset[axis], stride));
            end[axis] = Math.min(coarse[axis], Math.floorDiv(fine[axis] - 1 - offset[axis], stride) + 1);
        }
        int count = end[2] - begin[2];
        if (count <= 0) {
            return;
        }
        int coarseColumn = begin[2];
        int fineColumn = begin[2] * window.stride()[2] + offset[2];
        for (int d = begin[0]; d < end[0]; d++) {
            for (int h = begin[1]; h < end[1]; h++) {
                int fineRow = (d * window.stride()[0] + offset[0]) * fine[1] + h * window.stride()[1] + offset[1];
                int coarseAt = (d * coarse[1] + h) * coarse[2] + coarseColumn;
                int fineAt = fineRow * fine[2] + fineColumn;
                if (transposed) {
                    addLine(weight, x + coarseAt, y + fineAt, count);
                } else {
                    addLine(weight, x + fineAt, y + coarseAt, count);
                }
            }
        }
    }
}
