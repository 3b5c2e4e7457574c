package org.clinfer.cli.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import javax.imageio.ImageIO;
import org.clinfer.cli.io.AtomicFile;

/** The names of picture files, and PNG files to write. */
public final class ImageFile {

    private static final Set<String> ENDINGS =
            Set.of("png", "jpg", "jpeg", "bmp", "gif", "pgm", "ppm", "tif", "tiff", "webp");

    private ImageFile() {}

    /** {@return whether the file's name ends as that of a picture} */
    public static boolean isImage(Path file) {
        String name = String.valueOf(file.getFileName());
        return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /** Writes a PNG file, whole or not at all. */
    public static void writePng(Path file, BufferedImage image) throws IOException {
        AtomicFile.write(file, out -> ImageIO.write(image, "png", out));
    }
}
