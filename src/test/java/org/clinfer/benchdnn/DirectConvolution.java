package org.clinfer.benchdnn;

/**
 * The definition of a convolution, one output element at a time, in double precision: every pair of an input element and
 * a kernel element that meet there. Tensors are plain arrays, channels first.
 */
final class DirectConvolution {

    private final boolean transposed;
    private final int channels;
    private final int groupIn;
    private final int groupOut;
    private final int outChannels;
    private final int[] input;
    private final int[] output;
    private final int[] kernel;
    private final int[] stride;
    private final int[] dilation;
    private final int[] pad;
    private final Operands operands;
    private final int[] places;
    private final int[] taps;
    private double sum;
    private double magnitude;

    DirectConvolution(Problem problem, Operands operands) {
        this.transposed = problem.transposed();
        this.channels = (int) problem.inChannels();
        this.outChannels = (int) problem.outChannels();
        this.groupIn = (int) (problem.inChannels() / problem.groups());
        this.groupOut = (int) (problem.outChannels() / problem.groups());
        this.input = three(problem.each(Axis::input), 1);
        this.output = three(problem.each(Axis::output), 1);
        this.kernel = three(problem.each(Axis::kernel), 1);
        this.stride = three(problem.each(Axis::stride), 1);
        this.dilation = three(problem.each(Axis::dilation), 1);
        this.pad = three(problem.each(Axis::padBegin), 0);
        this.operands = operands;
        this.places = new int[kernel[0] * kernel[1] * kernel[2]];
        this.taps = new int[places.length];
    }

    private static int[] three(long[] sizes, int otherwise) {
        int[] three = {otherwise, otherwise, otherwise};
        for (int i = 0; i < sizes.length; i++) {
            three[3 - sizes.length + i] = Math.toIntExact(sizes[i]);
        }
        return three;
    }

    /** Computes the element of the output at a position in row-major order. */
    void at(int position) {
        int plane = output[0] * output[1] * output[2];
        int channel = position / plane % outChannels;
        int image = position / plane / outChannels;
        int meeting = meet(position % plane);
        int group = channel / groupOut;
        sum = operands.bias().length == 0 ? 0 : operands.bias()[channel];
        magnitude = Math.abs(sum);
        int inPlane = input[0] * input[1] * input[2];
        for (int c = group * groupIn; c < (group + 1) * groupIn; c++) {
            int firstInput = (image * channels + c) * inPlane;
            int firstWeight =
                    (transposed ? c * groupOut + channel % groupOut : channel * groupIn + c % groupIn) * taps.length;
            for (int i = 0; i < meeting; i++) {
                double product = operands.input()[firstInput + places[i]] * operands.weights()[firstWeight + taps[i]];
                sum += product;
                magnitude += Math.abs(product);
            }
        }
    }

    /** The element computed last. */
    double sum() {
        return sum;
    }

    /** The sum of the absolute values of its terms: the measure of what rounding can do to it. */
    double magnitude() {
        return magnitude;
    }

    /** Lists the places of the input that meet kernel elements at a place of the output, and tells how many. */
    private int meet(int place) {
        int count = 0;
        for (int kd = 0; kd < kernel[0]; kd++) {
            int d = inputAt(0, place / output[2] / output[1], kd);
            for (int kh = 0; d >= 0 && kh < kernel[1]; kh++) {
                int h = inputAt(1, place / output[2] % output[1], kh);
                for (int kw = 0; h >= 0 && kw < kernel[2]; kw++) {
                    int w = inputAt(2, place % output[2], kw);
                    if (w >= 0) {
                        places[count] = (d * input[1] + h) * input[2] + w;
                        taps[count++] = (kd * kernel[1] + kh) * kernel[2] + kw;
                    }
                }
            }
        }
        return count;
    }

    /** Where along an axis the input meets kernel element {@code k} at output {@code o}; negative for nowhere. */
    private int inputAt(int axis, int o, int k) {
        int at = o * stride[axis] - pad[axis] + k * dilation[axis];
        if (transposed) {
            int distance = o + pad[axis] - k * dilation[axis];
            if (distance < 0 || distance % stride[axis] != 0) {
                return -1;
            }
            at = distance / stride[axis];
        }
        return at < input[axis] ? at : -1;
    }
}
