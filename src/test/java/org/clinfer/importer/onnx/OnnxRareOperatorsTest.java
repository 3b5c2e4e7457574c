package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that are said by others, against loops: transforms, losses, states, and what data decide the size of. */
class OnnxRareOperatorsTest extends OnnxRuns {

    private static final Offset<Double> CLOSE = within(2e-5);

    @ParameterizedTest
    @CsvSource({"7,7,0,0,2", "7,7,1,0,2", "6,6,0,1,1", "5,5,0,1,1", "7,4,0,0,2", "4,9,1,0,2", "5,8,0,0,1"})
    void transforms(int size, int length, int inverse, int half, int parts) {
        TestModel model = model().initializer(TestModel.tensor("n", INT64).addInt64Data(length));
        Tensor x = random(model, "x", 3, size, 2, parts);
        Tensor axis = Tensor.of(new long[] {1}, 1);
        model.initializer(TestModel.tensor("axis", INT64).addInt64Data(axis.getLong(0)));
        model.node("DFT", "x,n,axis", "y", integer("inverse", inverse), integer("onesided", half));
        Tensor y = only(model, "y");
        int most = half == 1 ? length / 2 + 1 : length;
        assertThat(y.shape()).isEqualTo(Shape.of(3, most, 2, 2));
        for (int i = 0; i < 3 * 2; i++) {
            for (int k = 0; k < most; k++) {
                double real = 0;
                double imaginary = 0;
                for (int j = 0; j < Math.min(size, length); j++) {
                    double angle = (inverse == 1 ? 2 : -2) * Math.PI * k * j / length;
                    long at = (((long) i / 2 * size + j) * 2 + i % 2) * parts;
                    double a = x.getDouble(at);
                    double b = parts == 2 ? x.getDouble(at + 1) : 0;
                    real += a * Math.cos(angle) - b * Math.sin(angle);
                    imaginary += a * Math.sin(angle) + b * Math.cos(angle);
                }
                long at = (((long) i / 2 * most + k) * 2 + i % 2) * 2;
                double scale = inverse == 1 ? length : 1;
                assertThat(y.getDouble(at)).isCloseTo(real / scale, CLOSE);
                assertThat(y.getDouble(at + 1)).isCloseTo(imaginary / scale, CLOSE);
            }
        }
    }

    /** A last axis of which only a run knows whether it has an imaginary part. */
    @ParameterizedTest
    @CsvSource({"1,0,0", "2,0,0", "1,1,0", "2,1,0", "1,1,1", "2,1,1", "1,0,1"})
    void partsThatOnlyARunKnows(int parts, int inverse, int half) {
        Tensor x = random(model(), "x", 2, 5, parts);
        List<Tensor> results = new ArrayList<>();
        for (long declared : new long[] {parts, -1}) {
            inputs.put("x", x);
            TestModel model = model().input("x", 2, -1, declared)
                    .node("DFT", "x", "y", integer("inverse", inverse), integer("onesided", half));
            results.add(only(model, "y"));
        }
        assertThat(results.get(1).type()).isEqualTo(results.get(0).type());
        // the sum of a product with 0 may be 0 with the other sign
        assertThat(results.get(1).toFloatArray()).containsExactly(results.get(0).toFloatArray(), within(0f));
    }

    @Test
    void threePartsAreNoSignal() {
        TestModel model = model().input("x", 2, 5, -1).node("DFT", "x", "y");
        inputs.put("x", Tensor.allocate(DType.FLOAT32, 2, 5, 3));
        assertThatThrownBy(() -> only(model, "y")).hasMessageContaining("index is outside");
    }

