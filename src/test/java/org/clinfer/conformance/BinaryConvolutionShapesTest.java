package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.conformance.BinaryRuns.Expected;
import org.clinfer.graph.Attribute;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Shapes of OpenVINO's tests, and random ones, against the definition, on all devices and bindings. */
@TestInstance(Lifecycle.PER_CLASS)
class BinaryConvolutionShapesTest {

    private static final int RANDOM_SHAPES = 200;

    private final List<Expected> rows = new ArrayList<>();

    /** The rows, made once: their references take as long as the runs. */
    private List<Expected> parameterRows() throws IOException {
        if (rows.isEmpty()) {
            rows.addAll(readRows());
        }
        return rows;
    }

    /** Each row as the reference reads it and as the plug-ins do, whose test it is. */
    private static List<Expected> readRows() throws IOException {
        List<Expected> cases = new ArrayList<>();
        Random random = new Random(20240117);
        for (String name : List.of("openvino_cpu_params.tsv", "openvino_gpu_params.tsv")) {
            List<String> lines = Files.readAllLines(BinaryRuns.published(name));
            List<String> columns = List.of(lines.get(0).split("\t", -1));
            for (int line = 1; line < lines.size(); line++) {
                Map<String, Long> row = row(columns, lines.get(line).split("\t", -1));
                BinaryCase of = BinaryCase.random(
                        values(row, "batch", "ic", "ih", "iw"),
                        values(row, "oc", "ic", "kh", "kw"),
                        BinaryCase.params(
                                values(row, "sh", "sw"),
                                values(row, "pad_top", "pad_left"),
                                values(row, "pad_bottom", "pad_right"),
                                values(row, "dh", "dw"),
                                (double) values(row, "pad_value")[0]),
                        random);
                Tensor y = of.expected(DType.FLOAT32);
                assertThat(y.shape().sizes())
                        .as("%s, line %d", name, line + 1)
                        .isEqualTo(values(row, "batch", "oc", "oh", "ow"));
                cases.add(new Expected(name + " " + line, of, DType.FLOAT32, y));
                BinaryCase plugIn = of.with("pad_semantics", Attribute.of("EXCLUDE_PAD"));
                cases.add(new Expected(name + " " + line, plugIn, DType.FLOAT32, plugIn.expected(DType.FLOAT32)));
            }
        }
        assertThat(cases).hasSizeGreaterThan(100);
        return cases;
    }

    /** The numbers of a row by column; ph and pw stand for both ends. */
    private static Map<String, Long> row(List<String> columns, String[] cells) {
        Map<String, Long> row = new HashMap<>();
        for (int i = 0; i < cells.length; i++) {
            String column = columns.get(i);
            if (cells[i].matches("-?[0-9]+")) {
                long value = Long.parseLong(cells[i]);
                switch (column) {
                    case "ph" -> row.putAll(Map.of("pad_top", value, "pad_bottom", value));
                    case "pw" -> row.putAll(Map.of("pad_left", value, "pad_right", value));
                    default -> row.put(column, value);
                }
            }
        }
        return row;
    }

    private static long[] values(Map<String, Long> row, String... columns) {
        return Arrays.stream(columns)
                .mapToLong(column -> Objects.requireNonNull(row.get(column), column))
                .toArray();
    }

    @Test
    void parameterRowsOnTheCpu() throws IOException {
        BinaryRuns.onTheCpu(parameterRows());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void parameterRowsWithEveryVariant() throws IOException {
        BinaryRuns.withEveryVariant(parameterRows());
    }

    @Test
    @RequiresOpenCl(ClBinding.JOCL)
    void parameterRowsAsPlaced() throws IOException {
        BinaryRuns.asPlaced(parameterRows());
    }

    private static List<Expected> random() {
        List<Expected> cases = new ArrayList<>();
        for (int seed = 0; seed < RANDOM_SHAPES; seed++) {
            Random random = new Random(seed);
            BinaryCase of = random(random);
            DType type = any(random, DType.FLOAT32, DType.INT8, DType.INT64, DType.BFLOAT16);
            cases.add(new Expected("seed " + seed, of, type, of.expected(type)));
        }
        return cases;
    }

    private static BinaryCase random(Random random) {
        long channels = any(random, 1L, 3L, 31L, 32L, 33L, 64L, 65L, 1L + random.nextInt(150));
        long[] kernel = pair(random, 1, 4);
        long[] dilations = pair(random, 1, 3);
        long[] begin = pair(random, 0, 4);
        long[] end = pair(random, 0, 4);
        long[] size = new long[2];
        for (int axis = 0; axis < 2; axis++) {
            long least = dilations[axis] * (kernel[axis] - 1) + 1 - begin[axis] - end[axis];
            size[axis] = Math.max(1, least) + random.nextInt(any(random, 4, 20));
        }
        BinaryCase of = BinaryCase.random(
                new long[] {1 + random.nextInt(3), channels, size[0], size[1]},
                new long[] {1 + random.nextInt(20), channels, kernel[0], kernel[1]},
                BinaryCase.params(pair(random, 1, 4), begin, end, dilations, random.nextInt(3) - 1),
                random);
        return of.with("pad_semantics", Attribute.of(any(random, "REFERENCE", "EXCLUDE_PAD")))
                .with("auto_pad", Attribute.of(any(random, "explicit", "explicit", "same_upper", "same_lower")));
    }

    private static long[] pair(Random random, int least, int most) {
        return new long[] {least + random.nextInt(most - least + 1), least + random.nextInt(most - least + 1)};
    }

    @SafeVarargs
    private static <T> T any(Random random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    @Test
    void randomShapesOnTheCpu() {
        BinaryRuns.onTheCpu(random());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void randomShapesWithEveryVariant() {
        BinaryRuns.withEveryVariant(random());
    }

    @Test
    @RequiresOpenCl(ClBinding.JOCL)
    void randomShapesAsPlaced() {
        BinaryRuns.asPlaced(random());
    }
}
