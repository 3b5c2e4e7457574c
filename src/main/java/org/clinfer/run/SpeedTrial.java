package org.clinfer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClProgram;
import org.clinfer.opencl.ClQueue;

/** Measures a device with kernels that do nothing else: short runs, of which the best counts. */
final class SpeedTrial {

    private static final String SOURCE = "device_speed.cl";
    private static final int LEAST_RUNS = 3;
    private static final long RUN_NANOS = 5_000_000;

    /** So long that threads which begin on one processor find one each. */
    private static final long TRIAL_NANOS = 400_000_000;

    private static final int FIRST_STEPS = 1000;
    private static final int MOST_STEPS = 1 << 28;

    /** Beyond the caches of processors, and on other devices long against a launch. */
    private static final long COPIED_BYTES = 128L << 20;

    private static final long COPIED_BYTES_OF_OTHERS = 512L << 20;

    /** With narrower copies a GPU stays below its bandwidth. */
    private static final int COPIED_LANES_OF_OTHERS = 4;

    private final DeviceFacts facts;
    private final ClContext context;
    private final boolean wide;
    private final int lanes;

    /** Sums that do not depend on one another: as many as hide the time of one, and stay in registers. */
    private final int sums;

    private final int items;
    private final long[] group;

    SpeedTrial(DeviceFacts facts, ClContext context) {
        this.facts = facts;
        this.context = context;
        this.wide = facts.kind() == DeviceFacts.Kind.CPU;
        this.lanes = wide ? facts.registerLanes() : 1;
        this.sums = lanes == 8 ? 12 : 24;
        int units = (int) Math.min(Math.max(facts.limit("max_compute_units", 1), 1), 4096);
        int width = (int) Math.min(Math.max(facts.limit("max_work_group_size", 1), 1), 256);
        this.group = new long[] {wide ? 1 : width};
        this.items = units * (wide ? 16 : 8 * width);
    }

    DeviceSpeed measured() {
        try (ClQueue queue = context.queue(false)) {
            return new DeviceSpeed(gflops(queue), gigabytes(queue));
        }
    }

    private ClProgram program(int numbers) {
        return context.program(SOURCE, source(), "-DSUMS=" + sums + (numbers == 1 ? "" : " -DNUMBERS=float" + numbers));
    }

    private double gflops(ClQueue queue) {
        try (ClProgram program = program(lanes);
                ClBuffer results = context.buffer((long) items * lanes * Float.BYTES);
                ClKernel kernel = program.kernel("multiply_add", List.of("y", "steps", "factor", "addend"))) {
            kernel.arg("y", results).arg("factor", 0.75f).arg("addend", 0.25f);
            int steps = FIRST_STEPS;
            kernel.arg("steps", steps);
            long nanos = best(queue, kernel, 0);
            steps = (int) Math.min(MOST_STEPS, Math.max(1, steps * (double) RUN_NANOS / nanos));
            kernel.arg("steps", steps);
            return 2.0 * sums * lanes * items * steps / best(queue, kernel, TRIAL_NANOS);
        }
    }

    private double gigabytes(ClQueue queue) {
        int numbers = wide ? lanes : COPIED_LANES_OF_OTHERS;
        long each = (long) items * numbers * Float.BYTES;
        long wanted = wide ? COPIED_BYTES : COPIED_BYTES_OF_OTHERS;
        long most = Math.min(
                Math.min(wanted, facts.limit("max_mem_alloc_size", wanted)),
                facts.limit("global_mem_size", Long.MAX_VALUE) / 8);
        int count = (int) Math.max(1, most / each);
        List<String> names = List.of("x", "y", "from_each", "step", "count");
        try (ClProgram program = program(numbers);
                ClBuffer from = context.buffer(each * count);
                ClBuffer to = context.buffer(each * count);
                ClKernel kernel = program.kernel("copy_all", names)) {
            queue.fill(from, 0, each * count, (byte) 1);
            kernel.arg("x", from).arg("y", to).arg("count", count);
            // items of a processor read pieces of their own, those of other devices side by side
            kernel.arg("from_each", wide ? count : 1).arg("step", wide ? 1 : items);
            return 2.0 * each * count / best(queue, kernel, TRIAL_NANOS);
        }
    }

    /** The shortest of runs for so long, after one that does not count, in nanoseconds. */
    private long best(ClQueue queue, ClKernel kernel, long trialNanos) {
        run(queue, kernel);
        long best = Long.MAX_VALUE;
        long left = trialNanos;
        for (int run = 0; run < LEAST_RUNS || left > 0; run++) {
            long nanos = run(queue, kernel);
            best = Math.min(best, nanos);
            left -= nanos;
        }
        return best;
    }

    private long run(ClQueue queue, ClKernel kernel) {
        long start = System.nanoTime();
        queue.launch(kernel, new long[] {items}, group);
        queue.finish();
        return Math.max(1, System.nanoTime() - start);
    }

    private static String source() {
        try (InputStream stream = SpeedTrial.class.getResourceAsStream(SOURCE)) {
            return new String(
                    Objects.requireNonNull(stream, () -> SOURCE + " is missing").readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