    @ParameterizedTest
    @CsvSource({"0,0,0,1", "1,0,0,2", "2,0,0,1", "-2,1,0,2", "-3,0,1,1", "-4,1,1,2"})
    void transformsAlongAnAxisThatOnlyARunKnows(long axis, int inverse, int half, int parts) {
        Tensor x = random(model(), "x", 4, 5, 3, parts);
        List<Tensor> results = new ArrayList<>();
        for (boolean known : new boolean[] {true, false}) {
            inputs.put("x", x);
            TestModel model = model().input("x", 4, 5, 3, parts);
            if (known) {
                model.longs("axis", axis);
            } else {
                given(model, "axis", INT64, Tensor.scalar(axis));
            }
            model.node("DFT", "x,,axis", "y", integer("inverse", inverse), integer("onesided", half));
            results.add(only(model, "y"));
        }
        assertThat(results.get(1).type()).isEqualTo(results.get(0).type());
        assertThat(results.get(1).toFloatArray()).containsExactly(results.get(0).toFloatArray(), within(1e-6f));
    }

    @ParameterizedTest
    @ValueSource(longs = {3, -1, 4, -5})
    void theAxisOfTheParts(long axis) {
        TestModel model = model().input("x", 4, 5, 3, 1);
        inputs.put("x", Tensor.allocate(DType.FLOAT32, 4, 5, 3, 1));
        given(model, "axis", INT64, Tensor.scalar(axis));
        model.node("DFT", "x,,axis", "y");
        assertThatThrownBy(() -> only(model, "y")).hasMessageContaining("index");
    }

