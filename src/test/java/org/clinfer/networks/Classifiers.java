package org.clinfer.networks;

import static org.clinfer.networks.NetworkWriter.ADDED;
import static org.clinfer.networks.NetworkWriter.LINEAR;
import static org.clinfer.networks.NetworkWriter.RECTIFIED;

/** Networks that name what is in a picture, as torchvision has them. */
final class Classifiers {

    private static final int CLASSES = 1000;

    private Classifiers() {}

    private static void classify(NetworkWriter net, Value features) {
        net.output(net.dense(net.flatten(net.globalAverage(features)), net.width(CLASSES), LINEAR));
    }

    /** He et al. 2015, with the stride in the 3x3 convolution of a block. */
    static void resNet50(NetworkWriter net) {
        Value x = net.relu(net.normalized(net.image(), new Filter(net.width(64), 7, 2, 3, 1), RECTIFIED));
        x = net.maxPool(x, 3, 2, 1);
        int[] blocks = {3, 4, 6, 3};
        for (int stage = 0; stage < blocks.length; stage++) {
            for (int block = 0; block < blocks[stage]; block++) {
                x = bottleneck(net, x, net.width(64 << stage), stage > 0 && block == 0 ? 2 : 1, block == 0);
            }
        }
        classify(net, x);
    }

    private static Value bottleneck(NetworkWriter net, Value x, int width, int stride, boolean projected) {
        Value y = net.relu(net.normalized(x, Filter.of(width, 1), RECTIFIED));
        y = net.relu(net.normalized(y, Filter.of(width, 3).stride(stride), RECTIFIED));
        y = net.normalized(y, Filter.of(4 * width, 1), ADDED);
        Value shortcut = projected ? net.normalized(x, Filter.of(4 * width, 1).stride(stride), LINEAR) : x;
        return net.relu(net.add(y, shortcut));
    }

    /** Iandola et al. 2016, first version. */
    static void squeezeNet10(NetworkWriter net) {
        Value x = net.rectified(net.image(), new Filter(net.width(96), 7, 2, 0, 1));
        x = net.maxPoolCeil(x, 3, 2);
        x = fire(net, fire(net, fire(net, x, 16, 64), 16, 64), 32, 128);
        x = net.maxPoolCeil(x, 3, 2);
        x = fire(net, fire(net, fire(net, fire(net, x, 32, 128), 48, 192), 48, 192), 64, 256);
        x = net.maxPoolCeil(x, 3, 2);
        squeezeEnd(net, fire(net, x, 64, 256));
    }

    /** Its second version, with pools earlier. */
    static void squeezeNet11(NetworkWriter net) {
        Value x = net.rectified(net.image(), new Filter(net.width(64), 3, 2, 0, 1));
        x = net.maxPoolCeil(x, 3, 2);
        x = fire(net, fire(net, x, 16, 64), 16, 64);
        x = net.maxPoolCeil(x, 3, 2);
        x = fire(net, fire(net, x, 32, 128), 32, 128);
        x = net.maxPoolCeil(x, 3, 2);
        squeezeEnd(net, fire(net, fire(net, fire(net, fire(net, x, 48, 192), 48, 192), 64, 256), 64, 256));
    }

    private static Value fire(NetworkWriter net, Value x, int squeezed, int expanded) {
        Value squeeze = net.rectified(x, Filter.of(net.width(squeezed), 1));
        Value one = net.rectified(squeeze, Filter.of(net.width(expanded), 1));
        Value three = net.rectified(squeeze, Filter.of(net.width(expanded), 3));
        return net.concat(one, three);
    }

    private static void squeezeEnd(NetworkWriter net, Value x) {
        Value scores = net.rectified(x, Filter.of(net.width(CLASSES), 1));
        net.output(net.flatten(net.globalAverage(scores)));
    }

    /** Sandler et al. 2018. */
    static void mobileNetV2(NetworkWriter net) {
        Value x = net.relu6(
                net.normalized(net.image(), Filter.of(net.width(32), 3).stride(2), RECTIFIED));
        int[][] stages = {
            {1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}
        };
        for (int[] stage : stages) {
            for (int block = 0; block < stage[2]; block++) {
                x = inverted(net, x, stage[0], net.width(stage[1]), block == 0 ? stage[3] : 1);
            }
        }
        classify(net, net.relu6(net.normalized(x, Filter.of(net.width(1280), 1), RECTIFIED)));
    }

    private static Value inverted(NetworkWriter net, Value x, int expansion, int channels, int stride) {
        boolean added = stride == 1 && x.channels() == channels;
        int hidden = expansion * x.channels();
        Value y = expansion == 1 ? x : net.relu6(net.normalized(x, Filter.of(hidden, 1), RECTIFIED));
        y = net.relu6(net.normalized(y, Filter.depthwise(hidden, 3).stride(stride), RECTIFIED));
        y = net.normalized(y, Filter.of(channels, 1), added ? ADDED : LINEAR);
        return added ? net.add(x, y) : y;
    }

    /** Simonyan and Zisserman 2014, configuration E. */
    static void vgg19(NetworkWriter net) {
        Value x = net.image();
        int[][] stages = {{64, 2}, {128, 2}, {256, 4}, {512, 4}, {512, 4}};
        for (int[] stage : stages) {
            for (int layer = 0; layer < stage[1]; layer++) {
                x = net.rectified(x, Filter.of(net.width(stage[0]), 3));
            }
            x = net.maxPool(x, 2, 2, 0);
        }
        x = net.relu(net.dense(net.flatten(x), net.width(4096), RECTIFIED));
        x = net.relu(net.dense(x, net.width(4096), RECTIFIED));
        net.output(net.dense(x, net.width(CLASSES), LINEAR));
    }

    /** Huang et al. 2016: normalization and rectifier come before a convolution. */
    static void denseNet121(NetworkWriter net) {
        Value x = net.relu(net.normalized(net.image(), new Filter(net.width(64), 7, 2, 3, 1), RECTIFIED));
        x = net.maxPool(x, 3, 2, 1);
        int[] layers = {6, 12, 24, 16};
        for (int block = 0; block < layers.length; block++) {
            for (int layer = 0; layer < layers[block]; layer++) {
                x = net.concat(x, denseLayer(net, x));
            }
            if (block + 1 < layers.length) {
                Value y = net.relu(net.normalization(x));
                x = net.averagePool(net.plain(y, Filter.of(x.channels() / 2, 1), RECTIFIED), 2, 2);
            }
        }
        classify(net, net.relu(net.normalization(x)));
    }

    private static Value denseLayer(NetworkWriter net, Value x) {
        int growth = net.width(32);
        Value y = net.relu(net.normalization(x));
        y = net.relu(net.normalized(y, Filter.of(4 * growth, 1), RECTIFIED));
        return net.plain(y, Filter.of(growth, 3), RECTIFIED);
    }
}
