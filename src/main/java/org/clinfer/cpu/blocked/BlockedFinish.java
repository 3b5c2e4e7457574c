package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.elements.Activations;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.elements.SumBounds;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** The epilogue of sums in blocked channels, in vectors: bias, residual, activation, and the margin of zeros. */
final class BlockedFinish {

    private static final int PIXEL = BlockedView.LANES;
    private static final int BIAS = 2;
    private static final int RESIDUAL = 3;
    private static final int SLOPE = 4;

    private final Form form;
    private final BlockedKernels kernels;
    private final Scratch scratch;
    private final BlockedView to;
    private final int[] size;
    private final int[] halo;
    private final FloatBuffer y;
    private final float[] bias;
    private final float[] slope;
    private final @Nullable FloatBuffer residual;

    /** The part that parameters and types decide. */
    static final class Form {

        private final BlockedKernels kernels;
        private final BlockedView to;
        private final @Nullable BlockedView from;
        private final int[] size;
        private final int[] halo;
        private final int outChannels;
        private final float[] none;
        private final float[] zeros;
        private final boolean isResidualLast;
        private final @Nullable Loops activation;
        private final float low;
        private final float high;

        Form(CpuCall call, BlockedKernels kernels) {
            Parameters parameters = call.parameters();
            this.kernels = kernels;
            this.halo = parameters.ints("y_halo");
            this.size = parameters.ints("conv_size");
            this.to = BlockedView.of(call.output(), halo);
            this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
            this.none = new float[to.blocks() * PIXEL];
            this.zeros = new float[Math.max(1, to.columns()) * PIXEL];
            Tensor added = call.optionalInput(RESIDUAL);
            this.from = added == null ? null : BlockedView.of(added, parameters.ints("residual_crop"));
            this.isResidualLast =
                    added != null && parameters.text("residual_add").equals("AFTER");
            SumBounds bounds = SumBounds.of(parameters);
            this.low = bounds.low();
            this.high = bounds.high();
            this.activation = bounds.isAll() ? null : Activations.after(parameters, kernels.functions());
        }
    }

    /** @param call of the parameters and types that the form was made for */
    BlockedFinish(Form form, CpuCall call) {
        this.form = form;
        this.kernels = form.kernels;
        this.scratch = call.parallel().scratch();
        this.to = form.to;
        this.size = form.size;
        this.halo = form.halo;
        this.y = call.outputFloats();
        Tensor added = call.optionalInput(RESIDUAL);
        this.residual = added == null ? null : call.floats(RESIDUAL);
        this.bias = lanes(call, BIAS);
        this.slope = call.optionalInput(SLOPE) == null ? new float[0] : lanes(call, SLOPE);
    }

    /** The layout of a value for each channel. */
    private record Lanes(int count, int channels) {}

    /** One for each channel, where only one is given the same for all; 0 in lanes beyond. */
    private float[] lanes(CpuCall call, int position) {
        Tensor values = call.optionalInput(position);
        if (values == null) {
            return form.none;
        }
        int count = form.none.length;
        return call.packed(position, new Lanes(count, form.outChannels), () -> {
            if (values.elements() > 1) {
                return Arrays.copyOf(TensorValues.allFloats(values), count);
            }
            float[] all = new float[count];
            Arrays.fill(all, 0, form.outChannels, (float) values.getDouble(0));
            return all;
        });
    }

    /** Rows and columns of a plane, counted without the margin. */
    record Part(int row, int rows, int column, int columns) {}

    /**
     * Finishes and stores rows of a plane, with the margin beside them, and above the first and below the last.
     *
     * @param plane image and block
     * @param row the first, counted without the margin
     * @param sums from {@code at} on, pixel by pixel; overwritten
     */
    void store(int plane, int row, int rows, float[] sums, int at) {
        store(plane, new Part(row, rows, 0, size[1]), sums, at);
    }

    /**
     * Finishes and stores a part of a plane, with the margin at those of its sides that are sides of the plane; its first
     * columns have the margin above and below.
     *
     * @param plane image and block
     * @param sums from {@code at} on, pixel by pixel; overwritten
     */
    void store(int plane, Part part, float[] sums, int at) {
        if (isInArrays() && form.activation == null && slope.length == 0) {
            finishIntoArray(plane, part, sums, at);
        } else {
            finish(plane, part, sums, at);
            put(plane, part, sums, at);
        }
        clearMargin(plane, part);
    }

    private boolean isInArrays() {
        return y.hasArray() && (residual == null || residual.hasArray());
    }

