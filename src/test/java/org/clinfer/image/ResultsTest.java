package org.clinfer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Labels, boxes and masks of what networks give. */
class ResultsTest {

    private static final Labels ANIMALS = new Labels(List.of("cat", "dog", "emu"));

    @TempDir
    Path folder;

    @Test
    void theBestClassesHaveTheirNames() {
        Tensor scores = Tensor.of(new float[] {1, 3, 3}, 1, 3);
        assertThat(ANIMALS.top(scores, 2)).containsExactly(new ScoredLabel(1, "dog", 3), new ScoredLabel(2, "emu", 3));
        assertThat(Labels.NONE.top(Tensor.of(new float[] {Float.NaN, 2}, 2, 1, 1), 5))
                .containsExactly(new ScoredLabel(1, "1", 2));
        assertThat(ANIMALS.top(scores, 1).get(0)).hasToString("dog 3.000");
    }

    /** Also of numbers whose exponentials no double holds. */
    @Test
    void softmaxGivesProbabilities() {
        List<ScoredLabel> top = ANIMALS.topSoftmax(Tensor.of(new float[] {1000, 1001, 999}, 3), 3);
        double sum = 1 + Math.exp(-1) + Math.exp(-2);
        assertThat(top.get(0).number()).isEqualTo(1);
        assertThat(top.get(0).score()).isCloseTo(1 / sum, within(1e-12));
        assertThat(top.get(2).score()).isCloseTo(Math.exp(-2) / sum, within(1e-12));
        assertThat(top.stream().mapToDouble(ScoredLabel::score).sum()).isCloseTo(1, within(1e-12));
    }

    @Test
    void infiniteScoresShareTheProbability() {
        float infinity = Float.POSITIVE_INFINITY;
        assertThat(ANIMALS.topSoftmax(Tensor.of(new float[] {1, infinity, infinity}, 3), 3))
                .containsExactly(
                        new ScoredLabel(1, "dog", 0.5), new ScoredLabel(2, "emu", 0.5), new ScoredLabel(0, "cat", 0));
    }

