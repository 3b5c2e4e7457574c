package org.clinfer.networks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/** The networks that are measured. Their layers are those of the papers, or of the programs named there. */
public enum BenchmarkNetwork {
    RESNET_50("resnet50", 224, Classifiers::resNet50),
    SQUEEZENET_1_0("squeezenet1.0", 224, Classifiers::squeezeNet10),
    SQUEEZENET_1_1("squeezenet1.1", 224, Classifiers::squeezeNet11),
    MOBILENET_V2("mobilenetv2", 224, Classifiers::mobileNetV2),
    VGG_19("vgg19", 224, Classifiers::vgg19),
    INCEPTION_V1("inception_v1", 224, Inception::version1),
    DENSENET_121("densenet121", 224, Classifiers::denseNet121),
    U_NET("unet", 256, Segmenters::uNet),
    FCN_HEAD("fcn_head", 512, Segmenters::fcnHead),
    DEIT_TINY("deit_tiny", 224, Transformers::deitTiny);

    private final String fileName;
    private final int imageSize;

    @SuppressWarnings("ImmutableEnumChecker") // a method
    private final Consumer<NetworkWriter> layers;

    BenchmarkNetwork(String fileName, int imageSize, Consumer<NetworkWriter> layers) {
        this.fileName = fileName;
        this.imageSize = imageSize;
        this.layers = layers;
    }

    String fileName() {
        return fileName;
    }

    /** As it was published. */
    public Form form() {
        return Form.full(imageSize);
    }

    /** Small enough for a test, with every layer still there. */
    public Form smallForm() {
        return new Form(imageSize / 4 / 32 * 32, 8, true, false, 1);
    }

    /** A written network. */
    public record Written(Path file, long parameters) {}

    public Written write(Path folder, Form form) {
        try (NetworkWriter writer = new NetworkWriter(folder, fileName, form)) {
            layers.accept(writer);
            return new Written(writer.write(), writer.parameters());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The network whose file has this name, without its ending. */
    public static BenchmarkNetwork of(String fileName) {
        return Arrays.stream(values())
                .filter(network -> network.fileName.equals(fileName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no network '" + fileName + "'; there are "
                        + Arrays.stream(values())
                                .map(BenchmarkNetwork::fileName)
                                .toList()));
    }
}
