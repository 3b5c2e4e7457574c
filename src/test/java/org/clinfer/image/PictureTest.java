package org.clinfer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Picture files of the kinds that programs have, read as people see them. */
class PictureTest {

    @TempDir
    Path folder;

    /** Clockwise from the upper left, for the orientations as Exif defines them: the place of the first row and column. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 90, 170, 250, 48, 32",
        "2, 90, 0, 250, 170, 48, 32",
        "3, 170, 250, 0, 90, 48, 32",
        "4, 250, 170, 90, 0, 48, 32",
        "5, 0, 250, 170, 90, 32, 48",
        "6, 250, 0, 90, 170, 32, 48",
        "7, 170, 90, 0, 250, 32, 48",
        "8, 90, 170, 250, 0, 32, 48"
    })
    void photographsAreUpright(
            int orientation, int upperLeft, int upperRight, int lowerRight, int lowerLeft, int width, int height)
            throws IOException {
        byte[] jpeg = PictureFiles.encoded(PictureFiles.quarters(48, 32), "jpg");
        Picture picture = Picture.of(PictureFiles.withOrientation(jpeg, orientation));
        assertThat(picture.width()).isEqualTo(width);
        assertThat(picture.height()).isEqualTo(height);
        assertThat(picture.value(4, 4, 0)).isCloseTo(upperLeft, within(3f));
        assertThat(picture.value(width - 5, 4, 0)).isCloseTo(upperRight, within(3f));
        assertThat(picture.value(width - 5, height - 5, 0)).isCloseTo(lowerRight, within(3f));
        assertThat(picture.value(4, height - 5, 0)).isCloseTo(lowerLeft, within(3f));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9, 65535})
    void orientationsThatAreNoneChangeNothing(int orientation) throws IOException {
        byte[] jpeg = PictureFiles.encoded(PictureFiles.quarters(16, 8), "jpg");
        Picture picture = Picture.of(PictureFiles.withOrientation(jpeg, orientation));
        assertThat(picture.values()).isEqualTo(Picture.of(jpeg).values());
    }

    @Test
    void damagedExifDataChangeNothing() throws IOException {
        byte[] jpeg = PictureFiles.encoded(PictureFiles.quarters(16, 8), "jpg");
        byte[] damaged =
                PictureFiles.withSegment(jpeg, 0xE1, "Exif\0\0II*\0\u00ff".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(Picture.of(damaged).values()).isEqualTo(Picture.of(jpeg).values());
    }

    /** Without ink white; yellow ink takes the blue away, cyan the red; black is black. */
    @ParameterizedTest
    @CsvSource({
        "0, 255, 255, 255, 255, 255, 255, 255",
        "0, 0, 255, 255, 255, 0, 255, 255",
        "0, 255, 255, 0, 255, 255, 255, 0",
        "0, 255, 255, 255, 0, 0, 0, 0",
        "2, 0, 128, 128, 255, 255, 255, 255",
        "2, 179, 171, 1, 255, 255, 0, 0"
    })
    void jpegsInFourColoursAreRight(
            int transform, int first, int second, int third, int black, int red, int green, int blue)
            throws IOException {
        Picture picture = Picture.of(PictureFiles.fourColours(transform, first, second, third, black));
        assertThat(picture.channels()).isEqualTo(3);
        assertThat(picture.value(8, 8, 0)).isCloseTo(red, within(12f));
        assertThat(picture.value(8, 8, 1)).isCloseTo(green, within(12f));
        assertThat(picture.value(8, 8, 2)).isCloseTo(blue, within(12f));
    }

