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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.onnx.Encoder;
import org.clinfer.tensor.Tensor;

/**
 * Tokens per second of a text embedding with the sizes of MiniLM, in Clinfer and in ONNX Runtime, in turns.
 *
 * <p>Arguments: {@code cpu} or {@code opencl}, texts of a run, tokens of a text, runs of a turn, turns.
 */
public final class MeasureEmbedding {

    private static final List<String> INPUTS = List.of("input_ids", "attention_mask", "token_type_ids");

    private final int runs;
    private final long[] shape;
    private final Map<String, long[]> elements = new HashMap<>();
    private final float[] vectors;

    private MeasureEmbedding(int texts, int tokens, int runs) {
        this.runs = runs;
        this.shape = new long[] {texts, tokens};
        this.vectors = new float[texts * tokens * Encoder.Sizes.miniLm().width()];
        for (String input : INPUTS) {
            long[] values = new long[texts * tokens];
            for (int i = 0; i < values.length; i++) {
                values[i] = input.equals("input_ids") ? 1000 + 37L * i % 20000 : input.equals("attention_mask") ? 1 : 0;
            }
            elements.put(input, values);
        }
    }

    /** Gets the vectors of all tokens. */
    @FunctionalInterface
    private interface Run {
        void run() throws OrtException;
    }

    /** Prints the tokens per second of both, and the time of Clinfer's by that of ONNX Runtime's, each the median of all turns. */
    public static void main(String[] arguments) throws IOException, OrtException {
        DeviceChoice device = arguments[0].equals("cpu") ? new DeviceChoice.Cpu() : new DeviceChoice.FirstOpenCl();
        int texts = Integer.parseInt(arguments[1]);
        int tokens = Integer.parseInt(arguments[2]);
        MeasureEmbedding measure = new MeasureEmbedding(texts, tokens, Integer.parseInt(arguments[3]));
        Path model = Encoder.write(Encoder.Sizes.miniLm(), Files.createTempDirectory("embedding"));
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                Model loaded = engine.load(model);
                Session session = loaded.session();
                OrtSession peer = environment.createSession(model.toString())) {
            for (int turn = 0; turn <= Integer.parseInt(arguments[4]); turn++) {
                double own = measure.seconds(() -> measure.ofClinfer(session));
                double other = measure.seconds(() -> measure.ofRuntime(environment, peer));
                if (turn > 0) { // the first one warms both up
                    ours.add(own);
                    theirs.add(other);
                }
            }
        }
        double all = (double) texts * tokens * measure.runs;
        System.out.printf(
                "%s, %d texts of %d tokens: Clinfer %.0f tokens/s, ONNX Runtime %.0f tokens/s, ratio of times %.2f%n",
                arguments[0], texts, tokens, all / median(ours), all / median(theirs), median(ours) / median(theirs));
    }

    private static double median(List<Double> seconds) {
        return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
    }

    private double seconds(Run run) throws OrtException {
        long start = System.nanoTime();
        for (int i = 0; i < runs; i++) {
            run.run();
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private void ofClinfer(Session session) {
        Map<String, Tensor> inputs = new HashMap<>();
        elements.forEach((name, values) -> inputs.put(name, Tensor.of(values, shape)));
        try (Result result = session.run(inputs)) {
            System.arraycopy(result.get("last_hidden_state").toFloatArray(), 0, vectors, 0, vectors.length);
        }
    }

    private void ofRuntime(OrtEnvironment environment, OrtSession session) throws OrtException {
        try (OnnxTensor ids = tensor(environment, "input_ids");
                OnnxTensor mask = tensor(environment, "attention_mask");
                OnnxTensor kinds = tensor(environment, "token_type_ids");
                OrtSession.Result result =
                        session.run(Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", kinds))) {
            FloatBuffer all = ((OnnxTensor) result.get("last_hidden_state").orElseThrow()).getFloatBuffer();
            all.get(vectors);
        }
    }

    private OnnxTensor tensor(OrtEnvironment environment, String input) throws OrtException {
        return OnnxTensor.createTensor(environment, LongBuffer.wrap(elements.get(input)), shape);
    }
}
