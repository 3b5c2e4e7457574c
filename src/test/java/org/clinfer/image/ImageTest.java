package org.clinfer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures on the way to a tensor and back. */
class ImageTest {

    private static final Picture ROW = new Picture(4, 1, 1, new float[] {0, 100, 200, 40});

    @TempDir
    Path folder;

    @Test
    void readsTextAndBinaryPgmAndPpm() throws IOException {
        assertThat(pnm("P2\n# a comment\n3 1\n100\n0 50 100\n").values()).containsExactly(0, 127.5f, 255);
        assertThat(pnm("P5 2 2 255\n\0\1\2\3").values()).containsExactly(0, 1, 2, 3);
        assertThat(pnm("P5 1 1 65535\n\u0080\0").values()[0]).isCloseTo(127.5f, within(0.01f));
        Picture colour = pnm("P6 1 2 255\nabcdef");
        assertThat(colour.channels()).isEqualTo(3);
        assertThat(colour.values()).containsExactly('a', 'b', 'c', 'd', 'e', 'f');
        assertThat(pnm("P3 1 1 255 1 2 3").values()).containsExactly(1, 2, 3);
    }

    @Test
    void brokenPgmIsRefused() {
        assertBroken("P5 2 2 255\n\0\1", "ends early");
        assertBroken("P2 2 1 255\n7 xy", "expected a number");
        assertBroken("P2 1 1 10\n11", "above the maximum");
        assertBroken("P5 99999999 99999999 255\n", "pixels");
        assertBroken("P5 0 1 255\n", "pixels");
        assertBroken("P4 1 1\n", "not supported");
        assertBroken("P5 1 1 0\n", "maximum");
        assertBroken("GIF", "not a PGM");
        assertBroken("", "not a PGM");
    }

    @Test
    void samplesThatAreAnnouncedTakeNoMemoryBeforeTheyAreThere() {
        assertBroken("P3 8000 8000 255 1 2 3", "192000000 samples are announced, 6 characters follow");
        assertBroken("P2 2 1 255 1", "2 samples are announced, 2 characters follow");
        assertBroken("P6 8000 8000 255 abc", "192000000 samples of 1 bytes are announced, 3 bytes follow");
        assertBroken("P5 1 1 300 a", "1 samples of 2 bytes are announced, 1 bytes follow");
    }

    @Test
    void aPictureIsNoLargerThanJavaHasMemoryFor() {
        assertThat(PictureReader.mostPixels(Long.MAX_VALUE)).isEqualTo(64_000_000);
        assertThat(PictureReader.mostPixels(1 << 30)).isEqualTo(33_554_432);
        assertBroken("P5 8001 8000 255 abc", "pixels; expected 1 to ");
    }

    private void assertBroken(String content, String reason) {
        assertThatThrownBy(() -> pnm(content))
                .isInstanceOf(PictureException.class)
                .hasMessageContaining(reason);
    }

    private Picture pnm(String content) throws IOException {
        Path file = folder.resolve("p.pgm");
        Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
        return Picture.of(file);
    }

    @Test
    void grayPngKeepsItsSamples() throws IOException {
        BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setSample(0, 0, 0, 60);
        image.getRaster().setSample(1, 0, 0, 200);
        Path file = folder.resolve("g.png");
        ImageIO.write(image, "png", file.toFile());

        Picture read = Picture.of(file);

        assertThat(read.channels()).isEqualTo(1);
        assertThat(read.values()).containsExactly(60, 200);
    }

    @Test
    void colourPngKeepsItsChannels() throws IOException {
        BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, 0x102030);
        Path file = folder.resolve("c.png");
        ImageIO.write(image, "png", file.toFile());

