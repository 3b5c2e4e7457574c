package org.clinfer.cli.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.cli.io.BadFileException;

/** Picture files: PNG, JPEG, BMP, GIF (its first frame), PGM and PPM. Transparency is dropped. */
public final class ImageFile {

    private static final Set<String> PNM = Set.of("pgm", "ppm");
    private static final Set<String> RASTER = Set.of("png", "jpg", "jpeg", "bmp", "gif");
    private static final long MAX_PIXELS = 64_000_000;

    /** A decoded pixel, its values in one and in three channels, and room for the rest of the program. */
    private static final long BYTES_PER_PIXEL = 32;

    private ImageFile() {}

    /** Whether the file's name ends as that of a picture. */
    public static boolean isImage(Path file) {
        String extension = extension(file);
        return PNM.contains(extension) || RASTER.contains(extension);
    }

    /**
     * The picture in {@code file}.
     *
     * @throws BadFileException if it is not a picture of a supported kind, or has more than 64 million pixels
     *     or so many that Java's memory cannot hold them
     * @throws IOException if it cannot be read
     */
    public static Pixels read(Path file) throws IOException {
        if (PNM.contains(extension(file))) {
            return PnmReader.read(file, Files.readAllBytes(file));
        }
        try (ImageInputStream stream = ImageIO.createImageInputStream(Files.newInputStream(file))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
            if (!readers.hasNext()) {
                throw new BadFileException(file, "not a PNG, JPEG, BMP or GIF picture");
            }
            return decode(file, readers.next(), stream);
        }
    }

    /** Writes a PNG file, whole or not at all. */
    public static void writePng(Path file, BufferedImage image) throws IOException {
        AtomicFile.write(file, out -> ImageIO.write(image, "png", out));
    }

    static void requireSize(Path file, long width, long height) {
        long most = mostPixels(Runtime.getRuntime().maxMemory());
        if (width < 1 || height < 1 || width * height > most) {
            throw new BadFileException(
                    file,
                    "a picture of " + width + "x" + height + " pixels; expected 1 to " + most + " pixels"
                            + (most < MAX_PIXELS ? ", for which Java has memory" : ""));
        }
    }

    /** The number of pixels that a picture may have where Java may take some bytes of memory. */
    static long mostPixels(long memoryBytes) {
        return Math.min(MAX_PIXELS, memoryBytes / BYTES_PER_PIXEL);
    }

    private static Pixels decode(Path file, ImageReader reader, ImageInputStream stream) {
        try {
            reader.setInput(stream);
            requireSize(file, reader.getWidth(0), reader.getHeight(0));
            return pixels(reader.read(0));
        } catch (BadFileException tooLarge) {
            throw tooLarge;
        } catch (IOException | RuntimeException malformed) {
            // the decoders let out whatever a damaged file leads them to
            throw new BadFileException(file, "the picture cannot be decoded: " + reason(malformed), malformed);
        } finally {
            reader.dispose();
        }
    }

    private static String reason(Exception malformed) {
        if (malformed.getMessage() != null) {
            return malformed.getMessage();
        }
        return malformed instanceof EOFException ? "it ends early" : "it is damaged";
    }

    /** Gray pictures are read sample by sample: their conversion to RGB would apply a gamma curve. */
    static Pixels pixels(BufferedImage image) {
        Raster raster = image.getRaster();
        int bits = image.getSampleModel().getSampleSize(0);
        boolean gray = image.getColorModel().getNumColorComponents() == 1 && bits <= 16;
        Pixels pixels = Pixels.blank(image.getWidth(), image.getHeight(), gray ? 1 : 3);
        float scale = 255f / ((1 << Math.min(bits, 16)) - 1);
        for (int y = 0; y < pixels.height(); y++) {
            for (int x = 0; x < pixels.width(); x++) {
                if (gray) {
                    pixels.set(x, y, 0, raster.getSample(x, y, 0) * scale);
                } else {
                    int rgb = image.getRGB(x, y);
                    pixels.set(x, y, 0, rgb >> 16 & 0xff);
                    pixels.set(x, y, 1, rgb >> 8 & 0xff);
                    pixels.set(x, y, 2, rgb & 0xff);
                }
            }
        }
        return pixels;
    }

    private static String extension(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
