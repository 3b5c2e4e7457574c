package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Javadoc of the API against {@code -Xdoclint:all}: every public type and member has its comment, with all tags. */
class ApiJavadocTest {

    /** What the components of a record say of themselves is not repeated where they are checked and copied. */
    private static final Pattern COMPACT_CONSTRUCTOR = Pattern.compile("\\s*public \\w+ \\{");

    private static final Pattern OF_COMMENTS =
            Pattern.compile("(?s)no (comment|main description|@param .*|@return|@throws .*)|.*(tag|reference|HTML).*");

    @Test
    void everyPublicMemberHasItsCommentWithAllTags() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String root : List.of("src/main/java", "src/generated/java")) {
            for (String exported : ApiSignatures.exported()) {
                files.addAll(sources(Path.of(root, exported.split("\\."))));
            }
        }
        assertThat(files).hasSizeGreaterThan(200);
        assertThat(gaps(files)).isEmpty();
    }

    @Test
    void gapsAreFound(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("Gaps.java");
        Files.writeString(file, """
                /** Gaps. @param <T> a type */
                public record Gaps<T>(int size) {
                    public Gaps {
                        size++;
                    }

                    /** A sum. */
                    public int sum(int more) {
                        return size + more;
                    }

                    public void none() {}
                }
                """);
        assertThat(gaps(List.of(file)))
                .anyMatch(line -> line.endsWith("Gaps.java:8: no @param for more"))
                .anyMatch(line -> line.endsWith("Gaps.java:8: no @return"))
                .anyMatch(line -> line.endsWith("Gaps.java:12: no comment"))
                .noneMatch(line -> line.contains("Gaps.java:3: "));
    }

    /** The Java files of a folder, which need not exist. */
    static List<Path> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** The gaps as {@code FILE:LINE: sentence}, as the compiler tells them. */
    private static List<String> gaps(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-Xdoclint:all/protected",
                "-Xmaxwarns",
                "100000",
                "-cp",
                System.getProperty("java.class.path"));
        List<String> gaps = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    new StringWriter(), manager, found, options, null, manager.getJavaFileObjectsFromPaths(files));
            task.analyze();
        }
        for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
            JavaFileObject source = each.getSource();
            if (source != null && isOfComment(each, source)) {
                gaps.add(source.getName() + ":" + each.getLineNumber() + ": " + each.getMessage(Locale.ROOT));
            }
        }
        return gaps;
    }

    private static boolean isOfComment(Diagnostic<?> each, JavaFileObject source) throws IOException {
        String line = source.getCharContent(true).toString().lines().toList().get((int) each.getLineNumber() - 1);
        return OF_COMMENTS.matcher(each.getMessage(Locale.ROOT)).matches()
                && !COMPACT_CONSTRUCTOR.matcher(line).matches();
    }
}
