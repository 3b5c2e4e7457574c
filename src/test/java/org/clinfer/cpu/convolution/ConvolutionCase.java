package org.clinfer.cpu.convolution;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.expr.ExpressionValue;

/** The sizes of one convolution, forward or transposed, and its result by the definition. */
@SuppressWarnings("ArrayRecordComponent")
record ConvolutionCase(
        int spatial,
        int batch,
        int in,
        int out,
        int groups,
        int[] size,
        int[] kernel,
        int[] stride,
        int[] dilation,
        int[] pad,
        int[] result) {

    static ConvolutionCase forward(Random random) {
        int spatial = OperatorRun.pick(random, 1, 2, 2, 2, 3);
        int groups = OperatorRun.pick(random, 1, 1, 1, 2, 3, 4, 13);
        int in = groups * OperatorRun.pick(random, 1, 1, 2, 3, 6);
        int out = groups * OperatorRun.pick(random, 1, 1, 2, 3, 5);
        int[][] axes = new int[6][3];
        for (int axis = 0; axis < 3; axis++) {
            boolean used = axis >= 3 - spatial;
            boolean drawn = false;
            while (!drawn) {
                int size = used ? 1 + random.nextInt(spatial == 3 ? 7 : 17) : 1;
                int kernel = used ? OperatorRun.pick(random, 1, 1, 2, 3, 3, 5) : 1;
                int stride = used ? OperatorRun.pick(random, 1, 1, 2, 3, 6) : 1;
                int dilation = used ? OperatorRun.pick(random, 1, 1, 2, 3) : 1;
                int begin = used ? random.nextInt(4) : 0;
                int end = used ? random.nextInt(3) : 0;
                int room = size + begin + end - dilation * (kernel - 1) - 1;
                drawn = room >= 0;
                int[] values = {size, kernel, stride, dilation, begin, Math.floorDiv(room, stride) + 1};
                for (int i = 0; i < 6; i++) {
                    axes[i][axis] = values[i];
                }
            }
        }
        int batch = 1 + random.nextInt(3);
        return new ConvolutionCase(
                spatial, batch, in, out, groups, axes[0], axes[1], axes[2], axes[3], axes[4], axes[5]);
    }

    static ConvolutionCase transposed(Random random) {
        ConvolutionCase forward = forward(random);
        int[] pad = new int[3];
        int[] result = new int[3];
        for (int axis = 0; axis < 3; axis++) {
            if (axis < 3 - forward.spatial) {
                result[axis] = 1;
                continue;
            }
            int full = (forward.size[axis] - 1) * forward.stride[axis]
                    + forward.dilation[axis] * (forward.kernel[axis] - 1)
                    + 1;
            pad[axis] = random.nextInt(3);
            result[axis] = Math.max(1, full - pad[axis] - random.nextInt(4) + 1);
        }
        return new ConvolutionCase(
                forward.spatial,
                forward.batch,
                forward.in,
                forward.out,
                forward.groups,
                forward.size,
                forward.kernel,
                forward.stride,
                forward.dilation,
                pad,
                result);
    }

    /** The parameters of a convolution of this direction, but for its formats. */
    Map<String, ExpressionValue> parameters(boolean transposed) {
        Map<String, ExpressionValue> parameters = new HashMap<>();
        parameters.put("strides", axes(stride));
        parameters.put("dilations", axes(dilation));
        parameters.put("pads_begin", axes(pad));
        parameters.put("groups", ExpressionValue.of(groups));
        if (transposed) {
            parameters.put("out_size", axes(result));
            return parameters;
        }
        int[] end = new int[3];
        for (int axis = 0; axis < 3; axis++) {
            int reach = (result[axis] - 1) * stride[axis] + dilation[axis] * (kernel[axis] - 1) + 1;
            end[axis] = Math.max(0, reach - size[axis] - pad[axis]);
        }
        parameters.put("pads_end", axes(end));
        return parameters;
    }

    private ExpressionValue axes(int[] sizes) {
        return ExpressionValue.ints(
                Arrays.stream(sizes, 3 - spatial, 3).asLongStream().toArray());
    }

    @Override
    public String toString() {
        return "batch " + batch + " in " + in + " out " + out + " groups " + groups + " size "
                + Arrays.toString(size) + " kernel " + Arrays.toString(kernel) + " stride "
                + Arrays.toString(stride) + " dilation " + Arrays.toString(dilation) + " pad "
                + Arrays.toString(pad) + " result " + Arrays.toString(result);
    }

    int[] shape(int first, int second, int[] spatialSizes) {
        int[] shape = new int[2 + spatial];
        shape[0] = first;
        shape[1] = second;
        System.arraycopy(spatialSizes, 3 - spatial, shape, 2, spatial);
        return shape;
    }

    /** The definition: every pair of input element and kernel element that meet at an output element. */
    double[] expected(double[] x, double[] w, double[] bias, boolean transposed) {
        int[] o = result;
        double[] y = new double[batch * out * o[0] * o[1] * o[2]];
        int inGroup = in / groups;
        int outGroup = out / groups;
        int taps = kernel[0] * kernel[1] * kernel[2];
        int places = size[0] * size[1] * size[2];
        for (int at = 0; at < y.length; at++) {
            int[] p = {at / o[2] / o[1] % o[0], at / o[2] % o[1], at % o[2]};
            int channel = at / o[2] / o[1] / o[0] % out;
            int image = at / o[2] / o[1] / o[0] / out;
            double sum = bias.length == 0 ? 0 : bias[channel];
            for (int c = 0; c < inGroup; c++) {
                int inChannel = channel / outGroup * inGroup + c;
                for (int t = 0; t < taps; t++) {
                    int place = place(p, t, transposed);
                    if (place >= 0) {
                        double weight = transposed
                                ? w[(inChannel * outGroup + channel % outGroup) * taps + t]
                                : w[(channel * inGroup + c) * taps + t];
                        sum += x[(image * in + inChannel) * places + place] * weight;
                    }
                }
            }
            y[at] = sum;
        }
        return y;
    }

    private int place(int[] p, int t, boolean transposed) {
        int[] k = {t / kernel[2] / kernel[1], t / kernel[2] % kernel[1], t % kernel[2]};
        int flat = 0;
        for (int axis = 0; axis < 3; axis++) {
            int i = p[axis] * stride[axis] + k[axis] * dilation[axis] - pad[axis];
            if (transposed) {
                int distance = p[axis] + pad[axis] - k[axis] * dilation[axis];
                if (distance < 0 || distance % stride[axis] != 0) {
                    return -1;
                }
                i = distance / stride[axis];
            }
            if (i < 0 || i >= size[axis]) {
                return -1;
            }
            flat = flat * size[axis] + i;
        }
        return flat;
    }
}