    @Test
    void scoresOfSeveralPicturesOrOtherClassesAreRefused() {
        assertThatThrownBy(() -> ANIMALS.top(Tensor.allocate(DType.FLOAT32, 2, 3), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2x3:float32");
        assertThatThrownBy(() -> ANIMALS.top(Tensor.allocate(DType.FLOAT32, 1, 4), 1))
                .hasMessage("there are 3 labels, but the network has 4 scores");
        assertThatThrownBy(() -> ANIMALS.top(Tensor.allocate(DType.FLOAT32, 3), 0))
                .hasMessageContaining("at least 1");
    }

    @Test
    void labelsAreTheLinesOfAFile() throws IOException {
        assertThat(Labels.read(Files.writeString(folder.resolve("l.txt"), "cat\nHündin\n"))
                        .names())
                .containsExactly("cat", "Hündin");
        assertThat(Labels.read(Files.writeString(folder.resolve("m.txt"), "\uFEFFcat\r\n\r\ndog\r\n\r\n"))
                        .names())
                .as("a byte order mark before, blank lines behind")
                .containsExactly("cat", "", "dog");
        Path binary = Files.write(folder.resolve("b.txt"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> Labels.read(binary))
                .isInstanceOf(PictureException.class)
                .hasMessageContaining("not a text file in UTF-8");
        assertThatThrownBy(() -> Labels.read(folder)).isInstanceOf(PictureException.class);
    }

    /** A picture of 200 x 100 in the middle of 100 x 100: half its size, 25 below the top. */
    private static PreparedPicture prepared() {
        return Preprocessing.defaults()
                .withFit(Fit.LETTERBOX)
                .prepare(new Picture(200, 100, 1, new float[20000]), TensorType.of(DType.FLOAT32, 1, 1, 100, 100));
    }

    @Test
    void boxesOfYoloHaveObjectnessAndComeBackToThePicture() {
        float[][][] rows = {
            {
                {20, 45, 20, 20, 0.9f, 0.1f, 0.8f, 0},
                {21, 45, 20, 20, 0.9f, 0.1f, 0.7f, 0}, // the same dog again
                {21, 45, 20, 20, 0.9f, 0.9f, 0.1f, 0}, // a cat at the same place
                {70, 45, 10, 10, 0.2f, 0, 0, 0.9f} // nothing is there
            }
        };
        List<Detection> found = Detections.yolo().withLabels(ANIMALS).of(Tensor.ofArray(rows), prepared());
        assertThat(found).extracting(Detection::name).containsExactly("cat", "dog");
        assertThat(found.get(1).box()).isEqualTo(new Box(20, 20, 60, 60));
        assertThat(found.get(1).score()).isCloseTo(0.72, within(1e-6));
        assertThat(found.get(1)).hasToString("dog 0.720 at 20,20 to 60,60");
        assertThat(Detections.yolo()
                        .withMaxDetections(300)
                        .withClassAgnosticNms(true)
                        .of(Tensor.ofArray(rows), prepared()))
                .extracting(Detection::number)
                .containsExactly(0);
        assertThat(Detections.yolo().withMaxDetections(1).of(Tensor.ofArray(rows), prepared()))
                .hasSize(1);
    }

    @Test
    void boxesThatAreNoNumbersAreLeftOutAndCornersMayLieEitherWay() {
        float none = Float.NaN;
        float[] boxes = {none, 0, 10, 10, 60, 60, 40, 40, 40, 40, 60, 60, 0, 0, Float.POSITIVE_INFINITY, 10};
        Tensor scores = Tensor.of(new float[] {0.9f, 0.8f, 0.7f, 0.95f}, 1, 4, 1);
        List<Detection> found = Detections.ssd()
                .withFormat(BoxFormat.XYXY, false)
                .withBackground(false)
                .of(Tensor.of(boxes, 1, 4, 4), scores, prepared());
        assertThat(found).hasSize(1);
    }

    @Test
    void boxesMayStandSideBySide() {
        float[][][] columns = {{{20, 70}, {45, 45}, {20, 10}, {20, 10}, {0.8f, 0}, {0, 0.9f}}};
        List<Detection> found =
                Detections.yolo().withObjectness(false).withTransposed(true).of(Tensor.ofArray(columns), prepared());
        assertThat(found).extracting(Detection::number).containsExactly(1, 0);
        assertThat(found.get(0).box()).isEqualTo(new Box(130, 30, 150, 50));
    }

    @Test
    void boxesAndScoresMayBeApartWithABackground() {
        Tensor boxes = Tensor.ofArray(new float[][][] {{{0.1f, 0.3f, 0.3f, 0.5f}, {0, 0, 1, 1}}});
        Tensor scores = Tensor.ofArray(new float[][][] {{{0.3f, 0.1f, 0.6f}, {0.9f, 0.05f, 0.05f}}});
        List<Detection> found =
                Detections.ssd().withLabels(new Labels(List.of("cat", "dog"))).of(boxes, scores, prepared());
        assertThat(found).hasSize(1);
        assertThat(found.get(0).name()).isEqualTo("dog");
        assertThat(found.get(0).box().left()).isCloseTo(20, within(1e-4));
        assertThat(found.get(0).box().top()).isCloseTo(10, within(1e-4));
        assertThat(found.get(0).box().right()).isCloseTo(60, within(1e-4));
        assertThat(found.get(0).box().bottom()).isCloseTo(50, within(1e-4));
        // the same numbers with the rows first
        Detections tensorflow = Detections.ssd().withFormat(BoxFormat.YXYX, true);
        assertThat(tensorflow.of(boxes, scores, prepared()).get(0).box().left()).isCloseTo(60, within(1e-4));
    }

    @Test
    void tensorsThatAreNoBoxesAreRefused() {
        assertThatThrownBy(() -> Detections.yolo().of(Tensor.allocate(DType.FLOAT32, 1, 5, 5), prepared()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transposed?");
        assertThatThrownBy(() -> Detections.yolo().of(Tensor.allocate(DType.FLOAT32, 2, 5, 9), prepared()))
                .hasMessageContaining("boxes of one picture");
        assertThatThrownBy(() -> Detections.ssd()
                        .of(
                                Tensor.allocate(DType.FLOAT32, 1, 5, 4),
                                Tensor.allocate(DType.FLOAT32, 1, 6, 2),
                                prepared()))
                .hasMessageContaining("1x5x4");
        assertThatThrownBy(() -> Detections.yolo().withThresholds(0.5, 1.5)).hasMessageContaining("IoU");
    }

    @Test
    void theIouOfBoxesIsOfAreasWithoutAnExtraPixel() {
        Box box = new Box(0, 0, 4, 2);
        assertThat(box.iou(new Box(2, 0, 6, 2))).isEqualTo(4 / 12.0);
        assertThat(box.iou(box)).isEqualTo(1);
        assertThat(box.iou(new Box(4, 0, 8, 2))).isZero();
        assertThat(box.iou(new Box(3, 1, 2, 0))).isZero();
    }

    /** Against the definition, box by box: one stays if no better one that stays is above the threshold. */
    @Test
    void suppressionIsThatOfTheDefinition() {
        Random random = new Random(7);
        float[][][] rows = new float[1][60][7];
        for (float[] row : rows[0]) {
            row[0] = 20 + 60 * random.nextFloat();
            row[1] = 35 + 30 * random.nextFloat();
            row[2] = 10 + 20 * random.nextFloat();
            row[3] = 10 + 10 * random.nextFloat();
            row[4] = 1;
            row[5] = random.nextFloat();
            row[6] = random.nextFloat();
        }
        List<double[]> expected = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            List<float[]> left = new ArrayList<>(List.of(rows[0]));
            int column = 5 + number;
            left.removeIf(row -> row[column] <= 0.25);
            left.sort((one, other) -> Float.compare(other[column], one[column]));
            while (!left.isEmpty()) {
                float[] best = left.remove(0);
                expected.add(new double[] {number, best[column]});
                left.removeIf(row -> overlap(best, row) > 0.45);
            }
        }
        expected.sort((one, other) -> Double.compare(other[1], one[1]));
        List<Detection> found = Detections.yolo().of(Tensor.ofArray(rows), prepared());
        assertThat(found).hasSameSizeAs(expected).hasSizeBetween(5, 100);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i).number()).isEqualTo((int) expected.get(i)[0]);
            assertThat(found.get(i).score()).isEqualTo(expected.get(i)[1]);
        }
    }

    /** Of centres and sizes. */
    private static double overlap(float[] a, float[] b) {
        double w = Math.min(a[0] + a[2] / 2.0, b[0] + b[2] / 2.0) - Math.max(a[0] - a[2] / 2.0, b[0] - b[2] / 2.0);
        double h = Math.min(a[1] + a[3] / 2.0, b[1] + b[3] / 2.0) - Math.max(a[1] - a[3] / 2.0, b[1] - b[3] / 2.0);
        double both = Math.max(0, w) * Math.max(0, h);
        return both / ((double) a[2] * a[3] + (double) b[2] * b[3] - both);
    }

    @Test
    void masksAreThePixelsOfAClassInThePicture() {
        assertThatThrownBy(() -> Segmentation.of(Tensor.allocate(DType.FLOAT32, 1, 1, 2, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two classes or more");
        // 2 x 4 places in an input of 100 x 100; class 1 on the right
        float[][][][] scores = new float[1][2][4][2];
        for (int y = 0; y < 4; y++) {
            scores[0][1][y][1] = 1;
        }
        Segmentation found = Segmentation.of(Tensor.ofArray(scores));
        BufferedImage small = found.mask(1);
        assertThat(small.getWidth()).isEqualTo(2);
        assertThat(small.getRaster().getSample(0, 0, 0)).isZero();
        assertThat(small.getRaster().getSample(1, 3, 0)).isEqualTo(255);
        Segmentation whole = found.toPicture(prepared());
        assertThat(whole.width()).isEqualTo(200);
        assertThat(whole.height()).isEqualTo(100);
        BufferedImage mask = whole.mask(1);
        assertThat(mask.getRaster().getSample(99, 50, 0)).isZero();
        assertThat(mask.getRaster().getSample(100, 50, 0)).isEqualTo(255);
        assertThat(whole.shares()[1]).isCloseTo(0.5, within(1e-9));
    }
}
