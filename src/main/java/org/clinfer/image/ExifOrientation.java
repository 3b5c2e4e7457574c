package org.clinfer.image;

import com.drew.imaging.ImageMetadataReader;
import com.drew.imaging.ImageProcessingException;
import com.drew.metadata.Metadata;
import com.drew.metadata.exif.ExifDirectoryBase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The turn of a picture, as its Exif data say; read by metadata-extractor. */
final class ExifOrientation {

    private static final Logger LOG = LoggerFactory.getLogger(ExifOrientation.class);

    private static final int UPRIGHT = 1;
    private static final int LAST = 8;

    private ExifOrientation() {}

    /**
     * The orientation, from 1 to 8; 1 where the file does not say.
     *
     * @throws PictureException if the file has Exif data and the library that reads them is not there
     */
    static int of(String name, PictureKind kind, byte[] bytes) {
        if (!hasExif(kind, bytes)) {
            return UPRIGHT;
        }
        try {
            return Extractor.orientation(bytes);
        } catch (NoClassDefFoundError missing) {
            throw new PictureException(
                    name,
                    "it has Exif data, which say how it is turned; com.drewnoakes:metadata-extractor on the class path"
                            + " reads them",
                    missing);
        }
    }

    private static boolean hasExif(PictureKind kind, byte[] bytes) {
        return switch (kind) {
            case JPEG -> contains(bytes, "Exif\0\0");
            case PNG -> contains(bytes, "eXIf");
            case WEBP -> contains(bytes, "EXIF");
            case TIFF -> true;
            default -> false;
        };
    }

    private static boolean contains(byte[] bytes, String word) {
        byte[] wanted = word.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return true;
            }
        }
        return false;
    }

    /** Alone with what is of the library, which may be missing. */
    private static final class Extractor {

        static int orientation(byte[] bytes) {
            try {
                Metadata metadata = ImageMetadataReader.readMetadata(new ByteArrayInputStream(bytes), bytes.length);
                for (ExifDirectoryBase directory : metadata.getDirectoriesOfType(ExifDirectoryBase.class)) {
                    Integer value = directory.getInteger(ExifDirectoryBase.TAG_ORIENTATION);
                    if (value != null) {
                        return value >= UPRIGHT && value <= LAST ? value : UPRIGHT;
                    }
                }
            } catch (ImageProcessingException | IOException | RuntimeException damaged) {
                LOG.debug("Exif data that cannot be read: {}", damaged.toString());
            }
            return UPRIGHT;
        }
    }
}
