package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/**
 * Damaged descriptions are refused as such or read; nothing else comes out, and what the schema refuses is refused. What
 * is read is bound as well, which reports what is wrong and throws nothing. The seed is printed; {@code -Dseed=N} repeats
 * a run, {@code -Dfuzz.seconds=N} makes it longer and starts with a new seed.
 */
class DescriptionFuzzTest {

    /** Cases of a run that is not told how long to go on: the same every time. */
    private static final int CASES = 1000;

    private static final int MOST_DEFECTS = 10;
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final OperatorSchema schema = new OperatorSchema();
    private final Map<String, byte[]> builtIn =
            DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER);
    private final List<String> defects = new ArrayList<>();
    private int refused;
    private int read;

    @Test
    void damagedDescriptionsAreRefusedOrRead() {
        boolean exploring = Integer.getInteger("fuzz.seconds") != null;
        long first = Long.getLong("seed", exploring ? System.nanoTime() % 1_000_000_000 : 1);
        System.out.println("description fuzz: -Dseed=" + first);
        List<byte[]> files = new ArrayList<>(builtIn.values());
        files.add(FullDescription.JSON.getBytes(UTF_8));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("fuzz.seconds", 0));
        for (long seed = first; exploring ? System.nanoTime() < end : seed < first + CASES; seed++) {
            long start = System.nanoTime();
            attempt(seed, files.get((int) Math.floorMod(seed, (long) files.size())));
            if (System.nanoTime() - start > SLOW_NANOS) {
                defects.add("-Dseed=" + seed + ": takes " + (System.nanoTime() - start) / 1_000_000 + " ms");
            }
            if (defects.size() >= MOST_DEFECTS) {
                break;
            }
        }
        System.out.println("description fuzz: " + refused + " refused, " + read + " read");
        assertThat(String.join("\n\n", defects)).isEmpty();
        assertThat(refused).isPositive();
        assertThat(read).isPositive();
    }

    private void attempt(long seed, byte[] file) {
        DescriptionMutator mutator = new DescriptionMutator(seed);
        byte[] json = seed % 3 == 0 ? mutator.damage(file) : mutator.change(file);
        try {
            OpCatalog catalog = OpCatalog.empty().with(withShared(json));
            read++;
            catalog.operators().forEach(DescriptionFuzzTest::bind);
            List<String> errors = schema.errors(new String(json, UTF_8));
            if (!errors.isEmpty()) {
                defects.add("-Dseed=" + seed + ": the schema alone refuses " + errors);
            }
        } catch (DescriptionException refusal) {
            refused++;
            if (!refusal.mistakes().stream().allMatch(mistake -> mistake.startsWith("op.json: "))) {
                defects.add("-Dseed=" + seed + ": without the file: " + refusal.getMessage());
            }
        } catch (RuntimeException | StackOverflowError defect) {
            List<StackTraceElement> trace = List.of(defect.getStackTrace());
            defects.add("-Dseed=" + seed + ": " + defect + " " + trace.subList(0, Math.min(8, trace.size())));
        }
    }

    /** A damaged file, and the sound ones whose families it may use. */
    private Map<String, byte[]> withShared(byte[] json) {
        Map<String, byte[]> files = new TreeMap<>(Map.of("op.json", json));
        builtIn.forEach((name, content) -> {
            if (name.startsWith("shared_")) {
                files.put(name, content);
            }
        });
        return files;
    }

    /** Binds as many small tensors as there are inputs, and no parameter, to an operator. */
    private static void bind(OpDescription op) {
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64)) {
            List<ArgValue> inputs = new ArrayList<>();
            op.inputs().forEach(input -> inputs.add(ArgValue.of(TensorType.of(dtype, 1, 2, 4, 4))));
            Map<String, ExpressionValue> params = Map.of();
            OpBinder.bind(op, "node", inputs, params, Math.max(1, op.outputs().size()));
        }
    }
}
