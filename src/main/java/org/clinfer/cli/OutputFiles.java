package org.clinfer.cli;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.cli.image.ImageFile;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.image.TensorToImage;
import org.clinfer.image.ValueRange;
import org.clinfer.tensor.Tensor;

/** Writes the outputs of a run into a folder: {@code NAME.npy}, and {@code NAME.png} where it is a picture. */
final class OutputFiles {

    private static final int MAX_NAME = 100;
    private static final String ARRAY = ".npy";
    private static final String PICTURE = ".png";

    private OutputFiles() {}

    /** The files written, in order; the folder is made if it is missing. */
    static List<Path> write(Path folder, Map<String, Tensor> outputs, ValueRange range) throws IOException {
        Files.createDirectories(folder);
        List<Path> written = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Map.Entry<String, Tensor> output : outputs.entrySet()) {
            String name = fileName(output.getKey(), taken);
            Path array = folder.resolve(name + ARRAY);
            NpyFile.write(array, output.getValue());
            written.add(array);
            Optional<BufferedImage> image = TensorToImage.convert(output.getValue(), range);
            if (image.isPresent()) {
                Path picture = folder.resolve(name + PICTURE);
                ImageFile.writePng(picture, image.get());
                written.add(picture);
            }
        }
        return written;
    }

    /** @throws UsageException if a file that is to be written is one of the inputs */
    static void requireApart(Path folder, Collection<String> outputs, List<Path> inputs) throws IOException {
        Set<String> taken = new HashSet<>();
        for (String output : outputs) {
            String name = fileName(output, taken);
            for (String suffix : List.of(ARRAY, PICTURE)) {
                OutputPlaces.requireApart("--output", folder.resolve(name + suffix), inputs);
            }
        }
    }

    /** A name that is safe on every file system and not in {@code taken}, whatever the case of its letters. */
    static String fileName(String output, Set<String> taken) {
        String safe = output.replaceAll("[^A-Za-z0-9._-]", "_");
        if (safe.isEmpty() || safe.startsWith(".") || safe.startsWith("-")) {
            safe = "_" + safe;
        }
        safe = safe.substring(0, Math.min(safe.length(), MAX_NAME));
        String candidate = safe;
        for (int n = 2; !taken.add(candidate.toLowerCase(Locale.ROOT)); n++) {
            candidate = safe + "_" + n;
        }
        return candidate;
    }
}
