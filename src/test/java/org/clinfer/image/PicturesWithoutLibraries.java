package org.clinfer.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads the files a to d of a folder, and prints a line for each: what is wrong, or a number made of the values. */
final class PicturesWithoutLibraries {

    private PicturesWithoutLibraries() {}

    public static void main(String[] arguments) throws IOException {
        for (String name : new String[] {"a", "b", "c", "d"}) {
            try {
                System.out.println("> "
                        + Arrays.hashCode(
                                Picture.of(Path.of(arguments[0]).resolve(name)).values()));
            } catch (PictureException refused) {
                System.out.println("> " + refused.getMessage());
            }
        }
    }
}
