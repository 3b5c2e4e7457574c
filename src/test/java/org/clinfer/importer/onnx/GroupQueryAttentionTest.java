package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.RuntimeModelRunner.assertClose;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention to keys and values that are kept from run to run, against loops. */
class GroupQueryAttentionTest extends RuntimeOperatorTests {

    private static final int HEADS = 4;
    private static final int KEY_HEADS = 2;
    private static final int FEATURES = 8;

    @ParameterizedTest
    @CsvSource({"false, -1, false", "true, -1, false", "false, 2, false", "true, 3, true"})
    void keysTakeTheirPlacesBehindThoseOfTheirBatch(boolean turned, int window, boolean interleaved) {
        int[] last = {6, 3, 4};
        int room = 9;
        RuntimeModel test = new RuntimeModel(5)
                .input("q", 3, 1, HEADS * FEATURES)
                .input("k", 3, 1, KEY_HEADS * FEATURES)
                .input("v", 3, 1, KEY_HEADS * FEATURES)
                .input("pk", 3, KEY_HEADS, room, FEATURES)
                .input("pv", 3, KEY_HEADS, room, FEATURES)
                .input("n", RuntimeModel.ints(last, 3))
                .input("t", RuntimeModel.ints(new int[] {7}))
                .input("c", 20, FEATURES / 2)
                .input("s", 20, FEATURES / 2)
                .output("y", "nk")
                .node(
                        "GroupQueryAttention",
                        "q,k,v,pk,pv,n,t,c,s",
                        "y,nk,nv",
                        integer("num_heads", HEADS),
                        integer("kv_num_heads", KEY_HEADS),
                        integer("do_rotary", turned ? 1 : 0),
                        integer("rotary_interleaved", interleaved ? 1 : 0),
                        integer("local_window_size", window));
        List<Tensor> outputs = runner.run(test, folder);
        double[] y = new double[3 * HEADS * FEATURES];
        double[] present = new double[3 * KEY_HEADS * room * FEATURES];
        for (int batch = 0; batch < 3; batch++) {
            Cache keys = new Cache(test, "k", batch, last[batch], turned, interleaved);
            Cache values = new Cache(test, "v", batch, last[batch], false, false);
            for (int head = 0; head < HEADS; head++) {
                int first = window < 0 ? 0 : Math.max(0, last[batch] + 1 - window);
                double[] query = row(test.inputs(), "q", batch * HEADS + head);
                double[] seen = turned ? turned(test, query, last[batch], interleaved) : query;
                double[] answer = attended(seen, keys, values, head / 2, first);
                System.arraycopy(answer, 0, y, (batch * HEADS + head) * FEATURES, FEATURES);
            }
            for (int place = 0; place <= last[batch]; place++) {
                for (int head = 0; head < KEY_HEADS; head++) {
                    int at = ((batch * KEY_HEADS + head) * room + place) * FEATURES;
                    System.arraycopy(keys.row(head, place), 0, present, at, FEATURES);
                }
            }
        }
        assertClose(outputs.get(0), y);
        assertClose(outputs.get(1), present);
    }

    private static double[] row(Map<String, Tensor> inputs, String name, int row) {
        Tensor tensor = Objects.requireNonNull(inputs.get(name));
        double[] features = new double[FEATURES];
        for (int i = 0; i < FEATURES; i++) {
            features[i] = tensor.getDouble((long) row * FEATURES + i);
        }
        return features;
    }

    private static double[] turned(RuntimeModel test, double[] x, int position, boolean interleaved) {
        Tensor cosines = Objects.requireNonNull(test.inputs().get("c"));
        Tensor sines = Objects.requireNonNull(test.inputs().get("s"));
        double[] y = new double[FEATURES];
        for (int pair = 0; pair < FEATURES / 2; pair++) {
            double cosine = cosines.getDouble((long) position * FEATURES / 2 + pair);
            double sine = sines.getDouble((long) position * FEATURES / 2 + pair);
            int a = interleaved ? 2 * pair : pair;
            int b = interleaved ? a + 1 : pair + FEATURES / 2;
            y[a] = cosine * x[a] - sine * x[b];
            y[b] = sine * x[a] + cosine * x[b];
        }
        return y;
    }

    /** The keys or values of a batch, the last of which are new. */
    private record Cache(RuntimeModel test, String name, int batch, int last, boolean isTurned, boolean interleaved) {

        double[] row(int head, int place) {
            if (place == last) {
                double[] now = GroupQueryAttentionTest.row(test.inputs(), name, batch * KEY_HEADS + head);
                return isTurned ? turned(test, now, last, interleaved) : now;
            }
            int room = 9;
            return GroupQueryAttentionTest.row(test.inputs(), "p" + name, (batch * KEY_HEADS + head) * room + place);
        }
    }

    private static double[] attended(double[] query, Cache keys, Cache values, int head, int first) {
        double[] answer = new double[FEATURES];
        double sum = 0;
        for (int place = first; place <= keys.last(); place++) {
            double[] key = keys.row(head, place);
            double score = 0;
            for (int i = 0; i < FEATURES; i++) {
                score += query[i] * key[i];
            }
            double weight = Math.exp(score / Math.sqrt(FEATURES));
            sum += weight;
            double[] value = values.row(head, place);
            for (int i = 0; i < FEATURES; i++) {
                answer[i] += weight * value[i];
            }
        }
        for (int i = 0; i < FEATURES; i++) {
            answer[i] /= sum;
        }
        return answer;
    }

    @Test
    void whatIsReadInTurnIsTheSameAsWhatIsReadAtOnce() {
        RuntimeModel test = SmallModels.decoder();
        try (Model model = runner.load(test, folder);
                Session session = model.session()) {
            Map<String, Tensor> all = SmallModels.words(6, 0);
            all.putAll(SmallModels.emptyPast());
            Tensor atOnce = RuntimeModelRunner.run(session, all).get(0);
            Map<String, Tensor> first = SmallModels.words(5, 0);
            first.putAll(SmallModels.emptyPast());
            List<Tensor> before = RuntimeModelRunner.run(session, first);
            Map<String, Tensor> next = SmallModels.words(1, 5);
            next.putAll(SmallModels.past(before.subList(1, before.size())));
            Tensor inTurn = RuntimeModelRunner.run(session, next).get(0);
            double[] last = new double[(int) inTurn.elements()];
            for (int i = 0; i < last.length; i++) {
                last[i] = atOnce.getDouble(atOnce.elements() - last.length + i);
            }
            assertClose(inTurn, last);
        }
    }
}
