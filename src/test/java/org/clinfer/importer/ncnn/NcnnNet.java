package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;

/** Networks that tests write: lines of layers, and weights in their order. */
final class NcnnNet {

    private final List<String> layers = new ArrayList<>();
    private final ByteArrayOutputStream weights = new ByteArrayOutputStream();

    /** A network with an input {@code x} of the sizes w, h and c, as far as they are given. */
    static NcnnNet of(int... sizes) {
        NcnnNet net = new NcnnNet();
        StringBuilder params = new StringBuilder();
        for (int i = 0; i < sizes.length; i++) {
            params.append(' ').append(i).append('=').append(sizes[i]);
        }
        return net.line("Input in 0 1 x" + params);
    }

    NcnnNet line(String layer) {
        layers.add(layer);
        return this;
    }

    /** A layer from {@code x} to {@code y}. */
    NcnnNet layer(String type, String params) {
        return line(type + " l 1 1 x y " + params);
    }

    private NcnnNet bytes(ByteBuffer bytes) {
        byte[] copied = new byte[bytes.capacity()];
        bytes.get(0, copied);
        weights.writeBytes(copied);
        return this;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Weights as float32, without a tag. */
    NcnnNet raw(float... values) {
        ByteBuffer bytes = buffer(4 * values.length);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return bytes(bytes);
    }

    NcnnNet tag(int tag) {
        return bytes(buffer(4).putInt(tag));
    }

    /** Weights as float32 behind the tag 0. */
    NcnnNet tagged(float... values) {
        return tag(0).raw(values);
    }

    NcnnNet shorts(int... values) {
        ByteBuffer bytes = buffer(2 * values.length);
        for (int value : values) {
            bytes.putShort((short) value);
        }
        return bytes(bytes);
    }

    String text() {
        return "7767517\n" + layers.size() + " " + layers.size() + "\n" + String.join("\n", layers) + "\n";
    }

    byte[] weights() {
        return weights.toByteArray();
    }

    /** Writes the network as {@code net.param} and its weights, if it has any, and gives the definition's file. */
    Path write(Path folder) throws IOException {
        Path file = folder.resolve("net.bin");
        Files.deleteIfExists(file);
        if (weights.size() > 0) {
            Files.write(file, weights.toByteArray());
        }
        return Files.writeString(folder.resolve("net.param"), text());
    }

    /** The outputs of a run on the CPU. */
    static Map<String, Tensor> run(Path model, Map<String, Tensor> inputs) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            return run(engine, model, inputs);
        }
    }

    static Map<String, Tensor> run(Engine engine, Path model, Map<String, Tensor> inputs) {
        try (Model loaded = engine.load(model);
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    /** The output {@code y}. */
    Tensor output(Path folder, Map<String, Tensor> inputs) throws IOException {
        return Objects.requireNonNull(run(write(folder), inputs).get("y"));
    }

    /** The first output for the input {@code x}. */
    Tensor run(Path folder, float[] x, long... dims) throws IOException {
        return List.copyOf(run(write(folder), Map.of("x", Tensor.of(x, dims))).values())
                .get(0);
    }

    /** Numbers from -2 to 2. */
    static float[] random(long seed, int count) {
        Random random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat() * 4 - 2;
        }
        return values;
    }

    /** 0, 1, … */
    static float[] count(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = i;
        }
        return values;
    }

    /** Checks every element. */
    static void same(Tensor actual, double... wanted) {
        float[] values = actual.toFloatArray();
        assertThat(values).hasSize(wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            assertThat((double) values[i])
                    .as("element %s", i)
                    .isCloseTo(wanted[i], offset(2e-5 * Math.max(1, Math.abs(wanted[i]))));
        }
    }

    static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** Checks that a network is refused with this reason. */
    static void unsupported(Path folder, NcnnNet net, String message) throws IOException {
        Path file = net.write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }
}
