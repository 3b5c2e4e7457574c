package org.clinfer.importer.darknet;

import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** The numbers of a normalization over batches, one for each channel. */
record BatchStatistics(Value scale, Value mean, Value variance) {

    private static final double EPSILON = 1e-6;

    /** The next ones of the file; epsilon, which the deviation has in darknet, is made part of the variance. */
    static BatchStatistics read(DarknetLayerCall layer, String prefix, long count) {
        Value scale = layer.weight(prefix + "scale", count);
        Value mean = layer.weight(prefix + "mean", count);
        if (!layer.hasNumbers()) {
            return new BatchStatistics(scale, mean, layer.weight(prefix + "variance", count));
        }
        Tensor variance = layer.numbers(count);
        for (long i = 0; i < variance.elements(); i++) {
            double deviation = Math.sqrt(Math.max(0, variance.getDouble(i))) + EPSILON;
            variance.setDouble(i, deviation * deviation);
        }
        return new BatchStatistics(scale, mean, layer.constant(prefix + "variance", variance));
    }
}
