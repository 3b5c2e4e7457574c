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

/** Damaged ncnn networks, with and without weights, and texts that only look like some. */
class NcnnFuzzTest {

    private static final int CASES = 2500;

    static final List<String> WORDS = List.of(
            "Convolution",
            "Deconvolution",
            "Pooling",
            "Reshape",
            "Permute",
            "Crop",
            "Interp",
            "Concat",
            "Slice",
            "Reduction",
            "BinaryOp",
            "Yolov3DetectionOutput",
            "YoloDetectionOutput",
            "PriorBox",
            "DetectionOutput",
            "MultiHeadAttention",
            "SDPA",
            "-233",
            "0=-1",
            "1=0",
            "2=4",
            "4=1",
            "6=16",
            "7=2",
            "-23300=2,-233,-233",
            "-23303=1,1",
            "-23309=1,0",
            "9=3",
            "18=1");

    static final String CLASSIFIER = """
            7767517
            11 12
            Input in 0 1 x 0=6 1=6 2=2
            Convolution c 1 1 x a 0=4 1=3 4=1 5=1 6=72 9=2 -23310=1,0.1
            Split s 1 2 a b d
            ConvolutionDepthWise e 1 1 b f 0=4 1=3 4=1 5=1 6=36 7=4 9=1
            Eltwise g 2 1 d f h 0=1
            BatchNorm i 1 1 h j 0=4 1=0.001
            Pooling k 1 1 j l 1=2 2=2
            ShuffleChannel m 1 1 l n 0=2
            Pooling o 1 1 n p 0=1 4=1
            InnerProduct q 1 1 p r 0=3 1=1 2=12
            Softmax t 1 1 r y
            """;

    static final String SHAPES = """
            7767517
            16 20
            Input in 0 1 x 0=8 1=4 2=4
            Slice s 1 2 x a b -23300=2,1,-233
            Padding p 1 1 a c 0=1 1=1 4=1
            Interp i 1 1 c d 0=2 1=2.0 2=1.5
            Permute o 1 1 d e 0=3
            Reshape r 1 1 e f 0=-1 1=12
            Reduction q 1 1 f g 0=3 1=0 -23303=1,1 5=1
            Deconvolution v 1 1 b h 0=2 1=2 3=2 6=24
            Crop k 2 1 h x1 j
            Noop n 1 1 x2 l
            PixelShuffle t 1 1 l m 0=2
            Clip u 1 1 m w 0=0.0 1=6.0
            Input in2 0 1 x1 0=8 1=4 2=2
            Input in3 0 1 x2 0=2 1=2 2=4
            BinaryOp z 1 1 g y1 0=2 1=1 2=3.0
            Normalize aa 1 1 j y2 3=2
            """;

    /** A detector with prior boxes, and attention over its rows. */
    static final String DETECTOR = """
            7767517
            13 16
            Input in 0 1 x 0=8 1=4 2=4
            Split s 1 4 x a b c d
            Permute p 1 1 a e 0=3
            Flatten f 1 1 e loc
            Reshape r 1 1 b g 0=4 1=32
            Split t 1 4 g h i j k
            MultiHeadAttention m 3 1 h i j l 0=4 1=2 2=16
            Softmax n 1 1 l o 0=1 1=1
            Flatten u 1 1 o conf
            PriorBox q 2 1 c d prior -23300=1,2.0 9=-233 10=-233 11=-233.0 12=-233.0 13=0.5
            DetectionOutput v 3 1 loc conf prior y 0=4 1=0.45 2=10 3=5 4=0.1
            Reshape w 1 1 k z 0=4 1=8 2=4
            SDPA aa 3 1 z z z y1
            """;

    @TempDir
    Path folder;

    private Path write(String name, byte[] text) throws IOException {
        return Files.write(folder.resolve(name), text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What stands behind a layer stands behind it here, too. */
    static String sorted(String text) {
        List<String> lines = text.lines().toList();
        List<String> inputs =
                lines.stream().filter(line -> line.startsWith("Input ")).toList();
        List<String> others = lines.subList(2, lines.size()).stream()
                .filter(line -> !line.startsWith("Input "))
                .toList();
        return String.join("\n", lines.subList(0, 2)) + "\n" + String.join("\n", inputs) + "\n"
                + String.join("\n", others) + "\n";
    }

    /** As many weights as the first network takes, with tags in front of the kernels. */
    static byte[] weights() {
        int[] counts = {-72, 4, -36, 4, 4, 4, 4, 4, -12, 3};
        ByteBuffer bytes = ByteBuffer.allocate(4 * 200).order(ByteOrder.LITTLE_ENDIAN);
        for (int count : counts) {
            if (count < 0) {
                bytes.putInt(0);
            }
            for (int i = 0; i < Math.abs(count); i++) {
                bytes.putFloat(1 + i % 3);
            }
        }
        byte[] written = new byte[bytes.position()];
        bytes.flip().get(written);
        return written;
    }

    @Test
    void theNetworksAreSound() throws IOException {
        write("net.bin", weights());
        FormatFuzz.requireSound(write("net.param", bytes(CLASSIFIER)));
        Files.delete(folder.resolve("net.bin"));
        FormatFuzz.requireSound(write("net.param", bytes(sorted(SHAPES))));
        FormatFuzz.requireSound(write("net.param", bytes(DETECTOR)));
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedNetworks() throws IOException {
        FormatFuzz.run("ncnn", CASES, seed -> {
            TextMutator mutator = new TextMutator(seed, WORDS);
            boolean classifies = seed % 2 == 0;
            Files.deleteIfExists(folder.resolve("net.bin"));
            if (classifies) {
                write("net.bin", seed % 14 == 0 ? new ModelMutator(seed).damage(weights()) : weights());
            }
            String sound = classifies ? CLASSIFIER : seed % 4 == 1 ? sorted(SHAPES) : DETECTOR;
            if (seed % 9 == 0) {
                return write("net.param", new ModelMutator(seed).damage(bytes(sound)));
            }
            if (seed % 11 == 0) {
                return write("net.param", bytes(mutator.random("7767517\n2 2\nInput in 0 1 x 0=4 1=4 2=2\n")));
            }
            return write("net.param", bytes(seed % 14 == 0 ? sound : mutator.change(sound)));
        });
    }
}
