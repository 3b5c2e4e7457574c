package org.clinfer.robustness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged darknet networks, with and without weights, and texts that only look like some. */
class DarknetFuzzTest {

    private static final int CASES = 2500;

    static final List<String> WORDS = List.of(
            "[net]",
            "[convolutional]",
            "[connected]",
            "[local]",
            "[detection]",
            "[route]",
            "[shortcut]",
            "[yolo]",
            "[region]",
            "[reorg]",
            "[maxpool]",
            "[softmax]",
            "[upsample]",
            "[crop]",
            "layers=-1",
            "from=-1",
            "filters",
            "size",
            "stride",
            "activation",
            "mish",
            "leaky",
            "groups",
            "batch_normalize=1",
            "1,2,3",
            "-1,-2");

    static final String CLASSIFIER = """
            [net]
            batch=1
            width=6
            height=6
            channels=2
            [convolutional]
            batch_normalize=1
            filters=4
            size=3
            stride=1
            pad=1
            activation=leaky
            [maxpool]
            size=2
            stride=2
            [convolutional]
            filters=4
            groups=2
            size=1
            stride=1
            activation=mish
            [shortcut]
            from=-2
            activation=linear
            [connected]
            output=3
            activation=relu
            [dropout]
            probability=.5
            [softmax]
            groups=1
            """;

    static final String DETECTOR = """
            [net]
            width=8
            height=8
            channels=3
            [convolutional]
            filters=16
            size=3
            stride=2
            pad=1
            activation=swish
            [reorg]
            stride=2
            [route]
            layers=-1
            [route]
            layers=0
            groups=2
            group_id=1
            [avgpool]
            [route]
            layers=0
            [upsample]
            stride=2
            [convolutional]
            filters=14
            size=1
            stride=1
            activation=linear
            [yolo]
            mask=0,1
            anchors=10,14, 23,27
            classes=2
            num=2
            [route]
            layers=-2
            [region]
            anchors=1,2, 3,4
            classes=2
            coords=4
            num=2
            softmax=1
            """;

    @TempDir
    Path folder;

    private Path write(String name, byte[] text) throws IOException {
        return Files.write(folder.resolve(name), text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** As many weights as the first network takes: 4 * 4 + 4 * 18, 4 + 4 * 2, 3 + 3 * 36. */
    static byte[] weights() {
        int count = 16 + 72 + 12 + 111;
        ByteBuffer bytes = ByteBuffer.allocate(20 + 4 * count).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0).putInt(2).putInt(0).putLong(9);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(i % 5 - 1);
        }
        return bytes.array();
    }

    @Test
    void theNetworksAreSound() throws IOException {
        write("net.weights", weights());
        Path classifier = write("net.cfg", bytes(CLASSIFIER));
        FormatFuzz.requireSound(classifier);
        Files.delete(folder.resolve("net.weights"));
        FormatFuzz.requireSound(write("net.cfg", bytes(DETECTOR)));
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedNetworks() throws IOException {
        FormatFuzz.run("darknet", CASES, seed -> {
            TextMutator mutator = new TextMutator(seed, WORDS);
            boolean classifies = seed % 2 == 0;
            Path weights = folder.resolve("net.weights");
            Files.deleteIfExists(weights);
            if (classifies) {
                Files.write(weights, seed % 14 == 0 ? new ModelMutator(seed).damage(weights()) : weights());
            }
            String sound = classifies ? CLASSIFIER : DETECTOR;
            if (seed % 9 == 0) {
                return write("net.cfg", new ModelMutator(seed).damage(bytes(sound)));
            }
            if (seed % 11 == 0) {
                return write("net.cfg", bytes(mutator.random("[net]\nwidth=4\nheight=4\n")));
            }
            return write("net.cfg", bytes(seed % 14 == 0 ? sound : mutator.change(sound)));
        });
    }
}
