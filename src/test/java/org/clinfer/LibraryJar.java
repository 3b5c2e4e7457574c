package org.clinfer;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The library's jar as the POM describes it, and the class path of a program that depends on it. */
final class LibraryJar {

    /** The libraries that a consumer gets. */
    static final List<String> LIBRARIES = List.of(
            "flatbuffers-java", "jackson-", "jocl", "jspecify", "lwjgl-", "metadata-", "protobuf-java", "slf4j-api");

    static final String NATIVES = "org/clinfer/opencl/lwjgl/natives/**";

    private static final Pattern DEFAULT_JAR = Pattern.compile("(?s)<id>default-jar</id>(.*?)</execution>");
    private static final Pattern EXCLUDED = Pattern.compile("<exclude>(.*?)</exclude>");

    private LibraryJar() {}

    /** Writes the jar of these tests' classes, also without the entries of some patterns. */
    static void write(Path jar, String... without) throws IOException {
        Path classes = classes("org/clinfer/Engine.class");
        List<PathMatcher> excluded = Stream.concat(excludes().stream(), Stream.of(without))
                .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
                .toList();
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream entries = new ZipOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            entries.setLevel(Deflater.BEST_SPEED);
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Path name = classes.relativize(each);
                if (excluded.stream().noneMatch(matcher -> matcher.matches(name))) {
                    entries.putNextEntry(new ZipEntry(name.toString().replace(File.separatorChar, '/')));
                    Files.copy(each, entries);
                    entries.closeEntry();
                }
            }
        }
    }

    /** Copies a class of these tests, alone, below a folder. */
    static void copyProgram(Path folder, Class<?> program) throws IOException {
        String name = program.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(classes(name).resolve(name), copy);
    }

    /** The jars of these tests' class path whose names begin so; none of native libraries. */
    static List<String> jars(List<String> beginnings) {
        return entries()
                .filter(entry -> beginnings.stream().anyMatch(new File(entry).getName()::startsWith))
                .filter(entry -> !entry.contains("-natives-"))
                .toList();
    }

    private static List<String> excludes() throws IOException {
        MatchResult jar = DEFAULT_JAR
                .matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .findFirst()
                .orElseThrow();
        return EXCLUDED.matcher(jar.group(1))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static Path classes(String file) {
        return entries()
                .map(Path::of)
                .filter(entry -> Files.exists(entry.resolve(file)))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }
}
