package org.clinfer.networks;

import static org.clinfer.networks.NetworkWriter.LINEAR;
import static org.clinfer.networks.NetworkWriter.RECTIFIED;

/** Networks that say of every pixel what it is. */
final class Segmenters {

    private static final int FCN_CLASSES = 21;

    private Segmenters() {}

    /** Ronneberger et al. 2015, padded, with normalizations and 32 channels at first: that of Buda et al. 2019. */
    static void uNet(NetworkWriter net) {
        int depth = 4;
        Value[] skipped = new Value[depth];
        Value x = net.image();
        for (int level = 0; level < depth; level++) {
            skipped[level] = twice(net, x, net.width(32 << level));
            x = net.maxPool(skipped[level], 2, 2, 0);
        }
        x = twice(net, x, net.width(32 << depth));
        for (int level = depth - 1; level >= 0; level--) {
            int channels = net.width(32 << level);
            x = net.deconvolution(x, new Filter(channels, 2, 2, 0, 1));
            x = twice(net, net.concat(x, skipped[level]), channels);
        }
        net.output(net.sigmoid(net.convolution(x, Filter.of(1, 1), LINEAR)));
    }

    private static Value twice(NetworkWriter net, Value x, int channels) {
        Value y = net.relu(net.normalized(x, Filter.of(channels, 3), RECTIFIED));
        return net.relu(net.normalized(y, Filter.of(channels, 3), RECTIFIED));
    }

    /**
     * Long et al. 2015: what follows the features of VGG-16 in FCN-8s, and, as a second output, in FCN-32s. Transposed
     * convolutions are padded where the original cuts the borders off.
     */
    static void fcnHead(NetworkWriter net) {
        int size = net.imageSize();
        Value pool3 = net.input("pool3", net.width(256), size / 8);
        Value pool4 = net.input("pool4", net.width(512), size / 16);
        Value last = net.input("fc7", net.width(4096), size / 32);
        Value coarse = net.convolution(last, Filter.of(FCN_CLASSES, 1), LINEAR);
        Value fused = net.add(doubled(net, coarse), net.convolution(pool4, Filter.of(FCN_CLASSES, 1), LINEAR));
        fused = net.add(doubled(net, fused), net.convolution(pool3, Filter.of(FCN_CLASSES, 1), LINEAR));
        net.output(net.deconvolution(fused, new Filter(FCN_CLASSES, 16, 8, 4, 1)));
        net.output(net.deconvolution(coarse, new Filter(FCN_CLASSES, 64, 32, 16, 1)));
    }

    private static Value doubled(NetworkWriter net, Value x) {
        return net.deconvolution(x, new Filter(FCN_CLASSES, 4, 2, 1, 1));
    }
}
