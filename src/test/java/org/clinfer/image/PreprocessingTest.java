package org.clinfer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pictures as what networks expect, by values computed by hand from the definitions of the peers. */
class PreprocessingTest {

    private static final Picture ROW = new Picture(4, 1, 1, new float[] {0, 100, 200, 40});

    /** Pillow: a triangle of half-width 2 around 1 and 3, so weights 3, 3, 1 of 7 and 1, 3, 3 of 7. */
    @Test
    void antialiasedIsAsPillow() {
        float[] values = ROW.resized(2, 1, Resampling.ANTIALIASED).values();
        assertThat(values[0]).isCloseTo((3 * 0 + 3 * 100 + 200) / 7f, within(1e-3f));
        assertThat(values[1]).isCloseTo((100 + 3 * 200 + 3 * 40) / 7f, within(1e-3f));
    }

    /** What Pillow 9.4.0 gives for {@code resize(size, BILINEAR)} of the same picture; it rounds twice. */
    @Test
    void antialiasedIsWithinALevelOfPillow() {
        Picture picture = new Picture(7, 5, 1, new float[35]);
        for (int i = 0; i < 35; i++) {
            picture.values()[i] = i * 37 % 256;
        }
        int[] four = {20, 78, 146, 204, 25, 83, 151, 209, 30, 88, 156, 214};
        int[] three = {35, 114, 193, 41, 120, 199};
        int[] nine = {0, 25, 53, 82, 111, 140, 169, 197, 222, 1, 26, 54, 83, 112, 141, 170, 198, 223, 3, 28};
        assertNear(four, picture.resized(4, 3, Resampling.ANTIALIASED));
        assertNear(three, picture.resized(3, 2, Resampling.ANTIALIASED));
        assertNear(nine, picture.resized(9, 8, Resampling.ANTIALIASED));
    }

    private static void assertNear(int[] first, Picture found) {
        for (int i = 0; i < first.length; i++) {
            assertThat(found.values()[i]).as("value %d", i).isCloseTo(first[i], within(1f));
        }
    }

    /** OpenCV: places (x + 0.5) * 4 / 2 - 0.5, that is 0.5 and 2.5. */
    @Test
    void bilinearIsAsOpenCv() {
        assertThat(ROW.resized(2, 1, Resampling.BILINEAR).values()).containsExactly(50, 120);
        Picture eight = new Picture(8, 1, 1, new float[] {0, 80, 0, 80, 0, 80, 0, 80});
        // places 1.5 and 5.5: the pixels around are those of the two colours
        assertThat(eight.resized(2, 1, Resampling.BILINEAR).values()).containsExactly(40, 40);
        Picture ten = new Picture(9, 1, 1, new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        // places 1, 4 and 7: pixels alone, whatever stands beside them
        assertThat(ten.resized(3, 1, Resampling.BILINEAR).values()).containsExactly(2, 5, 8);
    }

    @Test
    void bothGrowAlike() {
        for (Resampling resampling : Resampling.values()) {
            assertThat(ROW.resized(8, 1, resampling).values()).containsExactly(0, 25, 75, 125, 175, 160, 80, 40);
        }
    }

    /** torchvision: 300 x 200 to 384 x 256, then 64 and 80 pixels from left and right. */
    @Test
    void imageNetScalesTheShortestSideAndCutsTheCentre() {
        float[] values = new float[300 * 200 * 3];
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 3 % 300;
        }
        PreparedPicture prepared = Preprocessing.imageNet()
                .prepare(new Picture(300, 200, 3, values), TensorType.of(DType.FLOAT32, 1, 3, 224, 224));
        assertThat(prepared.left()).isEqualTo(-80);
        assertThat(prepared.top()).isEqualTo(-16);
        assertThat(prepared.scaleX()).isEqualTo(384 / 300.0);
        float[][][][] input = (float[][][][]) prepared.tensor().toArray();
        double column = (100 + 80 + 0.5) * 300 / 384 - 0.5;
        assertThat(input[0][0][50][100]).isCloseTo((float) ((column / 255 - 0.485) / 0.229), within(1e-4f));
        assertThat(input[0][2][50][100]).isCloseTo((float) ((column / 255 - 0.406) / 0.225), within(1e-4f));
    }