    /** Half a transform and back. */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 1, 2})
    void transformsBack(int size) {
        TestModel model = model().initializer(TestModel.tensor("n", INT64).addInt64Data(size));
        Tensor x = random(model, "x", 2, size, 1);
        model.node("DFT", "x,n", "half", integer("onesided", 1));
        model.node("DFT", "half,n", "y", integer("onesided", 1), integer("inverse", 1));
        // what a node gives has no known last axis
        model.graph().addValueInfo(TestModel.info("half", TestModel.FLOAT, 2, size / 2 + 1, 2));
        Tensor y = only(model, "y");
        assertThat(y.shape()).isEqualTo(x.shape());
        for (long i = 0; i < x.elements(); i++) {
            assertThat(y.getDouble(i)).isCloseTo(x.getDouble(i), CLOSE);
        }
    }

    @ParameterizedTest
    @CsvSource({"7,0,0", "7,1,0", "7,0,1", "7,1,1", "1,1,0", "1,0,1", "8,0,0", "2,1,1", "0,1,0"})
    void cumulativeProducts(int size, int exclusive, int reverse) {
        TestModel known = TestModel.opset(26);
        Tensor x = random(known, "x", 2, size, 3);
        assertProducts(constantAxis(known), x, exclusive, reverse);
        inputs.put("x", x);
        assertProducts(constantAxis(TestModel.opset(26).input("x", -1, -1, -1)), x, exclusive, reverse);
        for (int axis : new int[] {1, -2}) {
            inputs.put("x", x);
            inputs.put("axis", Tensor.scalar(axis));
            TestModel open = TestModel.opset(26).input("x", 2, size, 3).typed("axis", INT64);
            assertProducts(open, x, exclusive, reverse);
        }
    }

    private static TestModel constantAxis(TestModel model) {
        return model.initializer(TestModel.tensor("axis", INT64).addInt64Data(-2));
    }

    private void assertProducts(TestModel model, Tensor x, int exclusive, int reverse) {
        long size = x.shape().sizes()[1];
        model.node("CumProd", "x,axis", "y", integer("exclusive", exclusive), integer("reverse", reverse));
        Tensor y = only(model, "y");
        assertThat(y.shape()).isEqualTo(x.shape());
        for (int column = 0; column < 6; column++) {
            double product = 1;
            for (int step = 0; step < size; step++) {
                long row = reverse == 1 ? size - 1 - step : step;
                long at = ((long) column / 3 * size + row) * 3 + column % 3;
                double before = product;
                product *= x.getDouble(at);
                assertThat(y.getDouble(at)).isCloseTo(exclusive == 1 ? before : product, CLOSE);
            }
        }
    }

    private TestModel mels(boolean known, long bands, long length, long rate, float low, float high) {
        TestModel model = TestModel.opset(17);
        Map<String, Long> sizes = Map.of("bands", bands, "length", length, "rate", rate);
        Map<String, Float> bounds = Map.of("low", low, "high", high);
        if (known) {
            sizes.forEach((name, size) ->
                    model.initializer(TestModel.tensor(name, INT64).addInt64Data(size)));
            bounds.forEach((name, bound) ->
                    model.initializer(TestModel.tensor(name, TestModel.FLOAT).addFloatData(bound)));
        } else {
            sizes.forEach((name, size) -> given(model, name, INT64, Tensor.scalar(size.longValue())));
            bounds.forEach((name, bound) -> given(model, name, TestModel.FLOAT, Tensor.scalar(bound.floatValue())));
        }
        return model.node("MelWeightMatrix", "bands,length,rate,low,high", "y");
    }

    /** What the loops of ONNX's text give. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void melBands(boolean known) {
        Tensor y = only(mels(known, 4, 32, 8000, 0, 4000), "y");
        double[][] wanted = {
            {0, 1},
            {0, 0, 1, 0.5},
            {0, 0, 0, 0.5, 1, 2 / 3.0, 1 / 3.0},
            {0, 0, 0, 0, 0, 1 / 3.0, 2 / 3.0, 1, 0.75, 0.5, 0.25}
        };
        assertThat(y.shape()).isEqualTo(Shape.of(17, 4));
        for (int band = 0; band < 4; band++) {
            for (int row = 0; row < 17; row++) {
                double expected = row < wanted[band].length ? wanted[band][row] : 0;
                assertThat(y.getDouble(4L * row + band)).isCloseTo(expected, within(1e-7));
            }
        }
        for (float[] bounds : new float[][] {{0, 9000}, {2000, 1000}, {-300, 1000}}) {
            TestModel beyond = mels(known, 4, 32, 8000, bounds[0], bounds[1]).output("y");
            assertThatThrownBy(() -> run(beyond)).hasMessageMatching(".*Gather.*: (an )?index.* is outside.*");
        }
    }

    @Test
    void windows() {
        TestModel model = model().initializer(TestModel.tensor("n", INT64).addInt64Data(5));
        model.node("HannWindow", "n", "a", integer("periodic", 0)).node("BlackmanWindow", "n", "b");
        model.node("HammingWindow", "n", "c", integer("output_datatype", 11));
        Map<String, Tensor> y = run(model.output("a", "b", "c"));
        for (int i = 0; i < 5; i++) {
            double iteration = 2 * Math.PI * i / 5;
            assertThat(value(y, "a", i)).isCloseTo(0.5 - 0.5 * Math.cos(2 * Math.PI * i / 4), within(1e-7));
            assertThat(value(y, "b", i))
                    .isCloseTo(0.42 - 0.5 * Math.cos(iteration) + 0.08 * Math.cos(2 * iteration), within(1e-7));
            assertThat(value(y, "c", i)).isCloseTo(25.0 / 46 - 21.0 / 46 * Math.cos(iteration), within(1e-15));
        }
    }

    private static double value(Map<String, Tensor> values, String name, long at) {
        return Objects.requireNonNull(values.get(name)).getDouble(at);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "sum", "mean"})
    void losses(String reduction) {
        TestModel model = model();
        Tensor x = random(model, "x", 4, 3);
        Tensor w = random(model, "w", 3);
        given(model, "t", INT64, Tensor.of(new long[] {2, -1, 0, 2}, 4));
        AttributeProto how = text("reduction", reduction);
        model.node("SoftmaxCrossEntropyLoss", "x,t,w", "y,logs", how, integer("ignore_index", -1));
        Map<String, Tensor> y = run(model.output("y", "logs"));
        long[] targets = {2, -1, 0, 2};
        double sum = 0;
        double weights = 0;
        for (int i = 0; i < 4; i++) {
            double all = 0;
            for (int c = 0; c < 3; c++) {
                all += Math.exp(x.getDouble(i * 3L + c));
            }
            double loss = 0;
            if (targets[i] >= 0) {
                double weight = w.getDouble(targets[i]);
                loss = weight * (Math.log(all) - x.getDouble(i * 3L + targets[i]));
                weights += weight;
            }
            sum += loss;
            assertThat(value(y, "logs", i * 3L)).isCloseTo(x.getDouble(i * 3L) - Math.log(all), CLOSE);
            if (reduction.equals("none")) {
                assertThat(value(y, "y", i)).isCloseTo(loss, CLOSE);
            }
        }
        if (!reduction.equals("none")) {
            assertThat(value(y, "y", 0)).isCloseTo(reduction.equals("sum") ? sum : sum / weights, CLOSE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"linear", "gated", "delta", "gated_delta"})
    void linearAttention(String rule) {
        TestModel model = model();
        int length = 5;
        Tensor q = random(model, "q", 1, length, 4 * 3);
        Tensor k = random(model, "k", 1, length, 2 * 3);
        Tensor v = random(model, "v", 1, length, 2 * 2);
        boolean forgets = rule.startsWith("gated");
        boolean corrects = rule.endsWith("delta");
        Tensor g = forgets ? random(model, "g", 1, length, 2) : k;
        Tensor b = corrects ? random(model, "b", 1, length, 2) : k;
        String given = "q,k,v,," + (forgets ? "g" : "") + "," + (corrects ? "b" : "");
        model.node(
                "LinearAttention",
                given,
                "y,state",
                text("update_rule", rule),
                integer("kv_num_heads", 2),
                integer("q_num_heads", 4));
        Map<String, Tensor> y = run(model.output("y", "state"));
        for (int head = 0; head < 2; head++) {
            double[][] state = new double[3][2];
            for (int t = 0; t < length; t++) {
                for (int m = 0; m < 2; m++) {
                    double held = 0;
                    for (int d = 0; d < 3; d++) {
                        state[d][m] *= forgets ? Math.exp(g.getDouble(t * 2L + head)) : 1;
                        held += state[d][m] * k.getDouble(t * 6L + head * 3L + d);
                    }
                    double value = v.getDouble(t * 4L + head * 2L + m);
                    double learnt = corrects ? b.getDouble(t * 2L + head) * (value - held) : value;
                    for (int d = 0; d < 3; d++) {
                        state[d][m] += k.getDouble(t * 6L + head * 3L + d) * learnt;
                    }
                    for (int shared = 0; shared < 2; shared++) {
                        int query = head * 2 + shared;
                        double answer = 0;
                        for (int d = 0; d < 3; d++) {
                            answer += q.getDouble(t * 12L + query * 3L + d) * state[d][m] / Math.sqrt(3);
                        }
                        double size = 1 + Math.abs(answer);
                        assertThat(value(y, "y", t * 8L + query * 2L + m)).isCloseTo(answer, within(1e-4 * size));
                    }
                }
            }
            assertThat(value(y, "state", head * 6L + 3))
                    .isCloseTo(state[1][1], within(1e-4 * (1 + Math.abs(state[1][1]))));
        }
    }

    @Test
    void causalConvolution() {
        TestModel model = model();
        Tensor x = random(model, "x", 1, 2, 4);
        Tensor w = random(model, "w", 2, 1, 3);
        Tensor past = random(model, "past", 1, 2, 2);
        model.node("CausalConvWithState", "x,w,,past", "y,state");
        Map<String, Tensor> y = run(model.output("y", "state"));
        for (int c = 0; c < 2; c++) {
            for (int t = 0; t < 4; t++) {
                double sum = 0;
                for (int tap = 0; tap < 3; tap++) {
                    int at = t + tap - 2;
                    double before = at < 0 ? past.getDouble(c * 2L + at + 2) : x.getDouble(c * 4L + at);
                    sum += w.getDouble(c * 3L + tap) * before;
                }
                assertThat(value(y, "y", c * 4L + t)).isCloseTo(sum, CLOSE);
            }
            assertThat(value(y, "state", c * 2L)).isEqualTo(x.getDouble(c * 4L + 2));
            assertThat(value(y, "state", c * 2L + 1)).isEqualTo(x.getDouble(c * 4L + 3));
        }
    }

    @Test
    void updatesOfACache() {
        TestModel model = model();
        random(model, "cache", 2, 4, 1);
        Tensor update = random(model, "update", 2, 2, 1);
        given(model, "at", INT64, Tensor.of(new long[] {3, 1}, 2));
        model.node("TensorScatter", "cache,update,at", "y", text("mode", "circular"));
        Tensor y = only(model, "y");
        assertThat(y.getDouble(3)).isEqualTo(update.getDouble(0));
        assertThat(y.getDouble(0)).isEqualTo(update.getDouble(1));
        assertThat(y.getDouble(5)).isEqualTo(update.getDouble(2));
        assertThat(y.getDouble(6)).isEqualTo(update.getDouble(3));
    }

    @Test
    void boxesThatAreChosenLeadToOthers() {
        TestModel model = model().longs("most", 3)
                .reals("overlap", 0.5f)
                .reals("least", 0.1f)
                .longs("column", 2);
        float[] corners = {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3, 4, 4, 5, 5};
        given(model, "boxes", TestModel.FLOAT, Tensor.of(corners, 1, 4, 4));
        given(model, "scores", TestModel.FLOAT, Tensor.of(new float[] {0.5f, 0.9f, 0.3f, 0.05f}, 1, 1, 4));
        model.node("NonMaxSuppression", "boxes,scores,most,overlap,least", "chosen");
        model.node("Gather", "chosen,column", "numbers", integer("axis", 1));
        model.node("Squeeze", "numbers", "flat");
        model.node("Gather", "boxes,flat", "found", integer("axis", 1));
        Map<String, Tensor> y = run(model.output("chosen", "found"));
        assertThat(Objects.requireNonNull(y.get("chosen")).toLongArray()).containsExactly(0, 0, 1, 0, 0, 2);
        Tensor found = Objects.requireNonNull(y.get("found"));
        assertThat(found.toFloatArray()).containsExactly(0, 0, 1, 0.9f, 2, 2, 3, 3);
    }

    @Test
    void compressesAlongAnAxisOrAllElements() {
        TestModel model = model();
        given(model, "x", TestModel.FLOAT, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2));
        Tensor condition = Tensor.allocate(DType.BOOL, 3);
        condition.setLong(1, 1);
        condition.setLong(2, 1);
        given(model, "c", BOOL, condition);
        model.node("Compress", "x,c", "rows", integer("axis", 0)).node("Compress", "x,c", "some");
        Map<String, Tensor> y = run(model.output("rows", "some"));
        assertThat(Objects.requireNonNull(y.get("rows")).toFloatArray()).containsExactly(3, 4, 5, 6);
        assertThat(Objects.requireNonNull(y.get("some")).toFloatArray()).containsExactly(2, 3);
    }

    @Test
    void placesThatAreNotZero() {
        TestModel model = model();
        given(model, "x", TestModel.FLOAT, Tensor.of(new float[] {0, 1, 2, 0}, 2, 2));
        Tensor places = only(model.node("NonZero", "x", "y"), "y");
        assertThat(places.shape()).isEqualTo(Shape.of(2, 2));
        assertThat(places.toLongArray()).containsExactly(0, 1, 1, 0);
    }

    @Test
    void whatIsWrongIsNamed() {
        TestModel model = model().input("x", 2, 3).typed("t", INT64, 2);
        model.node("NegativeLogLikelihoodLoss", "x,t", "y", text("reduction", "most"))
                .output("y");
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("attribute 'reduction' must be none, sum or mean, but is most");
    }

    /** The elements, or rows, of x that are not there before; what they have in common is in all four results. */
    @ParameterizedTest
    @CsvSource({"7, 1, true", "40, 1, false", "1, 1, true", "30, 2, true", "30, 2, false", "24, 3, true"})
    void uniqueRows(int rows, int columns, boolean sorted) {
        Random random = new Random(rows + columns);
        Tensor x = Tensor.allocate(DType.FLOAT32, rows, columns);
        for (long i = 0; i < x.elements(); i++) {
            x.setDouble(i, random.nextInt(columns == 1 ? 9 : 3) - 1.5);
        }
        TestModel model = TestModel.opset(18);
        given(model, "x", TestModel.FLOAT, x);
        String outputs = "y,first,group,count";
        AttributeProto order = integer("sorted", sorted ? 1 : 0);
        if (columns == 1) {
            model.node("Unique", "x", outputs, order);
        } else {
            model.node("Unique", "x", outputs, order, integer("axis", -2));
        }
        Map<String, Tensor> found = run(model.output(outputs.split(",")));
        List<List<Double>> all = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            List<Double> elements = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                elements.add(x.getDouble((long) row * columns + column));
            }
            all.add(elements);
        }
        Comparator<List<Double>> byElements = (one, other) -> {
            int compared = 0;
            for (int i = 0; i < one.size() && compared == 0; i++) {
                compared = Double.compare(one.get(i), other.get(i));
            }
            return compared;
        };
        List<List<Double>> expected = new ArrayList<>(all.stream().distinct().toList());
        if (sorted) {
            expected.sort(byElements);
        }
        double[] elements = expected.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        assertThat(Objects.requireNonNull(found.get("y")).toDoubleArray()).containsExactly(elements);
        assertThat(Objects.requireNonNull(found.get("first")).toLongArray())
                .containsExactly(expected.stream().mapToLong(all::indexOf).toArray());
        assertThat(Objects.requireNonNull(found.get("group")).toLongArray())
                .containsExactly(all.stream().mapToLong(expected::indexOf).toArray());
        assertThat(Objects.requireNonNull(found.get("count")).toLongArray())
                .containsExactly(expected.stream()
                        .mapToLong(each -> Collections.frequency(all, each))
                        .toArray());
    }

    @Test
    void uniqueElementsOfIntegersAndTruths() {
        TestModel model = TestModel.opset(18);
        given(model, "x", INT64, Tensor.of(new long[] {3, -1, 3, 1L << 60, -1}, 5));
        Tensor truths = Tensor.allocate(DType.BOOL, 3);
        truths.setLong(1, 1);
        given(model, "b", BOOL, truths);
        model.node("Unique", "x", "y").node("Unique", "b", "t,,g");
        Map<String, Tensor> found = run(model.output("y", "t", "g"));
        assertThat(Objects.requireNonNull(found.get("y")).toLongArray()).containsExactly(-1, 3, 1L << 60);
        assertThat(Objects.requireNonNull(found.get("t")).toLongArray()).containsExactly(0, 1);
        assertThat(Objects.requireNonNull(found.get("g")).toLongArray()).containsExactly(0, 1, 0);
    }

    @Test
    void bitCasts() {
        TestModel model = TestModel.opset(26);
        random(model, "x", 3, 5);
        Tensor x = Objects.requireNonNull(inputs.get("x"));
        model.node("BitCast", "x", "bits", integer("to", INT64 - 1)).node("BitCast", "bits", "y", integer("to", 1));
        Map<String, Tensor> found = run(model.output("bits", "y"));
        assertThat(Objects.requireNonNull(found.get("y")).toFloatArray()).isEqualTo(x.toFloatArray());
        for (int i = 0; i < 15; i++) {
            assertThat(Objects.requireNonNull(found.get("bits")).getLong(i))
                    .isEqualTo(Float.floatToRawIntBits((float) x.getDouble(i)));
        }
    }

    @Test
    void bitCastsOfTruth() {
        TestModel model = TestModel.opset(26);
        given(model, "x", TestModel.BOOL, Tensor.of(new boolean[] {true, false, true}, 3));
        model.node("BitCast", "x", "bits", integer("to", 2))
                .node("BitCast", "bits", "y", integer("to", TestModel.BOOL));
        Map<String, Tensor> found = run(model.output("bits", "y"));
        assertThat(Objects.requireNonNull(found.get("bits")).dtype()).isEqualTo(DType.UINT8);
        assertThat(Objects.requireNonNull(found.get("bits")).toLongArray()).containsExactly(1, 0, 1);
        assertThat(Objects.requireNonNull(found.get("y")).toBooleanArray()).containsExactly(true, false, true);
    }
}
