import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.ClinferException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Gives texts as vectors of length 1: the mean of the vectors of their tokens. Texts that mean the same have a product near
 * 1.
 *
 * <p>Arguments: the model ({@code input_ids, attention_mask, token_type_ids → last_hidden_state}), and for each text the ids
 * of its tokens, with commas between them. Prints the begin of each vector, its product with the first one, and tokens in a
 * second.
 */
public final class TextEmbedding {

    private static final List<String> INPUTS = List.of("input_ids", "attention_mask", "token_type_ids");
    private static final String STATES = "last_hidden_state";

    private TextEmbedding() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            System.err.println("usage: TextEmbedding MODEL ID,ID,...");
            System.exit(2);
        }
        try {
            List<long[]> texts = new ArrayList<>();
            for (String text : List.of(arguments).subList(1, arguments.length)) {
                texts.add(Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray());
            }
            show(Path.of(arguments[0]), texts);
        } catch (NumberFormatException wrong) {
            fail("not a whole number: " + wrong.getMessage());
        } catch (ClinferException refused) {
            fail(refused.getMessage());
        }
    }

    private static void fail(String sentence) {
        System.err.println("TextEmbedding: " + sentence);
        System.exit(2);
    }

    private static void show(Path file, List<long[]> texts) {
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(file);
                Session session = model.session()) {
            List<String> inputs = model.inputs().stream().map(Graph.Input::name).toList();
            if (!inputs.containsAll(INPUTS) || !model.outputs().contains(STATES)) {
                fail("the model is no such encoder: it takes " + inputs + " and gives " + model.outputs() + ", not "
                        + INPUTS + " and " + STATES);
            }
            long start = System.nanoTime();
            float[][] vectors = vectors(session, texts);
            double seconds = (System.nanoTime() - start) / 1e9;
            for (float[] vector : vectors) {
                System.out.printf(
                        Locale.ROOT,
                        "%.4f %.4f %.4f ... product with the first %.4f%n",
                        vector[0],
                        vector[1],
                        vector[2],
                        product(vector, vectors[0]));
            }
            System.out.printf(
                    "%.1f tokens/s%n", texts.stream().mapToInt(text -> text.length).sum() / seconds);
        }
    }

    /** All texts in one run, the shorter ones filled up with tokens that the mask hides. */
    private static float[][] vectors(Session session, List<long[]> texts) {
        int tokens = texts.stream().mapToInt(text -> text.length).max().orElseThrow();
        Tensor ids = Tensor.allocate(DType.INT64, texts.size(), tokens);
        Tensor mask = Tensor.allocate(DType.INT64, texts.size(), tokens);
        for (int text = 0; text < texts.size(); text++) {
            for (int i = 0; i < texts.get(text).length; i++) {
                ids.setLong((long) text * tokens + i, texts.get(text)[i]);
                mask.setLong((long) text * tokens + i, 1);
            }
        }
        Map<String, Tensor> inputs = Map.of(
                "input_ids", ids,
                "attention_mask", mask,
                "token_type_ids", Tensor.allocate(DType.INT64, texts.size(), tokens));
        try (Result result = session.run(inputs)) {
            Tensor states = result.get(STATES);
            int width = (int) states.shape().size(2);
            float[] all = states.toFloatArray();
            float[][] vectors = new float[texts.size()][];
            for (int text = 0; text < vectors.length; text++) {
                vectors[text] = mean(all, text * tokens, texts.get(text).length, width);
            }
            return vectors;
        }
    }

    /** The mean of some rows, brought to length 1. */
    private static float[] mean(float[] rows, int first, int count, int width) {
        float[] mean = new float[width];
        for (int row = first; row < first + count; row++) {
            for (int i = 0; i < width; i++) {
                mean[i] += rows[row * width + i];
            }
        }
        double length = Math.sqrt(product(mean, mean));
        for (int i = 0; i < width; i++) {
            mean[i] /= (float) length;
        }
        return mean;
    }

    private static double product(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
