package org.clinfer.estimate;

import java.util.Map;
import java.util.function.BiFunction;
import org.clinfer.estimate.Layers.Window;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.PadMode;

/** The networks for which times are published, by name; their layers are those of the papers. */
final class PublishedNetworks {

    private static final Window ONE = Window.of(1);
    private static final Window THREE = Window.of(3);

    private static final Map<String, BiFunction<Layers, Edge, Edge>> BY_NAME = Map.ofEntries(
            Map.entry("AlexNet", PublishedNetworks::alexNet),
            Map.entry("DenseNet-121", PublishedNetworks::denseNet121),
            Map.entry("Inception v1", Inceptions::version1),
            Map.entry("Inception v3", Inceptions::version3),
            Map.entry("Inception v4", Inceptions::version4),
            Map.entry("MobileNet v1", (net, image) -> mobileNet1(net, image, 1)),
            Map.entry("MobileNet v1 0.5", (net, image) -> mobileNet1(net, image, 0.5)),
            Map.entry("MobileNet v1 0.25", (net, image) -> mobileNet1(net, image, 0.25)),
            Map.entry("MobileNet v2", PublishedNetworks::mobileNet2),
            Map.entry("ResNet-18", (net, image) -> basicResNet(net, image, 2, 2, 2, 2)),
            Map.entry("ResNet-34", (net, image) -> basicResNet(net, image, 3, 4, 6, 3)),
            Map.entry("ResNet-50", (net, image) -> resNet(net, image, 1, 3, 4, 6, 3)),
            Map.entry("ResNet-50 v1.5", (net, image) -> resNet(net, image, 3, 3, 4, 6, 3)),
            Map.entry("ResNet-101", (net, image) -> resNet(net, image, 1, 3, 4, 23, 3)),
            Map.entry("ResNet-101 v1.5", (net, image) -> resNet(net, image, 3, 3, 4, 23, 3)),
            Map.entry("ResNet-152", (net, image) -> resNet(net, image, 1, 3, 8, 36, 3)),
            Map.entry("ResNet-152 v1.5", (net, image) -> resNet(net, image, 3, 3, 8, 36, 3)),
            Map.entry("SqueezeNet 1.0", PublishedNetworks::squeezeNet10),
            Map.entry("SqueezeNet 1.1", PublishedNetworks::squeezeNet11),
            Map.entry("VGG-16", (net, image) -> vgg(net, image, 2, 2, 3, 3, 3)),
            Map.entry("VGG-19", (net, image) -> vgg(net, image, 2, 2, 4, 4, 4)));

    private PublishedNetworks() {}

    /** A network on pictures of three channels. */
    static Graph of(String name, int batch, int size) {
        BiFunction<Layers, Edge, Edge> layers = BY_NAME.get(name);
        if (layers == null) {
            throw new IllegalArgumentException("no network '" + name + "', only " + BY_NAME.keySet());
        }
        Layers net = new Layers(name);
        return net.network(layers.apply(net, net.input(batch, 3, size)));
    }

    /** Howard et al. 2017. */
    private static Edge mobileNet1(Layers net, Edge image, double multiplier) {
        Edge x = net.relu6(net.convolution(image, (int) (32 * multiplier), THREE.stride(2)));
        int[][] blocks = {
            {64, 1}, {128, 2}, {128, 1}, {256, 2}, {256, 1}, {512, 2}, {512, 1}, {512, 1}, {512, 1}, {512, 1}, {512, 1},
            {1024, 2}, {1024, 1}
        };
        for (int[] block : blocks) {
            x = net.relu6(net.depthwise(x, THREE.stride(block[1])));
            x = net.relu6(net.convolution(x, (int) (block[0] * multiplier), ONE));
        }
        return net.dense(net.globalAverage(x), 1001);
    }

    /** Sandler et al. 2018. */
    private static Edge mobileNet2(Layers net, Edge image) {
        Edge x = net.relu6(net.convolution(image, 32, THREE.stride(2)));
        int[][] stages = {
            {1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}
        };
        for (int[] stage : stages) {
            for (int block = 0; block < stage[2]; block++) {
                int stride = block == 0 ? stage[3] : 1;
                int hidden = stage[0] * Layers.channels(x);
                Edge y = stage[0] == 1 ? x : net.relu6(net.convolution(x, hidden, ONE));
                y = net.convolution(net.relu6(net.depthwise(y, THREE.stride(stride))), stage[1], ONE);
                x = stride == 1 && Layers.channels(x) == stage[1] ? net.add(x, y) : y;
            }
        }
        x = net.relu6(net.convolution(x, 1280, ONE));
        return net.dense(net.globalAverage(x), 1001);
    }

