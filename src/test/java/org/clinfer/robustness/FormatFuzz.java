package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;

/**
 * Takes damaged files of one format the whole way: each is refused as such or runs, within seconds, and nothing is
 * printed that is not ours. The same cases every time; {@code -Dfuzz.seconds=N} makes it longer and starts with a new seed, {@code -Dseed=N} begins with one.
 */
final class FormatFuzz {

    private static final boolean EXPLORING = Integer.getInteger("fuzz.seconds") != null;
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 15);
    private static final long SECONDS_PER_CASE = 20;

    private FormatFuzz() {}

    /** Writes the case of a seed and gives the model's file. */
    @FunctionalInterface
    interface Cases {
        Path write(long seed) throws IOException;
    }

    /** Models that are sound. */
    static void requireSound(Path... models) {
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            for (Path model : models) {
                Trial.Outcome outcome = new Trial(engine).of(model);
                assertThat(outcome.refusal()).as(model.toString()).isEmpty();
                assertThat(outcome.defect()).as(model.toString()).isEmpty();
            }
        }
    }

    /** Nanoseconds that this thread has computed; what other programs take does not count. */
    private static long computed() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    static void run(String format, int count, Cases cases) throws IOException {
        int refused = 0;
        int ran = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long first = Long.getLong("seed", EXPLORING ? System.nanoTime() % 1_000_000_000 : 0);
        long last = EXPLORING ? Long.MAX_VALUE : first + count;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream terminal = System.err;
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Trial trial = new Trial(engine);
            for (long seed = first; seed < last && System.nanoTime() < end; seed++) {
                Path file = cases.write(seed);
                long start = computed();
                Trial.Outcome outcome = trial.of(file);
                assertThat(outcome.defect()).as(format + ": -Dseed=" + seed).isEmpty();
                assertThat(TimeUnit.NANOSECONDS.toSeconds(computed() - start))
                        .as(format + ": seconds of -Dseed=" + seed)
                        .isLessThan(SECONDS_PER_CASE);
                assertThat(outcome.refusal().orElse(""))
                        .as(format + ": -Dseed=" + seed)
                        .doesNotContain("\n", "\r");
                assertThat(printed.toString(StandardCharsets.UTF_8))
                        .as(format + ": -Dseed=" + seed + " prints")
                        .isEmpty();
                if (outcome.refusal().isPresent()) {
                    refused++;
                } else {
                    ran++;
                }
            }
        } finally {
            System.setErr(terminal);
        }
        System.out.println("fuzz of " + format + ": " + refused + " refused, " + ran + " ran");
        assertThat(refused).isPositive();
        assertThat(ran).isPositive();
    }
}