    @Test
    void webpIsRead() {
        Picture picture = Picture.of(PictureFiles.webp(5, 3, 200, 100, 1));
        assertThat(picture.width()).isEqualTo(5);
        assertThat(picture.height()).isEqualTo(3);
        assertThat(picture.values()).startsWith(200, 100, 1, 200, 100, 1).hasSize(45);
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "bmp", "gif", "tiff"})
    void losslessKindsHaveTheSameValuesWhicheverWay(String format) throws IOException {
        BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB);
        int[] colours = {0x102030, 0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0x807060};
        image.setRGB(0, 0, 3, 2, colours, 0, 3);
        byte[] bytes = PictureFiles.encoded(image, format);
        Path file = Files.write(folder.resolve("p." + format), bytes);
        Picture inMemory = Picture.of(image);
        assertThat(inMemory.values()).startsWith(0x10, 0x20, 0x30, 255, 0, 0);
        if (!format.equals("gif")) {
            assertThat(Picture.of(bytes).values()).isEqualTo(inMemory.values());
        }
        assertThat(Picture.of(file).values()).isEqualTo(Picture.of(bytes).values());
        assertThat(Picture.of(Picture.of(bytes).toBufferedImage()).values())
                .isEqualTo(Picture.of(bytes).values());
    }

    /** Java keeps red, green and blue in many ways, some of which are copied as they lie there. */
    @Test
    void everyKindOfJavasPicturesHasTheSameColours() {
        for (int type : new int[] {
            BufferedImage.TYPE_INT_RGB,
            BufferedImage.TYPE_INT_BGR,
            BufferedImage.TYPE_INT_ARGB,
            BufferedImage.TYPE_3BYTE_BGR,
            BufferedImage.TYPE_4BYTE_ABGR
        }) {
            BufferedImage image = new BufferedImage(3, 2, type);
            image.setRGB(1, 0, 0xff102030);
            image.setRGB(2, 1, 0xff8040c0);
            assertThat(Picture.of(image).values())
                    .containsExactly(0, 0, 0, 0x10, 0x20, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x40, 0xc0);
            // a part of a larger picture
            assertThat(Picture.of(image.getSubimage(2, 1, 1, 1)).values()).containsExactly(0x80, 0x40, 0xc0);
        }
    }

    @Test
    void theKindIsToldByTheBytesAndNotByTheName() throws IOException {
        byte[] png = PictureFiles.encoded(PictureFiles.quarters(4, 4), "png");
        Path file = Files.write(folder.resolve("p.jpg"), png);
        assertThat(Picture.of(file).values()).isEqualTo(Picture.of(png).values());
        assertThat(Picture.of("P5 2 1 255\nab".getBytes(StandardCharsets.ISO_8859_1))
                        .values())
                .containsExactly('a', 'b');
    }

    @Test
    void whatIsNoPictureIsRefusedInOneSentence() throws IOException {
        assertThatThrownBy(() -> Picture.of("hello".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(PictureException.class)
                .hasMessage("picture: not a PNG, JPEG, BMP, GIF, PGM, PPM, TIFF or WebP picture");
        assertThatThrownBy(() -> Picture.of(new byte[0])).isInstanceOf(PictureException.class);
        Path file = Files.writeString(folder.resolve("a\nb.png"), "RIFF....WAVE");
        assertThatThrownBy(() -> Picture.of(file))
                .isInstanceOf(PictureException.class)
                .hasMessageContaining("not a PNG")
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource({"30000, 30000", "0, 5", "5, 0", "2147483647, 2147483647"})
    void sizesThatNoPictureHasAreRefusedBeforeAnythingIsDecoded(int width, int height) {
        assertThatThrownBy(() -> Picture.of(PictureFiles.pngHeader(width, height)))
                .isInstanceOf(PictureException.class)
                .message()
                .startsWith("picture: ")
                .containsAnyOf("a picture of " + width + "x" + height + " pixels; expected 1 to ", "cannot be decoded")
                .hasLineCount(1);
    }

    @Test
    void aLargePictureIsNamedWithItsSize() {
        assertThatThrownBy(() -> Picture.of(PictureFiles.pngHeader(30000, 30000)))
                .hasMessageStartingWith("picture: a picture of 30000x30000 pixels; expected 1 to ");
    }

    /** In a process of its own, whose class path has neither TwelveMonkeys nor metadata-extractor. */
    @Test
    void withoutTheLibrariesAPictureThatNeedsOneIsRefusedByItsArtifact() throws IOException, InterruptedException {
        Files.write(folder.resolve("a"), PictureFiles.webp(2, 2, 9, 9, 9));
        Files.write(folder.resolve("b"), PictureFiles.fourColours(0, 255, 255, 255, 255));
        byte[] jpeg = PictureFiles.encoded(PictureFiles.quarters(16, 8), "jpg");
        Files.write(folder.resolve("c"), PictureFiles.withOrientation(jpeg, 6));
        Files.write(folder.resolve("d"), jpeg);
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("twelvemonkeys") && !entry.contains("metadata-extractor"))
                .collect(Collectors.joining(File.pathSeparator));
        Path printed = folder.resolve("printed");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.awt.headless=true",
                        "-cp",
                        classPath,
                        PicturesWithoutLibraries.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        assertThat(Files.readAllLines(printed).stream()
                        .filter(line -> line.startsWith("> "))
                        .toList())
                .hasSize(4)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .endsWith("com.twelvemonkeys.imageio:imageio-webp on the class path reads it"),
                        line -> assertThat(line)
                                .endsWith("com.twelvemonkeys.imageio:imageio-jpeg on the class path reads it"),
                        line -> assertThat(line)
                                .contains("com.drewnoakes:metadata-extractor on the class path reads them"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "> " + Arrays.hashCode(Picture.of(jpeg).values())));
    }
}
