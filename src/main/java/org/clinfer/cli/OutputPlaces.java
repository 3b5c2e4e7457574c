package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.importer.FolderModels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The places that a command is to write to. They are looked at before it does any work, and before any of them is emptied. */
final class OutputPlaces {

    private static final Set<String> OPTIONS =
            Set.of("--output", "--html", "--trace", "--fix", "--extract", "--save-profile");

    private static final String FOLDER = "DIR";

    private record Place(String option, Path path, boolean isFolder) {}

    private OutputPlaces() {}

    /**
     * Refuses a place that cannot be written, that is an input of the command, or that another output is to be written to.
     *
     * @throws UsageException if it is an input, or that of another output
     * @throws IOException if it cannot be written
     */
    static void require(CommandSpec spec) throws IOException {
        List<Place> earlier = new ArrayList<>();
        for (Place place : places(spec)) {
            if (place.isFolder()) {
                if (Files.exists(place.path()) && !Files.isDirectory(place.path())) {
                    throw new FileAlreadyExistsException(place.path().toString());
                }
                continue;
            }
            AtomicFile.requirePlace(place.path());
            List<Path> inputs = files(spec.args().stream().filter(argument -> !isRenewed(spec, place, argument)));
            requireApart(place.option(), place.path(), inputs);
            for (Place other : earlier) {
                if (isSame(place.path(), other.path())) {
                    throw new UsageException(
                            other.option() + " and " + place.option() + " would both be written to " + place.path());
                }
            }
            earlier.add(place);
        }
    }

    /** @throws UsageException if a file that is to be written is one of the inputs */
    static void requireApart(String option, Path output, List<Path> inputs) throws IOException {
        for (Path input : inputs) {
            if (isSame(output, input)) {
                throw new UsageException(option + " would overwrite " + input + ", which the command reads");
            }
        }
    }

    private static List<Place> places(CommandSpec spec) {
        return spec.options().stream()
                .filter(OutputPlaces::isOutput)
                .flatMap(option -> words(option)
                        .map(word ->
                                new Place(option.longestName(), Path.of(word), FOLDER.equals(option.paramLabel()))))
                .toList();
    }

    private static boolean isOutput(ArgSpec argument) {
        return argument instanceof OptionSpec option && OPTIONS.contains(option.longestName());
    }

    /** A network may be converted into its own file, and a page be measured again: nothing is lost. */
    private static boolean isRenewed(CommandSpec spec, Place place, ArgSpec input) {
        boolean isBeside =
                input instanceof OptionSpec option && option.longestName().equals("--beside");
        return spec.name().equals("convert") || (isBeside && place.option().equals("--html"));
    }

    /** The files among the arguments, also behind {@code NAME=}; of a folder, those that a model may be. */
    static List<Path> inputs(CommandSpec spec) {
        return files(spec.args().stream());
    }

    private static List<Path> files(Stream<ArgSpec> arguments) {
        return arguments
                .filter(argument -> !isOutput(argument))
                .flatMap(OutputPlaces::words)
                .flatMap(word -> Stream.of(word, word.substring(word.indexOf('=') + 1)))
                .flatMap(word -> path(word).stream())
                .flatMap(path -> Files.isDirectory(path) ? models(path) : Stream.of(path))
                .filter(Files::isRegularFile)
                .toList();
    }

    private static Stream<Path> models(Path folder) {
        try {
            return FolderModels.of(folder).files().stream();
        } catch (IOException unreadable) {
            return Stream.empty(); // the command cannot read anything in it either
        }
    }

    private static Optional<Path> path(String word) {
        try {
            return Optional.of(Path.of(word));
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** The values of an argument that may be names of files. */
    private static Stream<String> words(ArgSpec argument) {
        return words((@Nullable Object) argument.getValue());
    }

    private static Stream<String> words(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.stream().flatMap(OutputPlaces::words);
        }
        if (value instanceof Collection<?> several) {
            return several.stream().flatMap(OutputPlaces::words);
        }
        return value instanceof Path || value instanceof String ? Stream.of(value.toString()) : Stream.empty();
    }

    /** Devices and pipes may take several outputs. */
    private static boolean isSame(Path output, Path other) throws IOException {
        if (Files.exists(output) && Files.exists(other)) {
            return Files.isRegularFile(output) && Files.isSameFile(output, other);
        }
        return output.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
}