    /** Only the part is computed; its pixels are those of the whole, in either order of the two directions. */
    @ParameterizedTest
    @EnumSource
    void aPartIsCutOutOfTheWhole(Resampling resampling) {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            int width = 1 + random.nextInt(12);
            int height = 1 + random.nextInt(12);
            float[] values = new float[3 * width * height];
            for (int j = 0; j < values.length; j++) {
                values[j] = random.nextInt(256);
            }
            Picture source = new Picture(width, height, 3, values);
            int scaledWidth = 1 + random.nextInt(20);
            int scaledHeight = 1 + random.nextInt(20);
            int left = random.nextInt(scaledWidth);
            int top = random.nextInt(scaledHeight);
            int partWidth = 1 + random.nextInt(scaledWidth - left);
            int partHeight = 1 + random.nextInt(scaledHeight - top);
            Picture whole = source.resized(scaledWidth, scaledHeight, resampling);
            Picture part = resampling.resize(
                    source, new CropWindow(scaledWidth, scaledHeight, left, top, partWidth, partHeight));
            for (int y = 0; y < partHeight; y++) {
                for (int x = 0; x < partWidth; x++) {
                    for (int channel = 0; channel < 3; channel++) {
                        assertThat(part.value(x, y, channel))
                                .isCloseTo(whole.value(left + x, top + y, channel), within(1e-3f));
                    }
                }
            }
        }
    }

    /** A picture of 84 bytes: of the whole that is cut, 256 by 512,000 pixels, nobody can have the memory. */
    @Test
    void longPicturesAreCutWithoutMuchMemory() {
        float[] values = new float[2_000_000];
        Arrays.fill(values, 100);
        for (Picture picture : List.of(
                new Picture(1, 2000, 1, Arrays.copyOf(values, 2000)),
                new Picture(2000, 1, 1, Arrays.copyOf(values, 2000)),
                new Picture(1, 2_000_000, 1, values),
                new Picture(2_000_000, 1, 1, values))) {
            for (Preprocessing recipe : List.of(
                    Preprocessing.imageNet(),
                    Preprocessing.defaults(),
                    Preprocessing.yolo(),
                    Preprocessing.defaults().withFit(Fit.CROP))) {
                try (Tensor tensor = recipe.tensor(picture, TensorType.of(DType.FLOAT32, 1, 3, 224, 224))) {
                    float centre = recipe.value(100, 1, 1 / 255f);
                    assertThat((float) tensor.getDouble(224 * 224 + 111 * 224 + 111))
                            .isCloseTo(centre, within(1e-5f));
                }
            }
        }
        Picture longest = new Picture(1, 60_000_000, 1, new float[60_000_000]);
        TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 224, 224);
        assertThatThrownBy(() -> Preprocessing.defaults()
                        .withFit(Fit.CROP)
                        .withShortestSide(256)
                        .tensor(longest, type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1x60000000 pixels is too long");
    }

    @Test
    void pixelsHaveOneOrThreeChannels() {
        assertThatThrownBy(() -> new Picture(1, 1, 4, new float[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 or 3 channels");
        TensorType huge = TensorType.of(DType.FLOAT32, 1, 3, 50_000, 50_000);
        assertThatThrownBy(() -> Preprocessing.defaults().tensor(ROW, huge))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void aSideThatIsShorterThanTheCutIsRefused() {
        Preprocessing recipe = Preprocessing.defaults().withFit(Fit.CROP).withShortestSide(100);
        TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 120, 120);
        assertThatThrownBy(() -> recipe.tensor(ROW, type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shortest side is 100 pixels cannot be cut to 120x120");
    }

    @Test
    void yoloPutsBarsOfGrayAround() {
        PreparedPicture prepared = Preprocessing.yolo().prepare(ROW, TensorType.of(DType.FLOAT32, 1, 3, 8, 8));
        float[][][][] input = (float[][][][]) prepared.tensor().toArray();
        assertThat(prepared.top()).isEqualTo(3);
        assertThat(input[0][0][0][0]).isEqualTo(114 * (1 / 255f));
        for (int x = 0; x < 8; x++) {
            input[0][0][3][x] *= 255;
        }
        assertThat(input[0][0][3]).containsExactly(new float[] {0, 25, 75, 125, 175, 160, 80, 40}, within(1e-3f));
        assertThat(input[0][2][5][7]).isEqualTo(114 * (1 / 255f));
    }

    @Test
    void bytesAreWholePixelsRounded() {
        Picture picture = new Picture(2, 1, 1, new float[] {10.6f, 255});
        Tensor tensor = Preprocessing.defaults().tensor(picture, TensorType.of(DType.UINT8, 1, 3, 1, 2));
        assertThat(tensor.toLongArray()).containsExactly(11, 255, 11, 255, 11, 255);
        Tensor signed = Preprocessing.defaults().withMean(128).tensor(picture, TensorType.of(DType.INT8, 1, 1, 1, 2));
        assertThat(signed.toByteArray()).containsExactly(-117, 127);
    }

    @Test
    void channelsStandWhereTheLayoutSaysAndInItsOrder() {
        Picture picture = new Picture(1, 3, 3, new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        Preprocessing recipe = Preprocessing.defaults().withScale(1);
        TensorType cube = TensorType.of(DType.FLOAT32, 1, 3, 3, 3);
        Picture square = new Picture(3, 3, 3, new float[27]);
        for (int i = 0; i < 27; i++) {
            square.values()[i] = i;
        }
        assertThat(recipe.withLayout(ImageLayout.NCHW).tensor(square, cube).toFloatArray())
                .startsWith(0, 3, 6);
        assertThat(recipe.withLayout(ImageLayout.NHWC).tensor(square, cube).toFloatArray())
                .startsWith(0, 1, 2);
        assertThat(recipe.withChannels(Channels.BGR)
                        .withLayout(ImageLayout.NHWC)
                        .tensor(square, cube)
                        .toFloatArray())
                .startsWith(2, 1, 0);
        TensorType open = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.of(3), Dim.named("h"), Dim.named("w"))));
        assertThat(recipe.tensor(picture, open).shape()).isEqualTo(Shape.of(3, 3, 1));
    }

    @Test
    void valuesThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> Preprocessing.defaults().withStd(0)).hasMessageContaining("a std must not be 0");
        assertThatThrownBy(() -> Preprocessing.defaults().withPadding(256)).hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> Preprocessing.defaults().withPadding(Float.NaN))
                .hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> Preprocessing.defaults().withShortestSide(0)).hasMessageContaining("at least 1 pixel");
        assertThatThrownBy(() -> Preprocessing.defaults().withMean()).hasMessageContaining("at least one");
    }

    @Test
    void boxesComeBackThroughEveryFit() {
        Picture picture = new Picture(200, 100, 1, new float[20000]);
        TensorType type = TensorType.of(DType.FLOAT32, 1, 1, 50, 50);
        Box whole = new Box(0, 0, 200, 100);
        // 50 x 25, 12 below the top
        PreparedPicture boxed = Preprocessing.defaults().withFit(Fit.LETTERBOX).prepare(picture, type);
        assertThat(boxed.toPicture(new Box(0, 12, 50, 37))).isEqualTo(whole);
        assertThat(boxed.toPicture(new Box(5, 17, 10, 22))).isEqualTo(new Box(20, 20, 40, 40));
        // outside of the picture it is cut
        assertThat(boxed.toPicture(new Box(-9, 0, 60, 50))).isEqualTo(whole);
        PreparedPicture stretched = Preprocessing.defaults().prepare(picture, type);
        assertThat(stretched.toPicture(new Box(5, 5, 10, 10))).isEqualTo(new Box(20, 10, 40, 20));
        PreparedPicture cut = Preprocessing.defaults().withFit(Fit.CROP).prepare(picture, type);
        assertThat(cut.toPicture(new Box(0, 0, 50, 50))).isEqualTo(new Box(50, 0, 150, 100));
    }
}
