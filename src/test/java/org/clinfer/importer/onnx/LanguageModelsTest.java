package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ONNX Runtime's operators of language and diffusion models against loops. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanguageModelsTest {

    private static final int HEADS = 4;
    private static final int KEY_HEADS = 2;
    private static final int FEATURES = 8;

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    private Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    private List<Tensor> run(RuntimeModel test) {
        try (Model model = engine.load(test.model().write(folder));
                Session session = model.session()) {
            return run(session, test.inputs());
        }
    }

    private static List<Tensor> run(Session session, Map<String, Tensor> inputs) {
        try (Result result = session.run(inputs)) {
            return result.outputs().values().stream().map(Tensor::copy).toList();
        }
    }

    private static void assertClose(Tensor actual, double[] expected) {
        assertThat(actual.elements()).isEqualTo(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected[i], Offset.offset(1e-4));
        }
    }

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
        List<Tensor> outputs = run(test);
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
                double[] now = LanguageModelsTest.row(test.inputs(), name, batch * KEY_HEADS + head);
                return isTurned ? turned(test, now, last, interleaved) : now;
            }
            int room = 9;
            return LanguageModelsTest.row(test.inputs(), "p" + name, (batch * KEY_HEADS + head) * room + place);
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
        try (Model model = engine.load(test.model().write(folder));
                Session session = model.session()) {
            Map<String, Tensor> all = SmallModels.words(6, 0);
            all.putAll(SmallModels.emptyPast());
            Tensor atOnce = run(session, all).get(0);
            Map<String, Tensor> first = SmallModels.words(5, 0);
            first.putAll(SmallModels.emptyPast());
            List<Tensor> before = run(session, first);
            Map<String, Tensor> next = SmallModels.words(1, 5);
            next.putAll(SmallModels.past(before.subList(1, before.size())));
            Tensor inTurn = run(session, next).get(0);
            double[] last = new double[(int) inTurn.elements()];
            for (int i = 0; i < last.length; i++) {
                last[i] = atOnce.getDouble(atOnce.elements() - last.length + i);
            }
            assertClose(inTurn, last);
        }
    }

    @Test
    void sentencesDoNotSeeTheirPadding() {
        RuntimeModel test = SmallModels.encoder();
        try (Model model = engine.load(test.model().write(folder));
                Session session = model.session()) {
            Map<String, Tensor> sentences = SmallModels.sentences(7);
            Tensor y = run(session, sentences).get(0);
            Tensor words = Objects.requireNonNull(sentences.get("words"));
            words.setLong(12, 40);
            words.setLong(13, 41);
            Tensor other = run(session, sentences).get(0);
            int width = (int) y.shape().size(2);
            for (int i = 0; i < 12 * width; i++) {
                assertThat(other.getDouble(i)).isEqualTo(y.getDouble(i));
            }
            assertThat(other.getDouble(13L * width)).isNotEqualTo(y.getDouble(13L * width));
        }
    }

    @ParameterizedTest
    @CsvSource({"4, none", "4, codes", "4, reals", "8, none", "8, codes", "8, reals"})
    void weightsAreCodesOfBlocks(int bits, String zeros) {
        int rows = 70;
        int columns = 5;
        int size = 16;
        int blocks = 5;
        RuntimeModel test = new RuntimeModel(bits).input("x", 3, rows).output("y");
        Tensor codes = test.codes(DType.UINT8, columns, blocks, (long) size * bits / 8);
        Tensor scales = test.normal(1, columns, blocks);
        Tensor zero = zeros.equals("reals")
                ? test.normal(2, columns, blocks)
                : test.codes(DType.UINT8, columns, (blocks * bits + 7) / 8);
        test.constant("w", codes).constant("s", scales);
        if (!zeros.equals("none")) {
            test.constant("z", zero);
        }
        test.node(
                "MatMulNBits",
                zeros.equals("none") ? "x,w,s" : "x,w,s,z",
                "y",
                integer("K", rows),
                integer("N", columns),
                integer("bits", bits),
                integer("block_size", size));
        Tensor x = Objects.requireNonNull(test.inputs().get("x"));
        double[] y = new double[3 * columns];
        for (int i = 0; i < y.length; i++) {
            int column = i % columns;
            for (int row = 0; row < rows; row++) {
                int block = column * blocks + row / size;
                double none = switch (zeros) {
                    case "none" -> 1 << (bits - 1);
                    case "codes" -> code(zero, column, blocks, row / size, bits);
                    default -> zero.getDouble(block);
                };
                double weight = (code(codes, column, blocks * size, row, bits) - none) * scales.getDouble(block);
                y[i] += x.getDouble((long) (i / columns) * rows + row) * weight;
            }
        }
        Tensor actual = run(test).get(0);
        for (int i = 0; i < y.length; i++) {
            assertThat(actual.getDouble(i)).isCloseTo(y[i], Offset.offset(1e-6 * Math.abs(y[i]) + 1e-2));
        }
    }

    /** A code of a row that begins with a byte, low bits first. */
    private static long code(Tensor bytes, int row, int length, int place, int bits) {
        long stride = (length * (long) bits + 7) / 8;
        return bytes.getLong(row * stride + (long) place * bits / 8) >> place * bits % 8 & (1 << bits) - 1;
    }

    @ParameterizedTest
    @CsvSource({"UINT8, 4, true", "UINT8, 4, false", "UINT8, 8, true", "INT4, 4, true", "UINT4, 4, false"})
    void rowsOfCodesBecomeReal(DType type, int bits, boolean hasZeros) {
        int width = 72;
        int blocks = 5;
        boolean packed = type == DType.UINT8;
        RuntimeModel test = new RuntimeModel(bits)
                .input("i", Tensor.of(new long[] {2, 0, 2, 6}, 2, 2))
                .output("y");
        Tensor codes = test.codes(type, 7, packed ? width * bits / 8 : width);
        Tensor zeros = test.codes(type, 7, packed ? (blocks * bits + 7) / 8 : blocks);
        Tensor scales = test.normal(1, 7, blocks);
        test.constant("w", codes).constant("s", scales);
        if (hasZeros) {
            test.constant("z", zeros);
        }
        test.node(
                "GatherBlockQuantized",
                hasZeros ? "w,i,s,z" : "w,i,s",
                "y",
                integer("bits", bits),
                integer("block_size", 16));
        double[] y = new double[4 * width];
        for (int i = 0; i < y.length; i++) {
            int row = (int) Objects.requireNonNull(test.inputs().get("i")).getLong(i / width);
            int block = i % width / 16;
            long code = packed ? code(codes, row, width, i % width, bits) : codes.getLong(row * width + i % width);
            long zero = packed ? 1 << (bits - 1) : 0;
            if (hasZeros) {
                zero = packed ? code(zeros, row, blocks, block, bits) : zeros.getLong(row * blocks + block);
            }
            y[i] = (code - zero) * scales.getDouble(row * blocks + block);
        }
        assertClose(run(test).get(0), y);
    }

    @Test
    void wordsPlacesAndKindsAreAdded() {
        RuntimeModel test = new RuntimeModel(2)
                .input("i", RuntimeModel.ints(new int[] {3, 1, 4}, 1, 3))
                .input("k", RuntimeModel.ints(new int[] {0, 1, 1}, 1, 3))
                .input("m", RuntimeModel.ints(new int[] {1, 1, 0}, 1, 3))
                .input("w", 5, FEATURES)
                .input("p", 9, FEATURES)
                .input("t", 2, FEATURES)
                .constant("g", FEATURES)
                .constant("b", FEATURES)
                .output("y", "n", "sum")
                .node("EmbedLayerNormalization", "i,k,w,p,t,g,b,m", "y,n,sum");
        List<Tensor> outputs = run(test);
        double[] sum = new double[3 * FEATURES];
        int[] words = {3, 1, 4};
        int[] kinds = {0, 1, 1};
        for (int i = 0; i < sum.length; i++) {
            int place = i / FEATURES;
            sum[i] = row(test.inputs(), "w", words[place])[i % FEATURES]
                    + row(test.inputs(), "p", place)[i % FEATURES]
                    + row(test.inputs(), "t", kinds[place])[i % FEATURES];
        }
        assertClose(outputs.get(2), sum);
        assertThat(outputs.get(1).toLongArray()).containsExactly(2);
    }

    @ParameterizedTest
    @CsvSource({"GroupNorm, 0, 1", "GroupNorm, 1, 1", "GroupNorm, 1, 0", "SkipGroupNorm, 1, 1"})
    void groupsOfChannelsAreNormalized(String op, int activation, int last) {
        int pixels = 6;
        int channels = 8;
        int groups = 2;
        RuntimeModel test = new RuntimeModel(activation)
                .input("s", 2, channels)
                .input("c", channels)
                .output("y");
        if (last == 1) {
            test.input("x", 2, 2, 3, channels);
        } else {
            test.input("x", 2, channels, 2, 3);
        }
        Tensor gamma = test.normal(1, channels);
        Tensor beta = test.normal(1, channels);
        test.constant("gamma", gamma).constant("beta", beta);
        boolean skips = op.startsWith("Skip");
        test.node(
                op,
                skips ? "x,gamma,beta,s,c" : "x,gamma,beta",
                "y",
                integer("groups", groups),
                integer("activation", activation),
                integer("channels_last", last));
        double[] sums = new double[2 * pixels * channels];
        for (int i = 0; i < sums.length; i++) {
            int batch = i / (pixels * channels);
            int channel = last == 1 ? i % channels : i / pixels % channels;
            sums[i] = Objects.requireNonNull(test.inputs().get("x")).getDouble(i);
            if (skips) {
                sums[i] += Objects.requireNonNull(test.inputs().get("s")).getDouble(batch * channels + channel)
                        + Objects.requireNonNull(test.inputs().get("c")).getDouble(channel);
            }
        }
        double[] y = new double[sums.length];
        for (int i = 0; i < y.length; i++) {
            double mean = 0;
            double squares = 0;
            int count = pixels * channels / groups;
            for (int j = 0; j < y.length; j++) {
                if (group(i, last) == group(j, last)) {
                    mean += sums[j] / count;
                    squares += sums[j] * sums[j] / count;
                }
            }
            int channel = last == 1 ? i % channels : i / pixels % channels;
            double normal = (sums[i] - mean) / Math.sqrt(squares - mean * mean + 1e-5);
            y[i] = normal * gamma.getDouble(channel) + beta.getDouble(channel);
            y[i] = activation == 1 ? y[i] / (1 + Math.exp(-y[i])) : y[i];
        }
        assertClose(run(test).get(0), y);
    }

    /** Which of two batches and two groups of four channels of six pixels an element is of. */
    private static int group(int element, int last) {
        int channel = last == 1 ? element % 8 : element / 6 % 8;
        return element / 48 * 2 + channel / 4;
    }

    @Test
    void convolutionsMayHaveTheChannelsLast() {
        RuntimeModel test = new RuntimeModel(4)
                .input("x", 1, 4, 5, 2)
                .output("y")
                .node("NhwcConv", "x,w,b", "y", TestModel.ints("pads", 1, 1, 1, 1), TestModel.ints("strides", 2, 1));
        Tensor weights = test.normal(1, 3, 3, 3, 2);
        Tensor bias = test.normal(1, 3);
        test.constant("w", weights).constant("b", bias);
        Tensor x = Objects.requireNonNull(test.inputs().get("x"));
        double[] y = new double[2 * 5 * 3];
        for (int i = 0; i < y.length; i++) {
            int out = i % 3;
            y[i] = bias.getDouble(out);
            for (int tap = 0; tap < 9; tap++) {
                int row = i / 15 * 2 + tap / 3 - 1;
                int column = i / 3 % 5 + tap % 3 - 1;
                for (int in = 0; in < 2 && row >= 0 && row < 4 && column >= 0 && column < 5; in++) {
                    y[i] += x.getDouble((row * 5L + column) * 2 + in) * weights.getDouble((out * 9L + tap) * 2 + in);
                }
            }
        }
        assertClose(run(test).get(0), y);
    }

    @Test
    void halvesOfFeaturesAreGated() {
        RuntimeModel test = new RuntimeModel(4)
                .input("x", 1, 2, 6)
                .input("b", 6)
                .input("s", 1, 2, 6)
                .output("y", "z")
                .node("BiasSplitGelu", "x,b", "y")
                .node("BiasAdd", "x,b,s", "z");
        double[] sums = new double[12];
        double[] added = new double[12];
        for (int i = 0; i < 12; i++) {
            sums[i] = Objects.requireNonNull(test.inputs().get("x")).getDouble(i)
                    + Objects.requireNonNull(test.inputs().get("b")).getDouble(i % 6);
            added[i] = sums[i] + Objects.requireNonNull(test.inputs().get("s")).getDouble(i);
        }
        RuntimeModel gelu = new RuntimeModel(4).output("y").node("Gelu", "x", "y");
        double[] second = new double[6];
        for (int i = 0; i < 6; i++) {
            second[i] = sums[i / 3 * 6 + 3 + i % 3];
        }
        gelu.input("x", Tensor.of(floats(second), 6));
        Tensor gates = run(gelu).get(0);
        double[] y = new double[6];
        for (int i = 0; i < 6; i++) {
            y[i] = sums[i / 3 * 6 + i % 3] * gates.getDouble(i);
        }
        List<Tensor> outputs = run(test);
        assertClose(outputs.get(0), y);
        assertClose(outputs.get(1), added);
    }

    private static float[] floats(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GroupQueryAttention|q,q,q,,,n,t|qk_output|1|GroupQueryAttention with qk_output 1",
                "GroupQueryAttention|q,q,q,,,n,t|local_window_size|0|local_window_size must be -1 or above 0",
                "GroupQueryAttention|q,q,,,,n,t|smooth_softmax|0|keys and values must be given together",
                "GroupQueryAttention|q,q,q,,,n,t|unknown|1|GroupQueryAttention with attribute 'unknown'",
                "Attention|q,w,b|do_rotary|1|Attention with do_rotary",
                "Attention|q,w,b|past_present_share_buffer|1|Attention with past_present_share_buffer",
                "Attention|q,w,b,f|scale|1|Attention with a mask of 4 axes",
                "MultiHeadAttention|f|mask|1|MultiHeadAttention with packed queries, keys or values",
                "MatMulNBits|q,w,b|bits|2|MatMulNBits with bits 2",
                "MatMulNBits|q,w,b,,g|bits|4|MatMulNBits with g_idx",
                "MatMulNBits|q,w,b|block_size|24|block_size must be a power of 2",
                "MatMulNBits|q,q,b|bits|4|MatMulNBits with input 1 that is no constant",
                "GatherBlockQuantized|c,n,b|gather_axis|1|another gather_axis than the first"
            })
    void whatIsNotTranslatedIsRefusedByName(String op, String inputs, String name, int value, String message) {
        List<AttributeProto> attributes = new ArrayList<>();
        attributes.add(name.equals("scale") ? real(name, value) : integer(name, value));
        String required = switch (op) {
            case "GroupQueryAttention" -> "num_heads 2 kv_num_heads 2";
            case "MatMulNBits" -> "K 16 N 4 block_size 16";
            case "GatherBlockQuantized" -> "block_size 16";
            default -> "num_heads 2";
        };
        String[] words = required.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            if (!words[i].equals(name)) {
                attributes.add(integer(words[i], Long.parseLong(words[i + 1])));
            }
        }
        RuntimeModel test = new RuntimeModel(1)
                .input("q", 1, 4, 16)
                .input("n", RuntimeModel.ints(new int[] {3}, 1))
                .input("t", RuntimeModel.ints(new int[] {4}))
                .input("f", RuntimeModel.ints(new int[16], 1, 1, 4, 4))
                .input("g", RuntimeModel.ints(new int[16], 16))
                .constant("w", 16, 48)
                .constant("b", 48)
                .output("y");
        test.constant("c", test.codes(DType.UINT8, 4, 8));
        test.node(op, inputs, "y", attributes.toArray(new AttributeProto[0]));
        assertThatThrownBy(() -> test.model().read(folder)).hasMessageContaining(message);
    }
}
