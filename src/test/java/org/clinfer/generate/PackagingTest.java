package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the build puts into jars, beside what it is said to. */
class PackagingTest {

    private static final Pattern DEPENDENCY = Pattern.compile("(?s)\n    <dependency>\n(.*?)\n    </dependency>");
    private static final Pattern GROUP = Pattern.compile("<groupId>(.*?)</groupId>");
    private static final Pattern DOCUMENTED =
            Pattern.compile("<sourceFileInclude>(.*?)/\\*\\.java</sourceFileInclude>");
    private static final Pattern COMPARED = Pattern.compile("(?m)^ +<include>(org\\.clinfer[a-z.]*)</include>");

    private static final Pattern SHADED = Pattern.compile("<include>([a-z.]+):[a-z*-]+</include>");

    private static String pom() throws IOException {
        return Files.readString(Path.of("pom.xml"));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void whatTheModuleExportsIsDocumentedAndComparedWithTheLastRelease() throws IOException {
        Set<String> exported = ApiSignatures.exported();
        assertThat(exported).contains("org.clinfer");
        assertThat(found(DOCUMENTED, pom()))
                .allSatisfy(folder -> assertThat(exported).contains(folder.replace('/', '.')));
        assertThat(found(DOCUMENTED, pom())).hasSameSizeAs(exported);
        assertThat(found(COMPARED, pom())).containsExactlyInAnyOrderElementsOf(exported);
    }

    @Test
    void everyLibraryInTheCommandLinesJarIsNamedWithItsLicense() throws IOException {
        String licenses = Files.readString(Path.of("src/main/resources/META-INF/licenses/third-party.txt"));
        Set<String> groups = DEPENDENCY
                .matcher(pom().substring(pom().indexOf("</dependencyManagement>")))
                .results()
                .map(MatchResult::group)
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .flatMap(dependency -> found(GROUP, dependency).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(groups).contains("org.lwjgl", "ch.qos.logback", "com.twelvemonkeys.imageio");
        assertThat(groups).allSatisfy(group -> assertThat(licenses).contains("\n" + group + " "));
    }

    @Test
    void everyLibraryInTheJarForSparkIsNamedWithItsLicense() throws IOException {
        String licenses = Files.readString(Path.of("src/main/resources/META-INF/licenses/third-party.txt"));
        Set<String> groups = found(SHADED, pom());
        groups.remove("org.clinfer");
        assertThat(groups).contains("org.lwjgl", "com.google.protobuf");
        assertThat(groups).allSatisfy(group -> assertThat(licenses).contains("\n" + group + " "));
    }
}