    /**
     * He et al. 2015, blocks of three convolutions.
     *
     * @param strided the kernel size of the convolution in which a block takes every second pixel: 1, or 3 in version 1.5
     */
    private static Edge resNet(Layers net, Edge image, int strided, int... blocks) {
        Edge x = net.rectified(image, 64, Window.of(7).stride(2));
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        for (int stage = 0; stage < blocks.length; stage++) {
            for (int block = 0; block < blocks[stage]; block++) {
                int width = 64 << stage;
                int stride = stage > 0 && block == 0 ? 2 : 1;
                Edge y = net.rectified(x, width, ONE.stride(strided == 1 ? stride : 1));
                y = net.rectified(y, width, THREE.stride(strided == 3 ? stride : 1));
                y = net.convolution(y, 4 * width, ONE);
                x = net.relu(net.add(block == 0 ? net.convolution(x, 4 * width, ONE.stride(stride)) : x, y));
            }
        }
        return net.dense(net.globalAverage(x), 1000);
    }

    /** The same with blocks of two. */
    private static Edge basicResNet(Layers net, Edge image, int... blocks) {
        Edge x = net.rectified(image, 64, Window.of(7).stride(2));
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        for (int stage = 0; stage < blocks.length; stage++) {
            for (int block = 0; block < blocks[stage]; block++) {
                int width = 64 << stage;
                int stride = stage > 0 && block == 0 ? 2 : 1;
                Edge y = net.convolution(net.rectified(x, width, THREE.stride(stride)), width, THREE);
                x = net.relu(net.add(stride == 2 ? net.convolution(x, width, ONE.stride(2)) : x, y));
            }
        }
        return net.dense(net.globalAverage(x), 1000);
    }

    /** Simonyan and Zisserman 2014. */
    private static Edge vgg(Layers net, Edge image, int... convolutions) {
        Edge x = image;
        for (int stage = 0; stage < convolutions.length; stage++) {
            for (int layer = 0; layer < convolutions[stage]; layer++) {
                x = net.rectified(x, Math.min(512, 64 << stage), THREE);
            }
            x = net.maxPool(x, 2, 2, PadMode.VALID);
        }
        x = net.relu(net.dense(net.relu(net.dense(x, 4096)), 4096));
        return net.dense(x, 1000);
    }

    /** Krizhevsky 2014, as torchvision has it. */
    private static Edge alexNet(Layers net, Edge image) {
        Edge x = net.maxPool(net.rectified(image, 64, Window.of(11).stride(4)), 3, 2, PadMode.VALID);
        x = net.maxPool(net.rectified(x, 192, Window.of(5)), 3, 2, PadMode.VALID);
        x = net.rectified(net.rectified(net.rectified(x, 384, THREE), 256, THREE), 256, THREE);
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        x = net.relu(net.dense(net.relu(net.dense(x, 4096)), 4096));
        return net.dense(x, 1000);
    }

    /** Iandola et al. 2016, first version. */
    private static Edge squeezeNet10(Layers net, Edge image) {
        Edge x = net.rectified(image, 96, Window.of(7).stride(2).valid());
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        x = fire(net, fire(net, fire(net, x, 16, 64), 16, 64), 32, 128);
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        x = fire(net, fire(net, fire(net, fire(net, x, 32, 128), 48, 192), 48, 192), 64, 256);
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        return net.globalAverage(net.rectified(fire(net, x, 64, 256), 1000, ONE));
    }

    /** Its second version, with pools earlier. */
    private static Edge squeezeNet11(Layers net, Edge image) {
        Edge x = net.rectified(image, 64, THREE.stride(2).valid());
        x = net.maxPool(x, 3, 2, PadMode.VALID);
        x = net.maxPool(fire(net, fire(net, x, 16, 64), 16, 64), 3, 2, PadMode.VALID);
        x = net.maxPool(fire(net, fire(net, x, 32, 128), 32, 128), 3, 2, PadMode.VALID);
        x = fire(net, fire(net, fire(net, fire(net, x, 48, 192), 48, 192), 64, 256), 64, 256);
        return net.globalAverage(net.rectified(x, 1000, ONE));
    }

    private static Edge fire(Layers net, Edge x, int squeezed, int expanded) {
        Edge squeeze = net.rectified(x, squeezed, ONE);
        return net.concat(net.rectified(squeeze, expanded, ONE), net.rectified(squeeze, expanded, THREE));
    }

    /** Huang et al. 2016; a normalization stands before its convolution and stays. */
    private static Edge denseNet121(Layers net, Edge image) {
        Edge x = net.rectified(image, 64, Window.of(7).stride(2));
        x = net.maxPool(x, 3, 2, PadMode.SAME);
        int[] layers = {6, 12, 24, 16};
        for (int block = 0; block < layers.length; block++) {
            for (int layer = 0; layer < layers[block]; layer++) {
                Edge y = net.rectified(net.relu(net.normalization(x)), 128, ONE);
                x = net.concat(x, net.convolution(y, 32, THREE));
            }
            if (block + 1 < layers.length) {
                Edge y = net.relu(net.normalization(x));
                x = net.averagePool(net.convolution(y, Layers.channels(x) / 2, ONE), 2, 2);
            }
        }
        return net.dense(net.globalAverage(net.relu(net.normalization(x))), 1000);
    }
}
