package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Activations;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** The epilogue of a convolution in blocked channels: bias, residual, activation, and the margin of zeros. */
final class BlockedEpilogue {

    /** Channels that lie side by side. */
    static final int LANES = 16;

    private static final int BIAS = 2;
    private static final int RESIDUAL = 3;
    private static final int SLOPE = 4;

    private final FloatBuffer y;
    private final int channels;
    private final int blocks;
    private final int[] size;
    private final int[] halo;
    private final double[] bias;
    private final double[] slope;
    private final float[] residual;
    private final int[] residualDims;
    private final int[] residualCrop;
    private final boolean isResidualLast;
    private final @Nullable Loops activation;

    BlockedEpilogue(CpuCall call) {
        Parameters parameters = call.parameters();
        this.y = call.outputFloats();
        this.channels = Math.toIntExact(parameters.integer("out_channels"));
        this.blocks = Math.toIntExact(parameters.integer("out_blocks"));
        this.size = parameters.ints("conv_size");
        this.halo = parameters.ints("y_halo");
        this.bias = all(call.optionalInput(BIAS));
        this.slope = all(call.optionalInput(SLOPE));
        Tensor added = call.optionalInput(RESIDUAL);
        this.residual = added == null ? new float[0] : call.copiedFloats(RESIDUAL);
        this.residualDims = added == null
                ? new int[5]
                : Arrays.stream(added.shape().sizes())
                        .mapToInt(Math::toIntExact)
                        .toArray();
        this.residualCrop = parameters.ints("residual_crop");
        this.isResidualLast = parameters.text("residual_add").equals("AFTER");
        this.activation = Activations.after(parameters, null);
    }

    private static double[] all(@Nullable Tensor tensor) {
        return tensor == null ? new double[0] : TensorValues.allDoubles(tensor);
    }

    /** Rows of a plane of y, margin included. */
    int rows() {
        return halo[0] + size[0] + halo[2];
    }

    /** {@return whether a row of y, counted with the margin, has sums} */
    boolean isInside(int row) {
        return row >= halo[0] && row < halo[0] + size[0];
    }

    /** The row of sums that a row of y, counted with the margin, has. */
    int inside(int row) {
        return row - halo[0];
    }

    /**
     * Finishes and stores a row of y with its margin.
     *
     * @param plane image and block: {@code image * blocks + block}
     * @param row counted with the margin
     * @param sums of each pixel and lane; ignored where the row is part of the margin
     */
    void store(int plane, int row, double[] sums) {
        int width = halo[1] + size[1] + halo[3];
        float[] line = new float[width * LANES];
        if (isInside(row)) {
            for (int i = 0; i < size[1] * LANES; i++) {
                int channel = plane % blocks * LANES + i % LANES;
                line[halo[1] * LANES + i] = (float) finished(sums[i], channel, added(plane, inside(row), i));
            }
        }
        y.put((plane * rows() + row) * width * LANES, line);
    }

    private double added(int plane, int row, int element) {
        if (residual.length == 0) {
            return 0;
        }
        int line = plane * residualDims[2] + row + residualCrop[0];
        return residual[(line * residualDims[3] + residualCrop[1]) * LANES + element];
    }

    private double finished(double sum, int channel, double added) {
        double start = bias.length > 0 && channel < channels ? bias[channel] : 0;
        return isResidualLast ? activated(sum + start, channel) + added : activated(sum + start + added, channel);
    }

    private double activated(double sum, int channel) {
        if (slope.length > 0) {
            double factor = channel < channels ? slope[channel % slope.length] : 0;
            return sum < 0 ? factor * sum : sum;
        }
        return activation == null ? sum : activation.doubles().applyAsDouble(sum);
    }
}
