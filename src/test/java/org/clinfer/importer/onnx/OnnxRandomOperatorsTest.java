package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are drawn at random: their means and bounds, and their seeds. */
class OnnxRandomOperatorsTest extends OnnxRuns {

    private static final Offset<Double> CLOSE = within(2e-5);

    private static double mean(Tensor tensor) {
        return Arrays.stream(tensor.toDoubleArray()).average().orElseThrow();
    }

    /** The mean, the deviation and the bounds of many numbers; equal seeds draw equal numbers. */
    @Test
    void randomNumbers() {
        TestModel model = model();
        random(model, "x", 200, 500);
        model.node(
                "RandomUniform",
                "",
                "u",
                TestModel.ints("shape", 200, 500),
                TestModel.real("low", -1),
                TestModel.real("high", 3),
                TestModel.real("seed", 7));
        model.node(
                "RandomUniformLike",
                "x",
                "like",
                TestModel.real("low", -1),
                TestModel.real("high", 3),
                TestModel.real("seed", 7));
        model.node("RandomUniformLike", "x", "other", TestModel.real("seed", 8));
        model.node(
                "RandomNormal",
                "",
                "n",
                TestModel.real("seed", 11),
                TestModel.ints("shape", 100_000),
                TestModel.real("mean", 2),
                TestModel.real("scale", 3),
                integer("dtype", 11));
        model.node("RandomNormalLike", "x", "half", integer("dtype", 10), TestModel.real("seed", 2));
        model.node("RandomNormal", "", "three", TestModel.ints("shape", 3), TestModel.real("seed", 0));
        Map<String, Tensor> found = run(model.output("u", "like", "other", "n", "half", "three"));
        Tensor u = Objects.requireNonNull(found.get("u"));
        assertThat(u.toFloatArray())
                .isEqualTo(Objects.requireNonNull(found.get("like")).toFloatArray());
        // numpy.random.RandomState(7).rand(3) * 4 - 1
        assertThat(Arrays.copyOf(u.toFloatArray(), 3)).containsExactly(-0.6947669f, 2.1196752f, 0.75363696f);
        assertThat(Arrays.stream(u.toDoubleArray())).allMatch(value -> value >= -1 && value < 3);
        assertThat(mean(u)).isCloseTo(1, within(0.02));
        double[] quarters = new double[4];
        for (double value : u.toDoubleArray()) {
            quarters[(int) Math.floor(value + 1)]++;
        }
        assertThat(Arrays.stream(quarters)).allMatch(count -> Math.abs(count - 25_000) < 700);
        assertThat(Objects.requireNonNull(found.get("other")).toFloatArray())
                .isNotEqualTo(Objects.requireNonNull(found.get("like")).toFloatArray());
        // numpy.random.RandomState(0).randn(3)
        assertThat(Objects.requireNonNull(found.get("three")).toFloatArray())
                .containsExactly(1.7640524f, 0.4001572f, 0.978738f);
        Tensor n = Objects.requireNonNull(found.get("n"));
        assertThat(n.type()).isEqualTo(TensorType.of(DType.FLOAT64, 100_000));
        double mean = mean(n);
        double[] moments = new double[5];
        for (double value : n.toDoubleArray()) {
            for (int power = 2; power < moments.length; power++) {
                moments[power] += Math.pow((value - mean) / 3, power) / 100_000;
            }
        }
        assertThat(mean).isCloseTo(2, within(0.04));
        assertThat(moments[2]).isCloseTo(1, within(0.02));
        assertThat(moments[3]).isCloseTo(0, within(0.04));
        assertThat(moments[4]).isCloseTo(3, within(0.12));
        assertThat(Objects.requireNonNull(found.get("half")).type()).isEqualTo(TensorType.of(DType.FLOAT16, 200, 500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bernoulli", "Multinomial"})
    void choicesNeedASeed(String op) {
        TestModel model = model().input("x", 2, 3).node(op, "x", "y").output("y");
        assertThatThrownBy(() -> model.read(folder)).hasMessageContaining(op + " with no seed");
    }

    /** Equal nodes draw different numbers, and the same in every run. */
    @ParameterizedTest
    @CsvSource({"RandomUniformLike,0.5,0.289", "RandomNormalLike,0,1"})
    void withoutASeedTheNameOfTheOutputIsOne(String op, double mean, double deviation) {
        TestModel model = model();
        Tensor x = random(model, "x", 500);
        model.node(op, "x", "a").node(op, "x", "b").output("a", "b");
        Map<String, Tensor> first = run(model);
        inputs.put("x", x);
        Map<String, Tensor> second = run(model);
        double[] drawn = Objects.requireNonNull(first.get("a")).toDoubleArray();
        assertThat(drawn).isEqualTo(Objects.requireNonNull(second.get("a")).toDoubleArray());
        assertThat(drawn).isNotEqualTo(Objects.requireNonNull(first.get("b")).toDoubleArray());
        assertThat(Arrays.stream(drawn).average().orElseThrow())
                .isCloseTo(mean, within(4 * deviation / Math.sqrt(500)));
    }

    /** A loop that is written out has a node for each pass, with a name of its own; others draw in one node. */
    @Test
    void withoutASeedLoopsAreWrittenOutOrRefused() {
        assertThat(Objects.requireNonNull(run(loop(true)).get("list")).toDoubleArray())
                .doesNotHaveDuplicates()
                .hasSize(3);
        TestModel open = loop(false).typed("trips", INT64);
        assertThatThrownBy(() -> open.read(folder)).hasMessageContaining("RandomUniform with no seed in a body");
    }

    /** Draws a number in each of three passes, or as many as the input says. */
    private static TestModel loop(boolean known) {
        TestModel body = model();
        body.graph().addInput(TestModel.info("i", INT64)).addInput(TestModel.info("before", BOOL));
        body.node("Identity", "before", "after")
                .node("RandomUniform", "", "drawn", TestModel.ints("shape", 1))
                .output("after", "drawn");
        TestModel model = model();
        if (known) {
            model.longs("trips", 3);
        }
        return model.node("Loop", "trips,", "list", TestModel.graph("body", body))
                .output("list");
    }

    @Test
    void randomChoices() {
        TestModel model = model();
        Tensor p = random(model, "p", 4, 2500);
        for (long i = 0; i < p.elements(); i++) {
            p.setDouble(i, i < 2500 ? 0 : i < 5000 ? 1 : i < 7500 ? 0.5 : 0.125);
        }
        Tensor chances = random(model, "chances", 2, 3);
        double[] weights = {0.5, 0.25, 0.25, 0, 0.1, 0.9};
        for (int i = 0; i < weights.length; i++) {
            chances.setDouble(i, Math.log(weights[i]) + 4);
        }
        model.node("Bernoulli", "p", "b", integer("dtype", INT64), TestModel.real("seed", 3));
        Tensor some = random(model, "some", 8);
        double[] chancesOfSome = {.1, .9, .5, .3, .7, .6, .2, .8};
        for (int i = 0; i < 8; i++) {
            some.setDouble(i, chancesOfSome[i]);
        }
        model.node("Bernoulli", "some", "few", TestModel.real("seed", 3));
        model.node("Multinomial", "chances", "m", integer("sample_size", 20_000), TestModel.real("seed", 5));
        Map<String, Tensor> found = run(model.output("b", "m", "few"));
        // numpy.random.RandomState(3).binomial(1, p)
        assertThat(Objects.requireNonNull(found.get("few")).toFloatArray()).containsExactly(0, 1, 0, 0, 0, 0, 0, 1);
        long[] drawn = Objects.requireNonNull(found.get("b")).toLongArray();
        assertThat(Arrays.stream(drawn, 0, 2500).sum()).isZero();
        assertThat(Arrays.stream(drawn, 2500, 5000).sum()).isEqualTo(2500);
        assertThat(Arrays.stream(drawn, 5000, 7500).sum()).isBetween(1150L, 1350L);
        assertThat(Arrays.stream(drawn, 7500, 10_000).sum()).isBetween(240L, 385L);
        Tensor m = Objects.requireNonNull(found.get("m"));
        assertThat(m.type()).isEqualTo(TensorType.of(DType.INT32, 2, 20_000));
        double[] counts = new double[6];
        for (int i = 0; i < 40_000; i++) {
            counts[(int) m.getLong(i) + i / 20_000 * 3]++;
        }
        for (int i = 0; i < weights.length; i++) {
            assertThat(counts[i] / 20_000).isCloseTo(weights[i], within(weights[i] == 0 ? 0 : 0.012));
        }
    }

    /** training_mode as a constant, as an input, and neither. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,false", "false,true"})
    void dropoutInTraining(boolean constant, boolean trains) {
        TestModel model =
                model().initializer(TestModel.tensor("ratio", TestModel.FLOAT).addFloatData(0.25f));
        Tensor x = random(model, "x", 100, 200);
        if (constant) {
            model.initializer(TestModel.tensor("train", BOOL).addInt32Data(trains ? 1 : 0));
        } else {
            Tensor train = Tensor.allocate(DType.BOOL);
            train.setLong(0, trains ? 1 : 0);
            given(model, "train", BOOL, train);
        }
        model.node("Dropout", "x,ratio,train", "y,mask", integer("seed", 3));
        Map<String, Tensor> found = run(model.output("y", "mask"));
        Tensor y = Objects.requireNonNull(found.get("y"));
        Tensor mask = Objects.requireNonNull(found.get("mask"));
        assertThat(mean(mask)).isCloseTo(trains ? 0.75 : 1, within(trains ? 0.02 : 0));
        for (long i = 0; i < x.elements(); i++) {
            double expected = mask.getLong(i) == 0 ? 0 : trains ? x.getDouble(i) / 0.75 : x.getDouble(i);
            assertThat(y.getDouble(i)).isCloseTo(expected, CLOSE);
        }
    }
}