    /** Finishes sums on their way into the array of y. */
    private void finishIntoArray(int plane, Part part, float[] sums, int at) {
        boolean isWhole = to.columns() == part.columns && (form.from == null || form.from.columns() == part.columns);
        int rows = isWhole ? part.rows : 1;
        for (int i = 0; i < part.rows; i += rows) {
            finishIntoArray(plane, part.row + i, part.column, rows * part.columns, sums, at + i * part.columns * PIXEL);
        }
    }

    private void finishIntoArray(int plane, int row, int column, int pixels, float[] sums, int at) {
        int channel = plane % to.blocks() * PIXEL;
        int target = y.arrayOffset() + to.at(plane, row, column);
        if (residual == null || form.from == null) {
            kernels.addBias(sums, at, y.array(), target, pixels, bias, channel, form.low, form.high);
            return;
        }
        int from = residual.arrayOffset() + form.from.at(plane, row, column);
        float[] added = residual.array();
        if (form.isResidualLast) {
            kernels.addBias(sums, at, sums, at, pixels, bias, channel, form.low, form.high);
            addUnbounded(sums, at, y.array(), target, pixels, added, from);
        } else {
            kernels.addBoth(sums, at, y.array(), target, pixels, bias, channel, added, from, form.low, form.high);
        }
    }

    private void addUnbounded(float[] sums, int at, float[] into, int target, int pixels, float[] added, int from) {
        float all = Float.POSITIVE_INFINITY;
        kernels.addBoth(sums, at, into, target, pixels, form.none, 0, added, from, -all, all);
    }

    /** Stores what is finished. */
    private void put(int plane, Part part, float[] sums, int at) {
        int line = part.columns * PIXEL;
        if (to.columns() == part.columns) {
            y.put(to.at(plane, part.row, 0), sums, at, part.rows * line);
            return;
        }
        for (int i = 0; i < part.rows; i++) {
            y.put(to.at(plane, part.row + i, part.column), sums, at + i * line, line);
        }
    }

    /** Clears the margin beside a part, and above and below it. */
    private void clearMargin(int plane, Part part) {
        if (to.columns() == size[1] && to.rows() == size[0]) {
            return;
        }
        boolean isFirst = part.column == 0;
        boolean isLast = part.column + part.columns == size[1];
        if (isFirst && part.row == 0) {
            clear(plane, -halo[0], halo[0]);
        }
        for (int i = 0; i < part.rows; i++) {
            int left = to.at(plane, part.row + i, part.column);
            if (isFirst) {
                y.put(left - halo[1] * PIXEL, form.zeros, 0, halo[1] * PIXEL);
            }
            if (isLast) {
                y.put(left + part.columns * PIXEL, form.zeros, 0, halo[3] * PIXEL);
            }
        }
        if (isFirst && part.row + part.rows == size[0]) {
            clear(plane, size[0], halo[2]);
        }
    }

    private void clear(int plane, int row, int rows) {
        for (int i = 0; i < rows; i++) {
            y.put(to.at(plane, row + i, -halo[1]), form.zeros, 0, to.columns() * PIXEL);
        }
    }

    private void finish(int plane, Part part, float[] sums, int at) {
        int pixels = part.rows * part.columns;
        int channel = plane % to.blocks() * PIXEL;
        if (residual == null || form.from == null) {
            kernels.addBias(sums, at, sums, at, pixels, bias, channel, form.low, form.high);
            activate(sums, at, pixels, channel);
            return;
        }
        float[] added = scratch.take(pixels * PIXEL);
        read(residual, form.from, plane, part, added);
        if (form.isResidualLast) {
            kernels.addBias(sums, at, sums, at, pixels, bias, channel, form.low, form.high);
            activate(sums, at, pixels, channel);
            addUnbounded(sums, at, sums, at, pixels, added, 0);
        } else {
            kernels.addBoth(sums, at, sums, at, pixels, bias, channel, added, 0, form.low, form.high);
            activate(sums, at, pixels, channel);
        }
        scratch.give(added);
    }

    private static void read(FloatBuffer values, BlockedView view, int plane, Part part, float[] into) {
        int line = part.columns * PIXEL;
        if (view.columns() == part.columns) {
            values.get(view.at(plane, part.row, 0), into, 0, part.rows * line);
            return;
        }
        for (int i = 0; i < part.rows; i++) {
            values.get(view.at(plane, part.row + i, part.column), into, i * line, line);
        }
    }

    private void activate(float[] sums, int at, int pixels, int channel) {
        if (slope.length > 0) {
            for (int i = 0; i < pixels * PIXEL; i++) {
                float value = sums[at + i];
                sums[at + i] = value < 0 ? slope[channel + i % PIXEL] * value : value;
            }
        } else if (form.activation != null) {
            form.activation.floats().run(sums, at, at + pixels * PIXEL);
        }
    }
}
