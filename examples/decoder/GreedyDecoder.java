import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.IoBinding;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.ClinferException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;

/**
 * Generates tokens with a decoder as exporters write it, each the most likely one after those before it. Its cache stays on
 * the device.
 *
 * <p>Arguments: the model ({@code input_ids, attention_mask, position_ids, past_key_values.* → logits, present.*}), the number
 * of tokens to generate, and the ids of the first tokens. Prints all ids, and tokens in a second.
 */
public final class GreedyDecoder {

    private static final String PAST = "past_key_values.";
    private static final List<String> INPUTS = List.of("input_ids", "attention_mask", "position_ids");
    private static final String SCORES = "logits";

    private GreedyDecoder() {}

    public static void main(String[] arguments) {
        if (arguments.length < 3) {
            System.err.println("usage: GreedyDecoder MODEL TOKENS FIRST_ID...");
            System.exit(2);
        }
        try {
            List<Long> tokens = new ArrayList<>();
            for (int i = 2; i < arguments.length; i++) {
                tokens.add(Long.parseLong(arguments[i]));
            }
            generate(Path.of(arguments[0]), Integer.parseInt(arguments[1]), tokens);
        } catch (NumberFormatException wrong) {
            fail("not a whole number: " + wrong.getMessage());
        } catch (ClinferException refused) {
            fail(refused.getMessage());
        }
    }

    private static void fail(String sentence) {
        System.err.println("GreedyDecoder: " + sentence);
        System.exit(2);
    }

    private static void generate(Path file, int count, List<Long> tokens) {
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(file)) {
            List<String> inputs = model.inputs().stream().map(Graph.Input::name).toList();
            if (!inputs.containsAll(INPUTS) || !model.outputs().contains(SCORES)) {
                fail("the model is no such decoder: it takes " + inputs + " and gives " + model.outputs() + ", not "
                        + INPUTS + " and " + SCORES);
            }
            generate(model, count, tokens);
        }
    }

    private static void generate(Model model, int count, List<Long> tokens) {
        try (Session session = model.session();
                IoBinding decoder = session.bind()) {
            long capacity = carryCaches(model, decoder);
            long start = System.nanoTime();
            int given = tokens.size();
            for (int place = 0; place < given + count - 1; place++) {
                long next = step(decoder, tokens.get(place), place, capacity);
                if (place >= given - 1) {
                    tokens.add(next);
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.println("tokens " + tokens);
            System.out.printf("%.1f tokens/s%n", (given + count - 1) / seconds);
        }
    }

    /** Carries every cache from an empty one on; gives their fixed length, or 0 where they grow. */
    private static long carryCaches(Model model, IoBinding decoder) {
        long capacity = 0;
        for (Graph.Input input : model.inputs()) {
            if (input.name().startsWith(PAST)) {
                long heads = ((Dim.Known) input.type().shape().dim(1)).size();
                long features = ((Dim.Known) input.type().shape().dim(3)).size();
                capacity = input.type().shape().dim(2) instanceof Dim.Known fixed ? fixed.size() : 0;
                decoder.carry("present." + input.name().substring(PAST.length()), input.name());
                decoder.set(input.name(), Tensor.allocate(DType.FLOAT32, 1, heads, capacity, features));
            }
        }
        return capacity;
    }

    /** The most likely token after this one. */
    private static long step(IoBinding decoder, long token, int place, long capacity) {
        Tensor mask = Tensor.allocate(DType.INT64, 1, capacity == 0 ? place + 1 : capacity);
        for (int i = 0; i <= place; i++) {
            mask.setLong(i, 1);
        }
        Map<String, Tensor> inputs = Map.of(
                "input_ids", Tensor.of(new long[] {token}, 1, 1),
                "position_ids", Tensor.of(new long[] {place}, 1, 1),
                "attention_mask", mask);
        try (Result result = decoder.run(inputs)) {
            float[] scores = result.get(SCORES).toFloatArray();
            int best = 0;
            for (int i = 1; i < scores.length; i++) {
                best = scores[i] > scores[best] ? i : best;
            }
            return best;
        }
    }
}
