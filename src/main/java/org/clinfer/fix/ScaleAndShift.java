package org.clinfer.fix;

import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;

/**
 * A factor and a summand for each channel, or one for all channels: y = x * scale + shift. That is a batch normalization with
 * constants, and a sum, difference, product or quotient with one.
 *
 * @param x the value that is changed
 * @param scale one element, or one for each channel
 * @param shift as many
 */
@SuppressWarnings("ArrayRecordComponent") // only read, and made anew for each change
record ScaleAndShift(String x, double[] scale, double[] shift) {

    /** The node as such a change of a value with channels second; empty where it is none. */
    static Optional<ScaleAndShift> of(Site site, CheckedNode node) {
        return of(site, node, 1);
    }

    static Optional<ScaleAndShift> of(Site site, CheckedNode node, int channelAxis) {
        Site at = site.at(node);
        if (at.outputType().shape().rank() < 2 || !at.outputType().dtype().isFloating()) {
            return Optional.empty();
        }
        return switch (at.op()) {
            case "BatchNorm" -> channelAxis == 1 ? normalization(at) : Optional.empty();
            case "Add", "Sub", "Mul", "Div" -> arithmetic(at, channelAxis);
            default -> Optional.empty();
        };
    }

    double scale(int channel) {
        return scale[scale.length == 1 ? 0 : channel];
    }

    double shift(int channel) {
        return shift[shift.length == 1 ? 0 : channel];
    }

    private static Optional<ScaleAndShift> normalization(Site site) {
        Optional<Tensor> scale = site.constant(1);
        Optional<Tensor> bias = site.constant(2);
        Optional<Tensor> mean = site.constant(3);
        Optional<Tensor> variance = site.constant(4);
        if (scale.isEmpty() || bias.isEmpty() || mean.isEmpty() || variance.isEmpty()) {
            return Optional.empty();
        }
        Binding binding = site.node().binding();
        double epsilon = binding.real("epsilon");
        int channels = Math.toIntExact(scale.get().elements());
        double[] factors = new double[channels];
        double[] summands = new double[channels];
        for (int i = 0; i < channels; i++) {
            factors[i] = scale.get().getDouble(i) / Math.sqrt(variance.get().getDouble(i) + epsilon);
            summands[i] = bias.get().getDouble(i) - mean.get().getDouble(i) * factors[i];
        }
        return Optional.of(new ScaleAndShift(site.x(), factors, summands));
    }

    private static Optional<ScaleAndShift> arithmetic(Site site, int channelAxis) {
        boolean isFirst = site.constant(1).isEmpty();
        Optional<Tensor> constant = isFirst ? site.constant(0) : site.constant(1);
        Optional<String> x = site.input(isFirst ? 1 : 0);
        if (constant.isEmpty() || x.isEmpty() || site.constant(x.get()).isPresent()) {
            return Optional.empty();
        }
        if (!site.type(x.get()).equals(site.outputType()) || (isFirst && site.isOp("Div"))) {
            return Optional.empty();
        }
        Optional<double[]> values = perChannel(constant.get(), site.outputSizes(), channelAxis);
        return values.map(each -> of(site.op(), isFirst, x.get(), each));
    }

    private static ScaleAndShift of(String op, boolean isFirst, String x, double[] values) {
        double[] scale = new double[values.length];
        double[] shift = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            switch (op) {
                case "Mul" -> scale[i] = values[i];
                case "Div" -> scale[i] = 1 / values[i];
                case "Sub" -> {
                    scale[i] = isFirst ? -1 : 1;
                    shift[i] = isFirst ? values[i] : -values[i];
                }
                default -> {
                    scale[i] = 1;
                    shift[i] = values[i];
                }
            }
        }
        return new ScaleAndShift(x, scale, shift);
    }

    /** The elements of a constant that has one for each of the channels, or one alone. */
    private static Optional<double[]> perChannel(Tensor constant, long[] sizes, int channelAxis) {
        if (constant.elements() == 1) {
            return Optional.of(new double[] {constant.getDouble(0)});
        }
        long[] own = constant.shape().sizes();
        int axis = own.length - sizes.length + channelAxis;
        long channels = sizes[channelAxis];
        return axis >= 0 && constant.elements() == channels && own[axis] == channels
                ? Optional.of(constant.toDoubleArray())
                : Optional.empty();
    }
}
