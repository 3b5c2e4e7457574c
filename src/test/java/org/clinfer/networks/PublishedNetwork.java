package org.clinfer.networks;

import static org.clinfer.networks.NetworkWriter.LINEAR;
import static org.clinfer.networks.NetworkWriter.RECTIFIED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Networks beside those that are measured, of which somebody has published what a vendor's tool made of them. All are
 * written with weights of 0, since what a tool makes of a network depends on its shapes.
 */
public enum PublishedNetwork {
    /** {@code lenet_train_test.prototxt} of Caffe's examples, without its loss. */
    LENET("lenet", 28, PublishedNetwork::leNet),
    /** He et al. 2015, with 18 layers. */
    RESNET_18("resnet18", 224, PublishedNetwork::resNet18),
    /** Howard et al. 2017, with half the channels, for pictures of 160x160. */
    MOBILENET_V1_HALF("mobilenet_v1_0.50_160", 160, PublishedNetwork::mobileNetV1),
    /** {@code yolov3-tiny.cfg} of darknet, up to its two maps of boxes. */
    YOLO_V3_TINY("yolov3_tiny", 416, PublishedNetwork::yoloV3Tiny),
    /** {@code ModelBN} of NVIDIA's tutorial for DLA, for CIFAR-10. */
    DLA_TUTORIAL("dla_tutorial_bn", 32, PublishedNetwork::dlaTutorial);

    private static final int CLASSES = 1000;

    /** Channels of a map of YOLO: three boxes, each with 4 sides, a score and 80 classes. */
    private static final int BOXES = 255;

    private final String fileName;
    private final int imageSize;

    @SuppressWarnings("ImmutableEnumChecker") // a method
    private final Consumer<NetworkWriter> layers;

    PublishedNetwork(String fileName, int imageSize, Consumer<NetworkWriter> layers) {
        this.fileName = fileName;
        this.imageSize = imageSize;
        this.layers = layers;
    }

    /** Writes the network of this name, here or among those that are measured, with weights of 0, and gives its file. */
    public static Path write(String fileName, Path folder) {
        for (PublishedNetwork network : values()) {
            if (network.fileName.equals(fileName)) {
                return network.write(folder);
            }
        }
        BenchmarkNetwork measured = BenchmarkNetwork.of(fileName);
        return measured.write(folder, measured.form().withZeros()).file();
    }

    private Path write(Path folder) {
        try (NetworkWriter writer =
                new NetworkWriter(folder, fileName, Form.full(imageSize).withZeros())) {
            layers.accept(writer);
            return writer.write();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void leNet(NetworkWriter net) {
        Value x = net.convolution(net.input("data", 1, net.imageSize()), new Filter(20, 5, 1, 0, 1), LINEAR);
        x = net.maxPool(x, 2, 2, 0);
        x = net.maxPool(net.convolution(x, new Filter(50, 5, 1, 0, 1), LINEAR), 2, 2, 0);
        net.output(net.dense(net.relu(net.dense(net.flatten(x), 500, RECTIFIED)), 10, LINEAR));
    }

    private static void resNet18(NetworkWriter net) {
        Value x = net.relu(net.normalized(net.image(), new Filter(64, 7, 2, 3, 1), RECTIFIED));
        x = net.maxPool(x, 3, 2, 1);
        for (int stage = 0; stage < 4; stage++) {
            int width = 64 << stage;
            x = basic(net, x, width, stage > 0 ? 2 : 1);
            x = basic(net, x, width, 1);
        }
        net.output(net.dense(net.flatten(net.globalAverage(x)), CLASSES, LINEAR));
    }

    private static Value basic(NetworkWriter net, Value x, int width, int stride) {
        Value y = net.relu(net.normalized(x, Filter.of(width, 3).stride(stride), RECTIFIED));
        y = net.normalized(y, Filter.of(width, 3), LINEAR);
        Value shortcut = stride > 1 ? net.normalized(x, Filter.of(width, 1).stride(stride), LINEAR) : x;
        return net.relu(net.add(y, shortcut));
    }

    private static void mobileNetV1(NetworkWriter net) {
        Value x = net.relu6(net.normalized(net.image(), Filter.of(16, 3).stride(2), RECTIFIED));
        int[] widths = {32, 64, 64, 128, 128, 256, 256, 256, 256, 256, 256, 512, 512};
        for (int width : widths) {
            int stride = width > x.channels() && x.channels() > 16 ? 2 : 1;
            x = net.relu6(net.normalized(x, Filter.depthwise(x.channels(), 3).stride(stride), RECTIFIED));
            x = net.relu6(net.normalized(x, Filter.of(width, 1), RECTIFIED));
        }
        Value scores = net.convolution(net.averagePool(x, x.height(), 1), Filter.of(CLASSES + 1, 1), LINEAR);
        Value flat = net.flatten(scores);
        net.output(new Value(net.node("Softmax", List.of(flat.name())), flat.channels(), 1, 1));
    }

    private static void yoloV3Tiny(NetworkWriter net) {
        Value x = net.image();
        for (int width = 16; width <= 128; width *= 2) {
            x = net.maxPool(leaky(net, x, width, 3), 2, 2, 0);
        }
        Value fine = leaky(net, x, 256, 3);
        x = leaky(net, net.maxPool(fine, 2, 2, 0), 512, 3);
        x = leaky(net, samePool(net, x), 1024, 3);
        x = leaky(net, x, 256, 1);
        net.output(net.convolution(leaky(net, x, 512, 3), Filter.of(BOXES, 1), LINEAR));
        Value both = net.concat(upsample(net, leaky(net, x, 128, 1)), fine);
        net.output(net.convolution(leaky(net, both, 256, 3), Filter.of(BOXES, 1), LINEAR));
    }

    private static Value leaky(NetworkWriter net, Value x, int width, int kernel) {
        Value y = net.normalized(x, Filter.of(width, kernel), RECTIFIED);
        return y.named(net.node("LeakyRelu", List.of(y.name()), NetworkWriter.real("alpha", 0.1f)));
    }

    /** A pool with windows of 2x2 that leaves the size as it is. */
    private static Value samePool(NetworkWriter net, Value x) {
        return x.named(net.node(
                "MaxPool",
                List.of(x.name()),
                NetworkWriter.integers("kernel_shape", 2, 2),
                NetworkWriter.integers("pads", 0, 0, 1, 1)));
    }

    private static Value upsample(NetworkWriter net, Value x) {
        int height = 2 * x.height();
        int width = 2 * x.width();
        String sizes = net.numbers(net.batch(), x.channels(), height, width);
        return new Value(net.node("Resize", List.of(x.name(), "", "", sizes)), x.channels(), height, width);
    }

    private static void dlaTutorial(NetworkWriter net) {
        Value x = net.image();
        for (int width = 64; width <= 512; width *= 2) {
            x = net.relu(net.normalized(x, Filter.of(width, 3).stride(2), RECTIFIED));
        }
        net.output(net.dense(net.flatten(net.globalAverage(x)), 10, LINEAR));
    }
}
