package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged models are refused as such or run; nothing else comes out. The seed is printed; {@code -Dseed=N} repeats a
 * run, {@code -Dfuzz.seconds=N} makes it longer and starts with a new seed.
 */
class FuzzTest {

    private static final long SECONDS_PER_CASE = 20;
    private static final int MOST_DEFECTS = 20;

    /** Cases of a run that is not told how long to go on: the same every time. */
    private static final int CASES = 2000;

    private static final String MEMORY = "clinfer.memory.limit";
    /** Little, so that no case has much to compute. */
    private static final String MEMORY_BYTES = "8000000";

    @TempDir
    Path folder;

    private final Map<String, String> defects = new LinkedHashMap<>();
    private int refused;
    private int ran;

    @Test
    void everySeedModelRuns() throws Exception {
        try (Engine engine = engine(new DeviceChoice.Cpu())) {
            Trial trial = new Trial(engine);
            for (ModelProto model : SeedModels.all()) {
                Trial.Outcome outcome = trial.of(write(model.toByteArray()));
                assertThat(outcome.defect()).as(model.toString()).isEmpty();
                assertThat(outcome.refusal()).as(model.toString()).isEmpty();
            }
        }
    }

    @Test
    void damagedModelsOnTheCpu() throws Exception {
        fuzz(new DeviceChoice.Cpu(), Integer.getInteger("fuzz.seconds", 15));
    }

    @Test
    @RequiresOpenCl
    void damagedModelsOnTheDevice() throws Exception {
        fuzz(new DeviceChoice.FirstOpenCl(), Integer.getInteger("fuzz.seconds", 10));
    }

    static Engine engine(DeviceChoice device) {
        String before = System.getProperty(MEMORY);
        System.setProperty(MEMORY, MEMORY_BYTES);
        try {
            return Engine.open(new EngineOptions(device, ClBinding.LWJGL, 2));
        } finally {
            if (before == null) {
                System.clearProperty(MEMORY);
            } else {
                System.setProperty(MEMORY, before);
            }
        }
    }

    private void fuzz(DeviceChoice device, int seconds) throws Exception {
        boolean exploring = Integer.getInteger("fuzz.seconds") != null;
        long first = Long.getLong("seed", exploring ? System.nanoTime() % 1_000_000_000 : 1);
        System.out.println("fuzz: -Dseed=" + first);
        List<ModelProto> models = SeedModels.all();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "fuzz");
            thread.setDaemon(true);
            return thread;
        });
        try (Engine engine = engine(device)) {
            long last = exploring ? Long.MAX_VALUE : first + CASES;
            for (long seed = first; seed < last && System.nanoTime() < end && defects.size() < MOST_DEFECTS; seed++) {
                ModelProto model = models.get((int) Math.floorMod(seed, (long) models.size()));
                if (!tried(worker, engine, model, seed)) {
                    break;
                }
            }
        } finally {
            worker.shutdownNow();
        }
        System.out.println("fuzz: " + refused + " refused, " + ran + " ran");
        assertThat(String.join("\n\n", defects.values())).isEmpty();
        assertThat(refused).isPositive();
        assertThat(ran).isPositive();
    }

    /** One case of one seed; false if it does not end. */
    private boolean tried(ExecutorService worker, Engine engine, ModelProto model, long seed) throws Exception {
        ModelMutator mutator = new ModelMutator(seed);
        byte[] bytes = seed % 3 == 0
                ? mutator.damage(model.toByteArray())
                : mutator.change(model).toByteArray();
        Path file = write(bytes);
        try {
            note(seed, worker.submit(() -> new Trial(engine).of(file)).get(SECONDS_PER_CASE, TimeUnit.SECONDS));
            return true;
        } catch (TimeoutException hangs) {
            defects.put("time", "-Dseed=" + seed + ": takes more than " + SECONDS_PER_CASE + " seconds");
            return false;
        } catch (ExecutionException broken) {
            defects.put(kind(broken.getCause()), describe(seed, broken.getCause()));
            return true;
        }
    }

    private void note(long seed, Trial.Outcome outcome) {
        if (outcome.defect().isPresent()) {
            Throwable defect = outcome.defect().get();
            defects.putIfAbsent(kind(defect), describe(seed, defect));
        } else if (outcome.refusal().isPresent()) {
            refused++;
        } else {
            ran++;
        }
    }

    /** One defect is reported once: by its class and the place it comes from. */
    private static String kind(Throwable defect) {
        StackTraceElement[] trace = defect.getStackTrace();
        List<String> places = new ArrayList<>();
        for (int i = 0; i < trace.length && places.size() < 2; i++) {
            if (trace[i].getClassName().startsWith("org.clinfer")) {
                places.add(trace[i].toString());
            }
        }
        return defect.getClass() + " " + places;
    }

    private static String describe(long seed, Throwable defect) {
        StringWriter text = new StringWriter();
        defect.printStackTrace(new PrintWriter(text));
        String[] lines = text.toString().split("\n", -1);
        return "-Dseed=" + seed + ": " + String.join("\n", List.of(lines).subList(0, Math.min(14, lines.length)));
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("case.onnx"), bytes);
    }
}
