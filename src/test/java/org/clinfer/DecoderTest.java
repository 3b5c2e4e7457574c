package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.importer.onnx.Decoder;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoders whose caches are carried from token to token. */
class DecoderTest {

    private static final int LAYERS = 2;
    private static final int TOKENS = 36;
    private static final int LENGTHS = 20;
    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    private static final EngineOptions DEVICE =
            EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()).withTrust(true);

    @TempDir
    Path folder;

    private static Decoder.Sizes sizes(int capacity) {
        return new Decoder.Sizes(LAYERS, 32, 2, 60, 64, capacity);
    }

    private Path model(int capacity) {
        return Decoder.write(sizes(capacity), folder);
    }

    private static Map<String, Tensor> words(List<Long> words, int before, int capacity) {
        long[] ids = new long[words.size()];
        long[] places = new long[words.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = words.get(i);
            places[i] = (long) before + i;
        }
        int seen = before + ids.length;
        Tensor mask = Tensor.allocate(DType.INT64, 1, capacity == 0 ? seen : capacity);
        for (int i = 0; i < seen; i++) {
            mask.setLong(i, 1);
        }
        return Map.of(
                "input_ids", Tensor.of(ids, 1, ids.length),
                "position_ids", Tensor.of(places, 1, ids.length),
                "attention_mask", mask);
    }

    private static Map<String, Tensor> emptyCaches(int capacity) {
        Map<String, Tensor> empty = new HashMap<>();
        Decoder.caches(LAYERS)
                .forEach(name ->
                        empty.put("past_key_values." + name, Tensor.allocate(DType.FLOAT32, 1, 2, capacity, 16)));
        return empty;
    }

    private static IoBinding carrying(Session session, int capacity) {
        IoBinding binding = session.bind();
        Decoder.caches(LAYERS).forEach(name -> binding.carry("present." + name, "past_key_values." + name));
        emptyCaches(capacity).forEach(binding::set);
        return binding;
    }

    /** The most likely word after the last one. */
    private static long next(Tensor scores) {
        int words = (int) scores.shape().size(2);
        long last = scores.elements() - words;
        long best = 0;
        for (int word = 1; word < words; word++) {
            if (scores.getDouble(last + word) > scores.getDouble(last + best)) {
                best = word;
            }
        }
        return best;
    }

    private static List<Long> generated(IoBinding binding, int capacity) {
        List<Long> words = new ArrayList<>(List.of(1L));
        for (int i = 0; i < TOKENS; i++) {
            List<Long> word = List.of(words.get(i));
            try (Result result = binding.run(words(word, i, capacity))) {
                words.add(next(result.get("logits")));
            }
        }
        return words;
    }

    /** What comes of reading everything anew for each word. */
    private List<Long> expected() {
        List<Long> words = new ArrayList<>(List.of(1L));
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(model(0));
                Session session = model.session()) {
            for (int i = 0; i < TOKENS; i++) {
                Map<String, Tensor> inputs = new HashMap<>(words(words, 0, 0));
                inputs.putAll(emptyCaches(0));
                try (Result result = session.run(inputs)) {
                    words.add(next(result.get("logits")));
                }
            }
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 40})
    void carriedCachesAreWhatWasReadBefore(int capacity) {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(model(capacity));
                Session session = model.session();
                IoBinding binding = carrying(session, capacity)) {
            assertThat(generated(binding, capacity)).isEqualTo(expected());
        }
    }

    /** A run of a session that has made plans for other lengths, and of one that has made none. */
    private void lengthsInAnyOrderGiveWhatTheyGiveAlone(EngineOptions options) {
        Random random = new Random(29);
        Path model = model(0);
        try (Engine engine = Engine.open(options);
                Model used = engine.load(model);
                Session session = used.session()) {
            for (int i = 0; i < LENGTHS; i++) {
                Map<String, Tensor> inputs = random(random);
                try (Model other = engine.load(model);
                        Session alone = other.session();
                        Result result = session.run(inputs);
                        Result expected = alone.run(inputs)) {
                    assertThat(session.placement()).isEqualTo(alone.placement());
                    for (String name : result.outputs().keySet()) {
                        assertThat(result.get(name).type())
                                .isEqualTo(expected.get(name).type());
                        assertThat(result.get(name).toFloatArray())
                                .as(name)
                                .isEqualTo(expected.get(name).toFloatArray());
                    }
                }
            }
        }
    }

    @Test
    void onTheCpuLengthsInAnyOrderGiveWhatTheyGiveAlone() {
        lengthsInAnyOrderGiveWhatTheyGiveAlone(CPU);
    }

    @Test
    @RequiresOpenCl
    void onADeviceLengthsInAnyOrderGiveWhatTheyGiveAlone() {
        lengthsInAnyOrderGiveWhatTheyGiveAlone(DEVICE);
    }

    /** Some words behind a cache of others, each as many as are drawn. */
    private static Map<String, Tensor> random(Random random) {
        int past = random.nextInt(24);
        List<Long> words = random.longs(1 + random.nextInt(4), 0, 60).boxed().toList();
        Map<String, Tensor> inputs = new HashMap<>(words(words, past, 0));
        Decoder.caches(LAYERS)
                .forEach(name -> inputs.put(
                        "past_key_values." + name, TestGraphs.numbers(random.nextInt(1000), 1, 2, past, 16)));
        return inputs;
    }

    /** Words are looked up there, and new ones go into the cache: nothing is the CPU's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 40})
    @RequiresOpenCl
    void aDeviceTakesAllOfADecoder(int capacity) {
        try (Engine engine = Engine.open(DEVICE.withOnUnsupported(OnUnsupported.FAIL));
                Model model = engine.load(model(capacity));
                Session session = model.session();
                IoBinding binding = carrying(session, capacity)) {
            assertThat(generated(binding, capacity)).isEqualTo(expected());
            assertThat(session.placement().nodes())
                    .filteredOn(node -> node.op().equals("ScatterElements"))
                    .hasSize(capacity == 0 ? 0 : 2 * LAYERS)
                    .allMatch(node -> node.target().name().equals("DEVICE"));
        }
    }

    /** The example generates what the test does, with a cache of either kind. */
    @ParameterizedTest
    @ValueSource(ints = {0, 40})
    void theExampleGenerates(int capacity) throws IOException, InterruptedException {
        Path printed = folder.resolve("printed.txt");
        int generated = 6;
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dclinfer.opencl.library=/nonexistent",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "examples/decoder/GreedyDecoder.java",
                        model(capacity).toString(),
                        String.valueOf(generated),
                        "1")
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        String text = process.waitFor() + "\n" + Files.readString(printed, StandardCharsets.UTF_8);
        assertThat(text)
                .startsWith("0\n")
                .contains("tokens " + expected().subList(0, generated + 1) + "\n")
                .contains(" tokens/s");
    }

    /** Nothing is compiled for a length: the programs are there after the first words, but for one that takes long rows. */
    @Test
    @RequiresOpenCl
    void longerCachesNeedNoNewPrograms() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        CountingClApi counting = pinned.counting();
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(model(0));
                Session session = model.session();
                IoBinding binding = carrying(session, 0)) {
            List<Long> words = new ArrayList<>(List.of(1L));
            List<Integer> builds = new ArrayList<>();
            for (int i = 0; i < TOKENS; i++) {
                try (Result result = binding.run(words(List.of(words.get(i)), i, 0))) {
                    words.add(next(result.get("logits")));
                }
                builds.add(counting.calls("clBuildProgram"));
            }
            assertThat(words).isEqualTo(expected());
            assertThat(builds.get(10)).isEqualTo(builds.get(1));
            assertThat(builds.get(TOKENS - 1)).isLessThanOrEqualTo(builds.get(1) + 1);
        }
        counting.assertAllReleased();
    }
}
