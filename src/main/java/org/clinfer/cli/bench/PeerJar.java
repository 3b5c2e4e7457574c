package org.clinfer.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The places where ONNX Runtime's jar is looked for. */
public final class PeerJar {

    /** The system property that names it. */
    public static final String PROPERTY = "clinfer.onnxruntime.jar";

    private static final String IN_REPOSITORY = ".m2/repository/com/microsoft/onnxruntime/onnxruntime";

    private PeerJar() {}

    /**
     * The jar that was asked for, else that of the property, else the newest in Maven's local repository.
     *
     * @throws PeerException if there is none
     */
    public static Path find(Optional<Path> given) {
        Optional<Path> named =
                given.or(() -> Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of));
        if (named.isPresent()) {
            if (!Files.isRegularFile(named.get())) {
                throw new PeerException("ONNX Runtime is not there: " + named.get() + " is no file");
            }
            return named.get();
        }
        Path repository = Path.of(System.getProperty("user.home", "")).resolve(IN_REPOSITORY);
        return newest(repository)
                .orElseThrow(() -> new PeerException("ONNX Runtime is not there: no onnxruntime-VERSION.jar in "
                        + repository + "; name its jar with --peer-jar"));
    }

    /** The jar of the highest version below a folder of Maven's repository. */
    static Optional<Path> newest(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(folder)) {
            return versions.map(version -> version.resolve("onnxruntime-" + version.getFileName() + ".jar"))
                    .filter(Files::isRegularFile)
                    .max(Comparator.comparing(jar -> Runtime.Version.parse(version(jar))));
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new PeerException("ONNX Runtime is not found in " + folder + ": " + unreadable, unreadable);
        }
    }

    /** The numbers in the jar's name as Java writes versions: without zeros at the end. */
    private static String version(Path jar) {
        return jar.getFileName()
                .toString()
                .replaceAll("[^0-9]*([0-9.]*[0-9]).*", "$1")
                .replaceAll("(\\.0)+$", "");
    }
}
