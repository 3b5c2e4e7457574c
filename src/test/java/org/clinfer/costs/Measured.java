package org.clinfer.costs;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.clinfer.Engine;
import org.clinfer.RunProfile;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Times of networks on random inputs, in nanoseconds: of many runs the one that a tenth stays below. */
final class Measured {

    private static final int FEWEST = 20;
    private static final int MOST = 2000;
    private static final long WARM_UP_NANOS = 1_000_000_000;
    private static final long NANOS = 400_000_000;

    private Measured() {}

    /** The time of the nodes that are meant, added, each timed by itself. */
    static double nodes(Engine engine, Graph graph, Predicate<RunProfile.Entry> meant) {
        Map<String, Tensor> inputs = inputs(graph);
        try (Session session = engine.load(graph).session()) {
            return tenth(() -> session.profile(inputs).entries().stream()
                    .filter(meant)
                    .mapToLong(RunProfile.Entry::nanos)
                    .sum());
        }
    }

    /** The time of whole runs. */
    static double runs(Engine engine, Graph graph) {
        Map<String, Tensor> inputs = inputs(graph);
        try (Session session = engine.load(graph).session()) {
            return tenth(() -> {
                long start = System.nanoTime();
                session.run(inputs).close();
                return System.nanoTime() - start;
            });
        }
    }

    static Tensor random(long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(1);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    private static Map<String, Tensor> inputs(Graph graph) {
        Map<String, Tensor> inputs = new HashMap<>();
        for (Graph.Input input : graph.inputs()) {
            TensorType type = input.type();
            inputs.put(input.name(), random(type.shape().sizes()));
        }
        return inputs;
    }

    /** The first calls let the code be compiled. */
    private static double tenth(LongSupplier call) {
        runs(call, WARM_UP_NANOS);
        return runs(call, NANOS);
    }

    private static double runs(LongSupplier call, long most) {
        long[] nanos = new long[MOST];
        int count = 0;
        long start = System.nanoTime();
        while (count < FEWEST || System.nanoTime() - start < most) {
            nanos[count++ % MOST] = call.getAsLong();
        }
        int kept = Math.min(count, MOST);
        Arrays.sort(nanos, 0, kept);
        return nanos[kept / 10];
    }
}
