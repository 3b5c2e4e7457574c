package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.importer.tflite.TfliteDetector;
import org.clinfer.importer.tflite.TfliteNet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged TensorFlow Lite networks: bytes, and numbers, which may be offsets, sizes, codes or options. */
class TfliteFuzzTest {

    private static final int CASES = 3000;
    private static final int LONG = 20_000;

    private static final int[] NUMBERS = {
        0,
        1,
        2,
        3,
        4,
        6,
        7,
        8,
        16,
        100,
        127,
        255,
        1000,
        65_536,
        1 << 24,
        1 << 30,
        -1,
        -2,
        -4,
        -100,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE
    };

    static final List<String> WORDS = List.of("TFL3", "x", "y", "TFLite_Detection_PostProcess", "Mine", "é\n");

    @TempDir
    Path folder;

    private static float[] numbers(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = i % 5 - 1;
        }
        return values;
    }

    private static byte[] weights(int count) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
            values[i] = (byte) (i * 37);
        }
        return values;
    }

    /** A classifier of real numbers. */
    static TfliteNet classifier() {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 6, 6, 2);
        int w = net.floats("w", numbers(72), 4, 3, 3, 2);
        int b = net.floats("b", numbers(4), 4);
        int c = net.value("c", "float32", 1, 3, 3, 4);
        int d = net.value("d", "float32", 1, 3, 3, 4);
        int p = net.value("p", "float32", 1, 2, 2, 4);
        int f = net.value("f", "float32", 1, 16);
        int k = net.value("k", "float32", 1, 3);
        int y = net.value("y", "float32", 1, 3);
        net.op("CONV_2D", c, "stride_w=2 stride_h=2 fused_activation_function=3", x, w, b)
                .op("DEPTHWISE_CONV_2D", d, "stride_w=1 stride_h=1", c, net.floats("v", numbers(36), 1, 3, 3, 4), b)
                .op("MAX_POOL_2D", p, "padding=1 stride_w=1 stride_h=1 filter_width=2 filter_height=2", d)
                .op("RESHAPE", f, "", p, net.vector("sizes", 1, 16))
                .op("FULLY_CONNECTED", k, "", f, net.floats("m", numbers(48), 3, 16), -1)
                .op("SOFTMAX", y, "beta=1", k);
        return net.nameInput("picture", x).nameOutput("classes", y).output(y);
    }

    /** A network of quantized numbers. */
    static TfliteNet quantized() {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "int8", 1, 4, 4, 2);
        int w = net.bytes("w", "int8", weights(16), 2, 2, 2, 2);
        int b = net.vector("b", 10, -20);
        int c = net.value("c", "int8", 1, 4, 4, 2);
        int a = net.value("a", "int8", 1, 4, 4, 2);
        int r = net.value("r", "int8", 1, 8, 8, 2);
        int m = net.value("m", "int8", 1, 2);
        int y = net.value("y", "float32", 1, 2);
        net.quantized(x, 0.1, 3)
                .quantized(w, 0, new float[] {0.01f, 0.02f}, 0, 0)
                .quantized(b, 0, new float[] {0.001f, 0.002f}, 0, 0)
                .quantized(c, 0.1, 3)
                .quantized(a, 0.2, -5)
                .quantized(r, 0.2, -5)
                .quantized(m, 0.1, 0)
                .op("CONV_2D", c, "stride_w=1 stride_h=1 fused_activation_function=1", x, w, b)
                .op("ADD", a, "", c, x)
                .op("RESIZE_BILINEAR", r, "half_pixel_centers=1", a, net.vector("size", 8, 8))
                .op("MEAN", m, "", r, net.vector("axes", 1, 2))
                .op("DEQUANTIZE", y, "", m);
        return net.output(y);
    }

    /** What moves elements, with sizes in tensors. */
    static TfliteNet movements() {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4, 4, 4);
        int t = net.value("t", "float32", 1, 4, 4, 4);
        int p = net.value("p", "float32", 1, 6, 7, 4);
        int s = net.value("s", "float32", 4, 7, 2);
        int[] halves = {net.value("h", "float32", 4, 7, 1), net.value("i", "float32", 4, 7, 1)};
        int g = net.value("g", "float32", 2, 7, 1);
        int c = net.value("c", "float32", 2, 7, 2);
        int b = net.value("b", "float32", 16, 2, 2, 1);
        net.op("TRANSPOSE", t, "", x, net.vector("perm", 0, 3, 1, 2))
                .op("PAD", p, "", t, net.ints("pads", new int[] {0, 0, 1, 1, 1, 2, 0, 0}, 4, 2))
                .op(
                        "STRIDED_SLICE",
                        s,
                        "shrink_axis_mask=1 begin_mask=4",
                        p,
                        net.vector("from", 0, 1, 0, 0),
                        net.vector("to", 1, 5, 7, 4),
                        net.vector("step", 1, 1, 1, 2))
                .op("SPLIT", new int[] {net.ints("axis", new int[] {2}), s}, halves, "num_splits=2")
                .op("GATHER", g, "axis=0", halves[0], net.vector("rows", 1, 3))
                .op("CONCATENATION", c, "axis=-1", g, g)
                .op(
                        "SPACE_TO_BATCH_ND",
                        b,
                        "",
                        x,
                        net.vector("blocks", 2, 2),
                        net.ints("borders", new int[] {0, 0, 0, 0}, 2, 2));
        return net.output(c).output(halves[1]).output(b);
    }

    static List<TfliteNet> networks() {
        return List.of(
                classifier(), quantized(), movements(), TfliteDetector.network(TfliteDetector.options(false, 4, 0.5f)));
    }

    @Test
    void theNetworksAreSound() throws IOException {
        for (TfliteNet net : networks()) {
            FormatFuzz.requireSound(net.write(folder));
        }
    }

    private static byte[] changed(byte[] sound, long seed) {
        Random random = new Random(seed);
        ByteBuffer file = ByteBuffer.wrap(sound.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = 8 + random.nextInt(sound.length - 12);
            switch (random.nextInt(4)) {
                case 0 -> file.put(at, (byte) random.nextInt(256));
                case 1 -> file.put(at, (byte) (file.get(at) + random.nextInt(5) - 2));
                case 2 -> file.putInt(at / 4 * 4, NUMBERS[random.nextInt(NUMBERS.length)]);
                default -> file.putInt(at / 4 * 4, file.getInt(at / 4 * 4) + random.nextInt(33) - 16);
            }
        }
        return file.array();
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedNetworks() throws IOException {
        List<byte[]> sound = networks().stream().map(TfliteNet::bytes).toList();
        FormatFuzz.run("TensorFlow Lite", CASES, seed -> {
            byte[] network = sound.get((int) (seed % sound.size()));
            byte[] damaged = seed % 10 == 0 ? new ModelMutator(seed).damage(network) : changed(network, seed);
            return Files.write(folder.resolve("net.tflite"), damaged);
        });
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void ringsAndLongChains() throws IOException {
        TfliteNet chain = new TfliteNet();
        int last = chain.input("x", "float32", 4);
        for (int i = 0; i < LONG; i++) {
            int next = chain.value("r" + i, "float32", 4);
            chain.op("RELU", next, "", last);
            last = next;
        }
        chain.output(last);
        TfliteNet ring = new TfliteNet();
        int x = ring.input("x", "float32", 4);
        int a = ring.value("a", "float32", 4);
        int b = ring.value("b", "float32", 4);
        ring.op("ADD", a, "", x, b).op("RELU", b, "", a).output(b);
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            assertThat(new Trial(engine).of(chain.write(folder)).defect()).isEmpty();
            Trial.Outcome outcome = new Trial(engine).of(ring.write(folder));
            assertThat(outcome.defect()).isEmpty();
            assertThat(outcome.refusal().orElseThrow()).hasSizeLessThan(400).doesNotContain("\n");
        }
    }
}
