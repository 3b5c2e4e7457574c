package org.clinfer;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.onnx.Decoder;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Tokens per second of a small decoder, in Clinfer with its cache carried by a binding and in ONNX Runtime with what a run
 * gives handed to the next one, in turns.
 *
 * <p>Arguments: {@code cpu} or {@code opencl}, the fixed length of the cache or 0 for one that grows, tokens of a turn, turns, and
 * turns before these that warm both up: a virtual machine compiles for some seconds. The first of them is told as well.
 */
public final class MeasureDecoder {

    private static final int LAYERS = 4;
    private static final int WIDTH = 256;
    private static final int HEADS = 4;
    private static final int WORDS = 1000;
    private static final int PLACES = 1024;

    private final int capacity;
    private final int tokens;

    private MeasureDecoder(int capacity, int tokens) {
        this.capacity = capacity;
        this.tokens = tokens;
    }

    /** The scores of the word after the one at a place. */
    @FunctionalInterface
    private interface Step {
        float[] scores(long word, int place) throws OrtException;
    }

    /** Prints the tokens per second of both, and the time of Clinfer's by that of ONNX Runtime's, each the median of all turns. */
    public static void main(String[] arguments) throws IOException, OrtException {
        DeviceChoice device = arguments[0].equals("cpu") ? new DeviceChoice.Cpu() : new DeviceChoice.FirstOpenCl();
        MeasureDecoder measure = new MeasureDecoder(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        Path model = Decoder.write(
                new Decoder.Sizes(LAYERS, WIDTH, HEADS, WORDS, PLACES, measure.capacity),
                Files.createTempDirectory("decoder"));
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                OrtSession peer = environment.createSession(model.toString())) {
            int before = Integer.parseInt(arguments[4]);
            for (int turn = -before; turn < Integer.parseInt(arguments[3]); turn++) {
                double own = measure.ofClinfer(session);
                double other = measure.ofRuntime(environment, peer);
                if (turn == -before) {
                    System.out.printf("the first %d tokens: %.2f s and %.2f s%n", measure.tokens, own, other);
                }
                if (turn >= 0) {
                    ours.add(own);
                    theirs.add(other);
                }
            }
        }
        System.out.printf(
                "%s, cache of %s: Clinfer %.1f tokens/s, ONNX Runtime %.1f tokens/s, ratio of times %.2f%n",
                arguments[0],
                measure.capacity == 0 ? "growing length" : measure.capacity,
                measure.tokens / median(ours),
                measure.tokens / median(theirs),
                median(ours) / median(theirs));
    }

    private static double median(List<Double> seconds) {
        return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
    }

    private double seconds(Step step) throws OrtException {
        long start = System.nanoTime();
        long word = 1;
        for (int place = 0; place < tokens; place++) {
            float[] scores = step.scores(word, place);
            word = 0;
            for (int i = 1; i < scores.length; i++) {
                word = scores[i] > scores[(int) word] ? i : word;
            }
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private long[] mask(int place) {
        long[] mask = new long[capacity == 0 ? place + 1 : capacity];
        Arrays.fill(mask, 0, place + 1, 1);
        return mask;
    }

    private double ofClinfer(Session session) throws OrtException {
        try (IoBinding binding = session.bind()) {
            for (String cache : Decoder.caches(LAYERS)) {
                binding.carry("present." + cache, "past_key_values." + cache);
                binding.set(
                        "past_key_values." + cache, Tensor.allocate(DType.FLOAT32, 1, HEADS, capacity, WIDTH / HEADS));
            }
            return seconds((word, place) -> {
                long[] mask = mask(place);
                try (Result result = binding.run(Map.of(
                        "input_ids", Tensor.of(new long[] {word}, 1, 1),
                        "position_ids", Tensor.of(new long[] {place}, 1, 1),
                        "attention_mask", Tensor.of(mask, 1, mask.length)))) {
                    return result.get("logits").toFloatArray();
                }
            });
        }
    }

    private double ofRuntime(OrtEnvironment environment, OrtSession session) throws OrtException {
        Map<String, OnnxTensor> caches = new HashMap<>();
        long[] empty = {1, HEADS, capacity, WIDTH / HEADS};
        for (String cache : Decoder.caches(LAYERS)) {
            FloatBuffer zeros = FloatBuffer.allocate(HEADS * capacity * WIDTH / HEADS);
            caches.put("past_key_values." + cache, OnnxTensor.createTensor(environment, zeros, empty));
        }
        double seconds = seconds((word, place) -> step(environment, session, caches, word, place));
        caches.values().forEach(OnnxTensor::close);
        return seconds;
    }

    private float[] step(
            OrtEnvironment environment, OrtSession session, Map<String, OnnxTensor> caches, long word, int place)
            throws OrtException {
        long[] mask = mask(place);
        Map<String, OnnxTensor> inputs = new HashMap<>(caches);
        try (OnnxTensor ids =
                        OnnxTensor.createTensor(environment, LongBuffer.wrap(new long[] {word}), new long[] {1, 1});
                OnnxTensor places =
                        OnnxTensor.createTensor(environment, LongBuffer.wrap(new long[] {place}), new long[] {1, 1});
                OnnxTensor known =
                        OnnxTensor.createTensor(environment, LongBuffer.wrap(mask), new long[] {1, mask.length})) {
            inputs.put("input_ids", ids);
            inputs.put("position_ids", places);
            inputs.put("attention_mask", known);
            OrtSession.Result result = session.run(inputs);
            for (String cache : Decoder.caches(LAYERS)) {
                OnnxTensor next = (OnnxTensor) result.get("present." + cache).orElseThrow();
                caches.replace("past_key_values." + cache, next).close();
            }
            try (OnnxTensor scores = (OnnxTensor) result.get("logits").orElseThrow()) {
                FloatBuffer all = scores.getFloatBuffer();
                float[] row = new float[WORDS];
                all.get(row);
                return row;
            }
        }
    }
}
