package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each rewrite makes of a node gives the same results; which rewrites apply to which nodes, which subclasses name. */
abstract class RewriteTests {

    static Tensor random(long seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() * 2 - 1);
        }
        return tensor;
    }

    static Tensor positive(long seed, long... sizes) {
        Tensor tensor = random(seed, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, Math.abs(tensor.getDouble(i)) + 0.5);
        }
        return tensor;
    }

    /**
     * A network of some nodes, one of which is called {@code node}.
     *
     * @param rewrites the rewrites that apply to it, separated by blanks, the others do not
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Case(String name, long[] x, String rewrites, BiFunction<Ops, Edge, Edge> body) {

        Graph graph() {
            Ops ops = Ops.graph("net");
            Edge x = ops.input("x", TensorType.of(DType.FLOAT32, this.x));
            return ops.output("y", body.apply(ops, x)).build();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Case of(String name, String rewrites, BiFunction<Ops, Edge, Edge> body, long... x) {
        return new Case(name, x, rewrites, body);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void resultsAreTheSame(Case of) {
        List<Rewritten> all = Rewritten.all(of.graph(), "node");
        assertThat(all.stream().map(Rewritten::rewrite).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(List.of(of.rewrites.split(" +")).stream()
                        .filter(name -> !name.isEmpty())
                        .toList());
        Map<String, String> wrong = new TreeMap<>();
        all.forEach(each -> each.difference().fault().ifPresent(fault -> wrong.put(each.step(), fault)));
        assertThat(wrong).isEmpty();
    }
}
