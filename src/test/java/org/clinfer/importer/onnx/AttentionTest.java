package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention against a loop over batches, heads, queries and keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttentionTest {

    private static final int BATCH = 2;
    private static final int HEADS = 4;
    private static final int QUERIES = 3;
    private static final int KEYS = 5;
    private static final int FEATURES = 8;
    private static final int VALUES = 6;

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    private final Map<String, Tensor> inputs = new HashMap<>();

    @TempDir
    private Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    /** Whether a query may see a key. */
    @FunctionalInterface
    private interface Sight {
        boolean sees(int batch, int query, int key);
    }

    private void random(String name, long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        Random random = new Random(name.hashCode());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextGaussian());
        }
        inputs.put(name, tensor);
    }

    private Tensor input(String name) {
        return Objects.requireNonNull(inputs.get(name));
    }

    private Tensor y(TestModel test) {
        return Objects.requireNonNull(run(test).get("y"));
    }

    private Map<String, Tensor> run(TestModel test) {
        Map<String, Tensor> outputs = new HashMap<>();
        try (Model model = engine.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(inputs)) {
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
        }
        return outputs;
    }

    private static TestModel model(long keyHeads) {
        return TestModel.opset(25)
                .input("q", BATCH, HEADS, QUERIES, FEATURES)
                .input("k", BATCH, keyHeads, KEYS, FEATURES)
                .input("v", BATCH, keyHeads, KEYS, VALUES)
                .output("y");
    }

    private void tensors(int keyHeads) {
        inputs.clear();
        random("q", BATCH, HEADS, QUERIES, FEATURES);
        random("k", BATCH, keyHeads, KEYS, FEATURES);
        random("v", BATCH, keyHeads, KEYS, VALUES);
    }

    private double[] expected(double scale, double cap, Sight sight) {
        Tensor q = input("q");
        Tensor k = input("k");
        Tensor v = input("v");
        int shared = HEADS / (int) k.shape().size(1);
        double[] y = new double[BATCH * HEADS * QUERIES * VALUES];
        for (int row = 0; row < BATCH * HEADS * QUERIES; row++) {
            int batch = row / (HEADS * QUERIES);
            int query = row % QUERIES;
            int keyHead = row / QUERIES / shared;
            double sum = 0;
            double[] weighted = new double[VALUES];
            for (int key = 0; key < KEYS; key++) {
                if (sight.sees(batch, query, key)) {
                    double score = 0;
                    for (int f = 0; f < FEATURES; f++) {
                        score += q.getDouble((long) row * FEATURES + f)
                                * k.getDouble(((long) keyHead * KEYS + key) * FEATURES + f);
                    }
                    score *= scale;
                    double weight = Math.exp(cap == 0 ? score : cap * Math.tanh(score / cap));
                    sum += weight;
                    for (int f = 0; f < VALUES; f++) {
                        weighted[f] += weight * v.getDouble(((long) keyHead * KEYS + key) * VALUES + f);
                    }
                }
            }
            for (int f = 0; f < VALUES; f++) {
                y[row * VALUES + f] = sum == 0 ? 0 : weighted[f] / sum;
            }
        }
        return y;
    }

    private static void assertClose(Tensor actual, double[] expected) {
        assertThat(actual.elements()).isEqualTo(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected[i], Offset.offset(1e-5));
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 0, 0", "2, 0.3, 0", "1, 0.5, 1.5"})
    void headsShareKeysAndScoresAreScaledAndCapped(int keyHeads, float scale, float cap) {
        tensors(keyHeads);
        TestModel model = model(keyHeads).node("Attention", "q,k,v", "y", real("scale", scale), real("softcap", cap));
        double factor = scale == 0 ? 1 / Math.sqrt(FEATURES) : scale;
        assertClose(y(model), expected(factor, cap, (batch, query, key) -> true));
    }

    @ParameterizedTest
    @CsvSource({"1, -1, -1", "0, 1, -1", "0, -1, 1", "0, 0, 2", "1, 1, 3", "0, 0, 0"})
    void queriesSeeAWindow(int causal, int left, int right) {
        tensors(HEADS);
        AttributeProto[] attributes = {
            integer("is_causal", causal), integer("left_window_size", left), integer("right_window_size", right)
        };
        Sight sight = (batch, query, key) -> (causal == 0 || key <= query)
                && (left < 0 || key >= query - left)
                && (right < 0 || key <= query + right);
        assertClose(
                y(model(HEADS).node("Attention", "q,k,v", "y", attributes)),
                expected(1 / Math.sqrt(FEATURES), 0, sight));
    }

    @Test
    void rowsWithoutAnyKeyAreZero() {
        tensors(HEADS);
        inputs.put("n", Tensor.of(new long[] {1, 4}, BATCH));
        TestModel model = model(HEADS)
                .typed("n", TestModel.INT64, BATCH)
                .node("Attention", "q,k,v,,,,n", "y", integer("is_causal", 1));
        long[] valid = {1, 4};
        Sight sight = (batch, query, key) -> key < valid[batch] && key <= query + valid[batch] - QUERIES;
        assertClose(y(model), expected(1 / Math.sqrt(FEATURES), 0, sight));
    }

    @Test
    void aShortMaskHidesTheKeysBehindIt() {
        tensors(HEADS);
        Tensor mask = Tensor.allocate(DType.BOOL, QUERIES, KEYS - 1);
        for (int i = 0; i < mask.elements(); i++) {
            mask.setDouble(i, i % 3 == 0 ? 0 : 1);
        }
        inputs.put("m", mask);
        TestModel model =
                model(HEADS).typed("m", TestModel.BOOL, QUERIES, KEYS - 1).node("Attention", "q,k,v,m", "y");
        Sight sight = (batch, query, key) -> key < KEYS - 1 && (query * (KEYS - 1) + key) % 3 != 0;
        assertClose(y(model), expected(1 / Math.sqrt(FEATURES), 0, sight));
    }

    @Test
    void joinedHeadsAndACacheGiveTheSameAsHeadsApart() {
        tensors(2);
        Sight sight = (batch, query, key) -> key <= query + KEYS - QUERIES;
        double[] apart = expected(1 / Math.sqrt(FEATURES), 0, sight);
        int past = KEYS - QUERIES;
        inputs.put("pk", part(input("k"), 2, 0, past));
        inputs.put("pv", part(input("v"), 2, 0, past));
        inputs.put("q", joined(input("q")));
        Tensor keys = input("k");
        inputs.put("k", joined(part(keys, 2, past, KEYS)));
        inputs.put("v", joined(part(input("v"), 2, past, KEYS)));
        TestModel model = TestModel.opset(23)
                .input("q", BATCH, QUERIES, HEADS * FEATURES)
                .input("k", BATCH, QUERIES, 2 * FEATURES)
                .input("v", BATCH, QUERIES, 2 * VALUES)
                .input("pk", BATCH, 2, past, FEATURES)
                .input("pv", BATCH, 2, past, VALUES)
                .node(
                        "Attention",
                        "q,k,v,,pk,pv",
                        "y,nk",
                        integer("q_num_heads", HEADS),
                        integer("kv_num_heads", 2),
                        integer("is_causal", 1))
                .output("y", "nk");
        Map<String, Tensor> outputs = run(model);
        Tensor y = Objects.requireNonNull(outputs.get("y"));
        assertThat(y.shape()).hasToString("2x3x24");
        for (int i = 0; i < apart.length; i++) {
            int f = i % VALUES;
            int query = i / VALUES % QUERIES;
            int head = i / VALUES / QUERIES % HEADS;
            int batch = i / VALUES / QUERIES / HEADS;
            long place = (((long) batch * QUERIES + query) * HEADS + head) * VALUES + f;
            assertThat(y.getDouble(place)).isCloseTo(apart[i], Offset.offset(1e-5));
        }
        Tensor present = Objects.requireNonNull(outputs.get("nk"));
        for (long i = 0; i < keys.elements(); i++) {
            assertThat(present.getDouble(i)).isEqualTo(keys.getDouble(i));
        }
    }

    /** Some places of an axis of four. */
    private static Tensor part(Tensor tensor, int axis, long from, long to) {
        long[] dims = tensor.shape().sizes();
        long whole = dims[axis];
        long inner = dims[3];
        dims[axis] = to - from;
        Tensor part = Tensor.allocate(tensor.type().dtype(), dims);
        for (long i = 0; i < part.elements(); i++) {
            long row = i / inner;
            long source = row / (to - from) * whole + row % (to - from) + from;
            part.setDouble(i, tensor.getDouble(source * inner + i % inner));
        }
        return part;
    }

    /** Axes batch, head, position, feature to batch, position, features of all heads. */
    private static Tensor joined(Tensor heads) {
        long count = heads.shape().size(1);
        long positions = heads.shape().size(2);
        long features = heads.shape().size(3);
        Tensor joined = Tensor.allocate(heads.type().dtype(), BATCH, positions, count * features);
        for (long i = 0; i < joined.elements(); i++) {
            long feature = i % features;
            long head = i / features % count;
            long position = i / features / count % positions;
            long batch = i / features / count / positions;
            joined.setDouble(i, heads.getDouble(((batch * count + head) * positions + position) * features + feature));
        }
        return joined;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "q,k,v,,k|past_key and past_value must be given together",
                "q,k,v,,k,v,n|nonpad_kv_seqlen cannot be given with past_key"
            })
    void contradictoryCachesAreRefused(String names, String message) {
        TestModel model = model(HEADS).typed("n", TestModel.INT64, BATCH).node("Attention", names, "y");
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "softcap|-1|softcap must be 0 or more",
                "left_window_size|-2|left_window_size must be -1 or more",
                "qk_matmul_output_mode|4|qk_matmul_output_mode must be 0 to 3"
            })
    void unsoundAttributesAreRefused(String name, int value, String message) {
        AttributeProto attribute = name.equals("softcap") ? real(name, value) : integer(name, value);
        TestModel model = model(HEADS).node("Attention", "q,k,v", "y", attribute);
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    @Test
    void headsThatCannotBeSharedAreRefused() {
        TestModel model = model(3).node("Attention", "q,k,v", "y");
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("4 heads of queries cannot share 3 of keys");
    }
}
