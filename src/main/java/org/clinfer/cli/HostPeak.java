package org.clinfer.cli;

import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceEvent;

/** Measures what the CPU path does at most: a product of matrices, and an operator that reads and writes beyond the caches. */
final class HostPeak {

    private static final long TRIAL_NANOS = 300_000_000;
    private static final int LEAST_RUNS = 3;
    private static final int SIZE = 512;
    private static final int ELEMENTS = 1 << 24;

    private HostPeak() {}

    /**
     * Takes a second or less.
     *
     * @param threads of the CPU path
     */
    static TraceEvent.Peak measured(int threads) {
        long start = System.nanoTime();
        EngineOptions options =
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(threads);
        try (Engine engine = Engine.open(options);
                Tensor weights = Tensor.allocate(DType.FLOAT32, SIZE, SIZE);
                Tensor rows = Tensor.allocate(DType.FLOAT32, SIZE, SIZE);
                Tensor many = Tensor.allocate(DType.FLOAT32, ELEMENTS)) {
            Ops product = Ops.graph("product");
            Edge left = product.input("x", rows.type());
            product.output("y", product.matMul(left, product.constant("weights", weights)));
            double gflops = 2.0 * SIZE * SIZE * SIZE / nanos(engine, product.build(), rows);
            Ops pass = Ops.graph("pass");
            pass.output("y", pass.relu(pass.input("x", many.type())));
            double gigabytes = 2.0 * many.type().bytes() / nanos(engine, pass.build(), many);
            return new TraceEvent.Peak(
                    TraceEvent.Peak.CPU, gflops, gigabytes, TraceEvent.Time.between(start, System.nanoTime()));
        }
    }

    /** The shortest run of a network. */
    private static long nanos(Engine engine, Graph graph, Tensor input) {
        try (Model model = engine.load(graph);
                Session session = model.session()) {
            long begin = System.nanoTime();
            long best = Long.MAX_VALUE;
            for (int i = 0; i < LEAST_RUNS || System.nanoTime() - begin < TRIAL_NANOS; i++) {
                long start = System.nanoTime();
                session.run(Map.of("x", input)).close();
                best = Math.min(best, System.nanoTime() - start);
            }
            return Math.max(best, 1);
        }
    }
}
