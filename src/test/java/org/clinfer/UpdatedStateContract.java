package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.errors.InputException;
import org.clinfer.errors.StateLostException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Carried values of which a run replaces elements, as a cache of fixed length does, wherever they are. */
abstract class UpdatedStateContract extends EngineContract {

    private static final int PLACES = 4;
    private static final int WIDTH = 3;

    /** {@return whether the elements are replaced where they are} */
    abstract boolean isInPlace();

    private static Edge present(Ops ops, Edge past) {
        TensorType one = TensorType.of(DType.FLOAT32, 1, 1, WIDTH);
        return ops.scatterElements(past, ops.input("at", TensorType.of(DType.INT64, 1, 1, WIDTH)), ops.input("x", one))
                .axis(1)
                .y();
    }

    private static Edge past(Ops ops, String name) {
        return ops.input(name, TensorType.of(DType.FLOAT32, 1, PLACES, WIDTH));
    }

    /** {@code past[1, 4, 3], at, x[1, 1, 3] → present, doubled = 2 * present}. */
    private static Graph cache() {
        Ops ops = Ops.graph("cache");
        Edge present = present(ops, past(ops, "past"));
        ops.output("doubled", ops.mul(present, ops.constant("two", Tensor.scalar(2f))));
        return ops.output("present", present).build();
    }

    /** The same with {@code sum = past + present}. */
    private static Graph readTwice() {
        Ops ops = Ops.graph("twice");
        Edge past = past(ops, "past");
        Edge present = present(ops, past);
        ops.output("sum", ops.add(past, present));
        return ops.output("present", present).build();
    }

    /** {@code past, other → present of past, difference = other - present}: what becomes of other is told. */
    private static Graph beside() {
        Ops ops = Ops.graph("beside");
        Edge other = past(ops, "other");
        Edge present = present(ops, past(ops, "past"));
        ops.output("difference", ops.sub(other, present));
        return ops.output("present", present).build();
    }

    /** The cache, and behind it {@code chosen = table[number]}, which fails for a number of 2 and more. */
    private static Graph failing() {
        Ops ops = Ops.graph("failing");
        ops.output("present", present(ops, past(ops, "past")));
        Edge table = ops.constant("table", Tensor.of(new float[] {5, 6}, 2));
        Edge number = ops.cast(ops.input("number", TensorType.of(DType.FLOAT32, 1)), DType.INT64)
                .y();
        return ops.output("chosen", ops.gather(table, number).y()).build();
    }

    private static Map<String, Tensor> token(int place, float value) {
        return Map.of(
                "at", Tensor.of(new long[] {place, place, place}, 1, 1, WIDTH),
                "x", Tensor.of(new float[] {value, value + 1, value + 2}, 1, 1, WIDTH));
    }

    private static void put(float[] expected, int place, float value) {
        for (int i = 0; i < WIDTH; i++) {
            expected[place * WIDTH + i] = value + i;
        }
    }

