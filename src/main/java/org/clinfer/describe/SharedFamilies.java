package org.clinfer.describe;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The families of the files of one folder, found when a description first uses them. */
final class SharedFamilies {

    private final Function<String, Optional<byte[]>> files;
    private final Map<String, Families.Source> read = new ConcurrentHashMap<>();

    /**
     * Knows where the files are.
     *
     * @param files the content of a file by its name, as a description beside it says it
     */
    SharedFamilies(Function<String, Optional<byte[]>> files) {
        this.files = files;
    }

    /** Those of a file that {@code user} uses. */
    Families.Source of(String file, JsonReader user) {
        return read.computeIfAbsent(file, name -> {
            byte[] json = files.apply(name)
                    .orElseThrow(() -> user.failureAt("uses", "there is no file '" + name + "' in this folder"));
            Mistakes mistakes = new Mistakes();
            Families.Source families =
                    Families.Source.of(DescriptionFile.tree(json, name), new JsonReader.Origin(name, false, mistakes));
            mistakes.throwIfAny();
            return families;
        });
    }
}
