package org.clinfer.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.clinfer.check.Finding;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Reading;

/**
 * One line of {@code test-data/rules}: a profile, an operator, and all that the profile says of it; see the README
 * there.
 *
 * @param readings under which it says so
 * @param operator as {@link SingleOperator} takes it
 * @param expected what is found, or nothing
 */
record RuleCase(String line, String profile, Set<Reading> readings, String operator, List<String> expected) {

    private static final Path FOLDER = Path.of("test-data", "rules");

    /** The cases of each family that has a file. */
    static Map<String, List<RuleCase>> byFamily() {
        Map<String, List<RuleCase>> cases = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".txt")).toList()) {
                cases.put(file.getFileName().toString().replace(".txt", ""), read(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static List<RuleCase> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(RuleCase::parse)
                .toList();
    }

    private static RuleCase parse(String line) {
        String[] cells = line.split("\\|", -1);
        String[] head = cells[0].strip().split(" ", -1);
        if (head.length != 2 || cells.length != 4) {
            throw new IllegalArgumentException("not 'profile Operator | inputs | parameters | findings': " + line);
        }
        Optional<Reading> only = Stream.of(Reading.values())
                .filter(reading -> head[0].endsWith("/" + reading.label()))
                .findFirst();
        String findings = cells[3].strip();
        return new RuleCase(
                line,
                only.map(reading -> head[0].replace("/" + reading.label(), "")).orElse(head[0]),
                only.map(EnumSet::of).orElse(EnumSet.allOf(Reading.class)),
                head[1] + "|" + cells[1] + "|" + cells[2],
                findings.equals("ok")
                        ? List.of()
                        : Stream.of(findings.split(";", -1)).map(String::strip).toList());
    }

    /** What the profile says of the operator, as the line writes it. */
    List<String> found(Reading reading) {
        return found(SingleOperator.of(operator).judge(profile, reading));
    }

    static List<String> found(List<Finding> findings) {
        return findings.stream().map(RuleCase::written).toList();
    }

    private static String written(Finding finding) {
        String id = finding.rule().text();
        String rule = id.substring(id.indexOf('/') + 1);
        return finding.broken()
                .map(broken -> (broken.isDecided() ? "" : "?")
                        + rule
                        + (broken.actual().isEmpty() ? "" : " " + broken.actual() + " " + broken.limit()))
                .orElse(rule);
    }

    String type() {
        return operator.substring(0, operator.indexOf('|'));
    }

    /** Whether a rule is read as the case is. */
    boolean concerns(ProfileRule rule) {
        return rule.readings().stream().anyMatch(readings::contains);
    }

    /** Whether something is found: {@code conv2d/kernel}, or {@code ?conv2d/kernel} if it cannot be decided. */
    boolean finds(String rule) {
        return expected.stream().anyMatch(finding -> finding.split(" ", 2)[0].equals(rule));
    }

    boolean passes() {
        return expected.isEmpty();
    }

    @Override
    public String toString() {
        return line;
    }
}
