package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hours of mixed work on one engine: networks and shapes in turn from several threads, runs that are cancelled or late,
 * sessions closed in the middle, engines that come and go. Every result is right, and memory and OpenCL objects stay flat.
 *
 * <p>{@code mvn test -Psoak -Dsoak.minutes=60}. Properties: {@code soak.minutes}, {@code soak.threads}, {@code
 * soak.seconds} between two samples.
 *
 * <p>What is flat: without the first sixth of the time, the median of the slopes between any two samples, over the rest of
 * the time, is a growth below what is allowed. What the collector and the C library keep for themselves goes up and down by
 * more than a leak of a byte, but not on and on.
 */
@RequiresOpenCl
@EnabledOnOs(OS.LINUX)
class SoakRun {

    private static final Logger LOG = LoggerFactory.getLogger(SoakRun.class);

    private static final double MINUTES = Double.parseDouble(System.getProperty("soak.minutes", "60"));
    private static final int THREADS = Integer.getInteger("soak.threads", 2);
    private static final int SAMPLE_SECONDS = Integer.getInteger("soak.seconds", 60);
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private static final int COLLECTION_MILLIS = 200;

    private static final long ALLOWED_RESIDENT_KIB = 48 * 1024;
    private static final long ALLOWED_DIRECT_KIB = 16 * 1024;
    private static final long ALLOWED_HANDLES = 8;

    /** What is held at one time, while no work is done. */
    private record Sample(double minutes, long residentKib, long directKib, int handles, long done) {}

    private final List<Sample> samples = new ArrayList<>();

    @Test
    void memoryStaysFlat() throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        AtomicBoolean stopped = new AtomicBoolean();
        try (Engine engine = Engine.open(options, () -> OpenCl.over(counting.api()))) {
            SoakWork work = new SoakWork(engine, counting);
            List<Thread> threads = work.start(THREADS, stopped);
            long start = System.nanoTime();
            while (System.nanoTime() - start
                    < Duration.ofSeconds(Math.round(MINUTES * 60)).toNanos()) {
                Thread.sleep(SAMPLE_SECONDS * 1000L);
                work.failure().ifPresent(failure -> {
                    throw new AssertionError(failure);
                });
                double minutes = (System.nanoTime() - start) / 60.0 / NANOS_PER_SECOND;
                work.whileIdle(() -> sample(minutes, counting, work));
            }
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            LOG.info("what was done: {}", work.counts());
            assertThat(work.failure()).isEmpty();
        }
        counting.assertAllReleased();
        assertFlat("resident memory in KiB", Sample::residentKib, ALLOWED_RESIDENT_KIB);
        assertFlat("direct memory in KiB", Sample::directKib, ALLOWED_DIRECT_KIB);
        assertFlat("OpenCL objects", Sample::handles, ALLOWED_HANDLES);
    }

    private void sample(double minutes, CountingClApi counting, SoakWork work) {
        collect();
        int handles =
                counting.live().values().stream().mapToInt(Integer::intValue).sum();
        Sample sample = new Sample(minutes, residentKib(), directKib(), handles, work.done());
        samples.add(sample);
        LOG.info(String.format(
                "%6.1f min: resident %d MiB, direct memory %d MiB, OpenCL objects %s, %d pieces of work",
                minutes, sample.residentKib() >> 10, sample.directKib() >> 10, counting.live(), sample.done()));
    }

    /** Direct memory is freed by a thread of its own after a collection. */
    private static void collect() {
        System.gc();
        try {
            Thread.sleep(COLLECTION_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long residentKib() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException("/proc/self/status cannot be read", e);
        }
    }

    private static long directKib() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(pool -> pool.getMemoryUsed() >> 10)
                .sum();
    }

    private void assertFlat(String what, ToLongFunction<Sample> value, long allowed) {
        List<Sample> later = samples.stream()
                .filter(sample -> sample.minutes() > MINUTES / 6)
                .toList();
        assertThat(later).as("samples after the first sixth").hasSizeGreaterThan(3);
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < later.size(); i++) {
            for (int k = i + 1; k < later.size(); k++) {
                Sample from = later.get(i);
                Sample to = later.get(k);
                slopes.add((value.applyAsLong(to) - value.applyAsLong(from)) / (to.minutes() - from.minutes()));
            }
        }
        slopes.sort(Double::compare);
        double minutes = later.get(later.size() - 1).minutes() - later.get(0).minutes();
        double growth = slopes.get(slopes.size() / 2) * minutes;
        LOG.info(String.format("%s: %+.0f in %.1f minutes, allowed are %d", what, growth, minutes, allowed));
        assertThat(growth).as("growth of %s", what).isLessThan((double) allowed);
    }
}
