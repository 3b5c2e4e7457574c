package org.clinfer.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.WHOLE_BYTES;
import static org.clinfer.cpu.TestRuns.cell;
import static org.clinfer.cpu.TestRuns.random;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.Described;
import org.clinfer.describe.Violation;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReorgTest {

    private static final Path VECTOR = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"))
            .resolve("reorg")
            .resolve("openvino_reorg_yolo_stride2.json");

    private static Map<String, ExpressionValue> params(String order, int scale, boolean reversed) {
        return Map.of(
                "order",
                ExpressionValue.of(order),
                "scale",
                ExpressionValue.of(scale),
                "reversed",
                ExpressionValue.of(reversed));
    }

    private interface Origin {
        int of(int channel, int row, int column);
    }

    /** Where each output element of one image comes from, in loops over the deep side. */
    private static void assertFromImage(Tensor y, Tensor x, int image, Origin origin) {
        int channels = (int) y.shape().size(1);
        int rows = (int) y.shape().size(2);
        int columns = (int) y.shape().size(3);
        int size = channels * rows * columns;
        for (int i = 0; i < size; i++) {
            int source = origin.of(i / columns / rows, i / columns % rows, i % columns);
            assertThat(cell(y, (long) image * size + i)).isEqualTo(cell(x, (long) image * size + source));
        }
    }

    @Test
    void blocksBecomeChannelsAndBack() {
        Random random = new Random(35);
        for (DType dtype : WHOLE_BYTES) {
            for (int s : new int[] {1, 2, 3}) {
                int width = 3 * s;
                int plane = 4 * s * width;
                Tensor x = random(random, dtype, 2, 5, 4L * s, width);
                Tensor slow = Described.run("Reorg", params("DCR", s, false), x);
                Tensor fast = Described.run("Reorg", params("CRD", s, false), x);
                for (int image = 0; image < 2; image++) {
                    assertFromImage(
                            slow,
                            x,
                            image,
                            (channel, row, column) -> channel % 5 * plane
                                    + (row * s + channel / 5 / s) * width
                                    + column * s
                                    + channel / 5 % s);
                    assertFromImage(
                            fast,
                            x,
                            image,
                            (channel, row, column) -> channel / (s * s) * plane
                                    + (row * s + channel % (s * s) / s) * width
                                    + column * s
                                    + channel % s);
                }
                assertThat(Described.run("Reorg", params("DCR", s, true), slow).bytes())
                        .isEqualTo(x.bytes());
                assertThat(Described.run("Reorg", params("CRD", s, true), fast).bytes())
                        .isEqualTo(x.bytes());
            }
        }
    }

    @Test
    void darknetReadsAnImageOfFewerLargerChannels() {
        Random random = new Random(36);
        for (DType dtype : WHOLE_BYTES) {
            for (int s : new int[] {1, 2, 3}) {
                int groups = 2;
                int channels = groups * s * s;
                int height = 2 * s;
                int width = 3 * s;
                Tensor x = random(random, dtype, 2, channels, height, width);
                Tensor y = Described.run("Reorg", params("DARKNET", s, false), x);
                assertThat(y.shape().sizes()).containsExactly(2, (long) channels * s * s, 2, 3);
                for (int image = 0; image < 2; image++) {
                    int base = image * channels * height * width;
                    for (int c = 0; c < channels; c++) {
                        for (int row = 0; row < height; row++) {
                            for (int column = 0; column < width; column++) {
                                int offset = c / groups;
                                int wideRow = row * s + offset / s;
                                int wideColumn = column * s + offset % s;
                                int from = (c % groups * height * s + wideRow) * width * s + wideColumn;
                                assertThat(cell(y, base + (c * height + row) * width + column))
                                        .isEqualTo(cell(x, base + from));
                            }
                        }
                    }
                }
                assertThat(Described.run("Reorg", params("DARKNET", s, true), y).bytes())
                        .isEqualTo(x.bytes());
            }
        }
    }

    @Test
    void darknetMatchesPublishedValues() throws IOException {
        Assumptions.assumeTrue(Files.exists(VECTOR), () -> VECTOR + " is missing");
        JsonNode vector = new JsonMapper().readTree(Files.readString(VECTOR));
        long[] sizes = longs(vector, "input_shape");
        Tensor x = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < x.elements(); i++) {
            x.setLong(i, i);
        }
        Tensor y =
                Described.run("Reorg", params("DARKNET", vector.path("stride").asInt(), false), x);
        assertThat(y.shape().sizes()).containsExactly(longs(vector, "output_shape"));
        assertThat(y.toLongArray()).containsExactly(longs(vector, "output"));
    }

    private static long[] longs(JsonNode json, String field) {
        JsonNode list = json.path(field);
        long[] values = new long[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.get(i).asLong();
        }
        return values;
    }

    @Test
    void sizesThatDoNotDivideAreRefused() {
        assertThat(messages(params("DARKNET", 2, false), 6, 4, 4))
                .singleElement()
                .asString()
                .contains("the DARKNET order needs C divisible by scale * scale");
        assertThat(messages(params("DCR", 2, false), 6, 4, 4)).isEmpty();
        assertThat(messages(params("DCR", 2, false), 4, 5, 4))
                .singleElement()
                .asString()
                .contains("height and width");
        assertThat(messages(params("CRD", 2, true), 6, 4, 4))
                .singleElement()
                .asString()
                .contains("the channels must be divisible");
    }

    private static List<String> messages(Map<String, ExpressionValue> params, long... image) {
        Tensor x = Tensor.allocate(DType.INT8, 1, image[0], image[1], image[2]);
        return Described.bind("Reorg", params, x).violations().stream()
                .map(Violation::message)
                .toList();
    }
}
