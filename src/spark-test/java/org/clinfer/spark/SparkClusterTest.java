package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors in processes of their own, which have Spark's jars first and Clinfer's by {@code spark.jars}. */
class SparkClusterTest {

    private static final Path JAR =
            Path.of(System.getProperty("spark.jar", "target/clinfer-spark.jar")).toAbsolutePath();
    /** Libraries of which Spark has other versions than Clinfer. */
    private static final Path OTHERS =
            Path.of(System.getProperty("spark.others", "target/spark/others")).toAbsolutePath();

    private static final String OTHER_PROTOBUF = "protobuf-java-" + System.getProperty("spark.protobuf") + ".jar";
    private static final int ROWS = 600;

    @TempDir
    private Path folder;

    @Test
    void anExecutorThatDiesLosesNoRowAndRepeatsNone() throws Exception {
        List<String> lines = run("local-cluster[2,1,1024]", "kill");

        assertThat(lines.stream().filter(line -> line.startsWith("row ")))
                .containsExactlyInAnyOrderElementsOf(Stream.iterate(0, i -> i < ROWS, i -> i + 1)
                        .map(i -> "row " + i + " " + (i + 1f))
                        .toList());
        assertThat(lines.get(lines.size() - 1)).startsWith("executors ").contains(" " + OTHER_PROTOBUF + "]");
        assertThat(folder.resolve("net.onnx.died")).exists();
    }

    private List<String> run(String master, String fate) throws IOException, InterruptedException {
        Path home = home();
        Path model = Files.write(folder.resolve("net.onnx"), SampleNetworks.sum());
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(Arrays.asList(System.getProperty("spark.opens", "").split(" ", -1)));
        command.addAll(List.of(
                "-Xmx768m",
                "-cp",
                String.join(File.pathSeparator, own(home).toString(), home.resolve("jars") + "/*", JAR.toString()),
                ClusterProgram.class.getName(),
                master,
                model.toString(),
                JAR + "," + own(home),
                fate));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        Process process =
                builder.redirectError(log.toFile()).directory(folder.toFile()).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(() -> tail(log)).isZero();
        return printed.lines()
                .filter(line -> line.startsWith("row ") || line.startsWith("executors "))
                .toList();
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log).stream()
                    .filter(line -> !line.startsWith("\tat ") && !line.contains(" INFO "))
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** A folder as that of Spark: all its jars, and not Clinfer's. */
    private Path home() throws IOException {
        Path home = folder.resolve("spark");
        Path jars = Files.createDirectories(home.resolve("jars"));
        Files.createFile(home.resolve("RELEASE"));
        try (Stream<Path> own = Files.list(OTHERS)) {
            for (Path jar : own.toList()) {
                link(jar, jars.resolve(jar.getFileName()));
            }
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            if (jar.toString().endsWith(".jar") && !isOurs(jar.getFileName().toString())) {
                Path link = jars.resolve(jar.getFileName());
                if (!Files.exists(link)) {
                    link(jar, link);
                }
            }
        }
        return home;
    }

    private static void link(Path jar, Path link) throws IOException {
        try {
            Files.createLink(link, jar.toAbsolutePath());
        } catch (IOException | UnsupportedOperationException otherFileSystem) {
            Files.copy(jar, link);
        }
    }

    /** True for what the jar has in it, or only tests need. */
    private static boolean isOurs(String jar) {
        return Stream.of(
                        "clinfer",
                        "flatbuffers",
                        "imageio-",
                        "jackson-annotations",
                        "jackson-core-3",
                        "jackson-databind-3",
                        "jocl",
                        "logback",
                        "lwjgl",
                        "metadata-extractor",
                        "onnxruntime",
                        "protobuf")
                .anyMatch(jar::startsWith);
    }

    /** A jar of the program. */
    private static Path own(Path home) throws IOException {
        Path jar = home.resolve("program.jar");
        if (!Files.exists(jar)) {
            try (java.util.jar.JarOutputStream out = new java.util.jar.JarOutputStream(Files.newOutputStream(jar))) {
                String name = ClusterProgram.class.getName().replace('.', '/') + ".class";
                out.putNextEntry(new java.util.zip.ZipEntry(name));
                try (var in = ClusterProgram.class.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
        return jar;
    }
}