    private static Tensor filled(float value) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, 1, PLACES, WIDTH);
        for (int i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, value);
        }
        return tensor;
    }

    private static float[] all(float value) {
        return filled(value).toFloatArray();
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

    @Test
    void elementsAreReplacedRunForRun() {
        with(cache(), (session, binding) -> {
            Tensor first = filled(7);
            binding.carry("present", "past").fetch("doubled").set("past", first);
            float[] expected = all(7);
            for (int run = 0; run < 3 * PLACES; run++) {
                Tensor before = binding.held("past");
                put(expected, run % PLACES, 10 * run);
                try (Result result = binding.run(token(run % PLACES, 10 * run))) {
                    for (int i = 0; i < expected.length; i++) {
                        assertThat(result.get("doubled").toFloatArray()[i]).isEqualTo(2 * expected[i]);
                    }
                }
                assertThat(binding.held("past") == before).isEqualTo(run > 0 && isInPlace());
                assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
            }
            assertThat(first.toFloatArray()).as("the caller's tensor").containsExactly(all(7));
        });
    }

    @Test
    void resultsAndValuesOfBeforeStay() {
        with(cache(), (session, binding) -> {
            binding.carry("present", "past").fetch("present").set("past", filled(0));
            Result first = binding.run(token(0, 10));
            Tensor value = binding.value("past");
            Result second = binding.run(token(1, 20));
            binding.run(token(0, 30)).close();
            float[] expected = all(0);
            put(expected, 0, 10);
            assertThat(first.get("present").toFloatArray()).containsExactly(expected);
            assertThat(value.toFloatArray()).containsExactly(expected);
            put(expected, 1, 20);
            assertThat(second.get("present").toFloatArray()).containsExactly(expected);
            first.get("present").setDouble(0, 99);
            second.close();
            first.close();
            put(expected, 0, 30);
            assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
        });
    }

    @Test
    void otherRunsAndBindingsHaveStatesOfTheirOwn() {
        with(cache(), (session, binding) -> {
            binding.carry("present", "past").set("past", filled(1));
            try (IoBinding other = session.bind()) {
                other.carry("present", "past").set("past", filled(2));
                Tensor given = filled(3);
                for (int run = 0; run < PLACES; run++) {
                    binding.run(token(run, 10)).close();
                    other.run(token(run, 20)).close();
                    Map<String, Tensor> inputs = new HashMap<>(token(run, 30));
                    inputs.put("past", given);
                    try (Result alone = session.run(inputs)) {
                        float[] expected = all(3);
                        put(expected, run, 30);
                        assertThat(alone.get("present").toFloatArray()).containsExactly(expected);
                    }
                }
                assertThat(given.toFloatArray()).containsExactly(all(3));
                float[] expected = new float[PLACES * WIDTH];
                for (int place = 0; place < PLACES; place++) {
                    put(expected, place, 10);
                }
                assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
                for (int place = 0; place < PLACES; place++) {
                    put(expected, place, 20);
                }
                assertThat(other.value("past").toFloatArray()).containsExactly(expected);
            }
        });
    }

    @Test
    void aValueWithOtherReadersIsCopied() {
        with(readTwice(), (session, binding) -> {
            binding.carry("present", "past").set("past", filled(1));
            binding.run(token(0, 10)).close();
            float[] before = all(1);
            put(before, 0, 10);
            try (Result result = binding.run(token(0, 20))) {
                float[] after = before.clone();
                put(after, 0, 20);
                float[] sum = result.get("sum").toFloatArray();
                for (int i = 0; i < sum.length; i++) {
                    assertThat(sum[i]).isEqualTo(before[i] + after[i]);
                }
            }
        });
    }

    /** One output becomes two inputs, of which one is to stay as it was. */
    @Test
    void aValueOfTwoInputsIsCopied() {
        with(beside(), (session, binding) -> {
            binding.carry("present", "past").carry("present", "other");
            binding.set("past", filled(0)).set("other", filled(0));
            binding.run(token(0, 10)).close();
            try (Result result = binding.run(token(0, 15))) {
                float[] expected = all(0);
                for (int i = 0; i < WIDTH; i++) {
                    expected[i] = -5;
                }
                assertThat(result.get("difference").toFloatArray()).containsExactly(expected);
            }
        });
    }

    @Test
    void aValueGivenForOneRunIsNotChanged() {
        with(cache(), (session, binding) -> {
            binding.carry("present", "past").set("past", filled(0));
            binding.run(token(0, 10)).close();
            Tensor given = filled(5);
            Map<String, Tensor> inputs = new HashMap<>(token(1, 20));
            inputs.put("past", given);
            binding.run(inputs).close();
            float[] expected = all(5);
            put(expected, 1, 20);
            assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
            assertThat(given.toFloatArray()).containsExactly(all(5));
        });
    }

    @Test
    void aRunThatFailsBeforeItChangesAnythingLosesNothing() {
        with(cache(), (session, binding) -> {
            binding.carry("present", "past").set("past", filled(0));
            binding.run(token(0, 10)).close();
            binding.run(token(1, 20)).close();
            assertThatThrownBy(() -> binding.run(token(PLACES, 30)))
                    .isInstanceOf(GraphException.class)
                    .hasMessageContaining("outside of");
            assertThatThrownBy(() -> binding.run(Map.of())).isInstanceOf(InputException.class);
            float[] expected = all(0);
            put(expected, 0, 10);
            put(expected, 1, 20);
            assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
        });
    }

    @Test
    void aRunThatFailsAfterItHasChangedAValueLosesIt() {
        with(failing(), (session, binding) -> {
            Tensor good = Tensor.of(new float[] {1}, 1);
            binding.carry("present", "past").set("past", filled(0)).set("number", good);
            binding.run(token(0, 10)).close();
            binding.run(token(1, 20)).close();
            binding.set("number", Tensor.of(new float[] {2}, 1));
            assertThatThrownBy(() -> binding.run(token(0, 30))).isInstanceOf(GraphException.class);
            binding.set("number", good);
            if (isInPlace()) {
                assertThatThrownBy(() -> binding.run(token(0, 30)))
                        .isInstanceOf(StateLostException.class)
                        .hasMessage("a run that failed had begun to change the values of the inputs [past];"
                                + " set them again")
                        .extracting(thrown -> ((StateLostException) thrown).inputs())
                        .isEqualTo(List.of("past"));
                binding.set("past", filled(1));
            }
            binding.run(token(2, 40)).close();
            float[] expected = all(isInPlace() ? 1 : 0);
            if (!isInPlace()) {
                put(expected, 0, 10);
                put(expected, 1, 20);
            }
            put(expected, 2, 40);
            assertThat(binding.value("past").toFloatArray()).containsExactly(expected);
        });
    }
}
