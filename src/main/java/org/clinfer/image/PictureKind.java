package org.clinfer.image;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A kind of picture files, told by the first bytes. */
enum PictureKind {
    PNG("imageio-core", "\u0089PNG"),
    JPEG("imageio-jpeg", "\u00ff\u00d8\u00ff"),
    BMP("imageio-bmp", "BM"),
    GIF("imageio-core", "GIF8"),
    PNM("imageio-pnm", "P1", "P2", "P3", "P4", "P5", "P6", "P7"),
    TIFF("imageio-tiff", "II*\0", "MM\0*", "II+\0", "MM\0+"),
    WEBP("imageio-webp", "RIFF");

    private static final int WEBP_AT = 8;

    private final String artifact;

    @SuppressWarnings("ImmutableEnumChecker") // a list that cannot be changed
    private final List<String> starts;

    PictureKind(String artifact, String... starts) {
        this.artifact = artifact;
        this.starts = List.of(starts);
    }

    /** The artifact of TwelveMonkeys that reads it. */
    String artifact() {
        return artifact;
    }

    static Optional<PictureKind> of(byte[] bytes) {
        String start = new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1);
        for (PictureKind kind : values()) {
            boolean begins = kind.starts.stream().anyMatch(start::startsWith);
            if (begins && (kind != WEBP || start.startsWith("WEBP", WEBP_AT))) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
