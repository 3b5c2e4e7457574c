package org.clinfer.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Decodes picture files, with the JDK's readers where these do it right and with TwelveMonkeys' where not. */
final class PictureReader {

    private static final long MAX_PIXELS = 64_000_000;

    /** A decoded pixel, its values in one and in three channels, and room for the rest of the program. */
    private static final long BYTES_PER_PIXEL = 32;

    /** Bytes of a file at most; the largest picture in 16 bits has fewer. */
    private static final long MAX_BYTES = 1L << 29;

    /** The reader of WebP asks for bytes before it needs them, also beyond the end of a small file. */
    private static final int AHEAD = 16;

    private static final String FURTHER_READERS = "com.twelvemonkeys.";

    private PictureReader() {}

    static Picture read(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > MAX_BYTES) {
            throw new PictureException(
                    file.toString(), "it has " + bytes + " bytes; a picture has at most " + MAX_BYTES);
        }
        return read(file.toString(), Files.readAllBytes(file));
    }

    /** @param name the file, for messages */
    static Picture read(String name, byte[] bytes) {
        Optional<PictureKind> found = PictureKind.of(bytes);
        if (found.isEmpty() && !isPnmName(name)) {
            throw new PictureException(name, "not a PNG, JPEG, BMP, GIF, PGM, PPM, TIFF or WebP picture");
        }
        PictureKind kind = found.orElse(PictureKind.PNM);
        if (kind == PictureKind.PNM) {
            return PnmReader.read(name, bytes);
        }
        int colours = kind == PictureKind.JPEG ? JpegFrame.components(bytes) : 0;
        Picture picture = decode(name, bytes, kind, colours == 4);
        return picture.upright(ExifOrientation.of(name, kind, bytes));
    }

    /** A file of such a name is told what is wrong with it as one. */
    private static boolean isPnmName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".pgm") || lower.endsWith(".ppm");
    }

    private static Picture decode(String name, byte[] bytes, PictureKind kind, boolean fourColours) {
        try (ImageInputStream stream = new MemoryCacheImageInputStream(new ByteArrayInputStream(
                kind == PictureKind.WEBP ? Arrays.copyOf(bytes, bytes.length + AHEAD) : bytes))) {
            Optional<ImageReader> further = reader(stream, true);
            Optional<ImageReader> own = reader(stream, false);
            boolean needsFurther = fourColours || kind == PictureKind.WEBP;
            if (needsFurther && further.isEmpty()) {
                throw missing(name, fourColours ? "a JPEG in four colours (CMYK)" : "a WebP picture", kind);
            }
            boolean prefersFurther = needsFurther || (kind == PictureKind.TIFF && further.isPresent());
            ImageReader reader = (prefersFurther ? further : own)
                    .orElseThrow(() -> new PictureException(
                            name,
                            "it begins as a " + kind
                                    + " picture, but is damaged or of a kind that Java does not read"));
            return decode(name, kind, reader, stream);
        } catch (IOException malformed) {
            throw undecodable(name, malformed);
        }
    }

    /** The first reader for what a stream has in it, of those of TwelveMonkeys or of the others. */
    private static Optional<ImageReader> reader(ImageInputStream stream, boolean further) {
        Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
        while (readers.hasNext()) {
            ImageReader reader = readers.next();
            if (reader.getClass().getName().startsWith(FURTHER_READERS) == further) {
                return Optional.of(reader);
            }
            reader.dispose();
        }
        return Optional.empty();
    }

    private static PictureException missing(String name, String what, PictureKind kind) {
        return new PictureException(
                name,
                "it is " + what + ", which Java does not read by itself; com.twelvemonkeys.imageio:" + kind.artifact()
                        + " on the class path reads it");
    }

    private static Picture decode(String name, PictureKind kind, ImageReader reader, ImageInputStream stream) {
        try {
            reader.setInput(stream);
            requireSize(name, reader.getWidth(0), reader.getHeight(0));
            if (reader.isImageTiled(0)) {
                requireSize(name, reader.getTileWidth(0), reader.getTileHeight(0));
            }
            BufferedImage image = reader.read(0);
            boolean isFurther = reader.getClass().getName().startsWith(FURTHER_READERS);
            if (!isFurther && image.getColorModel().getNumColorComponents() > 3) {
                throw missing(name, "a " + kind + " picture in four colours (CMYK)", kind);
            }
            return pixels(image);
        } catch (PictureException refused) {
            throw refused;
        } catch (IOException | RuntimeException malformed) {
            // the decoders let out whatever a damaged file leads them to
            throw undecodable(name, malformed);
        } finally {
            reader.dispose();
        }
    }

    static void requireSize(String name, long width, long height) {
        long most = mostPixels(Runtime.getRuntime().maxMemory());
        if (width < 1 || height < 1 || width * height > most) {
            throw new PictureException(
                    name,
                    "a picture of " + width + "x" + height + " pixels; expected 1 to " + most + " pixels"
                            + (most < MAX_PIXELS ? ", for which Java has memory" : ""));
        }
    }

    /** The number of pixels that a picture may have where Java may take some bytes of memory. */
    static long mostPixels(long memoryBytes) {
        return Math.min(MAX_PIXELS, memoryBytes / BYTES_PER_PIXEL);
    }

    private static PictureException undecodable(String name, Exception malformed) {
        return new PictureException(name, "the picture cannot be decoded: " + reason(malformed), malformed);
    }

    private static String reason(Exception malformed) {
        if (malformed.getMessage() != null) {
            return malformed.getMessage();
        }
        return malformed instanceof EOFException ? "it ends early" : "it is damaged";
    }

    /** Gray pictures are read sample by sample: their conversion to RGB would apply a gamma curve. */
    static Picture pixels(BufferedImage image) {
        int bits = image.getSampleModel().getSampleSize(0);
        boolean gray = image.getColorModel().getNumColorComponents() == 1 && bits <= 16;
        Picture picture = Picture.blank(image.getWidth(), image.getHeight(), gray ? 1 : 3);
        return gray ? gray(image, bits, picture) : colours(image, picture);
    }

    private static Picture gray(BufferedImage image, int bits, Picture picture) {
        Raster raster = image.getRaster();
        float scale = 255f / ((1 << Math.min(bits, 16)) - 1);
        for (int y = 0; y < picture.height(); y++) {
            for (int x = 0; x < picture.width(); x++) {
                picture.set(x, y, 0, raster.getSample(x, y, 0) * scale);
            }
        }
        return picture;
    }

    private static Picture colours(BufferedImage image, Picture picture) {
        int width = picture.width();
        // red, green and blue in sRGB and 8 bits as they lie there; all else is converted pixel by pixel, which takes
        // longer
        boolean plain =
                image.getType() == BufferedImage.TYPE_3BYTE_BGR || image.getType() == BufferedImage.TYPE_INT_RGB;
        int[] row = new int[3 * width];
        for (int y = 0; y < picture.height(); y++) {
            if (plain) {
                image.getRaster().getPixels(0, y, width, 1, row);
            } else {
                for (int x = 0; x < width; x++) {
                    int rgb = image.getRGB(x, y);
                    row[3 * x] = rgb >> 16 & 0xff;
                    row[3 * x + 1] = rgb >> 8 & 0xff;
                    row[3 * x + 2] = rgb & 0xff;
                }
            }
            for (int i = 0; i < row.length; i++) {
                picture.values()[y * row.length + i] = row[i];
            }
        }
        return picture;
    }
}
