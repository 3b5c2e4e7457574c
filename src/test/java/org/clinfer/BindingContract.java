package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What a binding does, wherever its session runs. */
abstract class BindingContract extends EngineContract {

    /** {@code total[4], x[4], factor[4] → sum = total + factor * x, product = factor * x}. */
    static Graph accumulator() {
        Ops ops = Ops.graph("net");
        TensorType four = TensorType.of(DType.FLOAT32, 4);
        Edge total = ops.input("total", four);
        Edge product = ops.mul(ops.input("x", four), ops.input("factor", four));
        ops.output("product", product);
        return ops.output("sum", ops.add(total, product)).build();
    }

    /** {@code past[1, before, 3], x[1, 1, 3] → present = [past; x], doubled = 2 * present}. */
    static Graph growing() {
        Ops ops = Ops.graph("net");
        Edge past = ops.input(
                "past", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.of(1), Dim.named("before"), Dim.of(3)))));
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 1, 3));
        Edge present = ops.concat(List.of(past, x)).axis(1).y();
        ops.output("doubled", ops.mul(present, ops.constant("two", Tensor.scalar(2f))));
        return ops.output("present", present).build();
    }

    /** A test with a binding of its own. */
    private interface Body {
        void run(Session session, IoBinding binding);
    }

    private void with(Graph graph, Body body) {
        try (Model model = engine().load(graph);
                Session session = model.session();
                IoBinding binding = session.bind()) {
            body.run(session, binding);
        }
    }

    private static Tensor four(float value) {
        return Tensor.of(new float[] {value, 2 * value, 3 * value, 4 * value}, 4);
    }

    private static void assertGives(IoBinding binding, Map<String, Tensor> inputs, String output, float first) {
        try (Result result = binding.run(inputs)) {
            assertThat(result.get(output).toFloatArray()).containsExactly(first, 2 * first, 3 * first, 4 * first);
        }
    }

    @Test
    void outputsBecomeInputs() {
        with(accumulator(), (session, binding) -> {
            Tensor ones = Tensor.of(new float[] {1, 1, 1, 1}, 4);
            binding.carry("sum", "total").set("total", four(10)).set("factor", ones);
            assertGives(binding, Map.of("x", four(1)), "product", 1);
            assertGives(binding, Map.of("x", four(2)), "product", 2);
            assertThat(binding.value("total").toFloatArray()).containsExactly(13, 26, 39, 52);
            binding.set("total", four(100));
            assertGives(binding, Map.of("x", four(3)), "product", 3);
            binding.fetch("sum");
            assertGives(binding, Map.of("x", four(4)), "sum", 107);
            assertGives(binding, Map.of("x", four(5)), "sum", 112);
        });
    }

    @Test
    void runsOfTheSessionDoNotTouchIt() {
        with(accumulator(), (session, binding) -> {
            binding.carry("sum", "total")
                    .set("total", four(1))
                    .set("x", four(1))
                    .set("factor", four(0));
            for (int run = 0; run < 3; run++) {
                binding.set("factor", Tensor.of(new float[] {1, 1, 1, 1}, 4));
                binding.run().close();
                try (Result other = session.run(Map.of("total", four(7), "x", four(3), "factor", four(0)))) {
                    assertThat(other.get("sum").toFloatArray()).containsExactly(7, 14, 21, 28);
                    assertThat(other.outputs()).containsOnlyKeys("product", "sum");
                }
            }
            assertThat(binding.value("total").toFloatArray()).containsExactly(4, 8, 12, 16);
        });
    }

    /** An output that the first run did not give is memory of others. */
    @Test
    void anOutputThatWasNotFetchedIsGivenLater() {
        with(accumulator(), (session, binding) -> {
            Tensor ones = Tensor.of(new float[] {1, 1, 1, 1}, 4);
            binding.fetch("sum").set("total", four(1)).set("factor", ones);
            assertGives(binding, Map.of("x", four(1)), "sum", 2);
            try (Result plain = session.run(Map.of("total", four(7), "x", four(3), "factor", ones))) {
                assertThat(plain.get("product").toFloatArray()).containsExactly(3, 6, 9, 12);
            }
            binding.fetch("product", "sum", "sum");
            assertGives(binding, Map.of("x", four(5)), "product", 5);
        });
    }

    @Test
    void onlyFetchedOutputsAreGiven() {
        with(accumulator(), (session, binding) -> {
            binding.set("total", four(1)).set("x", four(1)).set("factor", four(1));
            try (Result all = binding.run()) {
                assertThat(all.outputs()).containsOnlyKeys("product", "sum");
            }
            binding.fetch("sum");
            try (Result one = binding.run()) {
                assertThat(one.outputs()).containsOnlyKeys("sum");
                assertThat(one.get("sum").toFloatArray()).containsExactly(2, 6, 12, 20);
            }
            binding.fetch();
            try (Result none = binding.run()) {
                assertThat(none.outputs()).isEmpty();
            }
        });
    }

    @Test
    void stateGrowsFromNothing() {
        with(growing(), (session, binding) -> {
            binding.carry("present", "past").set("past", Tensor.allocate(DType.FLOAT32, 1, 0, 3));
            List<Float> expected = new ArrayList<>();
            for (int run = 1; run <= 12; run++) {
                for (int i = 0; i < 3; i++) {
                    expected.add(2f * (run * 10 + i));
                }
                Tensor x = Tensor.of(new float[] {run * 10, run * 10 + 1, run * 10 + 2}, 1, 1, 3);
                try (Result result = binding.run(Map.of("x", x))) {
                    List<Float> actual = new ArrayList<>();
                    for (float element : result.get("doubled").toFloatArray()) {
                        actual.add(element);
                    }
                    assertThat(actual).isEqualTo(expected);
                }
            }
            assertThat(binding.value("past").shape()).isEqualTo(Shape.of(1, 12, 3));
        });
    }

    @Test
    void resultsAndValuesAreTheCallersOwn() {
        with(accumulator(), (session, binding) -> {
            binding.carry("sum", "total").fetch("sum").set("total", four(1)).set("factor", four(0));
            binding.set("x", four(1));
            Result first = binding.run();
            Tensor value = binding.value("total");
            first.get("sum").setDouble(0, 99);
            value.setDouble(1, 99);
            first.close();
            value.close();
            assertGives(binding, Map.of(), "sum", 1);
        });
    }

    @Test
    void wrongUsesAreRefusedInOneSentence() {
        with(accumulator(), (session, binding) -> {
            assertThatThrownBy(() -> binding.set("y", four(1)))
                    .isInstanceOf(InputException.class)
                    .hasMessage("the model has no input 'y'; it has [total, x, factor]");
            assertThatThrownBy(() -> binding.set("x", Tensor.of(new float[] {1}, 1)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("input 'x' must be");
            assertThatThrownBy(() -> binding.carry("z", "x"))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("the model has no output 'z'; it has [");
            assertThatThrownBy(() -> binding.fetch("z")).isInstanceOf(InputException.class);
            binding.carry("sum", "total");
            assertThatThrownBy(() -> binding.carry("product", "total"))
                    .isInstanceOf(InputException.class)
                    .hasMessage("input 'total' gets output 'sum' already, so not 'product'");
            assertThatThrownBy(binding::run).isInstanceOf(InputException.class).hasMessageContaining("is missing");
            assertThatThrownBy(() -> binding.value("total")).isInstanceOf(InputException.class);
            binding.close();
            assertThatThrownBy(binding::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the binding is closed");
        });
    }

    /** An output that does not fit leaves everything as it was. */
    @Test
    void anOutputThatDoesNotFitIsRefused() {
        with(growing(), (session, binding) -> {
            binding.carry("present", "x").set("past", Tensor.allocate(DType.FLOAT32, 1, 1, 3));
            binding.set("x", Tensor.of(new float[] {1, 2, 3}, 1, 1, 3));
            assertThatThrownBy(binding::run)
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("output 'present' cannot become the next run's input: input 'x' must be");
            assertThat(binding.value("x").toFloatArray()).containsExactly(1, 2, 3);
        });
    }

    @Test
    void closesWithItsSession() {
        try (Model model = engine().load(accumulator())) {
            Session session = model.session();
            IoBinding binding = session.bind();
            binding.carry("sum", "total")
                    .set("total", four(1))
                    .set("x", four(1))
                    .set("factor", four(1));
            binding.run().close();
            session.close();
            assertThatThrownBy(binding::run).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(session::bind)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the session is closed");
            binding.close();
        }
    }
}