        assertThat(Picture.of(file).values()).containsExactly(0x10, 0x20, 0x30);
    }

    @Test
    void otherFileUnderAPictureNameIsRefused() throws IOException {
        Path file = folder.resolve("x.png");
        Files.writeString(file, "not a picture");
        assertThatThrownBy(() -> Picture.of(file)).isInstanceOf(PictureException.class);
        Files.write(file, new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0});
        assertThatThrownBy(() -> Picture.of(file)).isInstanceOf(PictureException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpg", "bmp", "gif"})
    void aPictureThatEndsEarlySaysWhatIsWrong(String format) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        assertThat(ImageIO.write(new BufferedImage(6, 6, BufferedImage.TYPE_INT_RGB), format, whole))
                .isTrue();
        Path file = folder.resolve("x." + format);
        for (int bytes = 0; bytes < whole.size(); bytes++) {
            Files.write(file, Arrays.copyOf(whole.toByteArray(), bytes));
            try {
                Picture.of(file);
            } catch (PictureException refused) {
                assertThat(refused)
                        .as("the first " + bytes + " bytes")
                        .hasMessageStartingWith(file + ": ")
                        .message()
                        .doesNotContain("null");
            }
        }
    }

    @Test
    void shrinkingCountsEverySourcePixel() {
        Picture half = Resampler.resize(
                new Picture(8, 1, 1, new float[] {0, 80, 0, 80, 0, 80, 0, 80}), CropWindow.whole(2, 1), true);

        assertThat(half.values()[0]).isCloseTo(40, within(12f));
        assertThat(half.values()[0] + half.values()[1]).isCloseTo(80, within(1e-3f));
    }

    @Test
    void growingInterpolates() {
        Picture doubled = Resampler.resize(new Picture(2, 1, 1, new float[] {0, 100}), CropWindow.whole(4, 1), true);

        assertThat(doubled.values()).containsExactly(0, 25, 75, 100);
    }

    @Test
    void constantPictureStaysConstant() {
        float[] values = new float[7 * 5 * 3];
        java.util.Arrays.fill(values, 93);

        Picture resized = Resampler.resize(new Picture(7, 5, 3, values), CropWindow.whole(13, 3), true);

        for (float value : resized.values()) {
            assertThat(value).isCloseTo(93, within(1e-3f));
        }
    }

    @Test
    void cropCutsTheCentreAndLetterboxAddsBars() {
        Picture cropped = fitted(Fit.CROP, 2, 1);
        assertThat(cropped.values()).containsExactly(100, 200);

        Picture boxed = fitted(Fit.LETTERBOX, 4, 3);
        assertThat(boxed.values()).containsExactly(0, 0, 0, 0, 0, 100, 200, 40, 0, 0, 0, 0);

        assertThatThrownBy(() -> fitted(Fit.NONE, 3, 1))
                .hasMessageContaining("4x1")
                .hasMessageContaining("3x1");
    }

    private static Picture fitted(Fit fit, int width, int height) {
        return Fitting.of(ROW, width, height, Preprocessing.defaults().withFit(fit))
                .picture();
    }

    @Test
    void pixelsGoToChannelsFirstOrLast() {
        float[] redThenBlue = {255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255};
        Picture picture = new Picture(2, 2, 3, redThenBlue);

        Tensor first = Preprocessing.defaults().tensor(picture, TensorType.of(DType.FLOAT32, 1, 3, 2, 2));
        Tensor last = Preprocessing.defaults().tensor(picture, TensorType.of(DType.FLOAT32, 2, 2, 3));

        assertThat(first.toFloatArray()).containsExactly(1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1);
        assertThat(last.toFloatArray()).containsExactly(1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1);
        assertThat(last.shape()).isEqualTo(Shape.of(2, 2, 3));
    }

    @Test
    void bgrMeanAndDeviationAreInTheModelsOrder() {
        Picture picture = new Picture(1, 1, 3, new float[] {10, 20, 30});
        Preprocessing recipe = Preprocessing.defaults()
                .withFit(Fit.NONE)
                .withChannels(Channels.BGR)
                .withScale(1)
                .withMean(1, 2, 3)
                .withStd(1, 2, 7);

        Tensor tensor = recipe.tensor(picture, TensorType.of(DType.FLOAT32, 1, 3, 1, 1));

        assertThat(tensor.toFloatArray()).containsExactly(29, 9, 1);
    }

    @Test
    void grayModelTakesLumaAndInvertTurnsIt() {
        Picture picture = new Picture(1, 1, 3, new float[] {255, 255, 255});
        Preprocessing inverted = Preprocessing.defaults().withInvert(true);

        Tensor tensor = inverted.tensor(picture, TensorType.of(DType.FLOAT32, 1, 1, 1, 1));

        assertThat(tensor.getDouble(0)).isCloseTo(0, within(1e-6));
    }

    @Test
    void openSizesAreThoseOfThePicture() {
        TensorType open = new TensorType(
                DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(1), Dim.unknown(), Dim.unknown())));

        assertThat(Preprocessing.defaults().tensor(ROW, open).shape()).isEqualTo(Shape.of(1, 1, 1, 4));
    }

    @Test
    void inputsThatAreNoPictureAreRefused() {
        for (TensorType type : List.of(
                TensorType.of(DType.FLOAT32, 10),
                TensorType.of(DType.FLOAT32, 2, 3, 4, 4),
                TensorType.of(DType.FLOAT32, 1, 5, 4, 4))) {
            assertThatThrownBy(() -> Preprocessing.defaults().tensor(ROW, type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(type.toString());
        }
    }

    @Test
    void tensorOfPictureShapeIsShown() {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, 1, 3, 8, 9);
        tensor.setDouble(0, 1);
        tensor.setDouble(2 * 72 + 71, 0.5);

        BufferedImage image = TensorToImage.convert(tensor, ValueRange.AUTO).orElseThrow();

        assertThat(image.getWidth()).isEqualTo(9);
        assertThat(image.getRGB(0, 0) & 0xffffff).isEqualTo(0xff0000);
        assertThat(image.getRGB(8, 7) & 0xffffff).isEqualTo(0x000080);
        assertThat(TensorToImage.convert(Tensor.allocate(DType.FLOAT32, 1, 2, 8, 8), ValueRange.AUTO))
                .isEmpty();
        assertThat(TensorToImage.convert(Tensor.allocate(DType.FLOAT32, 1, 3, 7, 8), ValueRange.AUTO))
                .isEmpty();
    }

    @Test
    void rangeIsToldFromTheValues() {
        assertThat(ends(0, 1).white()).isEqualTo(1);
        assertThat(ends(-0.5f, 1).black()).isEqualTo(-1);
        assertThat(ends(-0.03f, 0.97f)).isEqualTo(new ValueRange.Ends(0, 1));
        assertThat(ends(0, 200)).isEqualTo(new ValueRange.Ends(0, 255));
        assertThat(ends(-0.2f, 1.7f)).isEqualTo(new ValueRange.Ends(0, 1));
        assertThat(ValueRange.MINMAX.ends(Tensor.of(new float[] {3, 9, Float.NaN}, 3)))
                .isEqualTo(new ValueRange.Ends(3, 9));
    }

    private static ValueRange.Ends ends(float least, float most) {
        return ValueRange.AUTO.ends(Tensor.of(new float[] {least, most}, 2));
    }
}
